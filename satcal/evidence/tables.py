"""satcal's own tables: ``results/counts/<board>.csv``, and the manifest of their puzzles.

A table has one column per category, ``tilings`` and ``methods`` (``diagram+sat``: which
methods counted that reveal), and one row per reveal in canonical order. The manifest says,
by digest, which puzzle was counted: a table never speaks for a puzzle that has changed.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from satcal.errors import Disagreement, FormatError
from satcal.files import read_text, read_toml, write_bytes
from satcal.puzzle.model import Puzzle, Reveal
from satcal.records import csv_rows

MANIFEST = "manifest.toml"
_COUNT = re.compile(r"\d{1,60}")  # no puzzle that fits a board has more tilings
_METHODS = re.compile(r"[a-z]+(\+[a-z]+)*")
_HEAD = (
    "# The tables in this folder and the puzzles they count, by digest of the puzzle.\n"
    "# Written together with the tables by `python -m tools.tables`.\n"
)


@dataclass(frozen=True)
class Row:
    """One row of a table: the number of tilings, and the methods that counted it, sorted."""

    tilings: int
    methods: tuple[str, ...]


@dataclass(frozen=True)
class Table:
    """The counts of all reveals of one puzzle, by label: their order is no part of it."""

    board: str
    digest: str
    rows: Mapping[frozenset[str], Row]

    def tilings(self, reveal: Reveal) -> int:
        """Return the number of tilings of a reveal."""
        return self.rows[frozenset(reveal)].tilings


@dataclass(frozen=True)
class Entry:
    """What the manifest says of one table; ``total`` is the sum over all its rows."""

    board: str
    digest: str
    rows: int
    total: int


class Tables:
    """A folder of tables, found by the digest of a puzzle and read when first asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._read: dict[str, Table] = {}

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """What the manifest lists, in its order; nothing where there is none."""
        path = self.folder / MANIFEST
        return read_manifest(path) if path.exists() else ()

    def find(self, puzzle: Puzzle) -> Table | None:
        """Return the table of a puzzle, None if there is none.

        Raises:
            FormatError, FileTrouble: the table is damaged.
            Disagreement: it is not the table that the manifest describes.
        """
        for entry in self.entries:
            if entry.digest == puzzle.digest:
                if entry.digest not in self._read:
                    self._read[entry.digest] = self._checked(puzzle, entry)
                return self._read[entry.digest]
        return None

    def _checked(self, puzzle: Puzzle, entry: Entry) -> Table:
        path = self.folder / f"{entry.board}.csv"
        table = read_table(path, puzzle, entry.board)
        total = sum(row.tilings for row in table.rows.values())
        if (len(table.rows), total) != (entry.rows, entry.total):
            raise Disagreement(
                f"{path}: {len(table.rows)} rows with {total} tilings, but {MANIFEST} says "
                f"{entry.rows} with {entry.total}; one of them was edited: produce them again"
            )
        return table


def read_manifest(path: Path) -> tuple[Entry, ...]:
    """Return the entries of a manifest.

    Raises:
        FormatError, FileTrouble: it is damaged.
    """
    boards = read_toml(path, "manifest")
    return tuple(_entry(path, board, value) for board, value in boards.items())


def _entry(path: Path, board: str, value: object) -> Entry:
    form = {"digest": str, "rows": int, "total": int}
    if (
        not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9+.-]*", board)
        or not isinstance(value, dict)
        or {key: type(each) for key, each in value.items()} != form
    ):
        raise FormatError(f"{path}: {board}: write digest (a text), rows and total (numbers)")
    return Entry(board, **value)


def read_table(path: Path, puzzle: Puzzle, board: str = "") -> Table:
    """Return a table, checked to hold each reveal of the puzzle once.

    Raises:
        FormatError, FileTrouble: as :func:`read_rows`; a reveal is missing, or methods are none.
    """
    rows: dict[frozenset[str], Row] = {}
    for where, reveal, tilings, (methods,) in read_rows(path, puzzle, ["methods"]):
        if not _METHODS.fullmatch(methods):
            raise FormatError(f"{where}: '{methods}' names no methods; write them as diagram+sat")
        rows[frozenset(reveal)] = Row(tilings, tuple(methods.split("+")))
    missing = [reveal for reveal in puzzle.reveals() if frozenset(reveal) not in rows]
    if missing:
        first = ",".join(missing[0])
        raise FormatError(f"{path}: {len(missing)} reveals are missing, '{first}' first")
    return Table(board or path.stem, puzzle.digest, rows)


def read_rows(
    path: Path, puzzle: Puzzle, more: Sequence[str] = ()
) -> Iterator[tuple[str, Reveal, int, list[str]]]:
    """Yield where a row of a CSV file is, its reveal, its tilings, and more columns' entries.

    Names and order of the categories are those of the board that was counted; a puzzle of the
    same digest may have others, so that the labels alone decide which reveal a row is about.

    Raises:
        FormatError: where it is damaged, and how to mend it.
        FileTrouble: it cannot be read.
    """
    lines = csv_rows(read_text(path, "table"), str(path))
    _, header = next(lines, (1, []))
    width = len(puzzle.categories)
    if len(header) != width + 1 + len(more) or header[width:] != ["tilings", *more]:
        wanted = ",".join([*puzzle.categories, "tilings", *more])
        raise FormatError(f"{path}: its header is '{','.join(header)}', not '{wanted}'")
    reveals = {frozenset(reveal): reveal for reveal in puzzle.reveals()}
    seen: set[frozenset[str]] = set()
    for number, cells in lines:
        where, labels = f"{path}: line {number}", frozenset(cells[:width])
        if len(cells) != len(header):
            raise FormatError(f"{where}: {len(cells)} entries, but the header has {len(header)}")
        if labels in seen or labels not in reveals:
            reason = "comes twice" if labels in seen else "is no reveal of the puzzle"
            raise FormatError(f"{where}: '{','.join(cells[:width])}' {reason}; remove the line")
        if not _COUNT.fullmatch(cells[width]):
            raise FormatError(
                f"{where}: '{cells[width]}' is no number of tilings; write digits only"
            )
        seen.add(labels)
        yield where, reveals[labels], int(cells[width]), cells[width + 1 :]


def write_table(
    folder: Path, board: str, puzzle: Puzzle, counts: Mapping[Reveal, int], method: str
) -> Path:
    """Write the counts of one method to the table of a board, and return its path.

    Where there is a table of this puzzle already, its counts must be the same, and the method
    joins those that its rows name; ``counts`` may then be of some reveals only.

    Raises:
        Disagreement: a count differs from the table; nothing is written.
        FormatError, FileTrouble: the table that is there is damaged.
        ValueError: the counts are not of all reveals, and there is no table yet.
    """
    folder.mkdir(parents=True, exist_ok=True)
    known = Tables(folder)
    before = next((e for e in known.entries if e.board == board), None)
    old = known.find(puzzle) if before and before.digest == puzzle.digest else None
    rows = dict(_merged(board, puzzle, old, counts, method))
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*puzzle.categories, "tilings", "methods"])
    for reveal, row in rows.items():
        writer.writerow([*reveal, row.tilings, "+".join(row.methods)])
    path = folder / f"{board}.csv"
    write_bytes(path, out.getvalue().encode())
    total = sum(row.tilings for row in rows.values())
    _write_manifest(folder, known.entries, Entry(board, puzzle.digest, len(rows), total))
    return path


def _merged(
    board: str, puzzle: Puzzle, old: Table | None, counts: Mapping[Reveal, int], method: str
) -> Iterator[tuple[Reveal, Row]]:
    for reveal in puzzle.reveals():
        row = old.rows[frozenset(reveal)] if old else None
        fresh = counts.get(reveal)
        if row is None and fresh is None:
            raise ValueError(f"{board}: no count of {','.join(reveal)}")
        if row is None:
            row = Row(fresh or 0, (method,))
        elif fresh is not None:
            if fresh != row.tilings:
                raise Disagreement(
                    f"{board} {' '.join(reveal)}: the table says {row.tilings} "
                    f"({'+'.join(row.methods)}), {method} counts {fresh}"
                )
            row = Row(row.tilings, tuple(sorted({*row.methods, method})))
        yield reveal, row


def _write_manifest(folder: Path, entries: Iterable[Entry], new: Entry) -> None:
    by_board = {entry.board: entry for entry in entries} | {new.board: new}
    text = _HEAD + "".join(
        f'\n["{e.board}"]\ndigest = "{e.digest}"\nrows = {e.rows}\ntotal = {e.total}\n'
        for _, e in sorted(by_board.items())
    )
    write_bytes(folder / MANIFEST, text.encode())
