"""A board in a picture, with its place there, the size of its cells, and its colours."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

from satcal.draw.outline import outlines, path_data
from satcal.draw.svg import element, font_size_for, text_element
from satcal.draw.theme import Theme, ink_on
from satcal.puzzle.model import Label, Placement, Puzzle, Reveal
from satcal.puzzle.shapes import Cell

MIN_DETAIL_CELL = 24.0  # pixels of the smallest cell with letters and rounded corners
CORNER_RADIUS = 0.14  # cells
FRAME_WIDTH = 0.19  # cells


@dataclass(frozen=True)
class Scene:
    """A board on a picture; ``cell_size``, ``left`` and ``top`` are in pixels."""

    puzzle: Puzzle
    theme: Theme
    cell_size: float
    left: float
    top: float

    @cached_property
    def colours(self) -> dict[str, str]:
        """The theme's colour of each piece."""
        return self.theme.piece_colours(self.puzzle)

    @cached_property
    def label_size(self) -> float:
        """The font size at which every label of the puzzle fits its region, in cells."""
        labels = self.puzzle.labels.values()
        sizes = (
            font_size_for(label.text, 0.8 * label_position(label.cells)[2], 0.38)
            for label in labels
        )
        return min(sizes, default=0.38)

    def board(self, covered: Collection[Cell]) -> list[str]:
        """Return the board, with the cells and labels that are not covered."""
        theme, covered = self.theme, frozenset(covered)
        elements = [self.outline(self.puzzle.cells, theme.board, theme.line, 0.03)]
        for cell in self.puzzle.cells:
            label = self.puzzle.label_at.get(cell)
            if label is None and cell not in covered:
                elements.append(self.outline([cell], "none", theme.grid, 0.03))
            elif label and cell == label.cells[0] and covered.isdisjoint(label.cells):
                elements.append(self.outline(label.cells, "none", theme.grid, 0.03))
                elements.append(self.label(label, theme.text))
        return elements

    def framed_board(self, reveal: Reveal, tiling: Sequence[Placement] = ()) -> list[str]:
        """Return the framed board with the uncovered labels of a reveal, and placements."""
        revealed = [self.puzzle.labels[text] for text in reveal]
        regions = [label.cells for label in revealed] + [each.cells for each in tiling]
        elements = [*self.frame(), *self.board([cell for cells in regions for cell in cells])]
        for placement in tiling:
            elements += self.placement(placement)
        for label in revealed:
            theme = self.theme
            elements.append(self.outline(label.cells, theme.revealed, theme.revealed_line))
            elements.append(self.label(label, theme.text))
        return elements

    def placement(self, placement: Placement) -> list[str]:
        """Return a placement, with the piece's name in a corner of its first cell."""
        colour = self.colours[placement.piece]
        is_detailed = self.cell_size >= MIN_DETAIL_CELL
        radius = CORNER_RADIUS if is_detailed else 0.0
        line = self.theme.outline(colour)
        elements = [self.outline(placement.cells, colour, line, radius=radius)]
        if is_detailed:
            row, column = min(placement.cells)
            size = font_size_for(placement.piece, 0.5, 0.34) * self.cell_size
            x = self.left + (column + 0.09) * self.cell_size
            y = self.top + (row + 0.25) * self.cell_size
            elements.append(text_element(placement.piece, x, y, size, ink_on(colour), "start"))
        return elements

    def frame(self) -> list[str]:
        """Return a wide line around the board and in its holes, to be drawn below the board."""
        cells, theme = self.puzzle.cells, self.theme
        return [
            self.outline(cells, "none", theme.line, 2 * FRAME_WIDTH + 0.06),
            self.outline(cells, "none", theme.frame, 2 * FRAME_WIDTH),
        ]

    def outline(
        self,
        cells: Sequence[Cell],
        fill: str,
        line: str,
        width: float = 0.05,
        radius: float = 0.0,
    ) -> str:
        """Return the outline of a set of cells as one path; sizes are in cells."""
        size = self.cell_size
        data = path_data(outlines(cells), size, self.left, self.top, radius * size)
        return element("path", d=data, fill=fill, stroke=line, stroke_width=width * size)

    def label(self, label: Label, colour: str) -> str:
        """Return the text of a label in the middle of its cells, in the size of all labels."""
        row, column, _ = label_position(label.cells)
        x, y = self.left + (column + 0.5) * self.cell_size, self.top + (row + 0.5) * self.cell_size
        return text_element(label.text, x, y, self.label_size * self.cell_size, colour)


def label_position(cells: Sequence[Cell]) -> tuple[float, float, int]:
    """Return the row and the column of a label's text, and the width for it in cells."""
    rows, columns = zip(*cells, strict=True)
    row, column, width = sum(rows) / len(cells), sum(columns) / len(cells), len(set(columns))
    if width > 1 and len(set(rows)) > 1:
        # the middle of the region may be outside of it, so take the cell next to it
        return *min(cells, key=lambda cell: math.dist(cell, (row, column))), 1
    return row, column, width
