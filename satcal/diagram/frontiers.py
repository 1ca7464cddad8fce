"""First pass: the frontiers, which are states without their pieces.

A frontier is the set of covered cells beyond the first uncovered one. Some 30 states share a
frontier, and most states that die do so for a reason that the frontier alone shows: a pocket
that nothing fits, an area that does not add up. So the frontiers are enumerated first, each
with its *room*: which subsets of a few *tracked* items may remain, as the bits of one word. A
pass back keeps what can be completed if the other items may be used without limit. Of the 8.0
million states of ``rhombus`` that can be reached, 6.5 million never come into being.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from satcal.diagram.model import (
    WORD,
    Array,
    Ints,
    Problem,
    Watch,
    Words,
    popcount,
    sort_order,
    trailing_ones,
)

TRACKED = 6
"""Number of tracked items: a set of subsets of six items is one 64-bit word."""
WIDEST = 62
"""Cells that a placement may span (from its first to its last) for a frontier to fit a word.

Beyond, on boards whose shorter side has more than some 15 cells, frontiers are Python integers.
"""
# Bytes held or needed at once per row of the arrays below, measured with tracemalloc.
WAITING_BYTES = 28  # an arrival that waits for its layer
MERGING_BYTES = 60  # one that is merged into its layer, on top of that
EXPANDING_BYTES = 85  # an arrival while it is made, before it waits
FRONTIER_BYTES = 16
ARC_BYTES = 20
COMPLETING_BYTES = 44  # per arc and per frontier in the pass back, on top of those two


@dataclass
class Frontiers:
    """The frontiers that can be completed, numbered by layer, and the steps between them.

    ``tracked``: the tracked items. ``layer_start``: int64 [cells + 2]. ``bits``: uint64
    [frontiers], of dtype object if wide. ``room``: uint64 [frontiers], bit s set if the
    tracked items that remain may be subset s. ``parent``, ``child``: int64 [arcs], ascending
    by child; ``option``: int32 [arcs].
    """

    tracked: list[int]
    layer_start: Ints
    bits: Array
    room: Words
    parent: Ints
    child: Ints
    option: NDArray[np.int32]


def frontiers(problem: Problem, watch: Watch) -> Frontiers:
    """Return all frontiers that can be completed.

    Raises:
        MemoryLimitError: a layer, or the pass back, would pass the limit of ``watch``.
    """
    sweep = _Sweep(problem, watch)
    for layer in range(problem.cells + 1):
        sweep.build(layer)
    return sweep.completable()


class _Tracking:
    """How options change the room, and what an area allows.

    Tracked are items used once, categories first, then by area: what a small pocket of
    uncovered cells needs.
    """

    def __init__(self, problem: Problem) -> None:
        area = problem.area()
        single = [item for item, copies in enumerate(problem.copies) if copies == 1]
        single.sort(key=lambda item: (item < problem.first_category, area[item], item))
        self.items = single[:TRACKED]
        subsets = range(1 << len(self.items))
        self.all = WORD((1 << len(subsets)) - 1)
        bit = {item: number for number, item in enumerate(self.items)}
        # an option keeps the subsets with its item, and takes it from them
        has = [sum(1 << s for s in subsets if s >> number & 1) for number in bit.values()]
        self.keep: Words = np.array(
            [has[bit[item]] if item in bit else self.all for item in problem.item], WORD
        )
        self.shift: Words = np.array(
            [1 << bit[item] if item in bit else 0 for item in problem.item], WORD
        )
        self.allowed = self._allowed(problem)

    def _allowed(self, problem: Problem) -> Words:
        """Return the room for each number of uncovered cells, uint64 [cells + 1].

        What the subset does not cover must be a sum of areas of items that are not tracked.
        """
        areas = problem.areas()
        others = [i for i in range(len(problem.copies)) if i not in self.items]
        rest = _sums([areas[i] | {0} for i in others for _ in range(problem.copies[i])])
        allowed = [0] * (problem.cells + 1)
        for subset in range(1 << len(self.items)):
            own = _sums([areas[item] for bit, item in enumerate(self.items) if subset >> bit & 1])
            for total in {some + other for some in own for other in rest}:
                if total <= problem.cells:
                    allowed[total] |= 1 << subset
        return np.array(allowed, WORD)

    def forward(self, room: Array, option: Array) -> Array:
        """Return what may remain after the options, from what may before; uint64 [options]."""
        return (room & self.keep[option]) >> self.shift[option]

    def backward(self, room: Array, option: Array) -> Array:
        """Return what may remain before the options, from what may after; uint64 [options].

        A subset that still holds the option's item comes from nowhere.
        """
        return (room << self.shift[option]) & self.keep[option]


def _sums(choices: Sequence[set[int]]) -> set[int]:
    """Return every sum of one number from each set."""
    sums = {0}
    for choice in choices:
        sums = {total + number for total in sums for number in choice}
    return sums


class _Arrivals(NamedTuple):
    """Frontiers as a step reaches them, repeated; each [arrivals]."""

    bits: Array
    room: Array
    parent: Array
    option: Array

    def at(self, index: Array | slice) -> _Arrivals:
        return _Arrivals(*(column[index] for column in self))


class _Steps(NamedTuple):
    """Arcs into a layer: parent int64, option int32, child int64, each [arcs]."""

    parent: Array
    option: Array
    child: Array


class _Sweep:
    """The enumeration, layer by layer; what it has found lies in lists of arrays.

    ``waiting[c]`` collects what arrives in layer c until it is built, ``held[c]`` are arrivals
    whose memory is free once layer c is built. ``starts``: the number of each layer's first
    frontier. ``options[c]``: those whose first cell is c, and their cells from there on.
    """

    def __init__(self, problem: Problem, watch: Watch) -> None:
        self.problem, self.watch, self.tracking = problem, watch, _Tracking(problem)
        layers = problem.cells + 1
        self.options: list[list[tuple[int, int]]] = [[] for _ in range(layers)]
        self.span = 1
        for option, (mask, cell) in enumerate(zip(problem.mask, problem.first(), strict=True)):
            self.options[cell].append((option, mask >> cell))
            self.span = max(self.span, mask.bit_length() - cell)
        self.dtype: type = object if self.span > WIDEST else WORD
        self.waiting: list[list[_Arrivals]] = [[] for _ in range(layers)]
        self.held = [0] * layers
        self.starts = [0]
        self.bits: list[Array] = []
        self.room: list[Array] = []
        self.steps: list[_Steps] = []
        start = _Arrivals(
            np.zeros(1, self.dtype), np.array([self.tracking.all]), np.zeros(1, np.int64),
            np.zeros(1, np.int32),
        )  # fmt: skip
        self.waiting[0].append(start)

    def build(self, layer: int) -> None:
        """Merge what arrived in a layer, and take every step that leaves it."""
        arrived = sum(len(block.bits) for block in self.waiting[layer])
        self.watch.check(
            MERGING_BYTES * arrived + WAITING_BYTES * sum(self.held[layer:]),
            f"frontiers of layer {layer}",
        )
        size = 0
        if arrived:
            bits, room, into = self.merge(layer)
            size = len(bits)
            self.bits.append(bits)
            self.room.append(room)
            self.steps.append(into)
            if size and self.options[layer]:
                self.expand(layer, bits, room)
            self.watch.held += FRONTIER_BYTES * size + ARC_BYTES * len(into.parent)
        self.starts.append(self.starts[-1] + size)
        self.watch.tell("frontiers", layer, size)

    def merge(self, layer: int) -> tuple[Array, Array, _Steps]:
        """Return a layer: its distinct frontiers, ascending, their rooms, and the arcs to them."""
        blocks, self.waiting[layer] = self.waiting[layer], []
        arrived = _Arrivals(*(np.concatenate(column) for column in zip(*blocks, strict=True)))
        order = sort_order(arrived.bits, self.span)
        bits = arrived.bits[order]
        new = np.concatenate([[True], bits[1:] != bits[:-1]])
        first = np.flatnonzero(new)
        bits = bits[first]
        room = np.bitwise_or.reduceat(arrived.room[order], first)
        room &= self.tracking.allowed[self.problem.cells - layer - popcount(bits)]
        alive = room != 0
        child = np.cumsum(new) - 1
        kept = np.flatnonzero(alive[child])
        steps = _Steps(
            arrived.parent[order[kept]],
            arrived.option[order[kept]],
            self.starts[-1] + (np.cumsum(alive) - 1)[child[kept]],
        )
        return bits[alive], room[alive], steps

    def expand(self, layer: int, bits: Array, room: Array) -> None:
        """Place each option whose first cell is ``layer`` on each frontier that lets it, and hand
        every new frontier to the layer of its first uncovered cell."""
        scalar = int if self.dtype is object else WORD
        options, masks = zip(*self.options[layer], strict=True)
        hits = [np.flatnonzero((bits & scalar(mask)) == 0) for mask in masks]
        sizes = [len(hit) for hit in hits]
        self.watch.check(
            EXPANDING_BYTES * sum(sizes) + WAITING_BYTES * sum(self.held[layer + 1 :]),
            f"steps from layer {layer}",
        )
        at = np.concatenate(hits)
        option = np.repeat(np.array(options, np.int32), sizes)
        after = self.tracking.forward(room[at], option)
        covered = bits[at] | np.repeat(np.array(masks, self.dtype), sizes)
        reached = _Arrivals(covered, after, at + self.starts[-1], option)
        possible = after != 0
        if not possible.all():
            reached = reached.at(possible)
        ones = trailing_ones(reached.bits)
        order = sort_order(ones, 16)
        reached = reached._replace(bits=reached.bits >> ones.astype(self.dtype)).at(order)
        counts = np.bincount(ones)
        end = 0
        for step in np.flatnonzero(counts).tolist():
            begin, end = end, end + int(counts[step])
            self.waiting[layer + step].append(reached.at(slice(begin, end)))
        # the parts are views: all of it is held until the last of them is merged
        self.held[layer + len(counts) - 1] += len(reached.bits)

    def completable(self) -> Frontiers:
        """The pass back: keep the frontiers and rooms that lead to the end, number them anew."""
        arcs = sum(len(into.parent) for into in self.steps)
        needed = COMPLETING_BYTES * (arcs + self.starts[-1])
        self.watch.check(needed, "frontiers that can be completed")
        del self.steps[0]  # it leads to the empty board and is none
        reach = np.concatenate(self.room)
        live = np.zeros_like(reach)
        end = slice(self.starts[self.problem.cells], None)
        live[end] = reach[end] & WORD(1)  # nothing may remain
        kept: list[_Steps] = []
        while self.steps:  # what was looked at is freed
            parent, option, child = self.steps.pop()
            before = self.tracking.backward(live[child], option) & reach[parent]
            good = np.flatnonzero(before)
            possible = _Steps(parent[good], option[good], child[good])
            np.bitwise_or.at(live, possible.parent, before[good])
            kept.append(possible)
        alive = live != 0
        number = np.cumsum(alive) - 1
        none = [np.zeros(0, np.int64)]
        parent, option, child = (
            np.concatenate(none + [step[column] for step in reversed(kept)]) for column in range(3)
        )
        kept.clear()
        return Frontiers(
            self.tracking.items,
            np.concatenate([[0], np.cumsum(alive)])[np.array(self.starts)],
            np.concatenate(self.bits)[alive],
            live[alive],
            number[parent],
            number[child],
            option.astype(np.int32),
        )
