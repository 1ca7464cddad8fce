"""How the time and memory of a count grow: ``python -m benchmarks.growth``.

Each point is a fresh process. A curve ends at the first point that takes longer than the
limit or would need more memory than allowed. On growing boards peers count the same, each as far
as it comes within the limit. Writes growth.json, growth.md and growth.svg; exit code 1 if a
peer's count differs.
"""

from __future__ import annotations

import argparse
import datetime
import itertools
import json
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from benchmarks.growing import CURVES, Curve, steps
from benchmarks.measure import ROOT, Failed, ask, measure, run
from benchmarks.report import rounded, seconds, table
from benchmarks.run import machine
from benchmarks.suites import Case

PEERS = {"c-dominoes": "--", "miniexact": ":", "graphillion": "-."}  # and how they are drawn
MEMORY_LIMIT = 2_000_000_000  # bytes, of the diagram
HEAD = """\
# How the diagram grows

Written by `make bench-long`. Every point is a fresh process that counts from nothing, as
`satcal count` does: by the graph, or in layers that are let go (dominoes, and what does not fit
2 GB). *Nodes* are those of the graph, or the states of all layers; *count* is CPU time without
starting Python, *peak* the whole process. The machine was shared with other work. Of peers, *s* is
CPU time from the loaded puzzle to the answer, of a program in C that of the program; there is none
where the limit was passed, or a peer cannot be asked.

![time and memory](growth.svg)
"""


def point(curve: str, index: int) -> dict[str, Any]:
    """Build and count one point in this process; ``end`` behind the last, or out of memory."""
    from satcal.diagram.counts import counts_by_diagram
    from satcal.errors import TooLarge
    from satcal.puzzle.loading import load, parse_puzzle

    step = next(itertools.islice(steps(curve), index, None), None)
    if step is None:
        return {"end": True}
    puzzle = load(step.board) if step.board else parse_puzzle(step.text, "rectangle")
    reveals = list(puzzle.reveals()) if step.reveals is None else step.reveals
    started = time.process_time()
    try:
        counts, nodes = counts_by_diagram(
            puzzle, reveals, use_cache=False, memory_limit=MEMORY_LIMIT
        )
    except TooLarge:
        return {"end": True}
    return {
        "size": step.size,
        "cells": len(puzzle.cells),
        "reveals": len(counts),
        "tilings": sum(counts.values()),
        "nodes": nodes,
        "seconds": time.process_time() - started,
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


def follow_peer(name: str, known: Any, curve: Curve, points: list[Any], limit: float) -> None:
    """Add a peer's figures to the points of a curve, as far as it comes within the limit.

    Raises:
        Failed: it ended with an error, or its count differs.
    """
    with tempfile.TemporaryDirectory() as folder:
        for step, one in zip(steps(curve.name), points, strict=False):
            path = Path(folder, "growing.toml")
            path.write_text(step.text)
            found = measure(name, known["program"], Case(str(path)), 10 * limit)
            if found["status"] != "ok":
                return
            if found["tilings"] != one["tilings"]:
                raise Failed(f"{curve.name} {step.size}: {name} counts {found['tilings']}")
            figures = {"seconds": found["busy"], "peak": found["peak"]}
            one.setdefault("peers", {})[name] = figures
            print(f"{curve.name} {step.size}: {name}: {figures}", file=sys.stderr, flush=True)
            if found["busy"] > limit:
                return


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
    points = curves[curve.name]
    peers = list(dict.fromkeys(name for one in points for name in one.get("peers", ())))
    head = [curve.grows, "cells", "tilings", "nodes", "count s", "peak MB"]
    head += [f"{name} {figure}" for name in peers for figure in ("s", "MB")]
    rows = [
        [
            *(str(one[key]) for key in ("size", "cells")),
            _large(one["tilings"]),
            f"{one['nodes']:,}",
            *_figures(one),
            *(cell for name in peers for cell in _figures(one.get("peers", {}).get(name))),
        ]
        for one in points
    ]
    return table(head, rows)


def _figures(one: Mapping[str, Any] | None) -> list[str]:
    """Return seconds and megabytes; nothing where nothing was measured."""
    return [seconds(one["seconds"]), f"{one['peak'] / 1e6:,.0f}"] if one else ["", ""]


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
    from matplotlib.lines import Line2D

    figure, axes = pyplot.subplots(2, 2, figsize=(10, 7), sharex="col", layout="constrained")
    for row, (key, label, unit) in enumerate((("seconds", "seconds", 1), ("peak", "MB", 1e6))):
        for column, dates in enumerate((False, True)):
            axis = axes[row][column]
            for curve in CURVES:
                found = curves.get(curve.name, [])
                if found and (curve.grows == "dates") == dates:
                    across = "reveals" if dates else "cells"
                    (line,) = _draw(axis, found, across, key, unit, label=curve.name, marker=".")
                    for name, style in PEERS.items():
                        of_peer = [
                            {**one, **one["peers"][name]}
                            for one in found
                            if name in one.get("peers", {})
                        ]
                        _draw(axis, of_peer, across, key, unit, ls=style, color=line.get_color())
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
    if any("peers" in one for points in curves.values() for one in points):
        styles = [Line2D([], [], color="grey", linestyle=each) for each in PEERS.values()]
        axes[1][0].legend(styles, list(PEERS), fontsize="small")
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)


def _draw(axis: Any, points: Any, across: str, key: str, unit: float, **style: Any) -> Any:
    return axis.plot([one[across] for one in points], [one[key] / unit for one in points], **style)


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
    curves, known = {}, ask("versions")[1]["peers"]
    for curve in CURVES:
        if options.curve and curve.name not in options.curve:
            continue
        curves[curve.name] = points = follow(curve, options.limit)
        for name in PEERS:
            if curve.grows != "dates" and known[name]["version"] is not None:
                try:
                    follow_peer(name, known[name], curve, points, options.limit)
                except Failed as error:
                    print(error, file=sys.stderr)
                    return 1
    results = rounded({"date": options.date, "machine": machine(), "curves": curves})
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / "growth.json").write_text(json.dumps(results, indent=1) + "\n")
    (options.output / "growth.md").write_text(markdown(results))
    plot(results["curves"], options.output / "growth.svg")
    return 0


if __name__ == "__main__":
    sys.exit(main())
