"""The picture that others show of a link to the page: a board, and its pieces beside it."""

from __future__ import annotations

from satcal.draw.pictures import Scene, title_of
from satcal.draw.svg import Picture
from satcal.draw.theme import Theme
from satcal.puzzle.model import Puzzle, Reveal
from satcal.puzzle.shapes import extent

WIDTH, HEIGHT = 1200, 630  # what chats and networks ask for
MARGIN = 58
BOARD = 0.6  # of the width, at most
GAP = 0.25  # of a cell, between pieces
LARGE, SMALL = 0.55, 0.5  # of the board's scale: that of the pieces, if there is room


def preview_picture(puzzle: Puzzle, theme: Theme, reveal: Reveal = ()) -> Picture:
    """The board with the cells of a reveal marked, nothing placed, and its pieces beside it."""
    cell_size = min((HEIGHT - 2 * MARGIN) / puzzle.rows, BOARD * WIDTH / puzzle.columns)
    title = (
        f"{title_of(puzzle)}{', ' if reveal else ''}{' '.join(reveal)}: the board and its pieces"
    )
    picture = Picture(WIDTH, HEIGHT, title, title, theme.background)
    top = (HEIGHT - puzzle.rows * cell_size) / 2
    board = Scene(puzzle, theme, cell_size, MARGIN, top, letters=False)
    picture.add(*board.board(), *board.marked(puzzle.uncovered(reveal)), board.rim())
    left = 2 * MARGIN + puzzle.columns * cell_size
    picture.add(*_pieces(board, left, WIDTH - MARGIN - left))
    return picture


def _pieces(board: Scene, left: float, width: float) -> list[str]:
    """The pieces in even columns, each lying along its longer side."""
    puzzle, height = board.puzzle, HEIGHT - 2 * MARGIN
    lying = [
        (piece.name, max(piece.orientations, key=lambda orientation: extent(orientation)[1]))
        for piece in puzzle.pieces
        for _ in range(piece.copies)
    ]
    sizes = [extent(shape) for _, shape in lying]
    high, wide = (GAP + float(max(axis)) for axis in zip(*sizes, strict=True))

    def scale(columns: int) -> float:
        rows = -(-len(lying) // columns)
        return min(LARGE * board.cell_size, width / columns / wide, height / rows / high)

    enough = (
        columns for columns in range(1, len(lying)) if scale(columns) >= SMALL * board.cell_size
    )
    columns = next(enough, max(range(1, len(lying) + 1), key=scale))
    small, rows = scale(columns), -(-len(lying) // columns)
    drawn = []
    for index, ((name, shape), (tall, broad)) in enumerate(zip(lying, sizes, strict=True)):
        row, column = divmod(index, columns)
        x = left + (column + 0.5) * width / columns - broad * small / 2
        y = MARGIN + (row + 0.5) * height / rows - tall * small / 2
        scene = Scene(puzzle, board.theme, small, x, y)
        drawn.append(scene.piece(shape, board.colours[name]))
    return drawn
