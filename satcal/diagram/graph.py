"""The graph, and the questions that it answers by sums over its arcs, as every tiling is a path.

Counts are int64 while the total is below ``2**63``, else Python integers in arrays of dtype object;
no float is used anywhere.

>>> from satcal.diagram.build import build
>>> square = ExactCover(cells=4, copies=[2], item=[0] * 4, mask=[0b0011, 0b1100, 0b0101, 0b1010])
>>> tilings = Tilings(build(square))
>>> tilings.count(), list(tilings), tilings.kth(1), tilings.per_option().tolist()
(2, [[0, 1], [2, 3]], [2, 3], [1, 1, 1, 1])
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from satcal.diagram.model import Array, DiagramError, ExactCover

MAX_INT64 = 2**63 - 1  # of int64
ALL = slice(None)
MAX_SUBSETS = 1000
"""The most subsets of options that :meth:`Tilings.largest_subsets` returns."""


@dataclass
class Diagram:
    """All tilings: each path from node 0 to the last is one, and its arcs are the options used.

    Nodes are numbered layer by layer: layer c holds the states whose first uncovered cell is c, and
    layer ``cells`` the one end state. A puzzle without a tiling has no node and no arc.

    ``layer_start`` is int64 [cells + 2]. ``frontier`` is uint64 [nodes], the cells covered beyond
    the first uncovered one (bit j is cell c + j); object if a placement spans more than 62 cells.
    ``remaining`` is uint32 or uint64 [nodes], the copies left of each item, where one of item i
    adds ``unit[i]``; object if they need more than 64 bits. ``arc_start`` is int64 [nodes + 1];
    ``arc_child`` and ``arc_option`` are int32 [arcs], options ascending within a node.
    """

    problem: ExactCover
    layer_start: Array
    frontier: Array
    remaining: Array
    arc_start: Array
    arc_child: Array
    arc_option: Array
    unit: list[int]

    @property
    def nodes(self) -> int:
        """The number of nodes, the end included."""
        return len(self.frontier)

    @property
    def arcs(self) -> int:
        """The number of arcs."""
        return len(self.arc_child)

    def copies_left(self, item: int, nodes: Array | slice = ALL) -> Array:
        """Return the copies of an item that are left at some nodes, int64 [nodes]."""
        scalar = self.remaining.dtype.type
        shift, field = self.unit[item].bit_length() - 1, self.problem.copies[item].bit_length()
        copies = self.remaining[nodes] >> scalar(shift) & scalar((1 << field) - 1)
        return np.asarray(copies.astype(np.int64))

    def arc_parent(self) -> Array:
        """Return the node that each arc leaves, ascending, int64 [arcs]."""
        return np.repeat(np.arange(self.nodes), np.diff(self.arc_start))


class Arcs(NamedTuple):
    """Arcs in order: the nodes that each leaves and enters, and its option; [arcs]."""

    parent: Array
    child: Array
    option: Array

    def at(self, index: Array) -> Arcs:
        """Return the arcs of an index."""
        return Arcs(*(column[index] for column in self))


class Tilings:
    """The tilings that use only ``allowed`` options, bool [options], in the order of their paths.

    To fix a placement, allow no option that overlaps it, as its cells must be covered.
    """

    def __init__(self, diagram: Diagram, allowed: Array | None = None) -> None:
        self.diagram = diagram
        self.allowed = np.ones(len(diagram.problem.mask), bool) if allowed is None else allowed
        self._is_allowed = None if self.allowed.all() else self.allowed[diagram.arc_option]

    def arcs(self) -> Arcs:
        """Return the arcs on paths of allowed options to the end."""
        diagram = self.diagram
        arcs = Arcs(diagram.arc_parent(), diagram.arc_child, diagram.arc_option)
        if self._is_allowed is None:
            return arcs
        return arcs.at(np.flatnonzero(self._is_allowed & (self.completions[arcs.child] != 0)))

    @cached_property
    def completions(self) -> Array:
        """The number of paths from each node to the end, [nodes].

        It is int64 if no number exceeds ``MAX_INT64``, else object. All other sums have the same
        dtype. Their intermediate sums may wrap around in int64, but are right modulo 2**64, and no
        result exceeds the total.
        """
        diagram = self.diagram
        paths: Array = np.zeros(diagram.nodes, np.int64)
        if not diagram.nodes:
            return paths
        paths[-1] = 1
        limit = MAX_INT64 // max(1, int(np.diff(diagram.arc_start).max()))
        for layer in range(len(diagram.layer_start) - 3, -1, -1):
            first, last = diagram.layer_start[layer : layer + 2]
            if first == last:
                continue
            begin, end = diagram.arc_start[first], diagram.arc_start[last]
            terms = paths[diagram.arc_child[begin:end]]
            if self._is_allowed is not None:
                terms *= self._is_allowed[begin:end]
            paths[first:last] = np.add.reduceat(terms, diagram.arc_start[first:last] - begin)
            if paths.dtype != object and paths[first:last].max() > limit:
                paths = paths.astype(object)
        if paths.dtype == object and max(paths) <= MAX_INT64:
            return paths.astype(np.int64)
        return paths

    def count(self) -> int:
        """Return the number of tilings."""
        return int(self.completions[0]) if self.diagram.nodes else 0

    def per_option(self) -> Array:
        """Return the number of tilings that contain each option, [options]."""
        arcs, completions = self.arcs(), self.completions
        paths: Array = np.zeros(
            self.diagram.nodes, completions.dtype
        )  # from the start to each node
        paths[:1] = 1
        for begin, end in pairwise(np.searchsorted(arcs.parent, self.diagram.layer_start)):
            np.add.at(paths, arcs.child[begin:end], paths[arcs.parent[begin:end]])
        total: Array = np.zeros(len(self.allowed), completions.dtype)
        np.add.at(total, arcs.option, paths[arcs.parent] * completions[arcs.child])
        return total

    def largest_subsets(self, bits: Mapping[int, int]) -> dict[int, int]:
        """Return the largest subsets of options that a tiling contains, and their tilings.

        A subset is a sum of the bits of its options. Return nothing if there is no tiling, or if
        there are more than ``MAX_SUBSETS`` subsets.
        """
        if not self.count():
            return {}
        parents, children, options = (column.tolist() for column in self.arcs())
        arcs = list(zip(parents, children, (bits.get(o, 0) for o in options), strict=True))
        largest = [0] * self.diagram.nodes  # subset on the paths from each node to the end
        for parent, child, bit in reversed(arcs):
            largest[parent] = max(largest[parent], (bit > 0) + largest[child])
        subsets: defaultdict[int, Counter[int]] = defaultdict(Counter)
        subsets[0][0] = 1
        for parent, child, bit in arcs:
            if parent in subsets and largest[parent] == (bit > 0) + largest[child]:
                for subset, paths in subsets[parent].items():
                    subsets[child][subset | bit] += paths
                if len(subsets[child]) > MAX_SUBSETS:
                    return {}
        return dict(subsets[self.diagram.nodes - 1])

    def _completable_arcs(self, node: int) -> Iterator[tuple[int, int]]:
        """Yield option and child of a node's arcs that lead to the end."""
        diagram = self.diagram
        for arc in range(int(diagram.arc_start[node]), int(diagram.arc_start[node + 1])):
            child = int(diagram.arc_child[arc])
            if (self._is_allowed is None or self._is_allowed[arc]) and self.completions[child]:
                yield int(diagram.arc_option[arc]), child

    def kth(self, rank: int) -> list[int]:
        """Return the options of the tiling with a rank from 0; raise DiagramError if none has."""
        if not 0 <= rank < self.count():
            raise DiagramError(f"no tiling has rank {rank}: there are {self.count()}")
        tiling: list[int] = []
        node = 0
        while node != self.diagram.nodes - 1:
            for option, child in self._completable_arcs(node):
                completions = int(self.completions[child])
                if rank < completions:
                    tiling.append(option)
                    node = child
                    break
                rank -= completions
        return tiling

    def __iter__(self) -> Iterator[list[int]]:
        """Yield the options of every tiling, in order."""
        if not self.count():
            return
        # an explicit stack, as a path may be longer than Python's recursion limit
        path: list[int] = []
        last = self.diagram.nodes - 1
        stack = [self._completable_arcs(0)]
        while stack:
            step = next(stack[-1], None)
            if step is None:
                stack.pop()
                if path:
                    path.pop()
            elif step[1] == last:
                yield [*path, step[0]]
            else:
                path.append(step[0])
                stack.append(self._completable_arcs(step[1]))

    def extract(self) -> tuple[Diagram, Array]:
        """Return a smaller graph of these tilings, and whether it has each option, bool [options].

        It has the same tilings in the same order. It keeps all options of categories, because they
        are the axes of a table of reveals.
        """
        diagram, problem, arcs = self.diagram, self.diagram.problem, self.arcs()
        reached = np.zeros(diagram.nodes, bool)  # from the first node
        reached[:1] = self.count() > 0
        for begin, end in pairwise(np.searchsorted(arcs.parent, diagram.layer_start)):
            reached[arcs.child[begin:end][reached[arcs.parent[begin:end]]]] = True
        nodes, arcs = np.flatnonzero(reached), arcs.at(np.flatnonzero(reached[arcs.parent]))
        new_node = np.zeros(diagram.nodes, np.int32)
        new_node[nodes] = np.arange(len(nodes), dtype=np.int32)
        has_option = np.array(problem.item) >= problem.first_category
        has_option[arcs.option] = True
        new_option = (np.cumsum(has_option) - 1).astype(np.int32)
        return Diagram(
            problem=problem.restrict_to(np.flatnonzero(has_option).tolist()),
            layer_start=np.searchsorted(nodes, diagram.layer_start),
            frontier=diagram.frontier[nodes],
            remaining=diagram.remaining[nodes],
            arc_start=np.searchsorted(arcs.parent, np.append(nodes, diagram.nodes)),
            arc_child=new_node[arcs.child],
            arc_option=new_option[arcs.option],
            unit=diagram.unit,
        ), has_option
