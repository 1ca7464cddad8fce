"""Shapes and their orientations."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from satcal.puzzle.shapes import (
    cell_order,
    components,
    normalise,
    orientations,
    reflect,
)

CELLS = st.sets(st.tuples(st.integers(-4, 4), st.integers(-4, 4)), min_size=1, max_size=8)


def drawn(text: str) -> tuple[tuple[int, int], ...]:
    rows = enumerate(text.split("/"))
    return tuple((r, c) for r, row in rows for c, mark in enumerate(row) if mark == "#")


def test_orientations_begin_with_the_drawing_and_its_clockwise_rotations():
    expected = ["##/#./#.", "###/..#", ".#/.#/##", "#../###", "##/.#/.#", "..#/###"]
    expected += ["#./#./##", "###/#.."]
    assert orientations(drawn(expected[0])) == tuple(map(drawn, expected))


@given(CELLS, st.integers(-3, 3), st.integers(-3, 3))
def test_a_shape_is_the_same_wherever_it_stands_and_however_it_is_turned(cells, down, right):
    shape = normalise(cells)
    assert shape == normalise({(r + down, c + right) for r, c in cells})
    assert reflect(reflect(shape)) == shape
    found = orientations(shape)
    assert len(found) in (1, 2, 4, 8)
    for turned in found:
        assert set(orientations(turned)) == set(found)
        assert turned == normalise(turned)
        assert len(turned) == len(cells)
    one_side = orientations(shape, flip=False)
    assert len(one_side) in (1, 2, 4)
    assert {*one_side, *map(reflect, one_side)} == set(found)


def test_cells_are_connected_by_edges_and_not_by_corners():
    corners = [{(0, 0)}, {(0, 3)}, {(1, 1), (1, 2)}]
    assert list(components({cell for part in corners for cell in part})) == corners


def test_the_order_of_the_cells_goes_along_the_longer_side():
    high = [(r, c) for r in range(3) for c in range(2)]
    assert cell_order(reversed(high)) == high
    assert cell_order([(c, r) for r, c in high]) == [(c, r) for r, c in high]
    assert cell_order([]) == []
    assert cell_order([(5, 5), (4, 4)]) == [(4, 4), (5, 5)]
