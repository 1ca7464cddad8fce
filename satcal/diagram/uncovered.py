"""The counts of all sets of uncovered cells, in one pass over the diagram.

A *gap* is an extra item, whose options cover one cell each and which has as many copies as cells
stay uncovered. A path has its gaps in the order of filling, so each set occurs in one order only.

Cut every path at its middle gap, in layer c. A node before the cut has the number of paths from the
start for each set of gaps on them. A node behind the cut has the number of paths to the end for
each set of gaps on them. The outer product of the two, summed over the arcs of the gap, is the
share of the sets whose middle cell is c. An array has an axis for each of these gaps: over the
cells before the node's layer or, behind the cut, over the cells from the layer's own on.

>>> from satcal.diagram.build import build
>>> from satcal.diagram.model import ExactCover
>>> row = ExactCover(  # three cells, a domino, and a gap
...     cells=3, copies=[1, 1], item=[0, 0, 1, 1, 1], mask=[0b011, 0b110, 0b001, 0b010, 0b100]
... )
>>> count_uncovered(build(row), gaps=1).tolist()
[1, 0, 1]
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from satcal.diagram.graph import Diagram, Tilings
from satcal.diagram.model import Array, Watch


def count_uncovered(diagram: Diagram, gaps: int, limit: int | None = None) -> Array:
    """Return the number of tilings for each set of uncovered cells, [cells] * gaps.

    Entry (c, d, …) is that of the set {c, d, …} if c < d < …, else 0; cells are numbered in the
    order of filling. The last item of the diagram is the gap.

    Raises:
        MemoryLimitError: more than ``limit`` bytes are needed, including the diagram.
    """
    completions = Tilings(diagram).completions
    if not diagram.nodes:
        return np.zeros([diagram.problem.cells] * gaps, np.int64)
    if not gaps:
        return np.array(completions[0])
    return _Gaps(diagram, gaps, limit, completions.dtype).count()


class _Gaps:
    """The paths by their gaps; ``used[node]`` is the number of gaps on paths to a node.

    A block is the nodes with the same layer and the same ``used``. ``row[node]`` is a node's row in
    the array of its block.
    """

    def __init__(self, diagram: Diagram, gaps: int, limit: int | None, dtype: Any) -> None:
        self.diagram, self.gaps, self.dtype = diagram, gaps, dtype
        self.cells = diagram.problem.cells
        self.cut = (gaps - 1) // 2  # the number of gaps before the middle one
        layers = self.cells + 1
        self.layer = np.repeat(np.arange(layers), np.diff(diagram.layer_start))
        self.used = gaps - diagram.copies_left(len(diagram.problem.copies) - 1)
        block = self.layer * (gaps + 1) + self.used
        size = np.bincount(block, minlength=layers * (gaps + 1))
        self.size = size.reshape(layers, gaps + 1)
        order = np.argsort(block, kind="stable")
        self.row = np.empty(diagram.nodes, np.int64)
        self.row[order] = np.arange(diagram.nodes) - np.repeat(np.cumsum(size) - size, size)
        self.parent = diagram.arc_parent()
        self.is_gap = np.array(diagram.problem.item) == len(diagram.problem.copies) - 1
        blocks = [(layer, used) for layer in range(layers) for used in range(gaps + 1)]
        entries = sum(int(np.prod(self.shape(*block), dtype=object)) for block in blocks)
        watch = Watch(layers, limit)
        watch.held_bytes = 40 * diagram.nodes + 16 * diagram.arcs
        # object entries are pointers to integers of some 36 bytes
        entry_size = 44 if self.dtype == object else 8
        watch.check_memory(entry_size * (entries + self.cells**gaps), f"sets of {gaps} cells")

    def shape(self, layer: int, used: int) -> list[int]:
        """Return the shape of a block's array: a row for each node, an axis for each gap."""
        is_before = used <= self.cut
        axes = used if is_before else self.gaps - used
        return [int(self.size[layer, used])] + [layer if is_before else self.cells - layer] * axes

    def arcs(self, layer: int, used: int) -> Iterator[tuple[int, bool, Array, Array]]:
        """Yield a block's arcs: the child's layer, whether they are gaps, parents and children.

        Parents and children are rows of their blocks.
        """
        diagram = self.diagram
        first, last = diagram.layer_start[layer : layer + 2]
        begin, end = diagram.arc_start[first], diagram.arc_start[last]
        arcs = begin + np.flatnonzero(self.used[self.parent[begin:end]] == used)
        child_layer = self.layer[diagram.arc_child[arcs]]
        gap = self.is_gap[diagram.arc_option[arcs]]
        for target in np.flatnonzero(np.bincount(child_layer)).tolist():
            for is_gap in (False, True):
                group = arcs[(child_layer == target) & (gap == is_gap)]
                if len(group):
                    child = self.row[diagram.arc_child[group]]
                    yield target, is_gap, self.row[self.parent[group]], child

    def paths_behind(self) -> dict[tuple[int, int], Array]:
        """Return the paths from the blocks behind the cut to the end, by their gaps."""
        paths: dict[tuple[int, int], Array] = {}
        for layer in reversed(range(self.cells + 1)):
            for used in range(self.cut + 1, self.gaps + 1):
                block = paths[layer, used] = np.zeros(self.shape(layer, used), self.dtype)
                if (layer, used) == (self.cells, self.gaps):
                    block[0] = 1
                    continue
                for target, is_gap, parent, child in self.arcs(layer, used):
                    # a gap of this layer is the first one, so its axis comes first
                    part = block[:, 0] if is_gap else block
                    axes = self.gaps - used - is_gap
                    part = part[(slice(None), *[slice(target - layer, None)] * axes)]
                    np.add.at(part, parent, paths[target, used + is_gap].take(child, axis=0))
        return paths

    def count(self) -> Array:
        """Return the table of all sets."""
        table: Array = np.zeros([self.cells] * self.gaps, self.dtype)
        suffixes, numbers = self.paths_behind(), range(self.cut + 1)
        blocks = [(layer, used) for layer in range(self.cells + 1) for used in numbers]
        prefixes = {block: np.zeros(self.shape(*block), self.dtype) for block in blocks}
        prefixes[0, 0][0] = 1
        for layer, used in blocks:
            for target, is_gap, parent, child in self.arcs(layer, used):
                block = prefixes[layer, used]
                if not is_gap or used < self.cut:
                    # the new gap is the last axis, at the index of this layer
                    next_block = prefixes[target, used + is_gap]
                    part = next_block[(slice(None), *[slice(layer)] * used)]
                    np.add.at(
                        part[..., layer] if is_gap else part, child, block.take(parent, axis=0)
                    )
                    continue
                prefix: list[Any] = [slice(layer)] * used
                suffix = [slice(target, None)] * (self.gaps - used - 1)
                share = np.tensordot(block[parent], suffixes[target, used + 1][child], (0, 0))
                table[(*prefix, layer, *suffix)] += share
        return table
