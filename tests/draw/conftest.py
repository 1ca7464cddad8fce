from __future__ import annotations

import pytest

from satcal.counting.method import Meter
from satcal.counting.search import Search
from satcal.puzzle.model import Puzzle, Tiling

CHRISTMAS = ("Dec", "25")


@pytest.fixture(scope="session")
def tiling(daily: Puzzle) -> Tiling:
    """A tiling of 25 December."""
    return next(Search().tilings(daily, CHRISTMAS, (), Meter(None)))
