"""A diagram without the arcs that a condition closes: smaller, so that questions are quicker.

Every arc that is left lies on a path from the first node to the last, in the same order; what
the slice answers is what the whole diagram answers under the condition.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from satcal.counting.diagram.model import Array, Diagram
from satcal.counting.diagram.query import Tilings


def slice_of(tilings: Tilings) -> Diagram:
    """Return the diagram of some tilings alone; its nodes are numbered anew, layer by layer."""
    whole = tilings.diagram
    parent = np.repeat(np.arange(whole.nodes), np.diff(whole.arc_start))
    ends = tilings.completions != 0
    usable = tilings.allowed[whole.arc_option] & ends[whole.arc_child]
    reached = _reached(whole, parent, usable, bool(tilings.count()))
    arcs = np.flatnonzero(usable & reached[parent])
    kept = np.flatnonzero(reached)
    number = np.zeros(whole.nodes, np.int32)
    number[kept] = np.arange(len(kept), dtype=np.int32)
    return Diagram(
        problem=whole.problem,
        layer_start=np.searchsorted(kept, whole.layer_start),
        frontier=whole.frontier[kept],
        remaining=whole.remaining[kept],
        arc_start=np.searchsorted(parent[arcs], np.append(kept, whole.nodes)),
        arc_child=number[whole.arc_child[arcs]],
        arc_option=whole.arc_option[arcs],
        unit=whole.unit,
    )


def _reached(whole: Diagram, parent: Array, usable: Array, any_tiling: bool) -> Array:
    """Return, per node, whether usable arcs lead there from the first node; bool [nodes]."""
    reached = np.zeros(whole.nodes, bool)
    reached[:1] = any_tiling
    for first, last in pairwise(whole.layer_start):
        begin, end = whole.arc_start[first], whole.arc_start[last]
        taken = usable[begin:end] & reached[parent[begin:end]]
        reached[whole.arc_child[begin:end][taken]] = True
    return reached
