"""A board in the terminal, with box-drawing borders between pieces."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable, Sequence

from rich.cells import cell_len

from satcal.puzzle.model import Placement, Puzzle, Reveal, cell_name
from satcal.puzzle.shapes import Cell, Shape, shape_rows

# Indexed by the sum of the edges at a corner: up 1, right 2, down 4, left 8.
_CORNERS = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
_MIN_WIDTH = 3
Area = tuple[Iterable[Cell], str]
"""Cells with the same text, inside one border."""
LineRun = tuple[str, int | None]
"""A part of a line, and the index of the area to which all of it belongs, if any."""


def screen_width() -> int:
    """Return the columns of the terminal, or 10,000 if output is not a terminal."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else 10_000


def draw_tiling(puzzle: Puzzle, reveal: Reveal, tiling: Sequence[Placement]) -> str:
    """Return a tiling with a border around each piece and uncovered label."""
    return _draw(puzzle, list_areas(puzzle, reveal, tiling))


def list_areas(puzzle: Puzzle, reveal: Reveal, tiling: Sequence[Placement]) -> list[Area]:
    """Return the areas of the uncovered labels, then of the placements, which hide labels."""
    uncovered: list[Area] = [(puzzle.labels[text].cells, text) for text in reveal]
    return uncovered + [(placement.cells, placement.piece) for placement in tiling]


def draw_board(puzzle: Puzzle) -> str:
    """Return the empty board with its labels, or names of cells if it has none."""
    areas = [([cell], "" if puzzle.labels else cell_name(cell)) for cell in puzzle.cells]
    return _draw(puzzle, areas + [(label.cells, label.text) for label in puzzle.labels.values()])


def draw_shape(shape: Shape) -> list[str]:
    """Return the rows of a piece drawn with two block characters a square."""
    return [row.replace("#", "██").replace(".", "  ").rstrip() for row in shape_rows(shape)]


def line_runs(puzzle: Puzzle, areas: Iterable[Area]) -> list[list[LineRun]]:
    """Return the lines of a board, with a border around each area and its text on each cell.

    If the board is too wide for the terminal, cells have no margins beside their texts.
    """
    regions: dict[Cell, int | None] = dict.fromkeys(puzzle.cells, -1)
    texts: dict[Cell, str] = {}
    for index, (cells, text) in enumerate(areas):
        for cell in cells:
            regions[cell], texts[cell] = index, text
    text_width = max(map(cell_len, texts.values()), default=0)
    width = max(_MIN_WIDTH, text_width + 2 if text_width > 1 else 0)
    if puzzle.columns * (width + 1) + 1 > screen_width():
        width = text_width

    def run(text: str, *cells: Cell) -> LineRun:
        """Return a part of a line that touches these cells."""
        indices = {regions.get(cell) for cell in cells}
        return text, indices.pop() if len(indices) == 1 else None

    def has_top_edge(row: int, column: int) -> bool:
        """Return whether a cell has an edge at its top."""
        return regions.get((row - 1, column)) != regions.get((row, column))

    def has_left_edge(row: int, column: int) -> bool:
        """Return whether a cell has an edge at its left."""
        return regions.get((row, column - 1)) != regions.get((row, column))

    lines = []
    for row in range(puzzle.rows + 1):
        border, content = [], []
        for column in range(puzzle.columns + 1):
            cell, left, above = (row, column), (row, column - 1), (row - 1, column)
            corner = (
                1 * has_left_edge(*above)
                + 2 * has_top_edge(*cell)
                + 4 * has_left_edge(*cell)
                + 8 * has_top_edge(*left)
            )
            text = texts.get(cell, "")
            margin = width - cell_len(text)
            border += [
                run(_CORNERS[corner], cell, left, above, (row - 1, column - 1)),
                run(("─" if has_top_edge(*cell) else " ") * width, cell, above),
            ]
            content += [
                run("│" if has_left_edge(*cell) else " ", cell, left),
                run(" " * (margin // 2) + text + " " * (margin - margin // 2), cell),
            ]
        lines += [border, content]
    return lines[:-1]


def _draw(puzzle: Puzzle, areas: Iterable[Area]) -> str:
    lines = line_runs(puzzle, areas)
    return "\n".join("".join(text for text, _ in line).rstrip() for line in lines)
