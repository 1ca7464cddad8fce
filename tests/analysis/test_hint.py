"""Hints against the tilings themselves."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings

from oracle import Piece, Small, small_puzzles
from satcal.analysis.hint import hint
from satcal.diagram.puzzle import PuzzleDiagram

DEC_25 = ("Dec", "25")


@pytest.fixture(scope="module")
def diagram(daily):
    return PuzzleDiagram.build(daily, [DEC_25])


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


def test_a_stuck_board_names_the_piece_to_take_back(diagram):
    others = [each for each in diagram.tiling(0, DEC_25) if each.piece != "O"][:3]
    covered = {cell for each in others for cell in each.cells}
    wrong = next(
        each
        for each in diagram.containing(DEC_25)
        if each.piece == "O"
        and covered.isdisjoint(each.cells)
        and not diagram.count(DEC_25, [*others, each])
    )
    placed = [*others, wrong]
    left = {each: diagram.count(DEC_25, [p for p in placed if p != each]) for each in placed}
    hinted = hint(diagram, DEC_25, placed)
    assert (hinted.tilings, hinted.places, hinted.next()) == (0, {}, None)
    best = max(left.values())
    assert best > 0
    assert any(
        f"take back {each.piece}, which leaves {best} " in hinted.advice
        for each in placed
        if left[each] == best
    )


def test_a_reveal_without_a_tiling_needs_no_piece_back():
    split = Small((("a", "*", "*", "b", "*"),), (Piece("I", ("####",)),), (("x", ("a", "b")),))
    diagram = PuzzleDiagram.build(split.load())
    assert "no solution" in hint(diagram, ("b",)).advice
