"""Hints against the tilings themselves."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings

from oracle import Piece, Small, small_puzzles
from satcal.analysis.hint import make_hint
from satcal.diagram.puzzle import PuzzleDiagram
from satcal.puzzle.model import Placement
from satcal.puzzle.placed import parse_place

OCT_6 = ("Oct", "6")


@settings(max_examples=30)
@given(small_puzzles())
def test_hints_are_those_of_the_tilings_and_end_in_one(small):
    diagram = PuzzleDiagram.build(small.load())
    for reveal in small.reveals[:2]:
        placed = []
        left = list(diagram.tilings(reveal))
        solvable = bool(left)
        while True:
            hint = make_hint(diagram, reveal, placed)
            expected = Counter(p for tiling in left for p in tiling if p not in placed)
            assert hint.tilings == len(left)
            assert {p: n for some in hint.places.values() for p, n in some.items()} == expected
            assert all(p.piece == name for name, some in hint.places.items() for p in some)
            following = hint.next()
            if following is None:
                break
            ways = Counter(cell for p in expected for cell in p.cells)
            assert ways[hint.cell] == min(ways.values())
            on_cell = [n for p, n in expected.items() if hint.cell in p.cells]
            assert expected[following] == max(on_cell)
            placed.append(following)
            left = [tiling for tiling in left if following in tiling]
        assert len(left) == solvable


def test_a_stuck_board_names_the_piece_to_take_back(daily):
    diagram = PuzzleDiagram.build(daily, [OCT_6])
    (wrong,) = parse_place(daily, "O: 1 2 3 8 9 10")
    clear = [p for p in diagram.tiling(0, OCT_6) if not {*p.cells} & {*wrong.cells}]
    right = [p for p in clear if p.piece != "O"][:2]
    hint = make_hint(diagram, OCT_6, [*right, wrong])
    assert {"O,", str(diagram.count(OCT_6, right))} <= set(hint.advice.split())
    assert repr(hint) == f"<Hint: {hint.advice}>"


def test_a_reveal_without_a_tiling_needs_no_piece_back():
    board = (("a", "*", "*", "b", "*"),)
    split = Small(board, (Piece("I", ("####",)),), (("x", ("a", "b")),)).load()
    assert "no solution" in make_hint(PuzzleDiagram.build(split), ("b",)).advice


@pytest.mark.parametrize(("rooms", "named"), [(9, True), (10, False)])
def test_of_ten_sets_that_are_equally_to_blame_none_is_named(rooms, named):
    """In each room of two rows two dominoes leave two single cells: either may go."""
    board = (("*",) * 3, ("*",) * 3, (".",) * 3) * rooms
    flat = Small(board, (Piece("I2", ("##",), 3 * rooms),)).load()
    lying = [(3 * room + c, c) for room in range(rooms) for c in (0, 1)]
    placed = [Placement("I2", ((row, c), (row, c + 1))) for row, c in lying]
    hint = make_hint(PuzzleDiagram.build(flat), (), placed)
    assert bool(hint.blame) == named
    assert ("several pieces" in hint.advice) != named
