"""The helpers of the tests hold what they promise."""

from collections import Counter

from hypothesis import find, given, settings
from small import domino_rectangle, faces, small_puzzles

RULES = {
    "a label on several cells": lambda small: any(
        n > 1 for text, n in Counter(sum(small.board, ())).items() if text not in ".*"
    ),
    "a piece of two names": lambda small: len(small.spots(())[0]) < len(small.pieces),
    "a one-sided piece": lambda small: any(
        faces(rows, False) != faces(rows, True) for _, rows, _, flip in small.pieces if not flip
    ),
    "no tiling": lambda small: not any(map(small.tilings, small.reveals())),
    "copies": lambda small: any(copies > 1 for _, _, copies, _ in small.pieces),
    "cells without a label": lambda small: any("*" in row for row in small.board),
    "gaps": lambda small: any("." in row for row in small.board),
    "two categories": lambda small: len(small.categories) > 1,
    "no category": lambda small: not small.categories,
}


def test_the_brute_force_knows_the_counts_of_dominoes_and_of_two_l4(two_l4):
    assert len(two_l4.tilings(())) == 2
    counts = [len(domino_rectangle(2, width).tilings(())) for width in range(1, 7)]
    assert counts == [1, 2, 3, 5, 8, 13]


@given(small_puzzles(solvable=True))
@settings(max_examples=30)
def test_puzzles_that_are_solvable_by_construction_have_a_tiling(small):
    assert any(small.tilings(reveal) for reveal in small.reveals())


def test_the_random_puzzles_cover_every_rule_of_the_format():
    for rule in RULES.values():
        assert find(small_puzzles(), rule)
