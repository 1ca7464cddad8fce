"""Covers of a board by pieces of which there are as many as one likes."""

from __future__ import annotations

from collections import defaultdict

from satcal.puzzle.model import Puzzle
from satcal.puzzle.placements import placements


def covers(puzzle: Puzzle) -> int:
    """Return in how many ways placements cover the board, each piece used any number of times.

    Labels and copies do not matter. Cell by cell in their order, placements that cover further
    cells alike are counted together: the transfer-matrix method.
    """
    number = {cell: bit for bit, cell in enumerate(puzzle.cells)}
    starting = defaultdict(list)  # at their first cell, the cells of placements as bits from it on
    for placement in placements(puzzle, puzzle.cells):
        first = number[placement.cells[0]]
        starting[first].append(sum(1 << number[cell] - first for cell in placement.cells))
    ways = {0: 1}  # by the cells that are covered, as bits from the first uncovered one on
    for first in range(len(puzzle.cells)):
        after: defaultdict[int, int] = defaultdict(int)
        for covered, count in ways.items():
            for cells in [0] if covered & 1 else starting[first]:
                if not covered & cells:
                    after[(covered | cells) >> 1] += count
        ways = dict(after)
    return ways.get(0, 0)
