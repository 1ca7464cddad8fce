"""Outlines against areas and perimeters counted cell by cell."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from satcal.draw.outline import outlines, path_data
from satcal.puzzle.shapes import components

CELLS = st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=20)


def edges(polygon):
    return list(pairwise([*polygon, polygon[0]]))


def area(polygon) -> float:
    """Return the signed area by the shoelace formula: positive clockwise on the screen."""
    return sum(x * next_y - next_x * y for (x, y), (next_x, next_y) in edges(polygon)) / 2


def perimeter(polygon) -> float:
    """Return the length of the boundary of a rectilinear polygon."""
    return sum(abs(x - next_x) + abs(y - next_y) for (x, y), (next_x, next_y) in edges(polygon))


def edges_counted(cells) -> int:
    return sum(
        near not in cells
        for r, c in cells
        for near in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1))
    )


@given(CELLS)
def test_outlines_have_the_area_and_the_perimeter_of_the_cells(cells):
    polygons = outlines(cells)
    assert sum(map(area, polygons)) == len(cells)
    assert sum(map(perimeter, polygons)) == edges_counted(cells)
    outer = sum(area(polygon) > 0 for polygon in polygons)  # all others are holes
    assert outer == len(list(components(cells)))
    for polygon in polygons:
        level = [start[1] == end[1] for start, end in edges(polygon)]
        assert all(a != b for a, b in pairwise([*level, level[0]]))  # edges turn at each corner


def test_cells_that_touch_at_a_corner_only_are_kept_apart():
    assert outlines([(0, 0), (1, 1)]) == (
        ((0, 0), (1, 0), (1, 1), (0, 1)),
        ((1, 1), (2, 1), (2, 2), (1, 2)),
    )
    assert outlines([]) == ()


def test_path_data_is_closed_and_its_corners_are_rounded_if_asked():
    domino = outlines([(0, 0), (0, 1)])
    assert path_data(domino, 10, 5, 2.5) == "M5 2.5L25 2.5L25 12.5L5 12.5z"
    assert path_data(domino, 10, 0, 0, 1).startswith("M0 1Q0 0 1 0L19 0Q20 0 20 1L")
