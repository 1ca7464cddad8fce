"""Symmetries of a puzzle, and its tilings up to them, against classes made from tilings alone."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.puzzles import Found, Small, domino_rectangle
from satcal.puzzle.loading import load
from satcal.puzzle.model import Placement, Tiling
from satcal.puzzle.placements import placements
from satcal.puzzle.symmetry import Symmetry, classes, moves_every_tiling, symmetries

MIRROR_PAIR = Small(
    (("*",) * 6,) * 2,
    {},
    (
        ("L", ("###", "#.."), 1, False),
        ("J", ("###", "..#"), 1, False),
        ("D", ("##",), 2, True),
    ),
)
"""One-sided pieces of which a reflection makes one the other: 8 tilings in 3 classes."""


def as_tilings(found: Iterable[Found]) -> list[Tiling]:
    """Return tilings of the brute force as satcal has them, in a fixed order."""
    ordered = [sorted((name, tuple(sorted(cells))) for name, cells in each) for each in found]
    return [tuple(Placement(*part) for part in each) for each in sorted(ordered)]


def classes_by_brute_force(small: Small, found: Iterable[Found]) -> int:
    """Return the number of classes of tilings, as sets of sets of cells, turned in all ways.

    A turn counts if it maps all placements of all pieces to placements, whatever their names.
    """
    spots, free = small.spots(())
    spots = [kind for kind in spots if kind[1]]  # a piece that fits nowhere forbids no turn
    kinds = {(frozenset(placed), copies) for _, placed, copies in spots}
    labels = {
        (r, c): token
        for r, row in enumerate(small.board)
        for c, token in enumerate(row)
        if token not in ("*", ".")
    }
    top, left = min(r for r, _ in free), min(c for _, c in free)
    turns = []
    for over, quarters in itertools.product((1, -1), range(4)):
        turned = {cell: (cell[0], over * cell[1]) for cell in free}
        for _ in range(quarters):
            turned = {cell: (c, -r) for cell, (r, c) in turned.items()}
        up, west = min(r for r, _ in turned.values()), min(c for _, c in turned.values())
        turn = {cell: (r - up + top, c - west + left) for cell, (r, c) in turned.items()}
        if set(turn.values()) == set(free) and all(
            labels.get(turn[cell]) == labels.get(cell) for cell in free
        ):
            moved = {
                (frozenset(frozenset(turn[cell] for cell in cells) for cells in placed), copies)
                for placed, copies in kinds
            }
            if moved == kinds:
                turns.append(turn)
    partitions = {frozenset(cells for _, cells in each) for each in found}
    seen: set[frozenset[frozenset[tuple[int, int]]]] = set()
    number = 0
    for partition in partitions:
        number += partition not in seen
        seen |= {
            frozenset(frozenset(turn[cell] for cell in cells) for cells in partition)
            for turn in turns
        }
    return number


def burnside(group: Iterable[Symmetry], tilings: Iterable[Tiling]) -> tuple[int, int]:
    """Return the sum of fixed tilings over a group, divided by its size, and the rest."""
    group, forms = (
        list(group),
        [tuple(sorted(t, key=lambda p: (p.piece, p.cells))) for t in tilings],
    )
    return divmod(sum(each.of(form) == form for each in group for form in forms), len(group))


def numbers(small: Small) -> tuple[int, int]:
    """Return how many tilings there are, and how many up to symmetry."""
    listed = as_tilings(small.tilings(()))
    return len(listed), len(list(classes(small.load(), listed)))


@pytest.mark.parametrize(
    ("board", "order"),
    [("pentomino-6x10", 4), ("pentomino-8x8-hole", 8), ("rhombus", 1), ("a-puzzle-a-day", 1)],
)
def test_the_group_of_a_board_is_known(board: str, order: int) -> None:
    assert len(symmetries(load(board))) == order


@pytest.mark.parametrize(
    ("small", "expected"),
    [
        (MIRROR_PAIR, (8, 3)),
        (domino_rectangle(1, 2), (1, 1)),
        (domino_rectangle(2, 3), (3, 2)),
        (domino_rectangle(4, 4), (36, 9)),
    ],
)
def test_known_numbers_of_classes(small: Small, expected: tuple[int, int]) -> None:
    assert numbers(small) == expected


def test_a_reflection_says_which_piece_becomes_which() -> None:
    renamings = [dict(each.renamed) for each in symmetries(MIRROR_PAIR.load())]
    kept, swapped = {"L": "L", "J": "J", "D": "D"}, {"L": "J", "J": "L", "D": "D"}
    assert renamings == [kept, kept, swapped, swapped]


@pytest.mark.parametrize(
    ("copies", "order"),
    [((1, 1), 4), ((2, 1), 2)],
)
def test_a_mirror_image_needs_as_many_copies(copies: tuple[int, int], order: int) -> None:
    pair = tuple(
        (name, rows, number, False)
        for (name, rows), number in zip(
            [("L", ("###", "#..")), ("J", ("###", "..#"))], copies, strict=True
        )
    )
    width = 2 * sum(copies)
    assert len(symmetries(Small((("*",) * width,) * 2, {}, pair).load())) == order


def test_labels_go_to_themselves() -> None:
    board = (("a", "*", "b"), ("*", "*", "*"))
    named = Small(board, {"letter": ("a", "b")}, (("L", ("###", "##."), 1, True),))
    assert len(symmetries(named.load())) == 1
    middle = Small((("*", "a", "*"),), {"letter": ("a",)}, (("M", ("#",), 2, True),))
    assert len(symmetries(middle.load())) == 2  # a row has two ways to move its cells


def test_pieces_on_the_table_leave_the_symmetries_that_keep_them() -> None:
    puzzle = MIRROR_PAIR.load()
    corner = Placement("D", ((0, 0), (1, 0)))
    middle = (Placement("D", ((0, 2), (0, 3))), Placement("D", ((1, 2), (1, 3))))
    assert len(symmetries(puzzle, [corner])) == 2
    assert len(symmetries(puzzle, middle)) == 4


def mirror_pairs(seed: int) -> Small:
    """A small board, maybe with a hole, with one-sided mirror pairs and copies."""
    rng = random.Random(seed)
    pool = [
        ("L", ("###", "#..")), ("J", ("###", "..#")),
        ("S", (".##", "##.")), ("Z", ("##.", ".##")),
        ("D", ("##",)), ("M", ("#",)), ("V", ("##", "#.")),
    ]  # fmt: skip
    names = rng.choice([("L", "J"), ("S", "Z"), ("L", "J", "V"), ("L", "Z"), ("V",)])
    twice = rng.random() < 0.3
    pieces = [(n, r, 1 + (twice and n in "LJ"), False) for n, r in pool if n in names]
    area = sum(copies * sum(row.count("#") for row in rows) for _, rows, copies, _ in pieces)
    rows, columns = rng.choice([(2, 6), (3, 4), (4, 4), (3, 5), (2, 7), (2, 8)])
    gaps = set()
    if rng.random() < 0.5:
        gaps = {(rows // 2, columns // 2)} | ({(0, 0)} if rng.random() < 0.5 else set())
    left = rows * columns - len(gaps) - area
    if left >= 2:
        pieces.append(("D", ("##",), left // 2, True))
    if left % 2:
        pieces.append(("M", ("#",), 1, True))
    if left < 0:
        return MIRROR_PAIR
    board = tuple(
        tuple("." if (r, c) in gaps else "*" for c in range(columns)) for r in range(rows)
    )
    return Small(board, {}, tuple(pieces))


@given(st.integers(0, 2**32))
def test_classes_are_those_of_brute_force_and_of_burnside(seed: int) -> None:
    small = mirror_pairs(seed)
    puzzle, found = small.load(), small.tilings(())
    listed, group = as_tilings(found), symmetries(puzzle)
    expected = classes_by_brute_force(small, found)
    assert len(list(classes(puzzle, listed))) == expected
    if listed:
        assert burnside(group, listed) == (expected, 0)
        known = {frozenset((p.piece, frozenset(p.cells)) for p in each) for each in listed}
        for image, each in itertools.product(group, listed):
            moved = frozenset((p.piece, frozenset(p.cells)) for p in image.of(each))
            assert moved in known
        if moves_every_tiling(puzzle, list(placements(puzzle, puzzle.cells))):
            assert len(listed) == expected * len(group)
