"""Is ``satcal plan`` right? Estimates of real runs, and the runs: ``python -m benchmarks.plan``.

Compared is CPU time, which a busy machine changes least. Writes ``results/benchmarks/plan.md``.
"""

from __future__ import annotations

import argparse
import datetime
import json
import sys
from pathlib import Path
from typing import Any

from benchmarks.measure import ROOT, run
from benchmarks.report import table

RUNS = [
    ["--board", "a-puzzle-a-day", "--year", "2025", "--method", "sat"],
    ["--board", "jarring-words", "--year", "2025", "--method", "sat"],
    ["--board", "rhombus", "--month", "2025-03", "--method", "sat"],
    ["--board", "weekday", "--month", "2025-10", "--method", "sat"],
]
HEAD = """# Estimated and measured

Written by `python -m benchmarks.plan`. *estimated* is what `satcal plan` with `--sample 20` says
of the CPU time, with its interval of 90 %; *measured* is user and system time of `satcal count
--verify 0 --store none` with all its processes, on the same machine afterwards.
"""


def satcal(*arguments: str, limit: float = 3600.0) -> Any:
    """Run a command of satcal and measure it."""
    ended = run([sys.executable, "-m", "satcal", *arguments], limit)
    if ended.code:
        raise SystemExit(f"{' '.join(arguments)}: exit {ended.code}\n{ended.errors}")
    return ended


def compare(arguments: list[str]) -> list[str]:
    """Return the row of one run."""
    planned = satcal("plan", *arguments, "--format", "json", "-q", "--jobs", "1", "--cores", "1")
    said = json.loads(planned.output)
    counted = satcal("count", *arguments, "--verify", "0", "--store", "none", "-q", "--jobs", "1")
    low, high = said["cpu_low"], said["cpu_high"]
    return [
        f"`{' '.join(arguments)}`", f"{said['tasks']}", f"{planned.cpu:.0f}", f"{said['cpu']:.1f}",
        f"{low:.1f} to {high:.1f}", f"{counted.cpu:.1f}", f"{said['cpu'] / counted.cpu - 1:+.0%}",
    ]  # fmt: skip


def main(arguments: list[str] | None = None) -> int:
    """Compare all runs and write the page."""
    parser = argparse.ArgumentParser(prog="benchmarks.plan", description=__doc__)
    parser.add_argument("--output", type=Path, default=ROOT / "results" / "benchmarks" / "plan.md")
    parser.add_argument("--date", default=datetime.date.today().isoformat(), help="of the run")
    options = parser.parse_args(arguments)
    head = ["run", "tasks", "plan itself s", "estimated s", "interval", "measured s", "off by"]
    rows = []
    for each in RUNS:
        rows.append(compare(each))
        print(*rows[-1], flush=True)
        text = f"{HEAD}\n- date: {options.date}\n\n" + table(head, rows)
        options.output.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
