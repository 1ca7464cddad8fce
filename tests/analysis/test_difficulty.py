"""Difficulty: each measure against brute force, or the search that it speaks of."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import pytest
from hypothesis import example, given, settings

from helpers.puzzles import Cells, Found, Small, ask, domino_rectangle, small_puzzles
from satcal.analysis.difficulty import Difficulty, Spread, difficulties
from satcal.counting.settings import ByDiagram
from satcal.errors import TooLarge

FRESH = ByDiagram(use_cache=False)
Kinds = list[tuple[str, list[Cells], int]]


def measured(small: Small, **options: int) -> list[Difficulty]:
    return list(difficulties(ask(small.load(), *small.reveals()[:3]), FRESH, **options))


def spread(numbers: list[int]) -> Spread | None:
    return Spread(min(numbers), sum(numbers) / len(numbers), max(numbers)) if numbers else None


def fewest(tiling: Found, good: Callable[[Found], bool]) -> int:
    """Return the size of the smallest part of a tiling that is good, trying all of them."""
    sizes = range(len(tiling) + 1)
    parts = (part for size in sizes for part in combinations(tiling, size))
    return next(len(part) for part in parts if good(frozenset(part)))


def guesses(kinds: Kinds, free: Cells, tilings: set[Found]) -> Spread | None:
    return spread([fewest(t, lambda part, t=t: follow(kinds, free, part) == t) for t in tilings])


def follow(kinds: Kinds, free: Cells, placed: Found) -> Found:
    """Place what is the only placement left for a cell or a piece, until nothing is."""
    while True:
        uncovered = free.difference(*(cells for _, cells in placed))
        left = []
        forced = set()
        for name, spots, copies in kinds:
            needed = copies - sum(piece == name for piece, _ in placed)
            fitting = [(name, spot) for spot in spots if spot <= uncovered] if needed else []
            left += fitting
            if len(fitting) == needed:
                forced.update(fitting)
        for cell in uncovered:
            covering = [each for each in left if cell in each[1]]
            if len(covering) == 1:
                forced.update(covering)
        if not forced:
            return placed
        placed = placed | forced


@example(domino_rectangle(2, 5))  # drawn puzzles seldom have guesses to make with copies
@example(domino_rectangle(3, 4))
@given(small_puzzles())
@settings(max_examples=40)
def test_every_measure_is_that_of_brute_force(small):
    for each in measured(small, sample=10_000):
        kinds, free = small.spots(each.reveal)
        tilings = small.tilings(each.reveal)
        assert (each.tilings, each.examined) == (len(tilings), len(tilings))
        assert each.guesses == guesses(kinds, free, tilings)
        assert each.shares == {
            name: (len({s for s in spots if any((name, s) in t for t in tilings)}), len(spots))
            for name, spots, _ in kinds
        }


def test_a_sample_is_spread_and_what_is_placed_counts(daily):
    def difficulty(sample=250, place=()):
        question = ask(daily, ("Dec", "25"), place=place)
        (each,) = difficulties(question, sample=sample)
        return each

    whole, some, placed = difficulty(), difficulty(sample=10), difficulty(place=["O@r6c0"])
    assert (whole.examined, some.examined, some.tilings) == (92, 10, 92)
    assert some.shares == whole.shares
    assert whole.guesses.least <= some.guesses.mean <= whole.guesses.most
    assert placed.tilings < 92
    assert placed.guesses.mean < whole.guesses.mean


def test_what_is_too_large_is_refused_by_its_size():
    with pytest.raises(TooLarge, match=r"at most 14 pieces .* not 16 on 32"):
        measured(domino_rectangle(4, 8))
