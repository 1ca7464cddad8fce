"""Outlines of sets of cells: the boundary as polygons, holes included.

Coordinates are (x, y) with x to the right and y downwards, in cells. Outer boundaries run clockwise
as seen on the screen, holes counterclockwise, so the cells are always on the right.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from satcal.puzzle.shapes import Cell

Point = tuple[float, float]
Polygon = tuple[Point, ...]
"""The corners of a closed polygon, each once, without points on straight edges."""

_Corner = tuple[int, int]


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


def path_data(
    polygons: Sequence[Polygon], unit: float, left: float, top: float, radius: float = 0.0
) -> str:
    """Return the ``d`` of an SVG path of polygons, scaled by ``unit``, moved, and rounded.

    ``radius`` is that of the corners, after scaling.
    """
    parts = []
    for polygon in polygons:
        points = [(left + x * unit, top + y * unit) for x, y in polygon]
        corners = zip([points[-1], *points[:-1]], points, [*points[1:], points[0]], strict=True)
        for index, (before, corner, after) in enumerate(corners):
            first, last = _move(corner, before, radius), _move(corner, after, radius)
            curve = f"Q{_point(corner)} {_point(last)}" if radius else ""
            parts.append(f"{'L' if index else 'M'}{_point(first)}{curve}")
        parts.append("z")
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
