"""The method search: prunings change the work and never the tilings."""

from __future__ import annotations

import itertools
import time
from collections import Counter

import pytest
from hypothesis import given, settings
from small import Small, as_found, by_sat, domino_rectangle, small_puzzles

from satcal.counting.count import count_one
from satcal.counting.search import PRUNINGS, Search
from satcal.counting.settings import Settings, Status
from satcal.counting.tilings import tilings
from satcal.errors import BudgetExhausted, OptionError, TooLarge
from satcal.puzzle.model import Puzzle
from satcal.puzzle.place import parse_demands, place
from satcal.puzzle.placements import Cover, cover
from satcal.puzzle.pruner import Pruner, Remaining, unfillable, without
from satcal.puzzle.shapes import Cell, cell_order


def visits(whole: Cover) -> tuple[list[int], list[set]]:
    """Return how many partial tilings each pruning visits, and what each finds."""
    visited, found = [], []
    for pruning in PRUNINGS:
        search = Search(whole, pruning)
        found.append(set(as_found(search.tilings())))
        assert search.statistics.found == len(found[-1])
        visited.append(search.statistics.visited)
    return visited, found


@given(small_puzzles())
@settings(max_examples=60)
def test_stronger_prunings_find_the_same_and_visit_no_more(small: Small) -> None:
    for reveal in small.reveals()[:2]:
        visited, found = visits(cover(small.load(), reveal))
        assert found == [small.tilings(reveal)] * 3
        assert visited == sorted(visited, reverse=True)


def asked_every_time(whole: Cover, pruning: str) -> tuple[int, int, list[set]]:
    """Return visits, prunings and tilings of a search that asks the pruner at each placement."""
    pruner, order = Pruner(whole), cell_order(whole.cells)
    areas = {"sums": pruner.sums, "smallest": pruner.at_least}[pruning]
    visited = pruned = 0
    found = []

    def extend(chosen: list[int], uncovered: frozenset[Cell], remaining: Remaining) -> None:
        nonlocal visited, pruned
        visited += 1
        if not uncovered:
            if not any(remaining):
                found.append(whole.tiling(chosen))
        elif unfillable(uncovered, areas(remaining)):
            pruned += 1
        else:
            cell = next(cell for cell in order if cell in uncovered)
            for number in whole.by_cell[cell]:
                cells, item = set(whole.options[number].cells), whole.item_of[number]
                if remaining[item] and cells <= uncovered:
                    extend([*chosen, number], uncovered - cells, without(remaining, [item]))

    extend([], frozenset(whole.cells), pruner.copies)
    return visited, pruned, as_found(found)


@pytest.mark.parametrize("pruning", ["sums", "smallest"])
@given(small=small_puzzles())
@settings(max_examples=60)
def test_to_ask_where_a_ring_is_split_prunes_as_much_as_to_ask_every_time(
    pruning: str, small: Small
) -> None:
    for reveal in (*small.reveals()[:2], None):
        whole = cover(small.load(), reveal)
        search = Search(whole, pruning)
        tilings = list(as_found(search.tilings()))
        figures = search.statistics
        assert (figures.visited, figures.pruned, tilings) == asked_every_time(whole, pruning)


@pytest.mark.parametrize("pruning", ["sums", "smallest"])
def test_on_a_real_board_it_prunes_as_much_too(daily: Puzzle, pruning: str) -> None:
    placed = parse_demands(daily, ["O:r0c0,r0c1,r0c2,r1c0,r1c1,r1c2", "P@r2c0", "U@r6c0"])
    whole = place(cover(daily, ("Dec", "25")), placed)
    search = Search(whole, pruning)
    tilings = list(as_found(search.tilings()))
    figures = search.statistics
    assert (figures.visited, figures.pruned, tilings) == asked_every_time(whole, pruning)


def test_on_a_real_board_each_stronger_pruning_visits_fewer(daily: Puzzle) -> None:
    placed = parse_demands(daily, ["O:r0c0,r0c1,r0c2,r1c0,r1c1,r1c2", "P@r2c0"])
    visited, found = visits(place(cover(daily, ("Dec", "25")), placed))
    assert found[0] == found[1] == found[2]
    assert visited[0] > visited[1] > visited[2], visited


def test_a_search_prunes_nothing_unless_it_is_told_to(daily: Puzzle) -> None:
    placed = parse_demands(daily, ["O:r0c0,r0c1,r0c2,r1c0,r1c1,r1c2", "P@r2c0", "U@r6c0"])
    search = Search(place(cover(daily, ("Dec", "25")), placed), "none")
    list(search.tilings())
    assert search.statistics.pruned == 0


@given(small_puzzles())
@settings(max_examples=40)
def test_a_search_of_the_open_cover_finds_the_tilings_of_all_reveals(small: Small) -> None:
    found = Counter(as_found(Search(cover(small.load(), None)).tilings()))
    assert found == Counter(t for reveal in small.reveals() for t in small.tilings(reveal))


def test_no_part_of_a_tiling_that_sat_finds_is_forbidden_by_the_pruner(daily: Puzzle) -> None:
    reveal = daily.reveal("2025-10-06")
    whole = cover(daily, reveal)
    pruner = Pruner(whole)
    item = {name: number for number, (name, _, _) in enumerate(whole.items)}
    found = list(tilings(daily, reveal, by_sat(lemmas="none")))
    assert len(found) == 7
    for tiling in found:
        for size in range(len(tiling) + 1):
            for part in itertools.combinations(tiling, size):
                uncovered = set(whole.cells).difference(*(p.cells for p in part))
                left = without(pruner.copies, [item[p.piece] for p in part])
                assert not unfillable(uncovered, pruner.sums(left))
                assert not unfillable(uncovered, pruner.at_least(left))


def test_a_deadline_ends_it_with_the_number_found_so_far(daily: Puzzle) -> None:
    search = Search(cover(daily, ("Jan", "25")), deadline=time.monotonic() + 0.5)
    found = []
    with pytest.raises(BudgetExhausted) as stopped:
        for tiling in search.tilings():
            found.append(tiling)
            time.sleep(0.02)
    assert stopped.value.found == len(found) < 216
    assert str(stopped.value) == f"stopped by its budget after {len(found)} tilings"


def test_a_search_that_is_out_of_time_is_unknown_and_not_zero(daily: Puzzle) -> None:
    outcome = count_one(daily, ("Oct", "6"), Settings(method="search"), time.monotonic())
    assert (outcome.status, outcome.tilings, outcome.exit_code) == (Status.UNKNOWN, 0, 3)


def test_an_unknown_pruning_is_refused(daily: Puzzle) -> None:
    with pytest.raises(OptionError, match="no pruning 'best'; use one of none, smallest, sums"):
        Search(cover(daily, ("Oct", "6")), "best")


def test_more_pieces_than_the_stack_is_deep_are_refused_with_the_way_out() -> None:
    puzzle = domino_rectangle(32, 32).load()
    with pytest.raises(TooLarge) as refused:
        Search(cover(puzzle, ()))
    assert str(refused.value) == (
        "small has 512 pieces, and search takes at most 500; use --method sat"
    )


def test_500_pieces_are_not_too_many() -> None:
    whole = cover(domino_rectangle(1, 1000 // 20).load(), ())
    assert len(list(Search(whole).tilings())) == 1
    deep = Small((("*",) * 50,) * 10, {}, (("A", ("#",), 500, True),))
    assert len(list(Search(cover(deep.load(), ()), "none").tilings())) == 1
