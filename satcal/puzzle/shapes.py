"""Shapes: sets of cells up to translation, and their rotations and reflections."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

Cell = tuple[int, int]
Shape = tuple[Cell, ...]


def normalise(cells: Iterable[Cell]) -> Shape:
    """Return the cells moved so that the least row and column are 0, in row-major order."""
    listed = list(cells)
    top = min(row for row, _ in listed)
    left = min(column for _, column in listed)
    return tuple(sorted((row - top, column - left) for row, column in listed))


def rotate(shape: Shape) -> Shape:
    """Return the shape turned by 90 degrees clockwise."""
    return normalise((column, -row) for row, column in shape)


def reflect(shape: Shape) -> Shape:
    """Return the shape turned over, left to right."""
    return normalise((row, -column) for row, column in shape)


def orientations(shape: Shape, flip: bool = True) -> tuple[Shape, ...]:
    """Return the distinct orientations of a shape: at most 4, or 8 with ``flip``.

    Order: the drawing, its clockwise rotations, then those of its mirror image;
    the first of equal ones stays.
    """
    found: dict[Shape, None] = {}
    for start in (normalise(shape), reflect(shape)) if flip else (normalise(shape),):
        turned = start
        for _ in range(4):
            found.setdefault(turned)
            turned = rotate(turned)
    return tuple(found)


def neighbours(cell: Cell) -> tuple[Cell, Cell, Cell, Cell]:
    """Return the four cells that share an edge with a cell."""
    row, column = cell
    return (row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)


def components(cells: Iterable[Cell]) -> Iterator[set[Cell]]:
    """Yield the sets of cells that hang together by edges."""
    todo = set(cells)
    while todo:
        part: set[Cell] = set()
        reached = {min(todo)}
        while reached:
            part |= reached
            todo -= reached
            beside = (near for cell in reached for near in neighbours(cell))
            reached = todo.intersection(beside)
        yield part


def is_connected(cells: Iterable[Cell]) -> bool:
    """Return whether the cells hang together by edges; an empty set does not."""
    return len(list(components(cells))) == 1


def cell_order(cells: Iterable[Cell]) -> list[Cell]:
    """Return the cells row by row, or column by column if the board is wider than high.

    Along the longer side the frontier, which decides the work, is the shorter one.
    """
    rows = sorted(cells)
    columns = sorted(rows, key=lambda cell: cell[::-1])
    if not rows:
        return rows
    high, wide = rows[-1][0] - rows[0][0], columns[-1][1] - columns[0][1]
    return rows if high >= wide else columns
