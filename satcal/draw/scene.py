"""A board in a picture: where it stands, how large its cells are, in which colours."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from satcal.draw.outline import hatching, holes, offset, outlines, path_data, rounded_path_data
from satcal.draw.svg import element, font_size_for, text_element
from satcal.draw.theme import Theme, ink_on
from satcal.puzzle.model import Placement, Puzzle
from satcal.puzzle.shapes import Cell

LARGE = 24.0  # pixels of a cell from which on letters and round corners show
ROUND = 0.14  # of a cell: how much a piece's corners are rounded
BORDER = 0.19  # of a cell: the width of the frame


@dataclass(frozen=True)
class Scene:
    """The place, scale and colours of one board."""

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
            font_size_for(label.text, 0.8 * label_spot(label.cells)[2], 0.38) for label in labels
        )
        return min(sizes, default=0.38)

    def board(self, covered: Collection[Cell] = ()) -> list[str]:
        """Return the board with the regions and labels that are not covered."""
        theme, hidden = self.theme, frozenset(covered)
        drawn = [self.outline(self.puzzle.cells, theme.board, "none", 0)]
        drawn += self.draw_hatching(holes(self.puzzle.cells))
        for cell in self.puzzle.cells:
            label = self.puzzle.label_at.get(cell)
            if label is None and cell not in hidden:
                drawn.append(self.outline([cell], "none", theme.grid, 0.03))
            elif label and cell == label.cells[0] and hidden.isdisjoint(label.cells):
                drawn.append(self.outline(label.cells, "none", theme.grid, 0.03))
                drawn.append(self.label(label.text, label.cells, theme.text))
        return drawn

    def position(
        self,
        uncovered: Collection[Cell],
        placements: Iterable[Placement] = (),
        hatched: Collection[Cell] = (),
    ) -> list[str]:
        """Return the framed board with placements, and with the cells that stay uncovered."""
        placed = list(placements)
        hidden = {cell for placement in placed for cell in placement.cells}.union(uncovered)
        drawn = [*self.board(hidden), *self.draw_hatching(sorted(hatched))]
        for placement in placed:
            drawn += self.placement(placement)
        return [*drawn, *self.draw_uncovered(uncovered), self.rim()]

    def placement(self, placed: Placement) -> list[str]:
        """Return a piece where it stands, with its name in a corner of its first cell."""
        colour = self.colours[placed.piece]
        drawn = [self.piece(placed.cells, colour)]
        if self.cell_size >= LARGE:
            row, column = min(placed.cells)
            size = font_size_for(placed.piece, 0.5, 0.34) * self.cell_size
            x = self.left + (column + 0.09) * self.cell_size
            y = self.top + (row + 0.25) * self.cell_size
            drawn.append(text_element(placed.piece, x, y, size, ink_on(colour), "start"))
        return drawn

    def draw_uncovered(self, uncovered: Iterable[Cell]) -> list[str]:
        """Return the cells that stay uncovered, a region as a whole if all of it does."""
        theme, left, drawn = self.theme, set(uncovered), []
        for label in self.puzzle.labels.values():
            if left.issuperset(label.cells):
                left.difference_update(label.cells)
                drawn.append(self.outline(label.cells, theme.revealed, theme.revealed_line))
                drawn.append(self.label(label.text, label.cells, theme.text))
        for cell in sorted(left):
            at = self.puzzle.label_at.get(cell)
            drawn.append(self.outline([cell], theme.revealed, theme.revealed_line))
            drawn.append(self.label(at.text if at else "", [cell], theme.text))
        return drawn

    def rim(self) -> str:
        """Return the frame around the board, which is drawn above everything else."""
        inner = outlines(self.puzzle.cells)
        polygons = [*inner, *(offset(polygon, BORDER) for polygon in inner)]
        data = path_data(polygons, self.cell_size, self.left, self.top)
        theme, width = self.theme, 0.03 * self.cell_size
        return element("path", d=data, fill=theme.frame, stroke=theme.line, stroke_width=width)

    def piece(self, cells: Sequence[Cell], colour: str) -> str:
        """Return a piece in its colour, with round corners where its cells are large."""
        lines, place = outlines(cells), (self.cell_size, self.left, self.top)
        if self.cell_size >= LARGE:
            data = rounded_path_data(lines, *place, ROUND * self.cell_size)
        else:
            data = path_data(lines, *place)
        line = self.theme.outline(colour)
        return element("path", d=data, fill=colour, stroke=line, stroke_width=0.05 * self.cell_size)

    def outline(self, cells: Sequence[Cell], fill: str, line: str, width: float = 0.05) -> str:
        """Return the outline of a set of cells as one path."""
        data = path_data(outlines(cells), self.cell_size, self.left, self.top)
        return element("path", d=data, fill=fill, stroke=line, stroke_width=width * self.cell_size)

    def draw_hatching(self, cells: Iterable[Cell]) -> list[str]:
        """Return cells crossed by slanted lines, which must not look like uncovered cells."""
        data = hatching(cells, self.cell_size, self.left, self.top)
        if not data:
            return []
        colour, width = self.theme.line, 0.03 * self.cell_size
        return [element("path", d=data, fill="none", stroke=colour, stroke_width=width)]

    def label(self, text: str, cells: Sequence[Cell], colour: str) -> str:
        """Return a label centred in its region; other text may be shrunk to fit."""
        row, column, wide = label_spot(cells)
        x, y = self.left + (column + 0.5) * self.cell_size, self.top + (row + 0.5) * self.cell_size
        size = font_size_for(text, 0.8 * wide, self.label_size) * self.cell_size
        return text_element(text, x, y, size, colour)


def label_spot(cells: Sequence[Cell]) -> tuple[float, float, int]:
    """Return where a region's label goes: row and column of its middle, and its width in cells."""
    rows, columns = zip(*cells, strict=True)
    row, column, wide = sum(rows) / len(cells), sum(columns) / len(cells), len(set(columns))
    if wide > 1 and len(set(rows)) > 1:
        # a region need not be convex: the cell next to its middle is always in it
        return *min(cells, key=lambda cell: math.dist(cell, (row, column))), 1
    return row, column, wide
