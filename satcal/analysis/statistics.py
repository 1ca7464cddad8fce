"""Statistics of counts: tables that are plotted or written."""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from satcal.errors import OptionError
from satcal.puzzle.calendar import MONTHS, WEEKDAYS
from satcal.puzzle.model import Placement, Puzzle, cell_name
from satcal.puzzle.ranges import Row

Counts = Sequence[tuple[Row, int]]
BINS = 20
NAMES: Mapping[str, Sequence[str | int]] = {
    "weekday": WEEKDAYS,
    "month": MONTHS,
    "day": range(1, 32),
}


@dataclass(frozen=True)
class StatisticsTable:
    """A table of numbers: what it shows, the names of its columns, its rows."""

    title: str
    fields: tuple[str, ...]
    rows: tuple[tuple[str | int | float, ...], ...]

    def records(self) -> list[dict[str, str | int | float]]:
        """The rows by the names of their columns."""
        return [dict(zip(self.fields, row, strict=True)) for row in self.rows]


def histogram(counts: Counts, title: str) -> StatisticsTable:
    """How many rows have a count in each of about 20 ranges of equal width."""
    greatest = max(count for _, count in counts)
    width = max(1, -(-(greatest + 1) // BINS))
    rows_in = Counter(count // width for _, count in counts)
    ranges = range(greatest // width + 1)
    rows = tuple((n * width, (n + 1) * width - 1, rows_in[n]) for n in ranges)
    return StatisticsTable(
        f"{title}: how many dates have each number of tilings", ("from", "to", "dates"), rows
    )


def means(
    puzzle: Puzzle, counts: Counts, title: str, row_part: str, column_part: str
) -> StatisticsTable:
    """The mean count of the rows that share two parts of a date.

    Raises:
        OptionError: the puzzle has no weekdays.
    """
    if row_part == "weekday" and row_part not in puzzle.categories:
        raise OptionError(f"{puzzle.name} has no weekdays; use --what month-day")
    calendar = puzzle.calendar.require()
    groups: dict[tuple[int, int], list[int]] = defaultdict(list)
    for row, count in counts:
        label = dict(zip(puzzle.categories, row.reveal, strict=True))
        key = (
            calendar[row_part].index(label[row_part]),
            calendar[column_part].index(label[column_part]),
        )
        groups[key].append(count)
    rows = tuple(
        (
            NAMES[row_part][row_index],
            NAMES[column_part][column_index],
            round(statistics.mean(group), 2),
        )
        for (row_index, column_index), group in sorted(groups.items())
    )
    return StatisticsTable(
        f"{title}: tilings by {row_part} and {column_part}",
        (row_part, column_part, "tilings"),
        rows,
    )


def cover_counts(
    puzzle: Puzzle, containing: Mapping[Placement, int], title: str
) -> StatisticsTable:
    """The number of tilings in which each piece covers each cell."""
    covering = {(cell, piece.name): 0 for cell in puzzle.cells for piece in puzzle.pieces}
    for placed, count in containing.items():
        for cell in placed.cells:
            covering[cell, placed.piece] += count
    rows = tuple((cell_name(cell), piece, count) for (cell, piece), count in covering.items())
    return StatisticsTable(
        f"{title}: how often each piece covers each cell", ("cell", "piece", "tilings"), rows
    )
