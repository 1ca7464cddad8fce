"""After how many years all dates have occurred, as results/README.md says."""

from __future__ import annotations

from pathlib import Path

import pytest

from satcal.puzzle.calendar import list_days
from satcal.puzzle.loading import load

TEXT = (Path(__file__).parents[2] / "results" / "README.md").read_text()


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
