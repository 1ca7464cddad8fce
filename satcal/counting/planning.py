"""What a run will need, from a sample of its tasks: CPU time, wall time on many cores, memory.

The time of a task grows with its tilings, which the diagram knows beforehand where it can be
built: the sample takes one task from each of as many strata of equal size, and a line through
it predicts the others. The interval comes from the jackknife, see :func:`interval`. It says how
far the sample may mislead, and allows for a machine whose speed changes between the sample and
the run: a sample of seconds cannot tell how much. ``python -m benchmarks.plan`` measures both.
"""

from __future__ import annotations

import heapq
import itertools
import math
import random
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, as_completed
from dataclasses import dataclass, replace

from satcal.counting.methods import Outcome, Settings, Status
from satcal.counting.run import Task, run_task, tasks_of
from satcal.errors import BY_EXIT_CODE, BudgetExhausted, TooLarge
from satcal.puzzle.model import Puzzle, Reveal

OVERHEAD = (
    0.005  # seconds a scheduler is busy with a task: results/benchmarks/cluster-overhead.json
)
START = 0.35  # CPU seconds that `satcal count` of a date takes besides counting it
SPEED = 0.12  # of the logarithm of a machine's speed, beside other work: results/benchmarks/plan.md
WIDEST = math.log(100)  # of an interval's half: three tasks may say nothing at all
Z = 1.6449  # ninety percent of a normal variable lie this many standard deviations around its mean
ABOVE = 1.9600  # and ninety-five percent; for the upper end, beyond which most of the misses are
DIAGRAM_MEMORY = 2 * 10**9  # bytes; a diagram that needs more is no quick way to stratify
NEAR = 5  # tasks of the sample from which a task's distance from the line is drawn


@dataclass(frozen=True)
class Spent:
    """What one task took: CPU seconds, its process's peak memory in bytes, seconds by the clock."""

    tilings: int
    seconds: float
    peak: int
    wall: float


@dataclass(frozen=True)
class Forecast:
    """CPU seconds of a run with their interval, and of each of its tasks."""

    seconds: float
    low: float
    high: float
    each: tuple[float, ...]

    def wall(self, cores: int, seconds: float | None = None) -> float:
        """Return the wall time on so many cores, in seconds, if the run takes ``seconds``."""
        scale = 1.0 if seconds is None else (seconds - START) / (self.seconds - START)
        return START + makespan([scale * task for task in self.each], cores, OVERHEAD)


def makespan(tasks: Sequence[float], workers: int, overhead: float) -> float:
    """Return when the last task is done: a discrete-event model of a scheduler and its workers.

    The scheduler serves one task at a time, in order, each to the worker that is idle first.

    Args:
        tasks: seconds of each, in the order in which they are handed out.
        workers: how many.
        overhead: seconds that the scheduler is busy with each task.
    """
    free = [0.0] * min(workers, len(tasks))  # when each worker becomes idle
    scheduler = end = 0.0
    for seconds in tasks:
        scheduler = max(scheduler, free[0]) + overhead
        heapq.heapreplace(free, scheduler + seconds)
        end = max(end, scheduler + seconds)
    return end


def known_tilings(
    puzzle: Puzzle, reveals: Sequence[Reveal], settings: Settings
) -> list[int] | None:
    """Return the tilings of each reveal by the diagram; None where that is too large."""
    from satcal.counting.methods import diagram_for

    limit = settings.memory_limit or DIAGRAM_MEMORY
    ask = replace(settings, method="diagram", memory_limit=limit, cubes=None)
    try:
        counts = diagram_for(puzzle, reveals, ask).counts(settings.demands)
    except TooLarge:
        return None
    return [counts[reveal] for reveal in reveals]


def choose(number: int, tilings: Sequence[int] | None, size: int, seed: str) -> list[int]:
    """Return the positions of the sample: one from each of ``size`` strata by tilings."""
    generator = random.Random(seed)
    if size >= number:
        return list(range(number))
    if tilings is None:
        return sorted(generator.sample(range(number), size))
    ordered = sorted(range(number), key=lambda task: (tilings[task], task))
    bounds = [part * number // size for part in range(size + 1)]
    return [ordered[generator.randrange(start, end)] for start, end in itertools.pairwise(bounds)]


def forecast(
    number: int, tilings: Sequence[int] | None, spent: Mapping[int, Spent], seed: str
) -> Forecast:
    """Return the forecast for all tasks from those of the sample, by position.

    Args:
        number: how many tasks there are.
        tilings: of each task, where they are known.
        spent: what the tasks of the sample took.
        seed: of each task's draw from the sample's scatter; the total does not depend on it.
    """
    generator = random.Random(seed)
    sizes = [float(each) for each in tilings] if tilings is not None else [0.0] * number
    points = points_of(tilings, spent)
    level, slope = line(points)
    near = sorted((size, seconds / max(level + slope * size, 1e-9)) for size, seconds in points)
    each = []
    for size in sizes:
        closest = sorted(near, key=lambda point: abs(point[0] - size))[:NEAR]
        pick = generator.choice(closest if tilings is not None else near)
        each.append((level + slope * size) * pick[1])
    for task, its in spent.items():
        each[task] = its.seconds
    whole, low, high = interval(number, tilings, spent)
    scale = whole / sum(each)
    tasks = tuple(scale * task for task in each)
    return Forecast(START + whole, START + low, START + high, tasks)


def share(spent: Mapping[int, Spent]) -> float:
    """Return how much of a core the tasks of a sample had: less than 1 beside other work."""
    wall = sum(each.wall for each in spent.values())
    return min(1.0, sum(each.seconds for each in spent.values()) / wall) if wall else 1.0


def points_of(
    tilings: Sequence[int] | None, spent: Mapping[int, Spent]
) -> list[tuple[float, float]]:
    """Return (tilings, seconds) of each task of a sample; no tilings where they are not known."""
    return [
        (float(tilings[task]) if tilings is not None else 0.0, each.seconds)
        for task, each in sorted(spent.items())
    ]


def interval(
    number: int, tilings: Sequence[int] | None, spent: Mapping[int, Spent], speed: float = SPEED
) -> tuple[float, float, float]:
    """Return the seconds of all tasks, and between which they lie in nine of ten cases.

    The sample's part of the standard error is the jackknife's, which leaves out one task at a
    time (Tukey 1958; Efron and Tibshirani, *An Introduction to the Bootstrap*, 1993, chapter 11),
    with Student's t, as samples are small. The sample's own tasks are no more certain than the
    others: the run counts them again. The machine's part is ``speed``. The ends are so many times
    below and above, and the upper one is further away: times scatter further up than down, and
    what a sample has none of is mostly long.

    Args:
        number: how many tasks there are.
        tilings: of each task, where they are known.
        spent: what the tasks of the sample took; a single one says nothing of their scatter.
        speed: standard deviation of the logarithm of how much faster the machine becomes.
    """
    points = points_of(tilings, spent)
    size = float(sum(tilings)) if tilings is not None else 0.0

    def total(part: Sequence[tuple[float, float]]) -> float:
        level, slope = line(part)
        return number * level + slope * size

    whole, count = total(points), len(points)
    if not whole:
        return 0.0, 0.0, 0.0
    below = above = 0.0
    if count > 1:
        left_out = [total([*points[:at], *points[at + 1 :]]) for at in range(count)]
        mean = sum(left_out) / count
        error = math.sqrt((count - 1) / count * sum((each - mean) ** 2 for each in left_out))
        freedom = max(1, count - 2)
        below, above = (min(WIDEST, student(freedom, z) * error / whole) for z in (Z, ABOVE))
    machine = Z * speed
    return (
        whole,
        whole / math.exp(math.hypot(below, machine)),
        whole * math.exp(math.hypot(above, machine)),
    )


def student(freedom: int, z: float = Z) -> float:
    """Return the bound of Student's t that is as likely as ``z`` is of a normal variable.

    Right to half a percent for 90 %, to two for 95 %. Abramowitz and Stegun, *Handbook of
    Mathematical Functions*, 26.7.5; one degree of freedom, which that series does not suit, is
    Cauchy's distribution.
    """
    if freedom == 1:
        return math.tan(math.pi * math.erf(z / math.sqrt(2)) / 2)
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return sum(term / float(freedom) ** power for power, term in enumerate(terms))


def line(points: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return level and slope of the least-squares line, neither below zero."""
    x = sum(each for each, _ in points) / len(points)
    y = sum(each for _, each in points) / len(points)
    spread = sum((each - x) ** 2 for each, _ in points)
    slope = sum((a - x) * (b - y) for a, b in points) / spread if spread else 0.0
    if slope <= 0:
        return y, 0.0
    if y < slope * x:
        return 0.0, y / x
    return y - slope * x, slope


def measure(
    puzzle: Puzzle,
    tasks: Mapping[int, Task],
    settings: Settings,
    executor: Executor,
    told: Callable[[str], None] = lambda said: None,
) -> dict[int, Spent]:
    """Return what each task of a sample takes, run on an executor.

    Raises:
        BudgetExhausted: the time limit was too short for the sample.
        InputError, Disagreement, Stopped, Missing: a count failed; the text says why.
    """
    until = time.time() + settings.time_limit if settings.time_limit is not None else None
    futures = {
        executor.submit(timed, puzzle, task, settings, until): number
        for number, task in tasks.items()
    }
    found: dict[int, Spent] = {}
    for future in as_completed(futures):
        number = futures[future]
        outcome, spent = future.result()
        reveal = " ".join(tasks[number][0])
        if outcome.status is Status.UNKNOWN:
            raise BudgetExhausted(f"{reveal}: {outcome.message}; take a smaller --sample")
        if outcome.status is Status.ERROR:
            raise BY_EXIT_CODE[outcome.exit_code](f"{reveal}: {outcome.message}")
        found[number] = spent
        told(f"{reveal} took {spent.seconds:.2f} s")
    return found


def timed(
    puzzle: Puzzle, task: Task, settings: Settings, until: float | None
) -> tuple[Outcome, Spent]:
    """Run one task in a process of its own, and measure it, but not what the process imports."""
    import resource

    import satcal.counting.sat
    import satcal.counting.search  # noqa: F401

    began, clock = time.process_time(), time.perf_counter()
    outcome = run_task(puzzle, task, settings, until)
    seconds, wall = time.process_time() - began, time.perf_counter() - clock
    unit = 1 if sys.platform == "darwin" else 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    return outcome, Spent(outcome.tilings, seconds, peak, wall)


def prepared(
    puzzle: Puzzle, reveals: Sequence[Reveal], settings: Settings, size: int
) -> tuple[list[Task], list[int] | None, list[int]]:
    """Return all tasks, their tilings where they are known, and the positions of the sample."""
    tasks = tasks_of(puzzle, list(reveals), settings)
    tilings = known_tilings(puzzle, reveals, settings) if settings.cubes is None else None
    seed = f"{puzzle.digest} {settings.method}"
    return tasks, tilings, choose(len(tasks), tilings, size, seed)
