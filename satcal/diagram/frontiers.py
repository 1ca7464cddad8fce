"""The frontiers, which are states without their pieces: the first pass of building.

Some 30 states share a frontier, and most states that die do so for a reason that the frontier alone
shows: a pocket that nothing fits, an area that does not add up. So the frontiers are enumerated
first, each with its *room*: which subsets of a few *tracked* items may remain, as the bits of one
word. A pass back keeps what can be completed if the other items may be used without limit. Of the
8.0 million states of ``rhombus`` that can be reached, 6.5 million never come into being.

>>> square = ExactCover(cells=4, copies=[2], item=[0] * 4, mask=[0b0011, 0b1100, 0b0101, 0b1010])
>>> found = frontiers(square, Watch(layers=5, limit=None))
>>> found.layer_start.tolist(), [f"{bits:b}" for bits in found.bits.tolist()]
([0, 1, 2, 3, 3, 4], ['0', '10', '0', '0'])
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from satcal.diagram.expansion import Columns, Sweep
from satcal.diagram.model import (
    MAX_STATES,
    WORD,
    Array,
    DiagramError,
    ExactCover,
    Frontiers,
    Watch,
    popcount,
)

TRACKED = 6  # items: a set of subsets of six is one 64-bit word
# Bytes held or needed at once per row of the arrays below, measured with tracemalloc.
FRONTIER_BYTES = 32
ARC_BYTES = 8
COMPLETING_BYTES = 16  # an arc or a frontier in the pass back, on top of those two
JOINING_BYTES = 48  # an arc that leads to the end, while those of all layers are joined


def frontiers(problem: ExactCover, watch: Watch) -> Frontiers:
    """Return all frontiers that can be completed.

    Raises:
        MemoryLimitError: the limit would be passed; the message says where.
    """
    sweep = _FrontierSweep(problem, watch)
    for layer in range(problem.cells + 1):
        sweep.take(layer)
    return sweep.completable()


class Tracking:
    """The tracked items, how options change the room, and what an area allows.

    Items that are used once are tracked, categories first, then by area: what a small pocket of
    uncovered cells needs. An option keeps the subsets with its item, ``keep`` [options], and takes
    it from them, ``shift`` [options]. ``allowed`` [cells + 1] is the room for each number of
    uncovered cells: what a subset does not cover must be a sum of areas of the other items.
    """

    def __init__(self, problem: ExactCover) -> None:
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
            for total in {own_total + other_total for own_total in own for other_total in rest}:
                if total <= cells:
                    allowed[total] |= 1 << subset
        self.keep, self.shift = np.array(keep, WORD), np.array(shift, WORD)
        self.allowed = np.array(allowed, WORD)


def _sums(choices: Sequence[set[int]]) -> set[int]:
    """Return the sums of one number from each set."""
    sums = {0}
    for choice in choices:
        sums = {total + area for total in sums for area in choice}
    return sums


class _Steps(NamedTuple):
    """Arcs into a layer, by child: ``parent`` and ``option``, int32 [arcs].

    ``child``, int64 [merged], is a frontier, or -1 for one that is dead, and ``into``, int64
    [merged], the number of its arcs.
    """

    parent: Array
    option: Array
    child: Array
    into: Array


class _FrontierSweep(Sweep):
    """The enumeration of frontiers, layer by layer; every layer and arc is kept.

    A row carries a room, its parent and its option. ``starts`` has the number of each layer's
    first frontier.
    """

    row_bytes = 24

    def __init__(self, problem: ExactCover, watch: Watch) -> None:
        super().__init__(problem, watch)
        self.tracking = Tracking(problem)
        self.starts = [0]
        self.bits: list[Array] = []
        self.room: list[Array] = []
        self.steps: list[_Steps] = []
        none = np.zeros(1, np.int32)
        start = (np.zeros(1, self.dtype), np.array([self.tracking.all]), none, none)
        self.waiting[0].append(start)

    def take(self, layer: int) -> None:
        """Build a layer and number its frontiers."""
        size = self.build(layer)
        self.starts.append(self.starts[-1] + size)
        self.watch.tell("frontiers", layer, size)

    def merge(self, layer: int, words: Array, order: Array, first: Array, rows: Columns) -> Array:
        """Unite the rooms of equal frontiers; those that an area does not allow are dead."""
        rooms, parent, option = rows
        room = np.bitwise_or.reduceat(rooms[order], first)
        room &= self.tracking.allowed[self.problem.cells - layer - popcount(words)]
        alive: Array = room != 0
        child = np.where(alive, self.starts[-1] + np.cumsum(alive) - 1, -1)
        into = np.diff(first, append=len(order))
        self.steps.append(_Steps(parent[order], option[order], child, into))
        self.bits.append(words[alive])
        self.room.append(room[alive])
        size = len(self.bits[-1])
        if self.starts[-1] + size > MAX_STATES:
            raise DiagramError(f"more than {MAX_STATES:,} states")
        self.watch.held += FRONTIER_BYTES * size + ARC_BYTES * len(parent)
        return alive

    def carry(self, at: Array, option: Array) -> Columns:
        """Return the rooms that options leave, their parents, and the options."""
        tracking = self.tracking
        room = (self.room[-1][at] & tracking.keep[option]) >> tracking.shift[option]
        return room, (at + self.starts[-1]).astype(np.int32), option

    def completable(self) -> Frontiers:
        """Return the frontiers and rooms that lead to the end, by a pass back."""
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
            self.watch.pulse()
            step = self.steps.pop()
            # a subset that still holds the option's item comes from nowhere
            before = np.repeat(live[step.child], step.into) << self.tracking.shift[step.option]
            before &= self.tracking.keep[step.option] & reach[step.parent]
            good = np.flatnonzero(before)
            child = np.repeat(step.child, step.into)
            kept.append([column[good] for column in (step.parent, step.option, child)])
            np.bitwise_or.at(live, kept[-1][0], before[good])
        self.watch.check_memory(JOINING_BYTES * sum(len(arcs[0]) for arcs in kept), "arcs")
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
