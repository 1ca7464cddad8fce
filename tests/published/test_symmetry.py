"""Symmetries of boards, and tilings up to them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings

from helpers.puzzles import Small, as_found, domino_rectangle, small_puzzles
from satcal.api import tilings
from satcal.puzzle.loading import load
from satcal.puzzle.placements import placements
from satcal.puzzle.symmetry import classes, moves_every_tiling, symmetries


def numbers(small: Small) -> tuple[int, int]:
    """Return how many tilings there are, and how many up to symmetry."""
    puzzle = small.load()
    listed = list(tilings(puzzle, (), method="search"))
    return len(listed), len(list(classes(puzzle, listed)))


@pytest.mark.parametrize(
    ("board", "order"), [("pentomino-6x10", 4), ("pentomino-8x8-hole", 8), ("rhombus", 1)]
)
def test_the_group_of_a_board_is_known(board: str, order: int) -> None:
    assert len(symmetries(load(board))) == order


@pytest.mark.parametrize(
    ("rows", "columns", "all_tilings", "up_to_symmetry"),
    [(1, 2, 1, 1), (2, 3, 3, 2), (4, 4, 36, 9)],
)
def test_dominoes_in_a_rectangle(
    rows: int, columns: int, all_tilings: int, up_to_symmetry: int
) -> None:
    assert numbers(domino_rectangle(rows, columns)) == (all_tilings, up_to_symmetry)


def one_sided(small: Small) -> Small:
    pieces = tuple((name, rows, copies, False) for name, rows, copies, _ in small.pieces)
    return replace(small, pieces=pieces)


def test_a_board_is_turned_over_if_every_piece_may_be_or_looks_the_same(two_l4: Small) -> None:
    assert numbers(two_l4) == (2, 1)
    # names belong to a tiling: one-sided pieces that mirror each other make no reflection
    pair = (("L4", ("###", "#.."), 1, False), ("J4", ("###", "..#"), 1, False))
    for small in (one_sided(two_l4), replace(two_l4, pieces=pair)):
        assert [each.reflects for each in symmetries(small.load())] == [False, False]
    assert len(symmetries(one_sided(domino_rectangle(2, 3)).load())) == 4


def test_labels_must_go_to_themselves() -> None:
    board = (("a", "*", "b"), ("*", "*", "*"))
    named = Small(board, {"letter": ("a", "b")}, (("L", ("###", "##."), 1, True),))
    assert len(symmetries(named.load())) == 1
    middle = Small((("*", "a", "*"),), {"letter": ("a",)}, (("M", ("#",), 2, True),))
    puzzle = middle.load()
    assert len(symmetries(puzzle)) == 4  # a row: each way to move its cells counts twice
    assert len(list(classes(puzzle, tilings(puzzle, ("a",))))) == 1


@given(small_puzzles())
@settings(max_examples=30)
def test_symmetries_map_tilings_to_tilings_which_classes_partition(small: Small) -> None:
    puzzle = small.load()
    group = symmetries(puzzle)
    assert 8 % len(group) == 0
    every_tiling_moves = moves_every_tiling(puzzle, list(placements(puzzle, puzzle.cells)))
    for reveal in puzzle.reveals():
        found = small.tilings(reveal)
        listed = list(tilings(puzzle, reveal, method="search"))
        sizes = []
        for each in classes(puzzle, listed):
            orbit = {as_found([image.of(each)])[0] for image in group}
            assert orbit <= found
            assert len(list(classes(puzzle, [image.of(each) for image in group]))) == 1
            sizes.append(len(orbit))
        assert sum(sizes) == len(found)
        if every_tiling_moves:
            assert set(sizes) <= {len(group)}
