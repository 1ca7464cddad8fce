"""Outlines of sets of cells: the boundary as polygons, holes included.

Coordinates are (x, y) with x to the right and y downwards, in cells. Outer boundaries run clockwise
as seen on the screen, holes counterclockwise, so the cells are always on the right.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise, product

from satcal.puzzle.shapes import Cell, components, extent

Point = tuple[float, float]
Polygon = tuple[Point, ...]
"""The corners of a closed polygon, each once, without points on straight edges."""

HATCHES = 3  # slanted lines across a cell on either side of its diagonal
_Corner = tuple[int, int]


def holes(cells: Collection[Cell]) -> list[Cell]:
    """Return the positions without a cell that cells enclose, in row-major order."""
    rows, columns = extent(cells)
    others = set(product(range(-1, rows + 1), range(-1, columns + 1))) - set(cells)
    parts = components(others)
    return sorted(cell for part in parts if (-1, -1) not in part for cell in part)


def outlines(cells: Collection[Cell]) -> tuple[Polygon, ...]:
    """Return the boundary of a set of cells: a polygon per outer boundary and per hole.

    At a corner where two cells touch diagonally, boundaries do not cross.
    """
    covered = frozenset(cells)
    directions: dict[_Corner, set[_Corner]] = {}  # of the edges that start at each corner
    for row, column in sorted(covered):
        for neighbour, corner, direction in (
            ((row - 1, column), (column, row), (1, 0)),
            ((row, column + 1), (column + 1, row), (0, 1)),
            ((row + 1, column), (column + 1, row + 1), (-1, 0)),
            ((row, column - 1), (column, row + 1), (0, -1)),
        ):
            if neighbour not in covered:
                directions.setdefault(corner, set()).add(direction)
    polygons = []
    while directions:
        polygons.append(_trace(directions))
    return tuple(polygons)


def _trace(directions: dict[_Corner, set[_Corner]]) -> Polygon:
    """Follow a boundary, remove its edges, and return the corners where it turns.

    Start at the leftmost of the topmost corners: the boundary turns there, and passes it only once.
    """
    corners: list[Point] = []
    corner = min(directions, key=lambda point: (point[1], point[0]))
    # the last direction: an outer boundary reaches the start upwards, that of a hole leftwards
    x, y = (0, -1) if (1, 0) in directions[corner] else (-1, 0)
    while corner in directions:
        # turn right if possible: where cells touch diagonally, this stays along the same cell
        direction = next(d for d in ((-y, x), (x, y), (y, -x)) if d in directions[corner])
        if direction != (x, y):
            corners.append(corner)
        directions[corner].discard(direction)
        if not directions[corner]:
            del directions[corner]
        x, y = direction
        corner = corner[0] + x, corner[1] + y
    return tuple(corners)


def offset(polygon: Polygon, distance: float) -> Polygon:
    """Return a rectilinear polygon with every edge moved away from its cells by a distance.

    A negative distance moves edges towards the cells. A positive one makes holes smaller.
    """

    def sign(value: float) -> int:
        return (value > 0) - (value < 0)

    # the unit vector to the left of each edge, away from the cells
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
    """Return the ``d`` of an SVG path of polygons, scaled by ``unit`` and moved."""
    parts = []
    for polygon in polygons:
        points = [(left + x * unit, top + y * unit) for x, y in polygon]
        parts.append(f"M{format_coordinate(points[0][0])} {format_coordinate(points[0][1])}")
        for (x, y), (next_x, next_y) in pairwise(points):
            parts.append(
                f"h{format_coordinate(next_x - x)}"
                if y == next_y
                else f"v{format_coordinate(next_y - y)}"
            )
        parts.append("z")
    return "".join(parts)


def rounded_path_data(
    polygons: Sequence[Polygon], unit: float, left: float, top: float, radius: float
) -> str:
    """Return the ``d`` of an SVG path of polygons with corners rounded by a radius."""
    parts = []
    for polygon in polygons:
        points = [(left + x * unit, top + y * unit) for x, y in polygon]
        corners = zip([points[-1], *points[:-1]], points, [*points[1:], points[0]], strict=True)
        for index, (before, corner, after) in enumerate(corners):
            first, last = _move(corner, before, radius), _move(corner, after, radius)
            parts.append("L" if index else "M")
            parts.append(f"{_point(first)}Q{_point(corner)} {_point(last)}")
        parts.append("z")
    return "".join(parts)


def hatching(cells: Iterable[Cell], unit: float, left: float, top: float) -> str:
    """Return the ``d`` of an SVG path of slanted lines across cells."""
    parts = []
    for row, column in cells:
        x, y = left + column * unit, top + row * unit
        for step in range(-HATCHES, HATCHES + 1):
            # parallel to the rising diagonal, which starts at the lower left corner
            right, up = (max(0, shift) * unit / (HATCHES + 1) for shift in (step, -step))
            start, end = (x + right, y + unit - up), (x + unit - up, y + right)
            parts.append(f"M{_point(start)}L{_point(end)}")
    return "".join(parts)


def _move(point: Point, target: Point, distance: float) -> Point:
    """Return a point moved by a distance towards a target in the same row or column."""
    (x, y), (target_x, target_y) = point, target
    share = distance / (abs(target_x - x) + abs(target_y - y))
    return x + share * (target_x - x), y + share * (target_y - y)


def _point(point: Point) -> str:
    return f"{format_coordinate(point[0])} {format_coordinate(point[1])}"


def format_coordinate(value: float) -> str:
    """Return a coordinate with at most three decimals, without zeros at the end."""
    return f"{value:.3f}".rstrip("0").rstrip(".")
