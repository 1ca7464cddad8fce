"""A board in the terminal, with box-drawing borders between pieces."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from satcal.puzzle.model import Placement, Puzzle, Reveal
from satcal.puzzle.shapes import Cell

# Indexed by the edges at a corner that are drawn: up 1, right 2, down 4, left 8.
_CORNERS = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
_MIN_WIDTH = 3
_Area = tuple[Iterable[Cell], str]


def draw_tiling(puzzle: Puzzle, reveal: Reveal, tiling: Sequence[Placement]) -> str:
    """Return a tiling with a border around each piece and uncovered label."""
    areas: list[_Area] = [(puzzle.labels[text].cells, text) for text in reveal]
    return _draw(puzzle, areas + _placed(tiling))


def draw_uncovered(
    puzzle: Puzzle,
    uncovered: Collection[Cell],
    tiling: Sequence[Placement] = (),
    cut_off: Collection[Cell] = (),
) -> str:
    """Return the board with uncovered cells, which show their label or ``*``.

    Those that are cut off show ``x``.
    """
    labels = puzzle.label_at
    areas: list[_Area] = [(cut_off, "x"), *_placed(tiling)]
    areas += [([cell], labels[cell].text if cell in labels else "*") for cell in uncovered]
    return _draw(puzzle, areas)


def draw_board(puzzle: Puzzle) -> str:
    """Return the empty board with its labels, every region bordered."""
    areas: list[_Area] = [([cell], "") for cell in puzzle.cells]
    return _draw(puzzle, areas + [(label.cells, label.text) for label in puzzle.labels.values()])


def draw_shape(cells: Sequence[Cell]) -> list[str]:
    """Return the rows of a piece drawn with two block characters a square."""
    high, wide = 1 + max(r for r, _ in cells), 1 + max(c for _, c in cells)
    return [
        "".join("██" if (row, column) in cells else "  " for column in range(wide)).rstrip()
        for row in range(high)
    ]


def _placed(tiling: Sequence[Placement]) -> list[_Area]:
    return [(placement.cells, placement.piece) for placement in tiling]


def _draw(puzzle: Puzzle, areas: Iterable[_Area]) -> str:
    """Return a board with a border around each area, its text on each of its cells."""
    regions, texts = dict.fromkeys(puzzle.cells, -1), {}
    for number, (cells, text) in enumerate(areas):
        for cell in cells:
            regions[cell], texts[cell] = number, text
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
