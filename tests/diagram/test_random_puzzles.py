"""The graph and the layers answer what brute force answers, by every way they may take."""

from __future__ import annotations

import contextlib
from collections import Counter
from unittest import mock

import pytest
from hypothesis import given

from oracle import Small, as_tiling, small_puzzles
from satcal.diagram import expansion, frontiers, graph, halves, layers, model, reveals
from satcal.diagram.layers import count_by_layers
from satcal.diagram.puzzle import PuzzleDiagram, build_problem, usable_options
from satcal.puzzle.placements import cover_of


def check(small: Small) -> None:
    """Compare every answer of a diagram with the brute force."""
    diagram = PuzzleDiagram.build(small.load())
    expected = {reveal: small.tilings(reveal) for reveal in small.reveals}
    assert diagram.counts() == {reveal: len(found) for reveal, found in expected.items()}
    assert diagram.count() == sum(map(len, expected.values()))
    for reveal, wanted in list(expected.items())[:6]:
        listed = list(diagram.tilings(reveal))
        assert Counter(map(as_tiling, listed)) == Counter(wanted)
        assert diagram.count(reveal) == len(wanted)
        containing = {
            (placed.piece, frozenset(placed.cells)): number
            for placed, number in diagram.containing(reveal).items()
        }
        assert Counter(containing) == Counter(part for each in wanted for part in each)
        for rank, tiling in enumerate(listed):
            assert diagram.tiling(rank, reveal) == tiling


WAYS = {
    "as usual": [],
    "Python integers as keys": [(halves, "MAX_KEY_BITS", 0)],
    "Python integers as counts": [(graph, "MAX_INT64", 2)],
    "Python integers as frontiers": [(expansion, "MAX_STATE_BITS", 0)],
    "Python integers as items": [
        (model, "choose_dtype", lambda bits: (object, int)),
        (halves, "MAX_KEY_BITS", 0),
    ],
    "the table of reveals in parts": [(reveals, "MAX_NUMBERS", 1)],
    "no tracked item": [(frontiers, "MAX_TRACKED", 0)],
    "two tracked items": [(frontiers, "MAX_TRACKED", 2)],
}
"""The usual way, and those that only large puzzles take."""


@pytest.mark.parametrize("way", WAYS)
@given(small=small_puzzles())
def test_every_answer_is_that_of_brute_force(way, small):
    with contextlib.ExitStack() as forced:
        for place, name, value in WAYS[way]:
            forced.enter_context(mock.patch.object(place, name, value))
        check(small)


@pytest.mark.parametrize("sum_bits", [layers.SUM_BITS, 12])
@given(small=small_puzzles())
def test_layers_count_what_brute_force_counts(sum_bits, small):
    cover = cover_of(small.load(), None)
    problem = build_problem(cover)
    for reveal in small.reveals:
        options = usable_options(cover, [reveal])
        with mock.patch.object(layers, "SUM_BITS", sum_bits):
            counted, _ = count_by_layers(problem, options)
        assert (counted, type(counted)) == (len(small.tilings(reveal)), int)
