"""Build the diagram of a problem: frontiers first, then states (see those two modules for why)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from operator import mul

import numpy as np

from satcal.counting.diagram.frontier import frontiers
from satcal.counting.diagram.model import Diagram, MemoryLimitError, Problem, Progress
from satcal.counting.diagram.states import Builder, build_states

__all__ = ["build", "useful_options"]


def build(
    problem: Problem,
    allowed: Collection[int] | None = None,
    memory_limit: int | None = None,
    progress: Progress | None = None,
) -> Diagram:
    """The diagram of all tilings. allowed: options that may be used (all). memory_limit: bytes, by estimate, before each layer is built."""

    def check(needed: int, where: str) -> None:
        if memory_limit is not None and needed > memory_limit:
            raise MemoryLimitError(
                f"{where}: about {needed / 1e6:,.0f} MB, the limit is {memory_limit / 1e6:,.0f} MB"
            )

    def report(name: str, layer: int, states: int, held: int) -> None:
        if progress is not None:
            progress(name, layer, problem.cells + 1, states)

    kept = useful_options(problem, range(len(problem.mask)) if allowed is None else allowed)
    part = replace(
        problem, item=[problem.item[o] for o in kept], mask=[problem.mask[o] for o in kept]
    )
    area = part.area()
    if (
        set(part.item) != set(range(len(part.copies)))
        or min(area, default=0)
        and sum(map(mul, area, part.copies)) != part.cells
    ):
        return _empty(problem)  # an item that cannot be used, or areas that do not add up
    found = frontiers(part, report, check)
    if not len(found.bits):
        return _empty(problem)
    diagram = build_states(Builder(part, found, memory_limit, progress))
    diagram.problem = problem
    diagram.arc_option = np.array(kept or [0], np.int32)[diagram.arc_option]
    return diagram


def useful_options(problem: Problem, allowed: Collection[int]) -> list[int]:
    """The allowed options without those that overlap a forced one: an item with no more options than copies needs all of them.

    This is what makes a single reveal cheap: its cells are no longer covered by any piece.
    """
    options, forced = sorted(allowed), 0
    while True:
        of_item: list[list[int]] = [[] for _ in problem.copies]
        for o in options:
            of_item[problem.item[o]].append(o)
        must = {o for i, k in enumerate(problem.copies) if len(of_item[i]) <= k for o in of_item[i]}
        if len(must) == forced:
            return options
        forced, taken = len(must), 0
        for o in must:
            taken |= problem.mask[o]
        options = [o for o in options if o in must or not problem.mask[o] & taken]


def _empty(problem: Problem) -> Diagram:
    none = np.zeros(0, np.int32)
    return Diagram(
        problem,
        np.zeros(problem.cells + 2, np.int64),
        np.zeros(0, np.uint64),
        np.zeros(0, np.uint32),
        np.zeros(1, np.int64),
        none,
        none,
        [0] * len(problem.copies),
    )
