"""Covers by as many pieces as one likes: the sum over all numbers of copies."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from small import Small

from satcal.counting.covers import covers
from satcal.diagram.puzzle import PuzzleDiagram
from satcal.puzzle.model import Puzzle
from satcal.puzzle.toml import parse_puzzle

Pieces = tuple[tuple[str, tuple[str, ...], int, bool], ...]
SHAPES = {"M": ("#",), "D": ("##",), "I": ("###",), "V": ("##", "#.")}
ONE_OF_EACH = tuple((name, rows, 1, True) for name, rows in SHAPES.items())


def board(rows: int, columns: int, pieces: Pieces) -> Puzzle:
    """Return a rectangle, whether or not the area of the pieces adds up."""
    return parse_puzzle(Small((("*",) * columns,) * rows, {}, pieces).text(), "board")


@pytest.mark.parametrize(("rows", "columns", "number"), [(1, 3, 4), (2, 2, 11), (3, 3, 583)])
def test_covers_are_the_tilings_of_all_numbers_of_copies_together(rows, columns, number) -> None:
    puzzle = board(rows, columns, ONE_OF_EACH)
    cells, total = rows * columns, 0
    for copies in itertools.product(*(range(cells // p.area + 1) for p in puzzle.drawn)):
        drawn = tuple(
            replace(piece, copies=many)
            for piece, many in zip(puzzle.drawn, copies, strict=True)
            if many
        )
        if sum(piece.area * piece.copies for piece in drawn) == cells:
            total += PuzzleDiagram.build(replace(puzzle, drawn=drawn)).count()
    assert covers(puzzle) == total == number


def test_a_board_that_the_pieces_cannot_cover_has_no_cover_and_copies_do_not_matter() -> None:
    assert covers(board(1, 3, (("D", ("##",), 1, True),))) == 0
    assert covers(board(2, 3, (("D", ("##",), 7, True),))) == 3
