"""The diagram as a graph, and what it answers without solving again.

Every tiling is a path, so every answer is a sum over arcs. Counts are int64 while the total
is below 2**63, else Python integers in arrays of dtype object; a float never comes near.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise
from typing import Any

import numpy as np

from satcal.diagram.model import Array, DiagramError, Problem, add_rows, outer

LARGEST = 2**63 - 1  # of int64


@dataclass
class Diagram:
    """All tilings: each path from node 0 to the last is one, its arcs the options used.

    Nodes are numbered layer by layer: layer c holds the states whose first uncovered cell is
    c, layer ``cells`` the one end state. A puzzle without a tiling has no node and no arc.

    ``layer_start``: int64 [cells + 2]. ``frontier``: uint64 [nodes], the cells covered
    beyond the first uncovered one (bit j = cell c + j); object if a placement spans more
    than 62 cells. ``remaining``: uint32 or uint64 [nodes], copies left of each item, one of
    item i adding ``unit[i]``; object if they need more than 64 bits. ``arc_start``: int64
    [nodes + 1]. ``arc_child``, ``arc_option``: int32 [arcs], ascending within a node.
    """

    problem: Problem
    layer_start: Array
    frontier: Array
    remaining: Array
    arc_start: Array
    arc_child: Array
    arc_option: Array
    unit: list[int]

    @property
    def nodes(self) -> int:
        """Number of nodes, the end included."""
        return len(self.frontier)

    @property
    def arcs(self) -> int:
        """Number of arcs."""
        return len(self.arc_child)

    def arc_parent(self) -> Array:
        """Return the node that each arc leaves, ascending; int64 [arcs]."""
        return np.repeat(np.arange(self.nodes), np.diff(self.arc_start))

    def completions(self, open_arcs: Array | None = None) -> Array:
        """Return the ways from each node to the end over open arcs (bool; None: all).

        int64 [nodes] while no sum can pass ``LARGEST``, else of dtype object.
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


class Tilings:
    """The tilings that use allowed options (bool) only, in the order of their paths.

    Fixing a placement is leaving out whatever overlaps it: its cells must be covered.
    """

    def __init__(self, diagram: Diagram, allowed: Array | None = None) -> None:
        self.diagram = diagram
        self.allowed = np.ones(len(diagram.problem.mask), bool) if allowed is None else allowed
        self._open = None if self.allowed.all() else self.allowed[diagram.arc_option]

    @cached_property
    def completions(self) -> Array:
        """Ways from each node to the end."""
        return self.diagram.completions(self._open)

    def path_dtype(self) -> Any:
        """Return a dtype that holds the number of paths to any node, int64 or object.

        Paths are counted also to nodes that none of these tilings pass: all of them decide.
        """
        dtype = self.completions.dtype
        known = self._open is None or dtype.hasobject
        return dtype if known else self.diagram.completions().dtype

    def count(self) -> int:
        """Return the number of tilings."""
        return int(self.completions[0]) if self.diagram.nodes else 0

    def reveals(self) -> Array:
        """Return the number of tilings per reveal, an axis of options per category."""
        diagram, problem = self.diagram, self.diagram.problem
        labels = [
            [option for option, item in enumerate(problem.item) if item == category]
            for category in range(problem.first_category, len(problem.copies))
        ]
        if not diagram.nodes:
            return np.zeros([len(options) for options in labels], np.int64)
        if not labels:
            return self.completions[:1].reshape(()).copy()
        return _Reveals(diagram, labels, self._open, self.path_dtype()).count()

    def per_option(self) -> Array:
        """Return the number of tilings that contain each option."""
        diagram, usable = self.diagram, slice(None) if self._open is None else self._open
        parent, child = diagram.arc_parent()[usable], diagram.arc_child[usable]
        # ways from the start to each node, also to dead ends
        ways: Array = np.zeros(diagram.nodes, self.path_dtype())
        ways[:1] = 1
        for begin, end in pairwise(np.searchsorted(parent, diagram.layer_start)):
            np.add.at(ways, child[begin:end], ways[parent[begin:end]])
        through = ways[parent] * self.completions[child]
        total: Array = np.zeros(len(diagram.problem.mask), through.dtype)
        np.add.at(total, diagram.arc_option[usable], through)
        return total

    def _open_arcs(self, node: int) -> Iterator[tuple[int, int]]:
        """Yield option and child of a node's arcs that lead to the end."""
        diagram = self.diagram
        for arc in range(int(diagram.arc_start[node]), int(diagram.arc_start[node + 1])):
            child = int(diagram.arc_child[arc])
            if (self._open is None or self._open[arc]) and self.completions[child]:
                yield int(diagram.arc_option[arc]), child

    def kth(self, rank: int) -> list[int]:
        """Return the options of the tiling of a rank, from 0, or raise DiagramError."""
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
        """Return the rank of a tiling's options, or raise DiagramError."""
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
        """Yield the options of every tiling, in order."""
        if not self.count():
            return
        # an explicit stack, as a path may be longer than Python's recursion limit
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
        """Return the diagram of these tilings alone, and which options it has (bool).

        It is quicker to ask, and has the same tilings in the same order. The options
        of categories all stay, because they are the axes of :meth:`reveals`.
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
        return Diagram(
            problem=problem.having(np.flatnonzero(used).tolist()),
            layer_start=np.searchsorted(kept, whole.layer_start),
            frontier=whole.frontier[kept],
            remaining=whole.remaining[kept],
            arc_start=np.searchsorted(parent[arcs], np.append(kept, whole.nodes)),
            arc_child=number[whole.arc_child[arcs]],
            arc_option=renumbered[whole.arc_option[arcs]],
            unit=whole.unit,
        ), used


class _Reveals:
    """The counts of all reveals, in one pass over the diagram.

    Cut every path at the arc that places its middle label. Before it, a node
    knows for each label already revealed how many paths lead to it; behind it,
    for each label yet to come how many paths lead on. The outer product of the
    two, summed over the arcs of a label, is that label's share of the table. With
    three categories no node knows more numbers than one category has labels.

    The nodes stand in classes by the categories revealed before them, as bits. ``row[n]`` is a
    node's row in the array of its class, which has an axis for each category (before the cut:
    revealed; behind it: to come).
    """

    def __init__(
        self, diagram: Diagram, labels: list[list[int]], open_arcs: Array | None, dtype: Any
    ) -> None:
        self.dtype = dtype
        self.cells = diagram.problem.cells
        self.categories = len(labels)
        self.everything = (1 << self.categories) - 1
        self.sizes = [len(options) for options in labels]
        self.before = (self.categories - 1) // 2  # labels revealed before the arc of the cut
        revealed = np.zeros(diagram.nodes, np.int64)
        for category in range(self.categories):
            item = diagram.problem.first_category + category
            unit = diagram.remaining.dtype.type(diagram.unit[item])
            revealed |= ((diagram.remaining & unit) == 0).astype(np.int64) << category
        self.nodes = np.bincount(revealed, minlength=1 << self.categories)
        self.row = np.zeros(diagram.nodes, np.int64)
        for group, size in enumerate(self.nodes):
            self.row[revealed == group] = np.arange(size)
        self.label = {
            option: (category, number)
            for category, options in enumerate(labels)
            for number, option in enumerate(options)
        }
        self.is_label = np.zeros(len(diagram.problem.mask), bool)
        self.is_label[list(self.label)] = True
        usable = slice(None) if open_arcs is None else open_arcs
        self.parent, self.child = diagram.arc_parent()[usable], diagram.arc_child[usable]
        self.option = diagram.arc_option[usable]
        self.bounds = np.searchsorted(self.parent, diagram.layer_start)
        self.group = revealed[self.parent]

    def members(self, group: int) -> list[int]:
        return [category for category in range(self.categories) if group >> category & 1]

    def paths(self, least: int, most: int) -> dict[int, Array]:
        """Return an empty array for each class of ``least`` to ``most`` categories."""
        arrays = {}
        for size in range(least, most + 1):
            for chosen in combinations(range(self.categories), size):
                group = sum(1 << category for category in chosen)
                known = self.members(group if size <= self.before else self.everything & ~group)
                shape = [int(self.nodes[group]), *(self.sizes[each] for each in known)]
                arrays[group] = np.zeros(shape, self.dtype)
        return arrays

    def of_label(self, paths: Array, known: int, label: tuple[int, int]) -> Array:
        """Return a label's view of an array over the known categories."""
        axis = 1 + self.members(known).index(label[0])
        view: Array = paths[(slice(None),) * axis + (label[1],)]
        return view

    def steps(
        self, layers: Iterable[int], groups: Iterable[int]
    ) -> Iterator[tuple[int, tuple[int, int] | None, Array, Array]]:
        """Yield the arcs out of classes by layer: of pieces (None), then by label.

        A label is its category, and its number there; arcs are rows of parents and children.
        """
        for layer in layers:
            begin, end = self.bounds[layer : layer + 2]
            for group in groups:
                arcs = begin + np.flatnonzero(self.group[begin:end] == group)
                at_label = self.is_label[self.option[arcs]]
                pieces, arcs = arcs[~at_label], arcs[at_label]
                yield group, None, self.row[self.parent[pieces]], self.row[self.child[pieces]]
                for option in np.unique(self.option[arcs]).tolist():
                    own = arcs[self.option[arcs] == option]
                    parent, child = self.row[self.parent[own]], self.row[self.child[own]]
                    yield group, self.label[option], parent, child

    def behind(self) -> dict[int, Array]:
        """Return the paths from behind the cut to the end, by what they reveal."""
        behind = self.paths(self.before + 1, self.categories)
        behind[self.everything][-1] = 1
        for group, label, parent, child in self.steps(reversed(range(self.cells)), behind):
            here = behind[group]
            if label is None:
                add_rows(here, parent, here, child)
            else:
                there = behind[group | 1 << label[0]]
                self.of_label(here, self.everything & ~group, label)[parent] += there[child]
        return behind

    def count(self) -> Array:
        table: Array = np.zeros(self.sizes, self.dtype)
        behind, ahead = self.behind(), self.paths(0, self.before)
        ahead[0][0] = 1
        for group, label, parent, child in self.steps(range(self.cells), ahead):
            if label is None:
                add_rows(ahead[group], child, ahead[group], parent)
                continue
            paths = ahead[group][parent]
            category, number = label
            after = group | 1 << category
            if after in ahead:
                self.of_label(ahead[after], after, label)[child] += paths
            else:
                share = outer(paths, behind[after][child])
                axes = self.members(group) + self.members(self.everything & ~after)
                table[(slice(None),) * category + (number,)] += share.transpose(np.argsort(axes))
        return table
