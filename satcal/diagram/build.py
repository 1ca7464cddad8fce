"""Build the diagram of a problem: frontiers first, then states, frontiers with what remains.

Sets of states are built along the steps between frontiers from both ends: forward from the
empty board (states that can be reached) and backward from the full one (states that can be
completed), each time on the side whose next layer is cheaper, until they meet. Then each half
is filtered by the other, and what is left is the live diagram. Each end knows few states, so
hardly any of them die.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from operator import mul
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from satcal.diagram.frontiers import Frontiers, frontiers
from satcal.diagram.model import (
    Array,
    Diagram,
    DiagramError,
    Ints,
    Problem,
    Progress,
    Watch,
    sort_order,
)
from satcal.diagram.slots import Packing, Slots, distinct, find, worthwhile

MOST_STATES = 2**31 - 1
"""States are numbered in 32 bits; so many would fill 60 GB."""
# Bytes held or needed at once, measured with tracemalloc; for Python integers (dtype object)
# eight times as much.
CANDIDATE_BYTES = 64
STATE_BYTES = 28
ARC_BYTES = 12
STEP_BYTES = 52  # an arc between frontiers, in both directions
FRONTIER_BYTES = 40
ROOM_BYTES = 40
TABLE_BYTES = 4
NUMBERING_BYTES = 72  # an arc of the result while nodes and arcs are numbered


def build(
    problem: Problem,
    allowed: Collection[int] | None = None,
    memory_limit: int | None = None,
    progress: Progress | None = None,
) -> Diagram:
    """Return the diagram of all tilings of a problem.

    Args:
        problem: the problem.
        allowed: the options that may be used; None for all.
        memory_limit: in bytes, by estimate, checked before each layer is built.
        progress: called once per layer of each pass.

    Raises:
        MemoryLimitError: the limit would be passed; the message says where.
        DiagramError: more nodes or arcs than 32-bit numbers can name.
    """
    kept = _useful_options(problem, range(len(problem.mask)) if allowed is None else allowed)
    part = replace(
        problem,
        item=[problem.item[option] for option in kept],
        mask=[problem.mask[option] for option in kept],
    )
    if not _may_have_tilings(part):
        return _empty(problem)
    watch = Watch(problem.cells + 1, memory_limit, progress)
    found = frontiers(part, watch)
    if not len(found.bits):
        return _empty(problem)
    builder = _Builder(part, found, watch)
    low, high = 0, problem.cells
    while high - low > 1:
        ahead, back = builder.ahead, builder.back
        if builder.cost(ahead, low + 1) <= builder.cost(back, high - 1):
            low += 1
            builder.grow(ahead, low)
        else:
            high -= 1
            builder.grow(back, high)
    diagram = builder.joined(low)
    diagram.problem = problem
    diagram.arc_option = np.array(kept, np.int32)[diagram.arc_option]
    return diagram


def _useful_options(problem: Problem, allowed: Collection[int]) -> list[int]:
    """Return the allowed options, ascending, without those that overlap a forced one.

    An item with no more options than copies needs all of them. This is what makes a single
    reveal cheap: its cells are no longer covered by any piece.
    """
    options, known = sorted(allowed), 0
    while True:
        of_item: list[list[int]] = [[] for _ in problem.copies]
        for option in options:
            of_item[problem.item[option]].append(option)
        forced = {
            option
            for own, copies in zip(of_item, problem.copies, strict=True)
            if len(own) <= copies
            for option in own
        }
        if len(forced) == known:
            return options
        known, taken = len(forced), 0
        for option in forced:
            taken |= problem.mask[option]
        options = [o for o in options if o in forced or not problem.mask[o] & taken]


def _may_have_tilings(problem: Problem) -> bool:
    """Return whether every item has an option and, where areas are fixed, they add up."""
    if set(problem.item) != set(range(len(problem.copies))):
        return False
    area = problem.area()
    return min(area, default=0) == 0 or sum(map(mul, area, problem.copies)) == problem.cells


def _empty(problem: Problem) -> Diagram:
    none = np.zeros(0, np.int32)
    return Diagram(
        problem,
        layer_start=np.zeros(problem.cells + 2, np.int64),
        frontier=np.zeros(0, np.uint64),
        remaining=np.zeros(0, np.uint32),
        arc_start=np.zeros(1, np.int64),
        arc_child=none,
        arc_option=none,
        unit=[0] * len(problem.copies),
    )


class _Arcs(NamedTuple):
    """Arcs between states, given by their indices in the halves; int32 [arcs]."""

    parent: Array
    child: Array
    option: Array


class _Steps(NamedTuple):
    """Steps between frontiers, grouped by the layer of one end: ``bounds[c] : bounds[c + 1]``.

    ``near``: the frontier in that layer, ``far``: the one at the other end, int64 [arcs].
    """

    bounds: Ints
    near: Ints
    far: Ints
    option: NDArray[np.int32]


@dataclass
class _Layer:
    """The states of a layer that one half found, ascending by slot; ``at``: where in the half."""

    slots: Array
    frontier: Array
    remaining: Array
    at: slice


class _Half:
    """The states found from one end; of frontier f ``count[f]``, from ``start[f]`` on.

    ``steps`` lead to its next layer. ``remaining`` [size and some space to grow]; ``start``,
    ``count``: int64 [frontiers]. ``arcs``: per layer, in the order of building, between its
    states and those of layers before.
    """

    def __init__(self, frontiers: int, steps: _Steps, packing: Packing) -> None:
        self.steps = steps
        self.remaining: Array = np.empty(1024, packing.dtype)
        self.start = np.zeros(frontiers, np.int64)
        self.count = np.zeros(frontiers, np.int64)
        self.size = 0
        self.arcs: list[_Arcs] = []

    def append(self, first: int, last: int, frontier: Array, remaining: Array) -> slice:
        """Add the states of the frontiers first..last-1; return where they are."""
        begin, self.size = self.size, self.size + len(frontier)
        if self.size > MOST_STATES:
            raise DiagramError(f"more than {MOST_STATES:,} states")
        if self.size > len(self.remaining):
            larger = np.empty(max(self.size, 2 * len(self.remaining)), self.remaining.dtype)
            larger[:begin] = self.remaining[:begin]
            self.remaining = larger
        self.remaining[begin : self.size] = remaining
        count = np.bincount(frontier - first, minlength=last - first)
        self.count[first:last] = count
        self.start[first:last] = begin + np.cumsum(count) - count
        return slice(begin, self.size)

    def keep_live(self, live: NDArray[np.bool_], known: int, other: int) -> None:
        """Keep the arcs whose ``known`` end (a column of the arcs) is live; so are their others.

        From the layer built last to the first. Marks ``live``.
        """
        for number in range(len(self.arcs) - 1, -1, -1):
            kept = np.flatnonzero(live[self.arcs[number][known]])
            self.arcs[number] = _Arcs(*(column[kept] for column in self.arcs[number]))
            live[self.arcs[number][other]] = True


class _Candidates(NamedTuple):
    """States one step from known ones, repeated, in no order; ``far`` is the known one's index.

    Arrays [candidates]: frontier int64, remaining as packed, far int32, option int32.
    """

    frontier: Array
    remaining: Array
    far: Array
    option: Array


class _Builder:
    """Both halves, and what they need to take a step."""

    def __init__(self, problem: Problem, frontiers: Frontiers, watch: Watch) -> None:
        self.problem, self.frontiers, self.watch = problem, frontiers, watch
        watch.held = STEP_BYTES * len(frontiers.child) + FRONTIER_BYTES * len(frontiers.bits)
        rooms = int(np.bitwise_count(frontiers.room).sum())
        watch.check(ROOM_BYTES * (rooms + len(frontiers.bits)), "table of states")
        watch.held += 8 * rooms
        self.packing = Packing(problem, frontiers.tracked)
        self.factor = 8 if self.packing.dtype is object else 1
        self.slots = Slots(problem, frontiers, self.packing)
        item, dtype = np.array(problem.item, np.int64), self.packing.dtype
        self.unit = np.array(self.packing.unit, dtype)[item]  # this and the next two: per option
        self.field = np.array(self.packing.field, dtype)[item]
        self.full = np.array(self.packing.full, dtype)[item]
        starts, child, parent = frontiers.layer_start, frontiers.child, frontiers.parent
        into = _Steps(np.searchsorted(child, starts), child, parent, frontiers.option)
        order = sort_order(parent, len(frontiers.bits).bit_length())
        parent = parent[order]
        out = _Steps(np.searchsorted(parent, starts), parent, child[order], frontiers.option[order])
        self.ahead = _Half(len(frontiers.bits), into, self.packing)
        self.back = _Half(len(frontiers.bits), out, self.packing)
        last = problem.cells
        self.layers = [self.end(self.ahead, 0, self.packing.start)] * last
        self.layers.append(self.end(self.back, last, 0))

    def end(self, half: _Half, layer: int, remaining: int) -> _Layer:
        """Return the first or the last layer, whose one state is the first of a half."""
        frontier = self.frontiers.layer_start[layer : layer + 1]
        return self.add(half, layer, frontier, np.array([remaining], self.packing.dtype))

    def add(self, half: _Half, layer: int, frontier: Array, remaining: Array) -> _Layer:
        """Put the distinct states of a layer, ascending by slot, into a half."""
        first, last = self.frontiers.layer_start[layer : layer + 2].tolist()
        slots = self.slots.of(layer, frontier, remaining)
        return _Layer(slots, frontier, remaining, half.append(first, last, frontier, remaining))

    def cost(self, half: _Half, layer: int) -> int:
        """Return the number of candidates that :meth:`extend` would look at."""
        bounds, _, far, _ = half.steps
        return int(half.count[far[bounds[layer] : bounds[layer + 1]]].sum())

    def extend(self, half: _Half, layer: int) -> _Candidates:
        """Return the candidates of a layer: one step from the states at the far ends of its arcs.

        Forward takes the option's item from what remains, backward puts it back.
        """
        forward = half is self.ahead
        candidates, size = self.cost(half, layer), self.slots.size(layer)
        table = TABLE_BYTES * size if worthwhile(size, candidates) else 0
        needed = CANDIDATE_BYTES * self.factor * candidates + table
        self.watch.check(needed, f"states of layer {layer}")
        arcs = slice(half.steps.bounds[layer], half.steps.bounds[layer + 1])
        near, far, option = half.steps.near[arcs], half.steps.far[arcs], half.steps.option[arcs]
        sizes = half.count[far]
        index = np.repeat(half.start[far] - np.cumsum(sizes) + sizes, sizes)
        index += np.arange(len(index))
        remaining = half.remaining[index]
        field = np.repeat(self.field[option], sizes)
        field &= remaining
        none_left = 0 if forward else np.repeat(self.full[option], sizes)
        good = np.flatnonzero(field != none_left)
        arc = np.repeat(np.arange(len(sizes)), sizes)[good]
        index, remaining = index[good], remaining[good]
        unit = self.unit[option][arc]
        remaining = remaining - unit if forward else remaining + unit
        frontier = near[arc]
        good = self.slots.possible(frontier, remaining)
        return _Candidates(
            frontier[good], remaining[good], index[good].astype(np.int32), option[arc[good]]
        )

    def grow(self, half: _Half, layer: int) -> None:
        """Build the next layer of a half."""
        frontier, remaining, far, option = self.extend(half, layer)
        slots = self.slots.of(layer, frontier, remaining)
        where, near = distinct(slots, self.slots.size(layer))
        found = self.layers[layer] = self.add(half, layer, frontier[where], remaining[where])
        near += np.int32(found.at.start)
        parent, child = (far, near) if half is self.ahead else (near, far)
        half.arcs.append(_Arcs(parent, child, option))
        self.watch.held += STATE_BYTES * self.factor * len(where) + ARC_BYTES * len(near)
        self.watch.tell("states", layer, len(where))

    def cross(self, low: int) -> _Arcs:
        """Return the arcs from a forward state to a backward one: both are live."""
        every: list[_Arcs] = []
        for layer in range(low + 1, len(self.layers)):
            frontier, remaining, parent, option = self.extend(self.ahead, layer)
            slots = self.slots.of(layer, frontier, remaining)
            hit, child = find(self.layers[layer].slots, slots, self.slots.size(layer))
            child = (child + self.layers[layer].at.start).astype(np.int32)
            every.append(_Arcs(parent[hit], child, option[hit]))
            self.watch.held += ARC_BYTES * len(hit)  # its states are held already
            self.watch.tell("join", layer, len(self.layers[layer].slots))
        return _Arcs(*(np.concatenate(column) for column in zip(*every, strict=True)))

    def joined(self, low: int) -> Diagram:
        """Filter each half by the other (the forward one has the layers 0..low), and number nodes
        layer by layer, arcs by node and option."""
        cross, ahead, back = self.cross(low), self.ahead, self.back
        live_ahead, live_back = np.zeros(ahead.size, bool), np.zeros(back.size, bool)
        live_ahead[cross.parent] = True
        live_back[cross.child] = True
        ahead.keep_live(live_ahead, 1, 0)
        back.keep_live(live_back, 0, 1)
        total = sum(len(arcs.option) for arcs in [*ahead.arcs, cross, *back.arcs])
        needed = NUMBERING_BYTES * total + 8 * (ahead.size + back.size)
        self.watch.check(needed, "numbering of the nodes")
        number_ahead, number_back = np.empty(ahead.size, np.int64), np.empty(back.size, np.int64)
        starts, frontier, remaining = [0], [], []
        for layer, found in enumerate(self.layers):
            number, live = (number_ahead, live_ahead) if layer <= low else (number_back, live_back)
            nodes = np.flatnonzero(live[found.at])
            number[nodes + found.at.start] = starts[-1] + np.arange(len(nodes))
            starts.append(starts[-1] + len(nodes))
            frontier.append(self.frontiers.bits[found.frontier[nodes]])
            remaining.append(found.remaining[nodes])
        parts = [(arcs, number_ahead, number_ahead) for arcs in ahead.arcs]
        parts.append((cross, number_ahead, number_back))
        parts += [(arcs, number_back, number_back) for arcs in back.arcs]
        node = np.concatenate([number[arcs.parent] for arcs, number, _ in parts])
        child = np.concatenate([number[arcs.child] for arcs, _, number in parts])
        option = np.concatenate([arcs.option for arcs, _, _ in parts])
        options = len(self.problem.mask)
        order = sort_order(node * options + option, (starts[-1] * options).bit_length())
        arc_start = np.concatenate([[0], np.cumsum(np.bincount(node, minlength=starts[-1]))])
        return Diagram(
            self.problem,
            np.array(starts),
            np.concatenate(frontier),
            np.concatenate(remaining),
            arc_start,
            child[order].astype(np.int32),
            option[order].astype(np.int32),
            self.packing.unit,
        )
