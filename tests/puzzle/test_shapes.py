"""Shapes and their orientations."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satcal.puzzle.shapes import cell_order, is_connected, normalise, orientations, reflect, rotate

CELLS = st.sets(st.tuples(st.integers(-4, 4), st.integers(-4, 4)), min_size=1, max_size=8)

# The numbers of fixed and of one-sided orientations of the free pentominoes (Golomb, 1965).
PENTOMINOES = {
    "F": (".##/##./.#.", 8, 4), "I": ("#####", 2, 2), "L": ("####/#...", 8, 4),
    "N": ("###./..##", 8, 4), "P": ("###/##.", 8, 4), "T": ("###/.#./.#.", 4, 4),
    "U": ("###/#.#", 4, 4), "V": ("###/#../#..", 4, 4), "W": ("##./.##/..#", 4, 4),
    "X": (".#./###/.#.", 1, 1), "Y": ("####/.#..", 8, 4), "Z": ("##./.#./.##", 4, 2),
}  # fmt: skip


def drawn(text: str) -> tuple[tuple[int, int], ...]:
    rows = enumerate(text.split("/"))
    return tuple((r, c) for r, row in rows for c, mark in enumerate(row) if mark == "#")


@pytest.mark.parametrize("name", PENTOMINOES)
def test_each_pentomino_has_its_known_number_of_orientations(name: str) -> None:
    text, both_sides, one_side = PENTOMINOES[name]
    assert len(orientations(drawn(text))) == both_sides
    assert len(orientations(drawn(text), flip=False)) == one_side


def test_the_twelve_pentominoes_have_63_fixed_forms() -> None:
    assert sum(len(orientations(drawn(text))) for text, _, _ in PENTOMINOES.values()) == 63


def test_orientations_begin_with_the_drawing_and_its_clockwise_rotations() -> None:
    shape = drawn("##/#./#.")
    expected = ["##/#./#.", "###/..#", ".#/.#/##", "#../###", "##/.#/.#", "..#/###"]
    expected += ["#./#./##", "###/#.."]
    assert orientations(shape) == tuple(map(drawn, expected))


@given(CELLS)
def test_four_rotations_and_two_reflections_change_nothing(cells: set) -> None:
    shape = normalise(cells)
    assert rotate(rotate(rotate(rotate(shape)))) == shape
    assert reflect(reflect(shape)) == shape


@given(CELLS)
def test_every_orientation_has_the_same_orientations(cells: set) -> None:
    found = orientations(normalise(cells))
    assert len(found) in (1, 2, 4, 8)
    assert all(set(orientations(shape)) == set(found) for shape in found)
    assert all(len(shape) == len(cells) and shape == normalise(shape) for shape in found)
    assert set(orientations(found[0], flip=False)) <= set(found)


@given(CELLS, st.integers(-3, 3), st.integers(-3, 3))
def test_a_shape_is_the_same_wherever_it_stands(cells: set, down: int, right: int) -> None:
    assert normalise(cells) == normalise({(r + down, c + right) for r, c in cells})


@pytest.mark.parametrize(
    ("cells", "connected"),
    [
        ([], False),
        ([(0, 0)], True),
        ([(0, 0), (0, 1), (1, 1)], True),
        ([(0, 0), (1, 1)], False),
        ([(0, 0), (0, 2)], False),
    ],
)
def test_cells_hang_together_by_edges_and_not_by_corners(cells: list, connected: bool) -> None:
    assert is_connected(cells) is connected


def test_the_order_of_the_cells_goes_along_the_longer_side() -> None:
    high = [(r, c) for r in range(3) for c in range(2)]
    wide = [(c, r) for r, c in high]
    assert cell_order(reversed(high)) == high
    assert cell_order(wide) == [(c, r) for r, c in high]
    assert cell_order([]) == []
    assert cell_order([(5, 5), (4, 4)]) == [(4, 4), (5, 5)]
