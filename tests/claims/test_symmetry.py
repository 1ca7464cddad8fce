"""Symmetries of boards, and tilings up to them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from small import Small, as_found, domino_rectangle, small_puzzles

from satcal.api import tilings
from satcal.puzzle.loading import load
from satcal.puzzle.model import Puzzle, Tiling
from satcal.puzzle.symmetry import classes, symmetries


def by_search(puzzle: Puzzle) -> list[Tiling]:
    return list(tilings(puzzle, (), method="search"))


def number_of_classes(small: Small) -> int:
    puzzle = small.load()
    return len(list(classes(puzzle, by_search(puzzle))))


@pytest.mark.parametrize(
    ("board", "order"),
    [
        ("pentomino-6x10", 4),
        ("pentomino-3x20", 4),
        ("pentomino-8x8-hole", 8),
        ("a-puzzle-a-day", 1),
        ("rhombus", 1),
    ],
)
def test_the_group_of_a_board_is_known(board: str, order: int) -> None:
    assert len(symmetries(load(board))) == order


@pytest.mark.parametrize(
    ("rows", "columns", "all_tilings", "up_to_symmetry"),
    [(1, 2, 1, 1), (2, 2, 2, 1), (2, 3, 3, 2), (2, 4, 5, 4), (3, 4, 11, 5), (4, 4, 36, 9)],
)
def test_dominoes_in_a_rectangle(
    rows: int, columns: int, all_tilings: int, up_to_symmetry: int
) -> None:
    small = domino_rectangle(rows, columns)
    assert len(by_search(small.load())) == all_tilings
    assert number_of_classes(small) == up_to_symmetry


def test_the_3_by_20_pentomino_rectangle_has_two_tilings_up_to_symmetry() -> None:
    puzzle = load("pentomino-3x20")
    found = list(tilings(puzzle, ()))
    assert len(found) == 8
    assert len(list(classes(puzzle, found))) == 2


def test_two_l4_in_a_rectangle_are_one_class_if_they_may_be_turned_over(two_l4: Small) -> None:
    assert number_of_classes(two_l4) == 1


def one_sided(small: Small) -> Small:
    pieces = tuple((name, rows, copies, False) for name, rows, copies, _ in small.pieces)
    return replace(small, pieces=pieces)


def test_a_board_is_not_turned_over_if_a_piece_that_looks_different_then_may_not(
    two_l4: Small,
) -> None:
    puzzle = one_sided(two_l4).load()
    assert len(symmetries(two_l4.load())) == 4
    assert [each.reflects for each in symmetries(puzzle)] == [False, False]


def test_two_one_sided_pieces_that_mirror_each_other_do_not_make_a_reflection(
    two_l4: Small,
) -> None:
    pair = (("L4", ("###", "#.."), 1, False), ("J4", ("###", "..#"), 1, False))
    puzzle = replace(two_l4, pieces=pair).load()
    assert [each.reflects for each in symmetries(puzzle)] == [False, False]


def test_a_piece_that_is_its_own_mirror_image_does_not_hinder_a_reflection() -> None:
    assert len(symmetries(one_sided(domino_rectangle(2, 3)).load())) == 4


def test_labels_must_go_to_themselves() -> None:
    board = (("a", "*", "b"), ("*", "*", "*"))
    named = Small(board, {"letter": ("a", "b")}, (("L", ("###", "##."), 1, True),))
    assert len(symmetries(named.load())) == 1
    middle = Small((("*", "a", "*"),), {"letter": ("a",)}, (("M", ("#",), 2, True),))
    puzzle = middle.load()
    assert len(symmetries(puzzle)) == 4  # a row: two ways to move its cells, each as two of them
    found = list(tilings(puzzle, ("a",)))
    assert len(list(classes(puzzle, found))) == 1


@given(small_puzzles())
@settings(max_examples=40)
def test_symmetries_map_tilings_to_tilings_and_classes_partition_them(small: Small) -> None:
    puzzle = small.load()
    group = symmetries(puzzle)
    assert 8 % len(group) == 0
    for reveal in puzzle.reveals():
        found = small.tilings(reveal)
        listed = list(tilings(puzzle, reveal, method="search"))
        sizes = 0
        for each in classes(puzzle, listed):
            orbit = {frozenset(as_found([image.of(each)])[0]) for image in group}
            assert orbit <= found
            assert len(list(classes(puzzle, [image.of(each) for image in group]))) == 1
            sizes += len(orbit)
        assert sizes == len(found)
