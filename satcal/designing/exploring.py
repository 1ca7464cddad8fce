"""The search through a space of sets: exhaustive, or hill climbing.

The order of the sets never depends on which process was faster. So the answer is the same on one
core and on many, and a stopped run that is repeated decides no part of it again.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from functools import partial
from pathlib import Path

from satcal.designing.deciding import GOALS, Decision, Requirement, decide_once
from satcal.designing.space import PieceSet
from satcal.puzzle.model import Reveal

SAMPLE_SIZE = 128  # sets that are counted on all reveals, to learn which reveals refute most
BATCH_SIZE = 1024  # sets submitted together
TASK_SIZE = 128  # sets in a task: large, as sets that differ in one piece share diagrams
FULL_TASK_SIZE = 4  # sets in a task that counts refuted sets too
CLIMB_BATCH_SIZE = 32  # random sets or neighbours from which a climb takes the best
MAX_STALLED_BATCHES = 5  # batches without a better set, after which a climb restarts

OnDecision = Callable[[int], object]
"""A callback that gets the number of sets decided so far."""


class Explorer:
    """The decisions on sets, made on an executor; a folder keeps them."""

    def __init__(
        self,
        requirement: Requirement,
        executor: Executor,
        on_decision: OnDecision,
        folder: Path | None = None,
    ) -> None:
        self.requirement, self._executor, self._folder = requirement, executor, folder
        self._on_decision = on_decision
        self.decisions: dict[PieceSet, Decision] = {}

    def decide(
        self, sets: Sequence[PieceSet], refuters: Sequence[Reveal] = (), count_refuted: bool = True
    ) -> list[Decision]:
        """Return the decisions on sets, in their order; arguments as for :func:`decide`."""
        undecided = [pieces for pieces in dict.fromkeys(sets) if pieces not in self.decisions]
        size = FULL_TASK_SIZE if count_refuted else TASK_SIZE
        parts = (undecided[start : start + size] for start in range(0, len(undecided), size))
        tasks = [
            self._executor.submit(
                decide_once, self._folder, self.requirement, part, refuters, count_refuted
            )
            for part in parts
        ]
        for task in tasks:
            for decision in task.result():
                self.decisions[decision.pieces] = decision
                self._on_decision(len(self.decisions))
        return [self.decisions[pieces] for pieces in sets]


def explore(explorer: Explorer, goals: Sequence[str], tries: int, seed: int) -> None:
    """Decide all sets if they are at most ``tries``; otherwise climb hills from a seed."""
    if len(explorer.requirement.space) <= tries:
        decide_all(explorer)
    else:
        climb(explorer, goals, tries, seed)


def decide_all(explorer: Explorer) -> None:
    """Decide every set of the space.

    First count all reveals for a sample, to learn which reveals refute most. For the other sets,
    try these reveals first.
    """
    space = explorer.requirement.space
    size = min(SAMPLE_SIZE, len(space))
    indices = frozenset(random.Random(0).sample(range(len(space)), size))
    sample = [pieces for index, pieces in enumerate(space) if index in indices]
    refuters = choose_refuters(explorer.requirement, explorer.decide(sample))
    sets = iter(space)
    while batch := list(itertools.islice(sets, BATCH_SIZE)):
        explorer.decide(batch, refuters, count_refuted=False)


def choose_refuters(requirement: Requirement, decisions: Iterable[Decision]) -> list[Reveal]:
    """Choose reveals greedily: each refutes the most sets that the earlier ones do not refute.

    Counting one reveal costs about a thirtieth of counting all. So stop at a reveal that refutes
    less than a thirtieth of the remaining sets.
    """
    reveals, refuters = requirement.reveals, list[Reveal]()
    refuted_counts = [d.counts for d in decisions if d.refuted_by is not None and d.counts]
    remaining = [dict(zip(reveals, counts, strict=True)) for counts in refuted_counts]
    while remaining:
        failures = {
            r: sum(counts[r] < requirement.at_least for counts in remaining) for r in reveals
        }
        best = max(reveals, key=failures.__getitem__)
        if 30 * failures[best] < len(remaining):
            break
        refuters.append(best)
        remaining = [counts for counts in remaining if counts[best] >= requirement.at_least]
    return refuters


def climb(explorer: Explorer, goals: Sequence[str], tries: int, seed: int) -> None:
    """Decide ``tries`` sets by hill climbing.

    Start from the best of a random batch and move to better neighbours. Restart after
    ``MAX_STALLED_BATCHES`` batches without progress.
    """
    generator = random.Random(seed)
    space = explorer.requirement.space
    key = partial(sort_key, requirement=explorer.requirement, goals=goals)
    current: Decision | None = None
    stalled_batches = 0
    for start in range(0, tries, CLIMB_BATCH_SIZE):
        size = min(CLIMB_BATCH_SIZE, tries - start)
        if current is None or stalled_batches == MAX_STALLED_BATCHES:
            current, stalled_batches = None, 0
            batch = [space.random_set(generator) for _ in range(size)]
        else:
            batch = [space.random_neighbour(current.pieces, generator) for _ in range(size)]
        best = min(explorer.decide(batch), key=key)
        if current and key(best) >= key(current):
            stalled_batches += 1
        else:
            current, stalled_batches = best, 0


def sort_key(
    decision: Decision, requirement: Requirement, goals: Sequence[str]
) -> tuple[object, ...]:
    """Return a key that sorts decisions with counts, the best first.

    The number of reveals that fail comes first, then the goals, then the names of the pieces.
    """
    failures = sum(count < requirement.at_least for count in decision.counts)
    return (failures, *(GOALS[goal](decision) for goal in goals), decision.pieces)


def sort_best_first(
    decisions: Iterable[Decision], requirement: Requirement, goals: Sequence[str]
) -> Iterator[Decision]:
    """Yield the decisions on sets that are not refuted, the best first."""
    suitable = (decision for decision in decisions if decision.refuted_by is None)
    yield from sorted(suitable, key=partial(sort_key, requirement=requirement, goals=goals))
