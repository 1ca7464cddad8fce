"""Lemmas: what the masks forbid is what the pruner forbids, and no tiling contains it."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from small import Small, by_sat, domino_rectangle, small_puzzles

from satcal.counting.tilings import tilings
from satcal.encoding.lemmas import fits_word, lemmas
from satcal.errors import OptionError
from satcal.puzzle.model import Puzzle
from satcal.puzzle.place import parse_demands, place
from satcal.puzzle.placements import Cover, cover
from satcal.puzzle.pruner import Pruner, unfillable, without


def by_definition(whole: Cover, pairs: bool = True) -> set[tuple[int, ...]]:
    """Return the options, and pairs of options, that the pruner forbids."""
    pruner, cells = Pruner(whole), set(whole.cells)
    sets = [set(option.cells) for option in whole.options]
    dead: set[tuple[int, ...]] = set()
    for number, item in enumerate(whole.item_of):
        if unfillable(cells - sets[number], pruner.sums(without(pruner.copies, [item]))):
            dead.add((number,))
    if not pairs:
        return dead
    living = [number for number in range(len(sets)) if (number,) not in dead]
    for a, b in itertools.combinations(living, 2):
        left = without(pruner.copies, [whole.item_of[a], whole.item_of[b]])
        if min(left) < 0 or sets[a] & sets[b]:
            continue  # the encoding forbids these itself
        if unfillable(cells - sets[a] - sets[b], pruner.sums(left)):
            dead.add((a, b))
    return dead


def as_options(clauses: list[list[int]]) -> list[tuple[int, ...]]:
    return [tuple(-literal - 1 for literal in clause) for clause in clauses]


@given(small_puzzles())
@settings(max_examples=60)
def test_lemmas_are_what_the_pruner_forbids_on_random_puzzles(small: Small) -> None:
    puzzle = small.load()
    for reveal in [*small.reveals()[:2], None]:
        whole = cover(puzzle, reveal)
        found = as_options(lemmas(whole, "pair"))
        assert len(found) == len(set(found))
        assert set(found) == by_definition(whole)


def test_lemmas_are_what_the_pruner_forbids_on_a_real_board(daily: Puzzle) -> None:
    placed = parse_demands(daily, ["O:r0c0,r0c1,r0c2,r1c0,r1c1,r1c2", "U:r4c0,r4c1,r5c0,r6c0,r6c1"])
    whole = place(cover(daily, ("Dec", "25")), placed)
    assert len(whole.options) > 100
    found = as_options(lemmas(whole, "pair"))
    assert len(found) > 500
    assert set(found) == by_definition(whole)


@given(small_puzzles(solvable=True))
@settings(max_examples=60)
def test_every_tiling_of_a_random_puzzle_satisfies_every_lemma(small: Small) -> None:
    puzzle = small.load()
    for reveal in small.reveals()[:2]:
        whole = cover(puzzle, reveal)
        dead = as_options(lemmas(whole, "pair"))
        numbers = {(o.piece, frozenset(o.cells)): n for n, o in enumerate(whole.placements)}
        for tiling in small.tilings(reveal):
            chosen = {numbers[placed] for placed in tiling}
            assert not [clause for clause in dead if chosen.issuperset(clause)]


def test_no_tiling_of_christmas_that_sat_finds_without_lemmas_breaks_a_lemma(
    daily: Puzzle,
) -> None:

    reveal = daily.reveal("2025-12-25")
    whole = cover(daily, reveal)
    dead = as_options(lemmas(whole, "pair"))
    number = {option: n for n, option in enumerate(whole.options)}
    pairs = {clause for clause in dead if len(clause) == 2}
    single = {clause[0] for clause in dead if len(clause) == 1}
    found = list(tilings(daily, reveal, by_sat(lemmas="none")))
    assert len(found) == 92
    for tiling in found:
        chosen = sorted(number[placement] for placement in tiling)
        assert not single.intersection(chosen)
        assert not pairs.intersection(itertools.combinations(chosen, 2))


@pytest.mark.parametrize(("rows", "columns"), [(1, 64), (64, 1), (2, 32), (8, 8), (4, 16)])
def test_masks_are_right_where_they_use_all_64_bits(rows: int, columns: int) -> None:
    whole = cover(domino_rectangle(rows, columns).load(), ())
    assert fits_word(whole)
    some = place(whole, parse_demands(whole.puzzle, [str(whole.placements[-1])]))
    assert set(as_options(lemmas(some, "single"))) == by_definition(some, pairs=False)


def test_pairs_that_divide_a_strip_into_odd_parts_are_forbidden() -> None:
    whole = cover(domino_rectangle(1, 64).load(), ())
    dead = set(as_options(lemmas(whole, "pair")))
    # a domino that leaves an odd number on its left is dead alone, so no pair is left over
    assert dead == {(number,) for number in range(1, 63, 2)}


def test_the_levels_contain_each_other(daily: Puzzle) -> None:
    whole = cover(daily, ("Oct", "6"))
    none, single, pair = (lemmas(whole, level) for level in ("none", "single", "pair"))
    assert none == []
    assert 0 < len(single) < len(pair)
    assert pair[: len(single)] == single
    assert all(len(clause) == 1 for clause in single)


def test_a_board_larger_than_a_word_has_single_lemmas_by_the_definition_itself() -> None:
    whole = cover(domino_rectangle(3, 22).load(), ())
    assert not fits_word(whole)
    assert set(as_options(lemmas(whole, "single"))) == by_definition(whole, pairs=False)


def test_pair_lemmas_of_a_board_larger_than_a_word_are_refused_with_the_way_out() -> None:
    whole = cover(domino_rectangle(3, 22).load(), ())
    with pytest.raises(OptionError) as refused:
        lemmas(whole, "pair")
    assert str(refused.value) == (
        "pair lemmas need a board of at most 64 cells with its gaps, and small has 3 x 22; "
        "use --lemmas single"
    )


def test_an_unknown_level_is_refused() -> None:
    with pytest.raises(OptionError, match="no lemmas 'all'; use one of none, single, pair, closed"):
        lemmas(cover(domino_rectangle(2, 2).load(), ()), "all")
