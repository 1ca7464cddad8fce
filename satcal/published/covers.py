"""Covers of a board by pieces with an unlimited number of copies."""

from __future__ import annotations

from collections import defaultdict

from satcal.puzzle.model import Puzzle
from satcal.puzzle.placements import placements


def count_covers(puzzle: Puzzle) -> int:
    """Return the number of covers of the whole board, each piece used any number of times.

    This is the transfer-matrix method: cells are covered in their order, and partial covers of the
    same cells are counted together.
    """
    index = {cell: bit for bit, cell in enumerate(puzzle.cells)}
    masks = defaultdict(list)  # of placements by their first cell, which is bit 0
    for placement in placements(puzzle, puzzle.cells):
        first = index[placement.cells[0]]
        masks[first].append(sum(1 << index[cell] - first for cell in placement.cells))
    counts = {0: 1}  # of partial covers by the mask of covered cells; bit 0 is ``first``
    for first in range(len(puzzle.cells)):
        next_counts: defaultdict[int, int] = defaultdict(int)
        for covered, count in counts.items():
            for mask in [0] if covered & 1 else masks[first]:
                if not covered & mask:
                    next_counts[(covered | mask) >> 1] += count
        counts = dict(next_counts)
    return counts.get(0, 0)
