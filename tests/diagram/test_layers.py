"""Layers count what the graph and brute force count, at any size, in less memory."""

from __future__ import annotations

import contextlib
import itertools
import re
from math import comb
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings

from helpers.puzzles import Small, domino_rectangle, small_puzzles, swaps, two_colours
from satcal.diagram import layers, puzzle
from satcal.diagram.build import build
from satcal.diagram.graph import Tilings
from satcal.diagram.layers import count_by_layers
from satcal.diagram.model import DiagramError, Layout, MemoryLimitError
from satcal.diagram.puzzle import PuzzleDiagram, counts_by_diagram, problem_of
from satcal.errors import TooLarge
from satcal.puzzle.demands import parse_demands
from satcal.puzzle.loading import load
from satcal.puzzle.placements import cover_of


def check(small: Small) -> None:
    """Compare the counts of layers with those of the graph and of brute force."""
    problem = problem_of(cover_of(small.load(), None))
    table, _ = count_by_layers(problem)
    assert table.ravel().tolist() == [len(small.tilings(reveal)) for reveal in small.reveals()]
    assert table.tolist() == Tilings(build(problem)).reveals().tolist()
    assert all(type(count) is int for count in table.ravel())


SHORT_NUMBERS = [
    (layers, "KINDS", (np.int64,)),
    (layers, "LIMB", 8),
    (layers, "SHORT", 2),
    (layers, "CHUNK", 2),
]
WAYS = {
    "as usual": [],
    "many limbs and digits": SHORT_NUMBERS,
    "limbs only where they are needed": [
        *SHORT_NUMBERS[1:],
        (layers, "KINDS", (np.int8, np.int64)),
    ],
}


@pytest.mark.parametrize("way", WAYS)
@given(small=small_puzzles())
@settings(max_examples=60)
def test_layers_graph_and_brute_force_agree(way, small):
    with contextlib.ExitStack() as forced:
        for place, name, value in WAYS[way]:
            forced.enter_context(mock.patch.object(place, name, value))
        check(small)


@pytest.mark.long
@given(small_puzzles())
@settings(max_examples=2000)
def test_two_thousand_random_puzzles(small):
    check(small)


@pytest.mark.parametrize(
    ("rows", "columns", "count"),
    [(2, 60, 2_504_730_781_961), (14, 14, 112_202_208_776_036_178_000_000)],
)  # a Fibonacci number, and a square by https://oeis.org/A004003
def test_dominoes_are_counted_exactly(rows, columns, count):
    rectangle = domino_rectangle(rows, columns).load()
    assert count_by_layers(problem_of(cover_of(rectangle, None)))[0].item() == count


def test_what_cannot_be_filled_is_counted_as_zero_whichever_sweep_ends_first():
    crosses = Small(
        (("*",) * 5,) * 5, {}, (("X", (".#.", "###", ".#."), 4, True), ("I", ("#" * 5,), 1, True))
    )
    puzzle = load("pentomino-3x20")
    demands = parse_demands(puzzle, ["X@r0c0"])
    assert count_by_layers(problem_of(cover_of(crosses.load(), None)))[0].item() == 0
    assert counts_by_diagram(puzzle, [()], demands, use_cache=False, memory_limit=10**6)[0] == {
        (): 0
    }


def test_the_mutilated_chessboard_and_a_cell_that_nothing_covers_have_no_tiling():
    for small in (
        domino_rectangle(8, 8, corners=False),
        Small((("*",) * 2,) * 2, {}, (("I3", ("###",), 1, True), ("A", ("#",), 1, True))),
    ):
        assert count_by_layers(problem_of(cover_of(small.load(), None)))[0].item() == 0


@pytest.mark.parametrize(
    ("cells", "way"),
    [
        *itertools.product([62, 66, 67, 68, 70], ["as usual", "many limbs and digits"]),
        (140, "as usual"),
    ],
)
def test_counts_near_and_beyond_2_to_the_64_are_exact_with_and_without_reveals(cells, way):
    each = comb(cells, cells // 2)
    with contextlib.ExitStack() as forced:
        for place, name, value in WAYS[way]:
            forced.enter_context(mock.patch.object(place, name, value))
        if cells < 140:
            assert count_by_layers(two_colours(cells, cells // 2))[0].item() == each
        table, _ = count_by_layers(two_colours(cells, cells // 2, labels=True))
    assert table.tolist() == [each] * (cells + 1)


def test_pieces_and_categories_that_fit_a_word_are_counted_and_more_are_refused():
    last, count = 0, 1  # as many as the Fibonacci number
    for _ in range(50):
        last, count = count, last + count
    assert count_by_layers(swaps(50))[0].tolist() == [[0, count], [count, 0]]
    with pytest.raises(DiagramError, match="a state needs 66 bits, and a layer has 63 for it"):
        count_by_layers(swaps(62))


def test_labels_of_several_sizes_in_a_category_are_told_apart():
    labels = [0b00001, 0b00011, 0b00110, 0b00100]  # two of each category
    dominoes = [3 << cell for cell in range(4)]
    problem = Layout(5, [1, 1, 1], [0] * 4 + [1, 1, 2, 2], dominoes + labels, categories=2)
    assert count_by_layers(problem)[0].tolist() == [[1, 0], [0, 1]]


@pytest.mark.parametrize(
    "board", ["a-puzzle-a-day", pytest.param("rhombus", marks=pytest.mark.long)]
)
def test_every_reveal_of_a_calendar_is_counted_as_by_the_graph(board):
    puzzle = load(board)
    diagram = PuzzleDiagram.build(puzzle)
    table, _ = count_by_layers(problem_of(diagram.cover))
    assert dict(zip(puzzle.reveals(), table.ravel().tolist(), strict=True)) == diagram.counts()


def test_the_memory_limit_chooses_between_graph_and_layers(daily):
    december = [("Dec", str(day)) for day in range(1, 32)]
    demands = parse_demands(daily, ["O@r6c0"])
    for placed, limit in (((), 10**7), (demands, 4 * 10**6)):
        graph, nodes = counts_by_diagram(daily, december, placed, use_cache=False)
        small, states = counts_by_diagram(
            daily, december, placed, use_cache=False, memory_limit=limit
        )
        assert small == graph
        assert states != nodes
    with pytest.raises(TooLarge, match="diagram of a-puzzle-a-day: it needs at least"):
        counts_by_diagram(daily, december, use_cache=False, memory_limit=10**5)


def test_dominoes_need_no_graph(monkeypatch):
    monkeypatch.setattr(puzzle, "build", None)
    counts, states = counts_by_diagram(domino_rectangle(8, 8).load(), [()], use_cache=False)
    assert (counts, states > 1000) == ({(): 12_988_816}, True)


@pytest.mark.parametrize(("kilobytes", "where"), [(100, "frontiers of layer"), (4000, "states of")])
def test_a_count_that_needs_more_memory_is_refused(kilobytes, where):
    problem = problem_of(cover_of(load("tetromino"), None))
    with pytest.raises(MemoryLimitError, match=where):
        count_by_layers(problem, memory_limit=kilobytes * 1000)


def test_progress_is_told_of_every_layer():
    told = []
    problem = problem_of(cover_of(domino_rectangle(4, 4).load(), None))
    count_by_layers(problem, progress=lambda *step: told.append(step))
    assert sorted(step[:2] for step in told) == [(layer, 17) for layer in range(16)]
    assert all(re.fullmatch(r"states, (1 state|[\d,]+ states)", what) for _, _, what in told)
