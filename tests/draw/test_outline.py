"""Outlines against areas and perimeters counted cell by cell."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satcal.draw.outline import offset, outlines, path_data

RING = [(r, c) for r in range(3) for c in range(3) if (r, c) != (1, 1)]


@st.composite
def polyominoes(draw: st.DrawFn) -> list[tuple[int, int]]:
    """A connected set of cells: a random tree of steps, which often encloses holes."""
    cells = [(0, 0)]
    for _ in range(draw(st.integers(0, 40))):
        row, column = draw(st.sampled_from(cells))
        down, right = draw(st.sampled_from([(0, 1), (1, 0), (0, -1), (-1, 0)]))
        if (row + down, column + right) not in cells:
            cells.append((row + down, column + right))
    return cells


def edges(polygon):
    return zip(polygon, [*polygon[1:], polygon[0]], strict=True)


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


def euler(cells) -> int:
    """Pieces minus holes, by corners: a diagonal touch of two cells keeps them apart."""
    covered = set(cells)
    turns = 0
    for row in range(min(r for r, _ in cells) - 1, max(r for r, _ in cells) + 1):
        for column in range(min(c for _, c in cells) - 1, max(c for _, c in cells) + 1):
            four = [(row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1)]
            held = [cell in covered for cell in four]
            diagonal = held in ([True, False, False, True], [False, True, True, False])
            turns += {1: 1, 3: -1}.get(sum(held), 0) + 2 * diagonal
    return turns // 4


@given(polyominoes())
def test_area_perimeter_and_number_of_polygons_are_those_of_the_cells(cells):
    found = outlines(cells)
    assert sum(map(area, found)) == len(cells)
    assert sum(map(perimeter, found)) == edges_counted(cells)
    holes = [polygon for polygon in found if area(polygon) < 0]
    assert len(found) - 2 * len(holes) == euler(cells)
    assert len(found) - len(holes) == 1


@given(polyominoes())
def test_edges_alternate_between_the_two_directions(cells):
    for polygon in outlines(cells):
        assert len(polygon) >= 4
        for number, (x, y) in enumerate(polygon):
            before, after = polygon[number - 1], polygon[(number + 1) % len(polygon)]
            assert (before[0] == x) != (after[0] == x)
            assert (before[1] == y) != (after[1] == y)


@given(polyominoes(), st.sampled_from([0.1, -0.1]))
def test_an_offset_moves_the_area_by_the_perimeter_and_the_corners(cells, distance):
    for polygon in outlines(cells):
        turns = 4 if area(polygon) > 0 else -4
        expected = area(polygon) + distance * perimeter(polygon) + turns * distance**2
        assert area(offset(polygon, distance)) == pytest.approx(expected)


def test_a_ring_has_an_outer_boundary_and_a_hole_and_a_corner_joins_no_cells():
    outer, hole = outlines(RING)
    assert outer == ((0, 0), (3, 0), (3, 3), (0, 3))
    assert area(hole) == -1
    assert [area(polygon) for polygon in outlines([(0, 0), (1, 1)])] == [1, 1]
    assert outlines([]) == ()


def test_path_data_is_short_and_closed():
    assert path_data(outlines([(0, 0), (0, 1)]), 10, 5, 2.5) == "M5 2.5h20v10h-20z"


def test_path_data_takes_no_slanted_edge():
    with pytest.raises(ValueError, match="horizontal and vertical"):
        path_data([((0, 0), (1, 1), (0, 1))], 1, 0, 0)
