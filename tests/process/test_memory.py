"""What is held at most, in a process of its own: other threads would be measured, too."""

import contextlib
import tracemalloc
from pathlib import Path

import pytest

from helpers.hostile import HOSTILE
from oracle import Piece, Small, rectangle
from satcal.diagram.build import build
from satcal.diagram.counts import counts_by_diagram
from satcal.diagram.layers import count_by_layers
from satcal.diagram.model import DiagramError
from satcal.diagram.puzzle import PuzzleDiagram, build_problem, usable_options
from satcal.errors import SatcalError
from satcal.processes import LocalProcesses
from satcal.puzzle.loading import load, parse_puzzle
from satcal.puzzle.placements import cover_of

DOMINOES = Path(__file__).parents[1] / "proof" / "vectors" / "good-dominoes.satcert"


def peak_of(work):
    """Return the bytes that numpy and Python held at most during some work."""
    tracemalloc.start()
    try:
        with contextlib.suppress(SatcalError, DiagramError):
            work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def in_a_process(work, *arguments):
    """Return what a function measures in a process of its own."""
    with LocalProcesses(1) as executor:
        return executor.submit(work, *arguments).result()


def peaks_of_builds(board, limit):
    """Return the peaks of all counts of a board, and of those of its first date."""
    puzzle = load(board)
    cover = cover_of(puzzle, None)
    problem = build_problem(cover)
    options = usable_options(cover, [next(puzzle.reveals())])
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
    assert max(in_a_process(peaks_of_builds, board, limit)) < 1.1 * limit + 10**6


def peaks_of_one_number():
    """Return the peaks of one number of tilings: by a graph, and by layers."""
    shapes = {"L4": ("###", "#.."), "T4": ("###", ".#."), "O4": ("##", "##"), "I4": ("####",)}
    pieces = [Piece(name, rows, 8) for name, rows in shapes.items()]
    problem = build_problem(cover_of(rectangle(4, 32, *pieces).load(), None))
    return peak_of(lambda: build(problem)), peak_of(lambda: count_by_layers(problem))


def test_one_number_takes_a_fraction_of_a_graph():
    whole, layers = in_a_process(peaks_of_one_number)
    assert 4 * layers < whole


def peak_of_one_reveal():
    """Return the peak of a count of one of 40 million reveals."""
    names = "abcdefghi"
    labels = tuple((name, tuple(f"{name}{number}" for number in range(7))) for name in names)
    board = tuple(texts for _, texts in labels)
    puzzle = Small(board, (Piece("I2", ("##",), 27),), labels).load()
    reveal = tuple(f"{name}0" for name in names)
    return peak_of(lambda: counts_by_diagram(puzzle, [reveal], use_cache=False))


def test_the_other_reveals_take_no_memory():
    assert in_a_process(peak_of_one_reveal) < 10_000_000


def test_a_strangers_file_takes_little():
    assert max(in_a_process(peaks_of_reading, [text for text, _ in HOSTILE])) < 20_000_000


def test_a_proof_is_held_to_the_memory(shell, folder):
    answer = shell(f"satcal check {DOMINOES} --proof lrat --memory-limit 0.12 -q")
    assert (answer.code, [path.name for path in folder.iterdir()]) == (3, ["tmp"])
    assert "not fully written" in answer.err
    assert answer.err.endswith("raise --memory-limit\n")
