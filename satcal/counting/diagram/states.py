"""Second pass: the states, which are frontiers with the items that remain.

Sets of states are built along the arcs between frontiers from both ends: forward from the empty board (states that can be reached) and
backward from the full one (states that can be completed), each time on the side whose next layer is cheaper, until they meet. Then each
half is filtered by the other, and what is left is the live diagram. Each end knows few states, so hardly any of them die.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from satcal.counting.diagram.frontier import Frontiers, sort_order
from satcal.counting.diagram.model import Diagram, Ints, MemoryLimitError, Problem, Progress
from satcal.counting.diagram.packing import Packing, Slots, distinct, find

Array = NDArray[Any]
CANDIDATE_BYTES = 64


class Pool:
    """States of many frontiers: those of frontier f are remaining[start[f] : start[f] + count[f]]."""

    def __init__(self, frontiers: int, dtype: Any) -> None:
        self.remaining = np.empty(1024, dtype)
        self.start, self.count, self.size = (
            np.zeros(frontiers, np.int64),
            np.zeros(frontiers, np.int64),
            0,
        )

    def append(self, first: int, last: int, frontier: Array, remaining: Array) -> slice:
        """Add the states of the frontiers first..last-1, given by frontier (ascending) and what remains. Returns where they are."""
        end = self.size + len(frontier)
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


@dataclass
class Side:
    """Arcs grouped by the layer of one of their ends: those of layer c are bounds[c] : bounds[c + 1]. near: frontier in the layer, far:
    frontier at the other end."""

    bounds: Ints
    near: Ints
    far: Ints
    option: NDArray[np.int32]


@dataclass
class Layer:
    """The states of a layer that one of the half passes found, ascending by slot; `at`: where they are in the pool of that half."""

    slots: Array
    frontier: Array
    remaining: Array
    at: slice


@dataclass
class Arcs:
    """Arcs between states, given by their indices in the pools of the two halves; int32."""

    parent: Array
    child: Array
    option: Array

    def only(self, which: Array) -> Arcs:
        return Arcs(self.parent[which], self.child[which], self.option[which])


class Builder:
    """Both half passes over the states and what is needed to match them."""

    def __init__(
        self, problem: Problem, frontiers: Frontiers, limit: int | None, report: Progress | None
    ) -> None:
        self.problem, self.frontiers, self.limit, self.report = problem, frontiers, limit, report
        self.held = 52 * len(frontiers.child) + 40 * len(frontiers.bits)
        self.packing = Packing(problem, frontiers.tracked)
        self.slots = Slots(problem, frontiers, self.packing)
        item, kind = np.array(problem.item, np.int64), self.packing.dtype
        self.unit = np.array(self.packing.unit, kind)[item]  # per option
        self.field = np.array(self.packing.field, kind)[item]
        self.full = np.array(self.packing.full, kind)[item]
        starts = frontiers.layer_start
        self.into = Side(
            np.searchsorted(frontiers.child, starts),
            frontiers.child,
            frontiers.parent,
            frontiers.option,
        )
        order = sort_order(frontiers.parent, len(frontiers.bits).bit_length())
        parent = frontiers.parent[order]
        self.out = Side(
            np.searchsorted(parent, starts), parent, frontiers.child[order], frontiers.option[order]
        )

    def pool(self) -> Pool:
        return Pool(len(self.frontiers.bits), self.packing.dtype)

    def add(self, pool: Pool, layer: int, frontier: Array, remaining: Array) -> Layer:
        """Put the distinct states of a layer, ascending by slot, into a pool."""
        first, last = self.frontiers.layer_start[layer : layer + 2].tolist()
        slots = self.slots.of(layer, frontier, remaining)
        return Layer(slots, frontier, remaining, pool.append(first, last, frontier, remaining))

    def end(self, pool: Pool, layer: int, remaining: int) -> Layer:
        """The one state of the first or the last layer."""
        return self.add(
            pool,
            layer,
            self.frontiers.layer_start[layer : layer + 1],
            np.array([remaining], self.packing.dtype),
        )

    def cost(self, side: Side, pool: Pool, layer: int) -> int:
        """Number of candidates that `extend` would look at."""
        return int(pool.count[side.far[side.bounds[layer] : side.bounds[layer + 1]]].sum())

    def extend(
        self, side: Side, pool: Pool, layer: int, forward: bool
    ) -> tuple[Array, Array, Array, Array]:
        """Candidates for states of a layer (in no order, repeated): one step from the states at the far ends of its arcs.

        Forward takes the option's item from what remains, backward puts it back. Returns frontier, remaining, the index of the far state in
        the pool and the option of each candidate.
        """
        self.check(CANDIDATE_BYTES * self.cost(side, pool, layer), f"states of layer {layer}")
        arcs = slice(side.bounds[layer], side.bounds[layer + 1])
        near, far, option = side.near[arcs], side.far[arcs], side.option[arcs]
        sizes = pool.count[far]
        index = np.repeat(pool.start[far] - np.cumsum(sizes) + sizes, sizes)
        index += np.arange(len(index))
        remaining = pool.remaining[index]
        field = np.repeat(self.field[option], sizes)
        field &= remaining
        good = np.flatnonzero(field != (0 if forward else np.repeat(self.full[option], sizes)))
        arc, index, remaining = (
            np.repeat(np.arange(len(sizes)), sizes)[good],
            index[good],
            remaining[good],
        )
        unit = self.unit[option][arc]
        remaining = remaining - unit if forward else remaining + unit
        frontier = near[arc]
        good = self.slots.possible(frontier, remaining)
        return frontier[good], remaining[good], index[good].astype(np.int32), option[arc[good]]

    def check(self, extra: int, where: str) -> None:
        if self.limit is not None and self.held + extra > self.limit:
            raise MemoryLimitError(
                f"{where}: about {(self.held + extra) / 1e6:,.0f} MB, the limit is {self.limit / 1e6:,.0f} MB"
            )

    def tell(self, name: str, layer: int, states: int, arcs: int) -> None:
        self.held += 28 * states + 12 * arcs
        if self.report is not None:
            self.report(name, layer, self.problem.cells + 1, states)


def build_states(b: Builder) -> Diagram:
    """The live diagram: both half passes until they meet, then what the halves have in common, then nodes and arcs numbered."""
    last = b.problem.cells
    ahead, back = b.pool(), b.pool()
    layers: list[Layer] = [b.end(ahead, 0, b.packing.start)] * last + [b.end(back, last, 0)]
    ups: list[Arcs] = []  # per layer of the forward half, ascending: the arcs into its states
    downs: list[Arcs] = []  # per layer of the backward half, descending: the arcs out of its states
    low, high = 0, last
    while high - low > 1:
        forward = b.cost(b.into, ahead, low + 1) <= b.cost(b.out, back, high - 1)
        layer = low + 1 if forward else high - 1
        side, pool = (b.into, ahead) if forward else (b.out, back)
        frontier, remaining, far, option = b.extend(side, pool, layer, forward)
        where, near = distinct(b.slots.of(layer, frontier, remaining), b.slots.size(layer))
        layers[layer] = b.add(pool, layer, frontier[where], remaining[where])
        near += np.int32(layers[layer].at.start)
        if forward:
            ups.append(Arcs(far, near, option))
            low = layer
        else:
            downs.append(Arcs(near, far, option))
            high = layer
        b.tell("states", layer, len(where), len(near))
    cross = _cross(b, layers, ahead, low)
    live_ahead, live_back = np.zeros(ahead.size, bool), np.zeros(back.size, bool)
    live_ahead[cross.parent] = True
    live_back[cross.child] = True
    return _number(
        b,
        layers,
        live_ahead,
        live_back,
        _live_ups(ups, live_ahead),
        cross,
        _live_downs(downs, live_back),
        low,
    )


def _cross(b: Builder, layers: list[Layer], ahead: Pool, low: int) -> Arcs:
    """The arcs from a forward state (layers 0..low) to a backward state (layers above): both are live."""
    found: list[tuple[Array, Array, Array]] = []
    for layer in range(low + 1, len(layers)):
        frontier, remaining, parent, option = b.extend(b.into, ahead, layer, True)
        hit, child = find(
            layers[layer].slots, b.slots.of(layer, frontier, remaining), b.slots.size(layer)
        )
        found.append((parent[hit], (child + layers[layer].at.start).astype(np.int32), option[hit]))
        b.tell("join", layer, len(layers[layer].slots), len(hit))
    return Arcs(*(np.concatenate([f[i] for f in found]) for i in range(3)))


def _live_ups(ups: list[Arcs], live: NDArray[np.bool_]) -> list[Arcs]:
    """Forward half, downwards: a state is live if an arc leads to a live one. Marks `live`, returns the arcs between live states."""
    kept = []
    for arcs in reversed(ups):
        arcs = arcs.only(np.flatnonzero(live[arcs.child]))
        live[arcs.parent] = True
        kept.append(arcs)
    return kept


def _live_downs(downs: list[Arcs], live: NDArray[np.bool_]) -> list[Arcs]:
    """Backward half, upwards: a state is live if an arc comes from a live one. Marks `live`, returns the arcs between live states."""
    kept = []
    for arcs in reversed(downs):
        arcs = arcs.only(np.flatnonzero(live[arcs.parent]))
        live[arcs.child] = True
        kept.append(arcs)
    return kept


def _number(
    b: Builder,
    layers: list[Layer],
    live_ahead: Array,
    live_back: Array,
    ups: list[Arcs],
    cross: Arcs,
    downs: list[Arcs],
    low: int,
) -> Diagram:
    """Nodes numbered layer by layer, arcs sorted by node and option."""
    ahead, back = np.empty(len(live_ahead), np.int64), np.empty(len(live_back), np.int64)
    starts, frontier, remaining = [0], [], []
    for layer, found in enumerate(layers):
        number, live = (ahead, live_ahead) if layer <= low else (back, live_back)
        nodes = np.flatnonzero(live[found.at])
        number[nodes + found.at.start] = starts[-1] + np.arange(len(nodes))
        starts.append(starts[-1] + len(nodes))
        frontier.append(b.frontiers.bits[found.frontier[nodes]])
        remaining.append(found.remaining[nodes])
    none = [np.zeros(0, np.int64)]
    node = np.concatenate(
        none + [ahead[a.parent] for a in [*ups, cross]] + [back[a.parent] for a in downs]
    )
    child = np.concatenate(
        none + [ahead[a.child] for a in ups] + [back[a.child] for a in [cross, *downs]]
    )
    option = np.concatenate([a.option for a in [*ups, cross, *downs]])
    order = sort_order(
        node * len(b.problem.mask) + option, (starts[-1] * len(b.problem.mask)).bit_length()
    )
    arc_start = np.concatenate([[0], np.cumsum(np.bincount(node, minlength=starts[-1]))])
    return Diagram(
        b.problem,
        np.array(starts),
        np.concatenate(frontier),
        np.concatenate(remaining),
        arc_start,
        child[order].astype(np.int32),
        option[order].astype(np.int32),
        b.packing.unit,
    )
