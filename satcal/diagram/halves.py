"""The states from both ends, along the arcs between frontiers: the second pass of building.

The head of :mod:`.build` tells how and why. Both users of this pass say what a new layer keeps:
:mod:`.build` the arcs to it, for a graph; :mod:`.layers` the number of paths to each of its states.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

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

# Bytes held or needed at once, measured with tracemalloc;
# for Python integers (dtype object) eight times as much.
CANDIDATE_BYTES = 64
STEP_BYTES = 52  # an arc between frontiers, in both directions
FRONTIER_BYTES = 40


class Steps(NamedTuple):
    """Arcs between frontiers, by the layer c of one end: ``bounds[c] : bounds[c + 1]``.

    ``near`` is the frontier in that layer, ``far`` the one at the other end, int64 [arcs].
    """

    bounds: Array
    near: Array
    far: Array
    option: Array


class Reached(NamedTuple):
    """States one step from those of a half; equal ones are repeated, in no order.

    ``source`` is the row, in the columns of the half, of the state before the step.
    """

    frontier: Array
    remaining: Array
    source: Array
    option: Array


class Layer(NamedTuple):
    """The states of a layer, ascending by key; ``begin`` is the number of the first in its half."""

    keys: Array
    frontier: Array
    remaining: Array
    begin: int


class HalfStates:
    """The states built from one end; frontier f has ``count[f]`` of them, from ``start[f]`` on.

    ``steps`` lead to its next layer. The columns have a row for each state, the first of them the
    remaining copies, and are longer than that, so that they can grow. ``begins`` has the number of
    each layer's first state, in the order of building. The states before ``needed`` may be dropped,
    those before ``dropped`` have been.
    """

    def __init__(self, frontiers: int, steps: Steps, dtype: type) -> None:
        self.steps = steps
        self.columns: list[Array] = [np.empty(1024, dtype)]
        self.start = np.zeros(frontiers, np.int64)
        self.count = np.zeros(frontiers, np.int64)
        self.size = self.needed = self.dropped = 0
        self.begins: list[int] = []

    def append(self, first: int, last: int, frontier: Array, columns: list[Array]) -> None:
        """Append the states of the frontiers first..last-1."""
        begin, self.size = self.size, self.size + len(frontier)
        if self.size > MAX_STATES:
            raise DiagramError(f"more than {MAX_STATES:,} states")
        old = slice(self.needed - self.dropped, begin - self.dropped)
        while len(self.columns) < len(columns):
            self.columns.append(np.zeros(len(self.columns[0]), columns[-1].dtype))
        if self.size - self.dropped > len(self.columns[0]):
            self.dropped = self.needed
            length = max(self.size - self.dropped, 2 * (begin - self.dropped))
            for number, column in enumerate(self.columns):
                self.columns[number] = np.empty(length, column.dtype)
                self.columns[number][: begin - self.dropped] = column[old]
        for column, values in zip(self.columns, columns, strict=True):
            column[begin - self.dropped : self.size - self.dropped] = values
        count = np.bincount(frontier - first, minlength=last - first)
        self.count[first:last] = count
        self.start[first:last] = begin + np.cumsum(count) - count
        self.begins.append(begin)


class Halves(ABC):
    """Both halves, and the tables for a step of either.

    ``start_values`` has the other columns of the state at each end.
    """

    start_values: tuple[Array, ...] = ()

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
        # per option: the copy it uses, the bits of its item's field, and the most copies that may
        # be left before a backward step returns it
        self.unit = np.array(self.packing.unit, dtype)[item]
        self.field = np.array(self.packing.field, dtype)[item]
        self.limit = np.array(self.packing.full, dtype)[item] - self.unit
        starts, child, parent = frontiers.layer_start, frontiers.child, frontiers.parent
        into = Steps(np.searchsorted(child, starts), child, parent, frontiers.option)
        order = sort_order(parent, number.bit_length())
        parent = parent[order]
        bounds = np.searchsorted(parent, starts)
        out = Steps(bounds, parent, child[order], frontiers.option[order])
        self.forward = HalfStates(number, into, dtype)
        self.backward = HalfStates(number, out, dtype)
        self.layers: dict[int, Layer] = {}
        for half, layer, copies in (
            (self.forward, 0, self.packing.all_copies),
            (self.backward, problem.cells, 0),
        ):
            columns = [np.array([copies], dtype), *self.start_values]
            self.add(half, layer, starts[layer : layer + 1], columns)

    @abstractmethod
    def merge(self, half: HalfStates, reached: Reached, order: Array, first: Array) -> list[Array]:
        """Return the columns of new states, besides their remaining copies.

        ``order`` sorts the rows of ``reached`` by state; ``first`` is the index in it of the first
        row of each state.
        """

    @abstractmethod
    def hold(self, half: HalfStates, layer: int, states: Layer) -> None:
        """Keep what is needed of the states of a new layer, and count the bytes that are held."""

    def meet(self) -> int:
        """Build the layers of both halves; return the last one of the forward half."""
        low, high = 0, self.problem.cells
        while high - low > 1:
            if self.cost(self.forward, low + 1) <= self.cost(self.backward, high - 1):
                low += 1
                self.grow(self.forward, low)
            else:
                high -= 1
                self.grow(self.backward, high)
        return low

    def add(self, half: HalfStates, layer: int, frontier: Array, columns: list[Array]) -> None:
        """Append the states of a layer, ascending by key, to a half."""
        first, last = self.frontiers.layer_start[layer : layer + 2].tolist()
        states = Layer(self.keys(layer, frontier, columns[0]), frontier, columns[0], half.size)
        half.append(first, last, frontier, columns)
        self.hold(half, layer, states)

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

    def cost(self, half: HalfStates, layer: int) -> int:
        """Return the number of candidates for the states of a layer, equal ones repeated."""
        bounds, _, far, _ = half.steps
        return int(half.count[far[bounds[layer] : bounds[layer + 1]]].sum())

    def extend(self, half: HalfStates, layer: int) -> Reached:
        """Return the states of a layer that are one step from those of a half.

        A forward step takes the option's copies from those that remain, a backward step returns
        them.
        """
        is_forward = half is self.forward
        needed = CANDIDATE_BYTES * self.factor * self.cost(half, layer)
        self.watch.check_memory(needed, f"states of layer {layer + 1}")
        arcs = slice(half.steps.bounds[layer], half.steps.bounds[layer + 1])
        near, far, option = half.steps.near[arcs], half.steps.far[arcs], half.steps.option[arcs]
        sizes = half.count[far]
        index = np.repeat(half.start[far] - half.dropped - np.cumsum(sizes) + sizes, sizes)
        index += np.arange(len(index))
        remaining = half.columns[0][index]
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
        index = index[rows].astype(np.int32)
        return Reached(frontier[rows], remaining[rows], index, option[arc[rows]])

    def grow(self, half: HalfStates, layer: int) -> None:
        """Add a layer to a half; equal states are merged."""
        reached = self.extend(half, layer)
        keys = self.keys(layer, reached.frontier, reached.remaining)
        order = sort_order(keys, self.key_bits)
        self.watch.repeat_report()
        first = np.flatnonzero(np.diff(keys[order], prepend=-1) != 0)
        rows = order[first]
        columns = [reached.remaining[rows], *self.merge(half, reached, order, first)]
        self.add(half, layer, reached.frontier[rows], columns)
        self.watch.report("states", layer, len(rows))

    def cross(self, low: int) -> Iterator[tuple[Layer, Array, Reached]]:
        """Yield the steps from the forward half, whose last layer is ``low``, into each layer.

        They are the states of the layer, the index among these of the state behind each step, and
        the steps.
        """
        for layer in range(low + 1, self.problem.cells + 1):
            if layer not in self.layers:
                continue
            states, reached = self.layers[layer], self.extend(self.forward, layer)
            keys = self.keys(layer, reached.frontier, reached.remaining)
            index, common = find_common(states.keys, keys)
            yield states, index, Reached(*(column[common] for column in reached))
            self.watch.report("join", layer, len(states.keys))


def find_common(sorted_keys: Array, keys: Array) -> tuple[Array, Array]:
    """Return the indices of the common keys, in ``sorted_keys`` and in ``keys``."""
    if not len(sorted_keys):
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    index = np.searchsorted(sorted_keys, keys)
    index[index == len(sorted_keys)] = 0
    common = np.flatnonzero(sorted_keys[index] == keys)
    return index[common], common
