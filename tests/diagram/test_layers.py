"""Layers count what the graph and brute force count, at any size, in less memory."""

from __future__ import annotations

from math import comb
from unittest import mock

import pytest

from exact_covers import number_of_swaps, swaps, two_colours
from oracle import dominoes
from satcal.diagram import counts, layers
from satcal.diagram.build import build
from satcal.diagram.counts import counts_by_diagram
from satcal.diagram.graph import Tilings
from satcal.diagram.layers import count_by_layers
from satcal.diagram.model import ExactCover, MemoryLimitError
from satcal.diagram.puzzle import PuzzleDiagram, build_problem
from satcal.errors import TooLarge
from satcal.puzzle.loading import load
from satcal.puzzle.placements import cover_of


def test_dominoes_on_18_by_18_take_few_states():
    """The bound on time and memory is one on states: 6.4 million of some 40 bytes at once."""
    problem = build_problem(cover_of(dominoes(18, 18).load(), None))
    count, states = count_by_layers(problem, memory_limit=30 * 10**6)
    assert count == 548_943_583_215_388_338_077_567_813_208_427_340_288  # oeis.org/A004003
    assert states < 7 * 10**6


@pytest.mark.parametrize(
    ("cells", "sum_bits"),
    [
        *((cells, layers.SUM_BITS) for cells in (57, 58, 66, 67, 68, 140)),  # digits of 54 bits
        *((cells, 12) for cells in (8, 10, 30, 66)),  # of 7, and of 4
    ],
)
def test_counts_near_a_limb_and_beyond_are_exact(cells, sum_bits, monkeypatch):
    monkeypatch.setattr(layers, "SUM_BITS", sum_bits)
    assert count_by_layers(two_colours(cells, cells // 2))[0] == comb(cells, cells // 2)


@pytest.mark.parametrize("pieces", [50, 62, 115])
def test_states_may_be_wider_than_a_word(pieces):
    assert count_by_layers(swaps(pieces))[0] == 2 * number_of_swaps(pieces)


def test_frontiers_may_be_wider_than_a_word():
    pair, singles = 1 | 1 << 79, [1 << cell for cell in range(80)]
    problem = ExactCover(80, [1, 78], [0] + [1] * 80, [pair, *singles])
    assert count_by_layers(problem)[0] == Tilings(build(problem)).count() == 1


def test_the_memory_limit_halves_the_reveals_and_then_leaves_the_graph(daily, monkeypatch):
    december = [("Dec", str(day)) for day in range(1, 9)]
    placed = PuzzleDiagram.build(daily, [("Dec", "25")]).tiling(0)[:1]
    for table, limit in ((placed, 1_500_000), ((), 8_000_000)):
        graph, nodes = counts_by_diagram(daily, december, table, use_cache=False)
        halves, more = counts_by_diagram(
            daily, december, table, use_cache=False, memory_limit=limit
        )
        assert halves == graph
        assert more > nodes
    for limit in (0, 10**4):
        with pytest.raises(TooLarge, match="a-puzzle-a-day"):
            counts_by_diagram(daily, december, use_cache=False, memory_limit=limit)
    monkeypatch.setattr(counts, "build", mock.Mock(side_effect=MemoryLimitError("too large")))
    by_layers, _ = counts_by_diagram(daily, december, use_cache=False)
    assert {reveal: by_layers[reveal] for reveal in december} == graph


@pytest.mark.parametrize("kilobytes", [100, 300, 4000])
def test_a_count_that_needs_more_memory_is_refused(kilobytes):
    problem = build_problem(cover_of(load("tetromino"), None))
    with pytest.raises(MemoryLimitError, match="layer"):
        count_by_layers(problem, memory_limit=kilobytes * 1000)


def test_progress_is_told_of_every_layer_and_of_each_option_of_a_cell():
    """No layer, however large, is worked on for long without a look at the clock."""
    told = []
    problem = build_problem(cover_of(dominoes(4, 4).load(), None))
    count_by_layers(problem, progress=lambda *step: told.append(step))
    layers = {step[:2] for step in told if step[2].startswith("states")}
    assert layers == {(layer, 17) for layer in range(17)}
    assert len(told) > len(problem.mask)
