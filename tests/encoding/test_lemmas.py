"""Lemmas forbid what their definitions say.

That no tiling contains it: tests/contracts/test_encodings.py.
"""

from __future__ import annotations

import itertools

import networkx
import pytest
from hypothesis import given

from oracle import Piece, dominoes, rectangle, small_puzzles
from satcal.encoding import consistency, lemmas
from satcal.errors import OptionError, TooLarge
from satcal.puzzle.placed import cover_with
from satcal.puzzle.placements import Cover, cover_of

Forbidden = set[frozenset[int]]
"""Sets of one or two options that no tiling has."""


def forbidden(clauses: list[list[int]]) -> Forbidden:
    sets = {frozenset(-literal - 1 for literal in clause) for clause in clauses}
    assert len(sets) == len(clauses)
    return sets


def leaves_a_dead_part(cover: Cover, *options: int) -> bool:
    """Return whether options leave a connected part that the other items cannot fill by area."""
    used = [cover.item_of[number] for number in options]
    sums = {0}
    for kind, (_, copies, options_of_kind) in enumerate(cover.items):
        areas = {len(cover.options[number].cells) for number in options_of_kind}
        for _ in range(copies - used.count(kind)):
            sums |= {total + area for total in sums for area in areas}
    left = set(cover.cells).difference(*(cover.options[number].cells for number in options))
    grid = networkx.Graph()
    grid.add_nodes_from(left)
    grid.add_edges_from(
        ((r, c), near) for r, c in left for near in ((r + 1, c), (r, c + 1)) if near in left
    )
    return any(len(part) not in sums for part in networkx.connected_components(grid))


def by_areas(cover: Cover) -> Forbidden:
    """Return the options, and the pairs of others, that leave a part which nothing can fill."""
    count, cells = len(cover.options), [set(option.cells) for option in cover.options]
    dead = {frozenset({number}) for number in range(count) if leaves_a_dead_part(cover, number)}
    living = [number for number in range(count) if frozenset({number}) not in dead]
    for a, b in itertools.combinations(living, 2):
        same = cover.item_of[a] == cover.item_of[b] and cover.items[cover.item_of[a]].copies == 1
        # the encoding forbids these itself
        if not same and cells[a].isdisjoint(cells[b]) and leaves_a_dead_part(cover, a, b):
            dead.add(frozenset({a, b}))
    return dead


def by_consistency(cover: Cover, given: Forbidden) -> Forbidden:
    """Return what consistency forbids, pair by pair until nothing changes."""
    count, copies = len(cover.options), [copies for _, copies, _ in cover.items]
    groups = [*map(set, cover.by_cell.values()), *(set(options) for *_, options in cover.items)]
    cells = [set(option.cells) for option in cover.options]

    def at_first(a: int, b: int) -> bool:
        if {frozenset({a}), frozenset({b}), frozenset({a, b})} & given:
            return False
        same = cover.item_of[a] == cover.item_of[b] and copies[cover.item_of[a]] == 1
        return a == b or not (same or cells[a] & cells[b])

    start = {(a, b) for a, b in itertools.product(range(count), repeat=2) if at_first(a, b)}
    together = set(start)
    while gone := {
        (a, b)
        for a, b in together
        if any(not any({(a, s), (s, b)} <= together for s in group) for group in groups)
    }:
        together -= gone
    alive = {a for a in range(count) if (a, a) in together}
    singles = {frozenset({a}) for a in range(count) if a not in alive}
    # a pair with a dead option needs no clause of its own
    pairs = {frozenset(pair) for pair in start - together} | given
    return singles | {pair for pair in pairs if len(pair) == 2 and pair <= alive}


@given(small=small_puzzles())
def test_lemmas_are_what_their_definitions_forbid(small):
    puzzle = small.load()
    for reveal in [small.reveals[0], None]:
        cover = cover_of(puzzle, reveal)
        pairs = lemmas.find_area_lemmas(cover)
        of_areas = {frozenset(pair) for pair in pairs.tolist()}
        assert len(of_areas) == len(pairs)
        assert of_areas == by_areas(cover)
        until_nothing_changes = consistency.close_lemmas(cover, pairs, min_gain=1e-9)
        assert forbidden(until_nothing_changes) == by_consistency(cover, of_areas)


@pytest.mark.parametrize(("rows", "columns"), [(1, 64), (64, 1), (8, 8), (2, 32), (3, 22), (6, 11)])
def test_areas_are_looked_at_up_to_64_cells(rows, columns):
    cover = cover_of(rectangle(rows, columns, Piece("I2", ("##",), rows * columns // 2)).load(), ())
    found = lemmas.find_area_lemmas(cover).tolist()
    assert bool(found) == (rows * columns <= 64)
    if (rows, columns) == (1, 64):  # a domino that leaves an odd number on its left is dead alone
        assert found == [[number, number] for number in range(1, 63, 2)]
    for number in range(0, len(cover.options), 17) if found else ():
        assert ([number, number] in found) == leaves_a_dead_part(cover, number)


def test_a_larger_board_has_lemmas_by_consistency_alone():
    cover = cover_of(dominoes(3, 22).load(), ())
    rest = cover_with(cover.puzzle, (), [cover.placements[0], cover.placements[-1]])
    stronger, _ = lemmas.apply_lemmas(rest, "closed")
    assert 0 < len(stronger.options) < len(rest.options)


def test_lemmas_that_cannot_be_had_are_refused(monkeypatch):
    cover = cover_of(dominoes(2, 4).load(), ())
    assert lemmas.apply_lemmas(cover, "none") == (cover, [])
    for limit in (len(cover.options) - 1, len(cover.options)):
        monkeypatch.setattr(lemmas, "MAX_OPTIONS", limit)
        if limit < len(cover.options):
            with pytest.raises(TooLarge, match="--lemmas none"):
                lemmas.apply_lemmas(cover, "closed")
        else:
            assert lemmas.apply_lemmas(cover, "closed")[0].options
    with pytest.raises(OptionError, match="single"):
        lemmas.apply_lemmas(cover, "single")
