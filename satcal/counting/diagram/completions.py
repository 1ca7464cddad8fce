"""How many ways lead from each node to the end: the numbers that every answer is made of."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from satcal.counting.diagram.model import Diagram

Counts = NDArray[Any]  # int64, or object holding Python integers
LARGEST = 2**63 - 1


def count_completions(diagram: Diagram, open_arcs: NDArray[np.bool_] | None = None) -> Counts:
    """Ways to the end of every node, from the last layer down; int64 while no sum can pass 2**63, then Python integers."""
    ways: Counts = np.zeros(diagram.nodes, np.int64)
    if not diagram.nodes:
        return ways
    ways[-1] = 1
    most_arcs = int(np.diff(diagram.arc_start).max())
    safe = LARGEST // max(1, most_arcs)
    for layer in range(len(diagram.layer_start) - 3, -1, -1):
        first, last = diagram.layer_start[layer : layer + 2]
        if first == last:
            continue
        begin, end = diagram.arc_start[first], diagram.arc_start[last]
        term = ways[diagram.arc_child[begin:end]]
        if open_arcs is not None:
            term *= open_arcs[begin:end]
        ways[first:last] = np.add.reduceat(term, diagram.arc_start[first:last] - begin)
        if ways.dtype != object and ways[first:last].max() > safe:
            ways = ways.astype(object)
    if ways.dtype == object and max(ways) <= LARGEST:
        return ways.astype(np.int64)
    return ways


def path_dtype(diagram: Diagram, completions: Counts) -> Any:
    """A dtype that holds the number of paths to any node. `completions` may belong to restricted tilings: their numbers are smaller, but paths
    to nodes that they do not pass are counted too, so ask the whole diagram."""
    return completions.dtype if completions.dtype == object else count_completions(diagram).dtype
