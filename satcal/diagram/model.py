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
"""Bytes that a process takes for each estimated byte; the greatest ratio, of 24 x 24 dominoes."""
MAX_KEY_BITS = 62
"""Bits of a state's key that fit an int64 with its sign."""


class DiagramError(Exception):
    """A diagram that cannot be built, or a question that it cannot answer."""


class MemoryLimitError(DiagramError):
    """A layer that would not fit into the memory limit."""


@dataclass(frozen=True)
class ExactCover:
    """An exact cover: the number of cells, and the copies of each item, pieces first.

    Option o covers the cells of ``mask[o]`` (bit c is cell c) with a copy of ``item[o]``. The last
    ``categories`` items are categories.
    """

    cells: int
    copies: Sequence[int]
    item: Sequence[int]
    mask: Sequence[int]
    categories: int = 0

    @property
    def first_category(self) -> int:
        """The first item that is a category."""
        return len(self.copies) - self.categories

    def restrict_to(self, options: Sequence[int]) -> ExactCover:
        """Return the problem with these options only."""
        item, mask = ([column[option] for option in options] for column in (self.item, self.mask))
        return replace(self, item=item, mask=mask)

    def first(self) -> list[int]:
        """Return the first cell of each option: its layer."""
        return [(mask & -mask).bit_length() - 1 for mask in self.mask]

    def areas(self) -> list[set[int]]:
        """Return the areas of each item's options; labels of one category may differ in area."""
        areas: list[set[int]] = [set() for _ in self.copies]
        for item, mask in zip(self.item, self.mask, strict=True):
            areas[item].add(mask.bit_count())
        return areas

    def area(self) -> list[int]:
        """Return the area of a copy of each item, or 0 if it differs between its options."""
        return [min(areas) if len(areas) == 1 else 0 for areas in self.areas()]


@dataclass
class Frontiers:
    """The frontiers that can be completed, by layer, and the arcs between them.

    ``layer_start`` is int64 [cells + 2]. ``bits`` is uint64 [frontiers] (object beyond 64 bits),
    ascending within a layer. ``tracked`` are at most six items with one copy; a subset of them is a
    number, with bit i for ``tracked[i]``. ``room`` is uint64 [frontiers]: bit s is set if subset s
    may be what remains of them. ``parent`` and ``child`` are int64 [arcs], ascending by child, and
    ``option`` is int32 [arcs].
    """

    tracked: list[int]
    layer_start: Array
    bits: Array
    room: Array
    parent: Array
    child: Array
    option: Array


def _format_size(size: float) -> str:
    """Return a number of bytes as text in MB, or in kB below one MB."""
    return f"{size / 1e6:,.0f} MB" if size >= 1e6 else f"{size / 1e3:,.0f} kB"


class Watch:
    """The caller's progress and limit in bytes; ``held_bytes`` estimates the memory in use."""

    def __init__(self, layers: int, limit: int | None, progress: Progress | None = None) -> None:
        self.layers, self.limit, self.progress = layers, limit, progress
        self.held_bytes = 0
        self.last_report = (0, layers, "frontiers, 0 states")

    def check_memory(self, extra: int, where: str) -> None:
        """Raise MemoryLimitError if ``extra`` bytes more exceed the limit; ``where`` is named."""
        needed = HEADROOM * (self.held_bytes + extra)
        if self.limit is not None and needed > self.limit:
            raise MemoryLimitError(
                f"it needs at least {_format_size(needed)} ({where}), "
                f"but the limit is {_format_size(self.limit)}"
            )

    def report(self, name: str, layer: int, states: int) -> None:
        """Report a finished layer."""
        text = f"{name}, {states:,} state{'' if states == 1 else 's'}"
        self.last_report = (layer, self.layers, text)
        self.repeat_report()

    def repeat_report(self) -> None:
        """Report the last layer again, so that the caller can stop in the middle of a layer."""
        if self.progress is not None:
            self.progress(*self.last_report)


# Arrays of bit sets: 64-bit words where they suffice, else Python integers (dtype object).


def choose_dtype(bits: int) -> tuple[Any, Any]:
    """Return the narrowest dtype for words of ``bits`` bits, and the type of its scalars."""
    if bits <= 32:
        return np.uint32, np.uint32
    return (WORD, WORD) if bits <= 64 else (object, int)


def sort_order(keys: Array, bits: int) -> Array:
    """Return a stable order, int64 [keys], that sorts keys below ``2**bits``.

    numpy sorts words faster than it finds their order, so the index is put below each key: 1.7
    million keys of 31 bits are sorted in 21 ms (AVX-512), against 88 ms by two radix passes.
    """
    index_bits = len(keys).bit_length()
    if keys.dtype == object or bits + index_bits > 63:
        return np.asarray(np.argsort(keys, kind="stable"))
    words: Array = keys.astype(np.int64)
    words <<= index_bits
    words |= np.arange(len(keys))
    words.sort()
    words &= (1 << index_bits) - 1
    return words


def popcount(bits: Array) -> Array:
    """Return the number of ones of each word, int64 [words]."""
    if bits.dtype == object:
        return np.array([word.bit_count() for word in bits], np.int64)
    return np.bitwise_count(bits).astype(np.int64)


class Packing:
    """The numbers of copies of ``items``, packed into one word with a field of bits for each.

    One copy of item i adds ``unit[i]``, all of its copies add ``full[i]``, and ``field[i]`` has the
    bits of its field; all are 0 for other items. ``all_copies`` is the word with every copy of
    every item, and ``width`` its number of bits. ``dtype`` is uint32 or uint64, and object (much
    slower) beyond 64 bits; an item with one copy takes one bit.

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
        self.all_copies = sum(self.full)
        self.dtype, self.scalar = choose_dtype(self.width)
