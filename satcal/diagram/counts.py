"""Counts of many reveals: by one graph, by a graph for each half, or by layers.

>>> from satcal.puzzle.loading import load
>>> counts, nodes = counts_by_diagram(load("a-puzzle-a-day"), [("Oct", "6"), ("Dec", "25")])
>>> counts
{('Oct', '6'): 7, ('Dec', '25'): 92}
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress

from satcal.diagram import cache
from satcal.diagram.build import build
from satcal.diagram.graph import Tilings
from satcal.diagram.layers import count_by_layers
from satcal.diagram.model import DiagramError
from satcal.diagram.puzzle import (
    PuzzleDiagram,
    build_problem,
    read_counts,
    too_large,
    usable_options,
)
from satcal.progress import Progress
from satcal.puzzle.model import Placement, Puzzle, Reveal
from satcal.puzzle.placements import cover_of
from satcal.resources import memory_to_use

MAX_KEPT_BYTES = 40_000_000
"""The most bytes of the graph of a lone reveal: a larger one is counted by layers."""


def counts_by_diagram(
    puzzle: Puzzle,
    reveals: Collection[Reveal],
    place: Sequence[Placement] = (),
    use_cache: bool = True,
    memory_limit: int | None = None,
    progress: Progress | None = None,
) -> tuple[dict[Reveal, int], int]:
    """Return the number of tilings of each reveal, and the number of nodes or states summed over.

    If the graph of all reveals does not fit into memory, each half gets its own. One reveal is
    counted by layers, unless its small graph is that of the whole puzzle, and can be cached. With
    one item, each is: then a graph takes no fewer states than the layers. Arguments as for
    :func:`open_diagram`.

    Raises:
        TooLarge: the layers of a reveal do not fit into memory.
        PlacementError: pieces in ``place`` overlap, or are more than the puzzle has.
    """
    cover, unique_reveals = cover_of(puzzle, None), list(dict.fromkeys(reveals))
    problem = build_problem(cover)
    graph = cache.read(problem) if use_cache else None
    if graph is not None:
        diagram = PuzzleDiagram(cover, graph)
        if len(unique_reveals) == 1:  # faster than a table
            return {reveal: diagram.count(reveal, place) for reveal in unique_reveals}, graph.nodes
        return diagram.counts(place, unique_reveals), graph.nodes
    limit = memory_to_use() if memory_limit is None else memory_limit
    counts: dict[Reveal, int] = {}
    groups, size = [unique_reveals], 0
    max_reveals = len(unique_reveals) if len(problem.copies) > 1 else 0  # of a graph
    while groups:
        group = groups.pop()
        options = usable_options(cover, group, place)
        is_whole = use_cache and len(options) == len(problem.mask)
        if (is_whole or len(group) > 1) and len(group) <= max_reveals:
            with suppress(DiagramError):
                kept = MAX_KEPT_BYTES if limit is None else min(limit, MAX_KEPT_BYTES)
                graph_limit = kept if len(group) == 1 else limit
                tilings = Tilings(build(problem, options, graph_limit, progress))
                if is_whole:
                    cache.write(tilings.diagram)
                counts |= read_counts(tilings, puzzle, group)
                size += tilings.diagram.nodes
                continue
            max_reveals = len(group) - 1
        if len(group) > 1:
            groups += split(group)
            continue
        with too_large(puzzle):
            counts[group[0]], states = count_by_layers(problem, options, limit, progress)
            size += states
    return {reveal: counts[reveal] for reveal in unique_reveals}, size


def split(reveals: Sequence[Reveal]) -> tuple[list[Reveal], list[Reveal]]:
    """Divide reveals in two, by their labels of the first category in which they differ.

    >>> split([("Oct", "6"), ("Oct", "7"), ("Oct", "8")])
    ([('Oct', '6')], [('Oct', '7'), ('Oct', '8')])
    """
    for category in range(len(reveals[0])):
        labels = list(dict.fromkeys(reveal[category] for reveal in reveals))
        if len(labels) > 1:
            break
    half = labels[: len(labels) // 2]
    return (
        [reveal for reveal in reveals if reveal[category] in half],
        [reveal for reveal in reveals if reveal[category] not in half],
    )
