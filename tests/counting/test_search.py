"""The method search: prunings change the work and never the tilings."""

from __future__ import annotations

from collections import Counter

import networkx
import pytest
from hypothesis import given, settings

from helpers.puzzles import Found, Small, as_found, domino_rectangle, small_puzzles
from satcal.counting.search import Search
from satcal.counting.settings import PRUNINGS, BySearch
from satcal.diagram.puzzle import open_diagram
from satcal.errors import OptionError, TooLarge
from satcal.puzzle.loading import load
from satcal.puzzle.placements import Cover, cover_of
from satcal.puzzle.pruner import Pruner, after_using, unfillable
from satcal.puzzle.shapes import cell_order

Figures = tuple[int, int, list[Found]]
"""Partial tilings visited, branches given up, tilings."""


def searched(cover: Cover, pruning: str, first_cell: bool) -> Figures:
    search = Search(cover, pruning, first_cell=first_cell)
    found = as_found(search.tilings())
    assert search.found == len(found)
    return search.visited, search.pruned, found


def asked_every_time(cover: Cover, pruning: str, first_cell: bool) -> Figures:
    """Search as the method does, but by sets of cells, and with the pruner asked on all of them."""
    pruner, order = Pruner(cover), cell_order(cover.cells)
    areas = {"none": lambda _: -1, "sums": pruner.sums, "smallest": pruner.at_least}[pruning]
    once = [item for item in cover.items if item.copies == 1]
    visited, pruned, found = 1, 0, []

    def ways(uncovered, remaining):
        """The placements that still fit, of each cell and of each piece that there is once."""
        needs = [cover.by_cell[cell] for cell in order if cell in uncovered]
        needs += [item.options for item in once if remaining[cover.items.index(item)]]
        return [
            [n for n in need if remaining[cover.item_of[n]] and cells[n] <= uncovered]
            for need in needs
        ]

    def extend(chosen, uncovered, remaining):
        nonlocal visited, pruned
        if unfillable(uncovered, areas(remaining)):
            pruned += 1
            return
        needs = ways(uncovered, remaining)
        if not needs:
            if not any(remaining):
                found.append(cover.tiling(chosen))
            return
        for number in needs[0] if first_cell else min(needs, key=len):
            visited += 1
            rest, left = uncovered - cells[number], after_using(remaining, [cover.item_of[number]])
            if first_cell or all(ways(rest, left)):
                extend([*chosen, number], rest, left)

    cells = [frozenset(option.cells) for option in cover.options]
    extend([], frozenset(cover.cells), pruner.copies)
    return visited, pruned, as_found(found)


@pytest.mark.parametrize("first_cell", [False, True])
@given(small=small_puzzles())
@settings(max_examples=40)
def test_to_ask_where_a_ring_is_split_prunes_as_much(first_cell, small):
    for reveal in (*small.reveals()[:2], None):
        cover = cover_of(small.load(), reveal)
        figures = [searched(cover, pruning, first_cell) for pruning in PRUNINGS]
        assert figures == [asked_every_time(cover, pruning, first_cell) for pruning in PRUNINGS]
        visited = [each[0] for each in figures]
        assert visited == sorted(visited, reverse=True), "a stronger pruning visits no more"
        reveals = small.reveals() if reveal is None else [reveal]
        expected = Counter(tiling for each in reveals for tiling in small.tilings(each))
        assert all(Counter(each[2]) == expected for each in figures)


def test_networkx_is_asked_and_what_it_forbids_is_in_no_tiling(monkeypatch):
    cover, forbidden, asked = cover_of(load("pentomino-3x20"), ()), [], []
    connected = networkx.node_connected_component
    monkeypatch.setattr(
        networkx, "node_connected_component", lambda *graph: asked.append(1) or connected(*graph)
    )
    search = Search(cover)
    fills = search._fills

    def noted(parts, remaining):
        if not (answer := fills(parts, remaining)):
            forbidden.append(chosen[-1])
        return answer

    chosen = []
    search.on_visit, search._fills = chosen.append, noted
    by_search = set(as_found(search.tilings()))
    by_diagram = set(as_found(open_diagram(cover.puzzle, [()]).tilings(())))
    assert by_search == by_diagram
    assert asked
    assert len(forbidden) == search.pruned > 10, "where it is asked, it forbids"
    for each in as_found(cover.tiling(numbers) for numbers in forbidden):
        assert not any(each <= tiling for tiling in by_diagram)


def test_an_unknown_pruning_is_refused():
    with pytest.raises(OptionError, match="no pruning 'best'; use one of none, smallest, sums"):
        BySearch("best")


def test_500_pieces_are_not_too_many_and_512_are_refused():
    with pytest.raises(TooLarge, match="small has 512 pieces, and search takes at most 500; use"):
        Search(cover_of(domino_rectangle(32, 32).load(), ()))
    deep = Small((("*",) * 50,) * 10, {}, (("A", ("#",), 500, True),))
    assert len(list(Search(cover_of(deep.load(), ()), "none").tilings())) == 1
