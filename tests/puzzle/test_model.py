"""The puzzle: reveals, pieces that are copies of each other, covers, digest."""

from __future__ import annotations

import datetime
import hashlib
from dataclasses import replace

import pytest

from oracle import Piece, Small, rectangle
from satcal.errors import OptionError, RevealError
from satcal.puzzle.calendar import Calendar
from satcal.puzzle.loading import load
from satcal.puzzle.model import Puzzle


@pytest.fixture
def l_and_j() -> Puzzle:
    return rectangle(2, 4, Piece("L4", ("###", "#..")), Piece("J4", ("###", "..#"))).load()


def test_pieces_with_equal_orientations_are_copies_unless_one_is_not_turned_over(
    l_and_j,
):
    assert [(piece.name, piece.copies) for piece in l_and_j.pieces] == [("L4", 2)]
    assert l_and_j.piece("J4").name == "L4"
    assert l_and_j.area == 8
    for flip in ("none", "L4", "J4"):
        flipped = l_and_j.with_flips(flip)
        assert [(piece.name, piece.copies) for piece in flipped.pieces] == [("L4", 1), ("J4", 1)]
        assert [p.flip for p in flipped.drawn] == [flip == "L4", flip == "J4"]
    assert l_and_j.with_flips("none").with_flips("all").pieces == l_and_j.pieces
    assert l_and_j.with_flips("J4,L4").pieces == l_and_j.pieces


def test_labels_are_found_in_any_case_unless_they_differ_in_case_alone(daily):
    assert daily.check_reveal(("6", "OCT")) == ("Oct", "6")
    board, categories = (("ab", "aB", "*"),), (("x", ("ab", "aB")),)
    puzzle = Small(board, (Piece("I2", ("##",)),), categories).load()
    assert puzzle.check_reveal(("aB",)) == ("aB",)
    with pytest.raises(RevealError, match="ab or aB"):
        puzzle.check_reveal(("AB",))


def test_the_digest_is_that_of_the_normal_form_without_the_name(daily):
    text = daily.normal_form().partition("\n")[2]
    assert daily.digest == hashlib.sha256(text.encode()).hexdigest()
    same = replace(daily, name="mine", title="x", designer="", source="", calendar=Calendar())
    assert same.digest == daily.digest
    assert daily.with_flips("none").digest != daily.digest
    assert replace(daily, cells=daily.cells[:-1]).digest != daily.digest


def test_a_day_without_a_weekday_is_that_of_this_year():
    rhombus = load("rhombus")
    assert rhombus.reveal("Oct 6", datetime.date(2025, 1, 1)) == ("Mon", "Oct", "6")
    assert rhombus.reveal("Oct 6", datetime.date(2026, 1, 1)) == ("Tue", "Oct", "6")
    assert rhombus.reveal("Thu Oct 6", datetime.date(2026, 1, 1)) == ("Thu", "Oct", "6")


@pytest.mark.parametrize(
    ("when", "word"),
    [
        ("Oct", "one day"),
        ("Oct 6 7", "category day"),
        ("Oct 32", "'32'"),
        ("2025", "one day"),
        ("", "one day"),
    ],
)
def test_what_is_not_one_reveal_is_refused(daily, when, word):
    with pytest.raises(RevealError, match=word):
        daily.reveal(when, datetime.date(2025, 1, 1))


@pytest.mark.parametrize("flip", ["Q", "", "L4,Q"])
def test_flips_name_pieces_that_exist(l_and_j, flip):
    with pytest.raises(OptionError, match="flip"):
        l_and_j.with_flips(flip)
