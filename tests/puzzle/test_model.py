"""The puzzle: reveals, pieces that are copies of each other, covers, digest."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from helpers.puzzles import Small, small_puzzles
from satcal.errors import RevealError
from satcal.puzzle.model import Puzzle
from satcal.puzzle.placements import cover_of, number_of_placements


@pytest.fixture
def l_and_j() -> Puzzle:
    pieces = (("L4", ("###", "#.."), 1, True), ("J4", ("###", "..#"), 1, True))
    return Small((("*",) * 4,) * 2, {}, pieces).load()


@given(small_puzzles())
@settings(max_examples=40)
def test_an_open_cover_has_placements_and_then_labels_each_in_its_item(small: Small) -> None:
    puzzle = small.load()
    cover = cover_of(puzzle, None)
    assert len(cover.placements) == number_of_placements(puzzle)
    labels = [getattr(option, "text", "") for option in cover.options[len(cover.placements) :]]
    assert labels == [text for texts in puzzle.categories.values() for text in texts]
    names = [name for name, _, _ in cover.items]
    assert names == [*(piece.name for piece in puzzle.pieces), *puzzle.categories]
    by_item = [(number, item) for item, (_, _, ns) in enumerate(cover.items) for number in ns]
    assert sorted(by_item) == list(enumerate(cover.item_of))


def test_pieces_with_equal_orientations_are_copies_of_the_first_unless_one_is_not_turned_over(
    l_and_j: Puzzle,
) -> None:
    assert [(piece.name, piece.copies) for piece in l_and_j.pieces] == [("L4", 2)]
    assert l_and_j.piece("J4").name == "L4"
    assert l_and_j.area == 8
    for flip in ("none", "L4", "J4"):
        flipped = l_and_j.with_flips(flip)
        assert [(piece.name, piece.copies) for piece in flipped.pieces] == [("L4", 1), ("J4", 1)]
        assert [p.flip for p in flipped.drawn] == [flip == "L4", flip == "J4"]
    assert l_and_j.with_flips("none").with_flips("all").pieces == l_and_j.pieces
    assert l_and_j.with_flips("J4,L4").pieces == l_and_j.pieces


def test_labels_are_found_in_any_case_unless_they_differ_in_case_alone(daily: Puzzle) -> None:
    assert daily.check_reveal(("6", "OCT")) == ("Oct", "6")
    board, categories = (("ab", "aB", "*"),), {"x": ("ab", "aB")}
    puzzle = Small(board, categories, (("I2", ("##",), 1, True),)).load()
    assert puzzle.check_reveal(("aB",)) == ("aB",)
    with pytest.raises(
        RevealError, match="'AB' could be ab or aB; write capitals as the board does"
    ):
        puzzle.check_reveal(("AB",))


def test_the_digest_depends_on_what_decides_a_count_and_on_nothing_else(
    l_and_j: Puzzle, daily: Puzzle
) -> None:
    copies = Small((("*",) * 4,) * 2, {}, (("L", ("#..", "###"), 2, True),)).load()
    assert copies.digest == l_and_j.digest
    assert len({l_and_j.with_flips(flip).digest for flip in ("all", "L4", "none")}) == 3
    turned = daily.with_flips("N,P,Y,L,Z")  # the others are their own mirror images
    assert turned.digest == daily.digest
