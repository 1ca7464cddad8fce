"""Counts that satcal's tables hold, that are listed, and that ``sat`` finds with pieces placed."""

from __future__ import annotations

import math
import random
from collections import Counter

import pytest

from oracle import as_tiling
from satcal.counting.method import Meter
from satcal.counting.methods import method_named
from satcal.diagram.puzzle import open_diagram
from satcal.published.shipped import shipped_counts
from satcal.puzzle.loading import library, load

LARGE = {"sh1ura-9", "sh1ura-10", "sh1ura-11", "weekday", "weekday-monday"}
LARGE |= {n for n in library() if n.startswith("pentomino-8x8")}
"""Boards whose diagrams take a second or more, and are alike to one that is built."""
SLOW_TO_LIST = {"rhombus", *LARGE}
SMALLEST = {"rhombus": 216_432, "calendarium": 75_814, "tetromino": 79_517}
"""The fewest nodes that any of the sixteen orders of filling gives."""


@pytest.mark.parametrize(
    "board",
    [pytest.param(each, marks=pytest.mark.long if each in LARGE else ()) for each in library()],
)
def test_the_diagram_agrees_with_the_table_with_listing_and_with_sat(board):
    puzzle, generator = load(board), random.Random(board)
    diagram = open_diagram(puzzle, list(puzzle.reveals()))
    counts, table = diagram.counts(), shipped_counts(puzzle)
    assert counts == {reveal: table[reveal] for reveal in puzzle.reveals()}
    assert diagram.diagram.nodes <= 1.1 * SMALLEST.get(board, math.inf)
    if board not in SLOW_TO_LIST:
        assert method_named("listing").counts(puzzle, list(counts), (), Meter()) == counts
    # the fewest tilings, so that sat is quick, also where the board has one reveal only
    cheap = sorted((reveal for reveal in counts if counts[reveal]), key=counts.__getitem__)
    for reveal in cheap[:2]:
        tiling = diagram.tiling(generator.randrange(counts[reveal]), reveal)
        placed = generator.sample(tiling, 2 if counts[reveal] > 100 else 0)
        by_diagram = map(as_tiling, diagram.tilings(reveal, placed))
        found = map(as_tiling, method_named("sat").tilings(puzzle, reveal, placed, Meter()))
        assert Counter(found) == Counter(by_diagram) != Counter()
