"""Counts that are published, that satcal's tables hold, and that ``sat`` finds."""

from __future__ import annotations

import random

import pytest
from small import as_found, by_sat

from satcal.counting.tilings import tilings
from satcal.diagram.puzzle import open_diagram
from satcal.evidence.tables import Entry, read_manifest, read_table, results_folder
from satcal.puzzle.demands import parse_demands
from satcal.puzzle.loading import library, load

COUNTS = results_folder() / "counts"
TABLES = [entry for entry in read_manifest(COUNTS / "manifest.toml") if entry.board in library()]


LARGEST = "pentomino-8x8"


def quick(board: str, *given: object) -> object:
    """Return what a test is given of a board; the largest diagram is built by a long test."""
    marks = pytest.mark.long if board == LARGEST else ()
    return pytest.param(*given or (board,), marks=marks, id=board)


@pytest.mark.parametrize("entry", [quick(entry.board, entry) for entry in TABLES])
def test_the_tables_of_the_library_are_what_the_diagram_counts(entry: Entry) -> None:
    puzzle = load(entry.board)
    table = read_table(COUNTS / f"{entry.board}.csv", puzzle)
    assert table.digest == entry.digest
    counted = open_diagram(puzzle, list(puzzle.reveals())).counts()
    assert {frozenset(r): n for r, n in counted.items()} == {
        labels: row.tilings for labels, row in table.rows.items()
    }
    methods = {method for row in table.rows.values() for method in row.methods}
    assert methods <= {"diagram", "sat", "search", "verified"}


@pytest.mark.parametrize("board", [quick(board) for board in library()])
def test_a_few_reveals_of_each_library_puzzle_have_the_tilings_that_sat_finds(board: str) -> None:
    puzzle = load(board)
    diagram = open_diagram(puzzle, list(puzzle.reveals()))
    generator = random.Random(board)
    counts = diagram.counts()
    # the fewest tilings, so that sat is quick, also where the board has one reveal only
    cheap = sorted((reveal for reveal in counts if counts[reveal]), key=counts.__getitem__)
    for reveal in cheap[:2]:
        placed = generator.sample(
            diagram.random(generator, reveal), 2 if counts[reveal] > 100 else 0
        )
        demands = tuple(parse_demands(puzzle, map(str, placed)))
        found = as_found(tilings(puzzle, reveal, by_sat(demands=demands)))
        assert len(found) == len(set(found)) > 0
        assert set(as_found(diagram.tilings(reveal, demands))) == set(found)
