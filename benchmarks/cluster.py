"""How far a cluster carries: overhead, scaling, and where adding workers stops helping.

    python -m benchmarks.cluster record     CPU seconds of real dates and cubes, one by one
    python -m benchmarks.cluster overhead   a real scheduler: one-second tasks, empty tasks
    python -m benchmarks.cluster scaling    real dates on one worker and on two
    python -m benchmarks.cluster simulate   up to 10,000 workers, from these figures

Each writes ``results/benchmarks/cluster*``; the last also draws the plot.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.measure import ROOT
from benchmarks.simulate import Model, Recorded, cut, makespan

BOARD, SIZE, CUT_ABOVE = "weekday", 80, 400
WORKERS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000]
LIMITS = (2, 4, 6, 8, 10, 12)  # seconds: longer dates are cut, if that pays
EMPTY, SECOND_TASKS, SLOTS = 3000, 40, 2


def record(folder: Path) -> None:
    """Count a sample of reveals by sat, spread over their tilings, and some again in cubes."""
    from satcal.counting.count import run_task
    from satcal.counting.cubes import plans
    from satcal.counting.settings import BySat, Cutting, Question
    from satcal.diagram.puzzle import open_diagram
    from satcal.puzzle.loading import load

    puzzle = load(BOARD)
    reveals = list(puzzle.reveals())
    diagram = open_diagram(puzzle, reveals)
    counts = diagram.counts()
    ordered = sorted(reveals, key=lambda reveal: (counts[reveal], reveal))
    generator = random.Random(BOARD)
    width = len(ordered) / SIZE
    chosen = [
        ordered[int(generator.uniform(part * width, (part + 1) * width))] for part in range(SIZE)
    ]
    with (folder / "cluster-tasks.csv").open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["board", "reveal", "cube", "tilings", "cpu"])
        for number, reveal in enumerate(chosen):
            question = Question(puzzle, [reveal])
            cubes: list[Any] = [()]
            if number % 8 == 7:  # every eighth, the one with most tilings among them
                cubes += plans(question, Cutting(CUT_ABOVE))[0][1]
            for index, cube in enumerate(cubes):
                begun = time.process_time()
                outcome = run_task(question, cube, BySat(), None)
                seconds = time.process_time() - begun
                name = "" if index == 0 else f"{index} of {len(cubes) - 1}"
                said = ",".join(reveal)
                writer.writerow([BOARD, said, name, outcome.tilings, f"{seconds:.4f}"])
                file.flush()


def recorded(folder: Path) -> tuple[list[Recorded], list[tuple[float, list[float]]]]:
    """Return the recorded whole tasks, and (whole, its cubes) in seconds."""
    whole: dict[str, Recorded] = {}
    cubes: dict[str, list[float]] = {}
    with (folder / "cluster-tasks.csv").open() as file:
        for row in csv.DictReader(file):
            seconds = float(row["cpu"])
            if row["cube"]:
                cubes.setdefault(row["reveal"], []).append(seconds)
            else:
                whole[row["reveal"]] = Recorded(int(row["tilings"]), seconds)
    pairs = [(whole[reveal].seconds, parts) for reveal, parts in cubes.items()]
    return list(whole.values()), pairs


def overhead(folder: Path) -> None:
    """Measure a real scheduler and two real workers."""
    from satcal.counting.cluster import connect

    found: dict[str, Any] = {}
    executor = connect("local", SLOTS)
    try:
        for future in [executor.submit(abs, 1) for _ in range(20)]:
            future.result()
        begun = time.perf_counter()
        for future in [executor.submit(time.sleep, 1.0) for _ in range(SECOND_TASKS)]:
            future.result()
        wall = time.perf_counter() - begun
        ideal = SECOND_TASKS / SLOTS
        found["one-second tasks"] = {
            "tasks": SECOND_TASKS,
            "workers": SLOTS,
            "wall": wall,
            "overhead": wall / ideal - 1,
        }
        _save(found, folder)
        begun, cpu = time.perf_counter(), time.process_time()
        for future in [executor.submit(abs, 1) for _ in range(EMPTY)]:
            future.result()
        wall, cpu = time.perf_counter() - begun, time.process_time() - cpu
        # scheduler and submitter are threads of this process: its CPU time is theirs
        found["empty tasks"] = {
            "tasks": EMPTY,
            "workers": SLOTS,
            "wall": wall,
            "cpu": cpu,
            "seconds": cpu / EMPTY,
        }
        _save(found, folder)
    finally:
        executor.shutdown(cancel_futures=True)


def scaling(folder: Path) -> None:
    """Measure real dates on one worker and on two, in rounds, and how busy the machine was."""
    found = json.loads((folder / "cluster-overhead.json").read_text())
    found["scaling"] = []
    for round_ in range(4):
        load = os.getloadavg()[0]
        found["scaling"].append({**_scaling(round_), "load": load})
        _save(found, folder)


def _save(found: dict[str, Any], folder: Path) -> None:
    """Write what is measured so far."""
    (folder / "cluster-overhead.json").write_text(json.dumps(_rounded(found), indent=1) + "\n")


def _scaling(round_: int) -> dict[str, float]:
    """Count the same dates with one worker and with two, in turn; return the seconds of each."""
    from satcal.counting.cluster import connect
    from satcal.counting.count import count_reveals
    from satcal.counting.settings import Assignment, BySat, Question, Run
    from satcal.puzzle.loading import load

    puzzle = load("rhombus")
    reveals = list(puzzle.reveals())[round_ :: len(list(puzzle.reveals())) // 12][:12]
    walls: dict[str, float] = {}
    for workers in (1, 2):
        executor = connect("local", workers)
        for future in [executor.submit(abs, 1) for _ in range(workers)]:
            future.result()
        begun = time.perf_counter()
        assignment = Assignment(Question(puzzle, reveals), BySat(), Run(workers))
        list(count_reveals(assignment, lambda jobs, made=executor: made))
        walls[str(workers)] = time.perf_counter() - begun  # the run closes the executor
    return walls


def _rounded(found: Any) -> Any:
    if isinstance(found, dict):
        return {key: _rounded(value) for key, value in found.items()}
    if isinstance(found, list):
        return [_rounded(value) for value in found]
    return float(f"{found:.4g}") if isinstance(found, float) else found


def simulate(folder: Path) -> None:
    """Simulate all reveals of the board on more and more workers."""
    from satcal.diagram.puzzle import open_diagram
    from satcal.puzzle.loading import load

    tasks, pairs = recorded(folder)
    measured = json.loads((folder / "cluster-overhead.json").read_text())
    each = measured["empty tasks"]["seconds"]
    puzzle = load(BOARD)
    counts = open_diagram(puzzle, list(puzzle.reveals())).counts()
    model = Model(tasks)
    whole = [model.seconds(tilings) for tilings in counts.values()]
    cut_above = {
        limit: sorted(
            (c for t in whole for c in (cut(t, pairs) if t > limit else [t])), reverse=True
        )
        for limit in (0, *LIMITS)
    }
    rows = []
    for workers in WORKERS:
        best = min(LIMITS, key=lambda limit: makespan(cut_above[limit], workers, each))
        chosen = {
            "in order": (whole, each),
            "longest first": (sorted(whole, reverse=True), each),
            "every date in cubes": (cut_above[0], each),
            "longest dates in cubes": (cut_above[best], each),
            "the same, scheduler ten times faster": (
                min((cut_above[n] for n in LIMITS), key=lambda p: makespan(p, workers, each / 10)),
                each / 10,
            ),
        }
        for name, (plan, busy) in chosen.items():
            wall = makespan(plan, workers, busy)
            rows.append({"plan": name, "workers": workers, "tasks": len(plan), "wall": wall})
    for row in rows:
        row["speedup"] = sum(whole) / row["wall"]
    with (folder / "cluster.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows({key: _rounded(value) for key, value in row.items()} for row in rows)
    plot(rows, folder / "cluster.svg")
    print(
        f"{len(whole)} dates, {sum(whole):.0f} s of work, longest {max(whole):.2f} s; "
        f"{len(cut_above[0])} cubes, {sum(cut_above[0]):.0f} s, longest {cut_above[0][0]:.2f} s"
    )


def plot(rows: Sequence[dict[str, Any]], path: Path) -> None:
    """Draw how much faster each plan is on how many workers."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "satcal", "svg.fonttype": "none"})
    from matplotlib import pyplot

    figure, axis = pyplot.subplots(figsize=(7, 4.5), layout="constrained")
    for name in dict.fromkeys(row["plan"] for row in rows):
        mine = [row for row in rows if row["plan"] == name]
        style = "--" if "ten" in name else "-"
        axis.plot(
            [r["workers"] for r in mine],
            [r["speedup"] for r in mine],
            style,
            marker=".",
            label=name,
        )
    axis.plot(WORKERS, WORKERS, color="0.7", linewidth=1, label="ideal")
    axis.set(
        xscale="log",
        yscale="log",
        xlabel="workers",
        ylabel="times faster than one",
        title=f"all reveals of {BOARD} by sat, simulated",
    )
    axis.set_ylim(0.8, 2 * max(row["speedup"] for row in rows))
    axis.legend(fontsize="small")
    axis.grid(alpha=0.3)
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)


def main(arguments: list[str] | None = None) -> int:
    """Run one of the steps."""
    parser = argparse.ArgumentParser(prog="benchmarks.cluster", description=__doc__)
    steps = {"record": record, "overhead": overhead, "scaling": scaling, "simulate": simulate}
    parser.add_argument("step", choices=steps)
    parser.add_argument("--output", type=Path, default=ROOT / "results" / "benchmarks")
    options = parser.parse_args(arguments)
    steps[options.step](options.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
