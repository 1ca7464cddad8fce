"""Classes of tilings are those that brute force puts together."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle import Piece, Small, Tiling, cut_boards, dominoes, four_turns, picture, to_corner
from satcal.counting.classes import up_to_symmetry
from satcal.counting.diagram import DiagramMethod
from satcal.counting.listing import Listing
from satcal.counting.method import Meter
from satcal.errors import Disagreement
from satcal.puzzle.loading import load
from satcal.puzzle.model import Placement, Puzzle
from satcal.puzzle.placements import placements
from satcal.puzzle.symmetry import tilings_are_asymmetric


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
    for flips in (1, -1):
        names = {}
        for faces, (name, copies) in kinds.items():
            mirrored = frozenset(to_corner((r, flips * c) for r, c in face) for face in faces)
            if kinds.get(mirrored, ("", 0))[1] == copies:
                names[name] = kinds[mirrored][0]
        for turned in four_turns([(r, flips * c) for r, c in tokens]):
            top, left = (
                min(cell[axis] for cell in turned) - min(cell[axis] for cell in tokens)
                for axis in (0, 1)
            )
            moved = [(r - top, c - left) for r, c in turned]
            cells = dict(zip(tokens, moved, strict=True))
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


def count_classes(puzzle: Puzzle, place: Sequence[Placement] = ()) -> int:
    by_diagram, by_listing = (
        up_to_symmetry(method).counts(puzzle, [()], place, Meter())
        for method in (DiagramMethod(), Listing())
    )
    assert by_diagram == by_listing
    return by_diagram[()]


@given(symmetric_puzzles(), st.data())
@settings(max_examples=60)
def test_classes_are_those_that_brute_force_puts_together(small, data):
    puzzle, tilings = small.load(), small.tilings(())
    some = sorted(data.draw(st.sampled_from(sorted(tilings, key=str))), key=str) if tilings else []
    placed = frozenset(data.draw(st.lists(st.sampled_from(some), max_size=2)) if some else ())
    table = [Placement(name, tuple(sorted(cells))) for name, cells in placed]
    having = {tiling for tiling in tilings if placed <= tiling}
    assert count_classes(puzzle, table) == number_of_classes(small, having, placed)


@pytest.mark.parametrize(
    ("puzzle", "count", "is_asymmetric"),
    [
        (load("pentomino-3x20"), 2, True),
        (load("pentomino-6x10"), 2339, True),
        (load("pentomino-8x8-hole"), 65, True),
        (dominoes(2, 2).load(), 1, False),
        (dominoes(4, 4).load(), 9, False),
    ],
)
def test_the_numbers_of_classes_are_the_published_ones(puzzle, count, is_asymmetric):
    assert count_classes(puzzle) == count
    assert tilings_are_asymmetric(puzzle, list(placements(puzzle, puzzle.cells))) == is_asymmetric


def test_a_count_that_the_symmetries_do_not_divide_is_a_disagreement(monkeypatch):
    monkeypatch.setattr(DiagramMethod, "counts", lambda *_: {(): 37})
    with pytest.raises(Disagreement, match="multiple"):
        up_to_symmetry(DiagramMethod()).counts(load("pentomino-6x10"), [()], (), Meter())
