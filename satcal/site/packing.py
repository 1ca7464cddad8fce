"""A tiling diagram as a few bits per node: what a browser needs to build it again.

The cells in their order, the options and the items determine which arcs a node can have: in each
layer, at each of its nodes, try the options that cover the layer's cell. What remains to be said is
which of them lead to the end: one bit for each option that fits, 1 if the diagram has the arc.
Layers ascend, the nodes of a layer stand in the order in which they are met, options ascend.
``static/diagram.js`` reads it.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from satcal.diagram.graph import Diagram
from satcal.diagram.model import Array


def pack(diagram: Diagram) -> bytes:
    """Return the bits of a diagram, the first one highest in its byte, without a header."""
    first, parent, place = np.array(diagram.problem.first()), diagram.arc_parent(), _places(diagram)
    column = np.zeros(len(first), np.int64)  # of an option among those of its layer
    bits = [np.zeros(0, bool)]
    for layer, (begin, end) in enumerate(pairwise(diagram.layer_start[:-1])):
        options = np.flatnonzero(first == layer)
        column[options] = np.arange(len(options))
        arcs = slice(diagram.arc_start[begin], diagram.arc_start[end])
        leads = np.zeros((end - begin, len(options)), bool)
        leads[place[parent[arcs]] - begin, column[diagram.arc_option[arcs]]] = True
        nodes = begin + np.argsort(place[begin:end])
        bits.append(leads[_fitting(diagram, layer, nodes, options)])
    return np.packbits(np.concatenate(bits)).tobytes()


def _places(diagram: Diagram) -> Array:
    """Return the place of each node when those of a layer are taken as they are met."""
    parent, options = diagram.arc_parent(), len(diagram.problem.mask)
    place = np.zeros(diagram.nodes, np.int64)
    met = np.full(diagram.nodes, np.iinfo(np.int64).max)  # by the first arc that leads there
    for begin, end in pairwise(diagram.layer_start):
        place[begin + np.argsort(met[begin:end])] = np.arange(begin, end)
        arcs = slice(diagram.arc_start[begin], diagram.arc_start[end])
        when = place[parent[arcs]] * options + diagram.arc_option[arcs]
        np.minimum.at(met, diagram.arc_child[arcs], when)
    return place


def _fitting(diagram: Diagram, layer: int, nodes: Array, options: Array) -> Array:
    """Return whether each option may follow each node of a layer: bool [nodes, options]."""
    problem, frontier = diagram.problem, diagram.frontier
    masks = [problem.mask[option] >> layer for option in options]
    free: Array = frontier[nodes, None] & np.array(masks, frontier.dtype) == 0
    left = np.array([diagram.copies_left(problem.item[option], nodes) for option in options])
    return free & (left.T > 0)
