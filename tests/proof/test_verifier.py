"""The verifier accepts tilings, and refuses anything else with the reason."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small import Found, Small, in_order, parts, small_puzzles

from satcal.proof.verifier import Verifier
from satcal.puzzle.model import Placement, Puzzle
from satcal.puzzle.placements import cover

L4 = ("###", "#..")


def as_placements(tiling: Found) -> list[Placement]:
    return [Placement(name, tuple(cells)) for name, cells in parts(tiling)]


def board(columns: int, *pieces: tuple[str, tuple[str, ...], int, bool], rows: int = 2) -> Small:
    return Small((("*",) * columns,) * rows, {}, pieces)


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


O6 = ((0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2))


@pytest.mark.parametrize(
    ("placed", "fault"),
    [
        ([("Q", O6)], "there is no piece Q"),
        ([("O", ((0, 6), (0, 5)))], "O covers r0c6, which is not on the board"),
        ([("O", ((-1, 0),))], "O covers r-1c0, which is not on the board"),
        ([("O", ((1, 3),))], "O covers r1c3, which the reveal leaves uncovered"),
        ([("O", O6), ("O", O6)], "O covers r0c0, which is covered already"),
        ([("O", O6[:1] * 6)], "O covers r0c0, which is covered already"),
        *(
            ([("O", cells)], "the cells of O are no rotated or flipped copy of its drawing")
            for cells in ((), O6[:1], tuple((0, c) for c in range(6)), (*O6[:5], (2, 2)))
        ),
        ([], "O is used 0 times, not 1"),
    ],
)  # fmt: skip
def test_what_is_no_tiling_is_refused_with_the_first_fault(
    daily: Puzzle, placed: list[tuple[str, tuple]], fault: str
) -> None:
    assert Verifier(daily, ("Oct", "6")).fault(Placement(*each) for each in placed) == fault


def test_a_piece_that_is_used_too_often_is_refused(two_l4: Small) -> None:
    placed = as_placements(in_order(two_l4.tilings(()))[0])
    once = board(4, ("L4", L4, 1, True), ("O4", ("##", "##"), 1, True))
    assert Verifier(two_l4.load(), ()).fault(placed) is None
    assert Verifier(once.load(), ()).fault(placed) == "L4 is used 2 times, not 1"


def test_cells_that_stay_uncovered_are_refused() -> None:
    puzzle = board(3, ("A", ("#",), 1, True), ("I2", ("##",), 1, True), rows=1).load()
    larger = replace(puzzle, cells=(*puzzle.cells, (1, 0)))
    placed = [Placement("A", ((0, 0),)), Placement("I2", ((0, 1), (0, 2)))]
    assert Verifier(puzzle, ()).fault(placed) is None
    assert Verifier(larger, ()).fault(placed) == "r1c0 is not covered"


@pytest.mark.parametrize("flip", [True, False])
def test_a_piece_that_may_not_be_turned_over_is_not(flip: bool) -> None:
    puzzle = board(4, ("L4", L4, 1, flip), ("O4", ("##", "##"), 1, True)).load()
    # its mirror image, which no rotation makes
    mirrored = [Placement("L4", ((0, 0), (0, 1), (0, 2), (1, 2)))]
    turned = [Placement("L4", ((0, 2), (1, 0), (1, 1), (1, 2)))]
    fault = Verifier(puzzle, ()).fault
    assert (fault(mirrored) == "O4 is used 0 times, not 1") == flip
    assert fault(turned) == "O4 is used 0 times, not 1"


def test_pieces_with_the_same_orientations_count_together_under_any_of_their_names() -> None:
    small = board(4, ("A", L4, 1, True), ("B", L4[::-1], 1, True))
    verifier = Verifier(small.load(), ())
    one, two = (placed.cells for placed in as_placements(in_order(small.tilings(()))[0]))
    assert verifier.fault([Placement("A", one), Placement("A", two)]) is None
    assert verifier.fault([Placement("A", one), Placement("B", two)]) is None
    assert verifier.fault([Placement("B", one)]) == "A is used 1 times, not 2"


def test_a_wide_label_stays_uncovered_as_a_whole() -> None:
    small = Small((("x0", "x0", "*"),), {"x": ("x0",)}, (("A", ("#",), 1, True),))
    verifier = Verifier(small.load(), ("x0",))
    assert verifier.fault([Placement("A", ((0, 2),))]) is None
    assert verifier.fault([Placement("A", ((0, 1),))]) == (
        "A covers r0c1, which the reveal leaves uncovered"
    )
