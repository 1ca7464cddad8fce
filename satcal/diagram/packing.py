"""How the items that remain are written down: copies left of each, packed in one number."""

from __future__ import annotations

from satcal.diagram.bits import kind_of
from satcal.diagram.model import Problem


class Packing:
    """Copies left of every item: tracked items in the lowest bits, then a field per item.

    ``width``: bits in all, ``tracked`` and ``rest_width`` of them for the tracked items (one
    each) and for the others, ``rest``. ``unit[i]``: what one copy of item i adds.
    ``field[i]``: the bits of its field. ``full[i]``: all of its copies. ``start``: all items.
    ``dtype`` is uint32 or uint64; beyond 64 bits (40 distinct pieces and more) it is object,
    holding Python integers: much slower, and no puzzle of the library is near.
    """

    def __init__(self, problem: Problem, tracked: list[int]) -> None:
        self.rest = [item for item in range(len(problem.copies)) if item not in tracked]
        self.unit, self.field = [0] * len(problem.copies), [0] * len(problem.copies)
        self.width = 0
        for item in tracked + self.rest:
            bits = problem.copies[item].bit_length()
            self.unit[item] = 1 << self.width
            self.field[item] = (1 << bits) - 1 << self.width
            self.width += bits
        self.full = [unit * copies for unit, copies in zip(self.unit, problem.copies, strict=True)]
        self.start = sum(self.full)
        self.tracked = len(tracked)
        self.rest_width = self.width - self.tracked
        self.dtype, self.scalar = kind_of(self.width)
