"""The graph, and what it answers without solving again.

Every tiling is a path, so every answer is a sum over arcs. Counts are int64 while the total is
below ``2**63``, else Python integers in arrays of dtype object; no float is used anywhere.

>>> from satcal.diagram.build import build
>>> square = ExactCover(cells=4, copies=[2], item=[0] * 4, mask=[0b0011, 0b1100, 0b0101, 0b1010])
>>> tilings = Tilings(build(square))
>>> tilings.count(), list(tilings), tilings.kth(1), tilings.per_option().tolist()
(2, [[0, 1], [2, 3]], [2, 3], [1, 1, 1, 1])
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from satcal.diagram.model import Array, DiagramError, ExactCover

LARGEST = 2**63 - 1  # of int64
ALL = slice(None)


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
    """Some arcs, in order: the nodes that each leaves and enters, and its option; [arcs]."""

    parent: Array
    child: Array
    option: Array

    def at(self, index: Array) -> Arcs:
        """Return the arcs of an index."""
        return Arcs(*(column[index] for column in self))


class Tilings:
    """The tilings that use allowed options, bool [options], only, in the order of their paths.

    To fix a placement, leave out whatever overlaps it: its cells must be covered.
    """

    def __init__(self, diagram: Diagram, allowed: Array | None = None) -> None:
        self.diagram = diagram
        self.allowed = np.ones(len(diagram.problem.mask), bool) if allowed is None else allowed
        self._open = None if self.allowed.all() else self.allowed[diagram.arc_option]

    def arcs(self) -> Arcs:
        """Return the arcs that lead to the end by allowed options alone."""
        diagram = self.diagram
        arcs = Arcs(diagram.arc_parent(), diagram.arc_child, diagram.arc_option)
        if self._open is None:
            return arcs
        return arcs.at(np.flatnonzero(self._open & (self.completions[arcs.child] != 0)))

    @cached_property
    def completions(self) -> Array:
        """The ways from each node to the end: int64 [nodes] while none can pass ``LARGEST``.

        Else of dtype object. All other sums have the same dtype: int64 wraps around, so they are
        right modulo 2**64 whatever the sums on the way, and what is asked is no larger.
        """
        diagram = self.diagram
        ways: Array = np.zeros(diagram.nodes, np.int64)
        if not diagram.nodes:
            return ways
        ways[-1] = 1
        safe = LARGEST // max(1, int(np.diff(diagram.arc_start).max()))
        for layer in range(len(diagram.layer_start) - 3, -1, -1):
            first, last = diagram.layer_start[layer : layer + 2]
            if first == last:
                continue
            begin, end = diagram.arc_start[first], diagram.arc_start[last]
            terms = ways[diagram.arc_child[begin:end]]
            if self._open is not None:
                terms *= self._open[begin:end]
            ways[first:last] = np.add.reduceat(terms, diagram.arc_start[first:last] - begin)
            if ways.dtype != object and ways[first:last].max() > safe:
                ways = ways.astype(object)
        if ways.dtype == object and max(ways) <= LARGEST:
            return ways.astype(np.int64)
        return ways

    def count(self) -> int:
        """Return the number of tilings."""
        return int(self.completions[0]) if self.diagram.nodes else 0

    def reveals(self) -> Array:
        """Return the number of tilings of each reveal: an axis of labels for each category."""
        if not self.diagram.problem.categories:
            return np.array(self.count(), self.completions.dtype)
        return _Reveals(self).count()

    def per_option(self) -> Array:
        """Return the number of tilings that contain each option, [options]."""
        arcs, completions = self.arcs(), self.completions
        ways: Array = np.zeros(self.diagram.nodes, completions.dtype)  # from the start to each node
        ways[:1] = 1
        for begin, end in pairwise(np.searchsorted(arcs.parent, self.diagram.layer_start)):
            np.add.at(ways, arcs.child[begin:end], ways[arcs.parent[begin:end]])
        total: Array = np.zeros(len(self.allowed), completions.dtype)
        np.add.at(total, arcs.option, ways[arcs.parent] * completions[arcs.child])
        return total

    def _open_arcs(self, node: int) -> Iterator[tuple[int, int]]:
        """Yield option and child of a node's arcs that lead to the end."""
        diagram = self.diagram
        for arc in range(int(diagram.arc_start[node]), int(diagram.arc_start[node + 1])):
            child = int(diagram.arc_child[arc])
            if (self._open is None or self._open[arc]) and self.completions[child]:
                yield int(diagram.arc_option[arc]), child

    def kth(self, rank: int) -> list[int]:
        """Return the options of the tiling of a rank, from 0; raise DiagramError if none has it."""
        if not 0 <= rank < self.count():
            raise DiagramError(f"no tiling has rank {rank}: there are {self.count()}")
        tiling: list[int] = []
        node = 0
        while node != self.diagram.nodes - 1:
            for option, child in self._open_arcs(node):
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
        """Return the graph of these tilings alone, and which options it has, bool [options].

        It is quicker to ask, and has the same tilings in the same order. The options of categories
        all stay, because they are the axes of :meth:`reveals`.
        """
        diagram, problem, arcs = self.diagram, self.diagram.problem, self.arcs()
        reached = np.zeros(diagram.nodes, bool)  # from the first node
        reached[:1] = self.count() > 0
        for begin, end in pairwise(np.searchsorted(arcs.parent, diagram.layer_start)):
            reached[arcs.child[begin:end][reached[arcs.parent[begin:end]]]] = True
        kept, arcs = np.flatnonzero(reached), arcs.at(np.flatnonzero(reached[arcs.parent]))
        number = np.zeros(diagram.nodes, np.int32)
        number[kept] = np.arange(len(kept), dtype=np.int32)
        used = np.array(problem.item) >= problem.first_category
        used[arcs.option] = True
        renumbered = (np.cumsum(used) - 1).astype(np.int32)
        return Diagram(
            problem=problem.having(np.flatnonzero(used).tolist()),
            layer_start=np.searchsorted(kept, diagram.layer_start),
            frontier=diagram.frontier[kept],
            remaining=diagram.remaining[kept],
            arc_start=np.searchsorted(arcs.parent, np.append(kept, diagram.nodes)),
            arc_child=number[arcs.child],
            arc_option=renumbered[arcs.option],
            unit=diagram.unit,
        ), used


class _Reveals:
    """The counts of all reveals, in one pass over the diagram.

    Cut every path at the arc that places its middle label. Before it, a node
    knows for each label already revealed how many paths lead to it; behind it,
    for each label yet to come how many paths lead on. The outer product of the
    two, summed over the arcs of a label, is that label's share of the table. With
    three categories no node knows more numbers than one category has labels.

    The nodes are in classes by the categories revealed before them, as bits. A class has an array
    of paths, with an axis for each category (before the cut: revealed; behind it: to come), and
    then one for its nodes: ``row[n]`` is the place of node n.
    """

    def __init__(self, tilings: Tilings) -> None:
        diagram, problem = tilings.diagram, tilings.diagram.problem
        self.completions, self.layer_start = tilings.completions, diagram.layer_start
        self.before = (problem.categories - 1) // 2  # labels revealed before the arc of the cut
        self.everything = (1 << problem.categories) - 1
        kind = np.min_scalar_type(self.everything)
        self.revealed = np.zeros(diagram.nodes, kind)
        for category in range(problem.categories):
            left = diagram.copies_left(problem.first_category + category)
            self.revealed |= (left == 0).astype(kind) << kind.type(category)
        self.nodes = np.bincount(self.revealed, minlength=1 << problem.categories)
        self.row = np.zeros(diagram.nodes, np.int64)
        for group, size in enumerate(self.nodes):
            self.row[self.revealed == group] = np.arange(size)
        # of each option its category, below 0 for a piece, and which of the category's it is
        self.category = np.array(problem.item) - problem.first_category
        of_category = [np.flatnonzero(self.category == c) for c in range(problem.categories)]
        self.sizes = [len(options) for options in of_category]
        self.number = np.zeros(len(problem.item), np.int64)
        for options in of_category:
            self.number[options] = np.arange(len(options))
        self.arcs = tilings.arcs()
        # an arc of a label leads into another class
        self.group, into = self.revealed[self.arcs.parent], self.revealed[self.arcs.child]
        self.is_piece = self.group == into
        self.labels = self.arcs.at(np.flatnonzero(~self.is_piece))

    def groups(self, least: int, maximum: int) -> list[int]:
        """Return the classes of ``least`` to ``maximum`` categories, those of fewer first."""
        groups = range(self.everything + 1)
        return sorted((g for g in groups if least <= g.bit_count() <= maximum), key=int.bit_count)

    def members(self, group: int) -> list[int]:
        """Return the categories of a class."""
        return [category for category in range(len(self.sizes)) if group >> category & 1]

    def empty(self, group: int, known: int) -> Array:
        """Return the array of a class whose axes are the known categories, all zeros."""
        shape = [
            *(self.sizes[category] for category in self.members(known)),
            int(self.nodes[group]),
        ]
        return np.zeros(shape, self.completions.dtype)

    def of_label(self, paths: Array, known: int, category: int, index: int) -> Array:
        """Return a label's view of an array over the known categories."""
        axis = self.members(known).index(category)
        view: Array = paths[(slice(None),) * axis + (index,)]
        return view

    def label_arcs(self, group: int) -> Iterator[tuple[int, int, Array, Array]]:
        """Yield the arcs of labels out of a class, as rows of parents and children.

        By label: its category, and its number there.
        """
        arcs = self.labels.at(np.flatnonzero(self.revealed[self.labels.parent] == group))
        arcs = arcs.at(np.argsort(arcs.option, kind="stable"))
        for option in np.unique(arcs.option):
            own = slice(*np.searchsorted(arcs.option, [option, option + 1]))
            parent, child = self.row[arcs.parent[own]], self.row[arcs.child[own]]
            yield int(self.category[option]), int(self.number[option]), parent, child

    def flow(self, group: int, paths: Array, ahead: bool) -> None:
        """Add the paths over pieces within a class: ahead to children, else back to parents."""
        arcs = np.flatnonzero((self.group == group) & self.is_piece)
        if not len(arcs):
            return  # perhaps there are no nodes either
        source, target = self.row[self.arcs.parent[arcs]], self.row[self.arcs.child[arcs]]
        bounds = np.searchsorted(self.arcs.parent[arcs], self.layer_start)
        layers = [slice(*ends) for ends in pairwise(bounds.tolist())]
        if not ahead:
            source, target, layers = target, source, layers[::-1]
        for row in paths.reshape(-1, paths.shape[-1]):  # a view
            for layer in layers:
                np.add.at(row, target[layer], row[source[layer]])

    def paths_behind(self) -> dict[int, Array]:
        """Return the paths from behind the cut to the end, by what they reveal."""
        behind = {self.everything: self.completions[self.revealed == self.everything]}
        for group in reversed(self.groups(self.before + 1, len(self.sizes) - 1)):
            to_come = self.everything & ~group
            block = behind[group] = self.empty(group, to_come)
            for category, index, parent, child in self.label_arcs(group):
                view = self.of_label(block, to_come, category, index)
                view[..., parent] += behind[group | 1 << category].take(child, axis=-1)
            self.flow(group, block, ahead=False)
        return behind

    def count(self) -> Array:
        """Return the table of all reveals."""
        table: Array = np.zeros(self.sizes, self.completions.dtype)
        behind = self.paths_behind()
        ahead = {group: self.empty(group, group) for group in self.groups(0, self.before)}
        ahead[0][:1] = 1
        for group, block in ahead.items():
            self.flow(group, block, ahead=True)
            for category, index, parent, child in self.label_arcs(group):
                after = group | 1 << category
                paths = block.take(parent, axis=-1)
                if after in ahead:
                    self.of_label(ahead[after], after, category, index)[..., child] += paths
                else:
                    share = np.tensordot(paths, behind[after].take(child, axis=-1), (-1, -1))
                    axes = self.members(group) + self.members(self.everything & ~after)
                    at = (slice(None),) * category + (index,)
                    table[at] += share.transpose(np.argsort(axes))
        return table
