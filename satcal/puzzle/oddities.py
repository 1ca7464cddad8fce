"""Oddities of a puzzle file: legal, but probably mistakes."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from satcal.puzzle.calendar import ENGLISH
from satcal.puzzle.model import Puzzle, cell_name
from satcal.puzzle.placements import placements
from satcal.puzzle.shapes import Shape

MAX_REVEALS = 100_000  # of a board that is examined; only boards with years have more


def find_oddities(puzzle: Puzzle) -> Iterator[str]:
    """Yield a sentence for each oddity of dates, pieces and cells."""
    yield from find_odd_dates(puzzle)
    yield from find_odd_pieces(puzzle)


def find_odd_dates(puzzle: Puzzle) -> Iterator[str]:
    """Yield the labels that no date uses, or why there are no dates although some are expected."""
    if puzzle.calendar.parts is None:
        if ENGLISH.keys() & puzzle.categories.keys():
            yield f"the puzzle has no dates: {puzzle.calendar.reason}"
        return
    if puzzle.number_of_reveals > MAX_REVEALS:
        return
    dates = filter(puzzle.calendar.is_date, puzzle.reveals())
    used = set(itertools.chain.from_iterable(dates))
    for label in itertools.chain.from_iterable(puzzle.categories.values()):
        if label not in used:
            yield f"no date uses the label '{label}'"


def find_odd_pieces(puzzle: Puzzle) -> Iterator[str]:
    """Yield the pieces that copy others or fit nowhere, and the cells that no piece can cover."""
    first: dict[frozenset[Shape], str] = {}
    for piece in puzzle.drawn:
        other = first.setdefault(frozenset(piece.orientations), piece.name)
        if other != piece.name:
            yield f"piece {piece.name} has the shape of {other}, so both are copies of {other}"
    everywhere = list(placements(puzzle, puzzle.cells))
    for name in [piece.name for piece in puzzle.pieces]:
        if all(placement.piece != name for placement in everywhere):
            yield f"piece {name} fits nowhere on the board, so there is no tiling"
    always_uncovered = {texts[0] for texts in puzzle.categories.values() if len(texts) == 1}
    covered = {cell for placement in everywhere for cell in placement.cells}
    for cell in puzzle.cells:
        label = puzzle.label_at.get(cell)
        if cell not in covered and not (label and label.text in always_uncovered):
            name = f"'{label.text}' on {cell_name(cell)}" if label else cell_name(cell)
            yield f"no piece can cover the cell {name}, so there is no tiling unless it is revealed"
