"""Diagrams that several tests ask; built once per process, in less than a second each."""

from __future__ import annotations

import pytest

from satcal.diagram.puzzle import PuzzleDiagram, open_diagram
from satcal.puzzle.loading import load
from satcal.puzzle.model import Puzzle


@pytest.fixture(scope="session")
def daily_diagram(daily: Puzzle) -> PuzzleDiagram:
    """All 25,061 tilings of the 43-cell board."""
    return open_diagram(daily, list(daily.reveals()))


@pytest.fixture(scope="session")
def rhombus_diagram() -> PuzzleDiagram:
    """All 1,527,044 tilings of the rhombus."""
    puzzle = load("rhombus")
    return open_diagram(puzzle, list(puzzle.reveals()))
