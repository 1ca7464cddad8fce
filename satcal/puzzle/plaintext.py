"""The plain text form of public solvers: a grid, and a ``shapes.txt`` of 0/1 blocks."""

from __future__ import annotations

import re

from satcal.errors import PuzzleError, SatcalError
from satcal.puzzle.calendar import ENGLISH, connect
from satcal.puzzle.model import Piece, Puzzle
from satcal.puzzle.toml import assign_labels, name_from, parse_board, parse_shape, within_board

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def parse_plain(grid: str, shapes: str | None, where: str, where_shapes: str) -> Puzzle:
    """Return the puzzle of a grid (``-`` for no cell) and of its shapes.

    Labels that are months, days or weekdays in English make the categories; a grid with
    other labels needs the TOML form, which names its categories.

    Raises:
        PuzzleError: what is wrong, where, and how to mend it.
    """
    try:
        board = "\n".join(
            " ".join("." if token == "-" else token for token in line.split())
            for line in grid.splitlines()
        )
        cells, found = parse_board(board)
        categories = {
            name: tuple(label for label in labels if label in found)
            for name, labels in ENGLISH.items()
            if any(label in found for label in labels)
        }
        labels = assign_labels(found, categories)
    except SatcalError as error:
        raise type(error)(f"{where}: {error}") from error
    pieces = parse_shapes(shapes, where_shapes) if shapes is not None else ()
    return Puzzle(name_from(where), cells, labels, categories, pieces, connect(categories, None))


def parse_shapes(text: str, where: str) -> tuple[Piece, ...]:
    """Return the pieces A, B, C… of blocks of 0 and 1 that blank lines separate.

    Raises:
        PuzzleError: no block, too many, or a block that is no piece.
    """
    blocks = [block for block in re.split(r"\n[^\S\n]*\n", text.strip("\n")) if block.strip()]
    if not 0 < len(blocks) <= len(LETTERS):
        raise PuzzleError(f"{where}: {len(blocks)} shapes; 1 to {len(LETTERS)} are possible")
    try:
        return within_board(
            Piece(name, parse_shape(re.sub(r"(?<=[01]) (?=[01])", "", block), name))
            for name, block in zip(LETTERS, blocks, strict=False)
        )
    except SatcalError as error:
        raise type(error)(f"{where}: {error}") from error
