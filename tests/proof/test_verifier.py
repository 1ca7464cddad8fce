"""The verifier accepts tilings, and refuses anything else."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from oracle import Small, Tiling, parts, small_puzzles
from satcal.proof.verifier import Verifier
from satcal.puzzle.model import Placement
from satcal.puzzle.placements import cover_of


def as_placements(tiling: Tiling) -> list[Placement]:
    return [Placement(name, tuple(cells)) for name, cells in parts(tiling)]


@given(small_puzzles(), st.data())
@settings(max_examples=50)
def test_a_list_of_placements_is_accepted_just_when_it_is_a_tiling(
    small: Small, data: st.DataObject
) -> None:
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
