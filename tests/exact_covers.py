"""Exact covers as the kernel of the diagram sees them, whose counts are known."""

from __future__ import annotations

from satcal.diagram.model import ExactCover


def two_colours(cells: int, first: int, labels: bool = False) -> ExactCover:
    """Return single cells, ``first`` of them of one colour: as many tilings as combinations.

    With labels one more cell, any of them, is revealed.
    """
    every = cells + labels
    copies = [first, cells - first] + [1] * labels
    item = [number for number in range(len(copies)) for _ in range(every)]
    mask = [1 << cell for _ in copies for cell in range(every)]
    return ExactCover(every, copies, item, mask, int(labels))


def swaps(items: int) -> ExactCover:
    """Return a row of blocks, one per item, where an item may stand one block off its own.

    Each of two categories has a label on each of two cells more.
    """
    near = [(i, b) for i in range(items) for b in (i - 1, i, i + 1) if 0 <= b < items]
    item = [*(i for i, _ in near), items, items, items + 1, items + 1]
    labels = [1 << 2 * items, 2 << 2 * items]
    mask = [*(3 << 2 * b for _, b in near), *labels, *labels]
    return ExactCover(2 * items + 2, [1] * (items + 2), item, mask, 2)


def number_of_swaps(items: int) -> int:
    """Return in how many ways the items can stand: the Fibonacci number."""
    last, count = 0, 1
    for _ in range(items):
        last, count = count, last + count
    return count
