"""A board in the terminal: box-drawing borders between pieces, labels where uncovered."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from satcal.puzzle.model import Placement, Puzzle, Reveal
from satcal.puzzle.shapes import Cell

# Indexed by which of the four edges at a corner are drawn: up 1, right 2, down 4, left 8.
_CORNERS = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
_MIN_WIDTH = 3


def draw_tiling(puzzle: Puzzle, reveal: Reveal, tiling: Sequence[Placement]) -> str:
    """Return a tiling drawn with a border around each piece and each uncovered label."""
    regions: dict[Cell, str] = dict.fromkeys(puzzle.cells, "open")
    texts: dict[Cell, str] = {}
    for text in reveal:
        for cell in puzzle.labels[text].cells:
            regions[cell], texts[cell] = f"label {text}", text
    _place(tiling, regions, texts)
    return _draw(puzzle, regions, texts)


def draw_uncovered(
    puzzle: Puzzle,
    uncovered: Collection[Cell],
    tiling: Sequence[Placement] = (),
    cut_off: Collection[Cell] = (),
) -> str:
    """Return the board with some cells marked as uncovered, and maybe a tiling of the others.

    Uncovered cells show their label, or ``*``; those that are cut off show ``x``.
    """
    regions = dict.fromkeys(puzzle.cells, "open") | dict.fromkeys(cut_off, "cut off")
    texts = dict.fromkeys(cut_off, "x")
    _place(tiling, regions, texts)
    for cell in uncovered:
        label = puzzle.label_at.get(cell)
        regions[cell], texts[cell] = f"cell {cell}", label.text if label else "*"
    return _draw(puzzle, regions, texts)


def _place(tiling: Sequence[Placement], regions: dict[Cell, str], texts: dict[Cell, str]) -> None:
    for number, placement in enumerate(tiling):
        for cell in placement.cells:
            regions[cell], texts[cell] = f"piece {number}", placement.piece


def draw_board(puzzle: Puzzle) -> str:
    """Return the empty board with its labels, every region bordered."""
    regions = {cell: f"cell {cell}" for cell in puzzle.cells}
    texts = {}
    for label in puzzle.labels.values():
        for cell in label.cells:
            regions[cell], texts[cell] = f"label {label.text}", label.text
    return _draw(puzzle, regions, texts)


def draw_shape(cells: Sequence[Cell]) -> list[str]:
    """Return the rows of a piece drawn with two block characters a square."""
    high, wide = 1 + max(r for r, _ in cells), 1 + max(c for _, c in cells)
    return [
        "".join("██" if (row, column) in cells else "  " for column in range(wide)).rstrip()
        for row in range(high)
    ]


def _draw(puzzle: Puzzle, regions: Mapping[Cell, str], texts: Mapping[Cell, str]) -> str:
    width = max([_MIN_WIDTH, *(len(text) + 2 for text in texts.values() if len(text) > 1)])

    def across(row: int, column: int) -> bool:
        """Whether an edge runs along the top of a cell."""
        return regions.get((row - 1, column)) != regions.get((row, column))

    def down(row: int, column: int) -> bool:
        """Whether an edge runs along the left of a cell."""
        return regions.get((row, column - 1)) != regions.get((row, column))

    lines = []
    for row in range(puzzle.rows + 1):
        border, content = "", ""
        for column in range(puzzle.columns + 1):
            corner = (
                1 * down(row - 1, column)
                + 2 * across(row, column)
                + 4 * down(row, column)
                + 8 * across(row, column - 1)
            )
            border += _CORNERS[corner] + ("─" if across(row, column) else " ") * width
            content += "│" if down(row, column) else " "
            content += f"{texts.get((row, column), ''):^{width}}"
        lines += [border.rstrip(), content.rstrip()]
    return "\n".join(lines[:-1])
