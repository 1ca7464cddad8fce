"""Posted puzzles, pictures of boards, and formulas."""

from __future__ import annotations

from satcal.errors import TooLarge
from satcal.puzzle.description import measure
from satcal.puzzle.loading import parse_puzzle
from satcal.puzzle.model import Reveal
from satcal.service.files import StoredFile, pack_file
from satcal.service.work.diagrams import BoardText, Placements, parse_board

MAX_FORMULA = 32 * 2**20
"""Limit on the bytes of a formula."""
MAX_SIZES = {"cells": 256, "pieces": 64, "reveals": 10_000}
"""Limits on a posted puzzle."""
MAX_PUBLIC_CELLS = 100
"""Limit on the cells of a board that is posted without the token."""


def normalise(text: str, has_token: bool) -> str:
    """Return the definition of a posted puzzle in satcal's own format.

    Raises:
        PuzzleError: the text does not describe a puzzle.
        TooLarge: the puzzle is larger than the client may post.
    """
    from satcal.puzzle.writing import to_toml

    puzzle = parse_puzzle(text, "definition")
    limits = MAX_SIZES if has_token else MAX_SIZES | {"cells": MAX_PUBLIC_CELLS}
    for name, size in measure(puzzle).items():
        if size > limits[name]:
            raise TooLarge(
                f"{size:,} {name}, more than the {limits[name]:,} that this service takes; "
                "`satcal count FILE` counts larger boards"
            )
    return to_toml(puzzle)


def draw_board(board: BoardText, format: str, theme: str, size: int) -> bytes:
    """Return a picture of the board with its pieces; ``size`` is for PNG, in pixels."""
    from satcal.draw.pictures import board_picture
    from satcal.draw.theme import load_theme

    picture = board_picture(parse_board(board), load_theme(theme))
    return picture.encode(f".{format}", size if format == "png" else None)


def export_formula(
    board: BoardText,
    reveal: Reveal | None,
    place: Placements,
    format: str,
    encoding: str | None,
) -> StoredFile:
    """Return a formula for another solver."""
    from satcal.encoding.export import export_text

    text = export_text(parse_board(board), reveal, format=format, encoding=encoding, place=place)
    if len(text) > MAX_FORMULA:
        raise TooLarge("the formula is too large to be sent; `satcal export` writes it")
    return pack_file(text.encode())
