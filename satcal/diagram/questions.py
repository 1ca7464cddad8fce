"""What a diagram answers without solving again.

Every tiling is a path, so every answer is a sum over arcs. Counts are int64 as long as the
total is below 2**63, and Python integers in arrays of dtype object beyond; a float never
comes near.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np

from satcal.diagram.model import (
    Allowed,
    Array,
    Diagram,
    DiagramError,
    count_completions,
    path_dtype,
)
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
        self._completions: Array | None = None

    @property
    def completions(self) -> Array:
        """Ways from each node to the end; int64 or object [nodes]."""
        if self._completions is None:
            self._completions = count_completions(self.diagram, self._open)
        return self._completions

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
        parent, child, option = self._arcs()
        through = self._paths(parent, child)[parent] * self.completions[child]
        total: Array = np.zeros(len(self.diagram.problem.mask), through.dtype)
        np.add.at(total, option, through)
        return total

    def _arcs(self) -> tuple[Array, Array, Array]:
        """Return parent, child and option of the open arcs, by ascending parent."""
        diagram = self.diagram
        parent = np.repeat(np.arange(diagram.nodes), np.diff(diagram.arc_start))
        if self._open is None:
            return parent, diagram.arc_child, diagram.arc_option
        return parent[self._open], diagram.arc_child[self._open], diagram.arc_option[self._open]

    def _paths(self, parent: Array, child: Array) -> Array:
        """Return the number of ways from the start to each node, also to dead ends; [nodes]."""
        ways: Array = np.zeros(self.diagram.nodes, path_dtype(self.diagram, self.completions))
        ways[:1] = 1
        bounds = np.searchsorted(parent, self.diagram.layer_start)
        for begin, end in pairwise(bounds):
            np.add.at(ways, child[begin:end], ways[parent[begin:end]])
        return ways

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

    def sample(self, generator: random.Random) -> list[int]:
        """Return the options of a tiling, all tilings equally likely.

        Raises:
            DiagramError: there is none.
        """
        if not self.count():
            raise DiagramError("there is no tiling")
        return self.kth(generator.randrange(self.count()))

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


def slice_of(tilings: Tilings) -> tuple[Diagram, Array]:
    """Return the diagram of some tilings alone, and which options it has; bool [options].

    Nodes are numbered anew, layer by layer, and options in their order. The options of
    categories all stay, because they are the axes of what counts reveals.
    """
    whole = tilings.diagram
    problem = whole.problem
    parent = np.repeat(np.arange(whole.nodes), np.diff(whole.arc_start))
    ends = tilings.completions != 0
    usable = tilings.allowed[whole.arc_option] & ends[whole.arc_child]
    reached = _reached(whole, parent, usable, bool(tilings.count()))
    arcs = np.flatnonzero(usable & reached[parent])
    kept = np.flatnonzero(reached)
    number = np.zeros(whole.nodes, np.int32)
    number[kept] = np.arange(len(kept), dtype=np.int32)
    used = np.array(problem.item) >= len(problem.copies) - problem.categories
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


def _reached(whole: Diagram, parent: Array, usable: Array, any_tiling: bool) -> Array:
    """Return, per node, whether usable arcs lead there from the first node; bool [nodes]."""
    reached = np.zeros(whole.nodes, bool)
    reached[:1] = any_tiling
    for first, last in pairwise(whole.layer_start):
        begin, end = whole.arc_start[first], whole.arc_start[last]
        taken = usable[begin:end] & reached[parent[begin:end]]
        reached[whole.arc_child[begin:end][taken]] = True
    return reached
