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
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from satcal.counting.cluster import connect, unmanned
from satcal.counting.cubes import Cube, plans, remaining, shares
from satcal.counting.outcomes import Outcome, Status, add_work
from satcal.counting.settings import (
    Assignment,
    ByDiagram,
    ByVerified,
    Method,
    Question,
)
from satcal.counting.tilings import counts_for, tilings
from satcal.errors import BudgetExhausted, SatcalError, Stopped, TooLarge
from satcal.processes import GRACE, LocalProcesses, cores, memory_to_use
from satcal.puzzle.model import Puzzle, Reveal

if TYPE_CHECKING:
    from satcal.progress import Progress

Task = tuple[Reveal, Cube]
"""What is counted by itself: a reveal, and the part of it."""
MakeExecutor = Callable[[int], Executor]
Recall = Callable[[Sequence[Reveal]], Mapping[Reveal, int]]
"""The counts that are known of some reveals."""
RevealOutcome = tuple[Reveal, Outcome]

# What sat lists in the time that nobody minds: half a second for one date, two for a range.
# On boards of 50 cells it finds 200 tilings a second, or more (docs/explanation/large-boards.md).
OF_ONE_DATE, OF_A_RANGE = 250, 600


def new_executor(jobs: int, cluster: str | None = None) -> Executor:
    """An executor: of so many processes here, or of the workers of a cluster.

    Raises:
        As :func:`satcal.counting.cluster.connect`.
    """
    return LocalProcesses(jobs) if cluster is None else connect(cluster, jobs)


@contextmanager
def executing(jobs: int, cluster: str | None = None) -> Iterator[Executor]:
    """Context manager for a :func:`new_executor`; an exception, such as Ctrl-C, ends it at once."""
    executor = new_executor(jobs, cluster)
    finished = False
    try:
        yield executor
        finished = True
    finally:
        executor.shutdown(wait=finished, cancel_futures=True)


def count_one(question: Question, method: Method, deadline: float | None = None) -> Outcome:
    """What the method says of a question about one reveal; UNKNOWN if a budget ends it."""
    method.check_question(question)
    count, began = 0, time.perf_counter()
    work: dict[str, float] = {}
    try:
        if isinstance(method, ByVerified):
            from satcal.counting import verified

            count = sum(verified.counts(question, deadline).values())
        elif isinstance(method, ByDiagram) and not question.up_to_symmetry:
            counts, work["nodes"] = counts_for(question, method, deadline)
            count = sum(counts.values())
        else:
            for _ in tilings(question, method, deadline, work):
                count += 1
        ended = Outcome(Status.EXACT, count)
    except BudgetExhausted as stop:
        ended = Outcome.of(stop, count)
    return replace(ended, work={**work, "seconds": time.perf_counter() - began})


def count_reveals(
    assignment: Assignment,
    make_executor: MakeExecutor | None = None,
    on_layer: Progress | None = None,
    recall: Recall | None = None,
) -> Generator[RevealOutcome, None, None]:
    """Yield each distinct reveal with its outcome, as they are finished.

    After the time limit the rest comes as UNKNOWN. Closing the iterator, or
    an exception such as Ctrl-C while it waits, ends the workers at once.

    ``make_executor`` makes the executor for a number of jobs (None: as the
    run says), ``on_layer`` is called for each layer of a diagram, and
    ``recall`` for what is known where one diagram does not do for all reveals.
    """
    todo = list(dict.fromkeys(assignment.question.reveals))
    assignment = assignment.about(*todo)
    question, run = assignment.question, assignment.run
    deadline, began = run.deadline(), time.perf_counter()
    counting = _Counting(question, assignment.method, deadline, run.jobs, run.cluster, on_layer)
    if assignment.by_one_diagram:
        yield from counting.by_diagram(todo, recall)
        return
    try:
        if isinstance(assignment.method, ByVerified):
            from satcal.counting import verified

            counts = verified.counts(question, deadline)
            yield from _exact(counts, {"seconds": time.perf_counter() - began})
        elif tasks := tasks_of(assignment, deadline):
            jobs = min(run.jobs or cores(), len(tasks))
            make = make_executor or (lambda jobs: new_executor(jobs, run.cluster))
            yield from counting.by_tasks(tasks, make(jobs))
    except BudgetExhausted as stop:  # before the first was counted
        yield from ((reveal, Outcome.of(stop)) for reveal in todo)


def exact_counts(
    assignment: Assignment, make_executor: MakeExecutor | None = None
) -> Iterator[tuple[Reveal, int]]:
    """Yield each distinct reveal with its number of tilings, as they are finished.

    Raises:
        As :meth:`Outcome.require`, at the end, for the first that is not exact.
    """
    failed: dict[Reveal, Outcome] = {}
    for reveal, outcome in count_reveals(assignment, make_executor):
        if outcome.status is Status.EXACT:
            yield reveal, outcome.tilings
        else:
            failed[reveal] = outcome
    if failed:
        (reveal, outcome), *others = failed.items()
        outcome.require((*reveal, f"and {len(others):,} more") if others else reveal)


def tasks_of(assignment: Assignment, deadline: float | None = None) -> list[Task]:
    """Whole reveals, or the cubes of each; raises as :func:`plans`."""
    question, cubes = assignment.question, assignment.run.cubes
    if cubes is None:
        return [(reveal, ()) for reveal in question.reveals]
    planned = plans(question, cubes, deadline)
    return [(reveal, cube) for reveal, parts in planned for cube in parts]


def run_task(question: Question, cube: Cube, method: Method, until: float | None) -> Outcome:
    """What the method says of one reveal, or of a cube of it, errors as outcomes, in a worker.

    ``until`` is a reading of the wall clock, which other machines have too.
    """
    deadline = time.monotonic() + until - time.time() if until is not None else None
    try:
        if cube:
            rest = remaining(question.puzzle, question.reveal, cube)
            if not rest.cells:
                return Outcome(Status.EXACT, 1)
            question = Question(rest, [()])
        return count_one(question, method, deadline)
    except SatcalError as error:
        return Outcome.of(error)
    except MemoryError:
        return Outcome(Status.ERROR, 0, "out of memory; use fewer --jobs", 3)


def run_share(question: Question, method: ByDiagram, until: float | None) -> Outcome:
    """What a diagram says of one reveal, within a worker's part of its machine's memory."""
    free = memory_to_use()
    if method.memory_limit is None and free is not None:
        method = replace(method, memory_limit=free // cores())
    return run_task(question, (), replace(method, use_cache=False), until)


@dataclass(frozen=True)
class _Counting:
    """What the counts of a run have in common; ``deadline`` is monotonic."""

    question: Question
    method: Method
    deadline: float | None
    jobs: int | None
    cluster: str | None
    on_layer: Progress | None

    @property
    def until(self) -> float | None:
        """The deadline by the wall clock."""
        return None if self.deadline is None else time.time() + self.deadline - time.monotonic()

    def by_tasks(self, tasks: Sequence[Task], executor: Executor) -> Iterator[RevealOutcome]:
        """Yield each reveal when its last task is done."""
        futures: dict[Future[Outcome], Reveal] = {}
        left = Counter(reveal for reveal, _ in tasks)
        parts: dict[Reveal, list[Outcome]] = defaultdict(list)
        try:
            for reveal, cube in tasks:
                asked = self.question.about(reveal)
                future = executor.submit(run_task, asked, cube, self.method, self.until)
                futures[future] = reveal
            for reveal, outcome in self.results(futures, executor):
                parts[reveal].append(outcome)
                left[reveal] -= 1
                if not left[reveal]:
                    yield reveal, added(parts.pop(reveal))
        finally:
            finished = all(future.done() for future in futures)
            executor.shutdown(wait=finished, cancel_futures=True)

    def results(
        self, futures: Mapping[Future[Outcome], Reveal], executor: Executor
    ) -> Iterator[RevealOutcome]:
        """Yield outcomes as they come; after the deadline the rest is UNKNOWN."""
        order = {future: index for index, future in enumerate(futures)}
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
                late = BudgetExhausted(f"stopped by the time limit{unmanned(executor)}")
                for future in sorted(pending, key=order.__getitem__):
                    if not future.done():
                        pending.discard(future)
                        yield futures[future], Outcome.of(late)

    def by_diagram(self, reveals: list[Reveal], recall: Recall | None) -> Iterator[RevealOutcome]:
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

    def in_parts(self, reveals: list[Reveal], recall: Recall | None) -> Iterator[RevealOutcome]:
        """Yield exact outcomes, of as many reveals at once as fit into the memory limit."""
        try:
            counts, work = self.count_by_one_diagram(reveals)
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
        elif self.cluster is None:
            raise TooLarge(reason)
        else:
            count = self.count_in_shares(reveals[0], self.cluster)
            yield reveals[0], Outcome(Status.EXACT, count)
            return
        for part in filter(None, parts):
            yield from self.in_parts(part, None)

    @property
    def diagram_method(self) -> ByDiagram:
        """The method, where it is the diagram."""
        assert isinstance(self.method, ByDiagram)
        return self.method

    def count_by_one_diagram(
        self, reveals: list[Reveal]
    ) -> tuple[dict[Reveal, int], dict[str, float]]:
        """The counts by one diagram, and what it took."""
        began, asked = time.perf_counter(), self.question.about(*reveals)
        counts, nodes = counts_for(asked, self.diagram_method, self.deadline, self.on_layer)
        return counts, {"nodes": nodes, "seconds": time.perf_counter() - began}

    def count_in_shares(self, reveal: Reveal, cluster: str) -> int:
        """The count of a reveal whose shares the workers of a cluster count."""
        asked = self.question.about(reveal)
        parts = [replace(asked, demands=part) for part in shares(asked)]
        total = 0
        with executing(min(self.jobs or cores(), len(parts)), cluster) as executor:
            futures = {
                executor.submit(run_share, part, self.diagram_method, self.until): reveal
                for part in parts
            }
            for done, (_, outcome) in enumerate(self.results(futures, executor), start=1):
                if outcome.exit_code == TooLarge.exit_code:
                    raise TooLarge(outcome.message)
                total += outcome.require(reveal)
                if self.on_layer is not None:
                    self.on_layer(done, len(parts), "shares of the diagram")
        return total


def added(parts: Sequence[Outcome]) -> Outcome:
    """The outcome of all parts together: exact if every part is."""
    worst = max(parts, key=lambda part: list(Status).index(part.status))
    work: dict[str, float] = {}
    for part in parts:
        add_work(work, part.work)
    return replace(worst, tilings=sum(part.tilings for part in parts), work=work)


def _exact(counts: Mapping[Reveal, int], work: Mapping[str, float]) -> Iterator[RevealOutcome]:
    """Yield exact outcomes of what was counted at once; the first has the work of all."""
    for index, (reveal, count) in enumerate(counts.items()):
        yield reveal, Outcome(Status.EXACT, count, work={} if index else dict(work))


@dataclass
class Tally:
    """What one method says of the wanted reveals, as far as it came.

    ``recalled`` are those whose number is from a store: it was not counted in this run.
    """

    method: str
    wanted: list[Reveal]
    outcomes: dict[Reveal, Outcome] = field(default_factory=dict)
    recalled: set[Reveal] = field(default_factory=set)
    interrupted: bool = False

    @property
    def counts(self) -> dict[Reveal, int]:
        """The exact counts, recalled or fresh."""
        return {r: o.tilings for r, o in self.outcomes.items() if o.status is Status.EXACT}

    @property
    def work(self) -> dict[str, float]:
        """What it took; what the store knew took nothing."""
        total: dict[str, float] = {}
        for outcome in self.outcomes.values():
            add_work(total, outcome.work)
        return total

    @property
    def missing(self) -> int:
        """How many of the wanted reveals have no exact count."""
        return len(self.wanted) - len(self.counts)

    @property
    def fresh(self) -> dict[Reveal, int]:
        """The exact counts of this run."""
        return {r: n for r, n in self.counts.items() if r not in self.recalled}

    def by_source(self) -> dict[str, dict[Reveal, int]]:
        """The exact counts by where they are from: the method itself, or a store."""
        stored = {r: n for r, n in self.counts.items() if r in self.recalled}
        return {self.method: self.fresh, f"{self.method} from the store": stored}


@dataclass(frozen=True)
class Comparison:
    """What another source says of the counts of a run: on ``common`` reveals it has a number."""

    source: str
    common: int
    differing: int


def compare(counts: Mapping[Reveal, int], source: str, others: Mapping[Reveal, int]) -> Comparison:
    """The comparison of counts with those of another source."""
    common = [reveal for reveal in counts if reveal in others]
    differing = sum(counts[reveal] != others[reveal] for reveal in common)
    return Comparison(source, len(common), differing)


def differences(sources: Iterable[Mapping[str, Mapping[Reveal, int]]]) -> list[str]:
    """A sentence for each reveal of which sources, each named, have different counts."""
    said: dict[Reveal, dict[str, int]] = defaultdict(dict)
    for by_source in sources:
        for source, counts in by_source.items():
            for reveal, count in counts.items():
                said[reveal][source] = count
    return [
        f"{' '.join(reveal) or 'the board'}: "
        + ", ".join(f"{source} says {count:,}" for source, count in known.items())
        for reveal, known in said.items()
        if len(set(known.values())) > 1
    ]


def choose_sample(puzzle: Puzzle, counts: Mapping[Reveal, int], size: int) -> list[Reveal]:
    """The reveal of fewest tilings, and others, always the same."""
    if not counts or not size:
        return []
    fewest = min(counts, key=counts.__getitem__)
    rest = [reveal for reveal in counts if reveal != fewest]
    first, last = next(iter(counts)), next(reversed(list(counts)))
    random.Random(f"{puzzle.digest} {first} {last} {len(counts)}").shuffle(rest)
    return [fewest, *rest[: size - 1]]


def affordable(sample: Sequence[Reveal], counts: Mapping[Reveal, int]) -> list[Reveal]:
    """The reveals of a sample, in order, that sat can count again at once."""
    left = OF_ONE_DATE if len(counts) == 1 else OF_A_RANGE
    chosen = []
    for reveal in sample:
        if counts[reveal] <= left:
            chosen.append(reveal)
            left -= counts[reveal]
    return chosen
