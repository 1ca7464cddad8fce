"""The counts of all reveals, or of all sets of uncovered cells, in one pass over the graph.

A category that is used k times is an axis of the table k times. In a calendar, each category is
used once, and its labels are the options of its axis. In a survey, all cells are the labels of one
category, which is used as often as cells stay uncovered. A path has these in the order of filling,
so the table has a number for each set in one order only.

>>> from satcal.diagram.build import build
>>> from satcal.diagram.model import ExactCover
>>> row = ExactCover(  # three cells, a domino, and one cell that stays uncovered
...     cells=3, copies=[1, 1], item=[0, 0, 1, 1, 1], mask=[0b011, 0b110, 0b001, 0b010, 0b100],
...     categories=1,
... )
>>> table = count_reveals(Tilings(build(row)))
>>> [table.at([option]) for option in (2, 3, 4)]
[1, 0, 1]
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from satcal.diagram.graph import Tilings
from satcal.diagram.model import Array, Watch

MAX_NUMBERS = 2**26
"""The most numbers that the counts of all reveals take at once; of weekday it is 25 million."""


class RevealTable:
    """The number of tilings of each reveal: ``counts`` has an axis for each revealed label.

    ``labels`` has the options of each axis: those that are on a path.
    """

    def __init__(self, labels: Sequence[Array], counts: Array) -> None:
        self.labels, self.counts = labels, counts
        self.number = [{option: n for n, option in enumerate(each.tolist())} for each in labels]

    def at(self, options: Sequence[int]) -> int:
        """Return the number of tilings with these options, one for each axis."""
        pairs = list(zip(self.number, options, strict=True))
        if not all(option in number for number, option in pairs):
            return 0
        return int(self.counts[tuple(number[option] for number, option in pairs)])


def count_reveals(tilings: Tilings) -> RevealTable:
    """Return the table of all reveals, with an axis for each category, each used once.

    Where there are too many numbers at once, the labels of a category are divided.
    """
    counting = RevealCounts(tilings)
    labels, counts = counting.labels, counting.table
    widest = max(labels, key=len, default=())
    if counting.size() <= MAX_NUMBERS or len(widest) <= 1:
        return counting.count()
    del counting
    for half in np.array_split(widest, 2):
        allowed = tilings.allowed.copy()
        allowed[widest] = False
        allowed[half] = True
        part = count_reveals(Tilings(tilings.diagram, allowed))
        counts[np.ix_(*map(np.searchsorted, labels, part.labels))] = part.counts
    return RevealTable(labels, counts)


class RevealCounts:
    """One pass over the diagram.

    Cut every path at the arc of its middle label. A node before the cut has the number of paths
    from the start, for each combination of the labels on them. A node behind the cut has the number
    of paths to the end, for each combination of the labels on them. The outer product of the two,
    summed over the arcs of a label, is that label's share of the table. With three axes, a node has
    at most as many numbers as an axis has labels.

    A group is the set of nodes with the same labels' axes on the paths from the start; its number
    has a bit for each of these axes. It has an array of paths. Before the cut, this has these axes;
    behind it, it has the others. The last axis is for the nodes: ``row[n]`` is the index of node n.
    """

    def __init__(self, tilings: Tilings) -> None:
        diagram, problem = tilings.diagram, tilings.diagram.problem
        self.completions, self.layer_start = tilings.completions, diagram.layer_start
        categories = range(problem.first_category, len(problem.copies))
        axes = sum(problem.copies[item] for item in categories)
        self.cut = (axes - 1) // 2  # the number of labels before the middle one
        self.groups = range(1 << axes)
        self.node_group = np.zeros(diagram.nodes, np.min_scalar_type(self.groups[-1]))
        first_axis = 0
        for item in categories:
            used = problem.copies[item] - diagram.copies_left(item)
            self.node_group |= ((1 << used) - 1 << first_axis).astype(self.node_group.dtype)
            first_axis += problem.copies[item]
        is_live = self.completions != 0
        self.live = [np.flatnonzero(is_live & (self.node_group == g)) for g in self.groups]
        self.row = np.zeros(diagram.nodes, np.int64)
        for nodes in self.live:
            self.row[nodes] = np.arange(len(nodes))
        self.arcs = tilings.arcs()
        # the arcs of labels are those that lead to another group, with the bit of their axis
        self.arc_group = self.node_group[self.arcs.parent]
        new_bit = self.node_group[self.arcs.child] - self.arc_group
        self.is_piece = new_bit == 0
        label_arcs = np.flatnonzero(~self.is_piece)
        self.label_arcs, new_bit = self.arcs.at(label_arcs), new_bit[label_arcs]
        self.label_axis = np.bitwise_count(new_bit - new_bit.dtype.type(1))
        self.labels = [
            np.flatnonzero(np.bincount(self.label_arcs.option[self.label_axis == axis]))
            for axis in range(axes)
        ]
        self.table: Array = np.zeros(list(map(len, self.labels)), self.completions.dtype)

    def is_before(self, group: int) -> bool:
        """Return whether the nodes of a group are before the cut."""
        return group.bit_count() <= self.cut

    def axes(self, group: int) -> list[int]:
        """Return the axes of the table that are axes of a group's array."""
        kept = group if self.is_before(group) else ~group
        return [axis for axis in range(self.table.ndim) if kept >> axis & 1]

    def shape(self, group: int) -> list[int]:
        """Return the shape of a group's array."""
        sizes = [self.table.shape[axis] for axis in self.axes(group)]
        return [*sizes, len(self.live[group])]

    def size(self) -> int:
        """Return the number of all entries: of the table, and of the groups."""
        return self.table.size + sum(math.prod(self.shape(group)) for group in self.groups)

    def check_memory(self, limit: int | None) -> None:
        """Raise MemoryLimitError if more than ``limit`` bytes are needed, including the diagram."""
        watch = Watch(len(self.layer_start) - 1, limit)
        watch.held_bytes = 40 * len(self.row) + 16 * len(self.is_piece)
        # object entries are pointers to integers of some 36 bytes
        entry_bytes = 44 if self.table.dtype == object else 8
        watch.check_memory(entry_bytes * self.size(), "counts of all sets")

    def zeros(self, group: int) -> Array:
        """Return the array of a group, all zeros."""
        return np.zeros(self.shape(group), self.completions.dtype)

    def view_label(self, paths: Array, group: int, axis: int, index: int) -> Array:
        """Return the view of a group's array at one label of an axis."""
        view: Array = paths[(slice(None),) * self.axes(group).index(axis) + (index,)]
        return view

    def arcs_of_labels(self, group: int) -> Iterator[tuple[int, int, Array, Array]]:
        """Yield a group's arcs of each label: its axis, its number there, parents, children.

        Parents and children are rows of their groups.
        """
        index = np.flatnonzero(self.node_group[self.label_arcs.parent] == group)
        index = index[np.argsort(self.label_arcs.option[index], kind="stable")]
        arcs, axes = self.label_arcs.at(index), self.label_axis[index]
        for option in np.flatnonzero(np.bincount(arcs.option)):
            begin, end = np.searchsorted(arcs.option, [option, option + 1])
            axis, parent, child = int(axes[begin]), arcs.parent[begin:end], arcs.child[begin:end]
            number = int(np.searchsorted(self.labels[axis], option))
            yield axis, number, self.row[parent], self.row[child]

    def add_paths(self, group: int, paths: Array, *, forward: bool) -> None:
        """Add paths along the arcs of pieces within a group, forward to children or backward."""
        arcs = np.flatnonzero((self.arc_group == group) & self.is_piece)
        if not len(arcs):
            return  # the group may have no nodes
        source, target = self.row[self.arcs.parent[arcs]], self.row[self.arcs.child[arcs]]
        bounds = np.searchsorted(self.arcs.parent[arcs], self.layer_start)
        layers = [slice(*ends) for ends in pairwise(bounds.tolist())]
        if not forward:
            source, target, layers = target, source, layers[::-1]
        for row in paths.reshape(-1, paths.shape[-1]):  # a view
            for layer in layers:
                values = row[source[layer]]
                if values.any():
                    np.add.at(row, target[layer], values)

    def paths_behind(self) -> dict[int, Array]:
        """Return the paths from the groups behind the cut to the end, by their labels."""
        *groups, full = self.groups
        suffixes = {full: self.completions[self.live[full]]}
        for group in sorted(groups, key=int.bit_count, reverse=True):
            if self.is_before(group):
                continue
            block = suffixes[group] = self.zeros(group)
            for axis, index, parent, child in self.arcs_of_labels(group):
                view = self.view_label(block, group, axis, index)
                view[..., parent] += suffixes[group | 1 << axis].take(child, axis=-1)
            self.add_paths(group, block, forward=False)
        return suffixes

    def count(self) -> RevealTable:
        """Return the table of all reveals."""
        if not self.table.ndim:
            return RevealTable([], np.array(self.completions[:1].sum(), self.completions.dtype))
        suffixes = self.paths_behind()
        before = sorted(filter(self.is_before, self.groups), key=int.bit_count)
        prefixes = {group: self.zeros(group) for group in before}
        prefixes[0][:1] = 1
        for group, block in prefixes.items():
            self.add_paths(group, block, forward=True)
            for axis, index, parent, child in self.arcs_of_labels(group):
                target = group | 1 << axis
                paths = block.take(parent, axis=-1)
                if target in prefixes:
                    self.view_label(prefixes[target], target, axis, index)[..., child] += paths
                else:
                    share = np.tensordot(paths, suffixes[target].take(child, axis=-1), (-1, -1))
                    axes = self.axes(group) + self.axes(target)
                    at = (slice(None),) * axis + (index,)
                    self.table[at] += share.transpose(np.argsort(axes))
        return RevealTable(self.labels, self.table)
