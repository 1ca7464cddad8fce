"""Runs: reveals counted by one method after another, with a store that recalls and records."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from satcal.counting.count import Tally, count_reveals, new_executor
from satcal.counting.outcomes import Outcome, Status
from satcal.counting.settings import Assignment
from satcal.errors import InputError
from satcal.puzzle.model import Reveal
from satcal.store.resuming import Keeper

if TYPE_CHECKING:
    from satcal.progress import Progress


@dataclass(frozen=True)
class Audience:
    """What is called during a run: for each finished reveal, and for each layer of a diagram.

    ``executor`` is called with the processes, or the cluster, that begin to work.
    """

    outcome: Callable[[Reveal, Outcome], None] = lambda reveal, outcome: None
    layer: Progress = lambda done, total, what: None
    executor: Callable[[Executor], None] = lambda executor: None


MakeAudience = Callable[[Assignment], AbstractContextManager[Audience]]
"""Called with what is left to count; ends with it."""


@contextmanager
def nobody(assignment: Assignment) -> Iterator[Audience]:
    """An audience that does nothing."""
    yield Audience()


def count_and_keep(
    assignment: Assignment,
    keeper: Keeper,
    make_audience: MakeAudience = nobody,
    diagram_first: bool = False,
) -> Tally:
    """What a run counts, as far as it comes: Ctrl-C ends it, and what is counted stays.

    What the store knows is not counted again; what is finished is stored at once.
    ``diagram_first`` asks the store only if one diagram does not do, which answers faster.

    Raises:
        InputError: a reveal cannot be asked about so.
        As :meth:`Keeper.recall`.
    """
    tally = Tally(assignment.method.name, list(assignment.question.reveals))
    try:
        if not diagram_first:
            recalled = keeper.recall(assignment.question, assignment.method)
            tally.outcomes |= {reveal: Outcome(Status.EXACT, n) for reveal, n in recalled.items()}
            tally.recalled |= recalled.keys()
        todo = [reveal for reveal in tally.wanted if reveal not in tally.outcomes]
        if todo:
            _count(tally, assignment.about(*todo), keeper, make_audience, diagram_first)
    except KeyboardInterrupt:
        tally.interrupted = True
    return tally


def _count(
    tally: Tally,
    assignment: Assignment,
    keeper: Keeper,
    make_audience: MakeAudience,
    diagram_first: bool,
) -> None:
    """Count what is left to count; arguments as for :func:`count_and_keep`."""
    question, method = assignment.question, assignment.method
    unsaved: dict[Reveal, int] = {}

    def recall(reveals: Sequence[Reveal]) -> Mapping[Reveal, int]:
        known = keeper.recall(question.about(*reveals), method)
        tally.recalled |= known.keys()
        return known

    def save() -> None:
        keeper.record(question, method, unsaved)
        unsaved.clear()

    def make_executor(jobs: int) -> Executor:
        executor = new_executor(jobs, assignment.run.cluster)
        audience.executor(executor)
        return executor

    def on_layer(done: int, total: int, what: str) -> None:
        save()  # a diagram's counts come all at once, and then perhaps the next diagram
        audience.layer(done, total, what)

    with ExitStack() as ends:
        ends.callback(save)
        audience = ends.enter_context(make_audience(assignment))
        results = count_reveals(
            assignment, make_executor, on_layer, recall if diagram_first else None
        )
        for reveal, outcome in ends.enter_context(closing(results)):
            if outcome.exit_code == InputError.exit_code:
                outcome.require(reveal)
            tally.outcomes[reveal] = outcome
            if outcome.status is Status.EXACT and reveal not in tally.recalled:
                unsaved[reveal] = outcome.tilings
            if not assignment.by_one_diagram:
                save()
            audience.outcome(reveal, outcome)


def count_in_turn(
    assignments: Sequence[Assignment],
    seconds: float | None,
    keeper: Keeper,
    make_audience: MakeAudience = nobody,
) -> list[Tally]:
    """What several methods count, one after the other, in so many seconds; Ctrl-C ends all."""
    began = time.monotonic()
    tallies: list[Tally] = []
    for assignment in assignments:
        limited = replace(assignment.run, time_limit=left_of(seconds, began))
        tallies.append(count_and_keep(replace(assignment, run=limited), keeper, make_audience))
        if tallies[-1].interrupted:
            break
    return tallies


def left_of(limit: float | None, began: float) -> float | None:
    """What is left of a time limit, in seconds; ``began`` is a ``time.monotonic()`` reading."""
    return None if limit is None else max(0.0, limit - (time.monotonic() - began))
