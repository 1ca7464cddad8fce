"""What a run will need, from a sample of its tasks: CPU time, wall time on many cores, memory.

The time of a task grows with its tilings, which the diagram knows beforehand where it can be
built: the sample takes one task from each of as many strata of equal size, and a line through
it predicts the others. The interval comes from the bootstrap (Efron 1979) with a fixed seed.
"""

from __future__ import annotations

import heapq
import itertools
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
ROUNDS = 1000  # of the bootstrap
COVERED = 0.9  # of its results lie in the interval
DIAGRAM_MEMORY = 2 * 10**9  # bytes; a diagram that needs more is no quick way to stratify
NEAR = 5  # tasks of the sample from which a task's distance from the line is drawn


@dataclass(frozen=True)
class Spent:
    """What one task of the sample took: CPU seconds, and its process's peak memory in bytes."""

    tilings: int
    seconds: float
    peak: int


@dataclass(frozen=True)
class Forecast:
    """CPU seconds of all tasks with their interval, and of each task."""

    seconds: float
    low: float
    high: float
    each: tuple[float, ...]

    def wall(self, cores: int, seconds: float | None = None) -> float:
        """Return the wall time on so many cores, in seconds, if all tasks take ``seconds``."""
        scale = 1.0 if seconds is None else seconds / self.seconds
        return makespan([scale * task for task in self.each], cores, OVERHEAD)


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
    """Return the forecast for all tasks from those of the sample, by position."""
    generator = random.Random(seed)
    sizes = [float(each) for each in tilings] if tilings is not None else [0.0] * number
    points = [(sizes[task], each.seconds) for task, each in sorted(spent.items())]
    level, slope = line(points)
    near = sorted((size, seconds / max(level + slope * size, 1e-9)) for size, seconds in points)
    each = []
    for size in sizes:
        closest = sorted(near, key=lambda point: abs(point[0] - size))[:NEAR]
        pick = generator.choice(closest if tilings is not None else near)
        each.append((level + slope * size) * pick[1])
    for task, its in spent.items():
        each[task] = its.seconds
    whole = number * level + slope * sum(sizes)
    totals = []
    for _ in range(ROUNDS):
        a, b = line(generator.choices(points, k=len(points)))
        totals.append(number * a + b * sum(sizes))
    totals.sort()
    out = round(ROUNDS * (1 - COVERED) / 2)
    scale = whole / sum(each)
    return Forecast(whole, totals[out], totals[-1 - out], tuple(scale * task for task in each))


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
    """Run one task in a process of its own, and measure it."""
    import resource

    begun = time.process_time()
    outcome = run_task(puzzle, task, settings, until)
    seconds = time.process_time() - begun
    unit = 1 if sys.platform == "darwin" else 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    return outcome, Spent(outcome.tilings, seconds, peak)


def prepared(
    puzzle: Puzzle, reveals: Sequence[Reveal], settings: Settings, size: int
) -> tuple[list[Task], list[int] | None, list[int]]:
    """Return all tasks, their tilings where they are known, and the positions of the sample."""
    tasks = tasks_of(puzzle, list(reveals), settings)
    tilings = known_tilings(puzzle, reveals, settings) if settings.cubes is None else None
    seed = f"{puzzle.digest} {settings.method}"
    return tasks, tilings, choose(len(tasks), tilings, size, seed)
