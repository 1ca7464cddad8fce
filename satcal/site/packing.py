"""A tiling diagram in a few bits per node, from which a browser can rebuild it.

The cells, the options and the items determine which arcs a node can have: those of the options that
cover the cell of its layer and fit. The file has one bit for each of these options, which is 1 if
the diagram has the arc, that is, if it leads to a tiling. The bits are ordered by layer, then by
node, then by option; the nodes of a layer are in the order in which they are first reached.
``static/diagram.js`` reads the file.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from satcal.diagram.graph import Diagram
from satcal.diagram.model import Array


def pack(diagram: Diagram) -> bytes:
    """Return the bits of a diagram, the highest bit of a byte first, without a header."""
    first_cell, parent = np.array(diagram.problem.first()), diagram.arc_parent()
    rank = _rank_nodes(diagram)
    column = np.zeros(len(first_cell), np.int64)  # the index of an option in its layer
    bits = [np.zeros(0, bool)]
    for layer, (begin, end) in enumerate(pairwise(diagram.layer_start[:-1])):
        options = np.flatnonzero(first_cell == layer)
        column[options] = np.arange(len(options))
        arcs = slice(diagram.arc_start[begin], diagram.arc_start[end])
        has_arc = np.zeros((end - begin, len(options)), bool)
        has_arc[rank[parent[arcs]] - begin, column[diagram.arc_option[arcs]]] = True
        nodes = begin + np.argsort(rank[begin:end])
        bits.append(has_arc[_find_fitting(diagram, layer, nodes, options)])
    return np.packbits(np.concatenate(bits)).tobytes()


def _rank_nodes(diagram: Diagram) -> Array:
    """Return the rank of each node, in the order in which the nodes of a layer are reached."""
    parent, options = diagram.arc_parent(), len(diagram.problem.mask)
    rank = np.zeros(diagram.nodes, np.int64)
    first_arc = np.full(diagram.nodes, np.iinfo(np.int64).max)  # the first arc to each node
    for begin, end in pairwise(diagram.layer_start):
        rank[begin + np.argsort(first_arc[begin:end])] = np.arange(begin, end)
        arcs = slice(diagram.arc_start[begin], diagram.arc_start[end])
        order = rank[parent[arcs]] * options + diagram.arc_option[arcs]
        np.minimum.at(first_arc, diagram.arc_child[arcs], order)
    return rank


def _find_fitting(diagram: Diagram, layer: int, nodes: Array, options: Array) -> Array:
    """Return whether each option fits at each node of a layer: bool [nodes, options]."""
    problem, frontier = diagram.problem, diagram.frontier
    masks = [problem.mask[option] >> layer for option in options]
    free: Array = frontier[nodes, None] & np.array(masks, frontier.dtype) == 0
    left = np.array([diagram.copies_left(problem.item[option], nodes) for option in options])
    return free & (left.T > 0)
