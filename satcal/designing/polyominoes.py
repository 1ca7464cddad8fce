"""All polyominoes of a size, and their names."""

from __future__ import annotations

from functools import cache

from satcal.puzzle.shapes import Shape, normalise, orientations

MAX_SIZE = 8
"""The most squares of a polyomino; there are 369 octominoes."""

GOLOMB = {
    1: {"M1": "#"},
    2: {"D2": "##"},
    3: {"I3": "###", "V3": "##/#."},
    4: {"I4": "####", "L4": "###/#..", "O4": "##/##", "S4": "##./.##", "T4": "###/.#."},
    5: {
        "F": ".##/##./.#.",
        "I": "#####",
        "L": "####/#...",
        "N": "###./..##",
        "P": "##/##/#.",
        "T": "###/.#./.#.",
        "U": "#.#/###",
        "V": "#../#../###",
        "W": "#../##./.##",
        "X": ".#./###/.#.",
        "Y": "####/.#..",
        "Z": "##./.#./.##",
    },
}
"""Golomb's letters (Polyominoes, 1965); below five squares the size follows the letter."""

LETTERS = {6: "H", 7: "J", 8: "K"}
"""Letters of larger polyominoes, numbered by their least orientation: H1 to H35 and so on."""


def parse_drawing(drawing: str) -> Shape:
    """Return the shape of a drawing with ``#`` for squares and ``/`` between rows."""
    rows = enumerate(drawing.split("/"))
    return normalise(
        (row, column) for row, text in rows for column, c in enumerate(text) if c == "#"
    )


def _canonicalize(shape: Shape) -> Shape:
    return min(orientations(shape))


@cache
def list_shapes(size: int) -> tuple[Shape, ...]:
    """Return the polyominoes of a size, each as its least orientation, in sorted order.

    Mirror images are the same polyomino (1, 1, 2, 5, 12, 35, 108, 369: OEIS A000105). Each one has
    a square more than another one.
    """
    if size == 1:
        return (((0, 0),),)
    shapes = {
        _canonicalize(normalise((*shape, square)))
        for shape in list_shapes(size - 1)
        for row, column in shape
        for square in ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))
        if square not in shape
    }
    return tuple(sorted(shapes))


def find_name(shape: Shape) -> str:
    """Return the name of the polyomino that has a shape, or "" if it is too large for a name.

    >>> find_name(parse_drawing("##/#./#."))
    'L4'
    """
    named = list_polyominoes(len(shape)) if len(shape) <= MAX_SIZE else {}
    form = _canonicalize(shape)
    return next((name for name, other in named.items() if _canonicalize(other) == form), "")


@cache
def list_polyominoes(size: int) -> dict[str, Shape]:
    """Return the polyominoes of a size by name, in the order of their names."""
    if size in GOLOMB:
        return {name: parse_drawing(drawing) for name, drawing in GOLOMB[size].items()}
    return {f"{LETTERS[size]}{number}": s for number, s in enumerate(list_shapes(size), 1)}
