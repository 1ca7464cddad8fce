"""A diagram without the arcs and options that a condition excludes: smaller, so quicker to ask.

Every arc that is left lies on a path from the first node to the last, in the same order; what
the slice answers is what the whole diagram answers under the condition.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np

from satcal.diagram.model import Array, Diagram
from satcal.diagram.query import Tilings


def slice_of(tilings: Tilings) -> tuple[Diagram, Array]:
    """Return the diagram of some tilings alone, and which options it has; bool [options].

    Nodes are numbered anew, layer by layer, and options in their order. The options of
    categories all stay, because they are the axes of what counts reveals.
    """
    whole = tilings.diagram
    problem = whole.problem
    parent = np.repeat(np.arange(whole.nodes), np.diff(whole.arc_start))
    ends = tilings.completions != 0
    usable = tilings.allowed[whole.arc_option] & ends[whole.arc_child]
    reached = _reached(whole, parent, usable, bool(tilings.count()))
    arcs = np.flatnonzero(usable & reached[parent])
    kept = np.flatnonzero(reached)
    number = np.zeros(whole.nodes, np.int32)
    number[kept] = np.arange(len(kept), dtype=np.int32)
    used = np.array(problem.item) >= len(problem.copies) - problem.categories
    used[whole.arc_option[arcs]] = True
    renumbered = (np.cumsum(used) - 1).astype(np.int32)
    chosen = np.flatnonzero(used).tolist()
    return Diagram(
        problem=replace(
            problem,
            item=[problem.item[option] for option in chosen],
            mask=[problem.mask[option] for option in chosen],
        ),
        layer_start=np.searchsorted(kept, whole.layer_start),
        frontier=whole.frontier[kept],
        remaining=whole.remaining[kept],
        arc_start=np.searchsorted(parent[arcs], np.append(kept, whole.nodes)),
        arc_child=number[whole.arc_child[arcs]],
        arc_option=renumbered[whole.arc_option[arcs]],
        unit=whole.unit,
    ), used


def _reached(whole: Diagram, parent: Array, usable: Array, any_tiling: bool) -> Array:
    """Return, per node, whether usable arcs lead there from the first node; bool [nodes]."""
    reached = np.zeros(whole.nodes, bool)
    reached[:1] = any_tiling
    for first, last in pairwise(whole.layer_start):
        begin, end = whole.arc_start[first], whole.arc_start[last]
        taken = usable[begin:end] & reached[parent[begin:end]]
        reached[whole.arc_child[begin:end][taken]] = True
    return reached
