"""Cubes of a reveal add up to it, whoever counts them."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from small import Small, as_found, by_sat, small_puzzles

from satcal.counting.count import _joined, count_reveals
from satcal.counting.cubes import plans, remaining, shares
from satcal.counting.settings import Outcome, Settings, Status
from satcal.counting.tilings import tilings
from satcal.diagram.puzzle import open_diagram
from satcal.errors import OptionError, TooLarge
from satcal.proof.verifier import Verifier
from satcal.puzzle.loading import load
from satcal.puzzle.model import Puzzle
from satcal.puzzle.place import parse_demands

OCT_7 = ("Oct", "7")


def test_no_cube_has_more_tilings_than_asked_for(daily: Puzzle) -> None:
    ((reveal, cubes),) = plans(daily, [OCT_7], 10)
    counts = [
        open_diagram(rest, [()]).count(()) if (rest := remaining(daily, reveal, cube)).cells else 1
        for cube in cubes
    ]
    assert len(cubes) > 10
    assert max(counts) <= 10
    assert sum(counts) == 92


def test_a_reveal_of_few_tilings_is_not_cut(daily: Puzzle) -> None:
    assert plans(daily, [OCT_7, ("Oct", "6")], 92) == [(OCT_7, [()]), (("Oct", "6"), [()])]


def test_a_board_too_large_for_the_diagram_is_not_cut(
    daily: Puzzle, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise TooLarge("too large")

    monkeypatch.setattr("satcal.diagram.puzzle.open_diagram", refuse)
    assert plans(daily, [OCT_7], 1) == [(OCT_7, [()])]


@pytest.mark.parametrize("cached", [True, False])
def test_the_cut_heeds_whether_there_is_a_cache(
    cached: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SATCAL_CACHE", str(tmp_path / "cache"))
    puzzle = load("pentomino-3x20")
    ((_, cubes),) = plans(puzzle, [()], 2, Settings(use_cache=cached))
    assert len(cubes) > 1
    assert (tmp_path / "cache").exists() == cached


def test_the_cut_heeds_memory_and_time(daily: Puzzle) -> None:
    small = Settings(use_cache=False, memory_limit=10**6)
    assert plans(daily, [("Oct", "6")], 2, small) == [(("Oct", "6"), [()])]
    in_no_time = by_sat(cubes=2, use_cache=False, time_limit=0.0)
    (said,) = count_reveals(daily, [("Oct", "6")], in_no_time)
    assert said[1].status is Status.UNKNOWN
    assert said[1].message.startswith("the diagram was not built in time")


def test_sat_counts_the_cubes_of_a_date_to_the_number_of_the_date(daily: Puzzle) -> None:
    found = dict(count_reveals(daily, [OCT_7, ("Oct", "6")], by_sat(cubes=20, jobs=2)))
    assert found == {OCT_7: Outcome(Status.EXACT, 92), ("Oct", "6"): Outcome(Status.EXACT, 7)}


@pytest.mark.parametrize("method", ["sat", "search"])
def test_cubes_down_to_single_tilings_and_copies_add_up(method: str, two_l4: Small) -> None:
    single = Settings(method=method, cubes=1)
    found = list(count_reveals(two_l4.load(), [()], single, ThreadPoolExecutor))
    assert found == [((), Outcome(Status.EXACT, 2))]


@given(small_puzzles())
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
    placed = parse_demands(daily, ["O@r6c0"])
    diagram = open_diagram(daily, [OCT_7])
    parts = shares(daily, OCT_7, placed)
    assert sum(diagram.count(OCT_7, part) for part in parts) == diagram.count(OCT_7, placed)
    again = shares(daily, OCT_7, parts[-1])
    assert sum(diagram.count(OCT_7, part) for part in again) == diagram.count(OCT_7, parts[-1])
    assert len(again) > 1


def test_a_pentomino_rectangle_is_counted_in_cubes() -> None:
    puzzle = load("pentomino-3x20")
    found = list(count_reveals(puzzle, [()], by_sat(cubes=2, jobs=2)))
    assert found == [((), Outcome(Status.EXACT, 8))]


def test_a_part_that_is_not_exact_makes_the_sum_a_lower_bound() -> None:
    parts = [
        (OCT_7, Outcome(Status.EXACT, 5)),
        (OCT_7, Outcome(Status.UNKNOWN, 2, "stopped", 3)),
        (OCT_7, Outcome(Status.EXACT, 1)),
    ]
    assert list(_joined(parts, Counter({OCT_7: 3}))) == [
        (OCT_7, Outcome(Status.UNKNOWN, 8, "stopped", 3))
    ]


def test_cubes_cut_whole_dates(daily: Puzzle) -> None:
    demands = tuple(parse_demands(daily, ["O@r6c0"]))
    with pytest.raises(OptionError, match="--cubes cuts whole dates"):
        by_sat(cubes=5, demands=demands)
    with pytest.raises(OptionError, match="--cubes cuts whole dates"):
        Settings(cubes=5, up_to_symmetry=True)


def test_a_cube_and_its_rest_are_a_tiling_of_the_whole(daily: Puzzle) -> None:
    ((reveal, cubes),) = plans(daily, [OCT_7], 5)
    cube = cubes[-1]
    rest = remaining(daily, reveal, cube)
    diagram = open_diagram(rest, [()])
    verifier = Verifier(daily, OCT_7)
    for tiling in diagram.tilings(()):
        assert not verifier.fault([*(chosen for _, chosen in cube), *tiling])
