"""The counts of all reveals, in one pass over the diagram.

Cut every path at the arc that places its middle label. Before it, a node knows for each label already revealed how many paths lead to it
(a vector); behind it, for each label yet to come how many paths lead on. The outer product of the two, summed over the arcs of a label, is
that label's share of the table. With three categories no vector is longer than one category.

Overflow: every number here counts a part of all tilings, so where the total fits int64 all of them do; otherwise they are Python integers.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from satcal.counting.diagram.completions import path_dtype
from satcal.counting.diagram.frontier import sort_order
from satcal.counting.diagram.model import Diagram

Array = NDArray[Any]


def count_reveals(
    diagram: Diagram, completions: Array, open_arcs: NDArray[np.bool_] | None
) -> Array:
    """Tilings per reveal: one axis per category, along it the category's options in their order. dtype of completions."""
    problem = diagram.problem
    first = len(problem.copies) - problem.categories
    labels = [
        [o for o, i in enumerate(problem.item) if i == first + c] for c in range(problem.categories)
    ]
    if not diagram.nodes:
        return np.zeros([len(options) for options in labels], np.int64)
    if not labels:
        return np.array(completions[0])
    return _Table(diagram, labels, open_arcs, path_dtype(diagram, completions)).count()


class _Table:
    """revealed[node]: bit set of the categories revealed before it. Nodes with the same set form a class; row[node] is a node's row in the
    vectors of its class, which have a column per combination of the class's labels (before the cut: revealed, behind it: to come)."""

    def __init__(
        self,
        diagram: Diagram,
        labels: list[list[int]],
        open_arcs: NDArray[np.bool_] | None,
        dtype: Any,
    ) -> None:
        self.diagram, self.dtype = diagram, dtype
        self.categories = len(labels)
        self.sizes = [len(options) for options in labels]
        self.before = (self.categories - 1) // 2  # labels revealed before the arc of the cut
        first = len(diagram.problem.copies) - self.categories
        self.revealed = np.zeros(diagram.nodes, np.int64)
        for c in range(self.categories):
            self.revealed |= (
                (diagram.remaining & diagram.remaining.dtype.type(diagram.unit[first + c])) == 0
            ).astype(np.int64) << c
        self.row = np.zeros(diagram.nodes, np.int64)
        for group in range(1 << self.categories):
            mine = self.revealed == group
            self.row[mine] = np.arange(np.count_nonzero(mine))
        self.label = {o: (c, k) for c, options in enumerate(labels) for k, o in enumerate(options)}
        self.is_label = np.zeros(len(diagram.problem.mask), bool)
        self.is_label[list(self.label)] = True
        parent = np.repeat(np.arange(diagram.nodes), np.diff(diagram.arc_start))
        arcs = slice(None) if open_arcs is None else open_arcs
        self.parent, self.child, self.option = (
            parent[arcs],
            diagram.arc_child[arcs],
            diagram.arc_option[arcs],
        )
        self.bounds = np.searchsorted(self.parent, diagram.layer_start)
        self.group = self.revealed[self.parent]

    def width(self, group: int) -> int:
        return int(np.prod([self.sizes[c] for c in self.members(group)], dtype=np.int64))

    def members(self, group: int) -> list[int]:
        return [c for c in range(self.categories) if group >> c & 1]

    def columns(self, group: int, category: int, label: int) -> Array:
        """Columns of a group's vectors that belong to one label of one of its categories."""
        at = np.arange(self.width(group)).reshape([self.sizes[c] for c in self.members(group)])
        return at.take(label, axis=self.members(group).index(category)).ravel()

    def vectors(self, group: int, width: int) -> Array:
        return np.zeros((np.count_nonzero(self.revealed == group), width), self.dtype)

    def groups(self, least: int, most: int) -> list[int]:
        """Sets of `least` to `most` categories, small ones first."""
        return [
            sum(1 << c for c in chosen)
            for size in range(least, most + 1)
            for chosen in combinations(range(self.categories), size)
        ]

    def layer_arcs(self, layer: int, group: int) -> tuple[Array, Iterator[tuple[int, Array]]]:
        """Arcs out of the nodes of a layer and class: those of pieces, and those of each label."""
        begin, end = self.bounds[layer : layer + 2]
        mine = begin + np.flatnonzero(self.group[begin:end] == group)
        label = self.is_label[self.option[mine]]
        named = mine[label]
        return mine[~label], (
            (int(o), named[self.option[named] == o]) for o in np.unique(self.option[named])
        )

    def forward(self) -> dict[int, Array]:
        """Vectors of the nodes before the cut: paths from the start, by what they revealed."""
        vectors = {g: self.vectors(g, self.width(g)) for g in self.groups(0, self.before)}
        vectors[0][0] = 1
        for layer in range(self.diagram.problem.cells):
            for g, here in vectors.items():
                pieces, labels = self.layer_arcs(layer, g)
                add_rows(here, self.row[self.child[pieces]], here[self.row[self.parent[pieces]]])
                for o, arcs in labels:
                    c, k = self.label[o]
                    if g | 1 << c in vectors:
                        there = vectors[g | 1 << c]
                        there[
                            np.ix_(self.row[self.child[arcs]], self.columns(g | 1 << c, c, k))
                        ] += here[self.row[self.parent[arcs]]]
        return vectors

    def backward(self) -> dict[int, Array]:
        """Vectors of the nodes behind the cut: paths to the end, by what they reveal."""
        full = (1 << self.categories) - 1
        vectors = {
            g: self.vectors(g, self.width(full & ~g))
            for g in self.groups(self.before + 1, self.categories)
        }
        vectors[full][-1] = 1
        for layer in range(self.diagram.problem.cells - 1, -1, -1):
            for g, here in vectors.items():
                pieces, labels = self.layer_arcs(layer, g)
                add_rows(here, self.row[self.parent[pieces]], here[self.row[self.child[pieces]]])
                for o, arcs in labels:
                    c, k = self.label[o]
                    there = vectors[g | 1 << c]
                    here[np.ix_(self.row[self.parent[arcs]], self.columns(full & ~g, c, k))] += (
                        there[self.row[self.child[arcs]]]
                    )
        return vectors

    def count(self) -> Array:
        """Outer products over the arcs of the cut, label by label."""
        full = (1 << self.categories) - 1
        table = np.zeros(self.sizes, self.dtype)
        ahead, back = self.forward(), self.backward()
        cut = np.flatnonzero(
            self.is_label[self.option] & np.isin(self.group, self.groups(self.before, self.before))
        )
        for g in self.groups(self.before, self.before):
            mine = cut[self.group[cut] == g]
            for o in np.unique(self.option[mine]):
                arcs = mine[self.option[mine] == o]
                c, k = self.label[int(o)]
                # einsum, not @: integers have no BLAS, and @ walks along the columns (5 ms against 60)
                share = np.einsum(
                    "ab,ac->bc",
                    ahead[g][self.row[self.parent[arcs]]],
                    back[g | 1 << c][self.row[self.child[arcs]]],
                )
                rest = [self.members(g), self.members(full & ~g & ~(1 << c))]
                share = share.reshape([self.sizes[x] for x in rest[0] + rest[1]]).transpose(
                    np.argsort(rest[0] + rest[1])
                )
                table[(slice(None),) * c + (k,)] += share
        return table


def add_rows(target: Array, rows: Array, values: Array) -> None:
    """target[rows] += values where rows repeat: sort, sum runs, add (np.add.at is slow on rows of a matrix)."""
    if not len(rows):
        return
    if (rows[1:] < rows[:-1]).any():
        order = sort_order(rows, int(rows.max()).bit_length())
        rows, values = rows[order], values[order]
    starts = np.flatnonzero(np.concatenate([[True], rows[1:] != rows[:-1]]))
    target[rows[starts]] += np.add.reduceat(values, starts, axis=0)
