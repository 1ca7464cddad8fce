"""The counts of all reveals, in one pass over the diagram.

Cut every path at the arc that places its middle label. Before it, a node knows for each label
already revealed how many paths lead to it; behind it, for each label yet to come how many paths
lead on. The outer product of the two, summed over the arcs of a label, is that label's share of
the table. With three categories no node knows more numbers than one category has labels.

Every number here counts a part of all tilings, so where the total fits int64 all of them do;
otherwise they are Python integers.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np

from satcal.diagram.bits import sort_order
from satcal.diagram.model import Allowed, Array, Diagram

Paths = dict[int, Array]
"""Per class of nodes (a set of categories, as bits): [nodes of the class, labels, ...]."""


def count_reveals(diagram: Diagram, completions: Array, open_arcs: Allowed | None) -> Array:
    """Return the number of tilings per reveal, int64 or object.

    One axis per category, along it the category's options in their order; without categories
    an array of no dimension.

    Args:
        diagram: the diagram.
        completions: ways from each node to the end over the open arcs.
        open_arcs: bool [arcs], None for all.
    """
    problem = diagram.problem
    labels = [
        [option for option, item in enumerate(problem.item) if item == category]
        for category in range(problem.first_category, len(problem.copies))
    ]
    if not diagram.nodes:
        return np.zeros([len(options) for options in labels], np.int64)
    if not labels:
        return completions[:1].reshape(()).copy()
    return _Table(diagram, labels, open_arcs, diagram.path_dtype(completions)).count()


class _Table:
    """The nodes in classes by what was revealed before them, and the open arcs by class.

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
