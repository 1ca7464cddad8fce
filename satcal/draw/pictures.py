"""Pictures of solutions, and of a board with its pieces.

>>> import datetime
>>> from satcal.puzzle.loading import load
>>> board_picture(load("a-puzzle-a-day"))
<Picture A-Puzzle-A-Day, 8 pieces>
>>> heading(Row(("Oct", "6"), datetime.date(2025, 10, 6)))
'Oct 6 2025'
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from satcal.draw.scene import Scene
from satcal.draw.svg import Picture, font_size_for, text_element
from satcal.draw.theme import LIGHT, Theme
from satcal.errors import TooLarge
from satcal.puzzle.model import Placement, Puzzle, Reveal, Tiling
from satcal.puzzle.rows import Row
from satcal.puzzle.shapes import extent
from satcal.tabular import count_of

CELL = 60.0  # pixels of a cell of a board that fills its picture
PANEL_CELL = 34.0  # pixels of a cell if at most MAX_LARGE_PANELS boards share a picture
SMALL_CELL = 18.0  # pixels of a cell if more boards do
MAX_LARGE_PANELS = 40
MAX_PANELS = 2000  # more do not fit on paper
MIN_WIDTH_WITH_PIECES = 12  # cells, for three or four pieces side by side


class Panel(NamedTuple):
    """A small board among others: its reveal and its placements."""

    caption: str
    reveal: Reveal
    tiling: Tiling


def heading(row: Row) -> str:
    """Return a date in the words of the board, or the labels of a reveal."""
    labels = [label for label in row.reveal if label]
    return " ".join([*labels, str(row.date.year)] if row.date else labels)


def title_of(puzzle: Puzzle, caption: str = "") -> str:
    """Return the title of a puzzle, or its name if it has none, followed by a caption."""
    title = puzzle.title or puzzle.name
    return f"{title}, {caption}" if caption else title


def solutions_picture(
    puzzle: Puzzle, solutions: Sequence[tuple[Row, int, Tiling]], theme: Theme = LIGHT
) -> Picture:
    """Return the picture of solutions, each with its row and its rank, 0 without one.

    One solution fills the picture. Of several, each has a caption: its rank if all have the same
    row, else its date or reveal.
    """
    rows = list(dict.fromkeys(row for row, _, _ in solutions))
    if len(solutions) == 1:
        ((row, _, tiling),) = solutions
        return tiling_picture(puzzle, row.reveal, tiling, theme, heading(row))
    panels = [
        Panel(f"{number or ''}" if len(rows) == 1 else heading(row), row.reveal, tiling)
        for row, number, tiling in solutions
    ]
    dates = [heading(row) for row in rows]
    caption = dates[0] if len(rows) < 2 else f"{dates[0]} to {dates[-1]}"
    title = f"{title_of(puzzle, caption)}: {count_of(len(solutions), 'solution')}"
    return panels_picture(puzzle, panels, theme, title)


def tiling_picture(
    puzzle: Puzzle,
    reveal: Reveal,
    tiling: Sequence[Placement],
    theme: Theme = LIGHT,
    caption: str = "",
) -> Picture:
    """Return a picture of a tiling; ``caption`` names its date or reveal."""
    description = f"A solution of {puzzle.name}: {' '.join(map(str, tiling))}"
    width, height = (puzzle.columns + 1) * CELL, (puzzle.rows + 1.8) * CELL
    picture = Picture(width, height, title_of(puzzle, caption), description, theme.background)
    picture.headline(0.68 * CELL, 0.42 * CELL, CELL, theme.text)
    board = Scene(puzzle, theme, CELL, CELL / 2, 1.3 * CELL)
    picture.add(*board.framed_board(reveal, tiling))
    picture.credit(puzzle.designer, 0.2 * CELL, theme.text)
    return picture


def board_picture(puzzle: Puzzle, theme: Theme = LIGHT, reveal: Reveal = ()) -> Picture:
    """Return a picture of a board, with its pieces below it on the same scale."""
    pieces = [piece for piece in puzzle.pieces for _ in range(piece.copies)]
    title = title_of(puzzle, count_of(len(pieces), "piece"))
    description = f"The board of {puzzle.name}: {count_of(len(puzzle.cells), 'cell')}"
    width = max(puzzle.columns + 1, MIN_WIDTH_WITH_PIECES) * CELL
    picture = Picture(width, 0, title, description, theme.background)
    picture.headline(0.68 * CELL, 0.42 * CELL, CELL, theme.text)
    board = Scene(puzzle, theme, CELL, (width - puzzle.columns * CELL) / 2, 1.3 * CELL)
    picture.add(*board.framed_board(reveal))
    gap = CELL / 2
    left, top, row_height = gap, (puzzle.rows + 1.8) * CELL, 0.0
    for piece in pieces:
        rows, columns = extent(piece.shape)
        if left > gap and left + columns * CELL > width - gap:
            left, top, row_height = gap, top + row_height + gap, 0.0
        scene = Scene(puzzle, theme, CELL, left, top)
        picture.add(*scene.placement(Placement(piece.name, piece.shape)))
        left, row_height = left + columns * CELL + gap, max(row_height, rows * CELL)
    picture.height = top + row_height + 1.5 * gap
    picture.credit(puzzle.designer, 0.2 * CELL, theme.text)
    return picture


def panels_picture(puzzle: Puzzle, panels: Sequence[Panel], theme: Theme, title: str) -> Picture:
    """Return a picture of small boards under a title, each below its caption.

    Raises:
        TooLarge: there are more boards than ``MAX_PANELS``.
    """
    if len(panels) > MAX_PANELS:
        raise TooLarge(
            f"a picture takes at most {MAX_PANELS:,} boards, not {len(panels):,}; use --limit, or "
            "fewer dates"
        )
    cell_size = PANEL_CELL if len(panels) <= MAX_LARGE_PANELS else SMALL_CELL
    panel_width, panel_height = (puzzle.columns + 1) * cell_size, (puzzle.rows + 2) * cell_size
    # the picture is a little wider than high
    ideal = math.sqrt(1.4 * len(panels) * panel_height / panel_width)
    columns = min(len(panels), max(1, round(ideal)))
    rows = math.ceil(len(panels) / columns)
    head = max(2 * cell_size, 0.05 * columns * panel_width)
    width = columns * panel_width + cell_size
    height = head + rows * panel_height + 1.5 * cell_size
    description = "; ".join(panel.caption for panel in panels)
    picture = Picture(width, height, title, description, theme.background)
    picture.headline(0.5 * head, 0.42 * head, 2 * cell_size, theme.text)
    picture.credit(puzzle.designer, 0.5 * cell_size, theme.text)
    for index, (caption, reveal, tiling) in enumerate(panels):
        row, column = divmod(index, columns)
        left, top = cell_size + column * panel_width, head + row * panel_height
        size = font_size_for(caption, panel_width - cell_size, 0.6 * cell_size)
        middle = left + puzzle.columns * cell_size / 2
        picture.add(text_element(caption, middle, top + 0.6 * cell_size, size, theme.text))
        scene = Scene(puzzle, theme, cell_size, left, top + 1.3 * cell_size)
        picture.add(*scene.framed_board(reveal, tiling))
    return picture
