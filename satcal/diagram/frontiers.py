"""First pass: the frontiers, which are states without their pieces.

A frontier is the set of covered cells beyond the first uncovered one. Some 30 states share
one, and most states that die do so for a reason that the frontier alone shows: a pocket
that nothing fits, an area that does not add up. So the frontiers are enumerated first, each
with its *room*: which subsets of a few *tracked* items may remain, as the bits of one word.
A pass back keeps what can be completed if the other items may be used without limit. Of the
8.0 million states of ``rhombus`` that can be reached, 6.5 million never come into being.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from satcal.diagram.model import (
    MOST_STATES,
    WORD,
    Array,
    DiagramError,
    Frontiers,
    Layout,
    Watch,
    kind_of,
    popcount,
    sort_order,
)

TRACKED = 6  # items: a set of subsets of six is one 64-bit word
WIDEST = 62
"""Cells that a placement may span, first to last, for a frontier to fit a word.

Beyond (the board's shorter side has some 15 cells) frontiers are Python integers.
"""
# Bytes held or needed at once per row of the arrays below, measured with tracemalloc.
WAITING_BYTES = 24  # an arrival that waits for its layer
MERGING_BYTES = 60  # one that is merged into its layer, on top of that
EXPANDING_BYTES = 85  # an arrival while it is made, before it waits
FRONTIER_BYTES = 32
ARC_BYTES = 8
COMPLETING_BYTES = 36  # per arc and per frontier in the pass back, on top of those two


def frontiers(problem: Layout, watch: Watch) -> Frontiers:
    """All frontiers that can be completed; may raise MemoryLimitError."""
    sweep = _Sweep(problem, watch)
    for layer in range(problem.cells + 1):
        sweep.build(layer)
    return sweep.completable()


class Tracking:
    """The tracked items, how options change the room, and what an area allows.

    Tracked are items used once, categories first, then by area: what a small pocket of
    uncovered cells needs. An option keeps the subsets with its item (``keep``, per option),
    and takes it from them (``shift``). ``allowed``: the room for each number of uncovered
    cells, as what the subset does not cover must be a sum of areas of the other items.
    """

    def __init__(self, problem: Layout) -> None:
        area, areas, cells = problem.area(), problem.areas(), problem.cells
        single = [item for item, copies in enumerate(problem.copies) if copies == 1]
        single.sort(key=lambda item: (item < problem.first_category, area[item], item))
        self.items = single[:TRACKED]
        subsets = range(1 << len(self.items))
        self.all = WORD((1 << len(subsets)) - 1)
        bit = {item: index for index, item in enumerate(self.items)}
        has = [sum(1 << s for s in subsets if s >> index & 1) for index in bit.values()]
        keep = [has[bit[item]] if item in bit else self.all for item in problem.item]
        shift = [1 << bit[item] if item in bit else 0 for item in problem.item]
        others = [item for item in range(len(problem.copies)) if item not in bit]
        rest = _sums([areas[item] | {0} for item in others for _ in range(problem.copies[item])])
        allowed = [0] * (cells + 1)
        for subset in subsets:
            own = _sums([areas[item] for item, index in bit.items() if subset >> index & 1])
            for total in {some + other for some in own for other in rest}:
                if total <= cells:
                    allowed[total] |= 1 << subset
        self.keep, self.shift = np.array(keep, WORD), np.array(shift, WORD)
        self.allowed = np.array(allowed, WORD)


def _sums(choices: Sequence[set[int]]) -> set[int]:
    sums = {0}
    for choice in choices:
        sums = {total + area for total in sums for area in choice}
    return sums


def _trailing_ones(bits: Array) -> Array:
    """The number of ones below the lowest zero of each."""
    if bits.dtype == object:  # a board may have more than 255 cells
        return np.array([(~word & word + 1).bit_length() - 1 for word in bits], np.uint16)
    ones: Array = np.bitwise_count(bits & ~(bits + bits.dtype.type(1)))
    return ones


class _Arrivals(NamedTuple):
    """Frontiers as a step reaches them, repeated; each [arrivals]."""

    bits: Array
    room: Array
    parent: Array
    option: Array

    def at(self, index: Array | slice) -> _Arrivals:
        return _Arrivals(*(column[index] for column in self))


class _Steps(NamedTuple):
    """Arcs into a layer, by child: parent and option int32 [arcs].

    ``child``, int64: a frontier, or -1 for one that is dead; ``into``, int64: its arcs.
    """

    parent: Array
    option: Array
    child: Array
    into: Array


class _Sweep:
    """The enumeration, layer by layer.

    ``waiting[c]`` collects what arrives in layer c until it is built, ``held[c]`` are
    arrivals whose memory is free then. ``starts``: the number of each layer's first
    frontier. ``options[c]``: those whose first cell is c, and their cells from there on.
    """

    def __init__(self, problem: Layout, watch: Watch) -> None:
        self.problem, self.watch, self.tracking = problem, watch, Tracking(problem)
        layers = problem.cells + 1
        self.options: list[list[tuple[int, int]]] = [[] for _ in range(layers)]
        self.span = 1
        for option, (mask, cell) in enumerate(zip(problem.mask, problem.first(), strict=True)):
            self.options[cell].append((option, mask >> cell))
            self.span = max(self.span, mask.bit_length() - cell)
        self.dtype: Any = object
        self.scalar: Any = int
        if self.span <= WIDEST:  # with a bit to spare, as one is added to all ones
            self.dtype, self.scalar = kind_of(self.span + 1)
        self.waiting: list[list[_Arrivals]] = [[] for _ in range(layers)]
        self.held = [0] * layers
        self.starts = [0]
        self.bits: list[Array] = []
        self.room: list[Array] = []
        self.steps: list[_Steps] = []
        start = (np.zeros(1, self.dtype), np.array([self.tracking.all]))
        self.waiting[0].append(_Arrivals(*start, np.zeros(1, np.int32), np.zeros(1, np.int32)))

    def build(self, layer: int) -> None:
        """Merge what arrived in a layer, and take every step that leaves it."""
        arrived = sum(len(block.bits) for block in self.waiting[layer])
        waiting = WAITING_BYTES * sum(self.held[layer:])
        self.watch.check_memory(
            MERGING_BYTES * arrived + waiting, f"frontiers of layer {layer + 1}"
        )
        size = 0
        if arrived:
            bits, room, into = self.merge(layer)
            size = len(bits)
            if self.starts[-1] + size > MOST_STATES:
                raise DiagramError(f"more than {MOST_STATES:,} states")
            self.bits.append(bits)
            self.room.append(room)
            self.steps.append(into)
            if size and self.options[layer]:
                self.expand(layer, bits, room)
            self.watch.held += FRONTIER_BYTES * size + ARC_BYTES * len(into.parent)
        self.starts.append(self.starts[-1] + size)
        self.watch.tell("frontiers", layer, size)

    def merge(self, layer: int) -> tuple[Array, Array, _Steps]:
        """A layer's distinct frontiers, ascending, their rooms, and arcs."""
        blocks, self.waiting[layer] = self.waiting[layer], []
        arrived = _Arrivals(*(np.concatenate(column) for column in zip(*blocks, strict=True)))
        order = sort_order(arrived.bits, self.span)
        bits = arrived.bits[order]
        first = np.flatnonzero(np.concatenate([[True], bits[1:] != bits[:-1]]))
        bits = bits[first]
        room = np.bitwise_or.reduceat(arrived.room[order], first)
        room &= self.tracking.allowed[self.problem.cells - layer - popcount(bits)]
        alive = room != 0
        child = np.where(alive, self.starts[-1] + np.cumsum(alive) - 1, -1)
        into = np.diff(first, append=len(order))
        steps = _Steps(arrived.parent[order], arrived.option[order], child, into)
        return bits[alive], room[alive], steps

    def expand(self, layer: int, bits: Array, room: Array) -> None:
        """Place each option of the layer on each frontier that lets it.

        The new frontiers wait in the layers of their first uncovered cells.
        """
        options, masks = zip(*self.options[layer], strict=True)
        hits = [np.flatnonzero((bits & self.scalar(mask)) == 0) for mask in masks]
        sizes = [len(hit) for hit in hits]
        waiting = WAITING_BYTES * sum(self.held[layer + 1 :])
        self.watch.check_memory(
            EXPANDING_BYTES * sum(sizes) + waiting, f"steps from layer {layer + 1}"
        )
        at = np.concatenate(hits)
        option = np.repeat(np.array(options, np.int32), sizes)
        after = (room[at] & self.tracking.keep[option]) >> self.tracking.shift[option]
        covered = bits[at] | np.repeat(np.array(masks, self.dtype), sizes)
        ones = _trailing_ones(covered)
        order = np.argsort(ones, kind="stable")
        covered = covered >> ones.astype(self.dtype)
        parent = (at + self.starts[-1]).astype(np.int32)
        reached = _Arrivals(covered, after, parent, option).at(order)
        counts = np.bincount(ones)
        end = 0
        for step in np.flatnonzero(counts).tolist():
            begin, end = end, end + int(counts[step])
            self.waiting[layer + step].append(reached.at(slice(begin, end)))
        # the parts are views: all of it is held until the last of them is merged
        self.held[layer + len(counts) - 1] += len(reached.bits)

    def completable(self) -> Frontiers:
        """The pass back: keep the frontiers and rooms that lead to the end."""
        arcs = sum(len(into.parent) for into in self.steps)
        needed = COMPLETING_BYTES * (arcs + self.starts[-1])
        self.watch.check_memory(needed, "frontiers that can be completed")
        del self.steps[0]  # it leads to the empty board and is none
        reach = np.concatenate(self.room)
        live = np.zeros(len(reach) + 1, WORD)  # behind the last one: what is dead
        end = slice(self.starts[self.problem.cells], None)
        live[:-1][end] = reach[end] & WORD(1)  # nothing may remain
        kept: list[list[Array]] = []
        while self.steps:  # what was looked at is freed
            step = self.steps.pop()
            # a subset that still holds the option's item comes from nowhere
            before = np.repeat(live[step.child], step.into) << self.tracking.shift[step.option]
            before &= self.tracking.keep[step.option] & reach[step.parent]
            good = np.flatnonzero(before)
            child = np.repeat(step.child, step.into)
            kept.append([column[good] for column in (step.parent, step.option, child)])
            np.bitwise_or.at(live, kept[-1][0], before[good])
        live = live[:-1]
        alive = live != 0
        number = np.cumsum(alive) - 1
        none = [np.zeros(0, np.int32)]
        parent, option, child = (
            np.concatenate(none + [step[column] for step in reversed(kept)]) for column in range(3)
        )
        kept.clear()
        bits = np.concatenate(self.bits)[alive]
        return Frontiers(
            tracked=self.tracking.items,
            layer_start=np.concatenate([[0], np.cumsum(alive)])[np.array(self.starts)],
            bits=bits if bits.dtype == object else bits.astype(WORD),
            room=live[alive],
            parent=number[parent],
            child=number[child],
            option=option,
        )
