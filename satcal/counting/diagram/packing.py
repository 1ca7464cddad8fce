"""How states are written down: the items that remain in one word, and a dense numbering of the states that are conceivable."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from satcal.counting.diagram.frontier import WORD, Frontiers
from satcal.counting.diagram.model import DiagramError, Problem

Array = NDArray[Any]
MOST_COMBINATIONS = 1 << 20
MOST_BITS = 24


class Packing:
    """Copies left of every item in one word: tracked items in the lowest bits (one each), then a field per item."""

    def __init__(self, problem: Problem, tracked: list[int]) -> None:
        self.rest = [i for i in range(len(problem.copies)) if i not in tracked]
        self.unit, self.field, self.start, self.width = (
            [0] * len(problem.copies),
            [0] * len(problem.copies),
            0,
            0,
        )
        for i in tracked + self.rest:
            k = problem.copies[i]
            self.unit[i] = 1 << self.width
            self.field[i] = (1 << k.bit_length()) - 1 << self.width
            self.start += k << self.width
            self.width += k.bit_length()
        if self.width > 64:
            raise DiagramError(f"the pieces need {self.width} bits, a state has 64")
        self.full = [u * k for u, k in zip(self.unit, problem.copies)]
        self.tracked = len(tracked)
        self.dtype: Any = np.uint32 if self.width <= 32 else np.uint64


class Slots:
    """A number for every conceivable state of a layer, so that equal states are found in a table and not by sorting.

    A *room* is a frontier with a subset of the tracked items. For a given room the area of the other items that remain is known, and few
    combinations of them have that area: the room gets a slot for each. Where there are too many combinations (many copies), a room gets
    a slot per bit pattern instead, and the tables below give way to sorting.
    """

    def __init__(self, problem: Problem, frontiers: Frontiers, packing: Packing) -> None:
        self.packing, self.bits = packing, frontiers.room
        rooms = np.bitwise_count(frontiers.room)
        self.first_room = np.concatenate([[0], np.cumsum(rooms, dtype=np.int64)])
        size, self.rank = self._sizes(problem, frontiers)
        if int(size.max()).bit_length() + len(size).bit_length() > 62:
            raise DiagramError(
                f"{len(size)} rooms for the {packing.width} bits of the pieces: more than a word"
            )
        ends = np.cumsum(size, dtype=np.int64)
        self.first_slot = np.concatenate([[0], ends])
        self.layer = self.first_slot[self.first_room[frontiers.layer_start]]
        """first slot of every layer; int64 [cells + 2]"""

    def _sizes(self, problem: Problem, frontiers: Frontiers) -> tuple[Array, Array | None]:
        """Slots of every room, int64 [rooms]; and the rank of each combination of untracked items among those of its area."""
        packing, rooms = self.packing, int(self.first_room[-1])
        width = packing.width - packing.tracked
        if (
            width > MOST_BITS
            or np.prod([problem.copies[i] + 1.0 for i in packing.rest]) > MOST_COMBINATIONS
        ):
            return np.full(rooms, 1 << width, np.int64), None
        area = problem.area()
        known = min(area) > 0  # wide labels: a category with several areas, so a room tells nothing
        area = [a if known else 0 for a in area]
        value, total = np.zeros(1, np.int64), np.zeros(1, np.int64)
        for i in packing.rest:
            copies = np.arange(problem.copies[i] + 1)[:, None]
            value = (value + copies * (packing.unit[i] >> packing.tracked)).ravel()
            total = (total + copies * area[i]).ravel()
        order = np.lexsort([value, total])
        value, total = value[order], total[order]
        count = np.bincount(total, minlength=problem.cells + 1)
        rank = np.zeros(1 << width, np.int64)
        rank[value] = np.arange(len(value)) - (np.cumsum(count) - count)[total]
        return count[
            self._rest_areas(problem, frontiers, area) if known else np.zeros(rooms, np.int64)
        ], rank

    def _rest_areas(self, problem: Problem, frontiers: Frontiers, area: list[int]) -> Array:
        """Per room: the area of the untracked items that remain; int64 [rooms]."""
        subsets = 1 << len(frontiers.tracked)
        mine = np.array(
            [
                sum(area[i] for b, i in enumerate(frontiers.tracked) if s >> b & 1)
                for s in range(subsets)
            ]
        )
        layer = np.repeat(np.arange(problem.cells + 1), np.diff(frontiers.layer_start))
        bits = frontiers.bits
        covered = (
            np.array([b.bit_count() for b in bits], np.int64)
            if bits.dtype == object
            else np.bitwise_count(bits).astype(np.int64)
        )
        flags = np.unpackbits(frontiers.room.astype("<u8").view(np.uint8), bitorder="little")
        frontier, subset = np.divmod(np.flatnonzero(flags), 64)
        rest: Array = (problem.cells - layer - covered)[frontier] - mine[subset]
        return rest

    def possible(self, frontier: Array, remaining: Array) -> Array:
        """Which of the states have a room (indices)."""
        subset = (remaining & self.packing.dtype((1 << self.packing.tracked) - 1)).astype(WORD)
        return np.flatnonzero(
            (self.bits[frontier] >> subset & WORD(1)) != 0
        )  # nonzero is fast on bool only

    def of(self, layer: int, frontier: Array, remaining: Array) -> Array:
        """Slots of states of a layer that have a room, counted from the layer's first; int64."""
        kind = self.packing.dtype
        subset = (remaining & kind((1 << self.packing.tracked) - 1)).astype(WORD)
        below = (WORD(1) << subset) - WORD(1)
        room = self.first_room[frontier] + np.bitwise_count(self.bits[frontier] & below)
        rest = remaining >> kind(self.packing.tracked)
        slot: Array = (
            self.first_slot[room]
            - self.layer[layer]
            + (rest.astype(np.int64) if self.rank is None else self.rank[rest])
        )
        return slot

    def size(self, layer: int) -> int:
        return int(self.layer[layer + 1] - self.layer[layer])


def worthwhile(size: int, keys: int) -> bool:
    """Is a table of that many entries cheaper than sorting the keys?"""
    return size <= 40 * keys + 4096


def distinct(slots: Array, size: int) -> tuple[Array, Array]:
    """For each distinct slot, ascending, an index into `slots` where it occurs; and for each of the slots the number of its distinct one."""
    if worthwhile(size, len(slots)):
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
    """Which of the wanted are among the known slots, which ascend: indices into wanted, and into known."""
    if not len(known) or not len(wanted):
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    if worthwhile(size, len(known) + len(wanted)):
        table = np.zeros(size, np.int32)
        table[known] = np.arange(1, len(known) + 1, dtype=np.int32)
        place = table[wanted]
        hit = np.flatnonzero(place != 0)
        return hit, place[hit].astype(np.int64) - 1
    near = np.searchsorted(known, wanted)
    near[near == len(known)] = 0
    hit = np.flatnonzero(known[near] == wanted)
    return hit, near[hit]
