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
from typing import NamedTuple

import numpy as np

from satcal.diagram.frontiers import enumerate_frontiers
from satcal.diagram.graph import Diagram
from satcal.diagram.halves import HalfStates, Halves, Layer, Reached
from satcal.diagram.model import Array, ExactCover, Frontiers, Packing, Watch, sort_order
from satcal.progress import Progress

# Bytes held or needed at once, measured with tracemalloc;
# for states of Python integers (dtype object) eight times as much.
STATE_BYTES = 28
ARC_BYTES = 12
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
    subproblem, options = restrict(problem, allowed)
    if not may_have_tilings(subproblem):
        return _build_empty(problem)
    watch = Watch(problem.cells + 1, memory_limit, progress)
    frontiers = enumerate_frontiers(subproblem, watch)
    if not len(frontiers.bits):
        return _build_empty(problem)
    builder = _Builder(subproblem, frontiers, watch)
    diagram = builder.join(builder.meet())
    diagram.problem = problem
    diagram.arc_option = np.array(options, np.int32)[diagram.arc_option]
    return diagram


def restrict(
    problem: ExactCover, allowed: Collection[int] | None = None
) -> tuple[ExactCover, list[int]]:
    """Return the problem with the allowed options that do not overlap a forced one, and these.

    An item with no more options than copies forces all of them. This makes a single reveal cheap,
    as its labels are forced.
    """
    options = sorted(range(len(problem.mask)) if allowed is None else allowed)
    number = -1
    while True:
        by_item: list[list[int]] = [[] for _ in problem.copies]
        for option in options:
            by_item[problem.item[option]].append(option)
        forced = {
            option
            for item_options, copies in zip(by_item, problem.copies, strict=True)
            if len(item_options) <= copies
            for option in item_options
        }
        if len(forced) == number:
            return problem.restrict_to(options), options
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


class _Arcs(NamedTuple):
    """Arcs between states, given by their numbers in the halves; int32 [arcs]."""

    parent: Array
    child: Array
    option: Array


class _Builder(Halves):
    """The halves with all states and arcs.

    ``arcs`` has, for each half and layer, in the order of building, the arcs between its states and
    those of layers built before.
    """

    def __init__(self, problem: ExactCover, frontiers: Frontiers, watch: Watch) -> None:
        self.arcs: dict[bool, list[_Arcs]] = {True: [], False: []}
        super().__init__(problem, frontiers, watch)

    def merge(self, half: HalfStates, reached: Reached, order: Array, first: Array) -> list[Array]:
        """Keep the arcs; a state has no column besides its remaining copies."""
        near = np.empty(len(order), np.int32)
        numbers = np.arange(half.size, half.size + len(first), dtype=np.int32)
        near[order] = np.repeat(numbers, np.diff(first, append=len(order)))
        is_forward = half is self.forward
        parent, child = (reached.source, near) if is_forward else (near, reached.source)
        self.arcs[is_forward].append(_Arcs(parent, child, reached.option))
        self.watch.held_bytes += ARC_BYTES * len(near)
        return []

    def hold(self, half: HalfStates, layer: int, states: Layer) -> None:
        """Keep all states."""
        self.layers[layer] = states
        self.watch.held_bytes += STATE_BYTES * self.factor * len(states.keys)

    def cross_arcs(self, low: int) -> _Arcs:
        """Return the arcs from the forward half, whose last layer is ``low``, to the other half."""
        arcs: list[_Arcs] = []
        for states, index, reached in self.cross(low):
            child = (index + states.begin).astype(np.int32)
            arcs.append(_Arcs(reached.source, child, reached.option))
            self.watch.held_bytes += ARC_BYTES * len(child)  # the states are counted already
        return _Arcs(*(np.concatenate(column) for column in zip(*arcs, strict=True)))

    def join(self, low: int) -> Diagram:
        """Return the graph, whose layers 0..low are those of the forward half."""
        cross, forward, backward = self.cross_arcs(low), self.arcs[True], self.arcs[False]
        sizes = self.forward.size, self.backward.size
        live = (
            mark_live(forward, sizes[0], cross.parent, column=1),
            mark_live(backward, sizes[1], cross.child, column=0),
        )
        total = sum(len(arcs.option) for arcs in [*forward, cross, *backward])
        self.watch.check_memory(NUMBERING_BYTES * total + 8 * sum(sizes), "numbering of the nodes")
        numbers = np.empty(sizes[0], np.int32), np.empty(sizes[1], np.int32)
        starts, frontier, remaining = [0], [], []
        for layer in range(self.problem.cells + 1):
            states = self.layers[layer]
            indices = slice(states.begin, states.begin + len(states.keys))
            nodes = np.flatnonzero(live[layer > low][indices])
            numbers[layer > low][nodes + states.begin] = starts[-1] + np.arange(len(nodes))
            starts.append(starts[-1] + len(nodes))
            frontier.append(self.frontiers.bits[states.frontier[nodes]])
            remaining.append(states.remaining[nodes])
        parts = [(arcs, numbers[0], numbers[0]) for arcs in forward]
        parts.append((cross, *numbers))
        parts += [(arcs, numbers[1], numbers[1]) for arcs in backward]
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


def mark_live(layers: list[_Arcs], size: int, states: Array, column: int) -> Array:
    """Return whether each state of a half is on a path between its end and one of ``states``.

    Arcs on no such path are dropped. The search goes from ``states`` towards that end: along each
    arc from its ``column`` (0 for parent, 1 for child) to the other. The result is bool [size].
    """
    live = np.zeros(size, bool)
    live[states] = True
    for index in reversed(range(len(layers))):
        arcs = np.flatnonzero(live[layers[index][column]])
        layers[index] = _Arcs(*(values[arcs] for values in layers[index]))
        live[layers[index][1 - column]] = True
    return live
