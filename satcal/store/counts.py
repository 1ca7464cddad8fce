"""Finished counts in the store, and their exports.

A row has a seal, a digest of its other columns, because a database notices a damaged page but not a
changed digit.
"""

from __future__ import annotations

import csv
import hashlib
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from satcal.errors import Disagreement, FormatError
from satcal.puzzle.model import Placement, Puzzle, Reveal, cell_name
from satcal.store.database import Database

# the method is last in the key, so that the key also finds the counts by all methods
TABLE = (
    "CREATE TABLE satcal_result (puzzle TEXT NOT NULL, question TEXT NOT NULL,"
    " reveal TEXT NOT NULL, method TEXT NOT NULL, tilings TEXT NOT NULL,"  # may exceed 2**63
    " counted_at TEXT NOT NULL, seal TEXT NOT NULL,"
    " PRIMARY KEY (puzzle, question, reveal, method))"
)
COLUMNS = "puzzle, question, reveal, method, tilings, counted_at, seal"
INSERT = (
    f"INSERT INTO satcal_result ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
)
EXPORT = "satcal store export 1"
"""The first line of an export."""
PATTERNS = (
    r"[0-9a-f]{64}",
    r"[ -~]{0,4000}",
    r"[^\0\r\n\ud800-\udfff]{0,300}",
    r"[ -~]{1,300}",
    r"0|[1-9][0-9]{0,59}",
    r"[0-9T:+-]{1,40}",
)
"""The patterns of the columns of an export."""


class Key(NamedTuple):
    """The key of stored counts, without the reveal.

    ``puzzle`` is a digest, ``question`` the placed pieces (:func:`question_key`), and ``method``
    :meth:`satcal.counting.method.Method.key`, which includes a digest of the code that counts.
    """

    puzzle: str
    question: str
    method: str


class StoredCount(NamedTuple):
    """A finished count."""

    puzzle: str
    question: str
    reveal: str
    method: str
    tilings: int
    counted_at: str


def reveal_key(reveal: Sequence[str]) -> str:
    """Return the labels of a reveal in alphabetical order; no label contains a space."""
    return " ".join(sorted(reveal))


def question_key(puzzle: Puzzle, place: Iterable[Placement]) -> str:
    """Return placements as text without names of pieces, because copies may have several names.

    The cells define the shape. The number of orientations distinguishes a piece that may be flipped
    from one of the same shape that may not.
    """
    parts = []
    for placement in place:
        cells = ",".join(map(cell_name, sorted(placement.cells)))
        parts.append(f"{cells}x{len(puzzle.piece(placement.piece).orientations)}")
    return " ".join(sorted(parts))


def to_columns(row: StoredCount) -> tuple[str, ...]:
    """Return the columns of a row, including its seal."""
    columns = (*row[:4], str(row.tilings), row.counted_at)
    return *columns, compute_seal(columns)


def from_columns(columns: Sequence[str]) -> StoredCount:
    """Return the row with the columns, which do not include a seal."""
    puzzle, question, reveal, method, tilings, counted_at = columns
    return StoredCount(puzzle, question, reveal, method, int(tilings), counted_at)


def compute_seal(columns: Sequence[str]) -> str:
    """Return the seal of a row: a digest of its columns."""
    return hashlib.sha256("\0".join(columns).encode("utf-8", "replace")).hexdigest()[:16]


class CountTable(Database):
    """The counts."""

    def select(self, cursor: Any, condition: str, values: Sequence[str]) -> Iterator[StoredCount]:
        """Yield rows; raise StoreDamaged for a row with a wrong seal."""
        query = self.sql(f"SELECT {COLUMNS} FROM satcal_result{condition}")
        for *columns, seal in cursor.execute(query, values).fetchall():
            if not all(isinstance(c, str) for c in columns) or compute_seal(columns) != seal:
                raise self.damage_error("a row with a broken seal")
            yield from_columns(columns)

    def recall(self, key: Key, reveals: Sequence[Reveal]) -> dict[Reveal, int]:
        """Return the stored counts of those reveals that have one."""
        condition = " WHERE puzzle = ? AND question = ? AND method = ?"
        rows = self.transact(lambda cursor: [*self.select(cursor, condition, key)])
        counts = {row.reveal: row.tilings for row in rows}
        return {r: counts[reveal_key(r)] for r in reveals if reveal_key(r) in counts}

    def put(self, key: Key, counts: Mapping[Reveal, int]) -> list[str]:
        """Store new counts; return a sentence for each stored count that contradicts one.

        A stored count is never replaced. The counts of all methods are compared.
        """
        puzzle, question, method = key
        written_at = datetime.now(UTC).isoformat(timespec="seconds")
        rows = [
            StoredCount(puzzle, question, reveal_key(reveal), method, tilings, written_at)
            for reveal, tilings in counts.items()
        ]
        return self.transact(lambda cursor: self.insert(cursor, rows))[1] if rows else []

    def insert(self, cursor: Any, rows: Sequence[StoredCount]) -> tuple[int, list[str]]:
        """Insert rows; return the number of new ones, and the contradictions."""
        cursor.executemany(self.sql(INSERT), map(to_columns, rows))
        number, contradictions = cursor.rowcount, []
        condition = " WHERE puzzle = ? AND question = ? AND reveal = ?"
        for row in rows:
            for stored in self.select(cursor, condition, row[:3]):
                if stored.tilings != row.tilings:
                    key = " ".join(filter(None, (row.puzzle[:12], row.question, row.reveal)))
                    numbers = f"{row.tilings} by {row.method}, but {stored.tilings}"
                    contradictions.append(
                        f"{key}: {numbers} by {stored.method} is stored since {stored.counted_at}"
                    )
        return number, contradictions

    def list_rows(self, puzzle: str = "") -> list[StoredCount]:
        """Return the rows of a puzzle, or all rows, sorted by their columns."""
        condition, values = " WHERE puzzle LIKE ?", (puzzle or "%",)
        return sorted(self.transact(lambda cursor: [*self.select(cursor, condition, values)]))

    def clear(self, puzzle: str = "") -> int:
        """Remove the rows of a puzzle, or all rows; return their number."""
        return int(self.execute("DELETE FROM satcal_result WHERE puzzle LIKE ?", (puzzle or "%",)))

    def import_rows(self, rows: Sequence[StoredCount]) -> int:
        """Store all rows of an export, or none; return the number of new ones.

        Raises:
            Disagreement: a row contradicts a stored row.
        """

        def work(cursor: Any) -> int:
            number, contradictions = self.insert(cursor, rows)
            if contradictions:
                others = f"(contradictions: {len(contradictions):,})"
                raise Disagreement(f"nothing was imported; {contradictions[0]} {others}")
            return number

        return self.transact(work)


def write_export(rows: Iterable[StoredCount]) -> str:
    """Return rows as CSV after a header, with a digest of the text at the end."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([[EXPORT], StoredCount._fields, *rows])
    return f"{text.getvalue()}sha256,{hashlib.sha256(text.getvalue().encode()).hexdigest()}\n"


def read_export(text: str, location: str = "export") -> list[StoredCount]:
    """Return the rows of an export; raise FormatError for any other text."""
    body, _, last = text.removesuffix("\n").rpartition("\n")
    if not text.startswith(EXPORT + "\n"):
        raise FormatError(
            f"{location}: not an export of a satcal store; `satcal store export` writes one, and "
            "`satcal claims` judges other tables"
        )
    digest = hashlib.sha256(f"{body}\n".encode("utf-8", "surrogatepass")).hexdigest()
    if last != f"sha256,{digest}":
        raise FormatError(
            f"{location}: changed or cut after it was written; export it again, or give it to "
            "`satcal claims` without its first and last line"
        )
    rows = []
    for number, columns in enumerate(list(csv.reader(io.StringIO(body)))[2:], start=3):
        if len(columns) != len(PATTERNS) or not all(map(re.fullmatch, PATTERNS, columns)):
            raise FormatError(f"{location}: line {number}: not as an export writes it")
        rows.append(from_columns(columns))
    return rows
