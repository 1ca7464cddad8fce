"""What a run will need, from a sample of its tasks: CPU time and memory of each."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, as_completed
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from satcal.counting.count import Task, run_task, tasks_of
from satcal.counting.settings import Outcome, Settings
from satcal.counting.tilings import diagram_for
from satcal.errors import TooLarge
from satcal.puzzle.model import Puzzle, Reveal

DIAGRAM_MEMORY = 2 * 10**9  # bytes; a diagram that needs more is no quick way to choose a sample


class Spent(NamedTuple):
    """What a task took: CPU seconds, and its process's peak of memory in bytes."""

    seconds: float
    memory: int


def choose(
    puzzle: Puzzle, reveals: Sequence[Reveal], settings: Settings, size: int
) -> tuple[int, list[Task]]:
    """Return how many tasks a run has, and a sample of them.

    Time grows with tilings: where the diagram knows these the sample is even, else it is drawn.
    """
    tasks = tasks_of(puzzle, list(reveals), settings)
    number, size = len(tasks), min(size, len(tasks))
    if not settings.cubes:
        ask = replace(settings, memory_limit=settings.memory_limit or DIAGRAM_MEMORY)
        with suppress(TooLarge):
            counts = diagram_for(puzzle, reveals, ask).counts(settings.demands)
            tasks.sort(key=lambda task: counts[task[0]])
            return number, [tasks[(2 * n + 1) * number // (2 * size)] for n in range(size)]
    return number, random.Random(puzzle.digest).sample(tasks, size)


def measure(
    puzzle: Puzzle, tasks: Sequence[Task], settings: Settings, executor: Executor
) -> Iterator[tuple[Reveal, Spent]]:
    """Yield what each task takes; one that is not finished is an error."""
    until = time.time() + settings.time_limit if settings.time_limit is not None else None
    futures = {executor.submit(timed, puzzle, task, settings, until): task for task in tasks}
    for future in as_completed(futures):
        reveal, _ = futures[future]
        outcome, spent = future.result()
        outcome.require(reveal)
        yield reveal, spent


def timed(
    puzzle: Puzzle, task: Task, settings: Settings, until: float | None
) -> tuple[Outcome, Spent]:
    """Run one task in a worker, and measure it, but not what the process imports."""
    import resource

    import satcal.counting.sat
    import satcal.counting.search  # noqa: F401

    began = time.process_time()
    outcome = run_task(puzzle, task, settings, until)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    unit = 1 if sys.platform == "darwin" else 1024
    return outcome, Spent(time.process_time() - began, peak * unit)
