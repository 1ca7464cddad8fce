"""Pictures of solutions, of a board with its pieces, and of a survey.

>>> import datetime
>>> from satcal.puzzle.loading import load
>>> puzzle = load("a-puzzle-a-day")
>>> board_picture(puzzle)
<Picture A-Puzzle-A-Day, 8 pieces>
>>> heading(puzzle, Row(("Oct", "6"), datetime.date(2025, 10, 6)))
'Oct 6 2025'
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, NamedTuple

from satcal.draw.scene import Scene
from satcal.draw.svg import Picture, font_size_for, text_element
from satcal.draw.theme import LIGHT, Theme
from satcal.errors import NoTiling, TooLarge
from satcal.puzzle.model import Placement, Puzzle, Reveal, Tiling
from satcal.puzzle.shapes import Cell, extent
from satcal.puzzle.when import Row

if TYPE_CHECKING:
    from satcal.analysis.survey import Survey

CELL = 60.0  # pixels of a cell of a board that fills its picture
PANEL_CELL = 34.0  # pixels of a cell where a few boards share a picture
SMALL_CELL = 18.0  # pixels of a cell where many do
FEW = 40
MAX_PANELS = 2000  # a sheet of more is larger than any paper
WIDTH_WITH_PIECES = 12  # cells: three or four pieces side by side, which fills a page
SURVEYED = 12  # sets of each kind


class Panel(NamedTuple):
    """A small board among others: what stays uncovered, what is placed, what is hatched."""

    caption: str
    uncovered: Collection[Cell]
    tiling: Tiling = ()
    hatched: Collection[Cell] = ()


def heading(puzzle: Puzzle, row: Row) -> str:
    """Return a date in the words of the board, or the labels of a reveal."""
    labels = [label for label in row.reveal if label]
    return " ".join([*labels, str(row.date.year)] if row.date else labels)


def title_of(puzzle: Puzzle, caption: str = "") -> str:
    """Return the title of a puzzle, or its name where it has none, with a caption behind it."""
    title = puzzle.title or puzzle.name
    return f"{title}, {caption}" if caption else title


def number_of(number: int, noun: str) -> str:
    """Return a number and its noun: ``1 solution``, ``1,458 solutions``."""
    return f"{number:,} {noun}{'s' * (number != 1)}"


def solutions_picture(
    puzzle: Puzzle, found: Sequence[tuple[Row, int, Tiling]], theme: Theme = LIGHT
) -> Picture:
    """Return the picture of solutions, each with its row and its number.

    One solution fills the picture; several of one date are a sheet, several dates a page.
    """
    rows = list(dict.fromkeys(row for row, _, _ in found))
    if len(found) == 1:
        ((row, _, tiling),) = found
        return tiling_picture(puzzle, row.reveal, tiling, theme, heading(puzzle, row))
    panels = [
        Panel(
            f"{number}" if len(rows) == 1 else heading(puzzle, row),
            puzzle.uncovered_cells(row.reveal),
            tiling,
        )
        for row, number, tiling in found
    ]
    dates = [heading(puzzle, row) for row in rows]
    caption = dates[0] if len(rows) < 2 else f"{dates[0]} to {dates[-1]}"
    title = f"{title_of(puzzle, caption)}: {number_of(len(found), 'solution')}"
    return panels_picture(puzzle, panels, theme, title)


def tiling_picture(
    puzzle: Puzzle,
    reveal: Reveal,
    tiling: Sequence[Placement],
    theme: Theme = LIGHT,
    caption: str = "",
) -> Picture:
    """Return a picture of a tiling; ``caption`` says which date or reveal it is of."""
    description = f"A solution of {puzzle.name}: {' '.join(map(str, tiling))}"
    width, height = (puzzle.columns + 1) * CELL, (puzzle.rows + 1.8) * CELL
    picture = Picture(width, height, title_of(puzzle, caption), description, theme.background)
    picture.headline(0.68 * CELL, 0.42 * CELL, CELL, theme.text)
    board = Scene(puzzle, theme, CELL, CELL / 2, 1.3 * CELL)
    picture.add(*board.position(puzzle.uncovered_cells(reveal), tiling))
    picture.credit(puzzle.designer, 0.2 * CELL, theme.text)
    return picture


def board_picture(puzzle: Puzzle, theme: Theme = LIGHT, reveal: Reveal = ()) -> Picture:
    """Return a picture of a board with its pieces below it, in one scale."""
    pieces = [piece for piece in puzzle.pieces for _ in range(piece.copies)]
    title = title_of(puzzle, number_of(len(pieces), "piece"))
    description = f"The board of {puzzle.name}: {number_of(len(puzzle.cells), 'cell')}"
    width = max(puzzle.columns + 1, WIDTH_WITH_PIECES) * CELL
    picture = Picture(width, 0, title, description, theme.background)
    picture.headline(0.68 * CELL, 0.42 * CELL, CELL, theme.text)
    board = Scene(puzzle, theme, CELL, (width - puzzle.columns * CELL) / 2, 1.3 * CELL)
    picture.add(*board.position(puzzle.uncovered_cells(reveal)))
    gap = CELL / 2
    left, top, high = gap, (puzzle.rows + 1.8) * CELL, 0.0
    for piece in pieces:
        rows, columns = extent(piece.shape)
        if left > gap and left + columns * CELL > width - gap:
            left, top, high = gap, top + high + gap, 0.0
        lying = Scene(puzzle, theme, CELL, left, top)
        picture.add(*lying.placement(Placement(piece.name, piece.shape)))
        left, high = left + columns * CELL + gap, max(high, rows * CELL)
    picture.height = top + high + 1.5 * gap
    picture.credit(puzzle.designer, 0.2 * CELL, theme.text)
    return picture


def survey_picture(counted: Survey, theme: Theme = LIGHT, limit: int = SURVEYED) -> Picture:
    """Return a picture of at most ``limit`` sets without a tiling, and of as many with one.

    Of a set without a tiling the part that is cut off is hatched; of the others the tiling is
    drawn.

    Raises:
        NoTiling: there is neither, so there is nothing to draw.
    """
    puzzle, empty, unique = counted.puzzle, counted.having(0), counted.having(1)
    if not empty and not unique:
        raise NoTiling(f"every set of cells of {puzzle.name} has several tilings: nothing to draw")

    def name(cells: Sequence[Cell]) -> str:
        return " ".join(counted.labels(tuple(cells)))

    panels = [
        Panel(f"{name(cells)}: none", cells, (), counted.cut_off(cells)) for cells in empty[:limit]
    ]
    panels += [
        Panel(f"{name(cells)}: one", cells, next(counted.tilings(cells)))
        for cells in unique[:limit]
    ]
    sets = number_of(len(counted.counts), "set")
    title = f"{title_of(puzzle)}: of {sets} of cells {len(empty):,} have no tiling"
    return panels_picture(puzzle, panels, theme, f"{title}, {len(unique):,} exactly one")


def panels_picture(puzzle: Puzzle, panels: Sequence[Panel], theme: Theme, title: str) -> Picture:
    """Return a picture of small boards under a title, each below its caption.

    Raises:
        TooLarge: more boards than ``MAX_PANELS``.
    """
    if len(panels) > MAX_PANELS:
        raise TooLarge(
            f"a picture takes at most {MAX_PANELS:,} boards, not {len(panels):,}; use --limit, or "
            "fewer dates"
        )
    cell_size = PANEL_CELL if len(panels) <= FEW else SMALL_CELL
    wide, high = (puzzle.columns + 1) * cell_size, (puzzle.rows + 2) * cell_size
    # about as wide as high, a little wider
    across = min(len(panels), max(1, round(math.sqrt(1.4 * len(panels) * high / wide))))
    down = math.ceil(len(panels) / across)
    head = max(2 * cell_size, 0.05 * across * wide)
    width, height = across * wide + cell_size, head + down * high + 1.5 * cell_size
    description = "; ".join(panel.caption for panel in panels)
    picture = Picture(width, height, title, description, theme.background)
    picture.headline(0.5 * head, 0.42 * head, 2 * cell_size, theme.text)
    picture.credit(puzzle.designer, 0.5 * cell_size, theme.text)
    for index, (caption, uncovered, tiling, hatched) in enumerate(panels):
        row, column = divmod(index, across)
        left, top = cell_size + column * wide, head + row * high
        size = font_size_for(caption, wide - cell_size, 0.6 * cell_size)
        middle = left + puzzle.columns * cell_size / 2
        picture.add(text_element(caption, middle, top + 0.6 * cell_size, size, theme.text))
        scene = Scene(puzzle, theme, cell_size, left, top + 1.3 * cell_size)
        picture.add(*scene.position(uncovered, tiling, hatched))
    return picture
