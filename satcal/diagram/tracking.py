"""Which items may remain, for a few *tracked* items at once: a set of subsets in one word."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from satcal.diagram.bits import WORD
from satcal.diagram.model import Array, Problem, Words

TRACKED = 6
"""Number of tracked items: a set of subsets of six items is one 64-bit word."""


def choose_tracked(problem: Problem) -> list[int]:
    """Return the items to track: used once, categories first, then by area, at most six.

    Those are what a small pocket of uncovered cells needs.
    """
    single = [item for item, copies in enumerate(problem.copies) if copies == 1]
    first_category = len(problem.copies) - problem.categories
    area = problem.area()
    return sorted(single, key=lambda i: (i < first_category, area[i], i))[:TRACKED]


class Step(NamedTuple):
    """What an option does to a set of subsets: it keeps those in ``keep``, then shifts."""

    keep: int
    shift: int


class Tracking:
    """How options change the set of subsets that may remain, and which subsets an area allows.

    A *room* is a uint64 whose bit s is set if subset s of the tracked items may remain.
    """

    def __init__(self, problem: Problem, tracked: list[int]) -> None:
        subsets = 1 << len(tracked)
        place = {item: bit for bit, item in enumerate(tracked)}
        steps = [_step(subsets, place.get(item)) for item in problem.item] or [Step(0, 0)]
        self.keep: Words = np.array([step.keep for step in steps], WORD)
        self.shift: Words = np.array([step.shift for step in steps], WORD)
        self.allowed = _allowed(problem, tracked)

    def forward(self, room: Array, option: Array) -> Array:
        """Return what may remain after the options, from what may before; uint64 [options]."""
        return (room & self.keep[option]) >> self.shift[option]

    def backward(self, room: Array, option: Array) -> Array:
        """Return what may remain before the options, from what may after; uint64 [options].

        A subset that still holds the option's item comes from nowhere.
        """
        return (room << self.shift[option]) & self.keep[option]


def _step(subsets: int, bit: int | None) -> Step:
    if bit is None:
        return Step((1 << subsets) - 1, 0)
    return Step(sum(1 << subset for subset in range(subsets) if subset >> bit & 1), 1 << bit)


def _allowed(problem: Problem, tracked: list[int]) -> NDArray[np.uint64]:
    """Return the room for each number of uncovered cells, uint64 [cells + 1].

    What the subset does not cover must be a sum of areas of items that are not tracked.
    """
    areas = problem.areas()
    others = [(item, copies) for item, copies in enumerate(problem.copies) if item not in tracked]
    rest = _sums([areas[item] | {0} for item, copies in others for _ in range(copies)])
    allowed = [0] * (problem.cells + 1)
    for subset in range(1 << len(tracked)):
        mine = _sums([areas[item] for bit, item in enumerate(tracked) if subset >> bit & 1])
        for total in {some + other for some in mine for other in rest}:
            if total <= problem.cells:
                allowed[total] |= 1 << subset
    return np.array(allowed, WORD)


def _sums(choices: Sequence[set[int]]) -> set[int]:
    """Return every sum of one number from each set."""
    sums = {0}
    for choice in choices:
        sums = {total + number for total in sums for number in choice}
    return sums
