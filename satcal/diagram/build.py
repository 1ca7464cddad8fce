"""Build the diagram of a problem: frontiers first, then states (see those modules for why)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from operator import mul

import numpy as np

from satcal.diagram.frontiers import frontiers
from satcal.diagram.model import Diagram, Problem, Progress, Watch
from satcal.diagram.states import build_states

GROWTH = 1.5
"""States per reachable cell: 1.5 ranks the eight orders of all library puzzles like their time."""


def choose_order(squares: Sequence[tuple[int, int]], options: Sequence[Sequence[int]]) -> list[int]:
    """Return the cells (indices into ``squares``) in a good order of filling.

    By rows or by columns, from any of the four corners, whichever has the least effort: that is
    the fastest of the eight, or within 10 % of it, on the library. The number of states depends
    on the order more than on anything.

    Args:
        squares: row and column of every cell.
        options: the cells, as such indices, that each option covers.
    """
    return min(_orders(squares), key=lambda order: _effort(order, options))


def _orders(squares: Sequence[tuple[int, int]]) -> Iterator[list[int]]:
    cells = range(len(squares))
    for long, short in ((0, 1), (1, 0)):
        for down in (1, -1):
            for right in (1, -1):
                place = [(down * square[long], right * square[short]) for square in squares]
                yield sorted(cells, key=place.__getitem__)


def _effort(order: Sequence[int], options: Sequence[Sequence[int]]) -> float:
    """Return an estimate of the number of states, for comparison only.

    The sum over the layers of ``GROWTH`` to the number of cells that the placements before
    may reach into: the frontier can be nearly any set of those.
    """
    place = {cell: number for number, cell in enumerate(order)}
    starting = [0] * len(order)
    for cells in options:
        numbers = [place[cell] for cell in cells]
        starting[min(numbers)] |= sum(1 << number for number in numbers)
    total, reached = 0.0, 0
    for layer, mask in enumerate(starting):
        total += GROWTH ** (reached >> layer).bit_count()
        reached |= mask
    return total


def build(
    problem: Problem,
    allowed: Collection[int] | None = None,
    memory_limit: int | None = None,
    progress: Progress | None = None,
) -> Diagram:
    """Return the diagram of all tilings of a problem.

    Args:
        problem: the problem.
        allowed: the options that may be used; None for all.
        memory_limit: in bytes, by estimate, checked before each layer is built.
        progress: called once per layer of each pass.

    Raises:
        MemoryLimitError: the limit would be passed; the message says where.
        DiagramError: more nodes or arcs than 32-bit numbers can name.
    """
    kept = _useful_options(problem, range(len(problem.mask)) if allowed is None else allowed)
    part = replace(
        problem,
        item=[problem.item[option] for option in kept],
        mask=[problem.mask[option] for option in kept],
    )
    if not _may_have_tilings(part):
        return _empty(problem)
    watch = Watch(problem.cells + 1, memory_limit, progress)
    found = frontiers(part, watch)
    if not len(found.bits):
        return _empty(problem)
    diagram = build_states(part, found, watch)
    diagram.problem = problem
    diagram.arc_option = np.array(kept, np.int32)[diagram.arc_option]
    return diagram


def _useful_options(problem: Problem, allowed: Collection[int]) -> list[int]:
    """Return the allowed options, ascending, without those that overlap a forced one.

    An item with no more options than copies needs all of them. This is what makes a single
    reveal cheap: its cells are no longer covered by any piece.
    """
    options, known = sorted(allowed), 0
    while True:
        of_item: list[list[int]] = [[] for _ in problem.copies]
        for option in options:
            of_item[problem.item[option]].append(option)
        forced = {
            option
            for own, copies in zip(of_item, problem.copies, strict=True)
            if len(own) <= copies
            for option in own
        }
        if len(forced) == known:
            return options
        known, taken = len(forced), 0
        for option in forced:
            taken |= problem.mask[option]
        options = [o for o in options if o in forced or not problem.mask[o] & taken]


def _may_have_tilings(problem: Problem) -> bool:
    """Return whether every item has an option and, where areas are fixed, they add up."""
    if set(problem.item) != set(range(len(problem.copies))):
        return False
    area = problem.area()
    return min(area, default=0) == 0 or sum(map(mul, area, problem.copies)) == problem.cells


def _empty(problem: Problem) -> Diagram:
    none = np.zeros(0, np.int32)
    return Diagram(
        problem,
        layer_start=np.zeros(problem.cells + 2, np.int64),
        frontier=np.zeros(0, np.uint64),
        remaining=np.zeros(0, np.uint32),
        arc_start=np.zeros(1, np.int64),
        arc_child=none,
        arc_option=none,
        unit=[0] * len(problem.copies),
    )
