"""How the items that remain are written down, and a number for every conceivable state.

Equal states are found in a table by that number, and not by sorting.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from satcal.diagram.frontiers import Frontiers
from satcal.diagram.model import WORD, Array, Problem, kind_of, popcount

# With more, the table of ranks (8 bytes for each bit pattern) would cost more than it saves.
MOST_COMBINATIONS = 1 << 20
MOST_BITS = 24
MOST_SLOT_BITS = 62  # of an int64, with room for a sign and a sum
ENTRIES_PER_KEY = 40
"""A table of 40 entries per key is cleared and scanned in the time that sorting the keys takes."""


class Packing:
    """Copies left of every item: tracked items in the lowest bits, then a field per item.

    ``tracked`` bits are for the tracked items (one each), ``rest_width`` for the others,
    ``rest``. ``unit[i]``: what one copy of item i adds. ``field[i]``: the bits of its field.
    ``full[i]``: all of its copies. ``start``: all items.
    ``dtype`` is uint32 or uint64; beyond 64 bits (40 distinct pieces and more) it is object,
    holding Python integers: much slower, and no puzzle of the library is near.
    """

    def __init__(self, problem: Problem, tracked: list[int]) -> None:
        self.rest = [item for item in range(len(problem.copies)) if item not in tracked]
        self.unit, self.field = [0] * len(problem.copies), [0] * len(problem.copies)
        width = 0
        for item in tracked + self.rest:
            bits = problem.copies[item].bit_length()
            self.unit[item] = 1 << width
            self.field[item] = (1 << bits) - 1 << width
            width += bits
        self.full = [unit * copies for unit, copies in zip(self.unit, problem.copies, strict=True)]
        self.start = sum(self.full)
        self.tracked = len(tracked)
        self.rest_width = width - self.tracked
        self.dtype, self.scalar = kind_of(width)


class Slots:
    """A number for every conceivable state of a layer.

    A *room* is, here, a frontier with one subset of the tracked items that may remain. It
    settles the area of the other items that remain, and few combinations of them have that
    area: the room gets a slot for each. Where there are too many combinations (many copies)
    a room gets a slot per bit pattern instead, and tables give way to sorting; where those
    slots need more than 62 bits, they are Python integers.
    """

    def __init__(self, problem: Problem, frontiers: Frontiers, packing: Packing) -> None:
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
            sizes, self.rank = _sizes(problem, frontiers, packing, int(self.first_room[-1]))
            self.first_slot = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])
            self.layer_slot = self.first_slot[self.layer_room]

    def _subset(self, remaining: Array) -> Array:
        subset: Array = remaining & self.packing.scalar((1 << self.packing.tracked) - 1)
        return subset.astype(WORD)

    def possible(self, frontier: Array, remaining: Array) -> Array:
        """Return the indices, int64, of the states that have a room."""
        room = self.bits[frontier] >> self._subset(remaining) & WORD(1)
        return np.flatnonzero(room != 0)  # which is fast on bool only

    def of(self, layer: int, frontier: Array, remaining: Array) -> Array:
        """Return the slots of states of a layer that have a room, from the layer's first.

        [states], int64, or object where ``self.dtype`` is.
        """
        below = (WORD(1) << self._subset(remaining)) - WORD(1)
        room = self.first_room[frontier] + np.bitwise_count(self.bits[frontier] & below)
        rest = remaining >> self.packing.scalar(self.packing.tracked)
        slot: Array
        if self.rank is not None:
            slot = self.first_slot[room] - self.layer_slot[layer] + self.rank[rest]
            return slot
        room = (room - self.layer_room[layer]).astype(self.dtype)
        slot = (room << self.packing.rest_width) | rest.astype(self.dtype)
        return slot

    def size(self, layer: int) -> int:
        """Return the number of slots of a layer."""
        if self.rank is not None:
            return int(self.layer_slot[layer + 1] - self.layer_slot[layer])
        rooms = int(self.layer_room[layer + 1] - self.layer_room[layer])
        return rooms << self.packing.rest_width


def _sizes(
    problem: Problem, frontiers: Frontiers, packing: Packing, rooms: int
) -> tuple[Array, Array]:
    """Return the slots of every room, and the rank of each combination among its area's.

    int64 [rooms]; int64 [2**rest_width], by the combination's bit pattern.
    """
    area = problem.area()
    known = min(area) > 0  # labels of several sizes: a category's area tells nothing then
    area = [each if known else 0 for each in area]
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
        return np.full(rooms, count[0]), rank
    # of every room the area of the untracked items that remain
    tracked = [area[item] for item in frontiers.tracked]
    subsets = range(1 << len(tracked))
    own = np.array([sum(a for bit, a in enumerate(tracked) if s >> bit & 1) for s in subsets])
    layer = np.repeat(np.arange(problem.cells + 1), np.diff(frontiers.layer_start))
    uncovered = problem.cells - layer - popcount(frontiers.bits)
    flags = np.unpackbits(frontiers.room.astype("<u8").view(np.uint8), bitorder="little")
    frontier, subset = np.divmod(np.flatnonzero(flags), 64)
    return count[uncovered[frontier] - own[subset]], rank


def worthwhile(size: int, keys: int) -> bool:
    """Return whether a table of that many entries is cheaper than sorting the keys."""
    return size <= ENTRIES_PER_KEY * keys + 4096


def distinct(slots: Array, size: int) -> tuple[Array, Array]:
    """Return where each distinct slot occurs, and which distinct one each slot is.

    An index into ``slots`` per distinct slot, these ascending; and int32 [slots].

    Args:
        slots: slots of a layer, repeated, in any order.
        size: number of slots of the layer.
    """
    if slots.dtype != object and worthwhile(size, len(slots)):
        table = np.zeros(size, np.int32)
        table[slots] = np.arange(1, len(slots) + 1, dtype=np.int32)
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
    """Return which of the wanted slots are known: indices into both, int64 [hits] each.

    Args:
        known: slots of a layer, ascending.
        wanted: slots of the layer, in any order.
        size: number of slots of the layer.
    """
    if not len(known) or not len(wanted):
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    if known.dtype != object and worthwhile(size, len(known) + len(wanted)):
        table = np.zeros(size, np.int32)
        table[known] = np.arange(1, len(known) + 1, dtype=np.int32)
        place = table[wanted]
        hit = np.flatnonzero(place != 0)
        return hit, place[hit].astype(np.int64) - 1
    near = np.searchsorted(known, wanted)
    near[near == len(known)] = 0
    hit = np.flatnonzero(known[near] == wanted)
    return hit, near[hit]
