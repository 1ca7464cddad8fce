"""The numbers that people estimate are what results/README.md says."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path

import pytest

from satcal.puzzle.calendar import list_days
from satcal.puzzle.loading import load
from satcal.puzzle.placements import placements

TEXT = (Path(__file__).parents[2] / "results" / "README.md").read_text()


@pytest.mark.parametrize("board", ["a-puzzle-a-day", "rhombus", "weekday"])
def test_orders_orientations_and_placements_are_multiplied_right(board):
    puzzle = load(board)
    orders = math.factorial(len(puzzle.pieces))
    turned = orders * math.prod(len(piece.orientations) for piece in puzzle.pieces)
    placed = Counter(each.piece for each in placements(puzzle, puzzle.cells))
    assert all(piece.copies == 1 for piece in puzzle.pieces)
    free = math.prod(placed.values())
    row = f"| `{board}` | {len(puzzle.pieces)} | {orders:,} | {turned:.3g} | {free:.3g} |\n"
    assert row in TEXT


@pytest.mark.parametrize(("first", "years"), [(2025, 28), (2090, 39)])
def test_all_dates_have_occurred_after_so_many_years(first, years):
    rhombus = load("rhombus")
    dates = set(filter(rhombus.calendar.is_date, rhombus.reveals()))
    year, unseen = first, set(dates)
    while unseen:
        unseen -= set(map(rhombus.calendar.labels, list_days(year)))
        year += 1
    assert (sum(1 for _ in rhombus.reveals()), len(dates), year - first) == (2604, 2562, years)
    assert "2,604" in TEXT
    assert f"{years} years" in TEXT
