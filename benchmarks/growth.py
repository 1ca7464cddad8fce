"""How the diagram's time and memory grow: ``python -m benchmarks.growth``.

Each point is a fresh process. A curve ends at the first point that takes longer than the
limit or would need more memory than allowed. Writes growth.json, growth.md and growth.svg.
"""

from __future__ import annotations

import argparse
import datetime
import itertools
import json
import sys
import time
from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from benchmarks.growing import CURVES, Curve, steps
from benchmarks.measure import ROOT, Failed, run
from benchmarks.report import rounded, seconds, table
from benchmarks.run import machine

MEMORY_LIMIT = 2_000_000_000  # bytes, of the diagram
HEAD = """\
# How the diagram grows

Written by `make bench`. Every point is a fresh process that builds the diagram from nothing
and counts on it; *count* leaves out starting Python, *peak* is the whole process.

![time and memory](growth.svg)
"""


def point(curve: str, index: int) -> dict[str, Any]:
    """Build and count one point in this process; ``end`` behind the last, or out of memory."""
    from satcal.diagram.puzzle import PuzzleDiagram
    from satcal.errors import TooLarge
    from satcal.puzzle.loading import load
    from satcal.puzzle.toml import parse_puzzle

    step = next(itertools.islice(steps(curve), index, None), None)
    if step is None:
        return {"end": True}
    puzzle = load(step.board) if step.board else parse_puzzle(step.text, "rectangle")
    started = time.perf_counter()
    try:
        built = PuzzleDiagram.build(puzzle, step.reveals, memory_limit=MEMORY_LIMIT)
    except TooLarge:
        return {"end": True}
    counts = built.counts()
    return {
        "size": step.size,
        "cells": len(puzzle.cells),
        "reveals": len(counts),
        "tilings": sum(counts.values()),
        "nodes": built.diagram.nodes,
        "arcs": built.diagram.arcs,
        "seconds": time.perf_counter() - started,
    }


def follow(curve: Curve, limit: float) -> list[dict[str, Any]]:
    """Return the points of a curve up to the limit (seconds)."""
    points: list[dict[str, Any]] = []
    while True:
        command = [sys.executable, "-m", "benchmarks.growth", "--point", curve.name]
        ended = run([*command, str(len(points))], 10 * limit)
        if ended.code is None:
            return points
        if ended.code:
            raise Failed(f"{curve.name} {len(points)}: {ended.errors[-2000:]}")
        found = json.loads(ended.output)
        if "end" in found:
            return points
        points.append({**found, "wall": ended.wall, "cpu": ended.cpu, "peak": ended.peak})
        print(f"{curve.name}: {points[-1]}", file=sys.stderr, flush=True)
        if found["seconds"] > limit:
            return points


def markdown(results: Mapping[str, Any]) -> str:
    """Return the report."""
    host = results["machine"]
    about = f"- date: {results['date']}\n- machine: {host['cpu']}, {host['cores']} cores\n"
    parts = [HEAD, about]
    for curve in CURVES:
        if curve.name in results["curves"]:
            parts += [f"## {curve.name}: {curve.what}\n", _points(curve, results["curves"])]
    return "\n".join(parts)


def _points(curve: Curve, curves: Mapping[str, Sequence[Mapping[str, Any]]]) -> str:
    head = (curve.grows, "cells", "tilings", "nodes", "arcs", "count s", "peak MB")
    rows = [
        [
            *(str(one[key]) for key in ("size", "cells")),
            _large(one["tilings"]),
            *(f"{one[key]:,}" for key in ("nodes", "arcs")),
            seconds(one["seconds"]),
            f"{one['peak'] / 1e6:,.0f}",
        ]
        for one in curves[curve.name]
    ]
    return table(head, rows)


def _large(number: int) -> str:
    """Return a count with separators, or with three digits and its magnitude if it is long."""
    return f"{number:,}" if number < 10**15 else f"{Decimal(number):.2e}"


def plot(curves: Mapping[str, Sequence[Mapping[str, Any]]], path: Path) -> None:
    """Draw seconds and memory over what grows: rectangles on the left, dates on the right."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "satcal"  # the same figures, the same file
    matplotlib.rcParams["svg.fonttype"] = "none"  # text as text: a small file
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(2, 2, figsize=(10, 7), sharex="col", layout="constrained")
    for row, (key, label, unit) in enumerate((("seconds", "seconds", 1), ("peak", "MB", 1e6))):
        for column, dates in enumerate((False, True)):
            axis = axes[row][column]
            for curve in CURVES:
                found = curves.get(curve.name, [])
                if found and (curve.grows == "dates") == dates:
                    across = [one["reveals" if dates else "cells"] for one in found]
                    axis.plot(across, [one[key] / unit for one in found], ".-", label=curve.name)
            axis.set_yscale("log")
            axis.set_ylabel(label)
            axis.grid(alpha=0.3)
            if dates:
                axis.set_xscale("log")
            if row:
                axis.set_xlabel("reveals" if dates else "cells of the board")
    for axis in axes[0]:
        if axis.lines:
            axis.legend(fontsize="small")
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)


def main(arguments: list[str] | None = None) -> int:
    """Measure all curves and write the results."""
    parser = argparse.ArgumentParser(prog="benchmarks.growth", description=HEAD.split("\n")[0])
    names = [curve.name for curve in CURVES]
    parser.add_argument("--curve", action="append", choices=names, help="default: all")
    parser.add_argument("--limit", type=float, default=10, help="seconds where a curve ends (10)")
    parser.add_argument("--output", type=Path, default=ROOT / "results" / "benchmarks")
    parser.add_argument("--date", default=datetime.date.today().isoformat(), help="of the run")
    parser.add_argument("--point", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.point:
        print(json.dumps(point(options.point[0], int(options.point[1]))))
        return 0
    wanted = [curve for curve in CURVES if not options.curve or curve.name in options.curve]
    results = rounded(
        {
            "date": options.date,
            "machine": machine(),
            "curves": {curve.name: follow(curve, options.limit) for curve in wanted},
        }
    )
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / "growth.json").write_text(json.dumps(results, indent=1) + "\n")
    (options.output / "growth.md").write_text(markdown(results))
    plot(results["curves"], options.output / "growth.svg")
    return 0


if __name__ == "__main__":
    sys.exit(main())
