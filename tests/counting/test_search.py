"""The method search: prunings change the work and never the tilings."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from small import Found, Small, as_found, domino_rectangle, small_puzzles

from satcal.counting.search import PRUNINGS, Search
from satcal.errors import OptionError, TooLarge
from satcal.puzzle.placements import Cover, cover
from satcal.puzzle.pruner import Pruner, unfillable, without
from satcal.puzzle.shapes import cell_order

Figures = tuple[int, int, list[Found]]
"""Partial tilings visited, branches given up, tilings."""


def searched(whole: Cover, pruning: str) -> Figures:
    search = Search(whole, pruning)
    found = as_found(search.tilings())
    assert search.found == len(found)
    return search.visited, search.pruned, found


def asked_every_time(whole: Cover, pruning: str) -> Figures:
    """Search as the method does, but ask the pruner at each placement."""
    pruner, order = Pruner(whole), cell_order(whole.cells)
    areas = {"none": lambda _: -1, "sums": pruner.sums, "smallest": pruner.at_least}[pruning]
    visited = pruned = 0
    found = []

    def extend(chosen, uncovered, remaining):
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


@given(small=small_puzzles())
@settings(max_examples=40)
def test_to_ask_where_a_ring_is_split_prunes_as_much(small):
    for reveal in (*small.reveals()[:2], None):
        whole = cover(small.load(), reveal)
        figures = [searched(whole, pruning) for pruning in PRUNINGS]
        assert figures == [asked_every_time(whole, pruning) for pruning in PRUNINGS]
        visited = [each[0] for each in figures]
        assert visited == sorted(visited, reverse=True), "a stronger pruning visits no more"
        reveals = small.reveals() if reveal is None else [reveal]
        expected = Counter(tiling for each in reveals for tiling in small.tilings(each))
        assert all(Counter(each[2]) == expected for each in figures)


def test_an_unknown_pruning_is_refused(daily):
    with pytest.raises(OptionError, match="no pruning 'best'; use one of none, smallest, sums"):
        Search(cover(daily, ("Oct", "6")), "best")


def test_500_pieces_are_not_too_many_and_512_are_refused():
    with pytest.raises(TooLarge, match="small has 512 pieces, and search takes at most 500; use"):
        Search(cover(domino_rectangle(32, 32).load(), ()))
    deep = Small((("*",) * 50,) * 10, {}, (("A", ("#",), 500, True),))
    assert len(list(Search(cover(deep.load(), ()), "none").tilings())) == 1
