"""The pruner: which uncovered parts no remaining pieces can fill, by their areas alone.

That it forbids no part of a tiling: tests/counting/test_search.py.
"""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from helpers.puzzles import Small
from satcal.puzzle.placements import cover_of
from satcal.puzzle.pruner import Pruner, unfillable

# areas 3, 2 and 2: a strip of seven cells
STRIP = Small((("*",) * 7,), {}, (("I3", ("###",), 1, True), ("I2", ("##",), 2, True)))
PRUNER = Pruner(cover_of(STRIP.load(), ()))


def strip(*columns: int) -> set[tuple[int, int]]:
    return {(0, column) for column in columns}


def ones(areas: int) -> set[int]:
    return {area for area in range(20) if areas >> area & 1}


def test_a_component_is_unfillable_if_its_area_is_none_of_those_given() -> None:
    everything = PRUNER.sums((1, 2))
    assert unfillable(strip(0, 1, 3, 4, 5, 6), everything) == []
    assert unfillable(strip(0, 2, 3, 4), everything) == [strip(0)]
    assert unfillable(strip(0, 1, 2), PRUNER.sums((0, 2))) == [strip(0, 1, 2)]
    assert unfillable(set(), PRUNER.sums((0, 0))) == []


@given(st.tuples(*[st.integers(0, 3)] * 2))
def test_areas_are_sums_of_those_left_or_for_the_weaker_pruning_no_smaller_than_one(
    left: tuple[int, int],
) -> None:
    threes, twos = left
    counts = itertools.product(range(threes + 1), range(twos + 1))
    assert ones(PRUNER.sums(left)) == {3 * many + 2 * more for many, more in counts}
    smallest = 2 if twos else 3 if threes else 0
    assert ones(PRUNER.at_least(left)) == set(range(smallest, 20))


def test_labels_of_an_open_cover_are_areas_of_their_category() -> None:
    small = Small((("a", "a", "*", "b", "b"),), {"x": ("a", "b")}, (("I3", ("###",), 1, True),))
    pruner = Pruner(cover_of(small.load(), None))
    assert ones(pruner.sums((1, 1))) == {0, 2, 3, 5}
    assert ones(pruner.sums((0, 1))) == {0, 2}
