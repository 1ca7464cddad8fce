"""Symmetries of a puzzle, and its tilings up to them, against classes made from tilings alone."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle import Piece, Small, as_tiling, dominoes, rectangle, small_puzzles
from oracle import Tiling as Found
from satcal.puzzle.loading import load
from satcal.puzzle.model import Placement, Tiling
from satcal.puzzle.placements import placements
from satcal.puzzle.symmetry import Symmetry, classes, moves_every_tiling, symmetries

L, J = Piece("L", ("###", "#.."), 1, False), Piece("J", ("###", "..#"), 1, False)
MIRROR_PAIR = rectangle(2, 6, L, J, Piece("D", ("##",), 2))
"""One-sided pieces, of which a reflection makes one the other: 8 tilings in 3 classes."""


def as_tilings(found: Iterable[Found]) -> list[Tiling]:
    """Return tilings of the brute force as satcal has them, in a fixed order."""
    ordered = [sorted((name, tuple(sorted(cells))) for name, cells in each) for each in found]
    return [tuple(Placement(*part) for part in each) for each in sorted(ordered)]


def classes_by_brute_force(small: Small, found: set[Found]) -> int:
    """Return the number of classes of tilings, as sets of sets of cells, turned in all ways.

    A turn counts if it maps the board to itself and the faces of the pieces to faces of pieces.
    """
    tokens = {(r, c): token for r, row in enumerate(small.board) for c, token in enumerate(row)}
    tokens = {cell: token for cell, token in tokens.items() if token != "."}
    kinds = [(piece.faces, piece.copies) for piece in small.pieces]
    own = {faces: sum(n for other, n in kinds if other == faces) for faces, _ in kinds}
    seen: set[frozenset[frozenset[tuple[int, int]]]] = set()
    turns = []
    for over, quarters in itertools.product((1, -1), range(4)):

        def turn(cells, over=over, quarters=quarters):
            turned = [(r, over * c) for r, c in cells]
            for _ in range(quarters):
                turned = [(c, -r) for r, c in turned]
            return turned

        def corner(cells):
            top, left = min(r for r, _ in cells), min(c for _, c in cells)
            return frozenset((r - top, c - left) for r, c in cells)

        moved = turn(tokens)
        up, west = min(r for r, _ in moved), min(c for _, c in moved)
        image = dict(zip(tokens, [(r - up, c - west) for r, c in moved], strict=True))
        top, left = min(r for r, _ in tokens), min(c for _, c in tokens)
        image = {cell: (r + top, c + left) for cell, (r, c) in image.items()}
        same = all(tokens.get(image[cell]) == token for cell, token in tokens.items())
        faces = {frozenset(corner(turn(face)) for face in each): n for each, n in own.items()}
        if same and faces == own:
            turns.append(image)
    number = 0
    for partition in {frozenset(cells for _, cells in each) for each in found}:
        number += partition not in seen
        seen |= {
            frozenset(frozenset(image[cell] for cell in cells) for cells in partition)
            for image in turns
        }
    return number


def by_burnside(group: Iterable[Symmetry], tilings: Iterable[Tiling]) -> tuple[int, int]:
    """Return the sum of fixed tilings over a group, divided by its size, and the rest."""
    group = list(group)
    forms = [tuple(sorted(t, key=lambda p: (p.piece, p.cells))) for t in tilings]
    return divmod(sum(each.of(form) == form for each in group for form in forms), len(group))


@pytest.mark.parametrize(
    ("board", "order"),
    [("pentomino-6x10", 4), ("pentomino-8x8-hole", 8), ("rhombus", 1), ("a-puzzle-a-day", 1)],
)
def test_the_group_of_a_board_is_known(board: str, order: int) -> None:
    assert len(symmetries(load(board))) == order


@pytest.mark.parametrize(
    ("small", "tilings", "number"),
    [(MIRROR_PAIR, 8, 3), (dominoes(1, 2), 1, 1), (dominoes(2, 3), 3, 2), (dominoes(4, 4), 36, 9)],
)
def test_known_numbers_of_classes(small: Small, tilings: int, number: int) -> None:
    listed = as_tilings(small.tilings(()))
    assert (len(listed), len(list(classes(small.load(), listed)))) == (tilings, number)


def test_a_reflection_says_which_piece_becomes_which() -> None:
    renamed = [dict(each.renamed) for each in symmetries(MIRROR_PAIR.load())]
    kept, swapped = {"L": "L", "J": "J", "D": "D"}, {"L": "J", "J": "L", "D": "D"}
    assert renamed == [kept, kept, swapped, swapped]


@pytest.mark.parametrize(("copies", "order"), [(1, 4), (2, 2)])
def test_a_mirror_image_needs_as_many_copies(copies: int, order: int) -> None:
    more = Piece("L", L.rows, copies, False)
    assert len(symmetries(rectangle(2, 2 * copies + 2, more, J).load())) == order


def test_labels_go_to_themselves() -> None:
    board = (("a", "*", "b"), ("*", "*", "*"))
    five = Piece("L", ("###", "##."))
    assert len(symmetries(Small(board, (five,), (("x", ("a", "b")),)).load())) == 1
    middle = Small((("*", "a", "*"),), (Piece("M", ("#",), 2),), (("x", ("a",)),))
    assert len(symmetries(middle.load())) == 2  # a row has two ways to move its cells


def test_pieces_on_the_table_leave_the_symmetries_that_keep_them() -> None:
    puzzle = MIRROR_PAIR.load()
    corner = Placement("D", ((0, 0), (1, 0)))
    middle = (Placement("D", ((0, 2), (0, 3))), Placement("D", ((1, 2), (1, 3))))
    assert [len(symmetries(puzzle, place)) for place in ([corner], middle)] == [2, 4]


def mirror_pairs(seed: int) -> Small:
    """Return a small board, maybe with a hole, with one-sided pieces, mirror pairs and copies."""
    rng = random.Random(seed)
    pool = [L, J, Piece("S", (".##", "##."), 1, False), Piece("Z", ("##.", ".##"), 1, False)]
    pool.append(Piece("V", ("##", "#.")))
    names = rng.choice(["LJ", "SZ", "LJV", "LZ", "V", "LJSZ"])
    pieces = [piece for piece in pool if piece.name in names]
    rows, columns = rng.choice([(2, 6), (3, 4), (4, 4), (3, 5), (2, 7), (2, 8)])
    gaps = rng.choice([[], [(rows // 2, columns // 2)], [(0, 0), (rows - 1, columns - 1)]])
    left = rows * columns - len(gaps) - sum(map(len, (next(iter(p.faces)) for p in pieces)))
    if left < 0:
        return MIRROR_PAIR
    if left >= 2:
        pieces.append(Piece("D", ("##",), left // 2))
    if left % 2:
        pieces.append(Piece("M", ("#",)))
    board = [["*"] * columns for _ in range(rows)]
    for row, column in gaps:
        board[row][column] = "."
    return Small(tuple(map(tuple, board)), tuple(pieces))


def check(small: Small, reveal: tuple[str, ...]) -> None:
    """Compare the classes of a reveal with those of brute force and of Burnside's lemma."""
    puzzle, found = small.load(), small.tilings(reveal)
    listed, group = as_tilings(found), symmetries(puzzle)
    expected = classes_by_brute_force(small, found)
    assert len(list(classes(puzzle, listed))) == expected
    assert by_burnside(group, listed) == (expected, 0)
    assert {as_tiling(each.of(tiling)) for each in group for tiling in listed} == found
    if moves_every_tiling(puzzle, list(placements(puzzle, puzzle.cells))):
        assert len(listed) == expected * len(group)


@given(st.integers(0, 2**32))
def test_classes_of_mirror_pairs_are_those_of_brute_force(seed: int) -> None:
    check(mirror_pairs(seed), ())


@given(small_puzzles())
def test_classes_of_a_random_board_are_those_of_brute_force(small: Small) -> None:
    check(small, small.reveals[0])
