"""The picture of a survey: the sets of cells without a tiling, and those with exactly one."""

from __future__ import annotations

import math
from collections.abc import Sequence

from satcal.analysis.survey import CellSet, Survey
from satcal.draw.pictures import PANEL_CELL, Scene, title_of
from satcal.draw.svg import Picture, font_size_for, text_element
from satcal.draw.theme import Theme
from satcal.errors import NoTiling
from satcal.puzzle.model import Placement
from satcal.tables import count_of

ACROSS = 5  # boards side by side: what fits a page


def survey_picture(counted: Survey, limit: int, theme: Theme) -> Picture:
    """A picture of at most ``limit`` sets of each kind; raises NoTiling if there is neither.

    Of a set without a tiling what is cut off is hatched; of the others their tiling is drawn.
    """
    puzzle, cell_size = counted.puzzle, PANEL_CELL
    empty, unique = counted.having(0), counted.having(1)
    panels: list[tuple[CellSet, Sequence[Placement]]] = [(cells, ()) for cells in empty[:limit]]
    panels += [(cells, next(counted.tilings(cells))) for cells in unique[:limit]]
    if not panels:
        raise NoTiling(f"every set of cells of {puzzle.name} has several tilings: nothing to draw")
    title = f"{title_of(puzzle)}: {len(empty):,} of {count_of(len(counted.counts), 'set')} of cells"
    title += f" have no tiling, {len(unique):,} exactly one"
    across = min(ACROSS, len(panels))
    wide, high = (puzzle.columns + 1) * cell_size, (puzzle.rows + 2) * cell_size
    down = math.ceil(len(panels) / across)
    extent = across * wide + cell_size / 2, down * high + 2.2 * cell_size
    picture = Picture(*extent, title, f"Sets of cells of {puzzle.name}", theme.background)
    picture.headline(cell_size, 0.8 * cell_size, cell_size, theme.text)
    for index, (cells, tiling) in enumerate(panels):
        row, column = divmod(index, across)
        left, top = 0.75 * cell_size + column * wide, 3.2 * cell_size + row * high
        scene = Scene(puzzle, theme, cell_size, left, top)
        caption = f"{' '.join(counted.labels(cells))}: {'one tiling' if tiling else 'no tiling'}"
        size = font_size_for(caption, wide - cell_size, 0.5 * cell_size)
        middle = left + puzzle.columns * cell_size / 2
        picture.add(text_element(caption, middle, top - 0.6 * cell_size, size, theme.text))
        picture.add(*scene.board([*cells, *(c for placed in tiling for c in placed.cells)]))
        picture.add(*scene.hatched(sorted(counted.cut_off(cells)) if not tiling else ()))
        for placed in tiling:
            picture.add(*scene.placement(placed))
        picture.add(*scene.marked(cells), scene.rim())
    return picture
