"""The counts of all sets of uncovered cells, in one pass over the diagram.

A *gap* is one more item, which covers one cell and has as many copies as cells stay
uncovered. A path meets its gaps in the order of filling, so no set is met twice.

Cut every path at its middle gap, in layer c. Before the cut a node knows for each
set of gaps how many paths lead to it with these gaps; behind it, for each set of
gaps to come, how many lead on. The outer product of the two, summed over the arcs of
the gap, is the share of the sets whose middle cell is c. Only what can be there is
stored: one axis per gap, as long as there are layers before (behind) the node's own.

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
    """Return the tilings of each set of uncovered cells, [cells] * gaps, in the order of filling.

    Entry (c, d, …) is that of the set {c, d, …} where c < d < …, else 0. The last item of the
    diagram is the gap.

    Raises:
        MemoryLimitError: more than ``limit`` bytes would be held beside the diagram.
    """
    completions = Tilings(diagram).completions
    if not diagram.nodes:
        return np.zeros([diagram.problem.cells] * gaps, np.int64)
    if not gaps:
        return np.array(completions[0])
    return _Gaps(diagram, gaps, limit, completions.dtype).count()


class _Gaps:
    """The paths by their gaps; ``used[node]`` is the number of gaps before a node.

    Nodes alike in layer and ``used`` are a block, and ``row[node]`` is a node's row in the array
    of its block.
    """

    def __init__(self, diagram: Diagram, gaps: int, limit: int | None, dtype: Any) -> None:
        self.diagram, self.gaps, self.dtype = diagram, gaps, dtype
        self.cells = diagram.problem.cells
        self.before = (gaps - 1) // 2
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
        ahead = used <= self.before
        axes = used if ahead else self.gaps - used
        return [int(self.size[layer, used])] + [layer if ahead else self.cells - layer] * axes

    def arcs(self, layer: int, used: int) -> Iterator[tuple[int, bool, Array, Array]]:
        """Yield the arcs out of a block, by their child's layer and whether they are gaps.

        Arcs are rows of parents and children.
        """
        diagram = self.diagram
        first, last = diagram.layer_start[layer : layer + 2]
        begin, end = diagram.arc_start[first], diagram.arc_start[last]
        arcs = begin + np.flatnonzero(self.used[self.parent[begin:end]] == used)
        child_layer = self.layer[diagram.arc_child[arcs]]
        gap = self.is_gap[diagram.arc_option[arcs]]
        for target in np.unique(child_layer).tolist():
            for is_gap in (False, True):
                group = arcs[(child_layer == target) & (gap == is_gap)]
                if len(group):
                    child = self.row[diagram.arc_child[group]]
                    yield target, is_gap, self.row[self.parent[group]], child

    def paths_behind(self) -> dict[tuple[int, int], Array]:
        """Return the paths from the blocks behind the cut, by the gaps to come."""
        ways: dict[tuple[int, int], Array] = {}
        for layer in reversed(range(self.cells + 1)):
            for used in range(self.before + 1, self.gaps + 1):
                block = ways[layer, used] = np.zeros(self.shape(layer, used), self.dtype)
                if (layer, used) == (self.cells, self.gaps):
                    block[0] = 1
                    continue
                for target, is_gap, parent, child in self.arcs(layer, used):
                    # a gap of this layer is the first axis, and comes before all others
                    part = block[:, 0] if is_gap else block
                    axes = self.gaps - used - is_gap
                    part = part[(slice(None), *[slice(target - layer, None)] * axes)]
                    np.add.at(part, parent, ways[target, used + is_gap].take(child, axis=0))
        return ways

    def count(self) -> Array:
        """Return the table of all sets."""
        table: Array = np.zeros([self.cells] * self.gaps, self.dtype)
        behind, numbers = self.paths_behind(), range(self.before + 1)
        blocks = [(layer, used) for layer in range(self.cells + 1) for used in numbers]
        ahead = {block: np.zeros(self.shape(*block), self.dtype) for block in blocks}
        ahead[0, 0][0] = 1
        for layer, used in blocks:
            for target, is_gap, parent, child in self.arcs(layer, used):
                block = ahead[layer, used]
                if not is_gap or used < self.before:
                    # the new gap is the last axis, and this layer its place there
                    next_block = ahead[target, used + is_gap]
                    part = next_block[(slice(None), *[slice(layer)] * used)]
                    np.add.at(
                        part[..., layer] if is_gap else part, child, block.take(parent, axis=0)
                    )
                    continue
                earlier: list[Any] = [slice(layer)] * used
                later = [slice(target, None)] * (self.gaps - used - 1)
                share = np.tensordot(block[parent], behind[target, used + 1][child], (0, 0))
                table[(*earlier, layer, *later)] += share
        return table
