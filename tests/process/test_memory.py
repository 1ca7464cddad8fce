"""What is held at most, in a process of its own: other threads would be measured, too."""

from __future__ import annotations

import contextlib
import tracemalloc

import pytest

from helpers.hostile import HOSTILE
from satcal.diagram.counts import select_options
from satcal.diagram.layers import count_by_layers
from satcal.diagram.model import DiagramError
from satcal.diagram.puzzle import PuzzleDiagram, build_problem
from satcal.errors import SatcalError
from satcal.processes import LocalProcesses
from satcal.puzzle.loading import load, parse_puzzle
from satcal.puzzle.placements import cover_of


def peak_of(work):
    """Return the bytes that numpy and Python held at most during some work."""
    tracemalloc.start()
    try:
        with contextlib.suppress(SatcalError, DiagramError):
            work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def peaks_of_builds(board, limit):
    """Return the peaks of all counts of a board, and of those of its first date."""
    puzzle = load(board)
    problem = build_problem(cover_of(puzzle, None))
    first = [next(puzzle.reveals())]
    options = select_options(puzzle, problem, range(len(problem.mask)), first)
    return (
        peak_of(lambda: PuzzleDiagram.build(puzzle, memory_limit=limit)),
        peak_of(lambda: count_by_layers(problem, options, limit)),
    )


def peaks_of_reading(texts):
    """Return the peak of reading each text as a puzzle file."""
    return [peak_of(lambda text=text: parse_puzzle(text, "x.toml")) for text in texts]


@pytest.mark.parametrize(
    ("board", "megabytes"), [("tetromino", 5), ("tetromino", 25), ("rhombus", 12)]
)
def test_a_diagram_stays_within_the_limit(board, megabytes):
    limit = megabytes * 10**6
    with LocalProcesses(1) as executor:
        peaks = executor.submit(peaks_of_builds, board, limit).result()
    assert max(peaks) < 1.1 * limit + 10**6


def test_a_strangers_file_takes_little():
    with LocalProcesses(1) as executor:
        peaks = executor.submit(peaks_of_reading, [text for text, _ in HOSTILE]).result()
    assert max(peaks) < 20_000_000
