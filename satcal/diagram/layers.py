"""Counts without a graph: two layers of states at a time, of which no arc is kept.

The transfer-matrix method, or broken profile: between cell c - 1 and cell c a state is the set of
cells from c on that are covered (its *frontier*), and the items used. A sweep from the first cell
knows how many ways lead to each state, a sweep from the last one how many lead on; whichever has
fewer states takes the next cell, until they meet. A count is the sum over the states that both
know. States stand in classes by the categories revealed before them, and by the label of that
which has most, since few states are reached with many of its labels: ahead, the numbers of a class
have an axis for each other category revealed, and back, for each yet to come.

Counts are exact at any size. They are written in limbs, digits in a base of 2**k, which are int64.
A state is reached from at most one other by each placement that covers the cell, and from one if
it is covered already: k is so small that a sum of so many digits, and what is carried, stays below
2**63. Where the sweeps meet, digits are cut so short that sums of their products stay below it,
too; these sums are put together as Python's integers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from satcal.diagram.build import may_have_tilings, useful_options
from satcal.diagram.frontiers import Tracking
from satcal.diagram.model import WORD, Array, DiagramError, Layout, Watch, popcount
from satcal.progress import Progress

LIMB = 61  # bits of a limb, before a bit goes for each doubling of the ways to a state
MOST_BITS = 63  # of a state, so that one may be added to all ones
CHUNK = 1 << 14  # states that are joined at once
SHORT = 24  # bits of a digit there: the sum of CHUNK products stays below 2**62
# Bytes held or needed at once, measured with tracemalloc.
ARRIVAL_BYTES = 48  # a state on its way over a cell
FRONTIER_BYTES = 80  # a frontier, likewise
KEPT_BYTES = 16  # one with its room
ONE = WORD(1)
NOWHERE = np.zeros(0, np.int64)
KINDS = (np.int16, np.int32, np.int64)  # of numbers, the last in limbs
Class = tuple[int, int]
"""The categories revealed before, as bits; the label that is known of the split one, or -1."""


def count_by_layers(
    problem: Layout,
    allowed: Collection[int] | None = None,
    memory_limit: int | None = None,
    progress: Progress | None = None,
) -> tuple[Array, int]:
    """The tilings of each reveal, and how many states were counted on the way.

    An array of Python integers with an axis of options for each category, as of
    :meth:`~satcal.diagram.graph.Tilings.reveals`; arguments as for
    :func:`~satcal.diagram.build.build`.

    Raises:
        MemoryLimitError: the limit would be passed; the message says where.
        DiagramError: a state needs more than 63 bits.
    """
    kept = useful_options(problem, range(len(problem.mask)) if allowed is None else allowed)
    item = np.array(problem.item)
    of_category = [
        np.flatnonzero(item == problem.first_category + category)
        for category in range(problem.categories)
    ]
    table: Array = np.zeros(list(map(len, of_category)), object)
    part = problem.having(kept)
    if not may_have_tilings(part):
        return table, 0
    words = _Words(part)
    watch = Watch(part.cells + 1, memory_limit, progress)
    live = _live(words, watch) if len(part.copies) > 1 else None
    ahead, back = _LayerSweep(words, live, watch, True), _LayerSweep(words, live, watch, False)
    while ahead.layer < back.layer:
        min(ahead, back, key=lambda sweep: sweep.size).step()
    for (group, label), found in ahead.classes.items():
        for (same, other), rest in back.classes.items():
            if same == group:
                # of each category, the side that knows its labels, and which options they are
                labels = [(back, ahead)[group >> c & 1].met[c] for c in range(part.categories)]
                if words.split >= 0:
                    labels[words.split] = [max(label, other)]
                numbers = [
                    np.searchsorted(own, [kept[option] for option in options])
                    for own, options in zip(of_category, labels, strict=True)
                ]
                table[np.ix_(*numbers)] += _joined(words, group, found, rest)
    return table, ahead.seen + back.seen


class _Words:
    """States as words: the frontier, lowest, then the copies used of each item.

    ``options[c]``: those whose first cell is c. Of each option: ``mask``, its cells from the first
    on; ``unit``, what it adds, ``field``, the bits of its item, ``most``, what may be used of it
    before; ``category``, -1 for a piece. ``split`` is the category with
    most labels, -1 if there is none.

    Where all areas are known, one item with copies needs no field: when all cells are covered and
    the others are used up, it is too.
    """

    def __init__(self, problem: Layout) -> None:
        self.problem, self.tracking = problem, Tracking(problem)
        self.first = problem.first()
        self.options: list[list[int]] = [[] for _ in range(problem.cells)]
        for option, cell in enumerate(self.first):
            self.options[cell].append(option)
        masks = [mask >> cell for mask, cell in zip(problem.mask, self.first, strict=True)]
        self.span = max(map(int.bit_length, masks))
        tracked = self.tracking.items
        rest = [item for item in range(len(problem.copies)) if item not in tracked]
        most = max(rest, key=problem.copies.__getitem__, default=0)
        if problem.copies[most] > 1 and min(problem.area()) > 0:
            rest.remove(most)
        unit, field, full = ([0] * len(problem.copies) for _ in range(3))
        width = self.span
        for item in tracked + rest:
            bits = problem.copies[item].bit_length()
            unit[item], field[item] = 1 << width, (1 << bits) - 1 << width
            full[item] = problem.copies[item] << width
            width += bits
        if width > MOST_BITS:
            raise DiagramError(f"a state needs {width} bits, and a layer has {MOST_BITS} for it")
        self.all_used = sum(full)
        self.mask = np.array(masks, WORD)
        item_of = np.array(problem.item)
        self.unit = np.array(unit, WORD)[item_of] * np.array(problem.weights, WORD)
        self.field = np.array(field, WORD)[item_of]
        self.most = np.array(full, WORD)[item_of] - self.unit  # used before it is placed
        self.category = np.maximum(item_of - problem.first_category, -1).tolist()
        categories = range(problem.categories)
        self.split = max(categories, key=self.category.count, default=-1)
        self.frontier = WORD((1 << self.span) - 1)
        self.beyond = WORD(1 << self.span - 1)  # no frontier between cells reaches it
        self.most_options = max(map(len, self.options))
        self.digits = LIMB - (1 + self.most_options).bit_length()  # bits of a limb

    def subset(self, used: Array) -> Array:
        """Which of the tracked items remain, as bits."""
        every = WORD((1 << len(self.tracking.items)) - 1)
        remaining: Array = every ^ (used >> WORD(self.span) & every)
        return remaining

    def ways(
        self, frontiers: Array, options: Sequence[int], ahead: bool, covered: bool = True
    ) -> Iterator[tuple[int, Array, Array]]:
        """Yield each way over a cell, by some of its options.

        The option, and -1 where the cell is ``covered`` already; which frontiers can go it; and
        what they are on the other side of the cell.
        """
        if ahead:
            at = np.flatnonzero(frontiers & ONE) if covered else NOWHERE
            yield -1, at, frontiers[at] >> ONE
        else:
            frontiers = frontiers << ONE | ONE
            at = np.flatnonzero(frontiers < self.beyond) if covered else NOWHERE
            yield -1, at, frontiers[at]
        for option in options:
            mask = self.mask[option]
            if ahead:
                at = np.flatnonzero(frontiers & mask == 0)
                yield option, at, (frontiers[at] | mask) >> ONE
            else:
                before = frontiers ^ mask
                at = np.flatnonzero((frontiers & mask == mask) & (before < self.beyond))
                yield option, at, before[at]


@dataclass
class _Live:
    """The frontiers between two cells that lead from the start to the end, and their rooms.

    A room is the set of subsets of the tracked items that may remain, see :mod:`.frontiers`;
    here all others may be used without limit. Both uint64, the frontiers ascending.
    """

    frontiers: Array
    room: Array

    def has(self, frontiers: Array, remaining: Array) -> Array:
        """Which of some frontiers, with the subset that remains, are live; bool."""
        if not len(self.frontiers):
            return np.zeros(len(frontiers), bool)
        at = np.searchsorted(self.frontiers, frontiers)
        at[at == len(self.frontiers)] = 0
        found: Array = self.frontiers[at] == frontiers
        found &= self.room[at] >> remaining & ONE != 0
        return found


NOTHING = _Live(np.zeros(0, WORD), np.zeros(0, WORD))


def _live(words: _Words, watch: Watch) -> list[_Live]:
    """The live frontiers between all cells, by a sweep ahead and one back over the former's."""
    tracking, cells = words.tracking, words.problem.cells
    layers = [_Live(np.zeros(1, WORD), np.array([tracking.all]))]
    for layer in range(cells):
        parts = []
        for option, at, frontiers in words.ways(
            layers[layer].frontiers, words.options[layer], True
        ):
            room = layers[layer].room[at]
            if option >= 0:
                room = (room & tracking.keep[option]) >> tracking.shift[option]
            parts.append((frontiers, room))
        found = _united(parts)
        left = cells - layer - 1 - popcount(found.frontiers)
        found.room[left < 0] = 0
        found.room &= tracking.allowed[left]
        layers.append(_of(found, found.room != 0))
        watch.held += KEPT_BYTES * len(layers[-1].room)
        watch.check_memory(FRONTIER_BYTES * len(layers[-1].room), f"frontiers of layer {layer + 1}")
        watch.tell("frontiers", layer, len(layers[-1].room))
    nothing_remains = _Live(layers[cells].frontiers, layers[cells].room & ONE)
    layers[cells] = _of(nothing_remains, nothing_remains.room != 0)
    for layer in reversed(range(cells)):
        reach, after, parts = layers[layer], layers[layer + 1], []
        for option, at, frontiers in words.ways(after.frontiers, words.options[layer], False):
            room = after.room[at]
            if option >= 0:  # a subset that still holds the option's item comes from nowhere
                room = room << tracking.shift[option] & tracking.keep[option]
            parts.append((frontiers, room))
        back = _united(parts)
        _, here, there = np.intersect1d(
            reach.frontiers, back.frontiers, assume_unique=True, return_indices=True
        )
        both = _Live(reach.frontiers[here], reach.room[here] & back.room[there])
        layers[layer] = _of(both, both.room != 0)
    return layers


def _united(parts: Sequence[tuple[Array, Array]]) -> _Live:
    """The distinct frontiers, ascending, with their rooms united."""
    frontiers, rooms = (np.concatenate(column) for column in zip(*parts, strict=True))
    order, first = _grouped(frontiers)
    return _Live(frontiers[order[first]], np.bitwise_or.reduceat(rooms[order], first))


def _of(live: _Live, kept: Array) -> _Live:
    return _Live(live.frontiers[kept], live.room[kept])


def _grouped(keys: Array) -> tuple[Array, Array]:
    """An order that sorts keys, and where in it each distinct one begins."""
    order = np.argsort(keys, kind="stable")  # which merges runs: each way keeps the order
    ordered = keys[order]
    new = np.concatenate([[True], ordered[1:] != ordered[:-1]])
    return order, np.flatnonzero(new[: len(keys)])


class _LayerSweep:
    """What is known from one end, at ``layer``.

    ``classes``: the states of each, ascending, and the ways to each: int64 [limbs, states, a label
    for each other category known], the lowest limb first. ``met``: the labels known of each
    category, as options, and ``column`` which of these a label is. ``size``: the numbers of the
    last layer, ``seen``: all states so far.
    """

    def __init__(self, words: _Words, live: list[_Live] | None, watch: Watch, ahead: bool) -> None:
        self.words, self.live, self.watch, self.ahead = words, live, watch, ahead
        categories = words.problem.categories
        self.layer = 0 if ahead else words.problem.cells
        start = np.array([0 if ahead else words.all_used], WORD)
        group = 0 if ahead else (1 << categories) - 1
        ways = np.ones((1, 1), np.int64)
        self.classes: dict[Class, tuple[Array, Array]] = {(group, -1): (start, ways)}
        self.size = self.seen = 1
        self.column: dict[int, int] = {}
        self.met: list[list[int]] = [[] for _ in range(categories)]

    def axes(self, group: int) -> list[int]:
        """How many labels were met of each category whose labels a class has an axis for."""
        split = self.words.split
        categories = (c for c in range(len(self.met)) if c != split and not self.lacks(group, c))
        return [len(self.met[category]) for category in categories]

    def step(self) -> None:
        """Take the next cell, class by class; one is let go when none that comes needs it."""
        words, sources = self.words, self.classes
        cell = self.layer if self.ahead else self.layer - 1
        if self.live is not None:  # neither sweep comes back to this layer
            self.watch.held -= KEPT_BYTES * len(self.live[self.layer].room)
            self.live[self.layer] = NOTHING
        self.layer += 1 if self.ahead else -1
        reached = set(sources)
        for option in words.options[cell]:
            category = words.category[option]
            if category >= 0:
                self.column[option] = len(self.met[category])
                self.met[category].append(option)
                reached |= {
                    (group ^ 1 << category, option if category == words.split else label)
                    for group, label in sources
                    if self.lacks(group, category)
                }
        self.classes = {}
        # those that know most come first: what leads into a class knows as much, or less
        for target in sorted(reached, reverse=self.ahead):
            parts = list(self.arrivals(cell, target, sources))
            if parts:
                self.classes[target] = self.merged(target, parts, sources)
                self.watch.held += _nbytes(self.classes[target])
            if target in sources:
                self.watch.held -= _nbytes(sources.pop(target))
        self.size = sum(ways.size for _, ways in self.classes.values())
        found = sum(len(states) for states, _ in self.classes.values())
        self.seen += found
        self.watch.tell("states", cell, found)

    def lacks(self, group: int, category: int) -> bool:
        """Whether a class knows no label of a category yet."""
        return bool(group >> category & 1) != self.ahead

    def before(self, cell: int, target: Class) -> Iterator[tuple[Class, list[int]]]:
        """Yield the classes that lead over a cell into one, and by which options."""
        group, label = target
        options: dict[int, list[int]] = {-1: []}
        for option in self.words.options[cell]:
            options.setdefault(self.words.category[option], []).append(option)
        for category, some in options.items():
            if category < 0:
                yield target, some
            elif not self.lacks(group, category):
                if category != self.words.split:
                    yield (group ^ 1 << category, label), some
                elif label in some:
                    yield (group ^ 1 << category, -1), [label]

    def arrivals(
        self, cell: int, target: Class, sources: dict[Class, tuple[Array, Array]]
    ) -> Iterator[_LayerArrivals]:
        """Yield what leads over a cell into a class, by each way."""
        words, rows = self.words, 0
        for source, options in self.before(cell, target):
            if source not in sources:
                continue
            states, _ = sources[source]
            frontiers, rest = states & words.frontier, states & ~words.frontier
            for option, at, moved in words.ways(frontiers, options, self.ahead, source == target):
                left = rest[at]
                good = np.ones(len(at), bool)
                if option >= 0:
                    unit = words.unit[option]
                    if field := words.field[option]:
                        used = left & field
                        good = used <= words.most[option] if self.ahead else used >= unit
                    left = left + unit if self.ahead else left - unit
                if self.live is not None:
                    good &= self.live[self.layer].has(moved, words.subset(left))
                kept = np.flatnonzero(good)
                rows += len(kept)
                self.check_memory(rows)
                if len(kept):
                    where = at[kept].astype(np.int32)
                    yield _LayerArrivals(left[kept] | moved[kept], source, where, option)

    def check_memory(self, rows: int, numbers: int = 0) -> None:
        """Compare what a step needs beside what is held with the limit: rows, bytes of numbers."""
        self.watch.check_memory(ARRIVAL_BYTES * rows + numbers, f"states of layer {self.layer + 1}")

    def merged(
        self, target: Class, parts: list[_LayerArrivals], sources: dict[Class, tuple[Array, Array]]
    ) -> tuple[Array, Array]:
        """The states of a class, and the ways to them."""
        states = np.concatenate([part.states for part in parts])
        order, first = _grouped(states)
        distinct = states[order[first]]
        number = np.empty(len(states), np.int32)
        number[order] = np.repeat(np.arange(len(first)), np.diff(first, append=len(states)))
        del states, order
        befores = [sources[part.source][1] for part in parts]
        limbs, most = max(map(len, befores)), max(int(before.max()) for before in befores)
        # each state is reached from at most so many, which is seldom more than a few small numbers
        kind = KINDS[-1] if limbs > 1 else _narrowest(most * (1 + self.words.most_options))
        shape = (limbs, len(distinct), *self.axes(target[0]))
        self.check_memory(len(number), np.dtype(kind).itemsize * prod(shape))
        ways: Array = np.zeros(shape, kind)
        end = 0
        for part in parts:
            begin, end = end, end + len(part.at)
            before = sources[part.source][1]
            columns: list[Any] = list(map(slice, before.shape[2:]))
            category = self.words.category[part.option] if part.option >= 0 else -1
            if category not in (-1, self.words.split):
                known = (target[0] if self.ahead else ~target[0]) & (1 << category) - 1
                axis = (known & ~(1 << self.words.split)).bit_count()
                columns.insert(axis, self.column[part.option])
            # no two arrivals of a part meet, as a way leads back in one way only
            for some in range(begin, end, CHUNK):
                rows = slice(some, min(some + CHUNK, end))
                here, there = number[rows], part.at[rows.start - begin : rows.stop - begin]
                for limb, digits in enumerate(before):
                    at: tuple[Any, ...] = (limb, here, *columns)
                    ways[at] += digits[there]
        return distinct, self.carried(ways)

    def carried(self, ways: Array) -> Array:
        """The same numbers with every digit below the base."""
        if ways.dtype != KINDS[-1]:
            return ways
        digits = self.words.digits
        for limb in range(len(ways) - 1):
            ways[limb + 1] += ways[limb] >> digits
            ways[limb] &= (1 << digits) - 1
        carry = ways[-1] >> digits
        if not carry.any():
            return ways
        ways[-1] &= (1 << digits) - 1
        return np.concatenate([ways, carry[None]])


@dataclass
class _LayerArrivals:
    """The states that one way leads to: of which class and where each comes from, by an option."""

    states: Array
    source: Class
    at: Array
    option: int


def _nbytes(arrays: tuple[Array, Array]) -> int:
    return sum(array.nbytes for array in arrays)


def _joined(
    words: _Words, group: int, found: tuple[Array, Array], rest: tuple[Array, Array]
) -> Array:
    """The tilings through a class, as Python integers, with an axis for each category."""
    (before, ways), (behind, ways_on) = found, rest
    _, here, there = np.intersect1d(before, behind, assume_unique=True, return_indices=True)
    total: Array = np.zeros([*ways.shape[2:], *ways_on.shape[2:]], object)
    for begin in range(0, len(here), CHUNK):
        to = list(_short_digits(ways[:, here[begin : begin + CHUNK]], words.digits))
        on = list(_short_digits(ways_on[:, there[begin : begin + CHUNK]], words.digits))
        for shift, digits in to:
            for more, others in on:
                products = np.tensordot(digits, others, (0, 0))
                total += products.astype(object) << shift + more
    categories = [c for c in range(words.problem.categories) if c != words.split]
    axes = sorted(categories, key=lambda category: (not group >> category & 1, category))
    if axes:
        total = total.transpose([axes.index(category) for category in categories])
    return np.expand_dims(total, words.split) if words.split >= 0 else total


def _short_digits(ways: Array, bits: int) -> Iterator[tuple[int, Array]]:
    """Yield numbers in limbs as digits of ``SHORT`` bits, each with its power of two."""
    for limb, digits in enumerate(ways):
        most = int(digits.max(initial=0)).bit_length()
        for shift in range(0, most, SHORT):
            part = digits >> shift & (1 << SHORT) - 1 if most > SHORT else digits
            if part.any():
                yield limb * bits + shift, part.astype(np.int64)


def _narrowest(most: int) -> type:
    """The narrowest type for numbers up to ``most``; the widest, which has limbs, beyond."""
    return next((kind for kind in KINDS if most <= np.iinfo(kind).max), KINDS[-1])
