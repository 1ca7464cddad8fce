"""The frontiers, which are states without their pieces: the first pass of building.

About 30 states share a frontier. Most states that cannot be completed have a frontier that shows
it: no piece fits a pocket, or an area does not add up. So the frontiers are enumerated first, each
with its *room*: the set of subsets of a few *tracked* items that may remain, as the bits of one
word. A backward pass keeps the frontiers that can be completed if the other items may be used
without limit. Of the 8.0 million states of ``rhombus`` that can be reached, 6.5 million are never
built.

>>> square = ExactCover(cells=4, copies=[2], item=[0] * 4, mask=[0b0011, 0b1100, 0b0101, 0b1010])
>>> found = enumerate_frontiers(square, Watch(layers=5, limit=None))
>>> found.layer_start.tolist(), [f"{bits:b}" for bits in found.bits.tolist()]
([0, 1, 2, 3, 3, 4], ['0', '10', '0', '0'])
"""

from __future__ import annotations

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
from satcal.puzzle.shapes import sum_areas

MAX_TRACKED = 6  # tracked items: a set of subsets of six items is one 64-bit word
# Bytes held or needed at once per row of the arrays below, measured with tracemalloc.
FRONTIER_BYTES = 32
ARC_BYTES = 8
COMPLETING_BYTES = 16  # an arc or a frontier in the pass back, on top of those two
JOINING_BYTES = 48  # an arc that leads to the end, while those of all layers are joined


def enumerate_frontiers(problem: ExactCover, watch: Watch) -> Frontiers:
    """Return all frontiers that can be completed.

    Raises:
        MemoryLimitError: the limit would be passed; the message says where.
    """
    sweep = _FrontierSweep(problem, watch)
    for layer in range(problem.cells + 1):
        sweep.take(layer)
    return sweep.completable()


class Tracking:
    """The tracked items, how options change a room, and the room that an area allows.

    Tracked are items with one copy, categories first, then by ascending area, as a small pocket of
    uncovered cells needs these. An option keeps the subsets with its item (the mask ``keep``
    [options]) and removes the item from them (a shift by ``shift`` [options]). ``allowed``
    [cells + 1] is the room for each number of uncovered cells: the area that a subset does not
    cover must be a sum of areas of the other items.
    """

    def __init__(self, problem: ExactCover) -> None:
        area, areas, cells = problem.area(), problem.areas(), problem.cells
        single = [item for item, copies in enumerate(problem.copies) if copies == 1]
        single.sort(key=lambda item: (item < problem.first_category, area[item], item))
        self.items = single[:MAX_TRACKED]
        subsets = range(1 << len(self.items))
        self.all = WORD((1 << len(subsets)) - 1)
        bit = {item: index for index, item in enumerate(self.items)}
        has = [sum(1 << s for s in subsets if s >> index & 1) for index in bit.values()]
        keep = [has[bit[item]] if item in bit else self.all for item in problem.item]
        shift = [1 << bit[item] if item in bit else 0 for item in problem.item]
        others = [item for item in range(len(problem.copies)) if item not in bit]
        rest = sum_areas(areas[item] | {0} for item in others for _ in range(problem.copies[item]))
        allowed = [0] * (cells + 1)
        for subset in subsets:
            own = sum_areas(areas[item] for item, index in bit.items() if subset >> index & 1)
            for total in {own_total + other_total for own_total in own for other_total in rest}:
                if total <= cells:
                    allowed[total] |= 1 << subset
        self.keep, self.shift = np.array(keep, WORD), np.array(shift, WORD)
        self.allowed = np.array(allowed, WORD)


class _Steps(NamedTuple):
    """Arcs into a layer, by child: ``parent`` and ``option``, int32 [arcs].

    There is one entry for each distinct child: in ``child``, int64, its number, or -1 if it cannot
    be completed; in ``arc_count``, int64, the number of arcs into it.
    """

    parent: Array
    option: Array
    child: Array
    arc_count: Array


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
        self.watch.report("frontiers", layer, size)

    def merge(self, layer: int, words: Array, order: Array, first: Array, rows: Columns) -> Array:
        """Unite the rooms of equal frontiers; drop those that an area does not allow."""
        rooms, parent, option = rows
        room = np.bitwise_or.reduceat(rooms[order], first)
        room &= self.tracking.allowed[self.problem.cells - layer - popcount(words)]
        alive: Array = room != 0
        child = np.where(alive, self.starts[-1] + np.cumsum(alive) - 1, -1)
        arc_count = np.diff(first, append=len(order))
        self.steps.append(_Steps(parent[order], option[order], child, arc_count))
        self.bits.append(words[alive])
        self.room.append(room[alive])
        size = len(self.bits[-1])
        if self.starts[-1] + size > MAX_STATES:
            raise DiagramError(f"more than {MAX_STATES:,} states")
        self.watch.held_bytes += FRONTIER_BYTES * size + ARC_BYTES * len(parent)
        return alive

    def new_values(self, at: Array, option: Array) -> Columns:
        """Return the rooms after the options, the parents, and the options."""
        tracking = self.tracking
        room = (self.room[-1][at] & tracking.keep[option]) >> tracking.shift[option]
        return room, (at + self.starts[-1]).astype(np.int32), option

    def completable(self) -> Frontiers:
        """Return the frontiers and rooms that lead to the end, by a backward pass."""
        needed = COMPLETING_BYTES * (sum(len(s.parent) for s in self.steps) + self.starts[-1])
        self.watch.check_memory(needed, "frontiers that can be completed")
        del self.steps[0]  # the artificial arc to the empty board
        forward_room = np.concatenate(self.room)
        room = np.zeros(len(forward_room) + 1, WORD)  # the last one is that of child -1
        end = slice(self.starts[self.problem.cells], None)
        room[:-1][end] = forward_room[end] & WORD(1)  # at the end, no item may remain
        arcs_by_layer: list[list[Array]] = []
        while self.steps:  # pop, so that the memory of each layer is freed
            self.watch.repeat_report()
            step = self.steps.pop()
            # a subset that still holds the option's item has no parent
            parent_room = np.repeat(room[step.child], step.arc_count)
            parent_room <<= self.tracking.shift[step.option]
            parent_room &= self.tracking.keep[step.option] & forward_room[step.parent]
            arcs = np.flatnonzero(parent_room)
            child = np.repeat(step.child, step.arc_count)
            arcs_by_layer.append([column[arcs] for column in (step.parent, step.option, child)])
            np.bitwise_or.at(room, arcs_by_layer[-1][0], parent_room[arcs])
        size = sum(len(columns[0]) for columns in arcs_by_layer)
        self.watch.check_memory(JOINING_BYTES * size, "arcs")
        room = room[:-1]
        alive = room != 0
        number = np.cumsum(alive) - 1
        arcs_by_layer.append([np.zeros(0, np.int32)] * 3)  # there may be no other
        parent, option, child = map(np.concatenate, zip(*reversed(arcs_by_layer), strict=True))
        arcs_by_layer.clear()
        bits = np.concatenate(self.bits)[alive]
        return Frontiers(
            tracked=self.tracking.items,
            layer_start=np.concatenate([[0], np.cumsum(alive)])[np.array(self.starts)],
            bits=bits if bits.dtype == object else bits.astype(WORD),
            room=room[alive],
            parent=number[parent],
            child=number[child],
            option=option,
        )
