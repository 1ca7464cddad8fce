"""The component pruner: uncovered parts that no remaining pieces can fill."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from satcal.puzzle.placements import Cover
from satcal.puzzle.shapes import Cell, components

Remaining = tuple[int, ...]
"""Copies that are left, per item of the cover."""


class Pruner:
    """Knows which areas the remaining items of a cover can fill, as a set of bits.

    A connected component of the uncovered cells must have an area that is a sum of theirs
    (the pruning of Haselgrove's and later programs): ``sums(remaining)``. The weaker
    ``at_least(remaining)`` has all areas from that of the smallest remaining item on.
    """

    def __init__(self, cover: Cover) -> None:
        self.copies: Remaining = tuple(item.copies for item in cover.items)
        areas = [len(option.cells) for option in cover.options]
        # those of a piece are one, those of a category are as its labels
        self.areas = [sorted({areas[n] for n in item.options}) for item in cover.items]
        self.sums = lru_cache(maxsize=None)(self._sums)
        self.at_least = lru_cache(maxsize=None)(self._at_least)

    def _sums(self, remaining: Remaining) -> int:
        sums = 1
        for areas, copies in zip(self.areas, remaining, strict=True):
            for _ in range(copies):
                for more in [sums << area for area in areas]:
                    sums |= more
        return sums

    def _at_least(self, remaining: Remaining) -> int:
        left = itertools.compress(self.areas, remaining)
        return -1 << min((areas[0] for areas in left if areas), default=0)


def unfillable(uncovered: Iterable[Cell], areas: int) -> list[set[Cell]]:
    """The connected components whose area is not among these, a set of bits."""
    return [part for part in components(uncovered) if not areas >> len(part) & 1]


def after_using(remaining: Remaining, items: Sequence[int]) -> Remaining:
    """What remains after one copy of each of the items is used."""
    copies = list(remaining)
    for item in items:
        copies[item] -= 1
    return tuple(copies)


class Parts:
    """The connected parts of uncovered cells while placements cover them.

    networkx says what is connected. It is asked only where a placement splits the ring
    around it: the uncovered cells beside it fall into groups that hang together within the
    ring, and what led through the placement can go round it within a group. Answers are
    remembered.

    A set of cells is a number, in which bit ``line * width + place`` is a cell; ``width``
    is more than the places of a line. ``placed`` are the cells of each placement.
    """

    def __init__(self, board: int, width: int, placed: Sequence[int]) -> None:
        import networkx

        self._board, self._width, self._placed = board, width, placed
        self._ring = [self._with_corners(cells) & ~cells for cells in placed]
        self._groups: list[dict[int, list[int]]] = [{} for _ in placed]
        self._answers: dict[int, tuple[int, ...]] = {}
        self._near = _Near((c, ones(self._with_neighbours(c) ^ c)) for c in ones(board))
        own = {"adjlist_outer_dict_factory": staticmethod(lambda: self._near)}
        self._graph = type("Graph", (networkx.Graph,), own)()

    def of(self, uncovered: int) -> tuple[int, ...]:
        """The parts of uncovered cells."""
        return tuple(self._components(uncovered, ones(uncovered)))

    def after_placing(self, parts: tuple[int, ...], index: int) -> tuple[int, ...]:
        """What a placement, which lies in one of the parts, leaves of them."""
        cells = self._placed[index]
        others: tuple[int, ...] = ()
        left = parts[0]
        if len(parts) > 1:
            others = tuple([part for part in parts if not part & cells])
            left = sum(parts) - sum(others)
        left ^= cells
        ring = left & self._ring[index]
        groups = self._groups[index].get(ring)
        if groups is None:
            groups = self._groups[index][ring] = self._grouped(ring, cells)
        if len(groups) < 2:
            return (*others, left) if left else others
        split = self._answers.get(left)
        if split is None:
            split = self._answers[left] = tuple(self._components(left, groups))
        return others + split

    def _grouped(self, ring: int, placed: int) -> list[int]:
        """The groups of ring cells that hang together and have a cell beside."""
        groups = []
        beside = ring & self._with_neighbours(placed)
        while beside:
            group, grown = 0, beside & -beside
            while grown != group:
                group, grown = grown, self._with_neighbours(grown) & ring
            groups.append(group)
            beside &= ~group
        return groups

    def _components(self, left: int, groups: Sequence[int]) -> Iterator[int]:
        """Yield the parts of what is left: each has a group, so the last is not asked for."""
        import networkx

        self._near.uncovered = left
        while len(groups) > 1:
            first = groups[0] & -groups[0]
            part = sum(networkx.node_connected_component(self._graph, first))
            yield part
            left ^= part
            groups = [group for group in groups if group & left]
        if left:
            yield left

    def _with_corners(self, cells: int) -> int:
        lines = cells | cells << 1 | cells >> 1
        return (lines | lines << self._width | lines >> self._width) & self._board

    def _with_neighbours(self, cells: int) -> int:
        around = cells << 1 | cells >> 1 | cells << self._width | cells >> self._width
        return (cells | around) & self._board


class _Near(dict[int, list[int]]):
    """The uncovered neighbours of each cell: networkx's views take ten times as long."""

    uncovered = 0

    def __getitem__(self, cell: int) -> list[int]:
        uncovered = self.uncovered
        return [near for near in super().__getitem__(cell) if near & uncovered]


def ones(bits: int) -> list[int]:
    """The ones of a number, ascending, each a number of its own."""
    single = []
    while bits:
        single.append(bits & -bits)
        bits &= bits - 1
    return single
