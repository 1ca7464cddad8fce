"""The component pruner: parts of the uncovered cells that no remaining pieces can fill."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from satcal.puzzle.placements import Cover
from satcal.puzzle.shapes import Cell, neighbours

if TYPE_CHECKING:
    import networkx

Remaining = tuple[int, ...]
"""Copies that are left, per item of the cover."""


class Pruner:
    """Says which partial tilings of a cover cannot be completed, from areas alone.

    The areas that an item can add are those of its options: a piece's area, for a category
    of an open cover those of its labels. A connected component of the uncovered cells must
    have an area that is a sum of them (the pruning of Haselgrove's and many later programs).
    """

    def __init__(self, cover: Cover) -> None:
        self._cells = cover.cells
        self.copies: Remaining = tuple(copies for _, copies, _ in cover.items)
        self.areas: list[tuple[int, ...]] = [
            tuple(sorted({len(cover.options[number].cells) for number in options}))
            for _, _, options in cover.items
        ]
        self.sums = lru_cache(maxsize=None)(self._sums)

    @cached_property
    def _graph(self) -> networkx.Graph[Cell]:
        import networkx  # slow to import: who needs only the sums does not pay for it

        graph: networkx.Graph[Cell] = networkx.Graph()
        graph.add_nodes_from(self._cells)
        on_board = set(self._cells)
        graph.add_edges_from(
            (cell, near) for cell in self._cells for near in neighbours(cell) if near in on_board
        )
        return graph

    def components(self, uncovered: Iterable[Cell]) -> Iterator[set[Cell]]:
        """Yield the connected components of the uncovered cells."""
        import networkx

        yield from networkx.connected_components(self._graph.subgraph(uncovered))

    def _sums(self, remaining: Remaining) -> int:
        """Return the areas that remaining items can fill together, as a set of bits."""
        sums = 1
        for areas, copies in zip(self.areas, remaining, strict=True):
            for _ in range(copies):
                for more in [sums << area for area in areas]:
                    sums |= more
        return sums

    def smallest(self, remaining: Remaining) -> int:
        """Return the area of the smallest remaining item, 0 if none remains."""
        left = [areas[0] for areas, n in zip(self.areas, remaining, strict=True) if n and areas]
        return min(left, default=0)

    def forbids(self, uncovered: Iterable[Cell], remaining: Remaining) -> set[Cell] | None:
        """Return a component that the remaining items cannot fill, None if there is none."""
        sums = self.sums(remaining)
        for component in self.components(uncovered):
            if not sums >> len(component) & 1:
                return component
        return None

    def forbids_smaller(self, uncovered: Iterable[Cell], remaining: Remaining) -> set[Cell] | None:
        """Return a component smaller than every remaining item, the weaker pruning."""
        least = self.smallest(remaining)
        for component in self.components(uncovered):
            if len(component) < least:
                return component
        return None


def without(remaining: Remaining, items: Sequence[int]) -> Remaining:
    """Return what remains after one copy of each of the items is used."""
    left = list(remaining)
    for item in items:
        left[item] -= 1
    return tuple(left)
