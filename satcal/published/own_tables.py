"""What `results/` holds: satcal's own tables of counts, and the manifest of their puzzles.

A table, ``counts/<board>.csv``, has one column per category, ``tilings`` and ``methods``
(``diagram+sat``), and one row per reveal in canonical order. The manifest says by digest which
puzzle was counted: a table never speaks for a puzzle that has changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from satcal.errors import Disagreement, FormatError
from satcal.files import PACKAGE, read_text, read_toml, shipped
from satcal.puzzle.loading import library, load
from satcal.puzzle.model import Puzzle, Reveal
from satcal.records import csv_rows

MANIFEST = "manifest.toml"
_BOARD = re.compile(r"[A-Za-z0-9][A-Za-z0-9+.-]*")
_COUNT = re.compile(r"[0-9]{1,60}")  # no puzzle that fits a board has more tilings
_METHODS = re.compile(r"[a-z]+(\+[a-z]+)*")


def results_folder(package: Path = PACKAGE) -> Path:
    """The folder with ``published/`` and ``counts/``; raises Missing if none."""
    return shipped("results/published", package).parent


class TableRow(NamedTuple):
    """A row of a table; the methods that counted it are sorted."""

    tilings: int
    methods: tuple[str, ...]


class CountTable(NamedTuple):
    """The counts of all reveals of one puzzle, whatever the order of labels."""

    board: str
    digest: str
    rows: Mapping[frozenset[str], TableRow]

    def tilings(self, reveal: Reveal) -> int:
        """The number of tilings of a reveal."""
        return self.rows[frozenset(reveal)].tilings


def shipped_counts(puzzle: Puzzle, reveals: Iterable[Reveal]) -> dict[Reveal, int]:
    """The numbers of tilings that the shipped table of a puzzle has of reveals; often none.

    Raises as :meth:`Tables.find`, and Missing where there are no tables at all.
    """
    table = Tables(results_folder() / "counts").find(puzzle)
    return {} if table is None else {reveal: table.tilings(reveal) for reveal in reveals}


def confirm(
    puzzle: Puzzle, counts: Mapping[Reveal, int], shipped: Mapping[Reveal, int] | None = None
) -> None:
    """Raise Disagreement if the shipped table of a puzzle has another number for a reveal.

    ``shipped`` are its numbers where they are known already. Raises as :func:`shipped_counts`.
    """
    shipped = shipped_counts(puzzle, counts) if shipped is None else shipped
    for reveal in counts.keys() & shipped.keys():
        if counts[reveal] != shipped[reveal]:
            raise Disagreement(
                f"{puzzle.name}, {' '.join(reveal)}: counted {counts[reveal]:,}, but the shipped "
                f"table says {shipped[reveal]:,}; `satcal verify` counts by other methods"
            )


def rank_among_dates(puzzle: Puzzle, reveal: Reveal) -> str:
    """Where the number of tilings of a date stands among those of all, in words; "" if unknown.

    Equal numbers share a rank, counted from the nearer end, as :func:`ranked` says it. Raises as
    :func:`shipped_counts`.
    """
    if puzzle.calendar.parts is None or not puzzle.calendar.is_date(reveal):
        return ""
    dates = [reveal for reveal in puzzle.reveals() if puzzle.calendar.is_date(reveal)]
    counts = shipped_counts(puzzle, dates)
    if not counts:
        return ""
    fewer = sum(count < counts[reveal] for count in counts.values())
    more = sum(count > counts[reveal] for count in counts.values())
    return f"{rank_in_words(fewer, more)} of {len(counts):,}"


def rank_in_words(fewer: int, more: int) -> str:
    """The rank, from the nearer end, of a number that so many others are below and above."""
    if not fewer or not more:
        return "the most" if fewer else "the fewest"
    if fewer <= more:
        return f"the {ordinal(1 + fewer)} fewest"
    return f"the {ordinal(1 + more)} from the top"


def ordinal(number: int) -> str:
    """The ordinal of a number: ``1st``, ``2nd``, ``3rd``, ``11th``."""
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number:,}{'th' if number % 100 in (11, 12, 13) else ending}"


class ManifestEntry(NamedTuple):
    """What the manifest says of one table; ``total`` is the sum over all its rows."""

    board: str
    digest: str
    rows: int
    total: int


class Tables:
    """A folder of tables, found by a puzzle's digest and read when asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._read: dict[str, CountTable] = {}

    @cached_property
    def entries(self) -> tuple[ManifestEntry, ...]:
        """What the manifest lists, in its order; nothing where there is none."""
        path = self.folder / MANIFEST
        return read_manifest(path) if path.exists() else ()

    def find(self, puzzle: Puzzle) -> CountTable | None:
        """The table of a puzzle, None if there is none.

        Raises as :func:`read_table`; Disagreement if the manifest describes another.
        """
        entry = next((entry for entry in self.entries if entry.digest == puzzle.digest), None)
        if entry is None:
            return None
        if entry.digest not in self._read:
            path = self.folder / f"{entry.board}.csv"
            table = read_table(path, puzzle, entry.board)
            total = sum(row.tilings for row in table.rows.values())
            if (len(table.rows), total) != (entry.rows, entry.total):
                raise Disagreement(
                    f"{path}: {len(table.rows)} rows with {total} tilings, but {MANIFEST} says "
                    f"{entry.rows} with {entry.total}; one of them was edited: produce them again"
                )
            self._read[entry.digest] = table
        return self._read[entry.digest]


def likely_board(puzzle: Puzzle, counts: Mapping[Reveal, int]) -> str | None:
    """The board of the library, not of this puzzle, that has at least half of these counts."""
    tables, agreeing = Tables(results_folder() / "counts"), {}
    for board in library():
        other = load(board)
        table = tables.find(other) if other.digest != puzzle.digest else None
        rows = {} if table is None else table.rows
        same = [n for reveal, n in counts.items() if _tilings(rows, reveal) == n]
        agreeing[board] = len(same)
    best = max(agreeing, key=lambda board: agreeing[board])
    return best if 2 * agreeing[best] >= len(counts) else None


def _tilings(rows: Mapping[frozenset[str], TableRow], reveal: Reveal) -> int | None:
    row = rows.get(frozenset(reveal))
    return None if row is None else row.tilings


def read_manifest(path: Path) -> tuple[ManifestEntry, ...]:
    """The entries of a manifest; FormatError if it is damaged."""
    entries = read_toml(path, "manifest")
    form = {"digest": str, "rows": int, "total": int}
    for board, entry in entries.items():
        kinds = isinstance(entry, dict) and {key: type(value) for key, value in entry.items()}
        if kinds != form or not _BOARD.fullmatch(board):
            raise FormatError(f"{path}: {board}: write digest (a text), rows and total (numbers)")
    return tuple(ManifestEntry(board, **entry) for board, entry in entries.items())


def read_table(path: Path, puzzle: Puzzle, board: str = "") -> CountTable:
    """A table; raises as :func:`read_rows`, also for a missing reveal."""
    rows: dict[frozenset[str], TableRow] = {}
    for where, reveal, tilings, (methods,) in read_rows(path, puzzle, ["methods"]):
        if not _METHODS.fullmatch(methods):
            raise FormatError(f"{where}: '{methods}' names no methods; write them as diagram+sat")
        rows[frozenset(reveal)] = TableRow(tilings, tuple(methods.split("+")))
    missing = [reveal for reveal in puzzle.reveals() if frozenset(reveal) not in rows]
    if missing:
        first = ",".join(missing[0])
        raise FormatError(
            f"{path}: missing reveals: {len(missing)}, the first is '{first}'; add them"
        )
    return CountTable(board or path.stem, puzzle.digest, rows)


def read_rows(
    path: Path, puzzle: Puzzle, more: Sequence[str] = ()
) -> Iterator[tuple[str, Reveal, int, list[str]]]:
    """Yield where a row of a CSV file is, its reveal, its tilings, and what ``more`` columns hold.

    The labels alone decide which reveal a row is about: a puzzle of the same digest may
    have its categories under other names, and in another order. Raises FileTrouble, or
    FormatError, which says where the file is damaged and how to mend it.
    """
    lines = csv_rows(read_text(path, "table"), str(path))
    _, header = next(lines, (1, []))
    width = len(puzzle.categories)
    if len(header) != width + 1 + len(more) or header[width:] != ["tilings", *more]:
        wanted = ",".join([*puzzle.categories, "tilings", *more])
        raise FormatError(f"{path}: its header is '{','.join(header)}', not '{wanted}'")
    reveals = {frozenset(reveal): reveal for reveal in puzzle.reveals()}
    seen: set[frozenset[str]] = set()
    for line, cells in lines:
        where, labels = f"{path}: line {line}", frozenset(cells[:width])
        if len(cells) != len(header):
            raise FormatError(f"{where}: {len(cells)} entries, but the header has {len(header)}")
        if labels in seen or labels not in reveals:
            reason = "is listed twice" if labels in seen else "is not a reveal of the puzzle"
            raise FormatError(f"{where}: '{','.join(cells[:width])}' {reason}; remove the line")
        if not _COUNT.fullmatch(tilings := cells[width]):
            raise FormatError(f"{where}: '{tilings}' is not a number of tilings; write digits only")
        seen.add(labels)
        yield where, reveals[labels], int(tilings), cells[width + 1 :]
