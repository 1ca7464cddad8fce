"""Outlines against the loops that the page passes, too, and the paths drawn of them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from satcal.draw.outline import outlines, path_data
from shared.make_vectors import from_first_corner, trace


@given(st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=20))
def test_outlines_are_those_that_are_walked_from_cell_to_cell(cells):
    found = [from_first_corner([[*corner] for corner in loop]) for loop in outlines(cells)]
    assert sorted(found) == trace({*cells})


def test_path_data_is_closed_and_its_corners_are_rounded_if_asked():
    domino = outlines([(0, 0), (0, 1)])
    assert path_data(domino, 10, 5, 2.5) == "M5 2.5L25 2.5L25 12.5L5 12.5z"
    assert path_data(domino, 10, 0, 0, 1).startswith("M0 1Q0 0 1 0L19 0Q20 0 20 1L")
