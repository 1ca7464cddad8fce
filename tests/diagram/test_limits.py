"""Limits, progress, and puzzles without a tiling."""

from __future__ import annotations

import pytest

from oracle import Piece, rectangle
from satcal.diagram import reveals
from satcal.diagram.counts import counts_by_diagram
from satcal.diagram.graph import Tilings
from satcal.diagram.layers import count_by_layers
from satcal.diagram.model import DiagramError
from satcal.diagram.puzzle import PuzzleDiagram, build_problem
from satcal.errors import BudgetExhausted, TooLarge
from satcal.puzzle.loading import load
from satcal.puzzle.placements import cover_of


@pytest.mark.parametrize(
    ("megabytes", "where"),
    [
        (3, "steps from layer"),
        (5.5, "frontiers of layer"),
        (9, "frontiers that can be completed"),
        (9.5, "arcs"),
        (20, "states of layer"),
        (28, "numbering of the nodes"),
    ],
)
def test_a_build_that_needs_more_memory_is_refused(megabytes, where):
    with pytest.raises(TooLarge, match=rf"tetromino: .*\({where}"):
        PuzzleDiagram.build(load("tetromino"), memory_limit=int(megabytes * 10**6))


@pytest.mark.parametrize("room", ["frontiers", "halves"])
def test_more_states_than_32_bits_can_number_are_refused(monkeypatch, room):
    monkeypatch.setattr(f"satcal.diagram.{room}.MAX_STATES", 1000)
    with pytest.raises(TooLarge, match="1,000 states"):
        PuzzleDiagram.build(load("tetromino"))


def test_a_large_table_of_reveals_is_counted_in_parts_of_bounded_size(daily, monkeypatch):
    diagram, sizes = PuzzleDiagram.build(daily), []
    count, size = reveals.RevealCounts.count, reveals.RevealCounts(Tilings(diagram.diagram)).size()

    def count_and_note(part):
        sizes.append(part.size())
        return count(part)

    expected = diagram.counts()
    monkeypatch.setattr(reveals.RevealCounts, "count", count_and_note)
    monkeypatch.setattr(reveals, "MAX_NUMBERS", size // 3)
    assert diagram.counts() == expected
    assert len(sizes) > 1
    assert max(sizes) <= size // 3


def test_progress_is_told_of_every_layer(daily):
    told = []
    PuzzleDiagram.build(daily, [("Oct", "6")], progress=lambda *step: told.append(step))
    layers = range(len(daily.cells) + 1)
    assert {total for _, total, _ in told} == {len(layers)}
    layers_of = {}
    for layer, _, what in told:
        layers_of.setdefault(what.partition(",")[0], set()).add(layer)
    assert list(layers_of) == ["frontiers", "states", "join"]
    assert layers_of["frontiers"] == set(layers)
    assert layers_of["states"] == set(layers[1:-1])


@pytest.mark.parametrize("looks", [1, 40])
def test_a_build_ends_at_the_look_at_which_the_time_is_up(daily, looks):
    seen = []

    def look(*step):
        seen.append(step)
        if len(seen) == looks:
            raise BudgetExhausted("time limit reached")

    for work in (
        lambda: PuzzleDiagram.build(daily, progress=look),
        lambda: counts_by_diagram(daily, list(daily.reveals()), use_cache=False, progress=look),
        lambda: count_by_layers(build_problem(cover_of(daily, None)), progress=look),
    ):
        seen.clear()
        with pytest.raises(BudgetExhausted):
            work()
        assert len(seen) == looks


def test_a_puzzle_without_a_tiling_has_an_empty_diagram():
    diagram = PuzzleDiagram.build(rectangle(2, 4, Piece("T", ("###", ".#."), 2)).load())
    assert (diagram.diagram.nodes, diagram.diagram.arcs) == (0, 0)
    for part in (diagram, diagram.only(())):
        assert (part.counts(), part.count(), list(part.tilings())) == ({(): 0}, 0, [])
        assert not any(part.containing().values())
    with pytest.raises(DiagramError, match="rank 0"):
        Tilings(diagram.diagram).kth(0)
