"""The graph: frontiers first, then states, which are frontiers and what remains of the items.

States are built along the arcs between frontiers from both ends: forward from the empty board
(what can be reached) and backward from the full one (what can be completed), each time on the side
whose next layer is cheaper, until they meet. Then each half is filtered by the other. Each end
knows few states, so hardly any of them die.

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

from satcal.diagram.frontiers import frontiers
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
    """Return the graph of all tilings that use the allowed options (None: all) only.

    ``memory_limit`` is in bytes, by estimate. ``progress`` is called several times in each layer
    of each pass, and may raise an error to end the work.

    Raises:
        MemoryLimitError: the limit would be passed; the message says where.
        DiagramError: more states than 32-bit numbers can name.
    """
    kept = useful_options(problem, range(len(problem.mask)) if allowed is None else allowed)
    part = problem.having(kept)
    if not may_have_tilings(part):
        return _empty(problem)
    watch = Watch(problem.cells + 1, memory_limit, progress)
    completable = frontiers(part, watch)
    if not len(completable.bits):
        return _empty(problem)
    builder = _Builder(part, completable, watch)
    low, high = 0, problem.cells
    while high - low > 1:
        ahead, back = builder.ahead, builder.back
        if builder.cost(ahead, low + 1) <= builder.cost(back, high - 1):
            low += 1
            builder.grow(ahead, low)
        else:
            high -= 1
            builder.grow(back, high)
    diagram = builder.join(low)
    diagram.problem = problem
    diagram.arc_option = np.array(kept, np.int32)[diagram.arc_option]
    return diagram


def useful_options(problem: ExactCover, allowed: Collection[int]) -> list[int]:
    """Return the allowed options, ascending, without those that overlap a forced one.

    An item with no more options than copies needs all of them: so a single reveal is cheap.
    """
    options, known, weights = sorted(allowed), 0, problem.weights
    while True:
        of_item: list[list[int]] = [[] for _ in problem.copies]
        for option in options:
            of_item[problem.item[option]].append(option)
        forced = {
            option
            for own, copies in zip(of_item, problem.copies, strict=True)
            if sum(map(weights.__getitem__, own)) <= copies
            for option in own
        }
        if len(forced) == known:
            return options
        known, taken = len(forced), 0
        for option in forced:
            taken |= problem.mask[option]
        options = [o for o in options if o in forced or not problem.mask[o] & taken]


def may_have_tilings(problem: ExactCover) -> bool:
    """Return whether each item has an option and, where they are fixed, the areas add up."""
    if set(problem.item) != set(range(len(problem.copies))):
        return False
    area = problem.area()
    return min(area, default=0) == 0 or sum(map(mul, area, problem.copies)) == problem.cells


def _empty(problem: ExactCover) -> Diagram:
    """Return the graph without a node."""
    none = np.zeros(0, np.int32)
    return Diagram(
        problem,
        layer_start=np.zeros(problem.cells + 2, np.int64),
        frontier=np.zeros(0, np.uint64),
        remaining=np.zeros(0, np.uint32),
        arc_start=np.zeros(1, np.int64),
        arc_child=none,
        arc_option=none,
        unit=Packing(problem.copies, range(len(problem.copies))).unit,
    )


def found_in(known: Array, wanted: Array) -> tuple[Array, Array]:
    """Return where in ``known``, which ascends, each wanted key is that is there, and which are."""
    if not len(known):
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    at = np.searchsorted(known, wanted)
    at[at == len(known)] = 0
    hit = np.flatnonzero(known[at] == wanted)
    return at[hit], hit


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
    """The states of a layer, ascending by key; ``at`` is where they are in their half."""

    keys: Array
    frontier: Array
    remaining: Array
    at: slice


class _Half:
    """The states found from one end; frontier f has ``count[f]`` of them, from ``start[f]`` on.

    ``steps`` lead to its next layer. ``remaining`` has some space to grow. ``arcs`` has, for each
    layer in the order of building, those between its states and the states of layers before.
    """

    def __init__(self, frontiers: int, steps: _FrontierArcs, dtype: type) -> None:
        self.steps = steps
        self.remaining: Array = np.empty(1024, dtype)
        self.start = np.zeros(frontiers, np.int64)
        self.count = np.zeros(frontiers, np.int64)
        self.size = 0
        self.arcs: list[_Arcs] = []

    def append(self, first: int, last: int, frontier: Array, remaining: Array) -> slice:
        """Add the states of the frontiers first..last-1; return where they are."""
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

    def live(self, ends: Array, known: int) -> Array:
        """Return whether each state is live, bool [states]; keep the arcs that lead to live ones.

        The given ends are live; an arc whose end ``known`` (0 or 1) is live makes the other so.
        """
        live = np.zeros(self.size, bool)
        live[ends] = True
        for index in reversed(range(len(self.arcs))):
            kept = np.flatnonzero(live[self.arcs[index][known]])
            self.arcs[index] = _Arcs(*(column[kept] for column in self.arcs[index]))
            live[self.arcs[index][1 - known]] = True
        return live


class _Builder:
    """Both halves, and what they need to take a step."""

    def __init__(self, problem: ExactCover, frontiers: Frontiers, watch: Watch) -> None:
        self.problem, self.frontiers, self.watch = problem, frontiers, watch
        number = len(frontiers.bits)
        watch.held = STEP_BYTES * len(frontiers.child) + FRONTIER_BYTES * number
        tracked = frontiers.tracked
        rest = [item for item in range(len(problem.copies)) if item not in tracked]
        self.packing = Packing(problem.copies, [*tracked, *rest])
        self.subsets = (1 << len(tracked)) - 1
        dtype = self.packing.dtype
        self.factor = 8 if dtype is object else 1
        sizes = np.diff(frontiers.layer_start)
        self.key_bits = self.packing.width + int(sizes.max()).bit_length()
        self.key_type: Any = np.int64 if self.key_bits <= MAX_KEY_BITS else object
        item = np.array(problem.item, np.int64)
        # per option: what it takes, the bits of its item, and the most that may be left before it
        # is put back
        self.unit = np.array(self.packing.unit, dtype)[item] * np.array(problem.weights, dtype)
        self.field = np.array(self.packing.field, dtype)[item]
        self.most = np.array(self.packing.full, dtype)[item] - self.unit
        starts, child, parent = frontiers.layer_start, frontiers.child, frontiers.parent
        into = _FrontierArcs(np.searchsorted(child, starts), child, parent, frontiers.option)
        order = sort_order(parent, number.bit_length())
        parent = parent[order]
        bounds = np.searchsorted(parent, starts)
        out = _FrontierArcs(bounds, parent, child[order], frontiers.option[order])
        self.ahead = _Half(number, into, dtype)
        self.back = _Half(number, out, dtype)
        self.layers = [self.end(self.ahead, 0, self.packing.start)] * problem.cells
        self.layers.append(self.end(self.back, problem.cells, 0))

    def end(self, half: _Half, layer: int, remaining: int) -> _Layer:
        """Return the first or last layer, whose one state begins a half."""
        frontier = self.frontiers.layer_start[layer : layer + 1]
        return self.add(half, layer, frontier, np.array([remaining], self.packing.dtype))

    def add(self, half: _Half, layer: int, frontier: Array, remaining: Array) -> _Layer:
        """Append the states of a layer, ascending by key, to a half."""
        first, last = self.frontiers.layer_start[layer : layer + 2].tolist()
        keys = self.keys(layer, frontier, remaining)
        return _Layer(keys, frontier, remaining, half.append(first, last, frontier, remaining))

    def keys(self, layer: int, frontier: Array, remaining: Array) -> Array:
        """Return a number for each state of a layer: its frontier, then what remains."""
        own = (frontier - self.frontiers.layer_start[layer]).astype(self.key_type)
        keys: Array = own << self.packing.width | remaining.astype(self.key_type)
        return keys

    def possible(self, frontier: Array, remaining: Array) -> Array:
        """Return the indices of the states whose frontier can be completed with what remains."""
        subset = remaining & self.packing.scalar(self.subsets)
        room = self.frontiers.room[frontier] >> subset.astype(WORD) & WORD(1)
        return np.flatnonzero(room != 0)  # which is fast on bool only

    def cost(self, half: _Half, layer: int) -> int:
        """Return how many states, repeated, a half has to look at for a layer."""
        bounds, _, far, _ = half.steps
        return int(half.count[far[bounds[layer] : bounds[layer + 1]]].sum())

    def extend(self, half: _Half, layer: int) -> tuple[Array, Array, Array, Array]:
        """Return the states of a layer one step from known ones, repeated, in no order.

        The columns are their frontiers, what remains, the index of the known state, and the option.
        A step forward takes the option's item from what remains, a step back returns it.
        """
        forward = half is self.ahead
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
        bound = np.repeat((self.unit if forward else self.most)[option], sizes)
        good = np.flatnonzero(field >= bound if forward else field <= bound)
        arc = np.repeat(np.arange(len(sizes)), sizes)[good]
        index, remaining = index[good], remaining[good]
        unit = self.unit[option][arc]
        remaining = remaining - unit if forward else remaining + unit
        frontier = near[arc]
        self.watch.pulse()
        good = self.possible(frontier, remaining)
        known = index[good].astype(np.int32)
        return frontier[good], remaining[good], known, option[arc[good]]

    def grow(self, half: _Half, layer: int) -> None:
        """Add a layer to a half: merge equal states, and keep the arcs."""
        frontier, remaining, far, option = self.extend(half, layer)
        keys = self.keys(layer, frontier, remaining)
        order = sort_order(keys, self.key_bits)
        self.watch.pulse()
        new = np.diff(keys[order], prepend=-1) != 0
        where, near = order[new], np.empty(len(keys), np.int32)
        near[order] = np.cumsum(new, dtype=np.int32) - 1
        states = self.layers[layer] = self.add(half, layer, frontier[where], remaining[where])
        near += np.int32(states.at.start)
        parent, child = (far, near) if half is self.ahead else (near, far)
        half.arcs.append(_Arcs(parent, child, option))
        self.watch.held += STATE_BYTES * self.factor * len(where) + ARC_BYTES * len(near)
        self.watch.tell("states", layer, len(where))

    def cross(self, low: int) -> _Arcs:
        """Return the arcs from a forward state to a backward one, which are live."""
        hits: list[_Arcs] = []
        for layer in range(low + 1, len(self.layers)):
            frontier, remaining, parent, option = self.extend(self.ahead, layer)
            states = self.layers[layer]
            keys = self.keys(layer, frontier, remaining)
            child, hit = found_in(states.keys, keys)
            child = (child + states.at.start).astype(np.int32)
            hits.append(_Arcs(parent[hit], child, option[hit]))
            self.watch.held += ARC_BYTES * len(hit)  # its states are held already
            self.watch.tell("join", layer, len(states.keys))
        return _Arcs(*(np.concatenate(column) for column in zip(*hits, strict=True)))

    def join(self, low: int) -> Diagram:
        """Return the graph, whose layers 0..low are those of the forward half."""
        cross, ahead, back = self.cross(low), self.ahead, self.back
        lives = ahead.live(cross.parent, known=1), back.live(cross.child, known=0)
        total = sum(len(arcs.option) for arcs in [*ahead.arcs, cross, *back.arcs])
        needed = NUMBERING_BYTES * total + 8 * (ahead.size + back.size)
        self.watch.check_memory(needed, "numbering of the nodes")
        numbers = np.empty(ahead.size, np.int32), np.empty(back.size, np.int32)
        starts, frontier, remaining = [0], [], []
        for layer, states in enumerate(self.layers):
            nodes = np.flatnonzero(lives[layer > low][states.at])
            numbers[layer > low][nodes + states.at.start] = starts[-1] + np.arange(len(nodes))
            starts.append(starts[-1] + len(nodes))
            frontier.append(self.frontiers.bits[states.frontier[nodes]])
            remaining.append(states.remaining[nodes])
        parts = [(arcs, numbers[0], numbers[0]) for arcs in ahead.arcs]
        parts.append((cross, *numbers))
        parts += [(arcs, numbers[1], numbers[1]) for arcs in back.arcs]
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
