"""Counts that are published, that satcal's tables hold, and that ``sat`` finds."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from helpers.puzzles import as_found
from satcal.counting.settings import METHODS, SAT, Question
from satcal.counting.tilings import tilings
from satcal.diagram.puzzle import open_diagram
from satcal.published.own_tables import Tables, results_folder
from satcal.puzzle.demands import parse_demands
from satcal.puzzle.loading import library, load

TABLES = Tables(results_folder() / "counts")
LARGE = ("pentomino-8x8", "sh1ura-10", "sh1ura-11")
"""Boards whose diagrams take seconds, and are alike in all but size to one that is built."""


@pytest.mark.parametrize(
    "board",
    [pytest.param(each, marks=pytest.mark.long if each in LARGE else ()) for each in library()],
)
def test_the_diagram_agrees_with_the_table_and_with_sat(board):
    puzzle, generator = load(board), random.Random(board)
    diagram = open_diagram(puzzle, list(puzzle.reveals()))
    counts, table = diagram.counts(), TABLES.find(puzzle)
    assert counts == {reveal: table.tilings(reveal) for reveal in puzzle.reveals()}
    assert {method for row in table.rows.values() for method in row.methods} <= {*METHODS}
    # the fewest tilings, so that sat is quick, also where the board has one reveal only
    cheap = sorted((reveal for reveal in counts if counts[reveal]), key=counts.__getitem__)
    for reveal in cheap[:2]:
        placed = generator.sample(
            diagram.random(generator, reveal), 2 if counts[reveal] > 100 else 0
        )
        demands = tuple(parse_demands(puzzle, map(str, placed)))
        by_diagram = as_found(diagram.tilings(reveal, demands))
        found = as_found(tilings(Question(puzzle, [reveal], demands), SAT))
        assert Counter(found) == Counter(by_diagram) != Counter()
