"""Lemmas: each level forbids what its definition says.

That no tiling contains it: tests/counting/test_sat.py.
"""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings

from helpers.puzzles import Small, domino_rectangle, small_puzzles
from satcal.encoding import consistency, lemmas
from satcal.errors import OptionError
from satcal.puzzle.demands import parse_demands, place
from satcal.puzzle.model import Puzzle
from satcal.puzzle.placements import Cover, cover_of
from satcal.puzzle.pruner import Pruner, after_using, unfillable

Forbidden = set[frozenset[int]]
"""Sets of one or two options that no tiling has."""


def forbidden(clauses: list[list[int]]) -> Forbidden:
    sets = {frozenset(-literal - 1 for literal in clause) for clause in clauses}
    assert len(sets) == len(clauses)
    return sets


def by_areas(cover: Cover, pairs: bool = True) -> Forbidden:
    """Return the options, and pairs of options, that leave a part which nothing can fill."""
    pruner, cells = Pruner(cover), set(cover.cells)

    def leave_a_dead_part(*options: int) -> bool:
        left = after_using(pruner.copies, [cover.item_of[number] for number in options])
        covered = [cell for number in options for cell in cover.options[number].cells]
        if min(left) < 0 or len(set(covered)) < len(covered):
            return False  # the encoding forbids these itself
        return bool(unfillable(cells.difference(covered), pruner.sums(left)))

    dead = {
        frozenset({number}) for number in range(len(cover.options)) if leave_a_dead_part(number)
    }
    living = [number for number in range(len(cover.options)) if {number} not in dead]
    for pair in itertools.combinations(living if pairs else (), 2):
        if leave_a_dead_part(*pair):
            dead.add(frozenset(pair))
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


@given(small_puzzles())
@settings(max_examples=25)
def test_lemmas_are_what_their_definitions_forbid(small: Small) -> None:
    puzzle = small.load()
    for reveal in [small.reveals()[0], None]:
        cover = cover_of(puzzle, reveal)
        clauses = lemmas.lemmas(cover, "pair")
        assert forbidden(clauses) == by_areas(cover)
        assert forbidden(lemmas.lemmas(cover, "single")) == by_areas(cover, pairs=False)
        until_nothing_changes = consistency.closed(cover, clauses, least_gain=1e-9)
        assert forbidden(until_nothing_changes) == by_consistency(cover, forbidden(clauses))


@pytest.mark.parametrize(("rows", "columns"), [(1, 64), (64, 1), (8, 8), (3, 22)])
def test_masks_are_right_up_to_64_cells_and_larger_boards_go_by_definition(
    rows: int, columns: int
) -> None:
    cover = cover_of(domino_rectangle(rows, columns).load(), ())
    assert lemmas.fits_word(cover) == (rows * columns <= 64)
    some = place(cover, parse_demands(cover.puzzle, [str(cover.placements[-1])]))
    assert forbidden(lemmas.lemmas(some, "single")) == by_areas(some, pairs=False)
    if rows == 1:  # a domino that leaves an odd number on its left is dead alone
        assert lemmas.lemmas(cover, "pair") == [[-number - 1] for number in range(1, 63, 2)]


def test_what_lemmas_cannot_be_had_is_refused_with_the_way_out(
    daily: Puzzle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lemmas, "MOST_OPTIONS", 500)
    large, cover = cover_of(domino_rectangle(3, 22).load(), ()), cover_of(daily, ("Oct", "6"))
    assert (lemmas.strongest(large), lemmas.strongest(cover)) == ("single", "pair")
    for board, level, message in (
        (
            large,
            "pair",
            "pair lemmas need a board of at most 64 cells with its gaps, and small "
            "has 3 x 22; use --lemmas single",
        ),
        (
            cover,
            "closed",
            "closed lemmas need at most 500 placements, and a-puzzle-a-day has "
            "681; use --lemmas pair",
        ),
        (cover, "all", "no lemmas 'all'; use one of none, single, pair, closed"),
    ):
        with pytest.raises(OptionError, match=f"^{message}$"):
            lemmas.lemmas(board, level)
