"""What a diagram is built from, what it consists of, and what can go wrong on the way.

The kernel knows neither boards nor pieces. It sees *cells* 0..n-1 in the order in which they
are filled, *items* (pieces, then categories; a category is a piece that is used once and whose
placements are its labels) and *options* (an item and the cells that it covers). A tiling is a
set of options that covers every cell once and uses every item exactly as often as it has
copies: Knuth's exact cover with multiplicities (TAOCP 7.2.2.1). As a diagram of all of them
it is of the kind that Nishino et al. build (Dancing with Decision Diagrams, AAAI 2017), but
level by level and merged by what remains instead of by memoizing a search.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Ints = NDArray[np.int64]
Words = NDArray[np.uint64]
Allowed = NDArray[np.bool_]
"""Per option, or per arc: may it be used?"""

Progress = Callable[[str, int, int, int], None]
"""Called as progress(pass name, layer, number of layers, states in the layer)."""

WORD = np.uint64

LARGEST = 2**63 - 1
"""The largest count of dtype int64."""

HEADROOM = 1.2
"""Bytes a process takes, at most, for each that is estimated; the most on dominoes on 24 x 24."""


class DiagramError(Exception):
    """The diagram cannot be built or asked this way."""


class MemoryLimitError(DiagramError):
    """The next layer would not fit into the memory limit."""


@dataclass(frozen=True)
class Problem:
    """An exact cover with multiplicities.

    ``cells``: number of cells, in the order of filling. ``copies``: how often each item is
    used, pieces first. ``item[o]``, ``mask[o]``: item and cells of option o (bit c = cell c).
    ``categories``: how many of the last items are categories.
    """

    cells: int
    copies: Sequence[int]
    item: Sequence[int]
    mask: Sequence[int]
    categories: int = 0

    @property
    def first_category(self) -> int:
        """The item that is the first category."""
        return len(self.copies) - self.categories

    def first(self) -> list[int]:
        """Return the first cell of every option: the layer in which it is placed."""
        return [(mask & -mask).bit_length() - 1 for mask in self.mask]

    def areas(self) -> list[set[int]]:
        """Return the areas that each item's options have; wide labels may differ."""
        areas: list[set[int]] = [set() for _ in self.copies]
        for item, mask in zip(self.item, self.mask, strict=True):
            areas[item].add(mask.bit_count())
        return areas

    def area(self) -> list[int]:
        """Return the area of every item, 0 for one without options or with several areas."""
        return [min(areas) if len(areas) == 1 else 0 for areas in self.areas()]


@dataclass
class Diagram:
    """All tilings: each path from node 0 to the last node is one, its arcs the options used.

    Nodes are numbered layer by layer: layer c holds the states whose first uncovered cell is
    c, layer ``cells`` the one end state. The options of a path ascend by their first cell. A
    puzzle without a tiling has no node and no arc.

    ``layer_start``: int64 [cells + 2]. ``frontier``: uint64 [nodes], the cells covered beyond
    the first uncovered one (bit j = cell c + j); of dtype object if a placement spans more
    than 62 cells. ``remaining``: uint32 or uint64 [nodes], copies left of each item, packed
    in fields, one copy of item i adding ``unit[i]``; of dtype object if the items need more
    than 64 bits. ``arc_start``: int64 [nodes + 1]. ``arc_child``: int32 [arcs].
    ``arc_option``: int32 [arcs], ascending within a node.
    """

    problem: Problem
    layer_start: Ints
    frontier: NDArray[np.uint64] | NDArray[np.object_]
    remaining: NDArray[np.uint32] | NDArray[np.uint64] | NDArray[np.object_]
    arc_start: Ints
    arc_child: NDArray[np.int32]
    arc_option: NDArray[np.int32]
    unit: list[int]

    @property
    def nodes(self) -> int:
        """Number of nodes, the end included."""
        return len(self.frontier)

    @property
    def arcs(self) -> int:
        """Number of arcs."""
        return len(self.arc_child)

    def arc_parent(self) -> Ints:
        """Return the node that each arc leaves, ascending; int64 [arcs]."""
        return np.repeat(np.arange(self.nodes), np.diff(self.arc_start))

    def completions(self, open_arcs: Allowed | None = None) -> Array:
        """Return the number of ways from every node to the end over the open arcs (None: all).

        [nodes], of dtype int64 while no sum can pass ``LARGEST``, beyond it of dtype object,
        holding Python integers. No float: a float would be exact up to 2**53 only.
        """
        ways: Array = np.zeros(self.nodes, np.int64)
        if not self.nodes:
            return ways
        ways[-1] = 1
        safe = LARGEST // max(1, int(np.diff(self.arc_start).max()))
        for layer in range(len(self.layer_start) - 3, -1, -1):
            first, last = self.layer_start[layer : layer + 2]
            if first == last:
                continue
            begin, end = self.arc_start[first], self.arc_start[last]
            terms = ways[self.arc_child[begin:end]]
            if open_arcs is not None:
                terms *= open_arcs[begin:end]
            ways[first:last] = np.add.reduceat(terms, self.arc_start[first:last] - begin)
            if ways.dtype != object and ways[first:last].max() > safe:
                ways = ways.astype(object)
        if ways.dtype == object and max(ways) <= LARGEST:
            return ways.astype(np.int64)
        return ways

    def path_dtype(self, completions: Array) -> Any:
        """Return a dtype, int64 or object, that holds the number of paths to any node.

        ``completions`` may belong to some tilings only: their numbers are smaller, but paths to
        nodes that those tilings do not pass are counted too, so the whole diagram decides.
        """
        return completions.dtype if completions.dtype == object else self.completions().dtype


class Watch:
    """What is told and asked while a diagram is built: the caller's progress and limit.

    ``limit`` is in bytes, None for none; ``held`` is the estimate of what is kept at present.
    """

    def __init__(self, layers: int, limit: int | None, progress: Progress | None = None) -> None:
        self.layers, self.limit, self.progress = layers, limit, progress
        self.held = 0

    def check(self, extra: int, where: str) -> None:
        """Raise MemoryLimitError, with place and megabytes, if ``extra`` bytes are too many."""
        needed = HEADROOM * (self.held + extra)
        if self.limit is not None and needed > self.limit:
            raise MemoryLimitError(
                f"it needs at least {needed / 1e6:,.0f} MB ({where}), "
                f"the limit is {self.limit / 1e6:,.0f} MB"
            )

    def tell(self, name: str, layer: int, states: int) -> None:
        """Report a layer that is done."""
        if self.progress is not None:
            self.progress(name, layer, self.layers, states)


# Arrays of bit sets: 64-bit words where they suffice, else Python integers (dtype object).


def kind_of(bits: int) -> tuple[Any, Any]:
    """Return the narrowest dtype for so many bits, and what makes its scalars."""
    if bits <= 32:
        return np.uint32, np.uint32
    return (WORD, WORD) if bits <= 64 else (object, int)


def sort_order(keys: Array, bits: int) -> Array:
    """Return a stable order, int64 [keys], that sorts the keys, all below ``2**bits``.

    numpy sorts 16-bit integers by radix, 2 to 5 ns a key: up to three such passes beat one
    sort of words (40 to 80 ns).
    """
    if keys.dtype == object or bits > 48:
        return np.asarray(np.argsort(keys, kind="stable"))
    order: Array = np.argsort(keys.astype(np.uint16), kind="stable")
    for shift in range(16, bits, 16):
        digit = (keys >> keys.dtype.type(shift)).astype(np.uint16)
        order = order[np.argsort(digit[order], kind="stable")]
    return order


def popcount(bits: Array) -> Array:
    """Return the number of ones of each, int64."""
    if bits.dtype == object:
        return np.array([word.bit_count() for word in bits], np.int64)
    return np.bitwise_count(bits).astype(np.int64)


def trailing_ones(bits: Array) -> Array:
    """Return the number of ones below the lowest zero of each, an unsigned integer."""
    if bits.dtype == object:  # a board may have more than 255 cells
        return np.array([(~word & word + 1).bit_length() - 1 for word in bits], np.uint16)
    ones: Array = np.bitwise_count(bits & ~(bits + WORD(1)))
    return ones
