"""Outlines of sets of cells: the boundary as polygons, holes included.

Coordinates are (x, y) with x to the right and y downwards, one unit a cell. Outer boundaries
run clockwise as seen on the screen, holes counterclockwise, so that the covered side is always
on the right.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise

from satcal.puzzle.shapes import Cell

Point = tuple[float, float]
Polygon = tuple[Point, ...]
"""The corners of a closed polygon, each once; edges alternate between the two directions."""

_Corner = tuple[int, int]


def outlines(cells: Collection[Cell]) -> tuple[Polygon, ...]:
    """Return the boundary of a set of cells: a polygon per outer boundary and per hole.

    Cells that touch at a corner only are kept apart there: a boundary may pass a corner twice
    but never crosses itself.
    """
    leaving = _edges(cells)
    found = []
    while leaving:
        start = min(leaving, key=lambda corner: (corner[1], corner[0]))
        found.append(_trace(leaving, start))
    return tuple(found)


def _edges(cells: Collection[Cell]) -> dict[_Corner, set[_Corner]]:
    """Return per corner the directions of the boundary edges that leave it."""
    covered = frozenset(cells)
    leaving: dict[_Corner, set[_Corner]] = {}
    for row, column in sorted(covered):
        for near, corner, direction in (
            ((row - 1, column), (column, row), (1, 0)),
            ((row, column + 1), (column + 1, row), (0, 1)),
            ((row + 1, column), (column + 1, row + 1), (-1, 0)),
            ((row, column - 1), (column, row + 1), (0, -1)),
        ):
            if near not in covered:
                leaving.setdefault(corner, set()).add(direction)
    return leaving


def _trace(leaving: dict[_Corner, set[_Corner]], start: _Corner) -> Polygon:
    """Follow the boundary from a corner, use its edges up, and return the corners where it turns.

    The start is topmost, then leftmost of the edges that are left: the boundary turns there and
    passes it once.
    """
    corners: list[Point] = []
    here = start
    before = (0, -1) if (1, 0) in leaving[start] else (-1, 0)
    while here in leaving:
        ways = leaving[here]
        x, y = before
        # right, straight on, left: turning right keeps to the same cell where two touch
        way = next(turn for turn in ((-y, x), (x, y), (y, -x)) if turn in ways)
        if way != before:
            corners.append(here)
        ways.discard(way)
        if not ways:
            del leaving[here]
        here, before = (here[0] + way[0], here[1] + way[1]), way
    return tuple(corners)


def offset(polygon: Polygon, distance: float) -> Polygon:
    """Return a rectilinear polygon with every edge moved away from the covered side.

    A negative distance moves edges into it. Holes shrink where outer boundaries grow.
    """
    moved = []
    for number, (x, y) in enumerate(polygon):
        before, after = polygon[number - 1], polygon[(number + 1) % len(polygon)]
        first, second = _outward(before, (x, y)), _outward((x, y), after)
        moved.append((x + distance * (first[0] + second[0]), y + distance * (first[1] + second[1])))
    return tuple(moved)


def _outward(start: Point, end: Point) -> Point:
    """Return the unit vector to the left of an edge: away from what it encloses."""
    x, y = end[0] - start[0], end[1] - start[1]
    length = abs(x) + abs(y)
    return y / length, -x / length


def path_data(polygons: Sequence[Polygon], unit: float, left: float, top: float) -> str:
    """Return the ``d`` attribute of an SVG path: polygons scaled by a unit and moved."""
    parts = []
    for polygon in polygons:
        points = [(left + x * unit, top + y * unit) for x, y in polygon]
        parts.append(f"M{number(points[0][0])} {number(points[0][1])}")
        for (x, y), (next_x, next_y) in pairwise(points):
            if y != next_y and abs(x - next_x) > 1e-9:
                raise ValueError("an outline has only horizontal and vertical edges")
            parts.append(f"h{number(next_x - x)}" if y == next_y else f"v{number(next_y - y)}")
        parts.append("z")
    return "".join(parts)


def number(value: float) -> str:
    """Return a coordinate with at most three decimals and no needless zeros."""
    return f"{value:.3f}".rstrip("0").rstrip(".")
