"""The graph of all tilings: two passes, the second one from both ends.

Theory of operation. Fill the board cell by cell, in a fixed order: each step covers the first empty
cell with an option. The ways to go on depend on two things only: the *frontier*, which cells beyond
the first empty one are covered, and the copies left of each item. Both together are a *state*. All
partial tilings with one state are one node of the graph, so 1.5 million tilings of rhombus fit into
216,432 nodes. The states with the same first empty cell are a *layer*. A step leads from a layer
to a later one, so the layers are built in order.

Most states that can be reached lead nowhere: some pocket of the board fits no piece that is left.
They are what costs time, and two passes avoid them.

The first pass (:mod:`.frontiers`) forgets the copies. About 30 states share a frontier, so there
are few frontiers, and most dead ends show there: a pocket that no piece fits, or areas that do not
add up. A pass forward lists the frontiers, a pass backward keeps those that can be completed, and
each gets its *room*: the subsets of six items that may be left there.

The second pass puts the copies back, along the arcs between the frontiers that were kept. It goes
from both ends. The forward half has the states that can be reached from the empty board, the
backward half those from which the full board can be reached: there a step returns the copies of an
option. Why both? There is one state at each end, and their number grows from layer to layer. A
single pass would build all that can be reached, up to the last layers, where most is dead. Two
halves meet where both are still small. Each step extends the half whose next layer is cheaper; this
is known before the work, as the arcs and the states at their ends are counted.

A layer is an array, and a step a handful of array operations: take the states at the far ends of
all arcs, drop those without the copies, change the copies, and sort. The *key* of a state is one
integer: the number of its frontier in the layer, then its copies, a field of bits for each item.
Equal keys are neighbours after sorting, and merge. Keys beyond 62 bits are Python integers.

The *join* takes the steps from the last forward layers that pass the place of meeting, and looks
their keys up among the backward states. A state that no such arc reaches, along arcs of its own
half, is on no tiling: each half is filtered by the other, from the meeting to its end. What remains
are the nodes, numbered by layer, then by key; the arcs are sorted by node, then by option. So the
same puzzle gives the same bytes, and the paths, in this order, are the tilings by rank.

>>> square = ExactCover(cells=4, copies=[2], item=[0] * 4, mask=[0b0011, 0b1100, 0b0101, 0b1010])
>>> diagram = build(square)
>>> diagram.nodes, diagram.arcs
(4, 4)
"""

from __future__ import annotations

from collections.abc import Collection
from operator import mul
from typing import Any, NamedTuple

import numpy as np

from satcal.diagram.frontiers import enumerate_frontiers
from satcal.diagram.graph import Diagram
from satcal.diagram.model import (
    MAX_KEY_BITS,
    MAX_STATES,
    WORD,
    Array,
    DiagramError,
    ExactCover,
    Frontiers,
    Packing,
    Watch,
    sort_order,
)
from satcal.progress import Progress

# Bytes held or needed at once, measured with tracemalloc;
# for Python integers (dtype object) eight times as much.
CANDIDATE_BYTES = 64
STATE_BYTES = 28
ARC_BYTES = 12
STEP_BYTES = 52  # an arc between frontiers, in both directions
FRONTIER_BYTES = 40
NUMBERING_BYTES = 72  # an arc of the result while nodes and arcs are numbered


def build(
    problem: ExactCover,
    allowed: Collection[int] | None = None,
    memory_limit: int | None = None,
    progress: Progress | None = None,
) -> Diagram:
    """Return the graph of all tilings that use only the allowed options (None: all).

    ``memory_limit`` is in bytes, by estimate. ``progress`` is called several times in each layer
    of each pass, and may raise an error to end the work.

    Raises:
        MemoryLimitError: the limit would be exceeded; the message says where.
        DiagramError: there are more states than 32-bit numbers.
    """
    all_options = range(len(problem.mask))
    options = filter_options(problem, all_options if allowed is None else allowed)
    subproblem = problem.restrict_to(options)
    if not may_have_tilings(subproblem):
        return _build_empty(problem)
    watch = Watch(problem.cells + 1, memory_limit, progress)
    frontiers = enumerate_frontiers(subproblem, watch)
    if not len(frontiers.bits):
        return _build_empty(problem)
    builder = _Builder(subproblem, frontiers, watch)
    low, high = 0, problem.cells
    while high - low > 1:
        forward, backward = builder.forward, builder.backward
        if builder.cost(forward, low + 1) <= builder.cost(backward, high - 1):
            low += 1
            builder.grow(forward, low)
        else:
            high -= 1
            builder.grow(backward, high)
    diagram = builder.join(low)
    diagram.problem = problem
    diagram.arc_option = np.array(options, np.int32)[diagram.arc_option]
    return diagram


def filter_options(problem: ExactCover, allowed: Collection[int]) -> list[int]:
    """Return the allowed options, ascending, without those that overlap a forced one.

    An item with no more options than copies forces all of them. This makes a single reveal cheap,
    as its labels are forced.
    """
    options, number, weights = sorted(allowed), 0, problem.weights
    while True:
        by_item: list[list[int]] = [[] for _ in problem.copies]
        for option in options:
            by_item[problem.item[option]].append(option)
        forced = {
            option
            for item_options, copies in zip(by_item, problem.copies, strict=True)
            if sum(map(weights.__getitem__, item_options)) <= copies
            for option in item_options
        }
        if len(forced) == number:
            return options
        number, cells = len(forced), 0
        for option in forced:
            cells |= problem.mask[option]
        options = [o for o in options if o in forced or not problem.mask[o] & cells]


def may_have_tilings(problem: ExactCover) -> bool:
    """Return whether each item has an option and the areas, if each item has one, add up."""
    if set(problem.item) != set(range(len(problem.copies))):
        return False
    area = problem.area()
    return min(area, default=0) == 0 or sum(map(mul, area, problem.copies)) == problem.cells


def _build_empty(problem: ExactCover) -> Diagram:
    """Return the graph without a node."""
    no_arcs = np.zeros(0, np.int32)
    return Diagram(
        problem,
        layer_start=np.zeros(problem.cells + 2, np.int64),
        frontier=np.zeros(0, np.uint64),
        remaining=np.zeros(0, np.uint32),
        arc_start=np.zeros(1, np.int64),
        arc_child=no_arcs,
        arc_option=no_arcs,
        unit=Packing(problem.copies, range(len(problem.copies))).unit,
    )


def find_common(sorted_keys: Array, keys: Array) -> tuple[Array, Array]:
    """Return the indices of the common keys, in ``sorted_keys`` and in ``keys``."""
    if not len(sorted_keys):
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    index = np.searchsorted(sorted_keys, keys)
    index[index == len(sorted_keys)] = 0
    common = np.flatnonzero(sorted_keys[index] == keys)
    return index[common], common


class _Arcs(NamedTuple):
    """Arcs between states, given by their indices in the halves; int32 [arcs]."""

    parent: Array
    child: Array
    option: Array


class _FrontierArcs(NamedTuple):
    """Arcs between frontiers, by the layer c of one end: ``bounds[c] : bounds[c + 1]``.

    ``near`` is the frontier in that layer, ``far`` the one at the other end, int64 [arcs].
    """

    bounds: Array
    near: Array
    far: Array
    option: Array


class _Layer(NamedTuple):
    """The states of a layer, ascending by key; ``indices`` are those in their half."""

    keys: Array
    frontier: Array
    remaining: Array
    indices: slice


class _Half:
    """The states built from one end; frontier f has ``count[f]`` of them, from ``start[f]`` on.

    ``steps`` lead to its next layer. ``remaining`` is longer than the states, so that it can grow.
    ``arcs`` has, for each layer in the order of building, the arcs between its states and those of
    layers built before.
    """

    def __init__(self, frontiers: int, steps: _FrontierArcs, dtype: type) -> None:
        self.steps = steps
        self.remaining: Array = np.empty(1024, dtype)
        self.start = np.zeros(frontiers, np.int64)
        self.count = np.zeros(frontiers, np.int64)
        self.size = 0
        self.arcs: list[_Arcs] = []

    def append(self, first: int, last: int, frontier: Array, remaining: Array) -> slice:
        """Append the states of the frontiers first..last-1; return their indices."""
        begin, self.size = self.size, self.size + len(frontier)
        if self.size > MAX_STATES:
            raise DiagramError(f"more than {MAX_STATES:,} states")
        if self.size > len(self.remaining):
            larger = np.empty(max(self.size, 2 * len(self.remaining)), self.remaining.dtype)
            larger[:begin] = self.remaining[:begin]
            self.remaining = larger
        self.remaining[begin : self.size] = remaining
        count = np.bincount(frontier - first, minlength=last - first)
        self.count[first:last] = count
        self.start[first:last] = begin + np.cumsum(count) - count
        return slice(begin, self.size)

    def mark_live(self, states: Array, column: int) -> Array:
        """Return whether each state is on a path between the half's end and one of ``states``.

        Arcs on no such path are dropped. The search goes from ``states`` towards that end: along
        each arc from its ``column`` (0 for parent, 1 for child) to the other. The result is bool
        [size].
        """
        live = np.zeros(self.size, bool)
        live[states] = True
        for index in reversed(range(len(self.arcs))):
            arcs = np.flatnonzero(live[self.arcs[index][column]])
            self.arcs[index] = _Arcs(*(values[arcs] for values in self.arcs[index]))
            live[self.arcs[index][1 - column]] = True
        return live


class _Builder:
    """Both halves, and the tables for a step of either."""

    def __init__(self, problem: ExactCover, frontiers: Frontiers, watch: Watch) -> None:
        self.problem, self.frontiers, self.watch = problem, frontiers, watch
        number = len(frontiers.bits)
        watch.held_bytes = STEP_BYTES * len(frontiers.child) + FRONTIER_BYTES * number
        tracked = frontiers.tracked
        rest = [item for item in range(len(problem.copies)) if item not in tracked]
        self.packing = Packing(problem.copies, [*tracked, *rest])
        self.tracked_mask = (1 << len(tracked)) - 1
        dtype = self.packing.dtype
        self.factor = 8 if dtype is object else 1
        sizes = np.diff(frontiers.layer_start)
        self.key_bits = self.packing.width + int(sizes.max()).bit_length()
        self.key_type: Any = np.int64 if self.key_bits <= MAX_KEY_BITS else object
        item = np.array(problem.item, np.int64)
        # per option: the copies it uses, the bits of its item's field, and the most copies that
        # may be left before a backward step returns these
        self.unit = np.array(self.packing.unit, dtype)[item] * np.array(problem.weights, dtype)
        self.field = np.array(self.packing.field, dtype)[item]
        self.limit = np.array(self.packing.full, dtype)[item] - self.unit
        starts, child, parent = frontiers.layer_start, frontiers.child, frontiers.parent
        into = _FrontierArcs(np.searchsorted(child, starts), child, parent, frontiers.option)
        order = sort_order(parent, number.bit_length())
        parent = parent[order]
        bounds = np.searchsorted(parent, starts)
        out = _FrontierArcs(bounds, parent, child[order], frontiers.option[order])
        self.forward = _Half(number, into, dtype)
        self.backward = _Half(number, out, dtype)
        # until a layer is built, the first one stands in its place
        self.layers = [self.start(self.forward, 0, self.packing.all_copies)] * problem.cells
        self.layers.append(self.start(self.backward, problem.cells, 0))

    def start(self, half: _Half, layer: int, remaining: int) -> _Layer:
        """Return the first layer of a half, with its one state."""
        frontier = self.frontiers.layer_start[layer : layer + 1]
        return self.add(half, layer, frontier, np.array([remaining], self.packing.dtype))

    def add(self, half: _Half, layer: int, frontier: Array, remaining: Array) -> _Layer:
        """Append the states of a layer, ascending by key, to a half."""
        first, last = self.frontiers.layer_start[layer : layer + 2].tolist()
        keys = self.keys(layer, frontier, remaining)
        return _Layer(keys, frontier, remaining, half.append(first, last, frontier, remaining))

    def keys(self, layer: int, frontier: Array, remaining: Array) -> Array:
        """Return a key for each state of a layer: its frontier, then its remaining copies."""
        number = (frontier - self.frontiers.layer_start[layer]).astype(self.key_type)
        keys: Array = number << self.packing.width | remaining.astype(self.key_type)
        return keys

    def find_completable(self, frontier: Array, remaining: Array) -> Array:
        """Return the indices of the states whose frontier can be completed with their copies."""
        subset = remaining & self.packing.scalar(self.tracked_mask)
        room = self.frontiers.room[frontier] >> subset.astype(WORD) & WORD(1)
        return np.flatnonzero(room != 0)  # flatnonzero is fast on bool only

    def cost(self, half: _Half, layer: int) -> int:
        """Return the number of candidates for the states of a layer, equal ones repeated."""
        bounds, _, far, _ = half.steps
        return int(half.count[far[bounds[layer] : bounds[layer + 1]]].sum())

    def extend(self, half: _Half, layer: int) -> tuple[Array, Array, Array, Array]:
        """Return the states of a layer that are one step from those of a half.

        The columns are the frontier, the remaining copies, the index of the state before the step,
        and the option. Equal states are repeated, in no order. A forward step takes the option's
        copies from those that remain, a backward step returns them.
        """
        is_forward = half is self.forward
        needed = CANDIDATE_BYTES * self.factor * self.cost(half, layer)
        self.watch.check_memory(needed, f"states of layer {layer + 1}")
        arcs = slice(half.steps.bounds[layer], half.steps.bounds[layer + 1])
        near, far, option = half.steps.near[arcs], half.steps.far[arcs], half.steps.option[arcs]
        sizes = half.count[far]
        index = np.repeat(half.start[far] - np.cumsum(sizes) + sizes, sizes)
        index += np.arange(len(index))
        remaining = half.remaining[index]
        field = np.repeat(self.field[option], sizes)
        field &= remaining
        bound = np.repeat((self.unit if is_forward else self.limit)[option], sizes)
        rows = np.flatnonzero(field >= bound if is_forward else field <= bound)
        arc = np.repeat(np.arange(len(sizes)), sizes)[rows]
        index, remaining = index[rows], remaining[rows]
        unit = self.unit[option][arc]
        remaining = remaining - unit if is_forward else remaining + unit
        frontier = near[arc]
        self.watch.repeat_report()
        rows = self.find_completable(frontier, remaining)
        return frontier[rows], remaining[rows], index[rows].astype(np.int32), option[arc[rows]]

    def grow(self, half: _Half, layer: int) -> None:
        """Add a layer to a half: merge equal states, and keep the arcs."""
        frontier, remaining, far, option = self.extend(half, layer)
        keys = self.keys(layer, frontier, remaining)
        order = sort_order(keys, self.key_bits)
        self.watch.repeat_report()
        is_first = np.diff(keys[order], prepend=-1) != 0
        rows, near = order[is_first], np.empty(len(keys), np.int32)
        near[order] = np.cumsum(is_first, dtype=np.int32) - 1
        states = self.layers[layer] = self.add(half, layer, frontier[rows], remaining[rows])
        near += np.int32(states.indices.start)
        parent, child = (far, near) if half is self.forward else (near, far)
        half.arcs.append(_Arcs(parent, child, option))
        self.watch.held_bytes += STATE_BYTES * self.factor * len(rows) + ARC_BYTES * len(near)
        self.watch.report("states", layer, len(rows))

    def cross(self, low: int) -> _Arcs:
        """Return the arcs from the forward half, whose last layer is ``low``, to the other half."""
        arcs: list[_Arcs] = []
        for layer in range(low + 1, len(self.layers)):
            frontier, remaining, parent, option = self.extend(self.forward, layer)
            states = self.layers[layer]
            keys = self.keys(layer, frontier, remaining)
            child, common = find_common(states.keys, keys)
            child = (child + states.indices.start).astype(np.int32)
            arcs.append(_Arcs(parent[common], child, option[common]))
            self.watch.held_bytes += ARC_BYTES * len(common)  # the states are counted already
            self.watch.report("join", layer, len(states.keys))
        return _Arcs(*(np.concatenate(column) for column in zip(*arcs, strict=True)))

    def join(self, low: int) -> Diagram:
        """Return the graph, whose layers 0..low are those of the forward half."""
        cross, forward, backward = self.cross(low), self.forward, self.backward
        live = forward.mark_live(cross.parent, 1), backward.mark_live(cross.child, 0)
        total = sum(len(arcs.option) for arcs in [*forward.arcs, cross, *backward.arcs])
        needed = NUMBERING_BYTES * total + 8 * (forward.size + backward.size)
        self.watch.check_memory(needed, "numbering of the nodes")
        numbers = np.empty(forward.size, np.int32), np.empty(backward.size, np.int32)
        starts, frontier, remaining = [0], [], []
        for layer, states in enumerate(self.layers):
            nodes = np.flatnonzero(live[layer > low][states.indices])
            numbers[layer > low][nodes + states.indices.start] = starts[-1] + np.arange(len(nodes))
            starts.append(starts[-1] + len(nodes))
            frontier.append(self.frontiers.bits[states.frontier[nodes]])
            remaining.append(states.remaining[nodes])
        parts = [(arcs, numbers[0], numbers[0]) for arcs in forward.arcs]
        parts.append((cross, *numbers))
        parts += [(arcs, numbers[1], numbers[1]) for arcs in backward.arcs]
        node = np.concatenate([number[arcs.parent] for arcs, number, _ in parts])
        child = np.concatenate([number[arcs.child] for arcs, _, number in parts])
        option = np.concatenate([arcs.option for arcs, _, _ in parts])
        options = len(self.problem.mask)
        keys = node.astype(np.int64) * options + option
        order = sort_order(keys, (starts[-1] * options).bit_length())
        counts = np.bincount(node, minlength=starts[-1])
        return Diagram(
            self.problem,
            layer_start=np.array(starts),
            frontier=np.concatenate(frontier),
            remaining=np.concatenate(remaining),
            arc_start=np.concatenate([[0], np.cumsum(counts)]),
            arc_child=child[order],
            arc_option=option[order],
            unit=self.packing.unit,
        )
