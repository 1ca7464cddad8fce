"""Is ``satcal plan`` right? Estimates beside the runs, and how often its interval holds.

    python -m benchmarks.plan               real runs, each between two plans
    python -m benchmarks.plan --record 1,2  the time of each task of some runs, in two rounds
    python -m benchmarks.plan --calibrate   samples of these times: how often the interval holds

Each writes its own part of ``results/benchmarks/plan.md``, ``--record`` only ``plan-tasks.csv``.
"""

from __future__ import annotations

import argparse
import datetime
import json
import sys
from pathlib import Path
from typing import Any

from benchmarks import calibration
from benchmarks.measure import ROOT, run
from benchmarks.report import table

RUNS = [
    "--board a-puzzle-a-day --month 2025-10",
    *(f"--board {board} {wanted}" for board, wanted in calibration.RUNS.items()),
]
TITLE = "# Estimated and measured\n"
MEASURED = """## Runs

Written by `python -m benchmarks.plan` on {date}. *estimated* is what `satcal plan` with `--method
sat --sample 20` says of the CPU time, with its interval; *measured* is user and system time of
`satcal count --verify 0 --store none` with all its processes, right after; *off by* compares the
two. *again* is what the same plan says after the run, from the same sample: how much slower or
faster the machine has become. Wall time is estimated for a core that does nothing else; *core* is
how much of one the sample had, so that beside other work *wall s* divided by it is to be expected.
Memory is the peak of a process.

"""
CALIBRATED = """## How often the interval holds

Written by `python -m benchmarks.plan --calibrate` from the CPU times of all dates of four runs,
recorded three times over by `--record` ([plan-tasks.csv](plan-tasks.csv)), and of the dates and
cubes of [cluster-tasks.csv](cluster-tasks.csv): 1,000 samples of each size, chosen as `satcal
plan` chooses. *sampling* compares the interval, without what it allows for the machine, with the
sum of the times that the sample is from; *another run* compares the whole interval with the sum of
another recording. *held* should be 90 %; *above* is how far the upper end lies above the estimate,
as part of it (median), *off by* the root mean square of the estimate's error.

"""


def satcal(*arguments: str, limit: float = 3600.0) -> Any:
    """Run a command of satcal and measure it."""
    ended = run([sys.executable, "-m", "satcal", *arguments], limit)
    if ended.code:
        raise SystemExit(f"{' '.join(arguments)}: exit {ended.code}\n{ended.errors}")
    return ended


def planned(arguments: list[str]) -> dict[str, Any]:
    """Return what ``satcal plan`` says of a run."""
    ended = satcal("plan", *arguments, "--format", "json", "-q", "--jobs", "1", "--cores", "1")
    said: dict[str, Any] = json.loads(ended.output)
    return said


def compare(wanted: str) -> list[str]:
    """Return the row of one run."""
    arguments = [*wanted.split(), "--method", "sat"]
    said = planned(arguments)
    counted = satcal("count", *arguments, "--verify", "0", "--store", "none", "-q", "--jobs", "1")
    again = planned(arguments)["cpu"]
    low, high = said["cpu_low"], said["cpu_high"]
    (alone,) = said["cores"]
    return [
        f"`{wanted}`", f"{said['tasks']}", f"{said['cpu']:.1f}", f"{low:.1f} to {high:.1f}",
        f"{counted.cpu:.1f}", f"{said['cpu'] / counted.cpu - 1:+.0%}",
        "yes" if low <= counted.cpu <= high else "**no**", f"{again:.1f}",
        f"{alone['wall']:.1f}", f"{said['share']:.2f}", f"{counted.wall:.1f}",
        f"{alone['memory'] / 1e6:.0f}", f"{counted.peak / 1e6:.0f}",
    ]  # fmt: skip


HEAD = [
    "run", "tasks", "estimated s", "interval", "measured s", "off by", "held", "again s",
    "wall s", "core", "measured s", "MB", "measured MB",
]  # fmt: skip


def replaced(text: str, part: str) -> str:
    """Return a page with a part, told by its heading, anew or at the end."""
    heading = part.split("\n", 1)[0]
    parts = text.split("\n## ")
    kept = {f"## {each.split(chr(10), 1)[0]}": f"## {each}" for each in parts[1:]}
    kept[heading] = part
    return "\n".join(f"{each.rstrip()}\n" for each in (parts[0], *kept.values()))


def write(part: str, path: Path) -> None:
    """Write a part of the page."""
    path.write_text(replaced(path.read_text() if path.exists() else TITLE, part))


def main(arguments: list[str] | None = None) -> int:
    """Compare runs, or calibrate, and write the page."""
    parser = argparse.ArgumentParser(prog="benchmarks.plan", description=__doc__)
    parser.add_argument("--folder", type=Path, default=ROOT / "results" / "benchmarks")
    parser.add_argument("--date", default=datetime.date.today().isoformat(), help="of the run")
    parser.add_argument("--rounds", type=int, default=2, help="of real runs")
    parser.add_argument("--record", metavar="N,N", help="rounds to add to plan-tasks.csv")
    parser.add_argument("--calibrate", action="store_true")
    options = parser.parse_args(arguments)
    path = options.folder / "plan.md"
    if options.record:
        calibration.record([int(each) for each in options.record.split(",")], options.folder)
        return 0
    if options.calibrate:
        write(CALIBRATED + calibration.section(options.folder), path)
        return 0
    rows = []
    for each in RUNS * options.rounds:
        rows.append(compare(each))
        print(*rows[-1], flush=True)
        write(MEASURED.format(date=options.date) + table(HEAD, rows), path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
