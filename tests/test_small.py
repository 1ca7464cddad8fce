"""The helpers of the tests hold what they promise."""

from __future__ import annotations

from collections import Counter

from hypothesis import find, given, settings
from small import Small, _faces, domino_rectangle, small_puzzles


def test_the_brute_force_knows_that_two_l4_fill_a_rectangle_in_two_ways(two_l4: Small) -> None:
    assert len(two_l4.tilings(())) == 2


def test_the_brute_force_counts_domino_tilings_of_two_rows_as_fibonacci_numbers() -> None:
    counts = [len(domino_rectangle(2, width).tilings(())) for width in range(1, 7)]
    assert counts == [1, 2, 3, 5, 8, 13]


@given(small_puzzles(solvable=True))
@settings(max_examples=30)
def test_puzzles_that_are_solvable_by_construction_have_a_tiling(small: Small) -> None:
    assert any(small.tilings(reveal) for reveal in small.reveals())


def test_the_random_puzzles_cover_every_rule_of_the_format() -> None:
    def wide(small: Small) -> bool:
        return any(n > 1 for t, n in Counter(sum(small.board, ())).items() if t not in ".*")

    def two_names(small: Small) -> bool:
        kinds = [_faces(rows, flip) for _, rows, _, flip in small.pieces]
        return len(set(kinds)) < len(kinds)

    def one_sided(small: Small) -> bool:
        return any(
            _faces(rows, False) != _faces(rows, True) for _, rows, _, f in small.pieces if not f
        )

    def unsolvable(small: Small) -> bool:
        return not any(small.tilings(reveal) for reveal in small.reveals())

    for rule in (
        wide,
        two_names,
        one_sided,
        unsolvable,
        lambda small: any(copies > 1 for _, _, copies, _ in small.pieces),
        lambda small: any("*" in row for row in small.board),
        lambda small: any("." in row for row in small.board),
        lambda small: len(small.categories) > 1,
        lambda small: not small.categories,
    ):
        assert find(small_puzzles(), rule)
