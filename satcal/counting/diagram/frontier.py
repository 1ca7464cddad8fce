"""First pass: the frontiers, which are states without their pieces.

A frontier is the set of covered cells beyond the first uncovered one. Some 30 states share a frontier, and most states that die do so for a
reason that the frontier alone shows: a pocket that nothing fits, an area that does not add up. So the frontiers are enumerated first, each
with the subsets of the *tracked* items (those with the smallest area: the categories, which fill pockets of one cell) that may remain, as a
bit set over all subsets. A pass back keeps what can be completed if the other items may be used without limit. Of 8.0 million states of
`rhombus` that can be reached, 6.5 million never come into being because of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from satcal.counting.diagram.model import Ints, Problem

Array = NDArray[Any]
TRACKED = 6  # a set of subsets of six items is one 64-bit word
WORD = np.uint64


@dataclass
class Frontiers:
    """Frontiers that can be completed, numbered by layer, and the placements that lead from one to another.

    layer_start: int64 [cells + 2]. bits: uint64 (object if wide) [frontiers]. room: uint64 [frontiers], bit s set = the tracked items
    remaining may be subset s. Arcs ascend by child; parent, child: int64 [arcs]; option: int32 [arcs].
    """

    tracked: list[int]
    layer_start: Ints
    bits: Array
    room: NDArray[np.uint64]
    parent: Ints
    child: Ints
    option: NDArray[np.int32]


def choose_tracked(problem: Problem) -> list[int]:
    """Items that occur once, smallest area first: these are what a small pocket needs."""
    area = problem.area()
    single = [i for i, k in enumerate(problem.copies) if k == 1]
    first_category = len(problem.copies) - problem.categories
    return sorted(single, key=lambda i: (i < first_category, area[i], i))[:TRACKED]


class Tracking:
    """How an option changes the set of possible subsets of tracked items, and which subsets an area allows."""

    def __init__(self, problem: Problem, tracked: list[int]) -> None:
        subsets = range(1 << len(tracked))
        self.full = (1 << len(subsets)) - 1
        self.has = [sum(1 << s for s in subsets if s >> b & 1) for b in range(len(tracked))]
        place = {item: b for b, item in enumerate(tracked)}
        used = [place.get(i, -1) for i in problem.item]
        self.keep = np.array([self.has[b] if b >= 0 else self.full for b in used] or [0], WORD)
        self.shift = np.array([1 << b if b >= 0 else 0 for b in used] or [0], WORD)
        self.allowed = self._areas(problem, tracked)

    def _areas(self, problem: Problem, tracked: list[int]) -> NDArray[np.uint64]:
        """allowed[a]: subsets of tracked items that may remain when a cells are uncovered (the others' areas must make up the rest)."""
        areas: list[set[int]] = [set() for _ in problem.copies]
        for i, m in zip(problem.item, problem.mask):
            areas[i].add(m.bit_count())
        rest = _sums(
            [areas[i] for i, k in enumerate(problem.copies) if i not in tracked for _ in range(k)],
            optional=True,
        )
        allowed = [0] * (problem.cells + 1)
        for s in range(1 << len(tracked)):
            mine = _sums([areas[i] for b, i in enumerate(tracked) if s >> b & 1], optional=False)
            for total in {a + b for a in mine for b in rest}:
                if total <= problem.cells:
                    allowed[total] |= 1 << s
        return np.array(allowed, WORD)

    def forward(self, room: Array, option: Array) -> Array:
        """Subsets that remain after the option, from those that remain before it."""
        return (room & self.keep[option]) >> self.shift[option]

    def backward(self, room: Array, option: Array) -> Array:
        """Subsets before the option, from those after it; a subset that still holds the option's item has none."""
        return (room << self.shift[option]) & self.keep[option]


def _sums(areas: list[set[int]], optional: bool) -> set[int]:
    sums = {0}
    for choice in areas:
        sums = {s + a for s in sums for a in choice} | (sums if optional else set())
    return sums


class _Sweep:
    """The enumeration: `waiting[c]` collects blocks of (frontier, room, parent, option) until layer c is built."""

    def __init__(self, problem: Problem, tracked: list[int]) -> None:
        self.problem, self.tracked, self.tracking = problem, tracked, Tracking(problem, tracked)
        first = problem.first()
        self.at: list[list[tuple[int, int]]] = [[] for _ in range(problem.cells + 1)]
        for o, (m, c) in enumerate(zip(problem.mask, first)):
            self.at[c].append((o, m >> c))
        self.span = max((m.bit_length() - c for m, c in zip(problem.mask, first)), default=1)
        # Wide placements (boards whose shorter side has more than some 15 cells) do not fit a word: Python integers, slower.
        self.dtype: Any = WORD if self.span <= 62 else object
        self.kind: Any = WORD if self.span <= 62 else int
        self.waiting: list[list[tuple[Array, Array, Array, Array]]] = [
            [] for _ in range(problem.cells + 1)
        ]

    def merge(self, layer: int) -> tuple[Array, Array, Array, Array, Array]:
        """Distinct frontiers (ascending) of a layer with their rooms; and the arcs to them: parent, option, child (local)."""
        blocks, self.waiting[layer] = self.waiting[layer], []
        bits, room, parent, option = (np.concatenate([b[i] for b in blocks]) for i in range(4))
        order = sort_order(bits, self.span)
        bits = bits[order]
        new = np.concatenate([[True], bits[1:] != bits[:-1]])
        starts = np.flatnonzero(new)
        bits = bits[starts]
        room = np.bitwise_or.reduceat(room[order], starts)
        room &= self.tracking.allowed[self.problem.cells - layer - popcount(bits).astype(np.int64)]
        alive = room != 0
        child = np.cumsum(new) - 1
        kept = np.flatnonzero(alive[child])
        return (
            bits[alive],
            room[alive],
            parent[order[kept]],
            option[order[kept]],
            (np.cumsum(alive) - 1)[child[kept]],
        )

    def expand(self, layer: int, bits: Array, room: Array, base: int) -> None:
        """Place every option whose first cell is `layer` on every frontier that leaves its cells free."""
        options, kind = self.at[layer], self.kind
        hits = [np.flatnonzero((bits & kind(m)) == 0) for _, m in options]
        if not hits:
            return
        sizes = [len(h) for h in hits]
        at = np.concatenate(hits)
        option = np.repeat(np.array([o for o, _ in options], np.int32), sizes)
        after = self.tracking.forward(room[at], option)
        covered = bits[at] | np.repeat(np.array([m for _, m in options], self.dtype), sizes)
        possible = after != 0
        if not possible.all():
            at, option, after, covered = (
                at[possible],
                option[possible],
                after[possible],
                covered[possible],
            )
        self.send(layer, covered, after, at + base, option)

    def send(self, layer: int, covered: Array, room: Array, parent: Array, option: Array) -> None:
        """Hand every new frontier to the layer of its first uncovered cell."""
        ones = trailing_ones(covered)
        order = sort_order(ones, 8)
        covered, room, parent, option = (
            (covered >> ones.astype(self.dtype))[order],
            room[order],
            parent[order],
            option[order],
        )
        counts = np.bincount(ones)
        end = 0
        for step in np.flatnonzero(counts).tolist():
            begin, end = end, end + int(counts[step])
            piece = slice(begin, end)
            self.waiting[layer + step].append(
                (covered[piece], room[piece], parent[piece], option[piece])
            )


def sort_order(keys: Array, bits: int) -> Array:
    """A stable order that sorts keys, all below 2**bits. numpy sorts 16-bit integers by radix: two such passes beat one sort of words."""
    if keys.dtype == object or bits > 48:
        return np.asarray(np.argsort(keys, kind="stable"))
    order: Array = np.argsort(keys.astype(np.uint16), kind="stable")
    for shift in range(16, bits, 16):
        digit = (keys >> keys.dtype.type(shift)).astype(np.uint16)
        order = order[np.argsort(digit[order], kind="stable")]
    return order


def popcount(bits: Array) -> Array:
    if bits.dtype == object:
        return np.array([b.bit_count() for b in bits], np.uint8)
    count: Array = np.bitwise_count(bits)
    return count


def trailing_ones(bits: Array) -> Array:
    if bits.dtype == object:
        return np.array([(~b & b + 1).bit_length() - 1 for b in bits], np.uint8)
    ones: Array = np.bitwise_count(bits & ~(bits + WORD(1)))
    return ones


def frontiers(
    problem: Problem,
    report: Callable[[str, int, int, int], None],
    check: Callable[[int, str], None],
) -> Frontiers:
    """All frontiers that can be completed. `report(pass, layer, states, held)` is told of every layer, `check(bytes, where)` may refuse."""
    tracked = choose_tracked(problem)
    sweep = _Sweep(problem, tracked)
    sweep.waiting[0].append(
        (
            np.zeros(1, sweep.dtype),
            np.array([1 << (1 << len(tracked)) - 1], WORD),
            np.zeros(1, np.int64),
            np.zeros(1, np.int32),
        )
    )
    starts, bits, room, arcs, held = [0], [], [], [], 0
    for layer in range(problem.cells + 1):
        arrived = sum(len(b[0]) for b in sweep.waiting[layer])
        check(
            held + 60 * arrived + sum(28 * len(b[0]) for later in sweep.waiting for b in later),
            f"frontiers of layer {layer}",
        )
        if arrived:
            f, r, parent, option, child = sweep.merge(layer)
            bits.append(f)
            room.append(r)
            arcs.append((parent, option, child + starts[-1]))
            sweep.expand(layer, f, r, starts[-1]) if layer < problem.cells and len(f) else None
            held += 16 * len(f) + 20 * len(parent)
        starts.append(starts[-1] + (len(bits[-1]) if arrived else 0))
        report("frontiers", layer, starts[-1] - starts[-2], held)
    return _completable(problem, sweep, starts, bits, room, arcs[1:])


def _completable(
    problem: Problem,
    sweep: _Sweep,
    starts: list[int],
    bits: list[Array],
    room: list[Array],
    arcs: list[tuple[Array, Array, Array]],
) -> Frontiers:
    """The pass back: keep frontiers and rooms that lead to the end, number them anew."""
    reach = np.concatenate(room)
    live = np.zeros_like(reach)
    live[starts[problem.cells] :] = reach[starts[problem.cells] :] & WORD(
        1
    )  # nothing may remain at the end
    kept: list[tuple[Array, Array, Array]] = []
    for parent, option, child in reversed(arcs):
        before = sweep.tracking.backward(live[child], option) & reach[parent]
        good = np.flatnonzero(before)
        parent = parent[good]
        np.bitwise_or.at(live, parent, before[good])
        kept.append((parent, option[good], child[good]))
    alive = live != 0
    number = np.cumsum(alive) - 1
    none = np.zeros(0, np.int64)
    parent, option, child = (
        np.concatenate([k[i] for k in reversed(kept)] or [none]) for i in range(3)
    )
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
