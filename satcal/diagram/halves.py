"""What the two half passes over the states share: pools of states, steps, and one extension."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from satcal.diagram.bits import sort_order
from satcal.diagram.frontier import Frontiers
from satcal.diagram.model import Array, DiagramError, Ints, Problem, Watch
from satcal.diagram.packing import Packing
from satcal.diagram.slots import Slots, worthwhile

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


class Pool:
    """States of many frontiers: of frontier f, those from ``start[f]`` on, ``count[f]`` of them.

    ``remaining`` [size and some space to grow]; ``start``, ``count``: int64 [frontiers].
    """

    def __init__(self, frontiers: int, dtype: Any) -> None:
        self.remaining = np.empty(1024, dtype)
        self.start = np.zeros(frontiers, np.int64)
        self.count = np.zeros(frontiers, np.int64)
        self.size = 0

    def append(self, first: int, last: int, frontier: Array, remaining: Array) -> slice:
        """Add the states of the frontiers first..last-1; return where they are.

        Raises:
            DiagramError: more states than 32-bit numbers can name.
        """
        end = self.size + len(frontier)
        if end > MOST_STATES:
            raise DiagramError(f"more than {MOST_STATES:,} states")
        if end > len(self.remaining):
            larger = np.empty(max(end, 2 * len(self.remaining)), self.remaining.dtype)
            larger[: self.size] = self.remaining[: self.size]
            self.remaining = larger
        self.remaining[self.size : end] = remaining
        count = np.bincount(frontier - first, minlength=last - first)
        self.count[first:last] = count
        self.start[first:last] = self.size + np.cumsum(count) - count
        begin, self.size = self.size, end
        return slice(begin, end)


class Side(NamedTuple):
    """Steps between frontiers, grouped by the layer of one end: ``bounds[c] : bounds[c + 1]``.

    ``near``: the frontier in that layer, ``far``: the one at the other end, int64 [arcs].
    """

    bounds: Ints
    near: Ints
    far: Ints
    option: NDArray[np.int32]


@dataclass
class Layer:
    """The states of a layer that one half found, ascending by slot; ``at``: where in its pool."""

    slots: Array
    frontier: Array
    remaining: Array
    at: slice


class Candidates(NamedTuple):
    """States one step from known ones, repeated, in no order; ``far`` is the known one's index.

    Arrays [candidates]: frontier int64, remaining as packed, far int32, option int32.
    """

    frontier: Array
    remaining: Array
    far: Array
    option: Array


class Builder:
    """The problem, its frontiers and slots: all that both halves need to take a step."""

    def __init__(self, problem: Problem, frontiers: Frontiers, watch: Watch) -> None:
        self.problem, self.frontiers, self.watch = problem, frontiers, watch
        watch.held = STEP_BYTES * len(frontiers.child) + FRONTIER_BYTES * len(frontiers.bits)
        rooms = int(np.bitwise_count(frontiers.room).sum())
        watch.check(ROOM_BYTES * (rooms + len(frontiers.bits)), "table of states")
        watch.held += 8 * rooms
        self.packing = Packing(problem, frontiers.tracked)
        self.object_factor = 8 if self.packing.dtype is object else 1
        self.slots = Slots(problem, frontiers, self.packing)
        item, dtype = np.array(problem.item, np.int64), self.packing.dtype
        self.unit = np.array(self.packing.unit, dtype)[item]  # this and the next two: per option
        self.field = np.array(self.packing.field, dtype)[item]
        self.full = np.array(self.packing.full, dtype)[item]
        starts, child, parent = frontiers.layer_start, frontiers.child, frontiers.parent
        self.into = Side(np.searchsorted(child, starts), child, parent, frontiers.option)
        order = sort_order(parent, len(frontiers.bits).bit_length())
        parent = parent[order]
        self.out = Side(
            np.searchsorted(parent, starts), parent, child[order], frontiers.option[order]
        )

    def pool(self) -> Pool:
        """Return an empty pool."""
        return Pool(len(self.frontiers.bits), self.packing.dtype)

    def add(self, pool: Pool, layer: int, frontier: Array, remaining: Array) -> Layer:
        """Put the distinct states of a layer, ascending by slot, into a pool."""
        first, last = self.frontiers.layer_start[layer : layer + 2].tolist()
        slots = self.slots.of(layer, frontier, remaining)
        return Layer(slots, frontier, remaining, pool.append(first, last, frontier, remaining))

    def end(self, pool: Pool, layer: int, remaining: int) -> Layer:
        """Put the one state of the first or the last layer into a pool."""
        frontier = self.frontiers.layer_start[layer : layer + 1]
        return self.add(pool, layer, frontier, np.array([remaining], self.packing.dtype))

    def cost(self, side: Side, pool: Pool, layer: int) -> int:
        """Return the number of candidates that :meth:`extend` would look at."""
        return int(pool.count[side.far[side.bounds[layer] : side.bounds[layer + 1]]].sum())

    def extend(self, side: Side, pool: Pool, layer: int, forward: bool) -> Candidates:
        """Return the candidates of a layer: one step from the states at the far ends of its arcs.

        Forward takes the option's item from what remains, backward puts it back.

        Raises:
            MemoryLimitError: they would pass the limit.
        """
        self._check(self.cost(side, pool, layer), layer)
        arcs = slice(side.bounds[layer], side.bounds[layer + 1])
        near, far, option = side.near[arcs], side.far[arcs], side.option[arcs]
        sizes = pool.count[far]
        index = np.repeat(pool.start[far] - np.cumsum(sizes) + sizes, sizes)
        index += np.arange(len(index))
        remaining = pool.remaining[index]
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
        return Candidates(
            frontier[good], remaining[good], index[good].astype(np.int32), option[arc[good]]
        )

    def _check(self, candidates: int, layer: int) -> None:
        size = self.slots.size(layer)
        table = TABLE_BYTES * size if worthwhile(size, candidates) else 0
        needed = CANDIDATE_BYTES * self.object_factor * candidates + table
        self.watch.check(needed, f"states of layer {layer}")

    def tell(self, name: str, layer: int, states: int, arcs: int) -> None:
        """Count what a finished layer holds, and report it."""
        self.watch.held += STATE_BYTES * self.object_factor * states + ARC_BYTES * arcs
        self.watch.tell(name, layer, states)
