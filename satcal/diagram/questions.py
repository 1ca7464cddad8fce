"""What a diagram answers without solving again.

Every tiling is a path, so every answer is a sum over arcs. Counts are int64 as long as the
total is below 2**63, and Python integers in arrays of dtype object beyond; a float never
comes near.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from itertools import pairwise

import numpy as np

from satcal.diagram.model import Allowed, Array, Diagram, DiagramError
from satcal.diagram.reveals import count_reveals


class Tilings:
    """The tilings of a diagram that use allowed options only, in the order of their paths.

    Fixing a placement is leaving out whatever overlaps it: its cells must be covered, and
    nothing else can. ``allowed`` is bool [options], None for all.
    """

    def __init__(self, diagram: Diagram, allowed: Allowed | None = None) -> None:
        self.diagram = diagram
        self.allowed = np.ones(len(diagram.problem.mask), bool) if allowed is None else allowed
        self._open = None if self.allowed.all() else self.allowed[diagram.arc_option]

    @cached_property
    def completions(self) -> Array:
        """Ways from each node to the end; int64 or object [nodes]."""
        return self.diagram.completions(self._open)

    def count(self) -> int:
        """Return the number of tilings."""
        return int(self.completions[0]) if self.diagram.nodes else 0

    def reveals(self) -> Array:
        """Return the number of tilings of each reveal, int64 or object.

        One axis per category, along it the category's options in their order.
        """
        return count_reveals(self.diagram, self.completions, self._open)

    def per_option(self) -> Array:
        """Return for each option the number of tilings that contain it, int64 or object."""
        diagram, usable = self.diagram, slice(None) if self._open is None else self._open
        parent, child = diagram.arc_parent()[usable], diagram.arc_child[usable]
        # ways from the start to each node, also to dead ends
        ways: Array = np.zeros(diagram.nodes, diagram.path_dtype(self.completions))
        ways[:1] = 1
        for begin, end in pairwise(np.searchsorted(parent, diagram.layer_start)):
            np.add.at(ways, child[begin:end], ways[parent[begin:end]])
        through = ways[parent] * self.completions[child]
        total: Array = np.zeros(len(diagram.problem.mask), through.dtype)
        np.add.at(total, diagram.arc_option[usable], through)
        return total

    def _open_arcs(self, node: int) -> Iterator[tuple[int, int]]:
        """Yield (option, child) of a node's arcs that lead to the end, in order."""
        diagram = self.diagram
        for arc in range(int(diagram.arc_start[node]), int(diagram.arc_start[node + 1])):
            child = int(diagram.arc_child[arc])
            if (self._open is None or self._open[arc]) and self.completions[child]:
                yield int(diagram.arc_option[arc]), child

    def kth(self, rank: int) -> list[int]:
        """Return the options of the tiling of a rank, from 0, in the order of the path.

        Raises:
            DiagramError: there are not so many.
        """
        if not 0 <= rank < self.count():
            raise DiagramError(f"there is no tiling {rank}: there are {self.count()}")
        tiling: list[int] = []
        node = 0
        while node != self.diagram.nodes - 1:
            for option, child in self._open_arcs(node):
                here = int(self.completions[child])
                if rank < here:
                    tiling.append(option)
                    node = child
                    break
                rank -= here
        return tiling

    def rank(self, tiling: Iterable[int]) -> int:
        """Return the rank of a tiling, given by its options in any order.

        Raises:
            DiagramError: it is none of these tilings.
        """
        first = self.diagram.problem.first()
        node, rank = 0, 0
        for step in sorted(tiling, key=first.__getitem__):
            for option, child in self._open_arcs(node) if self.count() else ():
                if option == step:
                    node = child
                    break
                rank += int(self.completions[child])
            else:
                raise DiagramError("this is no tiling, or one with an option that is left out")
        if node != self.diagram.nodes - 1:
            raise DiagramError("this is only part of a tiling")
        return rank

    def __iter__(self) -> Iterator[list[int]]:
        """Yield the options of every tiling, in order.

        The stack is explicit: a path may be longer than Python's recursion limit.
        """
        if not self.count():
            return
        path: list[int] = []
        last = self.diagram.nodes - 1
        stack = [self._open_arcs(0)]
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
                stack.append(self._open_arcs(step[1]))

    def alone(self) -> tuple[Diagram, Array]:
        """Return the diagram of these tilings alone, and which options it has; bool [options].

        It is smaller, so quicker to ask, and answers what the whole one answers under the same
        condition: each of its arcs lies on a path from the first node to the last. Nodes are
        numbered anew, layer by layer, and options in their order. The options of categories all
        stay, because they are the axes of what counts reveals.
        """
        whole, problem = self.diagram, self.diagram.problem
        parent = whole.arc_parent()
        usable = self.allowed[whole.arc_option] & (self.completions[whole.arc_child] != 0)
        reached = np.zeros(whole.nodes, bool)  # from the first node
        reached[:1] = self.count() > 0
        for first, last in pairwise(whole.layer_start):
            out = slice(whole.arc_start[first], whole.arc_start[last])
            reached[whole.arc_child[out][usable[out] & reached[parent[out]]]] = True
        kept, arcs = np.flatnonzero(reached), np.flatnonzero(usable & reached[parent])
        number = np.zeros(whole.nodes, np.int32)
        number[kept] = np.arange(len(kept), dtype=np.int32)
        used = np.array(problem.item) >= problem.first_category
        used[whole.arc_option[arcs]] = True
        renumbered = (np.cumsum(used) - 1).astype(np.int32)
        chosen = np.flatnonzero(used).tolist()
        return Diagram(
            problem=replace(
                problem,
                item=[problem.item[option] for option in chosen],
                mask=[problem.mask[option] for option in chosen],
            ),
            layer_start=np.searchsorted(kept, whole.layer_start),
            frontier=whole.frontier[kept],
            remaining=whole.remaining[kept],
            arc_start=np.searchsorted(parent[arcs], np.append(kept, whole.nodes)),
            arc_child=number[whole.arc_child[arcs]],
            arc_option=renumbered[whole.arc_option[arcs]],
            unit=whole.unit,
        ), used
