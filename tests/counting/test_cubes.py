"""Cubes of a reveal add up to it, whoever counts them."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from small import Small, as_found, by_sat, small_puzzles

from satcal.counting.count import added, count_reveals
from satcal.counting.cubes import plans, remaining, shares
from satcal.counting.settings import Outcome, Settings, Status
from satcal.counting.tilings import tilings
from satcal.diagram.puzzle import open_diagram
from satcal.proof.verifier import Verifier
from satcal.puzzle.demands import parse_demands
from satcal.puzzle.model import Puzzle

OCT_6, OCT_7 = ("Oct", "6"), ("Oct", "7")


def test_cubes_are_no_larger_than_asked_for_and_their_tilings_are_those_of_the_whole(
    daily: Puzzle,
) -> None:
    ((reveal, cubes),) = plans(daily, [OCT_7], 30)
    assert len(cubes) > 3
    verifier = Verifier(daily, OCT_7)
    counts = []
    for cube in cubes:
        chosen = [placement for _, placement in cube]
        rest = remaining(daily, reveal, cube)
        every = list(open_diagram(rest, [()]).tilings(())) if rest.cells else [()]
        assert not any(verifier.fault([*chosen, *tiling]) for tiling in every)
        counts.append(len(every))
    assert max(counts) <= 30
    assert sum(counts) == 92


def test_few_tilings_and_boards_too_large_for_the_diagram_are_not_cut(daily: Puzzle) -> None:
    assert plans(daily, [OCT_7, OCT_6], 92) == [(OCT_7, [()]), (OCT_6, [()])]
    small = Settings(use_cache=False, memory_limit=10**6)
    assert plans(daily, [OCT_6], 2, small) == [(OCT_6, [()])]


def test_a_run_that_has_no_time_to_cut_is_unknown(daily: Puzzle) -> None:
    in_no_time = by_sat(cubes=2, use_cache=False, time_limit=0.0)
    ((_, outcome),) = count_reveals(daily, [OCT_6], in_no_time)
    assert outcome.status is Status.UNKNOWN
    assert outcome.message.startswith("the diagram was not built in time")


def test_the_cubes_of_several_dates_add_up_to_each_of_them(daily: Puzzle) -> None:
    counted = dict(count_reveals(daily, [OCT_7, OCT_6], by_sat(cubes=20, jobs=2)))
    assert counted == {OCT_7: Outcome(Status.EXACT, 92), OCT_6: Outcome(Status.EXACT, 7)}


@pytest.mark.parametrize("method", ["sat", "search"])
def test_cubes_down_to_single_tilings_and_copies_add_up(method: str, two_l4: Small) -> None:
    single = Settings(method=method, cubes=1)
    counted = list(count_reveals(two_l4.load(), [()], single, ThreadPoolExecutor))
    assert counted == [((), Outcome(Status.EXACT, 2))]


def test_a_part_that_is_not_exact_makes_the_sum_a_lower_bound() -> None:
    unknown = Outcome(Status.UNKNOWN, 2, "stopped", 3)
    parts = [Outcome(Status.EXACT, 5), unknown, Outcome(Status.EXACT, 1)]
    assert added(parts) == Outcome(Status.UNKNOWN, 8, "stopped", 3)
    failed = Outcome(Status.ERROR, 0, "no solver", 4)
    assert added([*parts, failed]) == Outcome(Status.ERROR, 8, "no solver", 4)


@given(small=small_puzzles())
@settings(max_examples=40)
def test_each_tiling_is_in_exactly_one_share(small: Small) -> None:
    puzzle = small.load()
    for reveal in small.reveals()[:2]:
        every = [
            tiling
            for demands in shares(puzzle, reveal)
            for tiling in tilings(puzzle, reveal, Settings(demands=demands, use_cache=False))
        ]
        assert Counter(as_found(every)) == Counter(small.tilings(reveal))


def test_shares_of_what_is_placed_already_add_up(daily: Puzzle) -> None:
    diagram = open_diagram(daily, [OCT_7])
    placed = parse_demands(daily, ["O@r6c0"])
    for _ in range(2):
        parts = shares(daily, OCT_7, placed)
        assert len(parts) > 1
        assert sum(diagram.count(OCT_7, each) for each in parts) == diagram.count(OCT_7, placed)
        placed = parts[-1]
