"""The verifier accepts tilings, and refuses anything else."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle import TWO_EACH, Piece, Tiling, parts, rectangle, small_puzzles
from satcal.proof.verifier import Verifier
from satcal.puzzle.model import Placement
from satcal.puzzle.placements import cover_of


def as_placements(tiling: Tiling) -> list[Placement]:
    return [Placement(name, tuple(cells)) for name, cells in parts(tiling)]


@given(small_puzzles(), st.data())
@settings(max_examples=50)
def test_a_list_of_placements_is_accepted_just_when_it_is_a_tiling(small, data):
    puzzle, reveal = small.load(), small.reveals[-1]
    verifier, expected = Verifier(puzzle, reveal), small.tilings(reveal)
    some = [*cover_of(puzzle, reveal).placements] or [Placement("A", ())]
    placed = data.draw(st.lists(st.sampled_from(some), max_size=5))
    for tiling in map(as_placements, sorted(expected, key=parts)[:20]):
        assert verifier.find_fault(tiling) is verifier.find_fault(reversed(tiling)) is None
        placed = data.draw(st.sampled_from([placed, [*tiling[1:], *placed[:1]]]))
    is_tiling = frozenset((p.piece, frozenset(p.cells)) for p in placed) in expected
    once = len(set(placed)) == len(placed)
    assert (verifier.find_fault(placed) is None) == (is_tiling and once)


@pytest.mark.parametrize(
    ("placed", "word"),
    [
        ([Placement("X", ((0, 1), (0, 2)))], "no piece X"),
        ([Placement("I", ((0, 2), (0, 3)))], "I covers r0c3, which is not on the board"),
        ([Placement("I", ((0, 0), (0, 1)))], "I covers r0c0, which the reveal"),
        ([Placement("I", ((0, 1), (0, 2))), Placement("V", ((0, 2), (1, 2), (1, 1)))], "r0c2"),
        ([Placement("I", ((0, 1), (1, 2)))], "copy of its drawing"),
        ([Placement("I", ())], "copy of its drawing"),
        ([Placement("I", ((0, 1), (0, 2))), Placement("I", ((1, 1), (1, 2)))], "I is used 2 times"),
        ([Placement("I", ((0, 1), (0, 2)))], "V is used 0 times"),
    ],
)
def test_a_fault_is_named(placed, word):
    assert word in (Verifier(TWO_EACH.load(), ("a",)).find_fault(placed) or "")


def test_a_cell_that_is_left_over_is_named():
    puzzle = rectangle(1, 2, Piece("I", ("##",))).load()
    larger = replace(puzzle, cells=(*puzzle.cells, (0, 2)))
    placed = [Placement("I", ((0, 0), (0, 1)))]
    assert Verifier(puzzle, ()).find_fault(placed) is None
    assert "r0c2" in (Verifier(larger, ()).find_fault(placed) or "")
