"""Counts without a graph: each layer of states is let go when its options are placed.

The transfer-matrix method, or broken profile: a state is a frontier and how often the items are
used; it carries the number of ways that lead to it. States whose frontier cannot be completed are
dropped, if there is room for all frontiers (:mod:`.frontiers`). This takes a fraction of a graph's
memory, and answers one question: how many tilings use the allowed options only.

Counts are exact at any size. They are written in limbs, digits in a base of ``2**digits``, which
are int64. Each option leads to a state from one other state at most, so that a sum of digits has
no more terms than there are options, and stays below ``2**62``.

>>> dominoes = [0b0011, 0b1100, 0b0101, 0b1010]  # on a square of four cells
>>> count_by_layers(ExactCover(cells=4, copies=[2], item=[0] * 4, mask=dominoes))
(2, 4)
"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress

import numpy as np

from satcal.diagram.build import may_have_tilings, useful_options
from satcal.diagram.expansion import WIDEST, Columns, Sweep
from satcal.diagram.frontiers import frontiers
from satcal.diagram.model import (
    WORD,
    Array,
    DiagramError,
    ExactCover,
    Frontiers,
    MemoryLimitError,
    Packing,
    Watch,
)
from satcal.progress import Progress

LIMB = 62
"""Bits of a sum of digits, with one to spare for what is carried."""
LIVE_BYTES = 16  # a frontier with its room


def count_by_layers(
    problem: ExactCover,
    allowed: Collection[int] | None = None,
    memory_limit: int | None = None,
    progress: Progress | None = None,
) -> tuple[int, int]:
    """Return the number of tilings, and the number of states that were met on the way.

    Arguments as for :func:`~satcal.diagram.build.build`.

    Raises:
        MemoryLimitError: the limit would be passed; the message says where.
        DiagramError: a state needs more bits than a word has.
    """
    kept = useful_options(problem, range(len(problem.mask)) if allowed is None else allowed)
    part = problem.having(kept)
    if not may_have_tilings(part):
        return 0, 0
    watch = Watch(part.cells + 1, memory_limit, progress)
    live = None
    if len(part.copies) > 1:  # with one item, a state is a frontier
        with suppress(MemoryLimitError):  # then dead states are counted as well
            live = frontiers(part, watch)
        watch.held = 0
    sweep = _CountSweep(part, watch, live)
    states = 0
    for layer in range(part.cells + 1):
        size = sweep.build(layer)
        states += size
        watch.tell("states", layer, size)
    return sweep.total, states


class _CountSweep(Sweep):
    """The sweep of states; a row carries the limbs of a number of ways, the lowest first.

    The items of ``live.tracked`` come first in a state. Where all areas are known, the item with
    most copies is left out: when all cells are covered and the others are used up, so is this.
    """

    def __init__(self, problem: ExactCover, watch: Watch, live: Frontiers | None) -> None:
        tracked = [] if live is None else live.tracked
        rest = [item for item in range(len(problem.copies)) if item not in tracked]
        most = max(rest, key=problem.copies.__getitem__, default=0)
        if problem.copies[most] > 1 and min(problem.area()) > 0:
            rest.remove(most)
        packing = Packing(problem.copies, [*tracked, *rest])
        super().__init__(problem, watch, packing.width)
        if self.width > WIDEST:
            raise DiagramError(f"a state needs {self.width} bits, and a word has {WIDEST} for it")
        self.all_used = packing.start
        pairs = list(zip(problem.item, problem.weights, strict=True))
        takes = [packing.unit[item] * weight for item, weight in pairs]
        self.field = [packing.field[item] for item in problem.item]
        # what may be used of an option's item before it is placed
        self.most = [
            packing.full[item] - taken for item, taken in zip(problem.item, takes, strict=True)
        ]
        # an item that is used once, by its bit
        self.block = [
            int(mask) | (bits if most == 0 else 0)
            for mask, bits, most in zip(self.mask, self.field, self.most, strict=True)
        ]
        self.adds = self.mask + np.array(takes, self.dtype)
        self.digits = LIMB - len(problem.mask).bit_length()
        self.live = live
        self.subsets = (1 << len(tracked)) - 1
        if live is not None:
            live.parent = live.child = live.option = np.zeros(0, np.int32)
            watch.held = LIVE_BYTES * len(live.bits)
        self.ways: list[Array] = []
        self.total = 0
        self.waiting[0].append((np.zeros(1, self.dtype), np.ones(1, np.int64)))
        self.row_bytes = 16

    def fitting(self, words: Array, option: int) -> Array:
        """Return the indices of the states on which an option can be placed."""
        at = np.flatnonzero(words & self.scalar(self.block[option]) == 0)
        if self.most[option] and self.field[option]:
            used = words[at] & self.scalar(self.field[option])
            at = at[used <= self.scalar(self.most[option])]
        return at

    def place(self, words: Array, option: Array) -> Array:
        """Return states with an option on each of them, its copies used."""
        added: Array = words + self.adds[option]
        return added

    def merge(self, layer: int, words: Array, order: Array, first: Array, rows: Columns) -> Array:
        """Sum the ways to equal states; those whose frontier cannot be completed are dead."""
        alive = np.ones(len(words), bool) if self.live is None else self.has(layer, words)
        self.ways = [np.add.reduceat(limb[order], first)[alive] for limb in rows]
        self.carry_over()
        self.row_bytes = 8 + 8 * len(self.ways)
        if layer == self.problem.cells:
            limbs = [int(limb[words[alive] == self.all_used].sum()) for limb in self.ways]
            self.total = sum(limb << self.digits * n for n, limb in enumerate(limbs))
        return alive

    def carry_over(self) -> None:
        """Bring every digit below the base."""
        over, below = np.zeros(len(self.ways[0]), np.int64), (1 << self.digits) - 1
        for number, limb in enumerate(self.ways):
            total = limb + over
            self.ways[number], over = total & below, total >> self.digits
        if over.any():
            self.ways.append(over)

    def carry(self, at: Array, option: Array) -> Columns:
        """Return the ways to the states that options lead on from."""
        return tuple(limb[at] for limb in self.ways)

    def has(self, layer: int, words: Array) -> Array:
        """Return whether the frontier of each state can be completed with what remains."""
        live = self.live
        if live is None:
            return np.ones(len(words), bool)
        begin, end = live.layer_start[layer : layer + 2].tolist()
        if begin == end:
            return np.zeros(len(words), bool)
        known = live.bits[begin:end]
        frontier = (words >> self.scalar(self.low)).astype(WORD)
        at = np.searchsorted(known, frontier)
        at[at == len(known)] = 0
        remaining = (~words & self.scalar(self.subsets)).astype(WORD)
        found: Array = known[at] == frontier
        found &= live.room[begin:end][at] >> remaining & WORD(1) != 0
        return found
