"""The counts of all reveals, in one pass over the diagram.

Cut every path at the arc that places its middle label. Before it, a node knows for each label
already revealed how many paths lead to it (a vector); behind it, for each label yet to come
how many paths lead on. The outer product of the two, summed over the arcs of a label, is that
label's share of the table. With three categories no vector is longer than one category.

Every number here counts a part of all tilings, so where the total fits int64 all of them do;
otherwise they are Python integers.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import prod
from typing import Any

import numpy as np

from satcal.diagram.bits import sort_order
from satcal.diagram.model import Allowed, Array, Diagram, path_dtype

Vectors = dict[int, Array]
"""Per class of nodes (a set of categories, as bits): a row per node, a column per reveal."""


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
    first = len(problem.copies) - problem.categories
    labels = [
        [option for option, item in enumerate(problem.item) if item == first + category]
        for category in range(problem.categories)
    ]
    if not diagram.nodes:
        return np.zeros([len(options) for options in labels], np.int64)
    dtype = path_dtype(diagram, completions)
    if not labels:
        return completions[:1].reshape(()).copy()
    return _Table(diagram, labels, open_arcs, dtype).count()


class _Table:
    """The nodes in classes by what was revealed before them, and the open arcs by class.

    ``revealed[n]``: bit set of the categories revealed before node n. ``row[n]``: its row in
    the vectors of its class, which have a column per combination of labels of the class's
    categories (before the cut: revealed; behind it: to come).
    """

    def __init__(
        self, diagram: Diagram, labels: list[list[int]], open_arcs: Allowed | None, dtype: Any
    ) -> None:
        self.diagram, self.dtype = diagram, dtype
        self.categories = len(labels)
        self.everything = (1 << self.categories) - 1
        self.sizes = [len(options) for options in labels]
        self.before = (self.categories - 1) // 2  # labels revealed before the arc of the cut
        first = len(diagram.problem.copies) - self.categories
        self.revealed = np.zeros(diagram.nodes, np.int64)
        for category in range(self.categories):
            unit = diagram.remaining.dtype.type(diagram.unit[first + category])
            self.revealed |= ((diagram.remaining & unit) == 0).astype(np.int64) << category
        self.row = np.zeros(diagram.nodes, np.int64)
        for group in range(1 << self.categories):
            mine = self.revealed == group
            self.row[mine] = np.arange(np.count_nonzero(mine))
        self.label = {
            option: (category, number)
            for category, options in enumerate(labels)
            for number, option in enumerate(options)
        }
        self.is_label = np.zeros(len(diagram.problem.mask), bool)
        self.is_label[list(self.label)] = True
        parent = np.repeat(np.arange(diagram.nodes), np.diff(diagram.arc_start))
        arcs = slice(None) if open_arcs is None else open_arcs
        self.parent, self.child = parent[arcs], diagram.arc_child[arcs]
        self.option = diagram.arc_option[arcs]
        self.bounds = np.searchsorted(self.parent, diagram.layer_start)
        self.group = self.revealed[self.parent]

    def width(self, group: int) -> int:
        """Return the number of combinations of labels of a set of categories."""
        return prod(self.sizes[category] for category in self.members(group))

    def members(self, group: int) -> list[int]:
        """Return the categories of a set, ascending."""
        return [category for category in range(self.categories) if group >> category & 1]

    def columns(self, group: int, category: int, label: int) -> Array:
        """Return the columns of a set's vectors that belong to one label of a category in it."""
        numbers = np.arange(self.width(group))
        shaped = numbers.reshape([self.sizes[member] for member in self.members(group)])
        return shaped.take(label, axis=self.members(group).index(category)).ravel()

    def vectors(self, group: int, width: int) -> Array:
        """Return zeros [nodes of the class, width]."""
        return np.zeros((np.count_nonzero(self.revealed == group), width), self.dtype)

    def groups(self, least: int, most: int) -> list[int]:
        """Return the sets of ``least`` to ``most`` categories, small ones first."""
        return [
            sum(1 << category for category in chosen)
            for size in range(least, most + 1)
            for chosen in combinations(range(self.categories), size)
        ]

    def layer_arcs(self, layer: int, group: int) -> tuple[Array, Iterator[tuple[int, Array]]]:
        """Return the arcs out of a layer's nodes of a class: of pieces, and of each label."""
        begin, end = self.bounds[layer : layer + 2]
        mine = begin + np.flatnonzero(self.group[begin:end] == group)
        of_label = self.is_label[self.option[mine]]
        return mine[~of_label], self.by_label(mine[of_label])

    def by_label(self, arcs: Array) -> Iterator[tuple[int, Array]]:
        """Yield each label among the options of arcs, ascending, and its arcs."""
        for option in np.unique(self.option[arcs]).tolist():
            yield option, arcs[self.option[arcs] == option]

    def forward(self) -> Vectors:
        """Return the vectors before the cut: paths from the start, by what they revealed."""
        vectors = {group: self.vectors(group, self.width(group)) for group in self.early()}
        vectors[0][0] = 1
        for layer in range(self.diagram.problem.cells):
            for group, here in vectors.items():
                pieces, labels = self.layer_arcs(layer, group)
                add_rows(here, self.row[self.child[pieces]], here[self.row[self.parent[pieces]]])
                for option, arcs in labels:
                    category, label = self.label[option]
                    after = group | 1 << category
                    if after in vectors:
                        columns = self.columns(after, category, label)
                        there = np.ix_(self.row[self.child[arcs]], columns)
                        vectors[after][there] += here[self.row[self.parent[arcs]]]
        return vectors

    def early(self) -> list[int]:
        """Return the sets of categories that may be revealed before the cut."""
        return self.groups(0, self.before)

    def backward(self) -> Vectors:
        """Return the vectors behind the cut: paths to the end, by what they reveal."""
        vectors = {
            group: self.vectors(group, self.width(self.everything & ~group))
            for group in self.groups(self.before + 1, self.categories)
        }
        vectors[self.everything][-1] = 1
        for layer in range(self.diagram.problem.cells - 1, -1, -1):
            for group, here in vectors.items():
                pieces, labels = self.layer_arcs(layer, group)
                add_rows(here, self.row[self.parent[pieces]], here[self.row[self.child[pieces]]])
                for option, arcs in labels:
                    category, label = self.label[option]
                    columns = self.columns(self.everything & ~group, category, label)
                    there = vectors[group | 1 << category][self.row[self.child[arcs]]]
                    here[np.ix_(self.row[self.parent[arcs]], columns)] += there
        return vectors

    def count(self) -> Array:
        """Return the table: outer products over the arcs of the cut, label by label."""
        table: Array = np.zeros(self.sizes, self.dtype)
        ahead, back = self.forward(), self.backward()
        at_label = self.is_label[self.option]
        for group in self.groups(self.before, self.before):
            mine = np.flatnonzero(at_label & (self.group == group))
            for option, arcs in self.by_label(mine):
                category, label = self.label[option]
                behind = group | 1 << category
                # einsum, not @: integers have no BLAS, and @ walks along columns (60 ms, not 5)
                share = np.einsum(
                    "ab,ac->bc",
                    ahead[group][self.row[self.parent[arcs]]],
                    back[behind][self.row[self.child[arcs]]],
                )
                others = self.members(group) + self.members(self.everything & ~behind)
                share = share.reshape([self.sizes[other] for other in others])
                share = share.transpose(np.argsort(others))
                table[(slice(None),) * category + (label,)] += share
        return table


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
