"""Counting many reveals, by one method after another, and saying whether the methods agree.

Each reveal, or part of one, is a task of an executor; a method never learns where it runs.
"""

from __future__ import annotations

import random
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, wait
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Generic, TypeVar

from satcal.counting.cubes import Cube, plans, remaining, shares
from satcal.counting.executors import executing, maker, shut_down
from satcal.counting.settings import Outcome, Settings, Status
from satcal.counting.tilings import diagram_for, tilings
from satcal.errors import BY_EXIT_CODE, BudgetExhausted, SatcalError, Stopped, TooLarge
from satcal.processes import GRACE, cores, memory_to_use
from satcal.puzzle.model import Puzzle, Reveal

if TYPE_CHECKING:
    from satcal.diagram.model import Progress

Task = tuple[Reveal, Cube]
"""What is counted by itself: a reveal, and the part of it."""
MakeExecutor = Callable[[int], Executor]
HandOut = Callable[[Executor, Task], Future[Outcome]]
Recall = Callable[[Sequence[Reveal]], Mapping[Reveal, int]]
"""Returns the counts that are known of some reveals."""
Key = TypeVar("Key")

SAMPLE = 4  # dates of a range that are counted again unless asked otherwise
# What sat lists in the time that nobody minds: half a second for one date, two for a range. On
# boards of 50 cells it finds 200 tilings a second, or more (docs/large-boards.md).
OF_ONE_DATE, OF_A_RANGE = 250, 600


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
    make = make_executor or maker(settings.cluster)

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


def exact_counts(
    puzzle: Puzzle, reveals: Iterable[Reveal], settings: Settings
) -> Iterator[tuple[Reveal, int]]:
    """Yield each distinct reveal with its number of tilings, as they are finished.

    Raises:
        BudgetExhausted: a budget ended the run before all were counted.
        InputError, Disagreement, Stopped, Missing: a count failed; the text says why.
    """
    for reveal, outcome in count_reveals(puzzle, reveals, settings):
        raise_unless_exact(reveal, outcome)
        yield reveal, outcome.tilings


def raise_unless_exact(reveal: Reveal, outcome: Outcome) -> None:
    """Raise the error that an outcome other than a count stands for, with the reveal's name."""
    if outcome.status is Status.UNKNOWN:
        raise BudgetExhausted(f"{' '.join(reveal)}: {outcome.message}", outcome.tilings)
    if outcome.status is Status.ERROR:
        raise BY_EXIT_CODE[outcome.exit_code](f"{' '.join(reveal)}: {outcome.message}")


def _by_diagram(
    puzzle: Puzzle,
    reveals: list[Reveal],
    settings: Settings,
    deadline: float | None,
    on_layer: Progress | None,
    recall: Recall | None,
) -> Iterator[tuple[Reveal, Outcome]]:
    """Yield the outcomes of diagrams: all reveals at once if memory suffices, in this process."""
    left = dict.fromkeys(reveals)
    try:
        for counts in _counts_of_parts(puzzle, reveals, settings, deadline, on_layer, recall):
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


def _counts_of_parts(
    puzzle: Puzzle,
    reveals: list[Reveal],
    settings: Settings,
    deadline: float | None,
    on_layer: Progress | None,
    recall: Recall | None,
) -> Iterator[Mapping[Reveal, int]]:
    """Yield the counts of reveals, as many at once as fit into the memory limit.

    ``recall`` is asked for what is known already, if one diagram does not do for all.

    Raises:
        BudgetExhausted: the deadline passed.
        TooLarge: the limit is too small even for one reveal, or for a share of it.
        PlacementError: something is placed on a cell that a reveal leaves uncovered.
    """
    counts = _at_once(puzzle, reveals, settings, deadline, on_layer)
    if not isinstance(counts, str):
        yield counts
        return
    known = recall(reveals) if recall else {}
    if known:
        yield known
        parts = [[reveal for reveal in reveals if reveal not in known]]
    elif len(reveals) > 1:
        parts = [reveals[: len(reveals) // 2], reveals[len(reveals) // 2 :]]
    elif settings.cluster is None:
        raise TooLarge(counts)
    else:
        yield {reveals[0]: _in_shares(puzzle, reveals[0], settings, deadline, on_layer)}
        return
    for part in filter(None, parts):
        yield from _counts_of_parts(puzzle, part, settings, deadline, on_layer, None)


def _at_once(
    puzzle: Puzzle,
    reveals: list[Reveal],
    settings: Settings,
    deadline: float | None,
    on_layer: Progress | None,
) -> dict[Reveal, int] | str:
    """Return the counts from one diagram; if it is too large, why."""
    try:
        diagram = diagram_for(puzzle, reveals, settings, deadline, on_layer)
    except TooLarge as error:  # its traceback holds what was built, so it must not be kept
        return str(error)
    if len(reveals) == 1:
        return {reveals[0]: diagram.count(reveals[0], settings.demands)}
    counts = diagram.counts(settings.demands)
    return {reveal: counts[reveal] for reveal in reveals}


def _in_shares(
    puzzle: Puzzle,
    reveal: Reveal,
    settings: Settings,
    deadline: float | None,
    on_layer: Progress | None,
) -> int:
    """Return the count of a reveal whose shares the workers of a cluster count by diagrams."""
    parts = [replace(settings, demands=each) for each in shares(puzzle, reveal, settings.demands)]
    until = time.time() + deadline - time.monotonic() if deadline is not None else None
    total = 0
    with executing(min(settings.jobs or cores(), len(parts)), settings.cluster) as executor:
        futures = {
            executor.submit(count_share, puzzle, reveal, part, until): reveal for part in parts
        }
        for done, (_, outcome) in enumerate(_results(futures, deadline), start=1):
            if outcome.exit_code == TooLarge.exit_code:
                raise TooLarge(outcome.message)
            raise_unless_exact(reveal, outcome)
            total += outcome.tilings
            if on_layer is not None:
                on_layer("shares", done, len(parts), len(parts) - done)
    return total


def count_share(puzzle: Puzzle, reveal: Reveal, settings: Settings, until: float | None) -> Outcome:
    """Return the outcome of a share, within this worker's part of what its machine has free."""
    free = memory_to_use()
    if settings.memory_limit is None and free is not None:
        settings = replace(settings, memory_limit=free // cores())
    return run_task(puzzle, (reveal, ()), replace(settings, use_cache=False), until)


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
    """Yield the outcome of each task."""
    futures: dict[Future[Outcome], Reveal] = {}
    executor = make(jobs)
    try:
        for task in tasks:
            futures[hand_out(executor, task)] = task[0]
        yield from _results(futures, deadline)
    finally:
        shut_down(executor, all(future.done() for future in futures))


def _results(
    futures: dict[Future[Outcome], Reveal], deadline: float | None
) -> Iterator[tuple[Reveal, Outcome]]:
    """Yield outcomes as they come; after the deadline the rest is UNKNOWN."""
    order = {future: number for number, future in enumerate(futures)}
    pending = set(futures)
    while pending:
        # short waits: a signal is handled between them, whatever the executor is made of
        done, pending = wait(pending, timeout=0.2, return_when="FIRST_COMPLETED")
        for future in sorted(done, key=order.__getitem__):
            yield futures[future], _outcome(future)
        if deadline is not None and time.monotonic() > deadline + GRACE:
            for future in [each for each in futures if each in pending and not each.done()]:
                pending.discard(future)
                yield futures[future], Outcome(Status.UNKNOWN, 0, "stopped by the time limit", 3)


def _outcome(future: Future[Outcome]) -> Outcome:
    try:
        return future.result()
    except SatcalError as error:  # of the executor: a worker died, a cluster is lost or refused
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


def count_one(
    puzzle: Puzzle, reveal: Reveal, settings: Settings, deadline: float | None = None
) -> Outcome:
    """Return what the method says of one reveal; a budget that ends it makes it UNKNOWN."""
    found = 0
    try:
        if settings.method == "verified":
            from satcal.counting.verified import counts as verified_counts

            return Outcome(Status.EXACT, verified_counts(puzzle, [reveal], deadline)[reveal])
        if settings.method == "diagram" and not settings.up_to_symmetry:
            diagram = diagram_for(puzzle, [reveal], settings, deadline)
            return Outcome(Status.EXACT, diagram.count(reveal, settings.demands))
        for _ in tilings(puzzle, reveal, settings, deadline):
            found += 1
    except BudgetExhausted as stop:
        return Outcome(Status.UNKNOWN, found, str(stop), stop.exit_code)
    return Outcome(Status.EXACT, found)


@dataclass(frozen=True)
class Difference:
    """A reveal for which two methods give different exact counts."""

    reveal: Reveal
    counts: tuple[tuple[str, int], ...]

    def __str__(self) -> str:
        said = ", ".join(f"{method} counts {count:,}" for method, count in self.counts)
        return f"{' '.join(self.reveal) or 'the board'}: {said}"


def exact(outcomes: Mapping[Reveal, Outcome]) -> dict[Reveal, int]:
    """Return the counts of those outcomes that are exact."""
    return {r: o.tilings for r, o in outcomes.items() if o.status is Status.EXACT}


def differences(
    counts: Mapping[str, Mapping[Reveal, int]], reveals: Iterable[Reveal]
) -> list[Difference]:
    """Return the reveals whose exact counts differ between methods, in the given order.

    Args:
        counts: per method its exact counts; a method need not have counted every reveal.
        reveals: which to compare.
    """
    found = []
    for reveal in dict.fromkeys(reveals):
        said = tuple((m, mine[reveal]) for m, mine in counts.items() if reveal in mine)
        if len({count for _, count in said}) > 1:
            found.append(Difference(reveal, said))
    return found


def choose_sample(puzzle: Puzzle, counts: Mapping[Reveal, int], size: int) -> list[Reveal]:
    """Return the reveal with the fewest tilings, and others drawn without a clock.

    The seed comes from the puzzle and the range, so the same command checks the same dates.
    """
    if not counts or not size:
        return []
    fewest = min(counts, key=counts.__getitem__)
    rest = [reveal for reveal in counts if reveal != fewest]
    first, last = next(iter(counts)), next(reversed(list(counts)))
    random.Random(f"{puzzle.digest} {first} {last} {len(counts)}").shuffle(rest)
    return [fewest, *rest[: size - 1]]


def affordable(sample: Sequence[Reveal], counts: Mapping[Reveal, int]) -> list[Reveal]:
    """Return those of a sample, in its order, that sat can count again at once."""
    left = OF_ONE_DATE if len(counts) == 1 else OF_A_RANGE
    chosen = []
    for reveal in sample:
        if counts[reveal] <= left:
            chosen.append(reveal)
            left -= counts[reveal]
    return chosen


@dataclass(frozen=True)
class Summary(Generic[Key]):
    """Figures of a table; ``fewest`` and ``most`` hold the count and all rows that have it."""

    rows: int
    total: int
    fewest: tuple[int, list[Key]]
    most: tuple[int, list[Key]]
    mean: Fraction
    median: Fraction
    without: int


def summarise(counts: Sequence[tuple[Key, int]]) -> Summary[Key]:
    """Return the summary of rows and their exact counts, of which there is at least one."""
    values = sorted(count for _, count in counts)
    middle = len(values) // 2
    median = Fraction(values[middle] + values[-middle - 1], 2)
    least, most = values[0], values[-1]
    return Summary(
        rows=len(values),
        total=sum(values),
        fewest=(least, [key for key, count in counts if count == least]),
        most=(most, [key for key, count in counts if count == most]),
        mean=Fraction(sum(values), len(values)),
        median=median,
        without=values.count(0),
    )


def decimal(value: Fraction, places: int = 2) -> str:
    """Return an exact fraction rounded half up to decimal places, without floats."""
    scaled = (value * 10**places * 2 + 1) // 2
    whole, rest = divmod(scaled, 10**places)
    return f"{whole:,}.{rest:0{places}d}" if places else f"{whole:,}"
