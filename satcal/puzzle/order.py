"""Cell orders: along the longer side, so that the frontier is the shorter one."""

from __future__ import annotations

from collections.abc import Iterable

from satcal.puzzle.shapes import Cell


def cell_order(cells: Iterable[Cell]) -> list[Cell]:
    """Return the cells row by row, or column by column if the board is wider than high."""
    listed = sorted(cells)
    if not listed:
        return []
    high = 1 + max(row for row, _ in listed) - min(row for row, _ in listed)
    wide = 1 + max(column for _, column in listed) - min(column for _, column in listed)
    return listed if high >= wide else sorted(listed, key=lambda cell: (cell[1], cell[0]))
