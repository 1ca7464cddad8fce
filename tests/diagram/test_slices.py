"""A slice of a diagram answers what the whole one answers under the same condition."""

from __future__ import annotations

import random

import pytest
from small import domino_rectangle

from satcal.counting.hint import hint
from satcal.diagram.puzzle import PuzzleDiagram
from satcal.errors import OptionError
from satcal.puzzle.model import Puzzle
from satcal.puzzle.place import parse_demands


@pytest.fixture(scope="module")
def whole(daily: Puzzle) -> PuzzleDiagram:
    return PuzzleDiagram.build(daily)


@pytest.mark.parametrize("labels", [("Oct",), ("6",), ("Oct", "6"), ("6", "Oct")])
def test_a_slice_has_the_counts_of_its_reveals(whole: PuzzleDiagram, labels) -> None:
    wanted = {r: n for r, n in whole.counts().items() if set(labels) <= set(r)}
    assert whole.only(labels).counts() == wanted


def test_a_slice_has_the_tilings_in_the_same_order(whole: PuzzleDiagram) -> None:
    reveal = ("Dec", "25")
    part = whole.only(reveal)
    assert part.diagram.nodes < whole.diagram.nodes / 10
    assert list(part.tilings(reveal)) == list(whole.tilings(reveal))
    assert part.tiling(40, reveal) == whole.tiling(40, reveal)
    assert part.rank(part.tiling(40, reveal), reveal) == 40


def test_slices_of_slices_give_the_same_hints_with_pieces_placed(whole: PuzzleDiagram) -> None:
    generator = random.Random(7)
    for month, day in (("Oct", "6"), ("Jan", "25"), ("Feb", "30")):
        part = whole.only([month]).only([month, day])
        tiling = whole.random(generator, (month, day))
        for number in range(len(tiling) + 1):
            demands = parse_demands(whole.puzzle, map(str, tiling[:number]))
            assert hint(part, (month, day), demands) == hint(whole, (month, day), demands)


def test_a_slice_knows_no_other_reveal(whole: PuzzleDiagram) -> None:
    with pytest.raises(OptionError, match="was not built for the reveal Oct 7"):
        whole.only(("Oct", "6")).count(("Oct", "7"))


def test_a_slice_without_a_tiling_counts_none() -> None:
    diagram = PuzzleDiagram.build(domino_rectangle(4, 4, corners=False).load())
    assert diagram.only(()).count() == 0
    assert list(diagram.only(()).tilings()) == []
