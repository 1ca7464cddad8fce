"""`satcal hint`: the verdict on a table, the next placement, and what to take back."""

import pytest

from satcal.puzzle.placed import parse_place


@pytest.mark.parametrize("place", ["", "O: Jan Feb Jul Aug 1 2"])
def test_the_drawing_of_a_hint_is_the_position_that_was_given(run, daily, place):
    words = ["--place", place] if place else []
    printed = run("hint Oct 6", *words).out
    assert parse_place(daily, printed) == (parse_place(daily, place) if place else ())
    assert run("hint Oct 6 --place", printed).code == 0


def test_standard_input_is_read_for_a_dash_only(run):
    solved = run("solve Oct 6 --format text").out
    assert "every piece is placed" in run("hint Oct 6 --place -", text=solved).out
    assert "every piece is placed" not in run("hint Oct 6", text=solved).out
    assert run("count Oct 6 -q --place -", text=solved).rows[0]["tilings"] == "1"
    assert run("hint Oct 6 --place -", text="X" * 2**21).code == 2


def test_a_hint_without_placed_pieces_says_how_to_give_them(run):
    assert "--place" in run("hint Oct 6").err
    assert "--place" not in run("hint Oct 6 --place", "O: Jan Feb Jul Aug 1 2").err


def test_a_file_with_a_drawing_is_what_lies_on_the_board(run, tmp_path):
    (tmp_path / "today.txt").write_text(run("solve Oct 6 --format text").out)
    assert "every piece is placed" in run("hint Oct 6 today.txt").out
    assert run("count Oct 6 today.txt -q").rows[0]["tilings"] == "1"
    assert "shapes.txt" in run("certify Oct 6 today.txt").err  # takes no pieces
    (tmp_path / "shapes.txt").write_text("1\n")
    assert run("hint today.txt").code == 2  # a board, but not one of satcal's drawings
