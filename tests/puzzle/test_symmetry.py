"""Symmetries of known boards; counting/test_classes.py has those of random ones."""

from __future__ import annotations

import pytest

from oracle import Piece, Small, rectangle
from satcal.puzzle.loading import load
from satcal.puzzle.symmetry import symmetries

L, J = Piece("L", ("###", "#.."), 1, False), Piece("J", ("###", "..#"), 1, False)
MIRROR_PAIR = rectangle(2, 6, L, J, Piece("D", ("##",), 2))
"""One-sided pieces, of which a reflection makes one the other."""


@pytest.mark.parametrize(
    ("board", "order"),
    [("pentomino-6x10", 4), ("pentomino-8x8-hole", 8), ("rhombus", 1), ("a-puzzle-a-day", 1)],
)
def test_the_group_of_a_board_is_known(board, order):
    assert len(symmetries(load(board))) == order


def test_a_reflection_says_which_piece_becomes_which():
    renamed = [dict(each.image_name) for each in symmetries(MIRROR_PAIR.load())]
    kept, swapped = {"L": "L", "J": "J", "D": "D"}, {"L": "J", "J": "L", "D": "D"}
    assert renamed == [kept, kept, swapped, swapped]


@pytest.mark.parametrize(("copies", "order"), [(1, 4), (2, 2)])
def test_a_mirror_image_needs_as_many_copies(copies, order):
    more = Piece("L", L.rows, copies, False)
    assert len(symmetries(rectangle(2, 2 * copies + 2, more, J).load())) == order


def test_labels_go_to_themselves():
    board = (("a", "*", "b"), ("*", "*", "*"))
    five = Piece("L", ("###", "##."))
    assert len(symmetries(Small(board, (five,), (("x", ("a", "b")),)).load())) == 1
    middle = Small((("*", "a", "*"),), (Piece("M", ("#",), 2),), (("x", ("a",)),))
    assert len(symmetries(middle.load())) == 2  # a row has two ways to move its cells
