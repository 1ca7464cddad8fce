"""The verifier accepts tilings, and refuses anything else with the reason."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small import Found, Small, in_order, parts, small_puzzles

from satcal.proof.verifier import Verifier
from satcal.puzzle.model import Placement
from satcal.puzzle.placements import cover

L4 = ("###", "#..")


def as_placements(tiling: Found) -> list[Placement]:
    return [Placement(name, tuple(cells)) for name, cells in parts(tiling)]


def two_by_four(*pieces: tuple[str, tuple[str, ...], int, bool]) -> Small:
    return Small((("*",) * 4,) * 2, {}, pieces)


@given(small_puzzles(solvable=True))
@settings(max_examples=60)
def test_every_tiling_of_a_random_puzzle_is_accepted_in_any_order(small: Small) -> None:
    puzzle = small.load()
    for reveal in small.reveals():
        verifier = Verifier(puzzle, reveal)
        for tiling in map(as_placements, in_order(small.tilings(reveal))[:20]):
            assert verifier.fault(tiling) is None
            assert verifier.fault(reversed(tiling)) is None


@given(small_puzzles(), st.data())
@settings(max_examples=150)
def test_a_list_of_placements_is_accepted_just_when_it_is_a_tiling(
    small: Small, data: st.DataObject
) -> None:
    puzzle, reveal = small.load(), small.reveals()[0]
    expected = small.tilings(reveal)
    some = [*cover(puzzle, reveal).placements] or [Placement("A", ())]
    placed = data.draw(st.lists(st.sampled_from(some), max_size=5))
    for tiling in in_order(expected)[:1]:  # or a tiling in which one thing is changed
        placed = data.draw(st.sampled_from([placed, [*as_placements(tiling)[1:], *placed[:1]]]))
    is_tiling = frozenset((p.piece, frozenset(p.cells)) for p in placed) in expected
    once = len(set(placed)) == len(placed)
    assert (Verifier(puzzle, reveal).fault(placed) is None) == (is_tiling and once)


@pytest.mark.parametrize("flip", [True, False])
def test_a_piece_that_may_not_be_turned_over_is_not(flip: bool) -> None:
    puzzle = two_by_four(("L4", L4, 1, flip), ("O4", ("##", "##"), 1, True)).load()
    # its mirror image, which no rotation makes
    mirrored = [Placement("L4", ((0, 0), (0, 1), (0, 2), (1, 2)))]
    turned = [Placement("L4", ((0, 2), (1, 0), (1, 1), (1, 2)))]
    fault = Verifier(puzzle, ()).fault
    assert (fault(mirrored) == "O4 is used 0 times, not 1") == flip
    assert fault(turned) == "O4 is used 0 times, not 1"


def test_pieces_with_the_same_orientations_count_together_under_any_of_their_names() -> None:
    small = two_by_four(("A", L4, 1, True), ("B", L4[::-1], 1, True))
    verifier = Verifier(small.load(), ())
    one, two = (placed.cells for placed in as_placements(in_order(small.tilings(()))[0]))
    assert verifier.fault([Placement("A", one), Placement("A", two)]) is None
    assert verifier.fault([Placement("A", one), Placement("B", two)]) is None
    assert verifier.fault([Placement("B", one)]) == "A is used 1 times, not 2"
