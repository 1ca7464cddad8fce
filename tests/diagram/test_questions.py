"""What a diagram answers: ranks, random tilings, placements, groups, and what it refuses."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from small import as_found

from satcal.counting.settings import Settings
from satcal.counting.tilings import tilings
from satcal.diagram.model import DiagramError
from satcal.diagram.puzzle import PuzzleDiagram
from satcal.diagram.questions import Tilings
from satcal.errors import NoTiling, OptionError, PlacementError
from satcal.puzzle.loading import load
from satcal.puzzle.model import Puzzle
from satcal.puzzle.place import parse_demands

SAT = Settings(method="sat")
DATES = [("Oct", "6"), ("Dec", "1"), ("Dec", "25"), ("Feb", "29")]
THURSDAY = ("Thu", "Oct", "23")


@pytest.mark.parametrize("reveal", DATES, ids=" ".join)
def test_all_tilings_in_order_are_those_of_sat_and_none_comes_twice(
    daily: Puzzle, daily_diagram: PuzzleDiagram, reveal: tuple[str, ...]
) -> None:
    listed = list(daily_diagram.tilings(reveal))
    found = as_found(listed)
    assert len(found) == len(set(found)) == daily_diagram.count(reveal)
    assert set(found) == set(as_found(tilings(daily, reveal, SAT)))
    assert [daily_diagram.rank(tiling, reveal) for tiling in listed] == list(range(len(listed)))
    assert listed[5] == daily_diagram.tiling(5, reveal)


def test_all_25061_tilings_of_all_reveals_are_different(daily_diagram: PuzzleDiagram) -> None:
    found = as_found(daily_diagram.tilings())
    assert len(found) == len(set(found)) == 25_061


def inverse(diagram: PuzzleDiagram, draws: int) -> None:
    """Check on random ranks that ``rank`` undoes ``kth``."""
    every = Tilings(diagram.diagram)
    generator = random.Random(3)
    for _ in range(draws):
        rank = generator.randrange(every.count())
        assert every.rank(every.kth(rank)) == rank


def test_rank_and_kth_are_inverse_on_3000_draws_from_a_whole_puzzle(
    rhombus_diagram: PuzzleDiagram,
) -> None:
    inverse(rhombus_diagram, 3000)


@pytest.mark.long
def test_rank_and_kth_are_inverse_on_100000_draws_from_a_whole_puzzle(
    rhombus_diagram: PuzzleDiagram,
) -> None:
    inverse(rhombus_diagram, 100_000)


def chi_squared_bound(freedom: int, deviations: float) -> float:
    """Return the quantile of chi squared by the cube of a normal one (Wilson and Hilferty)."""
    spread = 2 / (9 * freedom)
    return freedom * (1 - spread + deviations * spread**0.5) ** 3


def test_random_tilings_are_uniform_by_a_chi_squared_test_on_201_tilings() -> None:
    diagram = PuzzleDiagram.build(load("rhombus"), [THURSDAY])
    every = Tilings(diagram.diagram)
    assert every.count() == 201
    generator = random.Random(2025)
    draws = 20_000
    seen = Counter(tuple(every.sample(generator)) for _ in range(draws))
    assert len(seen) == 201
    expected = draws / 201
    statistic = sum((times - expected) ** 2 / expected for times in seen.values())
    # 3.09 standard deviations: once in a thousand on either side, and the seed is fixed
    assert chi_squared_bound(200, -3.09) < statistic < chi_squared_bound(200, 3.09)


def test_the_same_seed_draws_the_same_tiling_and_another_seed_another(
    daily_diagram: PuzzleDiagram,
) -> None:
    drawn = [daily_diagram.random(random.Random(seed), ("Jan", "25")) for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert drawn[0] in set(daily_diagram.tilings(("Jan", "25")))


def test_each_placement_fixed_alone_leaves_as_many_tilings_as_contain_it(
    daily: Puzzle, daily_diagram: PuzzleDiagram
) -> None:
    reveal = ("Dec", "25")
    containing = daily_diagram.containing(reveal)
    assert sum(containing.values()) == 92 * len(daily.pieces)
    every = set(as_found(daily_diagram.tilings(reveal)))
    for placement, number in containing.items():
        part = (placement.piece, frozenset(placement.cells))
        assert number == sum(part in found for found in every)


@pytest.mark.parametrize("reveal", [("Jan", "25"), ("Oct", "6")], ids=" ".join)
def test_fixed_placements_leave_what_sat_finds_with_them(
    daily: Puzzle, daily_diagram: PuzzleDiagram, reveal: tuple[str, ...]
) -> None:
    generator = random.Random(7)
    for fixed in (1, 2, 3, 1, 2, 3):
        chosen = generator.sample(daily_diagram.random(generator, reveal), fixed)
        demands = parse_demands(daily, [str(placement) for placement in chosen])
        by_sat = as_found(tilings(daily, reveal, Settings(method="sat", demands=tuple(demands))))
        assert len(by_sat) > 0
        assert set(as_found(daily_diagram.tilings(reveal, demands))) == set(by_sat)
        assert daily_diagram.count(reveal, demands) == len(by_sat)
        assert daily_diagram.counts(demands)[reveal] == len(by_sat)


@pytest.mark.parametrize("text", ["U@r0c0", "V@r6c0", "P@r3c3"])
def test_a_piece_on_a_cell_is_counted_like_sat_on_that_date_and_built_or_asked_for(
    daily: Puzzle, daily_diagram: PuzzleDiagram, text: str
) -> None:
    demands = parse_demands(daily, [text])
    built = PuzzleDiagram.build(daily, demands=demands)
    assert built.counts() == daily_diagram.counts(demands)
    reveal = ("Dec", "1")
    by_sat = as_found(tilings(daily, reveal, Settings(method="sat", demands=tuple(demands))))
    assert built.count(reveal) == daily_diagram.count(reveal, demands) == len(by_sat)
    assert set(as_found(built.tilings(reveal))) == set(by_sat)


def test_a_diagram_of_one_reveal_or_of_a_month_counts_like_the_whole(
    daily: Puzzle, daily_diagram: PuzzleDiagram
) -> None:
    counts = daily_diagram.counts()
    for reveal in DATES:
        alone = PuzzleDiagram.build(daily, [reveal])
        assert alone.counts() == {reveal: counts[reveal]}
        assert list(alone.tilings(reveal)) == list(daily_diagram.tilings(reveal))
        assert alone.diagram.nodes < daily_diagram.diagram.nodes / 5
    june = [reveal for reveal in counts if reveal[0] == "Jun"]
    assert PuzzleDiagram.build(daily, june).counts() == {r: counts[r] for r in june}


def test_a_month_of_three_categories_counts_like_the_whole(
    rhombus_diagram: PuzzleDiagram,
) -> None:
    counts = rhombus_diagram.counts()
    month = [reveal for reveal in counts if reveal[1] == "Feb"]
    part = PuzzleDiagram.build(rhombus_diagram.puzzle, month)
    assert part.counts() == {reveal: counts[reveal] for reveal in month}


def test_a_rank_that_no_tiling_has_is_refused(daily_diagram: PuzzleDiagram) -> None:
    for rank in (-1, 7):
        with pytest.raises(NoTiling, match=f"no tiling of rank {rank}: there are 7"):
            daily_diagram.tiling(rank, ("Oct", "6"))
    with pytest.raises(DiagramError, match="no tiling 25061: there are 25061"):
        Tilings(daily_diagram.diagram).kth(25_061)


def test_a_tiling_of_another_date_or_only_part_of_one_has_no_rank(
    daily_diagram: PuzzleDiagram,
) -> None:
    tiling = daily_diagram.tiling(0, ("Oct", "6"))
    with pytest.raises(PlacementError, match="no tiling of Jan 25"):
        daily_diagram.rank(tiling, ("Jan", "25"))
    with pytest.raises(PlacementError, match="no tiling of Oct 6"):
        daily_diagram.rank(tiling[1:], ("Oct", "6"))
    every = Tilings(daily_diagram.diagram)
    with pytest.raises(DiagramError, match="only part"):
        every.rank(every.kth(0)[:3])


def test_a_placement_that_the_puzzle_does_not_have_has_no_rank(
    daily_diagram: PuzzleDiagram, rhombus_diagram: PuzzleDiagram
) -> None:
    foreign = rhombus_diagram.tiling(0)
    with pytest.raises(PlacementError, match="no tiling of Oct 6"):
        daily_diagram.rank(foreign, ("Oct", "6"))


def test_a_reveal_that_the_diagram_was_not_built_for_is_refused_and_not_zero(
    daily: Puzzle,
) -> None:
    diagram = PuzzleDiagram.build(daily, [("Oct", "6")])
    for ask in (diagram.count, lambda r: list(diagram.tilings(r)), diagram.containing):
        with pytest.raises(OptionError, match="not built for the reveal Oct 7"):
            ask(("Oct", "7"))


def test_demands_that_no_tiling_meets_leave_none(
    daily: Puzzle, daily_diagram: PuzzleDiagram
) -> None:
    reveal = ("Oct", "6")
    unused = next(p for p, n in daily_diagram.containing(reveal).items() if not n)
    demands = parse_demands(daily, [str(unused)])
    assert daily_diagram.count(reveal, demands) == 0
    assert list(daily_diagram.tilings(reveal, demands)) == []
    with pytest.raises(NoTiling, match="no tiling to draw"):
        daily_diagram.random(random.Random(1), reveal, demands)
