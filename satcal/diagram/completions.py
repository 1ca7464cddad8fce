"""How many ways lead from each node to the end: the numbers that every answer is made of."""

from __future__ import annotations

from typing import Any

import numpy as np

from satcal.diagram.model import Allowed, Array, Diagram

LARGEST = 2**63 - 1
"""The largest count of dtype int64."""


def count_completions(diagram: Diagram, open_arcs: Allowed | None = None) -> Array:
    """Return the number of ways from every node to the end over the open arcs (None: all).

    [nodes], of dtype int64 while no sum can pass ``LARGEST``, beyond it of dtype object,
    holding Python integers. No float: a float would be exact up to 2**53 only.
    """
    ways: Array = np.zeros(diagram.nodes, np.int64)
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
        terms = ways[diagram.arc_child[begin:end]]
        if open_arcs is not None:
            terms *= open_arcs[begin:end]
        ways[first:last] = np.add.reduceat(terms, diagram.arc_start[first:last] - begin)
        if ways.dtype != object and ways[first:last].max() > safe:
            ways = ways.astype(object)
    if ways.dtype == object and max(ways) <= LARGEST:
        return ways.astype(np.int64)
    return ways


def path_dtype(diagram: Diagram, completions: Array) -> Any:
    """Return a dtype, int64 or object, that holds the number of paths to any node.

    ``completions`` may belong to some tilings only: their numbers are smaller, but paths to
    nodes that those tilings do not pass are counted too, so the whole diagram decides.
    """
    return completions.dtype if completions.dtype == object else count_completions(diagram).dtype
