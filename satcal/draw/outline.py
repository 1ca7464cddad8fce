"""Outlines of sets of cells: the boundary as polygons, holes included.

Coordinates are (x, y) with x to the right and y downwards, one unit a cell. Outer boundaries
run clockwise as seen on the screen, holes counterclockwise: what is covered is on the right.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise, product

from satcal.puzzle.shapes import Cell, components, extent

Point = tuple[float, float]
Polygon = tuple[Point, ...]
"""The corners of a closed polygon, each once; edges turn at each."""

HATCHES = 3  # lines across a cell on either side of the one through its corners
_Corner = tuple[int, int]


def holes(cells: Collection[Cell]) -> list[Cell]:
    """Return the places that cells enclose without covering them, in row-major order."""
    rows, columns = extent(cells)
    around = set(product(range(-1, rows + 1), range(-1, columns + 1))) - set(cells)
    parts = components(around)
    return sorted(cell for part in parts if (-1, -1) not in part for cell in part)


def outlines(cells: Collection[Cell]) -> tuple[Polygon, ...]:
    """Return the boundary of a set of cells: a polygon per outer boundary and per hole.

    Cells that touch at a corner only are kept apart: no boundary crosses itself.
    """
    covered = frozenset(cells)
    leaving: dict[_Corner, set[_Corner]] = {}  # per corner the directions of edges that leave it
    for row, column in sorted(covered):
        for near, corner, direction in (
            ((row - 1, column), (column, row), (1, 0)),
            ((row, column + 1), (column + 1, row), (0, 1)),
            ((row + 1, column), (column + 1, row + 1), (-1, 0)),
            ((row, column - 1), (column, row + 1), (0, -1)),
        ):
            if near not in covered:
                leaving.setdefault(corner, set()).add(direction)
    polygons = []
    while leaving:
        polygons.append(_trace(leaving))
    return tuple(polygons)


def _trace(leaving: dict[_Corner, set[_Corner]]) -> Polygon:
    """Follow a boundary, use its edges up, and return the corners where it turns.

    It starts topmost, then leftmost: there it turns, and passes once.
    """
    corners: list[Point] = []
    corner = min(leaving, key=lambda point: (point[1], point[0]))
    x, y = (0, -1) if (1, 0) in leaving[corner] else (-1, 0)
    while corner in leaving:
        # right, straight on, left: turning right keeps to the same cell where two touch
        way = next(turn for turn in ((-y, x), (x, y), (y, -x)) if turn in leaving[corner])
        if way != (x, y):
            corners.append(corner)
        leaving[corner].discard(way)
        if not leaving[corner]:
            del leaving[corner]
        x, y = way
        corner = corner[0] + x, corner[1] + y
    return tuple(corners)


def offset(polygon: Polygon, distance: float) -> Polygon:
    """Return a rectilinear polygon with every edge moved away from the covered side.

    A negative distance moves edges into it. Holes shrink where outer boundaries grow.
    """

    def sign(value: float) -> int:
        return (value > 0) - (value < 0)

    # of each edge, the unit vector to its left: away from what it encloses
    normals = [
        (sign(end[1] - start[1]), -sign(end[0] - start[0]))
        for start, end in pairwise([*polygon, polygon[0]])
    ]
    return tuple(
        (x + distance * (before[0] + after[0]), y + distance * (before[1] + after[1]))
        for (x, y), before, after in zip(
            polygon, [normals[-1], *normals[:-1]], normals, strict=True
        )
    )


def path_data(polygons: Sequence[Polygon], unit: float, left: float, top: float) -> str:
    """Return the ``d`` of an SVG path: polygons scaled by a unit and moved."""
    parts = []
    for polygon in polygons:
        points = [(left + x * unit, top + y * unit) for x, y in polygon]
        parts.append(f"M{format_coordinate(points[0][0])} {format_coordinate(points[0][1])}")
        for (x, y), (next_x, next_y) in pairwise(points):
            if y != next_y and abs(x - next_x) > 1e-9:
                raise ValueError("an outline has only horizontal and vertical edges")
            parts.append(
                f"h{format_coordinate(next_x - x)}"
                if y == next_y
                else f"v{format_coordinate(next_y - y)}"
            )
        parts.append("z")
    return "".join(parts)


def rounded_path_data(
    polygons: Sequence[Polygon], unit: float, left: float, top: float, by: float
) -> str:
    """Return the ``d`` of an SVG path, with corners rounded ``by`` a length."""
    parts = []
    for polygon in polygons:
        points = [(left + x * unit, top + y * unit) for x, y in polygon]
        corners = zip([points[-1], *points[:-1]], points, [*points[1:], points[0]], strict=True)
        for start, (before, corner, after) in enumerate(corners):
            leaving, coming = _towards(corner, before, by), _towards(corner, after, by)
            parts.append("L" if start else "M")
            parts.append(f"{_point(leaving)}Q{_point(corner)} {_point(coming)}")
        parts.append("z")
    return "".join(parts)


def hatching(cells: Iterable[Cell], unit: float, left: float, top: float) -> str:
    """Return the ``d`` of an SVG path of slanted lines across cells."""
    parts = []
    for row, column in cells:
        x, y = left + column * unit, top + row * unit
        for step in range(-HATCHES, HATCHES + 1):
            right, up = (max(0, shift) * unit / (HATCHES + 1) for shift in (step, -step))
            start, end = (x + right, y + unit - up), (x + unit - up, y + right)
            parts.append(f"M{_point(start)}L{_point(end)}")
    return "".join(parts)


def _towards(point: Point, other: Point, by: float) -> Point:
    """Return the point at a distance from one point, in the direction of another."""
    (x, y), (to_x, to_y) = point, other
    length = abs(to_x - x) + abs(to_y - y)
    return x + by * (to_x - x) / length, y + by * (to_y - y) / length


def _point(point: Point) -> str:
    return f"{format_coordinate(point[0])} {format_coordinate(point[1])}"


def format_coordinate(value: float) -> str:
    """Return a coordinate as text, with at most three decimals and no needless zeros."""
    return f"{value:.3f}".rstrip("0").rstrip(".")
