"""All polyominoes of a size, and their names."""

from __future__ import annotations

from functools import cache

from satcal.puzzle.shapes import Shape, normalise, orientations, reflect

LARGEST = 8
"""Squares: 369 free octominoes, 704 one-sided ones."""

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
"""Larger ones are numbered in the order of their least orientation: H1 to H35 and so on."""


def parse_drawing(drawing: str) -> Shape:
    """Return the shape of a drawing whose rows are divided by ``/``."""
    rows = enumerate(drawing.split("/"))
    return normalise(
        (row, column) for row, text in rows for column, c in enumerate(text) if c == "#"
    )


def _least(shape: Shape, flip: bool = True) -> Shape:
    return min(orientations(shape, flip))


@cache
def shapes(size: int, flip: bool = True) -> tuple[Shape, ...]:
    """Return the polyominoes of a size, each once, in the order of their least orientation.

    With ``flip`` mirror images are one (1, 1, 2, 5, 12, 35, 108, 369: OEIS A000105), without
    they are two (1, 1, 2, 7, 18, 60, 196, 704: A000988). Each is a polyomino with one
    square fewer, plus an adjacent square.
    """
    if size == 1:
        return (((0, 0),),)
    grown = {
        _least(normalise((*shape, beside)), flip)
        for shape in shapes(size - 1, flip)
        for row, column in shape
        for beside in ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))
        if beside not in shape
    }
    return tuple(sorted(grown))


@cache
def polyominoes(size: int, flip: bool = True) -> dict[str, Shape]:
    """Return the polyominoes of a size by name, in the order of their names.

    Without ``flip`` a mirror image that is another polyomino follows its original: its name
    is in small letters.
    """
    free = shapes(size)
    if size in GOLOMB:
        named = {name: parse_drawing(drawing) for name, drawing in GOLOMB[size].items()}
    else:
        named = {f"{LETTERS[size]}{number}": shape for number, shape in enumerate(free, 1)}
    if flip:
        return named
    sided: dict[str, Shape] = {}
    for name, shape in named.items():
        sided[name] = shape
        mirrored = reflect(shape)
        if _least(mirrored, False) != _least(shape, False):
            sided[name.lower()] = mirrored
    return sided
