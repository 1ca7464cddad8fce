"""The numbers that people estimate are what results/README.md says."""

from __future__ import annotations

import datetime
import math
from collections import Counter
from pathlib import Path

import pytest

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


def triples(year: int) -> set[tuple[int, int, int]]:
    days = (datetime.date(year, 1, 1) + datetime.timedelta(n) for n in range(366))
    return {(day.weekday(), day.month, day.day) for day in days if day.year == year}


@pytest.mark.parametrize(("first", "years"), [(2025, 28), (2090, 39)])
def test_all_dates_have_occurred_after_so_many_years(first, years):
    rhombus = load("rhombus")
    assert (sum(1 for _ in rhombus.reveals()), "2,604" in TEXT) == (2604, True)
    dates = sum(map(rhombus.calendar.is_date, rhombus.reveals()))
    seen: set[tuple[int, int, int]] = set()
    year = first
    while len(seen) < dates:
        seen |= triples(year)
        year += 1
    assert (dates, len(triples(2025)), year - first) == (2562, 365, years)
    assert f"{years} years" in TEXT
