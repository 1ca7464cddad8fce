"""What a diagram answers without solving again.

Every tiling is a path, so every answer is a sum over arcs. Counts are int64 as long as the
total is below 2**63, and Python integers in arrays of dtype object beyond; a float never
comes near.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from itertools import combinations, pairwise
from typing import Any

import numpy as np

from satcal.diagram.model import Allowed, Array, Diagram, DiagramError, sort_order

Paths = dict[int, Array]
"""Per class of nodes (a set of categories, as bits): [nodes of the class, labels, ...]."""


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

        One axis per category, along it the category's options in their order; without categories
        an array of no dimension.
        """
        diagram, problem = self.diagram, self.diagram.problem
        labels = [
            [option for option, item in enumerate(problem.item) if item == category]
            for category in range(problem.first_category, len(problem.copies))
        ]
        if not diagram.nodes:
            return np.zeros([len(options) for options in labels], np.int64)
        if not labels:
            return self.completions[:1].reshape(()).copy()
        return _Reveals(diagram, labels, self._open, diagram.path_dtype(self.completions)).count()

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


class _Reveals:
    """The counts of all reveals, in one pass over the diagram.

    Cut every path at the arc that places its middle label. Before it, a node knows for each label
    already revealed how many paths lead to it; behind it, for each label yet to come how many paths
    lead on. The outer product of the two, summed over the arcs of a label, is that label's share of
    the table. With three categories no node knows more numbers than one category has labels.

    The nodes stand in classes by what was revealed before them, and the open arcs by class.
    ``revealed[n]``: bit set of the categories revealed before node n. ``row[n]``: its row in
    the array of its class, which has an axis for each of the class's categories (before the cut:
    revealed; behind it: to come).
    """

    def __init__(
        self, diagram: Diagram, labels: list[list[int]], open_arcs: Allowed | None, dtype: Any
    ) -> None:
        self.diagram, self.dtype = diagram, dtype
        self.cells = diagram.problem.cells
        self.categories = len(labels)
        self.everything = (1 << self.categories) - 1
        self.sizes = [len(options) for options in labels]
        self.before = (self.categories - 1) // 2  # labels revealed before the arc of the cut
        self.revealed = np.zeros(diagram.nodes, np.int64)
        for category in range(self.categories):
            item = diagram.problem.first_category + category
            unit = diagram.remaining.dtype.type(diagram.unit[item])
            self.revealed |= ((diagram.remaining & unit) == 0).astype(np.int64) << category
        self.nodes = np.bincount(self.revealed, minlength=1 << self.categories)
        self.row = np.zeros(diagram.nodes, np.int64)
        for group, size in enumerate(self.nodes):
            self.row[self.revealed == group] = np.arange(size)
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
        self.group = self.revealed[self.parent]

    def members(self, group: int) -> list[int]:
        """Return the categories of a set, ascending."""
        return [category for category in range(self.categories) if group >> category & 1]

    def groups(self, least: int, most: int) -> list[int]:
        """Return the sets of ``least`` to ``most`` categories, small ones first."""
        return [
            sum(1 << category for category in chosen)
            for size in range(least, most + 1)
            for chosen in combinations(range(self.categories), size)
        ]

    def zeros(self, group: int, known: int) -> Array:
        """Return zeros for the nodes of a class, of which labels of other categories are known."""
        shape = [int(self.nodes[group])] + [self.sizes[member] for member in self.members(known)]
        return np.zeros(shape, self.dtype)

    def of_label(self, paths: Array, known: int, option: int) -> Array:
        """Return the view of an array that belongs to one label."""
        category, number = self.label[option]
        axis = 1 + self.members(known).index(category)
        view: Array = paths[(slice(None),) * axis + (number,)]
        return view

    def layer_arcs(self, layer: int, group: int) -> tuple[Array, Iterator[tuple[int, Array]]]:
        """Return the arcs out of a layer's nodes of a class: of pieces, and of each label."""
        begin, end = self.bounds[layer : layer + 2]
        arcs = begin + np.flatnonzero(self.group[begin:end] == group)
        labels = self.is_label[self.option[arcs]]
        return arcs[~labels], self.by_label(arcs[labels])

    def by_label(self, arcs: Array) -> Iterator[tuple[int, Array]]:
        """Yield each label among the options of arcs, ascending, and its arcs."""
        for option in np.unique(self.option[arcs]).tolist():
            yield option, arcs[self.option[arcs] == option]

    def ends(self, arcs: Array) -> tuple[Array, Array]:
        """Return the rows of the arcs' parents and children."""
        return self.row[self.parent[arcs]], self.row[self.child[arcs]]

    def forward(self) -> Paths:
        """Return the paths from the start to the nodes before the cut, by what they revealed."""
        paths = {group: self.zeros(group, group) for group in self.groups(0, self.before)}
        paths[0][0] = 1
        for layer in range(self.cells):
            for group, here in paths.items():
                pieces, labels = self.layer_arcs(layer, group)
                parent, child = self.ends(pieces)
                add_rows(here, child, here[parent])
                for option, arcs in labels:
                    after = group | 1 << self.label[option][0]
                    if after in paths:
                        parent, child = self.ends(arcs)
                        self.of_label(paths[after], after, option)[child] += here[parent]
        return paths

    def backward(self) -> Paths:
        """Return the paths from the nodes behind the cut to the end, by what they reveal."""
        behind = self.groups(self.before + 1, self.categories)
        paths = {group: self.zeros(group, self.everything & ~group) for group in behind}
        paths[self.everything][-1] = 1
        for layer in range(self.cells - 1, -1, -1):
            for group, here in paths.items():
                pieces, labels = self.layer_arcs(layer, group)
                parent, child = self.ends(pieces)
                add_rows(here, parent, here[child])
                for option, arcs in labels:
                    parent, child = self.ends(arcs)
                    there = paths[group | 1 << self.label[option][0]]
                    self.of_label(here, self.everything & ~group, option)[parent] += there[child]
        return paths

    def count(self) -> Array:
        """Return the table: outer products over the arcs of the cut, label by label."""
        table: Array = np.zeros(self.sizes, self.dtype)
        ahead, back = self.forward(), self.backward()
        at_label = self.is_label[self.option]
        for group in self.groups(self.before, self.before):
            cut = np.flatnonzero(at_label & (self.group == group))
            for option, arcs in self.by_label(cut):
                category, number = self.label[option]
                behind = group | 1 << category
                parent, child = self.ends(arcs)
                share = outer(ahead[group][parent], back[behind][child])
                others = self.members(group) + self.members(self.everything & ~behind)
                table[(slice(None),) * category + (number,)] += share.transpose(np.argsort(others))
        return table


def outer(ahead: Array, behind: Array) -> Array:
    """Return the sum over the rows of the outer products: the axes of ``ahead``, then the others.

    einsum, not @: integers have no BLAS, and @ walks along columns (60 ms, not 5).
    """
    rows = len(ahead)
    share: Array = np.einsum("ab,ac->bc", ahead.reshape(rows, -1), behind.reshape(rows, -1))
    return share.reshape(ahead.shape[1:] + behind.shape[1:])


def add_rows(target: Array, rows: Array, values: Array) -> None:
    """Do ``target[rows] += values`` where rows repeat.

    Sorts and sums runs of equal rows: ``np.add.at`` is slow on rows of a matrix.
    """
    if not len(rows):
        return
    if (rows[1:] < rows[:-1]).any():
        order = sort_order(rows, int(rows.max()).bit_length())
        rows, values = rows[order], values[order]
    starts = np.flatnonzero(np.concatenate([[True], rows[1:] != rows[:-1]]))
    target[rows[starts]] += np.add.reduceat(values, starts, axis=0)
