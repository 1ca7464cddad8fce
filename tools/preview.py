"""Draws the picture that others show of a link to the page: ``python -m tools.preview FILE.png``.

A board and its pieces, without a date: it is shown on every day.
"""

from __future__ import annotations

import sys
from pathlib import Path

from satcal.draw.pictures import Scene, name_of
from satcal.draw.svg import Picture
from satcal.draw.theme import load_theme
from satcal.puzzle.loading import load
from satcal.puzzle.shapes import extent

NAME = "a-puzzle-a-day"
WIDTH, HEIGHT = 1200, 630  # what chats and networks ask for
MARGIN = 58
TRAY = (2, 4)  # columns and rows of pieces


def main() -> None:
    """Write the picture."""
    puzzle, theme = load(NAME), load_theme()
    unit = (HEIGHT - 2 * MARGIN) / puzzle.rows
    title = f"{name_of(puzzle)}: the board and its pieces"
    picture = Picture(WIDTH, HEIGHT, title, title, theme.background)
    board = Scene(puzzle, theme, unit, MARGIN, MARGIN, letters=False)
    picture.add(*board.board(), board.rim())
    left, small = 2 * MARGIN + puzzle.columns * unit, 0.55 * unit
    across, down = (WIDTH - MARGIN - left) / TRAY[0], (HEIGHT - 2 * MARGIN) / TRAY[1]
    for number, piece in enumerate(puzzle.pieces):
        shape = max(piece.orientations, key=lambda each: extent(each)[1])
        high, wide = extent(shape)
        row, column = divmod(number, TRAY[0])
        x = left + (column + 0.5) * across - wide * small / 2
        y = MARGIN + (row + 0.5) * down - high * small / 2
        scene = Scene(puzzle, theme, small, x, y)
        picture.add(scene.piece(shape, board.colours[piece.name]))
    Path(sys.argv[1]).write_bytes(picture.encode(".png", WIDTH))


if __name__ == "__main__":
    main()
