"""What a diagram is built from, what it consists of, and what can go wrong on the way.

The kernel knows neither boards nor pieces. It sees *cells* 0..n-1 in the order in which they are filled, *items* (pieces, then
categories; a category is a piece that is used once and whose placements are its label regions) and *options* (an item and the cells that it
covers). A tiling is a set of options that covers every cell once and uses every item exactly as often as it has copies.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Words = NDArray[np.uint64]

Progress = Callable[[str, int, int, int], None]
"""Called as progress(pass name, layer, number of layers, states in the layer)."""


class DiagramError(Exception):
    """The diagram cannot be built or asked this way."""


class MemoryLimitError(DiagramError):
    """The next layer would not fit into the memory limit."""


@dataclass(frozen=True)
class Problem:
    """An exact cover with multiplicities.

    cells: number of cells, in fill order. copies: how often each item is used, pieces first. categories: how many of the last items are
    categories. item[o], mask[o]: option o (mask: bit c = cell c).
    """

    cells: int
    copies: Sequence[int]
    item: Sequence[int]
    mask: Sequence[int]
    categories: int = 0

    def __post_init__(self) -> None:
        full = (1 << self.cells) - 1
        if len(self.item) != len(self.mask):
            raise DiagramError("as many items as masks, please")
        if any(m <= 0 or m & ~full for m in self.mask) or any(
            not 0 <= i < len(self.copies) for i in self.item
        ):
            raise DiagramError(
                "an option covers no cell, a cell that is not there, or belongs to no item"
            )
        if any(k < 1 for k in self.copies) or any(
            k != 1 for k in self.copies[len(self.copies) - self.categories :]
        ):
            raise DiagramError("an item needs at least one copy, a category exactly one")
        if len(set(zip(self.item, self.mask))) != len(self.mask):
            raise DiagramError("an option occurs twice")

    def first(self) -> list[int]:
        """The first cell of every option: the layer in which it is placed."""
        return [(m & -m).bit_length() - 1 for m in self.mask]

    def area(self) -> list[int]:
        """Area of every item, 0 for one without options or with options of several areas (a category with wide labels)."""
        areas: list[set[int]] = [set() for _ in self.copies]
        for i, m in zip(self.item, self.mask):
            areas[i].add(m.bit_count())
        return [a.pop() if len(a) == 1 else 0 for a in areas]


@dataclass
class Diagram:
    """All tilings: every path from node 0 to the last node is one tiling, its arcs are the options used, by ascending first cell.

    Nodes are numbered layer by layer; layer c holds the states whose first uncovered cell is c, layer `cells` the single end state.
    layer_start: int64 [cells + 2]. frontier: uint64 [nodes], cells covered beyond the first uncovered one (bit j = cell c + j; dtype
    object if a placement spans more than 62 cells). remaining: uint32 or uint64 [nodes], copies left of each item, packed in fields; one
    copy of item i adds unit[i].
    arc_start: int64 [nodes + 1]; arc_child: int32 [arcs]; arc_option: int32 [arcs], ascending within a node.
    No tiling at all: no node, no arc.
    """

    problem: Problem
    layer_start: Ints
    frontier: NDArray[np.uint64] | NDArray[np.object_]
    remaining: NDArray[np.uint32] | NDArray[np.uint64]
    arc_start: Ints
    arc_child: NDArray[np.int32]
    arc_option: NDArray[np.int32]
    unit: list[int]

    @property
    def nodes(self) -> int:
        return len(self.frontier)

    @property
    def arcs(self) -> int:
        return len(self.arc_child)
