"""Difficulty: each measure against brute force, which has its own placements and tilings."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import pytest
from hypothesis import given, settings
from small import Cells, Found, Small, domino_rectangle, small_puzzles

from satcal.counting.difficulty import Difficulty, Spread, difficulties
from satcal.counting.search import Search
from satcal.counting.settings import Settings
from satcal.errors import TooLarge
from satcal.puzzle.demands import parse_demands
from satcal.puzzle.loading import load
from satcal.puzzle.model import Puzzle
from satcal.puzzle.placements import cover
from satcal.puzzle.shapes import cell_order, components

FRESH = Settings(use_cache=False)
Kinds = list[tuple[str, list[Cells], int]]


def measured(small: Small, **options: int) -> list[Difficulty]:
    return list(difficulties(small.load(), small.reveals()[:3], FRESH, **options))


def spread(numbers: list[int]) -> Spread | None:
    return Spread(min(numbers), sum(numbers) / len(numbers), max(numbers)) if numbers else None


def fewest(tiling: Found, good: Callable[[Found], bool]) -> int:
    """Return the size of the smallest part of a tiling that is good, trying all of them."""
    sizes = range(len(tiling) + 1)
    parts = (part for size in sizes for part in combinations(tiling, size))
    return next(len(part) for part in parts if good(frozenset(part)))


def guesses(kinds: Kinds, free: Cells, tilings: set[Found]) -> Spread | None:
    return spread([fewest(t, lambda part, t=t: follow(kinds, free, part) == t) for t in tilings])


def right(tilings: set[Found]) -> Spread | None:
    return spread([fewest(t, lambda p: sum(p <= other for other in tilings) == 1) for t in tilings])


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


def tree(kinds: Kinds, free: Cells) -> tuple[int, int]:
    """Return the nodes of the pruned search, and from how many exactly one placement goes on."""
    order = cell_order(free)
    nodes = forced = 0

    def goes_on(uncovered: Cells, copies: dict[str, int]) -> bool:
        nonlocal nodes, forced
        nodes += 1
        sums = {0}
        for name, spots, _ in kinds:
            for _ in range(copies[name] if spots else 0):
                sums |= {area + len(spots[0]) for area in sums}
        if any(len(part) not in sums for part in components(uncovered)):
            return False
        kept = 0
        if uncovered:
            cell = next(cell for cell in order if cell in uncovered)
            for name, spots, _ in kinds:
                for spot in spots if copies[name] else ():
                    if cell in spot and spot <= uncovered:
                        kept += goes_on(uncovered - spot, {**copies, name: copies[name] - 1})
        forced += kept == 1
        return True

    goes_on(free, {name: copies for name, _, copies in kinds})
    return nodes, forced


@settings(max_examples=60)
@given(small_puzzles())
def test_every_measure_is_that_of_brute_force(small: Small) -> None:
    for each in measured(small, sample=10_000):
        kinds, free = small.spots(each.reveal)
        tilings = small.tilings(each.reveal)
        assert (each.tilings, each.examined) == (len(tilings), len(tilings))
        assert (each.nodes, each.forced) == tree(kinds, free)
        assert each.guesses == guesses(kinds, free, tilings)
        assert each.right == right(tilings)
        assert each.shares == {
            name: (len({s for s in spots if any((name, s) in t for t in tilings)}), len(spots))
            for name, spots, _ in kinds
        }


def test_copies_are_decided_together_and_used_up_together(two_l4: Small) -> None:
    """Drawn puzzles seldom have guesses to make with copies."""
    for small in (two_l4, domino_rectangle(2, 5), domino_rectangle(3, 4)):
        (each, *_) = measured(small)
        kinds, free = small.spots(each.reveal)
        tilings = small.tilings(each.reveal)
        assert each.guesses == guesses(kinds, free, tilings)
        assert each.guesses.most > 0


@pytest.mark.parametrize(
    ("board", "reveal"), [("a-puzzle-a-day", "Dec 25"), ("jarring-words", "Oct 6")]
)
def test_the_search_counts_as_many_nodes(board: str, reveal: str) -> None:
    puzzle = load(board)
    search = Search(cover(puzzle, puzzle.reveal(reveal)))
    (each,) = difficulties(puzzle, [puzzle.reveal(reveal)], FRESH)
    assert (sum(1 for _ in search.tilings()), search.visited) == (each.tilings, each.nodes)


def test_a_sample_is_spread_over_the_tilings_and_what_is_placed_counts(daily: Puzzle) -> None:
    reveal = ("Dec", "25")
    (whole,) = difficulties(daily, [reveal], FRESH)
    (some,) = difficulties(daily, [reveal], FRESH, sample=10)
    assert (whole.examined, some.examined, some.tilings) == (92, 10, 92)
    assert (some.shares, some.nodes) == (whole.shares, whole.nodes)
    assert whole.guesses.least <= some.guesses.mean <= whole.guesses.most
    (placed,) = difficulties(
        daily, [reveal], Settings(demands=tuple(parse_demands(daily, ["O@r6c0"])))
    )
    assert placed.tilings < 92
    assert placed.nodes < whole.nodes
    assert placed.guesses.mean < whole.guesses.mean


def test_what_is_too_large_is_refused_by_its_size() -> None:
    large = domino_rectangle(4, 8)
    with pytest.raises(TooLarge, match=r"at most 14 pieces .* not 16 within 4 by 8"):
        measured(large)
