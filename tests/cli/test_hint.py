"""`satcal hint`: the verdict on a table, the next placement, and what to take back."""

from __future__ import annotations

import pytest

from satcal.diagram.puzzle import PuzzleDiagram
from satcal.puzzle.placed import parse_place


def test_a_hint_names_the_tightest_piece_and_a_placement_that_can_be_placed(run):
    answer = run("hint Oct 6")
    assert answer.code == 0
    assert "7 solutions" in answer.out
    assert "piece O (2 places)" in answer.out
    assert "O:Jan,Feb,Jul,Aug,1,2" in answer.out
    placed = run("hint Oct 6 --place", "O: Jan Feb Jul Aug 1 2")
    assert "6 solutions" in placed.out


@pytest.mark.parametrize("place", ["", "O: Jan Feb Jul Aug 1 2"])
def test_the_drawing_of_a_hint_is_the_position_that_was_given(run, daily, place):
    words = ["--place", place] if place else []
    printed = run("hint Oct 6", *words).out
    assert parse_place(daily, printed) == (parse_place(daily, place) if place else ())
    assert run("hint Oct 6 --place", printed).code == 0
    assert run("hint Oct 7 --place", printed).code == 2


def test_what_cannot_be_solved_names_the_piece_to_take_back_and_exits_with_1(run):
    answer = run("hint Oct 6 --place", "O: 1 2 3 8 9 10")
    assert answer.code == 1
    assert answer.out.startswith("2025-10-06: ")
    assert {"O,", "7"} <= set(answer.out.split())


def test_a_full_board_needs_no_hint(run, daily):
    solution = PuzzleDiagram.build(daily, [("Oct", "6")]).tiling(0)
    answer = run("hint Oct 6 --place", " ".join(map(str, solution)))
    assert answer.code == 0
    assert "every piece is placed" in answer.out
