"""What a diagram answers: ranks, random tilings, placements, slices, and what it refuses."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from small import domino_rectangle

from satcal.counting.hint import hint
from satcal.diagram.graph import Tilings
from satcal.diagram.model import DiagramError
from satcal.diagram.puzzle import PuzzleDiagram
from satcal.errors import OptionError, PlacementError
from satcal.puzzle.demands import parse_demands
from satcal.puzzle.model import Reveal

OCT_6, JAN_25, DEC_25 = ("Oct", "6"), ("Jan", "25"), ("Dec", "25")
THURSDAY = ("Thu", "Oct", "23")


def chi_squared_bound(freedom: int, deviations: float) -> float:
    """Return the quantile of chi squared by the cube of a normal one (Wilson and Hilferty)."""
    spread = 2 / (9 * freedom)
    return freedom * (1 - spread + deviations * spread**0.5) ** 3


def test_random_tilings_are_uniform_by_a_chi_squared_test_on_201_tilings(
    rhombus_diagram: PuzzleDiagram,
) -> None:
    diagram = rhombus_diagram.only(THURSDAY)
    generator = random.Random(2025)
    draws = 20_000
    seen = Counter(diagram.random(generator, THURSDAY) for _ in range(draws))
    assert len(seen) == 201
    expected = draws / 201
    statistic = sum((times - expected) ** 2 / expected for times in seen.values())
    # 3.09 standard deviations: once in a thousand on either side, and the seed is fixed
    assert chi_squared_bound(200, -3.09) < statistic < chi_squared_bound(200, 3.09)


def test_a_diagram_of_some_reveals_counts_like_the_whole_and_refuses_others(
    rhombus_diagram: PuzzleDiagram,
) -> None:
    puzzle, counts = rhombus_diagram.puzzle, rhombus_diagram.counts()
    for reveals in ([THURSDAY], [reveal for reveal in counts if reveal[1] == "Feb"]):
        part = PuzzleDiagram.build(puzzle, reveals)
        assert part.counts() == {reveal: counts[reveal] for reveal in reveals}
        assert list(part.tilings(reveals[0])) == list(rhombus_diagram.tilings(reveals[0]))
        for ask in (part.count, lambda r: list(part.tilings(r)), part.containing):  # noqa: B023
            with pytest.raises(OptionError, match="not built for the reveal Mon Jan 1"):
                ask(("Mon", "Jan", "1"))
    with pytest.raises(OptionError, match="not built for all reveals; name one"):
        part.count()
    assert PuzzleDiagram.build(puzzle, [THURSDAY]).count() == 201


def test_what_is_no_tiling_of_a_date_has_no_rank(
    daily_diagram: PuzzleDiagram, rhombus_diagram: PuzzleDiagram
) -> None:
    tiling = daily_diagram.tiling(0, OCT_6)
    wrong = [(tiling, JAN_25), (tiling[1:], OCT_6), (rhombus_diagram.tiling(0), OCT_6)]
    for other, reveal in wrong:
        with pytest.raises(PlacementError, match=f"no tiling of {' '.join(reveal)}"):
            daily_diagram.rank(other, reveal)
    every = Tilings(daily_diagram.diagram)
    with pytest.raises(DiagramError, match="only part"):
        every.rank(every.kth(0)[:3])


@pytest.mark.parametrize("labels", [("Oct",), ("6",), ("Oct", "6"), ("6", "Oct")])
def test_a_slice_has_the_counts_of_its_reveals_and_knows_no_others(
    daily_diagram: PuzzleDiagram, labels: Reveal
) -> None:
    part = daily_diagram.only(labels)
    wanted = {r: n for r, n in daily_diagram.counts().items() if set(labels) <= set(r)}
    assert part.counts() == wanted
    with pytest.raises(OptionError, match="was not built for the reveal Jan 25"):
        part.count(JAN_25)


def test_slices_of_slices_have_the_same_tilings_and_hints_in_the_same_order(
    daily_diagram: PuzzleDiagram,
) -> None:
    generator = random.Random(7)
    for month, day in (("Oct", "6"), ("Jan", "25"), ("Feb", "30")):
        reveal = (month, day)
        part = daily_diagram.only([month]).only(reveal)
        assert part.diagram.nodes < daily_diagram.diagram.nodes / 10
        assert list(part.tilings(reveal)) == list(daily_diagram.tilings(reveal))
        assert part.rank(part.tiling(5, reveal), reveal) == 5
        tiling = daily_diagram.random(generator, reveal)
        for number in range(len(tiling) + 1):
            demands = parse_demands(daily_diagram.puzzle, map(str, tiling[:number]))
            assert hint(part, reveal, demands) == hint(daily_diagram, reveal, demands)


def test_a_slice_without_a_tiling_counts_none() -> None:
    diagram = PuzzleDiagram.build(domino_rectangle(4, 4, corners=False).load())
    assert diagram.only(()).count() == 0
    assert list(diagram.only(()).tilings()) == []
