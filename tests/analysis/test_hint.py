"""Hints against the tilings themselves."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings

from helpers.puzzles import Small, small_puzzles
from satcal.analysis.hint import hint, what_to_take_back
from satcal.diagram.puzzle import PuzzleDiagram
from satcal.puzzle.demands import parse_demands
from satcal.puzzle.model import cell_name
from satcal.tables import count_of

DEC_25 = ("Dec", "25")


@pytest.fixture(scope="module")
def diagram(daily):
    return PuzzleDiagram.build(daily, [DEC_25])


@settings(max_examples=30)
@given(small_puzzles(solvable=True))
def test_hints_are_those_of_the_tilings_and_end_in_one(small):
    diagram = PuzzleDiagram.build(small.load())
    for reveal in small.reveals()[:2]:
        placed = []
        left = list(diagram.tilings(reveal))
        solvable = bool(left)
        while True:
            hinted = hint(diagram, reveal, parse_demands(diagram.puzzle, map(str, placed)))
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


def test_a_piece_that_is_placed_cell_by_cell_is_placed(diagram):
    placed = diagram.tiling(0, DEC_25)[:3]
    cells = [f"{each.piece}@{cell_name(cell)}" for each in placed for cell in each.cells]
    hinted = hint(diagram, DEC_25, parse_demands(diagram.puzzle, cells))
    assert hinted == hint(diagram, DEC_25, parse_demands(diagram.puzzle, map(str, placed)))
    assert hinted.places.keys().isdisjoint(each.piece for each in placed)


def test_a_stuck_board_says_what_to_take_back(diagram):
    def demanded(placed):
        return parse_demands(diagram.puzzle, placed)

    twice = demanded({"O@r0c0", "O@r6c0"})  # its cells are taken back together
    assert what_to_take_back(diagram, DEC_25, twice) == (
        "it can no longer be solved: take back O, which leaves 92 solutions"
    )
    *others, last = (str(each) for each in diagram.tiling(0, DEC_25) if each.piece != "O")
    placed = {*others[:5], "O@" + last.rpartition(",")[2]}
    assert not diagram.count(DEC_25, demanded(placed))
    left = {text[0]: diagram.count(DEC_25, demanded(placed - {text})) for text in placed}
    best = [name for name in left if left[name] == max(left.values()) > 0]
    assert what_to_take_back(diagram, DEC_25, demanded(placed)) in [
        f"it can no longer be solved: take back {name}, which leaves "
        f"{count_of(left[name], 'solution')}"
        for name in best
    ]


def test_a_reveal_without_a_tiling_needs_no_piece_back():
    split = Small((("a", "*", "*", "b", "*"),), {"x": ("a", "b")}, (("I", ("####",), 1, True),))
    diagram = PuzzleDiagram.build(split.load())
    assert what_to_take_back(diagram, ("b",), ()) == "there is no solution, whatever is placed"
