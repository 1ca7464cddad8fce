"""Counting many reveals: each one a task of an executor, by default of local processes.

The seam is :class:`concurrent.futures.Executor`; a method never learns where it runs.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from satcal.counting.cubes import Cube, plans, remaining
from satcal.counting.methods import Outcome, Settings, Status, count_one
from satcal.errors import BY_EXIT_CODE, BudgetExhausted, SatcalError, Stopped, TooLarge
from satcal.processes import GRACE, WORKER_DIED, cores, local_processes, shut_down
from satcal.puzzle.model import Puzzle, Reveal

if TYPE_CHECKING:
    from satcal.counting.diagram.model import Progress
    from satcal.counting.within import Recall

Task = tuple[Reveal, Cube]
"""What is counted by itself: a reveal, and the part of it."""
MakeExecutor = Callable[[int], Executor]
HandOut = Callable[[Executor, Task], Future[Outcome]]


def count_reveals(
    puzzle: Puzzle,
    reveals: Iterable[Reveal],
    settings: Settings,
    make_executor: MakeExecutor | None = None,
    on_layer: Progress | None = None,
    recall: Recall | None = None,
) -> Generator[tuple[Reveal, Outcome], None, None]:
    """Yield each distinct reveal with its outcome, as they are finished.

    After the time limit the rest comes as UNKNOWN. Closing the iterator, or an exception such
    as Ctrl-C while it waits, ends the workers at once.

    Args:
        puzzle: the puzzle.
        reveals: what to count; a reveal given twice is counted once.
        settings: method, budgets, number of jobs.
        make_executor: makes the executor for a number of jobs; None: :func:`maker`.
        on_layer: told of each layer of a diagram.
        recall: asked what is known where one diagram does not do for all reveals.
    """
    todo = list(dict.fromkeys(reveals))
    limit = settings.time_limit
    deadline = time.monotonic() + limit if limit is not None else None
    until = time.time() + limit if limit is not None else None
    if settings.method == "diagram" and not settings.up_to_symmetry:
        yield from _by_diagram(puzzle, todo, settings, deadline, on_layer, recall)
        return
    if settings.method == "verified" and settings.cubes is None:
        yield from _verified(puzzle, todo, deadline)
        return
    try:
        tasks = tasks_of(puzzle, todo, settings, deadline)
    except BudgetExhausted as stop:
        yield from ((r, Outcome(Status.UNKNOWN, 0, str(stop), stop.exit_code)) for r in todo)
        return
    jobs = max(1, min(settings.jobs or cores(), len(tasks)))
    make = make_executor or maker(settings)

    def hand_out(executor: Executor, task: Task) -> Future[Outcome]:
        return executor.submit(run_task, puzzle, task, settings, until)

    outcomes = _outcomes(tasks, jobs, make, hand_out, deadline)
    yield from _joined(outcomes, Counter(reveal for reveal, _ in tasks))


def tasks_of(
    puzzle: Puzzle, reveals: list[Reveal], settings: Settings, deadline: float | None = None
) -> list[Task]:
    """Return what is counted by itself: whole reveals, or the cubes of each.

    Raises:
        BudgetExhausted: the deadline passed before it was known where to cut.
    """
    if settings.cubes is None:
        return [(reveal, ()) for reveal in reveals]
    planned = plans(puzzle, reveals, settings.cubes, settings, deadline)
    return [(reveal, cube) for reveal, cubes in planned for cube in cubes]


def _joined(
    results: Iterable[tuple[Reveal, Outcome]], parts: Counter[Reveal]
) -> Iterator[tuple[Reveal, Outcome]]:
    """Yield each reveal when its last part is there: the sum, exact if every part is."""
    found: dict[Reveal, list[Outcome]] = defaultdict(list)
    for reveal, outcome in results:
        mine = found[reveal]
        mine.append(outcome)
        if len(mine) == parts[reveal]:
            worst = max(mine, key=lambda part: list(Status).index(part.status))
            yield reveal, replace(worst, tilings=sum(part.tilings for part in mine))
            del found[reveal]


def maker(settings: Settings) -> MakeExecutor:
    """Return what makes the executor that settings ask for: processes here, or a cluster."""
    if settings.cluster is None:
        return local_processes
    from satcal.cluster import connect

    return partial(connect, settings.cluster)


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
    recall: Recall | None,
) -> Iterator[tuple[Reveal, Outcome]]:
    """Yield the outcomes of diagrams: all reveals at once if memory suffices, in this process."""
    from satcal.counting.within import counts_in_parts

    left = dict.fromkeys(reveals)
    try:
        for counts in counts_in_parts(puzzle, reveals, settings, deadline, on_layer, recall):
            for reveal, tilings in counts.items():
                del left[reveal]
                yield reveal, Outcome(Status.EXACT, tilings)
    except Stopped as stop:  # a budget's end, or a cluster's
        status = Status.UNKNOWN if isinstance(stop, BudgetExhausted) else Status.ERROR
        yield from ((r, Outcome(status, 0, str(stop), stop.exit_code)) for r in left)
    except TooLarge as error:
        if len(left) == len(reveals):
            raise
        # of a part: what others have counted stays
        outcome = Outcome(Status.ERROR, 0, str(error), Stopped.exit_code)
        yield from ((reveal, outcome) for reveal in left)


def _verified(
    puzzle: Puzzle, reveals: list[Reveal], deadline: float | None
) -> Iterator[tuple[Reveal, Outcome]]:
    """Yield the outcomes of one run of the extracted program, which counts all reveals."""
    from satcal.counting.verified import counts

    try:
        for reveal, tilings in counts(puzzle, reveals, deadline).items():
            yield reveal, Outcome(Status.EXACT, tilings)
    except BudgetExhausted as stop:
        yield from ((r, Outcome(Status.UNKNOWN, 0, str(stop), stop.exit_code)) for r in reveals)


def _outcomes(
    tasks: Sequence[Task], jobs: int, make: MakeExecutor, hand_out: HandOut, deadline: float | None
) -> Iterator[tuple[Reveal, Outcome]]:
    """Yield the outcome of each task.

    A worker that dies takes with it all that its executor has left. That is handed out again,
    what may have been running one at a time: an error is only the task that ran alone.
    """
    batches = [(list(tasks), jobs)]
    for batch, width in batches:  # it may grow on the way
        futures: dict[Future[Outcome], int] = {}
        lost: list[int] = []
        executor = make(width)
        try:
            for number, task in enumerate(batch):
                futures[_submitted(executor, task, hand_out)] = number
            for number, outcome in _results(futures, deadline):
                if outcome is None:
                    lost.append(number)
                else:
                    yield batch[number][0], outcome
        finally:
            shut_down(executor, all(future.done() for future in futures))
        again = [batch[number] for number in sorted(lost)]  # they begin in this order
        if again and width == 1:
            yield again.pop(0)[0], Outcome(Status.ERROR, 0, WORKER_DIED, 3)
        rest = [(again[width:], width), (again[:width], 1)] if width > 1 else [(again, 1)]
        batches += [(part, count) for part, count in rest if part]


def _submitted(executor: Executor, task: Task, hand_out: HandOut) -> Future[Outcome]:
    try:
        return hand_out(executor, task)
    except BrokenProcessPool as error:  # a worker died while tasks were still handed out
        failed: Future[Outcome] = Future()
        failed.set_exception(error)
        return failed


def _results(
    futures: dict[Future[Outcome], int], deadline: float | None
) -> Iterator[tuple[int, Outcome | None]]:
    """Yield the numbers of tasks with their outcomes, None for one that was lost."""
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


def _outcome(future: Future[Outcome]) -> Outcome | None:
    try:
        return future.result()
    except BrokenProcessPool:
        return None
    except SatcalError as error:  # of the executor: a cluster that is lost or refused
        return Outcome(Status.ERROR, 0, str(error), error.exit_code)


def run_task(puzzle: Puzzle, task: Task, settings: Settings, until: float | None) -> Outcome:
    """Return what the method says of a task, errors as outcomes; this runs in the workers.

    ``until`` is a reading of the wall clock, which alone means the same on another machine.
    """
    reveal, cube = task
    deadline = time.monotonic() + until - time.time() if until is not None else None
    try:
        if cube:
            puzzle, reveal = remaining(puzzle, reveal, cube), ()
            if not puzzle.cells:
                return Outcome(Status.EXACT, 1)
        return count_one(puzzle, reveal, settings, deadline)
    except SatcalError as error:
        return Outcome(Status.ERROR, 0, str(error), error.exit_code)
    except MemoryError:
        return Outcome(Status.ERROR, 0, "out of memory; use fewer --jobs", 3)
