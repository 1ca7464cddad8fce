"""Second pass: the states, which are frontiers with the items that remain.

Sets of states are built along the steps between frontiers from both ends: forward from the
empty board (states that can be reached) and backward from the full one (states that can be
completed), each time on the side whose next layer is cheaper, until they meet. Then each half
is filtered by the other, and what is left is the live diagram. Each end knows few states, so
hardly any of them die.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from satcal.diagram.bits import sort_order
from satcal.diagram.frontier import Frontiers
from satcal.diagram.halves import ARC_BYTES, Builder, Layer, Pool
from satcal.diagram.model import Array, Diagram, Problem, Watch
from satcal.diagram.slots import distinct, find

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
