"""Cubes of a reveal add up to it, whoever counts them."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings

from helpers.puzzles import as_found, ask, small_puzzles
from satcal.counting.count import added, count_reveals
from satcal.counting.cubes import plans, remaining, shares
from satcal.counting.outcomes import Outcome, Status
from satcal.counting.settings import Assignment, ByDiagram, BySat, Cutting, Question, Run, method_of
from satcal.counting.tilings import tilings
from satcal.diagram.puzzle import PuzzleDiagram

OCT_6, OCT_7 = ("Oct", "6"), ("Oct", "7")
FRESH = ByDiagram(use_cache=False)


@given(small=small_puzzles(solvable=True))
@settings(max_examples=25)
def test_cubes_are_small_and_have_the_tilings_of_the_whole(small):
    puzzle = small.load()
    for reveal, cubes in plans(ask(puzzle, *small.reveals()[:2]), Cutting(2, FRESH)):
        every = []
        for cube in cubes:
            rest = remaining(puzzle, reveal, cube)
            parts = list(tilings(ask(rest, ()), FRESH)) if rest.cells else [()]
            assert len(parts) <= 2
            every += [(*(placed for _, placed in cube), *part) for part in parts]
        assert Counter(as_found(every)) == Counter(small.tilings(reveal))


def test_few_tilings_and_too_large_boards_are_not_cut(daily):
    assert plans(ask(daily, OCT_7, OCT_6), Cutting(92)) == [(OCT_7, [()]), (OCT_6, [()])]
    small = Cutting(2, ByDiagram(use_cache=False, memory_limit=10**6))
    assert plans(ask(daily, OCT_6), small) == [(OCT_6, [()])]


def test_a_run_that_has_no_time_to_cut_is_unknown(daily):
    in_no_time = Run(cubes=Cutting(2, FRESH), time_limit=0.0)
    ((_, outcome),) = count_reveals(Assignment(ask(daily, OCT_6), BySat(), in_no_time))
    assert outcome.status is Status.UNKNOWN
    assert outcome.message.startswith("the diagram was not built in time")


def test_cubes_of_several_dates_add_up(daily):
    run = Run(jobs=2, cubes=Cutting(60))
    counted = dict(count_reveals(Assignment(ask(daily, OCT_7, OCT_6), BySat(), run)))
    assert counted == {OCT_7: Outcome(Status.EXACT, 92), OCT_6: Outcome(Status.EXACT, 7)}


@pytest.mark.parametrize("method", ["sat", "search"])
def test_cubes_of_single_tilings_add_up(method, two_l4):
    run = Run(cubes=Cutting(1))
    single = Assignment(ask(two_l4.load(), ()), method_of(method), run)
    counted = list(count_reveals(single, ThreadPoolExecutor))
    assert counted == [((), Outcome(Status.EXACT, 2))]


def test_inexact_parts_make_a_lower_bound():
    unknown = Outcome(Status.UNKNOWN, 2, "stopped", 3)
    parts = [Outcome(Status.EXACT, 5), unknown, Outcome(Status.EXACT, 1)]
    assert added(parts) == Outcome(Status.UNKNOWN, 8, "stopped", 3)
    failed = Outcome(Status.ERROR, 0, "no solver", 4)
    assert added([*parts, failed]) == Outcome(Status.ERROR, 8, "no solver", 4)


@given(small=small_puzzles())
@settings(max_examples=25)
def test_each_tiling_is_in_exactly_one_share_of_a_share(small):
    puzzle = small.load()
    diagram = PuzzleDiagram.build(puzzle)
    for reveal in small.reveals()[:2]:
        every = [
            tiling
            for share in shares(ask(puzzle, reveal))
            for demands in shares(Question(puzzle, [reveal], share))
            for tiling in diagram.tilings(reveal, demands)
        ]
        assert Counter(as_found(every)) == Counter(small.tilings(reveal))


def test_what_is_placed_already_is_not_what_is_cut(daily):
    parts = shares(ask(daily, OCT_7, place=["O@r6c0"]))
    assert len(parts) > 1
    assert len(shares(Question(daily, [OCT_7], parts[-1]))) > 1
