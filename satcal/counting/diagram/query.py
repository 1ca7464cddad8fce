"""What a diagram answers without solving again.

Every tiling is a path, so every answer is a sum over arcs. `Tilings` is a diagram with some options left out: fixing a placement leaves out
whatever overlaps it, because its cells must be covered and nothing else can. Counts are int64 as long as the total is below 2**63, and
Python integers in arrays of dtype object beyond; a float never comes near.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from satcal.counting.diagram.completions import Counts, count_completions, path_dtype
from satcal.counting.diagram.model import Diagram, DiagramError
from satcal.counting.diagram.reveals import count_reveals


class Tilings:
    """The tilings of a diagram that use none of the options left out, in the order of their paths."""

    def __init__(self, diagram: Diagram, allowed: NDArray[np.bool_] | None = None) -> None:
        self.diagram = diagram
        self.allowed = np.ones(len(diagram.problem.mask), bool) if allowed is None else allowed
        self._open: NDArray[np.bool_] | None = (
            None if self.allowed.all() else self.allowed[diagram.arc_option]
        )
        self._completions: Counts | None = None

    def restrict(self, fixed: Iterable[int] = (), forbidden: Iterable[int] = ()) -> Tilings:
        """The tilings that contain all fixed options and no forbidden one."""
        allowed = self.allowed.copy()
        allowed[list(forbidden)] = False
        masks = self.diagram.problem.mask
        for o in fixed:
            allowed &= np.array([p == o or not m & masks[o] for p, m in enumerate(masks)], bool)
        return Tilings(self.diagram, allowed)

    @property
    def completions(self) -> Counts:
        """Per node: the number of ways to the end. int64 or object [nodes]."""
        if self._completions is None:
            self._completions = count_completions(self.diagram, self._open)
        return self._completions

    def count(self) -> int:
        return int(self.completions[0]) if self.diagram.nodes else 0

    def reveals(self) -> Counts:
        """Tilings per reveal: one axis per category, along it the category's options in their order."""
        return count_reveals(self.diagram, self.completions, self._open)

    def per_option(self) -> Counts:
        """Per option: the number of tilings that contain it."""
        d = self.diagram
        total = np.zeros(len(d.problem.mask), self.completions.dtype)
        parent, child, option = self._arcs()
        np.add.at(total, option, self._paths(parent, child)[parent] * self.completions[child])
        return total

    def _arcs(self) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int32]]:
        """parent, child and option of the arcs that are open."""
        d = self.diagram
        parent = np.repeat(np.arange(d.nodes), np.diff(d.arc_start))
        if self._open is None:
            return parent, d.arc_child, d.arc_option
        return parent[self._open], d.arc_child[self._open], d.arc_option[self._open]

    def _paths(self, parent: NDArray[Any], child: NDArray[Any]) -> Counts:
        """Per node: the number of ways to it from the start (of nodes that cannot finish, too)."""
        ways = np.zeros(self.diagram.nodes, path_dtype(self.diagram, self.completions))
        ways[:1] = 1
        bounds = np.searchsorted(parent, self.diagram.layer_start)
        for begin, end in zip(bounds[:-1], bounds[1:]):
            np.add.at(ways, child[begin:end], ways[parent[begin:end]])
        return ways

    def _open_arcs(self, node: int) -> Iterator[tuple[int, int]]:
        """(option, child) of a node's arcs that lead to the end, in order."""
        d = self.diagram
        for a in range(int(d.arc_start[node]), int(d.arc_start[node + 1])):
            if (self._open is None or self._open[a]) and self.completions[d.arc_child[a]]:
                yield int(d.arc_option[a]), int(d.arc_child[a])

    def kth(self, k: int) -> list[int]:
        """The options of tiling number k (from 0), in the order of the path."""
        if not 0 <= k < self.count():
            raise DiagramError(f"there is no tiling {k}: there are {self.count()}")
        tiling: list[int] = []
        node = 0
        while node != self.diagram.nodes - 1:
            for option, child in self._open_arcs(node):
                here = int(self.completions[child])
                if k < here:
                    tiling.append(option)
                    node = child
                    break
                k -= here
        return tiling

    def rank(self, tiling: Iterable[int]) -> int:
        """The number of a tiling, given by its options in any order."""
        first = self.diagram.problem.first()
        wanted = sorted(tiling, key=lambda o: first[o])
        node, k = 0, 0
        for step in wanted:
            for option, child in self._open_arcs(node) if self.count() else ():
                if option == step:
                    node = child
                    break
                k += int(self.completions[child])
            else:
                raise DiagramError("this is no tiling, or one with an option that is left out")
        if node != self.diagram.nodes - 1:
            raise DiagramError("this is only part of a tiling")
        return k

    def sample(self, generator: random.Random) -> list[int]:
        """A tiling, all equally likely."""
        if not self.count():
            raise DiagramError("there is no tiling")
        return self.kth(generator.randrange(self.count()))

    def __iter__(self) -> Iterator[list[int]]:
        """All tilings, in order. An explicit stack: a path may be longer than Python's recursion limit likes."""
        if not self.count():
            return
        path: list[int] = []
        last = self.diagram.nodes - 1
        if last == 0:
            yield []
            return
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
