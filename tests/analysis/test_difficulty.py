"""Difficulty: each measure against brute force, or the search that it speaks of."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from unittest.mock import patch

import pytest
from hypothesis import example, given, settings

from oracle import Cells, Kind, Piece, Small, Tiling, dominoes, rectangle, small_puzzles
from satcal.analysis.difficulty import Difficulty, Spread, difficulties
from satcal.diagram.puzzle import PuzzleDiagram
from satcal.errors import TooLarge


def measured(small: Small, sample: int) -> list[Difficulty]:
    with patch("satcal.analysis.difficulty.SAMPLE", sample):
        return list(difficulties(small.load(), small.reveals[:3]))


def spread(numbers: list[int]) -> Spread | None:
    return Spread(min(numbers), sum(numbers) / len(numbers), max(numbers)) if numbers else None


def fewest(tiling: Tiling, good: Callable[[Tiling], bool]) -> int:
    """Return the size of the smallest part of a tiling that is good, trying all of them."""
    sizes = range(len(tiling) + 1)
    parts = (part for size in sizes for part in combinations(tiling, size))
    return next(len(part) for part in parts if good(frozenset(part)))


def guesses(kinds: list[Kind], free: Cells, tilings: set[Tiling]) -> Spread | None:
    return spread([fewest(t, lambda part, t=t: follow(kinds, free, part) == t) for t in tilings])


def follow(kinds: list[Kind], free: Cells, placed: Tiling) -> Tiling:
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


@example(dominoes(2, 5))  # drawn puzzles seldom have guesses to make with copies
@example(dominoes(3, 4))
@given(small_puzzles())
@settings(max_examples=40)
def test_every_measure_is_that_of_brute_force(small):
    for each in measured(small, 10_000):
        free = small.free(each.reveal)
        tilings = small.tilings(each.reveal)
        assert (each.tilings, each.examined) == (len(tilings), len(tilings))
        assert each.guesses == guesses(small.kinds(free), free, tilings)


def test_a_sample_is_spread_and_what_is_placed_counts(daily):
    reveal = ("Dec", "25")
    first = PuzzleDiagram.build(daily).tiling(0, reveal)[:1]
    (whole,), (placed,) = difficulties(daily, [reveal]), difficulties(daily, [reveal], first)
    with patch("satcal.analysis.difficulty.SAMPLE", 10):
        (some,) = difficulties(daily, [reveal])
    assert (whole.examined, some.examined, some.tilings) == (92, 10, 92)
    assert whole.guesses.least <= some.guesses.mean <= whole.guesses.most
    assert placed.tilings < 92
    assert placed.guesses.mean < whole.guesses.mean


@pytest.mark.parametrize(
    ("mean", "word"), [(0, "Easy"), (2.75, "Easy"), (2.76, "Fair"), (3.25, "Fair"), (3.26, "Hard")]
)
def test_a_rating_is_a_range_of_mean_guesses(mean, word):
    assert Difficulty((), 1, Spread(0, mean, 9), 1).rating == word


def test_a_date_without_a_tiling_has_no_rating_and_many_tilings_are_sampled():
    (none,) = measured(rectangle(2, 4, Piece("T", ("###", ".#."), 2)), 5)
    (many,) = measured(dominoes(4, 7), 5)
    assert (none.tilings, none.guesses, none.rating) == (0, None, None)
    assert (many.tilings, many.examined) == (781, 5)


def test_what_is_too_large_is_refused_by_its_size():
    with pytest.raises(TooLarge, match=r"14 .* 16"):
        measured(dominoes(4, 8), 5)
