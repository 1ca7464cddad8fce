"""Hints against the tilings themselves."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings

from oracle import Piece, Small, small_puzzles
from satcal.analysis.hint import MAX_TAKEN_BACK, hint
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
            hinted = hint(diagram, reveal, placed)
            places = hinted.places.values()
            expected = Counter(p for tiling in left for p in tiling if p not in placed)
            assert hinted.tilings == len(left)
            assert {p: n for some in places for p, n in some.items()} == expected
            assert all(p.piece == name for name, some in hinted.places.items() for p in some)
            following = hinted.next()
            if following is None:
                break
            assert len(hinted.places[hinted.tightest]) == min(map(len, places))
            assert expected[following] == max(hinted.places[hinted.tightest].values())
            placed.append(following)
            left = [tiling for tiling in left if following in tiling]
        assert len(left) == solvable


def test_a_stuck_board_names_the_piece_to_take_back(daily):
    diagram = PuzzleDiagram.build(daily, [OCT_6])
    (wrong,) = parse_place(daily, "O: 1 2 3 8 9 10")
    clear = [p for p in diagram.tiling(0, OCT_6) if not {*p.cells} & {*wrong.cells}]
    right = [p for p in clear if p.piece != "O"][:2]
    hinted = hint(diagram, OCT_6, [*right, wrong])
    assert (hinted.tilings, hinted.places, hinted.next()) == (0, {}, None)
    left = diagram.count(OCT_6, right)
    assert left < 7
    assert {"O,", str(left)} <= set(hinted.advice.split())
    assert repr(hinted) == f"<Hint: {hinted.advice}>"
    assert repr(hint(diagram, OCT_6, right)).startswith(f"<Hint: tilings {left}; places ")


def test_a_reveal_without_a_tiling_needs_no_piece_back():
    split = Small((("a", "*", "*", "b", "*"),), (Piece("I", ("####",)),), (("x", ("a", "b")),))
    diagram = PuzzleDiagram.build(split.load())
    assert "no solution" in hint(diagram, ("b",)).advice


@pytest.mark.parametrize("wrong", [MAX_TAKEN_BACK, MAX_TAKEN_BACK + 1])
def test_up_to_three_pieces_are_tried_to_be_taken_back(wrong):
    """In each strip of four cells a domino lies in the middle."""
    board = (("*",) * 4, (".",) * 4) * wrong
    strips = Small(board, (Piece("I2", ("##",), 2 * wrong),)).load()
    placed = [Placement("I2", ((row, 1), (row, 2))) for row in range(0, 2 * wrong, 2)]
    advice = hint(PuzzleDiagram.build(strips), (), placed).advice
    assert ("not even" in advice) == (wrong > MAX_TAKEN_BACK)
