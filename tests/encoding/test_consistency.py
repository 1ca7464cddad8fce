"""Closed lemmas: what consistency takes away is in no tiling, and nothing is left to take."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from small import Small, by_sat, small_puzzles

from satcal.counting.tilings import tilings
from satcal.encoding import consistency, lemmas
from satcal.errors import OptionError
from satcal.puzzle.loading import load
from satcal.puzzle.model import Puzzle
from satcal.puzzle.placements import Cover, cover


def dead_pairs(clauses: list[list[int]]) -> set[frozenset[int]]:
    """Return the sets of one or two options that clauses forbid."""
    return {frozenset(-literal - 1 for literal in clause) for clause in clauses}


def by_definition(whole: Cover) -> set[frozenset[int]]:
    """Return what consistency forbids, pair by pair until nothing changes."""
    count = len(whole.options)
    groups = [set(options) for options in whole.by_cell.values()]
    groups += [set(options) for _, _, options in whole.items]
    copies = [copies for _, copies, _ in whole.items]
    cells = [set(option.cells) for option in whole.options]
    forbidden = dead_pairs(lemmas.lemmas(whole, "pair"))

    def at_first(a: int, b: int) -> bool:
        if {frozenset({a}), frozenset({b}), frozenset({a, b})} & forbidden:
            return False
        same = whole.item_of[a] == whole.item_of[b] and copies[whole.item_of[a]] == 1
        return a == b or not (same or cells[a] & cells[b])

    every = itertools.product(range(count), repeat=2)
    start = {(a, b) for a, b in every if at_first(a, b)}
    together = set(start)
    while gone := {
        (a, b)
        for a, b in together
        if any(not any({(a, s), (s, b)} <= together for s in group) for group in groups)
    }:
        together -= gone
    singles = {frozenset({a}) for a in range(count) if (a, a) not in together}
    alive = {a for a in range(count) if (a, a) in together}
    return singles | {frozenset(p) for p in start - together if alive.issuperset(p)}


@given(small_puzzles())
@settings(max_examples=40)
def test_closed_lemmas_are_the_fixpoint_by_definition_on_random_puzzles(small: Small) -> None:
    puzzle = small.load()
    for reveal in [*small.reveals()[:2], None]:
        whole = cover(puzzle, reveal)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(consistency, "LEAST_GAIN", 1e-9)  # go on until nothing changes
            found = lemmas.lemmas(whole, "closed")
        dead = dead_pairs(found)
        assert len(found) == len(dead)
        want = by_definition(whole)
        singles = {one for one in want if len(one) == 1}
        assert {one for one in dead if len(one) == 1} == singles
        # a pair with a dead option needs no clause of its own
        assert {p for p in dead if len(p) == 2} == {
            p for p in want | dead_pairs(lemmas.lemmas(whole, "pair"))
            if len(p) == 2 and not any(frozenset({a}) in singles for a in p)
        }  # fmt: skip


@given(small_puzzles(solvable=True))
@settings(max_examples=60)
def test_every_tiling_of_a_random_puzzle_satisfies_every_closed_lemma(small: Small) -> None:
    puzzle = small.load()
    for reveal in small.reveals()[:2]:
        whole = cover(puzzle, reveal)
        dead = dead_pairs(lemmas.lemmas(whole, "closed"))
        numbers = {(o.piece, frozenset(o.cells)): n for n, o in enumerate(whole.placements)}
        for tiling in small.tilings(reveal):
            chosen = {numbers[placed] for placed in tiling}
            assert not [clause for clause in dead if clause <= chosen]


@pytest.mark.parametrize(
    ("board", "reveal"), [("a-puzzle-a-day", ("Dec", "25")), ("rhombus", ("Thu", "Apr", "2"))]
)
def test_no_tiling_that_sat_finds_without_lemmas_breaks_a_closed_lemma(
    board: str, reveal: tuple[str, ...]
) -> None:
    puzzle = load(board)
    whole = cover(puzzle, reveal)
    dead = dead_pairs(lemmas.lemmas(whole, "closed"))
    number = {option: n for n, option in enumerate(whole.options)}
    used = set()
    for tiling in tilings(puzzle, reveal, by_sat(lemmas="none")):
        chosen = [number[placement] for placement in tiling]
        used.update(chosen)
        parts = itertools.combinations_with_replacement(chosen, 2)
        assert not dead.intersection(map(frozenset, parts))
    # far more is forbidden than by the areas alone
    singles = {next(iter(one)) for one in dead if len(one) == 1}
    assert not singles & used
    assert len(singles) > 2 * len(lemmas.lemmas(whole, "single"))


def test_closed_lemmas_forbid_whatever_pair_lemmas_do(daily: Puzzle) -> None:
    whole = cover(daily, ("Oct", "6"))
    pair, closed = (dead_pairs(lemmas.lemmas(whole, level)) for level in ("pair", "closed"))
    singles = {one for one in closed if len(one) == 1}
    for one in pair:
        assert one in closed or any(frozenset({a}) in singles for a in one)


def test_a_cover_is_left_with_its_living_options_and_lemmas_over_them(daily: Puzzle) -> None:
    whole = cover(daily, ("Dec", "25"))
    found = lemmas.lemmas(whole, "closed")
    rest, pairs = lemmas.strengthened(whole, "closed")
    dead = {-clause[0] - 1 for clause in found if len(clause) == 1}
    assert rest.options == tuple(o for n, o in enumerate(whole.options) if n not in dead)
    named = [{whole.options[-x - 1] for x in clause} for clause in found if len(clause) == 2]
    assert [{rest.options[-x - 1] for x in clause} for clause in pairs] == named
    assert lemmas.strengthened(whole, "none") == (whole, [])


def test_a_cover_with_too_many_placements_is_refused_with_the_way_out(
    daily: Puzzle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lemmas, "MOST_OPTIONS", 500)
    whole = cover(daily, ("Oct", "6"))
    assert lemmas.strongest(whole) == "pair"
    with pytest.raises(OptionError) as refused:
        lemmas.lemmas(whole, "closed")
    assert str(refused.value) == (
        "closed lemmas need at most 500 placements, and a-puzzle-a-day has "
        f"{len(whole.options)}; use --lemmas pair"
    )
