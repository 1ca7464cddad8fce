"""The one place where many reveals are counted, and the counts of methods compared.

Each reveal, or part of one, is a task of an executor; a method never learns where it runs.
"""

from __future__ import annotations

import random
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, wait
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from satcal.counting.cubes import Cube, plans, remaining, shares
from satcal.counting.settings import Outcome, Settings, Status, add_work
from satcal.counting.tilings import diagram_for, tilings
from satcal.errors import BudgetExhausted, SatcalError, Stopped, TooLarge
from satcal.processes import GRACE, LocalProcesses, cores, memory_to_use
from satcal.puzzle.model import Puzzle, Reveal

if TYPE_CHECKING:
    from satcal.diagram.model import Progress

Task = tuple[Reveal, Cube]
"""What is counted by itself: a reveal, and the part of it."""
MakeExecutor = Callable[[int], Executor]
Recall = Callable[[Sequence[Reveal]], Mapping[Reveal, int]]
"""Returns the counts that are known of some reveals."""
Counted = tuple[Reveal, Outcome]

# What sat lists in the time that nobody minds: half a second for one date, two for a range.
# On boards of 50 cells it finds 200 tilings a second, or more (docs/large-boards.md).
OF_ONE_DATE, OF_A_RANGE = 250, 600


def new_executor(jobs: int, cluster: str | None = None) -> Executor:
    """Return an executor: of so many processes here, or of the workers of a cluster.

    Raises:
        As :func:`satcal.counting.cluster.connect`.
    """
    if cluster is None:
        return LocalProcesses(jobs)
    from satcal.counting.cluster import connect

    return connect(cluster, jobs)


@contextmanager
def executing(jobs: int, cluster: str | None = None) -> Iterator[Executor]:
    """Lend a :func:`new_executor`; an exception, such as Ctrl-C, ends it at once."""
    executor = new_executor(jobs, cluster)
    finished = False
    try:
        yield executor
        finished = True
    finally:
        executor.shutdown(wait=finished, cancel_futures=True)


def count_one(
    puzzle: Puzzle, reveal: Reveal, settings: Settings, deadline: float | None = None
) -> Outcome:
    """Return what the method says of one reveal; UNKNOWN if a budget ends it."""
    count, began = 0, time.perf_counter()
    work: dict[str, float] = {}
    try:
        if settings.method == "verified":
            from satcal.counting import verified

            count = verified.counts(puzzle, [reveal], deadline, settings.demands)[reveal]
        elif settings.at_once:
            diagram = diagram_for(puzzle, [reveal], settings, deadline)
            count = diagram.count(reveal, settings.demands)
            work["nodes"] = diagram.diagram.nodes
        else:
            for _ in tilings(puzzle, reveal, settings, deadline, work):
                count += 1
        ended = Outcome(Status.EXACT, count)
    except BudgetExhausted as stop:
        ended = Outcome.of(stop, count)
    return replace(ended, work={**work, "seconds": time.perf_counter() - began})


def count_reveals(
    puzzle: Puzzle,
    reveals: Iterable[Reveal],
    settings: Settings,
    make_executor: MakeExecutor | None = None,
    on_layer: Progress | None = None,
    recall: Recall | None = None,
) -> Generator[Counted, None, None]:
    """Yield each distinct reveal with its outcome, as they are finished.

    After the time limit the rest comes as UNKNOWN. Closing the iterator, or
    an exception such as Ctrl-C while it waits, ends the workers at once.

    ``make_executor`` makes the executor for a number of jobs (None: as the
    settings say), ``on_layer`` is told of each layer of a diagram, and
    ``recall`` asked what is known where one diagram does not do for all reveals.
    """
    limit = settings.time_limit
    deadline = time.monotonic() + limit if limit is not None else None
    run = _Run(puzzle, settings, deadline, on_layer)
    todo = list(dict.fromkeys(reveals))
    began = time.perf_counter()
    if settings.at_once:
        yield from run.by_diagram(todo, recall)
        return
    try:
        if settings.method == "verified" and settings.cubes is None:
            from satcal.counting import verified

            counts = verified.counts(puzzle, todo, deadline, settings.demands)
            yield from _exact(counts, {"seconds": time.perf_counter() - began})
        elif tasks := tasks_of(puzzle, todo, settings, deadline):
            jobs = min(settings.jobs or cores(), len(tasks))
            make = make_executor or (lambda jobs: new_executor(jobs, settings.cluster))
            yield from run.by_tasks(tasks, make(jobs))
    except BudgetExhausted as stop:  # before the first was counted
        yield from ((reveal, Outcome.of(stop)) for reveal in todo)


def exact_counts(
    puzzle: Puzzle, reveals: Iterable[Reveal], settings: Settings
) -> Iterator[tuple[Reveal, int]]:
    """Yield each distinct reveal with its number of tilings, as they are finished.

    Raises:
        As :meth:`Outcome.require`, for the first that is not exact.
    """
    for reveal, outcome in count_reveals(puzzle, reveals, settings):
        yield reveal, outcome.require(reveal)


def tasks_of(
    puzzle: Puzzle, reveals: list[Reveal], settings: Settings, deadline: float | None = None
) -> list[Task]:
    """Return whole reveals, or the cubes of each; raises as :func:`plans`."""
    if settings.cubes is None:
        return [(reveal, ()) for reveal in reveals]
    planned = plans(puzzle, reveals, settings.cubes, settings, deadline)
    return [(reveal, cube) for reveal, cubes in planned for cube in cubes]


def run_task(puzzle: Puzzle, task: Task, settings: Settings, until: float | None) -> Outcome:
    """Return what the method says of a task, errors as outcomes, in a worker.

    ``until`` is a reading of the wall clock, which other machines have too.
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
        return Outcome.of(error)
    except MemoryError:
        return Outcome(Status.ERROR, 0, "out of memory; use fewer --jobs", 3)


def run_share(puzzle: Puzzle, task: Task, settings: Settings, until: float | None) -> Outcome:
    """Do a task by a diagram, within a worker's part of its machine's memory."""
    free = memory_to_use()
    if settings.memory_limit is None and free is not None:
        settings = replace(settings, memory_limit=free // cores())
    return run_task(puzzle, task, replace(settings, use_cache=False), until)


@dataclass(frozen=True)
class _Run:
    """What the counts of a run have in common; ``deadline`` is monotonic."""

    puzzle: Puzzle
    settings: Settings
    deadline: float | None
    on_layer: Progress | None

    @property
    def until(self) -> float | None:
        """The deadline by the wall clock."""
        return None if self.deadline is None else time.time() + self.deadline - time.monotonic()

    def by_tasks(self, tasks: Sequence[Task], executor: Executor) -> Iterator[Counted]:
        """Yield each reveal when its last task is done."""
        futures: dict[Future[Outcome], Reveal] = {}
        left = Counter(reveal for reveal, _ in tasks)
        parts: dict[Reveal, list[Outcome]] = defaultdict(list)
        try:
            for task in tasks:
                future = executor.submit(run_task, self.puzzle, task, self.settings, self.until)
                futures[future] = task[0]
            for reveal, outcome in self.results(futures):
                parts[reveal].append(outcome)
                left[reveal] -= 1
                if not left[reveal]:
                    yield reveal, added(parts.pop(reveal))
        finally:
            finished = all(future.done() for future in futures)
            executor.shutdown(wait=finished, cancel_futures=True)

    def results(self, futures: Mapping[Future[Outcome], Reveal]) -> Iterator[Counted]:
        """Yield outcomes as they come; after the deadline the rest is UNKNOWN."""
        order = {future: number for number, future in enumerate(futures)}
        pending = set(futures)
        while pending:
            # short waits: a signal is handled between them, whatever the executor is made of
            done, pending = wait(pending, timeout=0.2, return_when="FIRST_COMPLETED")
            for future in sorted(done, key=order.__getitem__):
                try:
                    outcome = future.result()
                except SatcalError as error:  # of the executor: a worker died, a cluster is lost
                    outcome = Outcome(Status.ERROR, 0, str(error), error.exit_code)
                yield futures[future], outcome
            if self.deadline is not None and time.monotonic() > self.deadline + GRACE:
                late = BudgetExhausted("stopped by the time limit")
                for future in sorted(pending, key=order.__getitem__):
                    if not future.done():
                        pending.discard(future)
                        yield futures[future], Outcome.of(late)

    def by_diagram(self, reveals: list[Reveal], recall: Recall | None) -> Iterator[Counted]:
        """Yield the outcomes of diagrams, built in this process."""
        left = dict.fromkeys(reveals)
        try:
            for reveal, outcome in self.in_parts(reveals, recall):
                del left[reveal]
                yield reveal, outcome
        except (Stopped, TooLarge) as error:  # the budget ran out, or the cluster was lost
            if isinstance(error, TooLarge) and len(left) == len(reveals):
                raise
            # of a part: what others have counted stays
            outcome = replace(Outcome.of(error), exit_code=Stopped.exit_code)
            yield from ((reveal, outcome) for reveal in left)

    def in_parts(self, reveals: list[Reveal], recall: Recall | None) -> Iterator[Counted]:
        """Yield exact outcomes, of as many reveals at once as fit into the memory limit."""
        try:
            counts, work = self.at_once(reveals)
        except TooLarge as error:  # its traceback holds what was built, so it must not be kept
            reason = str(error)
        else:
            yield from _exact(counts, work)
            return
        known = recall(reveals) if recall else {}
        if known:
            yield from _exact(known, {})
            parts = [[reveal for reveal in reveals if reveal not in known]]
        elif len(reveals) > 1:
            parts = [reveals[: len(reveals) // 2], reveals[len(reveals) // 2 :]]
        elif self.settings.cluster is None:
            raise TooLarge(reason)
        else:
            count = self.count_in_shares(reveals[0], self.settings.cluster)
            yield reveals[0], Outcome(Status.EXACT, count)
            return
        for part in filter(None, parts):
            yield from self.in_parts(part, None)

    def at_once(self, reveals: list[Reveal]) -> tuple[dict[Reveal, int], dict[str, float]]:
        """Return the counts by one diagram, and what it took."""
        demands, began = self.settings.demands, time.perf_counter()
        diagram = diagram_for(self.puzzle, reveals, self.settings, self.deadline, self.on_layer)
        if len(reveals) == 1:
            counts = {reveals[0]: diagram.count(reveals[0], demands)}
        else:
            counts = diagram.counts(demands)
        seconds = time.perf_counter() - began
        work = {"nodes": diagram.diagram.nodes, "seconds": seconds}
        return {reveal: counts[reveal] for reveal in reveals}, work

    def count_in_shares(self, reveal: Reveal, cluster: str) -> int:
        """Return the count of a reveal whose shares the workers of a cluster count."""
        settings = self.settings
        parts = shares(self.puzzle, reveal, settings.demands)
        total = 0
        with executing(min(settings.jobs or cores(), len(parts)), cluster) as executor:
            futures = {
                executor.submit(run_share, self.puzzle, (reveal, ()), share, self.until): reveal
                for share in (replace(settings, demands=part) for part in parts)
            }
            for done, (_, outcome) in enumerate(self.results(futures), start=1):
                if outcome.exit_code == TooLarge.exit_code:
                    raise TooLarge(outcome.message)
                total += outcome.require(reveal)
                if self.on_layer is not None:
                    self.on_layer("shares", done, len(parts), len(parts) - done)
        return total


def added(parts: Sequence[Outcome]) -> Outcome:
    """Return the outcome of a whole: exact if every part is."""
    worst = max(parts, key=lambda part: list(Status).index(part.status))
    work: dict[str, float] = {}
    for part in parts:
        add_work(work, part.work)
    return replace(worst, tilings=sum(part.tilings for part in parts), work=work)


def _exact(counts: Mapping[Reveal, int], work: Mapping[str, float]) -> Iterator[Counted]:
    """Yield exact outcomes of what was counted at once; the first has the work of all."""
    for number, (reveal, count) in enumerate(counts.items()):
        yield reveal, Outcome(Status.EXACT, count, work={} if number else dict(work))


def differences(counts: Mapping[str, Mapping[Reveal, int]], reveals: Iterable[Reveal]) -> list[str]:
    """Return a sentence for each reveal whose exact counts, by method, differ."""
    differing = []
    for reveal in dict.fromkeys(reveals):
        known = {method: exact[reveal] for method, exact in counts.items() if reveal in exact}
        if len(set(known.values())) > 1:
            each = ", ".join(f"{method} counts {count:,}" for method, count in known.items())
            differing.append(f"{' '.join(reveal) or 'the board'}: {each}")
    return differing


def choose_sample(puzzle: Puzzle, counts: Mapping[Reveal, int], size: int) -> list[Reveal]:
    """Return the reveal of fewest tilings, and others, always the same."""
    if not counts or not size:
        return []
    fewest = min(counts, key=counts.__getitem__)
    rest = [reveal for reveal in counts if reveal != fewest]
    first, last = next(iter(counts)), next(reversed(list(counts)))
    random.Random(f"{puzzle.digest} {first} {last} {len(counts)}").shuffle(rest)
    return [fewest, *rest[: size - 1]]


def affordable(sample: Sequence[Reveal], counts: Mapping[Reveal, int]) -> list[Reveal]:
    """Return those of a sample, in order, that sat can count again at once."""
    left = OF_ONE_DATE if len(counts) == 1 else OF_A_RANGE
    chosen = []
    for reveal in sample:
        if counts[reveal] <= left:
            chosen.append(reveal)
            left -= counts[reveal]
    return chosen
