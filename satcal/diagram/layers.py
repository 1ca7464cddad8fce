"""Counts without a graph: each layer of states is discarded when its options are placed.

This is the transfer-matrix method, or broken profile: a state is a frontier with the copies used of
each item; its value is the number of paths that lead to it. States whose frontier cannot be
completed are dropped, if memory suffices for all frontiers (:mod:`.frontiers`). This takes a
fraction of a graph's memory, and answers one question: the number of tilings that use only the
allowed options.

Counts are exact at any size. They are written in limbs: int64 digits in base ``2**digit_bits``. An
option leads to a state from at most one other state. So a sum of digits has at most as many terms
as there are options, and stays below ``2**62``.

>>> dominoes = [0b0011, 0b1100, 0b0101, 0b1010]  # on a square of four cells
>>> count_by_layers(ExactCover(cells=4, copies=[2], item=[0] * 4, mask=dominoes))
(2, 4)
"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress

import numpy as np

from satcal.diagram.build import filter_options, may_have_tilings
from satcal.diagram.expansion import Columns, Sweep
from satcal.diagram.frontiers import enumerate_frontiers
from satcal.diagram.model import (
    WORD,
    Array,
    ExactCover,
    Frontiers,
    MemoryLimitError,
    Packing,
    Watch,
)
from satcal.progress import Progress

SUM_BITS = 62
"""Bits of a sum of digits in an int64, without its sign and a bit for the carry."""
LIVE_BYTES = 16  # of a frontier with its room


def count_by_layers(
    problem: ExactCover,
    allowed: Collection[int] | None = None,
    memory_limit: int | None = None,
    progress: Progress | None = None,
) -> tuple[int, int]:
    """Return the number of tilings, and the number of states in all layers.

    Arguments as for :func:`~satcal.diagram.build.build`.

    Raises:
        MemoryLimitError: the limit would be exceeded; the message says where.
    """
    all_options = range(len(problem.mask))
    options = filter_options(problem, all_options if allowed is None else allowed)
    subproblem = problem.restrict_to(options)
    if not may_have_tilings(subproblem):
        return 0, 0
    watch = Watch(problem.cells + 1, memory_limit, progress)
    frontiers = None
    if len(subproblem.copies) > 1:  # with one item, a state is a frontier
        with suppress(MemoryLimitError):  # without frontiers, no state is dropped
            frontiers = enumerate_frontiers(subproblem, watch)
        watch.held_bytes = 0
    sweep = _CountSweep(subproblem, watch, frontiers)
    states = 0
    for layer in range(problem.cells + 1):
        size = sweep.build(layer)
        states += size
        watch.report("states", layer, size)
    return sweep.total, states


class _CountSweep(Sweep):
    """The sweep of states; their values are the limbs of the number of paths, the lowest first.

    The tracked items come first in a state. If every item has one area, the item with most copies
    is left out: when all cells are covered and the other items are used up, so is this.
    """

    def __init__(self, problem: ExactCover, watch: Watch, frontiers: Frontiers | None) -> None:
        tracked = [] if frontiers is None else frontiers.tracked
        rest = [item for item in range(len(problem.copies)) if item not in tracked]
        most_copies = max(rest, key=problem.copies.__getitem__, default=0)
        if problem.copies[most_copies] > 1 and min(problem.area()) > 0:
            rest.remove(most_copies)
        packing = Packing(problem.copies, [*tracked, *rest])
        super().__init__(problem, watch, packing.width)
        self.all_used = packing.all_copies
        pairs = list(zip(problem.item, problem.weights, strict=True))
        units = [packing.unit[item] * weight for item, weight in pairs]
        self.field = [packing.field[item] for item in problem.item]
        # the most copies of an option's item that may be in use before it is placed
        self.limit = [
            packing.full[item] - unit for item, unit in zip(problem.item, units, strict=True)
        ]
        # the bits that must be 0: the option's cells, and its item if it has one copy
        self.conflict_mask = [
            int(mask) | (bits if limit == 0 else 0)
            for mask, bits, limit in zip(self.mask, self.field, self.limit, strict=True)
        ]
        self.increment = self.mask + np.array(units, self.dtype)
        self.digit_bits = SUM_BITS - len(problem.mask).bit_length()
        self.frontiers = frontiers
        self.tracked_mask = (1 << len(tracked)) - 1
        if frontiers is not None:
            frontiers.parent = frontiers.child = frontiers.option = np.zeros(0, np.int32)
            watch.held_bytes = LIVE_BYTES * len(frontiers.bits)
        self.limbs: list[Array] = []
        self.total = 0
        self.waiting[0].append((np.zeros(1, self.dtype), np.ones(1, np.int64)))
        self.row_bytes = 16

    def find_fitting(self, words: Array, option: int) -> Array:
        """Return the indices of the states on which an option can be placed."""
        at = np.flatnonzero(words & self.scalar(self.conflict_mask[option]) == 0)
        if self.limit[option] and self.field[option]:
            copies = words[at] & self.scalar(self.field[option])
            at = at[copies <= self.scalar(self.limit[option])]
        return at

    def place(self, words: Array, option: Array) -> Array:
        """Return the states with one option placed on each, and its copies in use."""
        new_words: Array = words + self.increment[option]
        return new_words

    def merge(self, layer: int, words: Array, order: Array, first: Array, rows: Columns) -> Array:
        """Sum the paths to equal states; drop those whose frontier cannot be completed."""
        alive = self.can_be_completed(layer, words)
        self.limbs = [np.add.reduceat(limb[order], first)[alive] for limb in rows]
        self.propagate_carries()
        self.row_bytes = 8 + 8 * len(self.limbs)
        if layer == self.problem.cells:
            digits = [int(limb[words[alive] == self.all_used].sum()) for limb in self.limbs]
            self.total = sum(digit << self.digit_bits * n for n, digit in enumerate(digits))
        return alive

    def propagate_carries(self) -> None:
        """Make every digit smaller than the base."""
        carries, mask = np.zeros(len(self.limbs[0]), np.int64), (1 << self.digit_bits) - 1
        for number, limb in enumerate(self.limbs):
            total = limb + carries
            self.limbs[number], carries = total & mask, total >> self.digit_bits
        if carries.any():
            self.limbs.append(carries)

    def new_values(self, at: Array, option: Array) -> Columns:
        """Return the numbers of paths to the states ``at``."""
        return tuple(limb[at] for limb in self.limbs)

    def can_be_completed(self, layer: int, words: Array) -> Array:
        """Return whether the frontier of each state can be completed, bool [states]."""
        frontiers = self.frontiers
        if frontiers is None:
            return np.ones(len(words), bool)
        begin, end = frontiers.layer_start[layer : layer + 2].tolist()
        if begin == end:
            return np.zeros(len(words), bool)
        bits = frontiers.bits[begin:end]
        frontier = (words >> self.scalar(self.low)).astype(bits.dtype)
        at = np.searchsorted(bits, frontier)
        at[at == len(bits)] = 0
        subset = (~words & self.scalar(self.tracked_mask)).astype(WORD)
        result: Array = bits[at] == frontier
        result &= frontiers.room[begin:end][at] >> subset & WORD(1) != 0
        return result
