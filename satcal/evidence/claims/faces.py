"""Pieces that lie one face up, where the source does not say which face."""

from __future__ import annotations

import itertools
from collections.abc import Container, Iterator
from dataclasses import replace

from satcal.errors import TooLarge
from satcal.puzzle.model import Piece, Puzzle
from satcal.puzzle.shapes import reflect

MAX_FACES = 256  # choices of faces that are tried: eight pieces with two different ones


def face_choices(puzzle: Puzzle) -> Iterator[tuple[tuple[str, ...], Puzzle]]:
    """Yield each choice of faces for those pieces that have two different ones.

    A choice is the names of the pieces that are turned over, and the puzzle with them so; the
    first has all as drawn, the last all turned over.

    Raises:
        TooLarge: more choices than ``MAX_FACES``.
    """
    two = [piece.name for piece in puzzle.drawn if reflect(piece.shape) not in piece.orientations]
    if 2 ** len(two) > MAX_FACES:
        raise TooLarge(f"{2 ** len(two):,} choices of faces, more than {MAX_FACES}")
    for choice in itertools.product((False, True), repeat=len(two)):
        over = tuple(name for name, turned in zip(two, choice, strict=True) if turned)
        yield over, replace(puzzle, drawn=tuple(_turned(piece, over) for piece in puzzle.drawn))


def _turned(piece: Piece, over: Container[str]) -> Piece:
    return replace(piece, shape=reflect(piece.shape)) if piece.name in over else piece
