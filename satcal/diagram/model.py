"""The exact cover that a diagram is built from, limits of the work, and arrays of bit sets.

Below :mod:`.puzzle` there are neither boards nor pieces, but *cells* 0..n-1 in the order of
filling, *items* (pieces, then categories: pieces that are used once, with their labels as
placements) and *options* (an item and the cells that it covers). A tiling is a set of options that
covers each cell once and uses each item as often as it has copies: Knuth's exact cover with
multiplicities (TAOCP 7.2.2.1).

>>> square = ExactCover(cells=4, copies=[2], item=[0] * 4, mask=[0b0011, 0b1100, 0b0101, 0b1010])
>>> square.first(), square.area()
([0, 2, 0, 1], [2])
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from satcal.progress import Progress

Array = NDArray[Any]

WORD = np.uint64
MAX_STATES = 2**31 - 1
"""States are numbered in 32 bits; so many would fill 60 GB."""
HEADROOM = 1.2
"""Bytes a process takes, at most, for each estimated; most on 24 x 24 dominoes."""
MAX_KEY_BITS = 62
"""Bits of a state's key, for it to fit an int64 with room for a sign."""


class DiagramError(Exception):
    """The diagram cannot be built or asked this way."""


class MemoryLimitError(DiagramError):
    """The next layer would not fit into the memory limit."""


@dataclass(frozen=True)
class ExactCover:
    """An exact cover: the number of cells, and the copies of each item, pieces first.

    Option o covers the cells of ``mask[o]`` (bit c is cell c) with ``weight[o]`` copies of
    ``item[o]``; without weights, with one. The last ``categories`` items are categories.
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
        """The number of copies of its item that each option uses."""
        return [1] * len(self.mask) if self.weight is None else self.weight

    def having(self, options: Sequence[int]) -> ExactCover:
        """Return the problem with these options only."""
        item, mask, weight = (
            [column[option] for option in options]
            for column in (self.item, self.mask, self.weights)
        )
        return replace(self, item=item, mask=mask, weight=weight)

    def first(self) -> list[int]:
        """Return the first cell of each option: its layer."""
        return [(mask & -mask).bit_length() - 1 for mask in self.mask]

    def areas(self) -> list[set[int]]:
        """Return the areas of each item's options; those of wide labels may differ."""
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
    """The frontiers that can be completed, by layer, and the arcs between them.

    ``layer_start`` is int64 [cells + 2]. ``bits`` is uint64 [frontiers], object if wide, ascending
    within a layer. ``room`` is uint64 [frontiers], with bit s set if the ``tracked`` items that
    remain may be subset s. ``parent`` and ``child`` are int64 [arcs], ascending by child, and
    ``option`` is int32 [arcs].
    """

    tracked: list[int]
    layer_start: Array
    bits: Array
    room: Array
    parent: Array
    child: Array
    option: Array


def _in_words(size: float) -> str:
    """Return a number of bytes in words, in kB where megabytes would say little."""
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
    """Return the narrowest dtype for words of some bits, and the type of its scalars."""
    if bits <= 32:
        return np.uint32, np.uint32
    return (WORD, WORD) if bits <= 64 else (object, int)


def sort_order(keys: Array, bits: int) -> Array:
    """Return a stable order, int64 [keys], that sorts keys below ``2**bits``.

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
    """Return the number of ones of each word, int64 [words]."""
    if bits.dtype == object:
        return np.array([word.bit_count() for word in bits], np.int64)
    return np.bitwise_count(bits).astype(np.int64)


class Packing:
    """Numbers of copies of the items, packed into one word: those in ``items`` have a field each.

    ``unit[i]`` is what one copy of item i adds, ``field[i]`` the bits of its field, and ``full[i]``
    all of its copies; all are 0 for an item without a field. ``width`` is the number of bits.
    ``dtype`` is uint32 or uint64, and object (much slower) beyond 64 bits, which is 40 distinct
    pieces or more.

    >>> packing = Packing([1, 3], [0, 1])
    >>> packing.unit, packing.field, packing.full, packing.width
    ([1, 2], [1, 6], [1, 6], 3)
    """

    def __init__(self, copies: Sequence[int], items: Sequence[int]) -> None:
        self.unit, self.field, self.width = [0] * len(copies), [0] * len(copies), 0
        for item in items:
            bits = copies[item].bit_length()
            self.unit[item] = 1 << self.width
            self.field[item] = (1 << bits) - 1 << self.width
            self.width += bits
        self.full = [unit * number for unit, number in zip(self.unit, copies, strict=True)]
        self.start = sum(self.full)
        self.dtype, self.scalar = kind_of(self.width)
