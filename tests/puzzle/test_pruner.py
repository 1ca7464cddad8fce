"""The pruner: which uncovered parts no remaining pieces can fill, by their areas alone."""

from __future__ import annotations

import itertools

from hypothesis import given, settings
from hypothesis import strategies as st
from small import Small, in_order, parts, small_puzzles

from satcal.puzzle.placements import cover
from satcal.puzzle.pruner import Pruner, unfillable, without

# areas 3, 2 and 2: a strip of seven cells
STRIP = Small((("*",) * 7,), {}, (("I3", ("###",), 1, True), ("I2", ("##",), 2, True)))
PRUNER = Pruner(cover(STRIP.load(), ()))


def strip(*columns: int) -> set[tuple[int, int]]:
    return {(0, column) for column in columns}


def test_a_component_is_forbidden_if_its_area_is_no_sum_of_remaining_areas() -> None:
    everything = PRUNER.sums((1, 2))
    assert unfillable(strip(0, 1, 3, 4, 5, 6), everything) == []
    assert unfillable(strip(0, 2, 3, 4), everything) == [strip(0)]
    assert unfillable(strip(*range(6)), everything) == [strip(*range(6))]
    assert unfillable(strip(0, 1, 2), PRUNER.sums((0, 2))) == [strip(0, 1, 2)]
    assert unfillable(set(), PRUNER.sums((0, 0))) == []


def test_the_weaker_pruning_forbids_only_what_is_smaller_than_every_piece() -> None:
    assert unfillable(strip(0, 2, 3), PRUNER.at_least((1, 2))) == [strip(0)]
    assert unfillable(strip(0, 1), PRUNER.at_least((1, 0))) == [strip(0, 1)]
    assert unfillable(strip(*range(6)), PRUNER.at_least((1, 2))) == []
    assert unfillable(strip(0), PRUNER.at_least((0, 0))) == []


def test_labels_of_an_open_cover_are_areas_of_their_category() -> None:
    small = Small((("a", "a", "*", "b", "b"),), {"x": ("a", "b")}, (("I3", ("###",), 1, True),))
    pruner = Pruner(cover(small.load(), None))
    assert unfillable(strip(0, 1), pruner.sums((0, 1))) == []
    assert unfillable(strip(0), pruner.sums((1, 1))) == [strip(0)]


@given(st.tuples(*[st.integers(0, 3)] * 2))
def test_sums_are_the_areas_of_all_subsets(left: tuple[int, int]) -> None:
    counts = itertools.product(*(range(n + 1) for n in left))
    areas = {3 * threes + 2 * twos for threes, twos in counts}
    assert {n for n in range(20) if PRUNER.sums(left) >> n & 1} == areas


@given(small_puzzles(solvable=True))
@settings(max_examples=40)
def test_no_part_of_a_tiling_is_forbidden(small: Small) -> None:
    puzzle = small.load()
    for reveal in small.reveals()[:2]:
        whole = cover(puzzle, reveal)
        pruner = Pruner(whole)
        item = {name: number for number, (name, _, _) in enumerate(whole.items)}
        for tiling in in_order(small.tilings(reveal))[:5]:
            for size in range(len(tiling) + 1):
                part = parts(tiling)[:size]
                left = without(pruner.copies, [item[name] for name, _ in part])
                uncovered = set(whole.cells).difference(*(cells for _, cells in part))
                assert unfillable(uncovered, pruner.sums(left)) == []
                assert unfillable(uncovered, pruner.at_least(left)) == []
