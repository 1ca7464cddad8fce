"""First pass: the frontiers, which are states without their pieces.

A frontier is the set of covered cells beyond the first uncovered one. Some 30 states share a
frontier, and most states that die do so for a reason that the frontier alone shows: a pocket
that nothing fits, an area that does not add up. So the frontiers are enumerated first, each
with its room: the subsets of the tracked items (see :mod:`.tracking`) that may remain. A pass
back keeps what can be completed if the other items may be used without limit. Of the 8.0
million states of ``rhombus`` that can be reached, 6.5 million never come into being.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from satcal.diagram.bits import WORD, popcount, sort_order, trailing_ones
from satcal.diagram.model import Array, Ints, Problem, Watch, Words

TRACKED = 6
"""Number of tracked items: a set of subsets of six items is one 64-bit word."""


def choose_tracked(problem: Problem) -> list[int]:
    """Return the items to track: used once, categories first, then by area, at most six.

    Those are what a small pocket of uncovered cells needs.
    """
    single = [item for item, copies in enumerate(problem.copies) if copies == 1]
    first_category = len(problem.copies) - problem.categories
    area = problem.area()
    return sorted(single, key=lambda i: (i < first_category, area[i], i))[:TRACKED]


class Step(NamedTuple):
    """What an option does to a set of subsets: it keeps those in ``keep``, then shifts."""

    keep: int
    shift: int


class Tracking:
    """How options change the set of subsets that may remain, and which subsets an area allows.

    A *room* is a uint64 whose bit s is set if subset s of the tracked items may remain.
    """

    def __init__(self, problem: Problem, tracked: list[int]) -> None:
        subsets = 1 << len(tracked)
        place = {item: bit for bit, item in enumerate(tracked)}
        steps = [_step(subsets, place.get(item)) for item in problem.item] or [Step(0, 0)]
        self.keep: Words = np.array([step.keep for step in steps], WORD)
        self.shift: Words = np.array([step.shift for step in steps], WORD)
        self.allowed = _allowed(problem, tracked)

    def forward(self, room: Array, option: Array) -> Array:
        """Return what may remain after the options, from what may before; uint64 [options]."""
        return (room & self.keep[option]) >> self.shift[option]

    def backward(self, room: Array, option: Array) -> Array:
        """Return what may remain before the options, from what may after; uint64 [options].

        A subset that still holds the option's item comes from nowhere.
        """
        return (room << self.shift[option]) & self.keep[option]


def _step(subsets: int, bit: int | None) -> Step:
    if bit is None:
        return Step((1 << subsets) - 1, 0)
    return Step(sum(1 << subset for subset in range(subsets) if subset >> bit & 1), 1 << bit)


def _allowed(problem: Problem, tracked: list[int]) -> NDArray[np.uint64]:
    """Return the room for each number of uncovered cells, uint64 [cells + 1].

    What the subset does not cover must be a sum of areas of items that are not tracked.
    """
    areas = problem.areas()
    others = [(item, copies) for item, copies in enumerate(problem.copies) if item not in tracked]
    rest = _sums([areas[item] | {0} for item, copies in others for _ in range(copies)])
    allowed = [0] * (problem.cells + 1)
    for subset in range(1 << len(tracked)):
        mine = _sums([areas[item] for bit, item in enumerate(tracked) if subset >> bit & 1])
        for total in {some + other for some in mine for other in rest}:
            if total <= problem.cells:
                allowed[total] |= 1 << subset
    return np.array(allowed, WORD)


def _sums(choices: Sequence[set[int]]) -> set[int]:
    """Return every sum of one number from each set."""
    sums = {0}
    for choice in choices:
        sums = {total + number for total in sums for number in choice}
    return sums


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


class Arrivals(NamedTuple):
    """Frontiers as a step reaches them, repeated: bits, room, parent, option, each [arrivals]."""

    bits: Array
    room: Array
    parent: Array
    option: Array

    def at(self, index: Array | slice) -> Arrivals:
        """Return those of an index."""
        return Arrivals(*(column[index] for column in self))


class Steps(NamedTuple):
    """Arcs into a layer: parent int64, option int32, child int64, each [arcs]."""

    parent: Array
    option: Array
    child: Array


class _Sweep:
    """The enumeration: ``waiting[c]`` collects what arrives in layer c until it is built.

    ``held[c]``: arrivals whose memory is free once layer c is built.
    """

    def __init__(self, problem: Problem, tracked: list[int]) -> None:
        self.problem, self.tracked, self.tracking = problem, tracked, Tracking(problem, tracked)
        self.starting: list[list[tuple[int, int]]] = [[] for _ in range(problem.cells + 1)]
        spans = [1]
        for option, (mask, cell) in enumerate(zip(problem.mask, problem.first(), strict=True)):
            self.starting[cell].append((option, mask >> cell))
            spans.append(mask.bit_length() - cell)
        self.span = max(spans)
        self.wide = self.span > WIDEST
        self.dtype: type = object if self.wide else WORD
        self.waiting: list[list[Arrivals]] = [[] for _ in range(problem.cells + 1)]
        self.held = [0] * (problem.cells + 1)
        everything = np.array([1 << (1 << len(tracked)) - 1], WORD)
        start = np.zeros(1, self.dtype)
        self.waiting[0].append(
            Arrivals(start, everything, np.zeros(1, np.int64), np.zeros(1, np.int32))
        )

    def merge(self, layer: int) -> tuple[Array, Array, Steps]:
        """Return a layer: its distinct frontiers, ascending, their rooms, and the arcs to them.

        The children of the arcs are counted from the first frontier of the layer.
        """
        blocks, self.waiting[layer] = self.waiting[layer], []
        arrived = Arrivals(*(np.concatenate(column) for column in zip(*blocks, strict=True)))
        order = sort_order(arrived.bits, self.span)
        bits = arrived.bits[order]
        new = np.concatenate([[True], bits[1:] != bits[:-1]])
        starts = np.flatnonzero(new)
        bits = bits[starts]
        room = np.bitwise_or.reduceat(arrived.room[order], starts)
        room &= self.tracking.allowed[self.problem.cells - layer - popcount(bits)]
        alive = room != 0
        child = np.cumsum(new) - 1
        kept = np.flatnonzero(alive[child])
        steps = Steps(
            arrived.parent[order[kept]],
            arrived.option[order[kept]],
            (np.cumsum(alive) - 1)[child[kept]],
        )
        return bits[alive], room[alive], steps

    def expand(self, layer: int, bits: Array, room: Array, base: int, watch: Watch) -> None:
        """Place each option whose first cell is ``layer`` on each frontier that lets it.

        ``base`` is the number of the layer's first frontier.

        Raises:
            MemoryLimitError: there are so many that the limit of ``watch`` would be passed.
        """
        scalar = int if self.wide else WORD
        numbers = np.array([option for option, _ in self.starting[layer]], np.int32)
        masks: Array = np.array([mask for _, mask in self.starting[layer]], self.dtype)
        hits = [np.flatnonzero((bits & scalar(mask)) == 0) for _, mask in self.starting[layer]]
        if not hits:
            return
        sizes = [len(hit) for hit in hits]
        watch.check(
            EXPANDING_BYTES * sum(sizes) + WAITING_BYTES * sum(self.held[layer + 1 :]),
            f"steps from layer {layer}",
        )
        at = np.concatenate(hits)
        option = np.repeat(numbers, sizes)
        after = self.tracking.forward(room[at], option)
        found = Arrivals(bits[at] | np.repeat(masks, sizes), after, at + base, option)
        possible = after != 0
        self.send(layer, found if possible.all() else found.at(possible))

    def send(self, layer: int, found: Arrivals) -> None:
        """Hand every new frontier to the layer of its first uncovered cell."""
        ones = trailing_ones(found.bits)
        order = sort_order(ones, 16)
        found = found._replace(bits=found.bits >> ones.astype(self.dtype)).at(order)
        counts = np.bincount(ones)
        end = 0
        for step in np.flatnonzero(counts).tolist():
            begin, end = end, end + int(counts[step])
            self.waiting[layer + step].append(found.at(slice(begin, end)))
        # the parts are views: all of it is held until the last of them is merged
        self.held[layer + len(counts) - 1] += len(found.bits)


def frontiers(problem: Problem, watch: Watch) -> Frontiers:
    """Return all frontiers that can be completed.

    Raises:
        MemoryLimitError: a layer, or the pass back, would pass the limit of ``watch``.
    """
    sweep = _Sweep(problem, choose_tracked(problem))
    starts, bits, rooms, steps = [0], [], [], []
    for layer in range(problem.cells + 1):
        arrived = sum(len(block.bits) for block in sweep.waiting[layer])
        watch.check(
            MERGING_BYTES * arrived + WAITING_BYTES * sum(sweep.held[layer:]),
            f"frontiers of layer {layer}",
        )
        found = 0
        if arrived:
            frontier, room, into = sweep.merge(layer)
            found = len(frontier)
            bits.append(frontier)
            rooms.append(room)
            steps.append(into._replace(child=into.child + starts[-1]))
            if layer < problem.cells and found:
                sweep.expand(layer, frontier, room, starts[-1], watch)
            watch.held += FRONTIER_BYTES * found + ARC_BYTES * len(into.parent)
        starts.append(starts[-1] + found)
        watch.tell("frontiers", layer, found)
    arcs = sum(len(into.parent) for into in steps)
    watch.check(COMPLETING_BYTES * (arcs + starts[-1]), "frontiers that can be completed")
    del steps[0]  # it leads to the empty board and is none
    return _completable(problem, sweep, starts, bits, rooms, steps)


def _completable(
    problem: Problem,
    sweep: _Sweep,
    starts: list[int],
    bits: list[Array],
    rooms: list[Array],
    steps: list[Steps],
) -> Frontiers:
    """The pass back: keep the frontiers and rooms that lead to the end, number them anew.

    Empties ``steps``: what was looked at is freed.
    """
    reach = np.concatenate(rooms)
    live = np.zeros_like(reach)
    end = slice(starts[problem.cells], None)
    live[end] = reach[end] & WORD(1)  # nothing may remain
    kept: list[Steps] = []
    while steps:
        parent, option, child = steps.pop()
        before = sweep.tracking.backward(live[child], option) & reach[parent]
        good = np.flatnonzero(before)
        possible = Steps(parent[good], option[good], child[good])
        np.bitwise_or.at(live, possible.parent, before[good])
        kept.append(possible)
    alive = live != 0
    number = np.cumsum(alive) - 1
    none = [np.zeros(0, np.int64)]
    parent, option, child = (
        np.concatenate(none + [step[column] for step in reversed(kept)]) for column in range(3)
    )
    kept.clear()
    layer_start = np.concatenate([[0], np.cumsum(alive)])[np.array(starts)]
    return Frontiers(
        sweep.tracked,
        layer_start,
        np.concatenate(bits)[alive],
        live[alive],
        number[parent],
        number[child],
        option.astype(np.int32),
    )
