"""The plain form of a board: a grid, and blocks of 0 and 1."""

from __future__ import annotations

from pathlib import Path

import pytest

from satcal.errors import PuzzleError
from satcal.puzzle.loading import load, load_pieces
from satcal.puzzle.model import Puzzle

PLAIN = "Jan Feb -\n1 2 *\n"


def plain(folder: Path, grid: str, shapes: str) -> Path:
    """Write both files, as their bytes are; return the path of the grid."""
    (folder / "puzzle.txt").write_bytes(grid.encode())
    (folder / "shapes.txt").write_bytes(shapes.encode())
    return folder / "puzzle.txt"


def blocks(puzzle: Puzzle) -> str:
    """Return the pieces as blocks of 0 and 1."""
    return "\n\n".join(
        "\n".join("".join(str(int((r, c) in piece.shape)) for c in range(6)) for r in range(4))
        for piece in puzzle.drawn
    )


def test_the_plain_form_of_a_library_board_is_the_same_puzzle(tmp_path, daily):
    rows = [["-"] * daily.columns for _ in range(daily.rows)]
    for (row, column), label in daily.label_at.items():
        rows[row][column] = label.text
    puzzle = load(plain(tmp_path, "\n".join(map(" ".join, rows)), blocks(daily) + "\n"))
    assert (puzzle.cells, puzzle.labels) == (daily.cells, daily.labels)
    assert [p.orientations for p in puzzle.pieces] == [p.orientations for p in daily.pieces]
    assert puzzle.reveal("2025-12-25") == ("Dec", "25")
    assert (puzzle.name, [piece.name for piece in puzzle.drawn]) == ("puzzle.txt", list("ABCDEFGH"))
    assert load_pieces(tmp_path / "shapes.txt") == puzzle.drawn


@pytest.mark.parametrize(
    ("grid", "categories"),
    [
        ("2 Feb -\r\n1 Jan *\r\n", {"month": ("Jan", "Feb"), "day": ("1", "2")}),
        ("MAR may -\n01 02 *\n", {"month": ("MAR", "may"), "day": ("01", "02")}),
        ("Mon Tues -\n1 2 *\n", {"day": ("1", "2"), "weekday": ("Mon", "Tues")}),
    ],
)
def test_months_days_and_weekdays_make_the_categories(tmp_path, grid, categories):
    assert load(plain(tmp_path, grid, "111")).categories == categories


@pytest.mark.parametrize(
    ("shapes", "areas"),
    [
        ("\n\n11\n01\n\n\n", [3]),
        ("110\n100\n000", [3]),
        ("11\n \n1", [2, 1]),
        ("11\r\n\r\n1\r\n", [2, 1]),
    ],
)
def test_blank_lines_separate_blocks(tmp_path, shapes, areas):
    assert [piece.area for piece in load(plain(tmp_path, PLAIN, shapes)).drawn] == areas


def test_there_are_as_many_shapes_as_letters(tmp_path):
    assert load(plain(tmp_path, "* " * 52, "1\n\n" * 52)).drawn[-1].name == "z"
    with pytest.raises(PuzzleError, match="53"):
        load(plain(tmp_path, "* " * 53, "1\n\n" * 53))


def test_a_grid_without_shapes_says_what_is_missing(tmp_path):
    path = plain(tmp_path, PLAIN, "111")
    (tmp_path / "shapes.txt").unlink()
    with pytest.raises(PuzzleError, match=r"shapes\.txt"):
        load(path)


@pytest.mark.parametrize(
    ("grid", "cells", "labels"),
    [
        ("XXX-\nX-XX", 6, 0),
        ("Jan Feb \u2744\ufe0f\n1 2 \u2605\n", 6, 4),
    ],
)
def test_what_is_neither_word_nor_figure_is_simply_covered(tmp_path, grid, cells, labels):
    area = cells - labels // 2
    puzzle = load(plain(tmp_path, grid, "1\n\n" * area))
    assert (len(puzzle.cells), len(puzzle.labels)) == (cells, labels)


@pytest.mark.parametrize(
    ("grid", "word"),
    [("Jan Fbe *\n1 2 *", "Fbe"), ("hello, this is nothing\n", "'Jan Feb -'")],
)
def test_a_grid_that_is_not_understood_says_why(tmp_path, grid, word):
    with pytest.raises(PuzzleError, match=word):
        load(plain(tmp_path, grid, "1111"))
