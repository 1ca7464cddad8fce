"""Shapes: sets of cells up to translation, and their rotations and reflections."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

Cell = tuple[int, int]
Shape = tuple[Cell, ...]


def normalise(cells: Iterable[Cell]) -> Shape:
    """Return the cells moved to row 0 and column 0, in row-major order."""
    listed = list(cells)
    top, left = map(min, zip(*listed, strict=True))
    return tuple(sorted((row - top, column - left) for row, column in listed))


def rotate(shape: Shape) -> Shape:
    """Return the shape turned by 90 degrees clockwise."""
    return normalise((column, -row) for row, column in shape)


def reflect(shape: Shape) -> Shape:
    """Return the shape turned over, left to right."""
    return normalise((row, -column) for row, column in shape)


def orientations(shape: Shape, flip: bool = True) -> tuple[Shape, ...]:
    """Return the distinct orientations of a shape: at most 4, or 8 with ``flip``.

    The drawing and its clockwise rotations come first, then those of its mirror image.
    """
    found: dict[Shape, None] = {}
    for mirror in (1, -1)[: 1 + flip]:
        turned = [(row, mirror * column) for row, column in shape]
        for _ in range(4):
            found.setdefault(normalise(turned))
            turned = [(column, -row) for row, column in turned]
    return tuple(found)


class Pose(NamedTuple):
    """How a shape stands: turned over or not, then quarter turns clockwise, as few as show it.

    ``anchor`` is the top left corner of its bounding box, which may be outside of it.
    """

    anchor: Cell
    quarter_turns: int
    flip: bool


def pose(shape: Shape, cells: Iterable[Cell]) -> Pose:
    """Return how a shape is turned to cover the cells; raise ValueError if it cannot."""
    listed = tuple(cells)
    wanted = normalise(listed)
    anchor = min(row for row, _ in listed), min(column for _, column in listed)
    for flip, start in enumerate((shape, reflect(shape))):
        turned = normalise(start)
        for quarter_turns in range(4):
            if turned == wanted:
                return Pose(anchor, quarter_turns, bool(flip))
            turned = rotate(turned)
    raise ValueError("these cells are not that shape, turned or turned over")


def extent(cells: Iterable[Cell]) -> tuple[int, int]:
    """Return the rows and columns from the first to the last cell, counted from 0."""
    height, width = (1 + max(axis) for axis in zip(*cells, strict=True))
    return height, width


def shape_rows(shape: Shape) -> list[str]:
    """Return the rows of a shape's drawing, of ``#`` and ``.``."""
    height, width = extent(shape)
    return [
        "".join(".#"[(row, column) in shape] for column in range(width)) for row in range(height)
    ]


def components(cells: Iterable[Cell]) -> Iterator[set[Cell]]:
    """Yield the sets of cells that are joined by edges."""
    todo = set(cells)
    while todo:
        part: set[Cell] = set()
        reached = {min(todo)}
        while reached:
            part |= reached
            todo -= reached
            steps = ((-1, 0), (0, -1), (0, 1), (1, 0))
            reached = todo.intersection((r + y, c + x) for r, c in reached for y, x in steps)
        yield part


def is_connected(cells: Iterable[Cell]) -> bool:
    """Return whether the cells are joined by edges."""
    left = set(cells)
    reached = {left.pop()}
    while reached:
        steps = ((-1, 0), (0, -1), (0, 1), (1, 0))
        reached = left.intersection((r + y, c + x) for r, c in reached for y, x in steps)
        left -= reached
    return not left


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
