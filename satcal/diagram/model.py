"""What a diagram is built from, and how the states on the way are numbered.

The kernel knows neither boards nor pieces. It sees *cells* 0..n-1 in the order
of filling, *items* (pieces, then categories: pieces that are used once, their
labels the placements) and *options* (an item and the cells that it covers). A
tiling is a set of options that covers each cell once and uses each item as
often as it has copies: Knuth's exact cover with multiplicities (TAOCP 7.2.2.1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from satcal.progress import Progress

Array = NDArray[Any]

WORD = np.uint64
MOST_STATES = 2**31 - 1
"""States are numbered in 32 bits; so many would fill 60 GB."""
HEADROOM = 1.2
"""Bytes a process takes, at most, for each estimated; most on 24 x 24 dominoes."""
# With more, the table of ranks (8 bytes for each bit pattern) would cost more than it saves.
MOST_COMBINATIONS = 1 << 20
MOST_BITS = 24
MOST_SLOT_BITS = 62  # of an int64, with room for a sign and a sum
ENTRIES_PER_KEY = 40  # a table of so many is cleared and scanned while a key is sorted


class DiagramError(Exception):
    """The diagram cannot be built or asked this way."""


class MemoryLimitError(DiagramError):
    """The next layer would not fit into the memory limit."""


@dataclass(frozen=True)
class Layout:
    """An exact cover: how many cells, and how often each item is used, pieces first.

    ``item[o]``, ``mask[o]``: item and cells of option o (bit c = cell c).
    ``categories``: how many of the last items are categories. ``weight[o]``: how many copies of
    its item option o uses; None for one each.
    """

    cells: int
    copies: Sequence[int]
    item: Sequence[int]
    mask: Sequence[int]
    categories: int = 0
    weight: Sequence[int] | None = None

    @property
    def first_category(self) -> int:
        """The first item that is a category."""
        return len(self.copies) - self.categories

    @property
    def weights(self) -> Sequence[int]:
        """How many copies of its item each option uses."""
        return [1] * len(self.mask) if self.weight is None else self.weight

    def having(self, options: Sequence[int]) -> Layout:
        """Return the problem with these options only."""
        item, mask, weight = (
            [column[option] for option in options]
            for column in (self.item, self.mask, self.weights)
        )
        return replace(self, item=item, mask=mask, weight=weight)

    def first(self) -> list[int]:
        """The first cell of each option: its layer."""
        return [(mask & -mask).bit_length() - 1 for mask in self.mask]

    def areas(self) -> list[set[int]]:
        """The areas of each item's options; wide labels may differ."""
        areas: list[set[int]] = [set() for _ in self.copies]
        for item, mask in zip(self.item, self.mask, strict=True):
            areas[item].add(mask.bit_count())
        return areas

    def area(self) -> list[int]:
        """Return the area of a copy of each item, 0 where it is not the same for all options."""
        heavy = {item for item, weight in zip(self.item, self.weights, strict=True) if weight > 1}
        return [
            min(areas) if len(areas) == 1 and item not in heavy else 0
            for item, areas in enumerate(self.areas())
        ]


@dataclass
class Frontiers:
    """The frontiers that can be completed, by layer, and the steps between them.

    ``layer_start``: int64 [cells + 2]. ``bits``: uint64 [frontiers], object if wide.
    ``room``: uint64 [frontiers], bit s set if the ``tracked`` items that remain may be
    subset s. ``parent``, ``child``: int64 [arcs], ascending by child; ``option``: int32.
    """

    tracked: list[int]
    layer_start: Array
    bits: Array
    room: Array
    parent: Array
    child: Array
    option: Array


def _in_words(size: float) -> str:
    """A number of bytes, in kB where megabytes would say little."""
    return f"{size / 1e6:,.0f} MB" if size >= 1e6 else f"{size / 1e3:,.0f} kB"


class Watch:
    """The caller's progress and limit in bytes; ``held`` estimates what is kept."""

    def __init__(self, layers: int, limit: int | None, progress: Progress | None = None) -> None:
        self.layers, self.limit, self.progress = layers, limit, progress
        self.held = 0
        self.told = (0, layers, "frontiers, 0 states")

    def check_memory(self, extra: int, where: str) -> None:
        """Raise MemoryLimitError if ``extra`` bytes are too many."""
        needed = HEADROOM * (self.held + extra)
        if self.limit is not None and needed > self.limit:
            raise MemoryLimitError(
                f"it needs at least {_in_words(needed)} ({where}), "
                f"but the limit is {_in_words(self.limit)}"
            )

    def tell(self, name: str, layer: int, states: int) -> None:
        """Report a layer that is done."""
        self.told = (layer, self.layers, f"{name}, {states:,} state{'' if states == 1 else 's'}")
        self.pulse()

    def pulse(self) -> None:
        """Report the last layer again, so that the caller may stop work on a large one."""
        if self.progress is not None:
            self.progress(*self.told)


# Arrays of bit sets: 64-bit words where they suffice, else Python integers (dtype object).


def kind_of(bits: int) -> tuple[Any, Any]:
    """The narrowest dtype for so many bits, and its scalars' type."""
    if bits <= 32:
        return np.uint32, np.uint32
    return (WORD, WORD) if bits <= 64 else (object, int)


def sort_order(keys: Array, bits: int) -> Array:
    """A stable order, int64 [keys], that sorts the keys, all below ``2**bits``.

    numpy sorts words faster than it finds their order, so each takes its place along: 1.7 million
    keys of 31 bits are sorted in 21 ms (AVX-512), by two passes of radix in 88.
    """
    places = len(keys).bit_length()
    if keys.dtype == object or bits + places > 63:
        return np.asarray(np.argsort(keys, kind="stable"))
    placed: Array = keys.astype(np.int64)
    placed <<= places
    placed |= np.arange(len(keys))
    placed.sort()
    placed &= (1 << places) - 1
    return placed


def popcount(bits: Array) -> Array:
    """The number of ones of each, int64."""
    if bits.dtype == object:
        return np.array([word.bit_count() for word in bits], np.int64)
    return np.bitwise_count(bits).astype(np.int64)


class Packing:
    """Copies left of each item: ``tracked`` lowest bits, then ``rest_width`` bits.

    ``unit[i]``: what one copy of item i adds. ``field[i]``: the bits of its field.
    ``full[i]``: all of its copies. ``start``: all items. ``dtype`` is uint32 or uint64,
    and object (much slower) beyond 64 bits, which is 40 distinct pieces or more.
    """

    def __init__(self, problem: Layout, tracked: list[int]) -> None:
        self.rest = [item for item in range(len(problem.copies)) if item not in tracked]
        self.unit, self.field = [0] * len(problem.copies), [0] * len(problem.copies)
        width = 0
        for item in tracked + self.rest:
            bits = problem.copies[item].bit_length()
            self.unit[item] = 1 << width
            self.field[item] = (1 << bits) - 1 << width
            width += bits
        counted = zip(self.unit, problem.copies, strict=True)
        self.full = [unit * copies for unit, copies in counted]
        self.start = sum(self.full)
        self.tracked = len(tracked)
        self.rest_width = width - self.tracked
        self.dtype, self.scalar = kind_of(width)


class Slots:
    """A number for each conceivable state of a layer: a table finds equal ones.

    A *room* is, here, a frontier with one subset of the tracked items that may
    remain. It settles the area of the others, and few combinations of them have
    that area: the room gets a slot for each. With too many combinations (many
    copies) it gets a slot per bit pattern instead, and tables give way to
    sorting; where those slots need more than 62 bits, they are Python integers.
    """

    def __init__(self, problem: Layout, frontiers: Frontiers, packing: Packing) -> None:
        self.packing, self.bits = packing, frontiers.room
        rooms = np.bitwise_count(frontiers.room)
        self.first_room = np.concatenate([[0], np.cumsum(rooms, dtype=np.int64)])
        self.layer_room = self.first_room[frontiers.layer_start]
        self.rank: Array | None = None
        many = prod(problem.copies[item] + 1 for item in packing.rest) > MOST_COMBINATIONS
        if many or packing.rest_width > MOST_BITS:
            most_rooms = int(np.diff(self.layer_room).max())
            bits = packing.rest_width + most_rooms.bit_length()
            self.dtype: Any = np.int64 if bits <= MOST_SLOT_BITS else object
        else:
            sizes, self.rank = self._sizes(problem, frontiers)
            self.first_slot = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])
            self.layer_slot = self.first_slot[self.layer_room]

    def _sizes(self, problem: Layout, frontiers: Frontiers) -> tuple[Array, Array]:
        """Each room's slots, and each combination's rank for its area."""
        packing, area = self.packing, problem.area()
        known = min(area) > 0  # labels of several sizes: a category's area tells nothing then
        area = [size if known else 0 for size in area]
        value, total = np.zeros(1, np.int64), np.zeros(1, np.int64)
        for item in packing.rest:
            copies = np.arange(problem.copies[item] + 1)[:, None]
            value = (value + copies * (packing.unit[item] >> packing.tracked)).ravel()
            total = (total + copies * area[item]).ravel()
        order = np.lexsort([value, total])
        value, total = value[order], total[order]
        count = np.bincount(total, minlength=problem.cells + 1)
        rank = np.zeros(1 << packing.rest_width, np.int64)
        rank[value] = np.arange(len(value)) - (np.cumsum(count) - count)[total]
        if not known:
            return np.full(int(self.first_room[-1]), count[0]), rank
        # of every room the area of the untracked items that remain
        tracked = [area[item] for item in frontiers.tracked]
        subsets = range(1 << len(tracked))
        own = np.array([sum(a for bit, a in enumerate(tracked) if s >> bit & 1) for s in subsets])
        layer = np.repeat(np.arange(problem.cells + 1), np.diff(frontiers.layer_start))
        uncovered = problem.cells - layer - popcount(frontiers.bits)
        flags = np.unpackbits(frontiers.room.astype("<u8").view(np.uint8), bitorder="little")
        rooms = np.flatnonzero(flags)
        return count[uncovered[rooms >> 6] - own[rooms & 63]], rank

    def _subset(self, remaining: Array) -> Array:
        subset: Array = remaining & self.packing.scalar((1 << self.packing.tracked) - 1)
        return subset.astype(WORD)

    def possible(self, frontier: Array, remaining: Array) -> Array:
        """The indices, int64, of the states that have a room."""
        room = self.bits[frontier] >> self._subset(remaining) & WORD(1)
        return np.flatnonzero(room != 0)  # which is fast on bool only

    def of(self, layer: int, frontier: Array, remaining: Array) -> Array:
        """The slots of states that have a room, from the layer's first."""
        below = (WORD(1) << self._subset(remaining)) - WORD(1)
        room = self.first_room[frontier] + np.bitwise_count(self.bits[frontier] & below)
        rest = remaining >> self.packing.scalar(self.packing.tracked)
        slot: Array
        if self.rank is not None:
            slot = self.first_slot[room] - self.layer_slot[layer] + self.rank[rest]
        else:
            room = (room - self.layer_room[layer]).astype(self.dtype)
            slot = (room << self.packing.rest_width) | rest.astype(self.dtype)
        return slot

    def size(self, layer: int) -> int:
        """The number of slots of a layer."""
        if self.rank is not None:
            return int(self.layer_slot[layer + 1] - self.layer_slot[layer])
        rooms = int(self.layer_room[layer + 1] - self.layer_room[layer])
        return rooms << self.packing.rest_width


def worthwhile(size: int, keys: int) -> bool:
    """Whether a table of that size is cheaper than sorting the keys."""
    return size <= ENTRIES_PER_KEY * keys + 4096


def distinct(slots: Array, size: int) -> tuple[Array, Array]:
    """Where each distinct slot of a layer of ``size`` occurs, these ascending.

    And which of them each slot is; int32 [slots].
    """
    if slots.dtype != object and worthwhile(size, len(slots)):
        table = _places(slots, size)
        found = np.flatnonzero(table != 0)
        where = table[found] - 1
        table[found] = np.arange(len(found), dtype=np.int32)
        return where, table[slots]
    order = np.argsort(slots, kind="stable")
    new = np.diff(slots[order], prepend=-1) != 0
    number = np.empty(len(slots), np.int32)
    number[order] = np.cumsum(new, dtype=np.int32) - 1
    return order[new], number


def find(known: Array, wanted: Array, size: int) -> tuple[Array, Array]:
    """The wanted slots that are known (ascending): indices into both."""
    if not len(known) or not len(wanted):
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    if known.dtype != object and worthwhile(size, len(known) + len(wanted)):
        place = _places(known, size)[wanted]
        hit = np.flatnonzero(place != 0)
        return hit, place[hit].astype(np.int64) - 1
    near = np.searchsorted(known, wanted)
    near[near == len(known)] = 0
    hit = np.flatnonzero(known[near] == wanted)
    return hit, near[hit]


def _places(slots: Array, size: int) -> Array:
    """A table, int32 [size], of the place of each slot from 1, else 0."""
    table = np.zeros(size, np.int32)
    table[slots] = np.arange(1, len(slots) + 1, dtype=np.int32)
    return table
