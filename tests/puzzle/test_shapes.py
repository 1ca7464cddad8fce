"""Shapes and their orientations."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from satcal.puzzle.shapes import components, normalise, orientations, reflect

CELLS = st.sets(st.tuples(st.integers(-4, 4), st.integers(-4, 4)), min_size=1, max_size=8)


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
