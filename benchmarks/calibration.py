"""How often the interval of ``satcal plan`` holds the truth: samples of tasks that were all timed.

``python -m benchmarks.plan --record`` counts every date of some runs, in one process, several
times over an hour: ``plan-tasks.csv``. ``--calibrate`` draws samples from these times as ``satcal
plan`` does, and sees whether the interval holds the sum of all of them, and, with its allowance
for the machine, the sum of another recording.
"""

from __future__ import annotations

import csv
import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from benchmarks.measure import ROOT
from benchmarks.report import table
from satcal.counting.planning import SPEED, Spent, choose, interval

FOLDER = ROOT / "results" / "benchmarks"
FIELDS = ("round", "board", "reveal", "tilings", "cpu", "wall")
RUNS = {
    "a-puzzle-a-day": "--year 2025",
    "jarring-words": "--year 2025",
    "rhombus": "--month 2025-03",
    "weekday": "--month 2025-10",
}
SIZES = (5, 10, 20, 40)
SAMPLES = 1000


@dataclass(frozen=True)
class Population:
    """Tasks of which all times are known, seconds by round; tilings where plan would know them."""

    name: str
    tilings: tuple[int, ...] | None
    rounds: tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class Coverage:
    """In what part of the samples the interval held the truth, its upper part, and the error."""

    held: float
    above: float
    error: float


def record(rounds: Sequence[int], folder: Path = FOLDER) -> None:
    """Count the dates of all runs, one round after the other, and add their times to the file."""
    from satcal.counting.methods import Settings
    from satcal.counting.planning import timed
    from satcal.processes import executing
    from satcal.puzzle.loading import load

    path = folder / "plan-tasks.csv"
    new = not path.exists()
    with path.open("a", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        if new:
            writer.writerow(FIELDS)
        for number in rounds:
            for board, wanted in RUNS.items():
                puzzle = load(board)
                with executing(1) as executor:
                    tasks = [(reveal, ()) for reveal in reveals_of(board, wanted)]
                    settings = Settings(method="sat")
                    futures = [executor.submit(timed, puzzle, t, settings, None) for t in tasks]
                    for (reveal, _), future in zip(tasks, futures, strict=True):
                        _, its = future.result()
                        figures = (its.tilings, f"{its.seconds:.4f}", f"{its.wall:.4f}")
                        writer.writerow([number, board, ",".join(reveal), *figures])
                        file.flush()
                print(number, board, file=sys.stderr, flush=True)


def reveals_of(board: str, wanted: str) -> list[tuple[str, ...]]:
    """Return the reveals that options such as ``--year 2025`` name, in the order of a run."""
    from datetime import date

    from satcal.puzzle.loading import load
    from satcal.puzzle.ranges import Range, select

    option, value = wanted.split()
    asked = Range(year=int(value)) if option == "--year" else Range(month=value)
    return [row.reveal for row in select(load(board), asked, date(2025, 1, 1))]


def populations(folder: Path = FOLDER) -> list[Population]:
    """Return what is recorded: the runs, with tilings and without, dates and cubes of cluster."""
    with (folder / "plan-tasks.csv").open() as file:
        rows = list(csv.DictReader(file))
    found = []
    for board, wanted in RUNS.items():
        rounds: dict[str, list[float]] = {}
        tilings: dict[str, int] = {}
        for row in rows:
            if row["board"] == board:
                rounds.setdefault(row["round"], []).append(float(row["cpu"]))
                tilings[row["reveal"]] = int(row["tilings"])
        times = tuple(map(tuple, rounds.values()))
        found.append(Population(f"{board} {wanted}", tuple(tilings.values()), times))
    with (folder / "cluster-tasks.csv").open() as file:
        rows = list(csv.DictReader(file))
    dates = [row for row in rows if not row["cube"]]
    known = tuple(int(row["tilings"]) for row in dates)
    found.append(Population("weekday, 80 dates", known, (_cpu(dates),)))
    unknown = [Population(f"{each.name}, tilings not known", None, each.rounds) for each in found]
    cubes = [row for row in rows if row["cube"]]
    return [*found, *unknown, Population("weekday, cubes", None, (_cpu(cubes),))]


def _cpu(rows: Sequence[dict[str, str]]) -> tuple[float, ...]:
    return tuple(float(row["cpu"]) for row in rows)


def coverage(
    population: Population, size: int, samples: int = SAMPLES, speed: float = SPEED,
    another: bool = False,
) -> Coverage:  # fmt: skip
    """Return how often the interval of a sample holds the sum of all tasks.

    Args:
        population: the tasks.
        size: of each sample.
        samples: how many; each has its own seed, and they take turns at the rounds.
        speed: what the interval allows for the machine.
        another: compare with the sum in another round instead of the sample's own.
    """
    held, parts, errors = 0, [], []
    pairs = list(_turns(len(population.rounds), another))
    for number in range(samples):
        mine, other = pairs[number % len(pairs)]
        times, true = population.rounds[mine], sum(population.rounds[other])
        chosen = choose(len(times), population.tilings, size, f"{population.name} {number}")
        spent = {task: Spent(0, times[task], 0, times[task]) for task in chosen}
        seconds, low, high = interval(len(times), population.tilings, spent, speed)
        held += low <= true <= high
        parts.append(high / seconds - 1)
        errors.append((seconds / true - 1) ** 2)
    parts.sort()
    return Coverage(held / samples, parts[samples // 2], math.sqrt(sum(errors) / samples))


def _turns(rounds: int, another: bool) -> Iterator[tuple[int, int]]:
    """Yield the round of a sample, and that of the truth."""
    for mine in range(rounds):
        for other in range(rounds):
            if (mine != other) == another:
                yield mine, other


def speeds(population: Population, window: int) -> tuple[float, float]:
    """Return how the machine's speed scatters: of so many tasks in a row, and of a whole run.

    Both are standard deviations of the logarithm, from the ratios of the same tasks' times in
    two rounds; a ratio has the scatter of both, hence the root of 2.
    """
    runs, parts = [], []
    for one, other in pairwise([*population.rounds, population.rounds[0]]):
        runs.append(math.log(sum(one) / sum(other)))
        for start in range(0, len(one) - window + 1, window):
            end = start + window
            parts.append(math.log(sum(one[start:end]) / sum(other[start:end])))
    return _root(parts) / math.sqrt(2), _root(runs) / math.sqrt(2)


def _root(values: Sequence[float]) -> float:
    return math.sqrt(sum(value * value for value in values) / len(values))


def section(folder: Path = FOLDER) -> str:
    """Return the tables: coverage by population and size, then the machine's speed."""
    every = populations(folder)
    rows = []
    for population in every:
        tasks = len(population.rounds[0])
        for size in (size for size in SIZES if size < tasks):
            alone = coverage(population, size, speed=0.0)
            cells = [f"{alone.held:.0%}", f"{alone.above:.0%}", f"{alone.error:.1%}"]
            if len(population.rounds) > 1:
                later = coverage(population, size, another=True)
                cells += [f"{later.held:.0%}", f"{later.above:.0%}", f"{later.error:.1%}"]
            else:
                cells += [""] * 3
            rows.append([population.name, f"{tasks}", f"{size}", *cells])
            print(*rows[-1], file=sys.stderr, flush=True)
    head = ["tasks drawn from", "tasks", "sample", "sampling: held", "above", "off by"]
    text = table([*head, "another run: held", "above", "off by"], rows)
    several = [each for each in every if len(each.rounds) > 1 and each.tilings]
    found = [(each.name, *speeds(each, 20 if len(each.rounds[0]) > 100 else 5)) for each in several]
    both = math.hypot(*(_root([row[column] for row in found]) for column in (1, 2)))
    lines = [[name, f"{sample:.3f}", f"{run:.3f}"] for name, sample, run in found]
    return f"{text}\n{SPEED_WORDS.format(both=both, speed=SPEED)}\n" + table(
        ["run", "20 (5) tasks in a row", "the whole run"], lines
    )


SPEED_WORDS = """\
The speed of this machine, which has other work to do: the standard deviation of the logarithm of
the CPU time that the same tasks took in different recordings. Together {both:.2f}; the interval
allows {speed}.
"""
