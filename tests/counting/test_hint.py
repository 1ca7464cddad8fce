"""Hints against the tilings themselves."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from small import Small, small_puzzles

from satcal.counting.hint import hint
from satcal.diagram.puzzle import PuzzleDiagram
from satcal.puzzle.place import Demand, parse_demands


@settings(max_examples=30)
@given(small_puzzles(solvable=True))
def test_places_and_tilings_are_those_of_the_tilings_themselves(small: Small):
    puzzle = small.load()
    diagram = PuzzleDiagram.build(puzzle)
    for reveal in list(puzzle.reveals())[:2]:
        tilings = list(diagram.tilings(reveal))
        found = hint(diagram, reveal)
        assert found.tilings == len(tilings)
        for name, places in found.places.items():
            assert places == {
                placed: sum(placed in tiling for tiling in tilings)
                for tiling in tilings for placed in tiling if placed.piece == name
            }  # fmt: skip
        following = found.next()
        assert (following is None) == (not tilings)
        if following:
            assert any(following in tiling for tiling in tilings)
            assert len(found.places[found.tightest]) == min(map(len, found.places.values()))


def test_following_the_hints_ends_in_a_tiling(daily):
    reveal = ("Dec", "25")
    diagram = PuzzleDiagram.build(daily, [reveal])
    demands: list[Demand] = []
    left = [hint(diagram, reveal, demands).tilings]
    while (following := hint(diagram, reveal, demands).next()) is not None:
        demands += parse_demands(daily, [str(following)])
        left.append(hint(diagram, reveal, demands).tilings)
    assert len(demands) == 8
    assert left[0] == 92
    assert left[-1] == 1
    assert left == sorted(left, reverse=True)
    assert hint(diagram, reveal, demands).tightest is None


def test_a_board_that_cannot_be_solved_has_no_hint(daily):
    reveal = ("Dec", "25")
    diagram = PuzzleDiagram.build(daily, [reveal])
    stuck = parse_demands(daily, ["O@r0c0", "O@r6c0"])
    found = hint(diagram, reveal, stuck)
    assert found.tilings == 0
    assert found.next() is None


@pytest.mark.parametrize("placed", [0, 1, 2])
def test_copies_are_left_until_all_are_placed(two_l4: Small, placed: int):
    puzzle = two_l4.load()
    diagram = PuzzleDiagram.build(puzzle)
    tiling = next(diagram.tilings(()))
    demands = parse_demands(puzzle, [str(each) for each in tiling[:placed]])
    found = hint(diagram, (), demands)
    assert found.tilings == (2 if placed == 0 else 1)
    assert len(found.places.get("L4", ())) == (4, 1, 0)[placed]


def test_a_piece_that_is_drawn_whole_is_placed(daily, tmp_path):
    reveal = ("Oct", "6")
    diagram = PuzzleDiagram.build(daily, [reveal])
    tiling = diagram.tiling(0, reveal)
    drawn = {cell: placed.piece for placed in tiling[:3] for cell in placed.cells}
    board = tmp_path / "board.txt"
    on_board = set(daily.cells)
    board.write_text(
        "\n".join(
            " ".join(drawn.get((r, c), "_" if (r, c) in on_board else ".")
                     for c in range(daily.columns))
            for r in range(daily.rows)
        )
    )  # fmt: skip
    demands = parse_demands(daily, [f"@{board}"])
    named = parse_demands(daily, [str(placed) for placed in tiling[:3]])
    found = hint(diagram, reveal, demands)
    assert found == hint(diagram, reveal, named)
    assert not set(found.places) & set(drawn.values())
    assert found.next() not in tiling[:3]
