"""Tiny puzzles whose tilings the brute force counts."""

from __future__ import annotations

from dataclasses import replace

from small import Small

from satcal.puzzle.model import Reveal

TINY = Small(
    board=(("Jan", "Feb", "*", "*"), ("1", "29", "30", "*"), ("*", "*", "*", "*")),
    categories={"month": ("Jan", "Feb"), "day": ("1", "29", "30")},
    pieces=(("L4", ("###", "#.."), 1, True), ("V", ("##", "#."), 2, True)),
)
ONE_FACE = replace(TINY, pieces=(("L4", ("###", "#.."), 1, False), *TINY.pieces[1:]))
SQUARE = Small(
    board=(("*",) * 4,) * 4,
    categories={},
    pieces=(
        ("P", ("###", "##."), 1, True),
        ("V", ("###", "#..", "#.."), 1, True),
        ("L4", ("###", "#.."), 1, True),
        ("D", ("##",), 1, True),
    ),
)
FREE = Small(board=(("*",) * 3,) * 2, categories={}, pieces=(("V", ("##", "#."), 2, True),))


def truth(small: Small) -> dict[Reveal, int]:
    """Return the counts of all reveals by brute force."""
    return {reveal: len(small.tilings(reveal)) for reveal in small.reveals()}
