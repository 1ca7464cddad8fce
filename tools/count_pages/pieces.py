"""The pieces of a puzzle side by side, as large as the page allows."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from satcal.draw.pictures import PIECE_CELL, Scene
from satcal.draw.theme import load_theme
from satcal.puzzle.model import Piece, Puzzle
from satcal.puzzle.shapes import extent
from tools.count_pages.book import number

EDGE = 2  # pixels around a piece, for its line


def row_of_pieces(puzzle: Puzzle) -> Iterator[str]:
    """Each piece with its name and its number of orientations, in rows that wrap."""
    yield '<div class="pieces">'
    for piece in puzzle.pieces:
        name = piece.name if piece.copies == 1 else f"{piece.copies} {piece.name}"
        turned = number(len(piece.orientations), "orientation")
        drawn = "".join(drawing(puzzle, piece, theme) for theme in ("light", "dark"))
        text = f"<b>{escape(name)}</b> {turned}"
        yield f"<figure>{drawn}<figcaption>{text}</figcaption></figure>"
    yield "</div>\n"


def drawing(puzzle: Puzzle, piece: Piece, theme: str) -> str:
    """A piece as an SVG that is part of the page, in one theme."""
    shape = min(piece.orientations, key=lambda cells: extent(cells)[0])  # lying
    rows, columns = extent(shape)
    scene = Scene(puzzle, load_theme(theme), PIECE_CELL, EDGE, EDGE)
    width, height = (2 * EDGE + cells * PIECE_CELL for cells in (columns, rows))
    path = scene.piece(shape, scene.colours[piece.name])
    size = f'width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}"'
    return f'<svg class="only-{theme}" {size} aria-hidden="true">{path}</svg>'
