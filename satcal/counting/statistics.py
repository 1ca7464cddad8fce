"""Statistics of counts: tables that are plotted or written."""

from __future__ import annotations

import statistics
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from satcal.errors import NoTiling, OptionError
from satcal.puzzle.calendar import MONTHS, WEEKDAYS
from satcal.puzzle.model import Placement, Puzzle, cell_name
from satcal.puzzle.ranges import Row

if TYPE_CHECKING:  # numpy is slow to import
    from satcal.counting.difficulty import Difficulty

Counts = Sequence[tuple[Row, int]]
BINS = 20
MEASURES = ("tilings", "nodes", "forced", "guesses_mean", "right_mean", "share")
NAMES: Mapping[str, Sequence[str | int]] = {
    "weekday": WEEKDAYS, "month": MONTHS, "day": range(1, 32)
}  # fmt: skip


@dataclass(frozen=True)
class Table:
    """A table of numbers: what it shows, the names of its columns, its rows."""

    title: str
    fields: tuple[str, ...]
    rows: tuple[tuple[str | int | float, ...], ...]

    def records(self) -> list[dict[str, str | int | float]]:
        """Return the rows by the names of their columns."""
        return [dict(zip(self.fields, row, strict=True)) for row in self.rows]


def histogram(counts: Counts, title: str) -> Table:
    """Return how many rows have a count in each of about 20 ranges of equal width."""
    greatest = max(count for _, count in counts)
    width = max(1, -(-(greatest + 1) // BINS))
    dates = Counter(count // width for _, count in counts)
    ranges = range(greatest // width + 1)
    rows = tuple((n * width, (n + 1) * width - 1, dates[n]) for n in ranges)
    return Table(f"{title}: how many dates have how many tilings", ("from", "to", "dates"), rows)


def ranking(counts: Counts, title: str) -> Table:
    """Return the rows from fewest tilings to most."""
    ordered = sorted(counts, key=lambda pair: pair[1])
    rows = tuple((n, str(row), count) for n, (row, count) in enumerate(ordered, start=1))
    return Table(f"{title}: hardest and easiest dates", ("rank", "date", "tilings"), rows)


def means(puzzle: Puzzle, counts: Counts, title: str, first: str, second: str) -> Table:
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
    return Table(f"{title}: tilings by {first} and {second}", (first, second, "tilings"), rows)


def covered(puzzle: Puzzle, containing: Mapping[Placement, int], title: str) -> Table:
    """Return in how many tilings each piece covers each cell."""
    covering = {(cell, piece.name): 0 for cell in puzzle.cells for piece in puzzle.pieces}
    for placed, count in containing.items():
        for cell in placed.cells:
            covering[cell, placed.piece] += count
    rows = tuple((cell_name(cell), piece, count) for (cell, piece), count in covering.items())
    return Table(f"{title}: which piece covers which cell", ("cell", "piece", "tilings"), rows)


def compared(counts: Iterable[tuple[str, Counts]]) -> Table:
    """Return fewest, quartiles and most of several puzzles."""
    rows = []
    for name, pairs in counts:
        values = sorted(count for _, count in pairs)
        low, middle, high = (
            statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else values * 3
        )
        rows.append((name, len(values), values[0], low, middle, high, values[-1]))
    fields = ("board", "dates", "fewest", "quarter", "median", "three quarters", "most")
    return Table("Tilings a date", fields, tuple(rows))


def correlated(measured: Iterable[Difficulty], title: str) -> Table:
    """Return least, median and most of each measure, and how alike any two rank the dates.

    That is Spearman's rank correlation, from -1 to 1; empty where a measure is the same on all
    dates. Those without a tiling are left out; raises NoTiling if none has one.
    """
    records = [{"tilings": each.tilings, **each.record()} for each in measured if each.tilings]
    if not records:
        raise NoTiling(f"{title}: no date has a tiling, so there is nothing to rank")
    ranks = {name: _ranks([each[name] for each in records]) for name in MEASURES}
    rows = []
    for name in MEASURES:
        values = sorted(each[name] for each in records)
        spread = values[0], round(statistics.median(values), 4), values[-1]
        rows.append((name, *spread, *(_correlation(ranks[name], ranks[n]) for n in MEASURES)))
    fields = ("measure", "least", "median", "most", *MEASURES)
    return Table(f"{title}: measures of difficulty, their rank correlations", fields, tuple(rows))


def _ranks(numbers: Sequence[float]) -> list[float]:
    """Return the rank of each number; equal ones share the mean of theirs."""
    ordered = sorted(numbers)
    return [(bisect_left(ordered, each) + bisect_right(ordered, each)) / 2 for each in numbers]


def _correlation(first: Sequence[float], second: Sequence[float]) -> float | str:
    if min(len(set(first)), len(set(second))) < 2:
        return ""
    return round(statistics.correlation(first, second), 2)
