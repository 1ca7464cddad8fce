"""Counting many reveals: each one a task of an executor, by default of local processes.

The seam is :class:`concurrent.futures.Executor`; a method never learns where it runs.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Executor, Future, wait
from concurrent.futures.process import BrokenProcessPool
from typing import TYPE_CHECKING

from satcal.counting.methods import Outcome, Settings, Status, count_one, diagram_for
from satcal.errors import BY_EXIT_CODE, BudgetExhausted, SatcalError
from satcal.processes import GRACE, WORKER_DIED, cores, local_processes, shut_down
from satcal.puzzle.model import Puzzle, Reveal

if TYPE_CHECKING:
    from satcal.counting.diagram.model import Progress

MakeExecutor = Callable[[int], Executor]


def count_reveals(
    puzzle: Puzzle,
    reveals: Iterable[Reveal],
    settings: Settings,
    make_executor: MakeExecutor | None = None,
    on_layer: Progress | None = None,
) -> Generator[tuple[Reveal, Outcome], None, None]:
    """Yield each distinct reveal with its outcome, as they are finished.

    After the time limit the rest comes as UNKNOWN. Closing the iterator, or an exception such
    as Ctrl-C while it waits, ends the workers at once.

    Args:
        puzzle: the puzzle.
        reveals: what to count; a reveal given twice is counted once.
        settings: method, budgets, number of jobs.
        make_executor: makes the executor for a number of jobs.
        on_layer: told of each layer of a diagram.
    """
    todo = list(dict.fromkeys(reveals))
    deadline = time.monotonic() + settings.time_limit if settings.time_limit is not None else None
    if settings.method == "diagram" and not settings.up_to_symmetry:
        yield from _by_diagram(puzzle, todo, settings, deadline, on_layer)
        return
    jobs = max(1, min(settings.jobs or cores(), len(todo)))
    executor = (make_executor or local_processes)(jobs)
    futures: dict[Future[Outcome], Reveal] = {}
    try:
        for reveal in todo:
            futures[_submit(executor, puzzle, reveal, settings, deadline)] = reveal
        yield from _results(futures, deadline)
    finally:
        shut_down(executor, all(future.done() for future in futures))


def exact_counts(
    puzzle: Puzzle, reveals: Iterable[Reveal], settings: Settings
) -> Iterator[tuple[Reveal, int]]:
    """Yield each distinct reveal with its number of tilings, as they are finished.

    Raises:
        BudgetExhausted: a budget ended the run before all were counted.
        InputError, Disagreement, Stopped, Missing: a count failed; the text says why.
    """
    for reveal, outcome in count_reveals(puzzle, reveals, settings):
        if outcome.status is Status.UNKNOWN:
            raise BudgetExhausted(f"{' '.join(reveal)}: {outcome.message}", outcome.tilings)
        if outcome.status is Status.ERROR:
            raise BY_EXIT_CODE[outcome.exit_code](f"{' '.join(reveal)}: {outcome.message}")
        yield reveal, outcome.tilings


def _by_diagram(
    puzzle: Puzzle,
    reveals: list[Reveal],
    settings: Settings,
    deadline: float | None,
    on_layer: Progress | None,
) -> Iterator[tuple[Reveal, Outcome]]:
    """Yield the outcomes of one diagram: all reveals at once, in this process."""
    try:
        diagram = diagram_for(puzzle, reveals, settings, deadline, on_layer)
    except BudgetExhausted as stop:
        yield from ((r, Outcome(Status.UNKNOWN, 0, str(stop), stop.exit_code)) for r in reveals)
        return
    if len(reveals) == 1:
        yield reveals[0], Outcome(Status.EXACT, diagram.count(reveals[0], settings.demands))
        return
    counts = diagram.counts(settings.demands)
    yield from ((reveal, Outcome(Status.EXACT, counts[reveal])) for reveal in reveals)


def _submit(
    executor: Executor, puzzle: Puzzle, reveal: Reveal, settings: Settings, deadline: float | None
) -> Future[Outcome]:
    try:
        return executor.submit(_task, puzzle, reveal, settings, deadline)
    except BrokenProcessPool as error:  # a worker died while tasks were still handed out
        failed: Future[Outcome] = Future()
        failed.set_exception(error)
        return failed


def _results(
    futures: dict[Future[Outcome], Reveal], deadline: float | None
) -> Iterator[tuple[Reveal, Outcome]]:
    pending = set(futures)
    while pending:
        # short waits: a signal is handled between them, whatever the executor is made of
        done, pending = wait(pending, timeout=0.2, return_when="FIRST_COMPLETED")
        for future in sorted(done, key=lambda each: futures[each]):
            yield futures[future], _outcome(future)
        if deadline is not None and time.monotonic() > deadline + GRACE:
            for future in [each for each in futures if each in pending and not each.done()]:
                pending.discard(future)
                yield futures[future], Outcome(Status.UNKNOWN, 0, "stopped by the time limit", 3)


def _outcome(future: Future[Outcome]) -> Outcome:
    try:
        return future.result()
    except BrokenProcessPool:
        return Outcome(Status.ERROR, 0, WORKER_DIED, 3)


def _task(puzzle: Puzzle, reveal: Reveal, settings: Settings, deadline: float | None) -> Outcome:
    try:
        return count_one(puzzle, reveal, settings, deadline)
    except SatcalError as error:
        return Outcome(Status.ERROR, 0, str(error), error.exit_code)
    except MemoryError:
        return Outcome(Status.ERROR, 0, "out of memory; use fewer --jobs", 3)
