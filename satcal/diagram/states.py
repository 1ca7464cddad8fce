"""Second pass: the states, which are frontiers with the items that remain.

Sets of states are built along the steps between frontiers from both ends: forward from the
empty board (states that can be reached) and backward from the full one (states that can be
completed), each time on the side whose next layer is cheaper, until they meet. Then each half
is filtered by the other, and what is left is the live diagram. Each end knows few states, so
hardly any of them die.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from satcal.diagram.bits import sort_order
from satcal.diagram.frontiers import Frontiers
from satcal.diagram.model import Array, Diagram, DiagramError, Ints, Problem, Watch
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


NUMBERING_BYTES = 72
"""Needed at once per arc of the result while nodes and arcs are numbered; measured."""


class Arcs(NamedTuple):
    """Arcs between states, given by their indices in the pools of the halves; int32 [arcs]."""

    parent: Array
    child: Array
    option: Array

    def at(self, index: Array) -> Arcs:
        """Return those of an index."""
        return Arcs(self.parent[index], self.child[index], self.option[index])


class Half(NamedTuple):
    """One half of the states: its pool, which of them are live, and the arcs between those."""

    pool: Pool
    live: NDArray[np.bool_]
    arcs: list[Arcs]


def build_states(problem: Problem, frontiers: Frontiers, watch: Watch) -> Diagram:
    """Return the live diagram: both half passes until they meet, then what they share.

    Raises:
        MemoryLimitError: a layer, or the numbering, would pass the limit of ``watch``.
        DiagramError: more states than 32-bit numbers can name.
    """
    builder = Builder(problem, frontiers, watch)
    last = problem.cells
    ahead, back = builder.pool(), builder.pool()
    first = builder.end(ahead, 0, builder.packing.start)
    layers: list[Layer] = [first] * last + [builder.end(back, last, 0)]
    ups: list[Arcs] = []  # of each layer of the forward half, ascending, the arcs into its states
    downs: list[Arcs] = []  # of each of the backward half, descending, the arcs out of its states
    low, high = 0, last
    while high - low > 1:
        costs = (
            builder.cost(builder.into, ahead, low + 1),
            builder.cost(builder.out, back, high - 1),
        )
        forward = costs[0] <= costs[1]
        if forward:
            low = layer = low + 1
            side, pool = builder.into, ahead
        else:
            high = layer = high - 1
            side, pool = builder.out, back
        frontier, remaining, far, option = builder.extend(side, pool, layer, forward)
        slots = builder.slots.of(layer, frontier, remaining)
        where, near = distinct(slots, builder.slots.size(layer))
        layers[layer] = builder.add(pool, layer, frontier[where], remaining[where])
        near += np.int32(layers[layer].at.start)
        if forward:
            ups.append(Arcs(far, near, option))
        else:
            downs.append(Arcs(near, far, option))
        builder.tell("states", layer, len(where), len(near))
    return _join(builder, layers, low, ahead, back, ups, downs)


def _join(
    builder: Builder,
    layers: list[Layer],
    low: int,
    ahead: Pool,
    back: Pool,
    ups: list[Arcs],
    downs: list[Arcs],
) -> Diagram:
    """Filter each half by the other; the forward one has the layers 0..low."""
    cross = _cross(builder, layers, ahead, low)
    live_ahead, live_back = np.zeros(ahead.size, bool), np.zeros(back.size, bool)
    live_ahead[cross.parent] = True
    live_back[cross.child] = True
    before = Half(ahead, live_ahead, _live_ups(ups, live_ahead))
    behind = Half(back, live_back, _live_downs(downs, live_back))
    return _number(builder, layers, low, before, cross, behind)


def _cross(builder: Builder, layers: list[Layer], ahead: Pool, low: int) -> Arcs:
    """Return the arcs from a forward state to a backward one: both are live."""
    found: list[Arcs] = []
    for layer in range(low + 1, len(layers)):
        frontier, remaining, parent, option = builder.extend(builder.into, ahead, layer, True)
        slots = builder.slots.of(layer, frontier, remaining)
        hit, child = find(layers[layer].slots, slots, builder.slots.size(layer))
        child = (child + layers[layer].at.start).astype(np.int32)
        found.append(Arcs(parent[hit], child, option[hit]))
        builder.watch.held += ARC_BYTES * len(hit)  # its states are held already
        builder.watch.tell("join", layer, len(layers[layer].slots))
    return Arcs(*(np.concatenate(column) for column in zip(*found, strict=True)))


def _live_ups(ups: list[Arcs], live: NDArray[np.bool_]) -> list[Arcs]:
    """Forward half, downwards: a state is live if an arc leads to a live one.

    Marks ``live`` and returns the arcs between live states.
    """
    kept = []
    for arcs in reversed(ups):
        kept.append(arcs.at(np.flatnonzero(live[arcs.child])))
        live[kept[-1].parent] = True
    return kept


def _live_downs(downs: list[Arcs], live: NDArray[np.bool_]) -> list[Arcs]:
    """Backward half, upwards: a state is live if an arc comes from a live one.

    Marks ``live`` and returns the arcs between live states.
    """
    kept = []
    for arcs in reversed(downs):
        kept.append(arcs.at(np.flatnonzero(live[arcs.parent])))
        live[kept[-1].child] = True
    return kept


def _number(
    builder: Builder, layers: list[Layer], low: int, before: Half, cross: Arcs, behind: Half
) -> Diagram:
    """Number nodes layer by layer, and sort arcs by node and option."""
    every = [*before.arcs, cross, *behind.arcs]
    total = sum(len(arcs.option) for arcs in every)
    pools = before.pool.size + behind.pool.size
    builder.watch.check(NUMBERING_BYTES * total + 8 * pools, "numbering of the nodes")
    ahead, back = np.empty(before.pool.size, np.int64), np.empty(behind.pool.size, np.int64)
    starts, frontier, remaining = [0], [], []
    for layer, found in enumerate(layers):
        number, live = (ahead, before.live) if layer <= low else (back, behind.live)
        nodes = np.flatnonzero(live[found.at])
        number[nodes + found.at.start] = starts[-1] + np.arange(len(nodes))
        starts.append(starts[-1] + len(nodes))
        frontier.append(builder.frontiers.bits[found.frontier[nodes]])
        remaining.append(found.remaining[nodes])
    node = np.concatenate(
        [ahead[arcs.parent] for arcs in [*before.arcs, cross]]
        + [back[arcs.parent] for arcs in behind.arcs]
    )
    child = np.concatenate(
        [ahead[arcs.child] for arcs in before.arcs]
        + [back[arcs.child] for arcs in [cross, *behind.arcs]]
    )
    option = np.concatenate([arcs.option for arcs in every])
    options = len(builder.problem.mask)
    order = sort_order(node * options + option, (starts[-1] * options).bit_length())
    arc_start = np.concatenate([[0], np.cumsum(np.bincount(node, minlength=starts[-1]))])
    return Diagram(
        builder.problem,
        np.array(starts),
        np.concatenate(frontier),
        np.concatenate(remaining),
        arc_start,
        child[order].astype(np.int32),
        option[order].astype(np.int32),
        builder.packing.unit,
    )
