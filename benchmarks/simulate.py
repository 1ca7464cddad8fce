"""How long tasks take that were not run, from those that were, and a cluster with them."""

from __future__ import annotations

import bisect
import heapq
import math
import random
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Recorded:
    """One task that was run: how many tilings it has, and its CPU seconds."""

    tilings: int
    seconds: float


class Model:
    """Seconds of a task by its tilings: a line through recorded ones, and their scatter.

    The line is least squares in logarithms of seconds and of tilings + 1; a task's distance
    from it is drawn, by a seeded generator, from the distances of the recorded ones nearest in
    tilings.
    """

    def __init__(self, recorded: Sequence[Recorded], seed: int = 0) -> None:
        points = sorted((math.log(each.tilings + 1), math.log(each.seconds)) for each in recorded)
        xs, ys = [x for x, _ in points], [y for _, y in points]
        x, y = sum(xs) / len(xs), sum(ys) / len(ys)
        spread = sum((each - x) ** 2 for each in xs)
        self.slope = sum((a - x) * (b - y) for a, b in points) / spread if spread else 0.0
        self.level = y - self.slope * x
        self._xs = xs
        self._distances = [b - self.level - self.slope * a for a, b in points]
        self._random = random.Random(seed)

    def seconds(self, tilings: int) -> float:
        """Return the seconds of one task, drawn."""
        x = math.log(tilings + 1)
        middle = bisect.bisect(self._xs, x)
        first = min(max(0, middle - 5), max(0, len(self._xs) - 10))
        distance = self._random.choice(self._distances[first : first + 10])
        return math.exp(self.level + self.slope * x + distance)


def cut(seconds: float, cuts: Sequence[tuple[float, Sequence[float]]]) -> list[float]:
    """Return a task as cubes: as the nearest of the recorded cuts (seconds, those of cubes)."""
    whole, parts = min(cuts, key=lambda each: abs(math.log(each[0] / seconds)))
    return [part * seconds / whole for part in parts]


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
