"""The true values of statements, from a shipped table, or counted if there is none."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from satcal.analysis.survey import count_sets
from satcal.counting import run
from satcal.counting.classes import up_to_symmetry
from satcal.counting.methods import method_named
from satcal.published.shipped import shipped_counts
from satcal.published.statements import Item, Range, Statement
from satcal.puzzle.model import Placement, Puzzle, Reveal
from satcal.puzzle.placements import placements
from satcal.puzzle.rows import Selection
from satcal.puzzle.symmetry import symmetries, tilings_are_asymmetric

Numbers = Sequence[tuple[Item, int]]


class Undecided(Exception):
    """An error for a statement that satcal cannot evaluate; the text says why."""


class Truth(NamedTuple):
    """The true value of a statement, and the items that decide it.

    The value of a table is the true number of each item. If the value counts items, ``of`` is the
    number of all items.
    """

    value: int | Fraction | Mapping[Item, int]
    items: Sequence[Item] = ()
    of: int | None = None


class Lookup:
    """The true counts, from the shipped tables; a diagram counts puzzles without a table.

    ``shipped`` maps digests to the puzzles whose tables were read. ``survey(puzzle)`` is cached.
    """

    def __init__(self, jobs: int | None = None) -> None:
        self._jobs = jobs
        self._counts: dict[tuple[str, tuple[Placement, ...]], dict[Reveal, int]] = {}
        self.shipped: dict[str, Puzzle] = {}
        self.survey = cache(count_sets)

    def find_or_count(
        self, puzzle: Puzzle, reveals: Iterable[Reveal], place: Sequence[Placement] = ()
    ) -> Mapping[Reveal, int]:
        """Return the number of tilings of the reveals, and perhaps of others.

        The numbers are from the table of the puzzle. Without a table, each is counted once.

        Raises:
            Disagreement: the table contradicts the manifest.
        """
        key = puzzle.digest, tuple(place)
        if key not in self._counts:
            self._counts[key] = {} if place else shipped_counts(puzzle)
            if self._counts[key]:
                self.shipped[puzzle.digest] = puzzle
        counts = self._counts[key]
        missing = [reveal for reveal in reveals if reveal not in counts]
        counts.update(self.count(puzzle, missing, place))
        return counts

    def count(
        self,
        puzzle: Puzzle,
        reveals: Iterable[Reveal],
        place: Sequence[Placement] = (),
        method: str = "diagram",
    ) -> dict[Reveal, int]:
        """Return the number of tilings of each reveal by a method."""
        selection, limits = Selection.of(puzzle, reveals, place), run.Limits(jobs=self._jobs)
        return run.exact_counts(run.count(selection, method_named(method), limits))


def evaluate(statement: Statement, lookup: Lookup) -> Truth:
    """Return the true value for a statement.

    Raises:
        Undecided: satcal cannot evaluate the statement.
        TooLarge: the evaluation takes too much memory.
    """
    if statement.needs:
        raise Undecided(statement.needs)
    count_items = COUNTERS[statement.quantity, statement.over.kind]
    numbers = list(count_items(statement.puzzle, statement.over, lookup))
    if isinstance(claimed := statement.value, Mapping):
        # the wrong rows decide; if there are none, a row with the smallest number is the example
        wrong = [item for item, number in numbers if number != claimed[item]]
        return Truth(dict(numbers), wrong or [min(numbers, key=lambda pair: pair[1])[0]])
    return fold(statement, numbers)


def fold(statement: Statement, numbers: Numbers) -> Truth:
    """Return the value that the numbers of all items give, and the items that decide it."""
    values = [number for _, number in numbers]
    if statement.having is not None:
        items = [item for item, number in numbers if statement.having.allows(number)]
        return Truth(len(items), items, len(numbers))
    if statement.fold == "sum":
        return Truth(sum(values))
    if not values:
        raise Undecided(f"{statement.over} is empty")
    if statement.fold == "mean":
        return Truth(Fraction(sum(values), len(values)))
    if statement.fold == "median":
        return Truth(statistics.median(map(Fraction, values)))
    value = max(values) if statement.fold == "most" else min(values)
    items = [item for item, number in numbers if number == value]
    # prefer the item that the statement names; otherwise take the first in canonical order
    return Truth(value, [statement.at] if statement.at in items else items[:1])


def count_tilings(puzzle: Puzzle, over: Range, lookup: Lookup) -> Numbers:
    """Return the number of tilings of each reveal."""
    counts = lookup.find_or_count(puzzle, dict.fromkeys(over.items), over.place)
    return [(reveal, counts[reveal]) for reveal in over.items]


def count_classes(puzzle: Puzzle, over: Range, lookup: Lookup) -> Numbers:
    """Return the number of tilings of each reveal up to symmetry."""
    group = symmetries(puzzle, over.place)
    if tilings_are_asymmetric(puzzle, list(placements(puzzle, puzzle.cells))):
        return [(reveal, n // len(group)) for reveal, n in count_tilings(puzzle, over, lookup)]
    selection = Selection.of(puzzle, dict.fromkeys(over.items), over.place)
    counts = run.exact_counts(run.count(selection, up_to_symmetry(method_named("diagram"))))
    return [(reveal, counts[reveal]) for reveal in over.items]


def count_tilings_of_sets(puzzle: Puzzle, over: Range, lookup: Lookup) -> Numbers:
    """Return, for each set of cells, the number of tilings that leave exactly these uncovered."""
    result = lookup.survey(puzzle)
    return [(tuple(result.labels(cells)), tilings) for cells, tilings in result.counts.items()]


COUNTERS: Mapping[tuple[str, str], Callable[[Puzzle, Range, Lookup], Numbers]] = {
    ("tilings", "reveals"): count_tilings,
    ("tilings", "cells"): count_tilings_of_sets,
    ("classes", "reveals"): count_classes,
    ("reveals", "reveals"): lambda _, over, lookup: [((), len(set(over.items)))],
}
"""The functions that count a quantity over a kind of range."""
