"""Symmetries of boards, and tilings up to them."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from small import Small, as_found, domino_rectangle, small_puzzles
from tiny import SQUARE

from satcal.api import tilings
from satcal.evidence.claims.facts import Facts, Sources
from satcal.evidence.claims.kinds import Bound, ways_in_tilings, ways_to_place
from satcal.evidence.tables import Tables
from satcal.puzzle.loading import load
from satcal.puzzle.model import Puzzle, Tiling
from satcal.puzzle.placements import placements
from satcal.puzzle.symmetry import classes, moves_every_tiling, symmetries


def numbers(small: Small) -> tuple[int, int]:
    """Return how many tilings there are, and how many up to symmetry."""
    puzzle = small.load()
    listed = list(tilings(puzzle, (), method="search"))
    return len(listed), len(list(classes(puzzle, listed)))


@pytest.mark.parametrize(
    ("board", "order"), [("pentomino-6x10", 4), ("pentomino-8x8-hole", 8), ("rhombus", 1)]
)
def test_the_group_of_a_board_is_known(board: str, order: int) -> None:
    assert len(symmetries(load(board))) == order


@pytest.mark.parametrize(
    ("rows", "columns", "all_tilings", "up_to_symmetry"),
    [(1, 2, 1, 1), (2, 3, 3, 2), (4, 4, 36, 9)],
)
def test_dominoes_in_a_rectangle(
    rows: int, columns: int, all_tilings: int, up_to_symmetry: int
) -> None:
    assert numbers(domino_rectangle(rows, columns)) == (all_tilings, up_to_symmetry)


def one_sided(small: Small) -> Small:
    pieces = tuple((name, rows, copies, False) for name, rows, copies, _ in small.pieces)
    return replace(small, pieces=pieces)


def test_a_board_is_turned_over_if_every_piece_may_be_or_looks_the_same_then(two_l4: Small) -> None:
    assert numbers(two_l4) == (2, 1)
    # names belong to a tiling: one-sided pieces that mirror each other make no reflection
    pair = (("L4", ("###", "#.."), 1, False), ("J4", ("###", "..#"), 1, False))
    for small in (one_sided(two_l4), replace(two_l4, pieces=pair)):
        assert [each.reflects for each in symmetries(small.load())] == [False, False]
    assert len(symmetries(one_sided(domino_rectangle(2, 3)).load())) == 4


def test_labels_must_go_to_themselves() -> None:
    board = (("a", "*", "b"), ("*", "*", "*"))
    named = Small(board, {"letter": ("a", "b")}, (("L", ("###", "##."), 1, True),))
    assert len(symmetries(named.load())) == 1
    middle = Small((("*", "a", "*"),), {"letter": ("a",)}, (("M", ("#",), 2, True),))
    puzzle = middle.load()
    assert len(symmetries(puzzle)) == 4  # a row: two ways to move its cells, each as two of them
    assert len(list(classes(puzzle, tilings(puzzle, ("a",))))) == 1


@given(small_puzzles())
@settings(max_examples=30)
def test_symmetries_map_tilings_to_tilings_and_classes_partition_them(small: Small) -> None:
    puzzle = small.load()
    group = symmetries(puzzle)
    assert 8 % len(group) == 0
    every_tiling_moves = moves_every_tiling(puzzle, list(placements(puzzle, puzzle.cells)))
    for reveal in puzzle.reveals():
        found = small.tilings(reveal)
        listed = list(tilings(puzzle, reveal, method="search"))
        sizes = []
        for each in classes(puzzle, listed):
            orbit = {as_found([image.of(each)])[0] for image in group}
            assert orbit <= found
            assert len(list(classes(puzzle, [image.of(each) for image in group]))) == 1
            sizes.append(len(orbit))
        assert sum(sizes) == len(found)
        if every_tiling_moves:
            assert set(sizes) <= {len(group)}


def orbits(puzzle: Puzzle, ways: Iterable[Tiling]) -> int:
    """Return how many ways there are if those that are images of each other are one."""
    group = symmetries(puzzle)
    return len({frozenset(symmetry.of(way) for symmetry in group) for way in ways})


def test_ways_to_place_and_ways_in_tilings_are_those_of_brute_force() -> None:
    puzzle = SQUARE.load()
    facts = Facts(puzzle, Sources(Tables(Path("none")), "diagram", None))
    every = list(placements(puzzle, puzzle.cells))
    pairs = [
        pair
        for pair in itertools.combinations(every, 2)
        if pair[0].piece != pair[1].piece and not set(pair[0].cells) & set(pair[1].cells)
    ]
    assert len(symmetries(puzzle)) == 8
    assert ways_to_place(facts, ways=0).truth == {"ways": orbits(puzzle, [(p,) for p in every])}
    assert ways_to_place(facts, 2, ways=0).truth == {"ways": orbits(puzzle, pairs)}
    some = [pair for pair in pairs if {each.piece for each in pair} == {"P", "D"}]
    assert ways_to_place(facts, 1, ("D", "P"), ways=0).truth == {"ways": orbits(puzzle, some)}
    whole = list(tilings(puzzle, (), method="search"))
    number = {p: orbits(puzzle, [way for way in whole if p in way]) for p in every}
    assert set(number.values()) > {0}
    for most in range(max(number.values()) + 1):
        those = [(placed,) for placed in every if 0 < number[placed] <= most]
        answer = ways_in_tilings(facts, Bound("at_most", most), ways=0)
        assert answer.truth == {"ways": orbits(puzzle, those)}
