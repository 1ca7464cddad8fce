"""The pruner: which uncovered parts no remaining pieces can fill, by their areas alone."""

from __future__ import annotations

import itertools

from hypothesis import given, settings
from hypothesis import strategies as st
from small import Small, in_order, parts, small_puzzles

from satcal.puzzle.placements import cover
from satcal.puzzle.pruner import Pruner, without

# areas 3, 2 and 2: a strip of seven cells
STRIP = Small((("*",) * 7,), {}, (("I3", ("###",), 1, True), ("I2", ("##",), 2, True)))


def strip(*columns: int) -> set[tuple[int, int]]:
    return {(0, column) for column in columns}


def test_a_component_is_forbidden_if_its_area_is_no_sum_of_remaining_areas() -> None:
    pruner = Pruner(cover(STRIP.load(), ()))
    assert pruner.copies == (1, 2)
    everything = (1, 2)
    assert pruner.forbids(strip(*range(7)), everything) is None
    assert pruner.forbids(strip(0, 1, 3, 4, 5, 6), everything) is None
    assert pruner.forbids(strip(0, 2, 3, 4), everything) == strip(0)
    assert pruner.forbids(strip(*range(6)), everything) == strip(*range(6))
    assert pruner.forbids(strip(0, 1, 2), (0, 2)) == strip(0, 1, 2)
    assert pruner.forbids(strip(0, 1, 2, 3), (0, 1)) == strip(0, 1, 2, 3)
    assert pruner.forbids(set(), (0, 0)) is None


def test_the_weaker_pruning_forbids_only_what_is_smaller_than_every_piece() -> None:
    pruner = Pruner(cover(STRIP.load(), ()))
    assert pruner.forbids_smaller(strip(0, 2, 3), (1, 2)) == strip(0)
    assert pruner.forbids_smaller(strip(0, 1), (1, 0)) == strip(0, 1)
    assert pruner.forbids_smaller(strip(0, 1, 2, 3, 4, 5), (1, 2)) is None
    assert pruner.forbids_smaller(strip(0), (0, 0)) is None
    assert [pruner.smallest(left) for left in ((1, 2), (1, 0), (0, 0))] == [2, 3, 0]


def test_components_hang_together_by_edges(two_l4: Small) -> None:
    pruner = Pruner(cover(two_l4.load(), ()))
    found = sorted(map(sorted, pruner.components({(0, 0), (1, 1), (1, 2), (0, 3)})))
    assert found == [[(0, 0)], [(0, 3)], [(1, 1), (1, 2)]]


def test_labels_of_an_open_cover_are_areas_of_their_category() -> None:
    small = Small((("a", "a", "*", "b", "b"),), {"x": ("a", "b")}, (("I3", ("###",), 1, True),))
    pruner = Pruner(cover(small.load(), None))
    assert pruner.areas == [(3,), (2,)]
    assert pruner.forbids(strip(0, 1), (0, 1)) is None
    assert pruner.forbids(strip(0), (1, 1)) == strip(0)


@given(st.tuples(*[st.integers(0, 3)] * 2))
def test_sums_are_the_areas_of_all_subsets(left: tuple[int, int]) -> None:
    pruner = Pruner(cover(STRIP.load(), ()))
    counts = itertools.product(*(range(n + 1) for n in left))
    areas = {3 * threes + 2 * twos for threes, twos in counts}
    assert {n for n in range(20) if pruner.sums(left) >> n & 1} == areas


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
                assert pruner.forbids(uncovered, left) is None
                assert pruner.forbids_smaller(uncovered, left) is None


def test_what_is_used_is_taken_from_what_remains() -> None:
    assert without((1, 2, 1), [1, 1, 2]) == (1, 0, 0)
