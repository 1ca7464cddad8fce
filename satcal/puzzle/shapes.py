"""Shapes: sets of cells up to translation, and their rotations and reflections."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

Cell = tuple[int, int]
Shape = tuple[Cell, ...]


def normalise(cells: Iterable[Cell]) -> Shape:
    """Return the cells moved to row 0 and column 0, in row-major order."""
    cells = list(cells)
    top, left = map(min, zip(*cells, strict=True))
    return tuple(sorted((row - top, column - left) for row, column in cells))


def reflect(shape: Shape) -> Shape:
    """Return the shape turned over, left to right."""
    return normalise((row, -column) for row, column in shape)


def orientations(shape: Shape, flip: bool = True) -> tuple[Shape, ...]:
    """Return the distinct orientations of a shape: at most 4, or 8 with ``flip``.

    The drawing and its clockwise rotations come first, then those of its mirror image.
    """
    shapes: dict[Shape, None] = {}
    for sign in (1, -1)[: 1 + flip]:
        cells = [(row, sign * column) for row, column in shape]
        for _ in range(4):
            shapes.setdefault(normalise(cells))
            cells = [(column, -row) for row, column in cells]
    return tuple(shapes)


def extent(cells: Iterable[Cell]) -> tuple[int, int]:
    """Return the numbers of rows and columns, from row 0 and column 0 to the last cell."""
    height, width = (1 + max(axis) for axis in zip(*cells, strict=True))
    return height, width


def shape_rows(shape: Shape) -> list[str]:
    """Return the rows of a shape's drawing, of ``#`` and ``.``."""
    height, width = extent(shape)
    return [
        "".join(".#"[(row, column) in shape] for column in range(width)) for row in range(height)
    ]


def adjacent_pairs(cells: Iterable[Cell]) -> list[tuple[Cell, Cell]]:
    """Return the pairs of cells that share an edge; the first is above or left of the second."""
    inside = set(cells)
    return [
        (cell, other)
        for cell in sorted(inside)
        for other in ((cell[0] + 1, cell[1]), (cell[0], cell[1] + 1))
        if other in inside
    ]


def components(cells: Iterable[Cell]) -> Iterator[set[Cell]]:
    """Yield the connected components of cells; cells are adjacent if they share an edge."""
    unvisited = set(cells)
    while unvisited:
        component: set[Cell] = set()
        front = {min(unvisited)}
        while front:
            component |= front
            unvisited -= front
            steps = ((-1, 0), (0, -1), (0, 1), (1, 0))
            front = unvisited.intersection((r + y, c + x) for r, c in front for y, x in steps)
        yield component


def sum_areas(choices: Iterable[Collection[int]]) -> set[int]:
    """Return the sums of one area from each choice; a piece that may be left out has a choice of 0.

    >>> sorted(sum_areas([(0, 5), (0, 5), (0, 6)]))
    [0, 5, 6, 10, 11, 16]
    """
    sums = {0}
    for choice in choices:
        sums = {total + area for total in sums for area in choice}
    return sums


def cell_order(cells: Iterable[Cell]) -> list[Cell]:
    """Return the cells row by row, or column by column if the board is wider than high.

    A frontier that moves along the longer side of the board is shorter, and gives less work.
    """
    rows = sorted(cells)
    columns = sorted(rows, key=lambda cell: cell[::-1])
    if not rows:
        return rows
    high, wide = rows[-1][0] - rows[0][0], columns[-1][1] - columns[0][1]
    return rows if high >= wide else columns
