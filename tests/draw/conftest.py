from __future__ import annotations

import pytest

from satcal.counting.search import Search
from satcal.puzzle.model import Puzzle, Tiling
from satcal.puzzle.placements import cover_of

CHRISTMAS = ("Dec", "25")


@pytest.fixture(scope="session")
def tiling(daily: Puzzle) -> Tiling:
    """A tiling of 25 December."""
    return next(Search(cover_of(daily, CHRISTMAS)).tilings())
