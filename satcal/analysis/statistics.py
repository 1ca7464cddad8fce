"""Statistics of counts: tables that are plotted or written."""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from satcal.errors import OptionError
from satcal.puzzle.calendar import MONTHS, WEEKDAYS
from satcal.puzzle.model import Placement, Puzzle, cell_name
from satcal.puzzle.ranges import Row

if TYPE_CHECKING:  # numpy is slow to import
    pass

Counts = Sequence[tuple[Row, int]]
BINS = 20
NAMES: Mapping[str, Sequence[str | int]] = {
    "weekday": WEEKDAYS,
    "month": MONTHS,
    "day": range(1, 32),
}


@dataclass(frozen=True)
class Figures:
    """A table of numbers: what it shows, the names of its columns, its rows."""

    title: str
    fields: tuple[str, ...]
    rows: tuple[tuple[str | int | float, ...], ...]

    def records(self) -> list[dict[str, str | int | float]]:
        """Return the rows by the names of their columns."""
        return [dict(zip(self.fields, row, strict=True)) for row in self.rows]


def histogram(counts: Counts, title: str) -> Figures:
    """Return how many rows have a count in each of about 20 ranges of equal width."""
    greatest = max(count for _, count in counts)
    width = max(1, -(-(greatest + 1) // BINS))
    dates = Counter(count // width for _, count in counts)
    ranges = range(greatest // width + 1)
    rows = tuple((n * width, (n + 1) * width - 1, dates[n]) for n in ranges)
    return Figures(
        f"{title}: how many dates have each number of tilings", ("from", "to", "dates"), rows
    )


def means(puzzle: Puzzle, counts: Counts, title: str, first: str, second: str) -> Figures:
    """Return the mean count of the rows that share two parts of a date.

    Raises:
        OptionError: the puzzle has no weekdays.
    """
    if first == "weekday" and first not in puzzle.categories:
        raise OptionError(f"{puzzle.name} has no weekdays; use --what month-day")
    calendar = puzzle.calendar.require()
    groups: dict[tuple[int, int], list[int]] = defaultdict(list)
    for row, count in counts:
        label = dict(zip(puzzle.categories, row.reveal, strict=True))
        parts = calendar[first].index(label[first]), calendar[second].index(label[second])
        groups[parts].append(count)
    rows = tuple(
        (NAMES[first][one], NAMES[second][other], round(statistics.mean(group), 2))
        for (one, other), group in sorted(groups.items())
    )
    return Figures(f"{title}: tilings by {first} and {second}", (first, second, "tilings"), rows)


def covered(puzzle: Puzzle, containing: Mapping[Placement, int], title: str) -> Figures:
    """Return in how many tilings each piece covers each cell."""
    covering = {(cell, piece.name): 0 for cell in puzzle.cells for piece in puzzle.pieces}
    for placed, count in containing.items():
        for cell in placed.cells:
            covering[cell, placed.piece] += count
    rows = tuple((cell_name(cell), piece, count) for (cell, piece), count in covering.items())
    return Figures(
        f"{title}: how often each piece covers each cell", ("cell", "piece", "tilings"), rows
    )
