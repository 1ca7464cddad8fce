"""Classes of tilings, counted by Burnside's lemma, are those that brute force puts together."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle import (
    Piece,
    Small,
    Tiling,
    cut_boards,
    dominoes,
    parts,
    picture,
    rectangle,
    to_corner,
)
from satcal.diagram import classes, counts
from satcal.diagram.classes import count_classes
from satcal.diagram.model import MemoryLimitError
from satcal.errors import Disagreement
from satcal.puzzle import symmetry
from satcal.puzzle.loading import load
from satcal.puzzle.model import Placement
from satcal.puzzle.placements import placements

TURNS = (
    lambda r, c: (r, c),
    lambda r, c: (c, -r),
    lambda r, c: (-r, -c),
    lambda r, c: (-c, r),
)


def transformations(small: Small) -> list:
    """Return the maps of cells and pieces that map the placements of a puzzle to themselves.

    A map is tried with each of the square's eight motions. A label has to stay where it is.
    """
    tokens = {
        (r, c): token
        for r, row in enumerate(small.board)
        for c, token in enumerate(row)
        if token != "."
    }
    kinds: dict = {}
    for piece in small.pieces:
        name, copies = kinds.get(piece.faces, (piece.name, 0))
        kinds[piece.faces] = (name, copies + piece.copies)
    maps = []
    for turn, flips in itertools.product(TURNS, (1, -1)):
        moved = {cell: turn(cell[0], flips * cell[1]) for cell in tokens}
        top, left = (
            min(cell[axis] for cell in moved.values()) - min(cell[axis] for cell in tokens)
            for axis in (0, 1)
        )
        cells = {cell: (r - top, c - left) for cell, (r, c) in moved.items()}
        names = {}
        for faces, (name, copies) in kinds.items():
            turned = frozenset(to_corner((r, flips * c) for r, c in face) for face in faces)
            if kinds.get(turned, ("", 0))[1] == copies:
                names[name] = kinds[turned][0]
        if len(names) == len(kinds) and all(tokens.get(cells[c]) == tokens[c] for c in tokens):
            maps.append((cells, names))
    return maps


def image(tiling: Tiling, cells: dict, names: dict) -> Tiling:
    return frozenset(
        (names[name], frozenset(map(cells.__getitem__, covered))) for name, covered in tiling
    )


def number_of_classes(small: Small, tilings: set[Tiling], placed: Tiling) -> int:
    kept = [by for by in transformations(small) if image(placed, *by) == placed]
    return len({frozenset(image(tiling, *by) for by in kept) for tiling in tilings})


@st.composite
def symmetric_puzzles(draw: st.DrawFn) -> Small:
    """Draw a board, often of two halves that mirror each other, with one-sided pieces and holes."""
    regions = draw(cut_boards())
    if draw(st.booleans()):
        right = 1 + max(c for region in regions for _, c in region)
        regions += [{(r, 2 * right - 1 - c) for r, c in region} for region in regions]
        regions = [region for region in regions if len(region) > 1] or regions
        regions = regions[:8]
    cells = set().union(*regions)
    rows, columns = (1 + max(cell[axis] for cell in cells) for axis in (0, 1))
    flips = st.booleans() if draw(st.booleans()) else st.just(False)
    pieces = tuple(
        Piece("ABCDEFGHIJKLMNOP"[number], picture(region), 1, draw(flips))
        for number, region in enumerate(regions)
    )
    board = tuple(tuple(".*"[(r, c) in cells] for c in range(columns)) for r in range(rows))
    return Small(board, pieces)


@given(symmetric_puzzles())
@settings(max_examples=40)
def test_classes_are_those_that_brute_force_puts_together(small):
    puzzle, tilings = small.load(), small.tilings(())
    number = number_of_classes(small, tilings, frozenset())
    assert count_classes(puzzle, [()]) == {(): number}
    listed = [tuple(Placement(name, tuple(cells)) for name, cells in parts(t)) for t in tilings]
    assert len(list(symmetry.classes(puzzle, listed))) == number
    if symmetry.tilings_are_asymmetric(puzzle, list(placements(puzzle, puzzle.cells))):
        assert len(tilings) == number * len(symmetry.symmetries(puzzle))


@given(symmetric_puzzles(), st.data())
def test_what_is_placed_stays_under_the_symmetries_that_keep_it(small, data):
    tilings = small.tilings(())
    if not tilings:
        return
    parts = sorted(data.draw(st.sampled_from(sorted(tilings, key=str))), key=str)
    placed = frozenset(data.draw(st.lists(st.sampled_from(parts), max_size=2)))
    table = [Placement(name, tuple(sorted(cells))) for name, cells in placed]
    having = {tiling for tiling in tilings if placed <= tiling}
    assert count_classes(small.load(), [()], table) == {
        (): number_of_classes(small, having, placed)
    }


def test_a_pair_of_mirror_images_is_exchanged_by_a_reflection():
    pieces = (
        Piece("L", ("###", "#.."), 1, False),
        Piece("J", ("###", "..#"), 1, False),
        Piece("D", ("##",), 2, False),
    )
    small = rectangle(2, 6, *pieces)
    assert len(small.tilings(())) == 8
    assert count_classes(small.load(), [()]) == {(): 3}


def test_labels_that_a_reflection_keeps_leave_it_a_symmetry_of_every_reveal():
    board = (("*", "a", "*"), ("*", "b", "*"), ("*", "*", "*"))
    small = Small(board, (Piece("I", ("##",), 4),), (("x", ("a", "b")),))
    puzzle = small.load()
    for reveal in small.reveals:
        tilings = small.tilings(reveal)
        assert count_classes(puzzle, [reveal]) == {
            reveal: number_of_classes(small, tilings, frozenset())
        }
    assert len(count_classes(puzzle, small.reveals)) == 2


@pytest.mark.parametrize(
    ("board", "count"),
    [("pentomino-3x20", 2), ("pentomino-6x10", 2339), ("pentomino-8x8-hole", 65)],
)
def test_the_pentominoes_have_the_classes_of_the_literature(board, count):
    assert count_classes(load(board), [()]) == {(): count}


@pytest.mark.parametrize(("size", "count"), [(2, 1), (4, 9), (8, 1_629_189)])
def test_domino_squares_up_to_symmetry(size, count):
    assert count_classes(dominoes(size, size).load(), [()]) == {(): count}


def test_layers_count_what_is_kept_where_a_graph_does_not_fit(monkeypatch):
    def refuse(*_):
        raise MemoryLimitError("too large")

    board = rectangle(4, 4, Piece("I", ("##",), 6), Piece("O", ("##", "##"))).load()
    by_graphs = count_classes(board, [()])
    monkeypatch.setattr(counts, "build", refuse)
    assert count_classes(board, [()]) == by_graphs


def test_a_sum_that_the_symmetries_do_not_divide_is_a_disagreement(monkeypatch):
    monkeypatch.setattr(classes, "counts_by_diagram", lambda *_: ({(): 37}, 1))
    with pytest.raises(Disagreement, match="multiple"):
        count_classes(dominoes(4, 4).load(), [()])
