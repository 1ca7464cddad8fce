"""Every puzzle of the library is counted alike by the diagram and by ``sat``."""

from __future__ import annotations

import random

import pytest
from small import as_found

from satcal.counting.count import count_reveals
from satcal.counting.settings import Settings, Status
from satcal.counting.tilings import tilings
from satcal.diagram.puzzle import PuzzleDiagram, open_diagram
from satcal.puzzle.loading import library, load
from satcal.puzzle.place import parse_demands


@pytest.mark.parametrize("board", library())
def test_a_few_reveals_of_each_library_puzzle_have_the_tilings_that_sat_finds(board: str) -> None:
    puzzle = load(board)
    diagram = open_diagram(puzzle, list(puzzle.reveals()))
    generator = random.Random(board)
    counts = diagram.counts()
    # the fewest tilings, so that sat is quick, also where the board has one reveal only
    cheap = sorted((reveal for reveal in counts if counts[reveal]), key=counts.__getitem__)
    for reveal in cheap[:2]:
        chosen = generator.sample(
            diagram.random(generator, reveal), 2 if counts[reveal] > 100 else 0
        )
        demands = tuple(parse_demands(puzzle, [str(placement) for placement in chosen]))
        by_sat = as_found(tilings(puzzle, reveal, Settings(method="sat", demands=demands)))
        assert len(by_sat) == len(set(by_sat)) > 0
        assert set(as_found(diagram.tilings(reveal, demands))) == set(by_sat)


@pytest.mark.long
@pytest.mark.parametrize("board", library())
def test_60_reveals_of_each_library_puzzle_or_all_it_has_agree_with_sat(board: str) -> None:
    puzzle = load(board)
    reveals = list(puzzle.reveals())
    sample = random.Random(board).sample(reveals, min(60, len(reveals)))
    counts = PuzzleDiagram.build(puzzle).counts()
    by_sat = dict(count_reveals(puzzle, sample, Settings(method="sat")))
    assert {outcome.status for outcome in by_sat.values()} == {Status.EXACT}
    assert {reveal: outcome.tilings for reveal, outcome in by_sat.items()} == {
        reveal: counts[reveal] for reveal in sample
    }
