"""What brute force says of puzzles that were designed: of their drawings, not their placements."""

from __future__ import annotations

from collections.abc import Iterable

from small import Small

from satcal.puzzle.model import Puzzle, Reveal
from satcal.puzzle.shapes import drawn

PATCH = Small(
    board=(("*",) * 4, ("*", "*", "1", "*"), ("*", "2", "b", "*"), ("*", "*", "*", "a")),
    categories={"letter": ("a", "b"), "number": ("1", "2")},
    pieces=(
        ("I", ("#####",), 1, True),
        ("V", ("#..", "#..", "###"), 1, True),
        ("T4", ("###", ".#."), 1, True),
    ),
)


def as_small(puzzle: Puzzle) -> Small:
    """Return a puzzle as the brute force takes it."""
    tokens = dict.fromkeys(puzzle.cells, "*")
    tokens |= {cell: label.text for cell, label in puzzle.label_at.items()}
    board = tuple(
        tuple(tokens.get((row, column), ".") for column in range(puzzle.columns))
        for row in range(puzzle.rows)
    )
    pieces = tuple(
        (piece.name, tuple(drawn(piece.shape)), piece.copies, piece.flip) for piece in puzzle.drawn
    )
    return Small(board, dict(puzzle.categories), pieces)


def counts(puzzle: Puzzle, reveals: Iterable[Reveal]) -> tuple[int, ...]:
    """Return the numbers of tilings of some reveals by brute force."""
    small = as_small(puzzle)
    return tuple(len(small.tilings(reveal)) for reveal in reveals)
