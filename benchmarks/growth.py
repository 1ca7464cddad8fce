"""How the time and memory of a count grow: ``python -m benchmarks.growth``.

Rectangles of growing length or side, and growing numbers of dates. Each point is a fresh process. A
curve ends at the first point that takes longer than the limit or would need more memory than
allowed. On growing boards peers count the same, each as far as it comes within the limit. Writes
growth.json, growth.md and growth.svg; a peer whose count differs ends the run.
"""

from __future__ import annotations

import argparse
import datetime
import itertools
import json
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from benchmarks.measure import RESULTS, machine, measure, run, seconds, table
from satcal.puzzle.loading import MAX_SIDE, load

PEERS = {"c-dominoes": "--", "miniexact": ":", "graphillion": "-."}  # and how they are drawn
MEMORY_LIMIT = 2_000_000_000  # bytes, of the diagram
HEAD = """\
# How the diagram grows

The last point of each curve of `make bench-long` (`growth.json` has all): a fresh process counts
from nothing, by the graph, or in discarded layers (dominoes, and what does not fit 2 GB). *Nodes*
are of the graph or of all layers, seconds CPU time.

Peers get the same exact cover. `miniexact` (dancing links in C) lists the tilings; `graphillion`
intersects families of sets; `c-dominoes` (`dominoes.c`) counts dominoes on rectangles.

![time and memory](growth.svg)
"""


# TOML drawings. Few kinds with copies: sets of all kinds end at their own area.
PENTOMINOES = {
    "P": "##\\n##\\n#.",
    "L": "####\\n#...",
    "V": "###\\n#..\\n#..",
    "Y": "####\\n.#..",
    "N": "###.\\n..##",
    "I": "#####",
}
TETROMINOES = {"L4": "###\\n#..", "T4": "###\\n.#.", "O4": "##\\n##", "I4": "####"}


@dataclass(frozen=True)
class Step:
    """One point of a curve: its place on the axis, and the puzzle as text or library name.

    ``reveals`` are those to be counted, None for all.
    """

    size: int
    text: str
    board: str = ""
    reveals: tuple[tuple[str, ...], ...] | None = None


@dataclass(frozen=True)
class Curve:
    """A series of puzzles: its name, what grows, and what the puzzles are."""

    name: str
    grows: str
    what: str


CURVES = (
    Curve("dominoes", "length", "dominoes on 8 x length"),
    Curve("squares", "side", "dominoes on side x side"),
    Curve("tetrominoes", "length", "copies of L4, T4, O4 and I4 on 4 x length"),
    Curve("pentominoes", "length", "copies of P, L, V, Y, N and I on 5 x length"),
    Curve("rhombus-dates", "dates", "the first dates of 2025 on the rhombus"),
    Curve("weekday-dates", "dates", "the first dates of 2025 on the weekday board"),
)
DATES = (1, 7, 31, 90, 181, 365)


def rectangle(rows: int, columns: int, pieces: dict[str, tuple[str, int]]) -> str:
    """Return a puzzle file: a rectangle without labels, drawings and copies of pieces."""
    board = "\n".join(" ".join("*" * columns) for _ in range(rows))
    drawn = "".join(
        f'{name} = {{ shape = "{shape}", copies = {copies} }}\n'
        for name, (shape, copies) in pieces.items()
        if copies
    )
    return f'name = "rectangle"\nboard = """\n{board}\n"""\n[pieces]\n{drawn}'


def steps(curve: str) -> Iterator[Step]:
    """Yield the points of a curve, up to the largest side, or to all reveals."""
    if curve.endswith("-dates"):
        yield from _dates(curve.removesuffix("-dates"))
        return
    stride = {"dominoes": 8, "pentominoes": 1}.get(curve, 2)
    for size in range(stride, MAX_SIDE + 1, stride):
        yield Step(size, _grown(curve, size))


def _grown(curve: str, size: int) -> str:
    if curve == "dominoes":
        return rectangle(8, size, {"I2": ("##", 4 * size)})
    if curve == "squares":
        return rectangle(size, size, {"I2": ("##", size * size // 2)})
    shapes = TETROMINOES if curve == "tetrominoes" else PENTOMINOES
    return rectangle(4 if curve == "tetrominoes" else 5, size, _shared(shapes, size))


def _shared(shapes: dict[str, str], many: int) -> dict[str, tuple[str, int]]:
    """Return drawings with copies that add up to ``many``, two of each in turn.

    Two, because T4 covers three cells of one colour: an odd number of them leaves no tiling.
    """
    copies = dict.fromkeys(shapes, 0)
    for number in range(many):
        copies[list(shapes)[number // 2 % len(shapes)]] += 1
    return {name: (shape, copies[name]) for name, shape in shapes.items()}


def _dates(board: str) -> Iterator[Step]:
    puzzle = load(board)
    first = datetime.date(2025, 1, 1)
    for many in DATES:
        days = [first + datetime.timedelta(days=day) for day in range(many)]
        yield Step(many, "", board, tuple(puzzle.reveal(day) for day in days))
    every = tuple(puzzle.reveals())
    yield Step(len(every), "", board, None)


def point(curve: str, index: int) -> dict[str, Any]:
    """Build and count one point in this process; ``end`` behind the last, or out of memory."""
    from satcal.diagram.counts import counts_by_diagram
    from satcal.errors import TooLarge
    from satcal.puzzle.loading import parse_puzzle

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
        if ended.code:
            sys.exit(f"{curve.name} {len(points)}: {ended.errors[-2000:]}")
        found = json.loads(ended.output) if ended.code == 0 else {"end": True}
        if "end" in found:
            return points
        points.append(found | {"peak": ended.peak})
        print(f"{curve.name}: {points[-1]}", file=sys.stderr, flush=True)
        if found["seconds"] > limit:
            return points


def follow_peer(name: str, curve: Curve, points: list[Any], limit: float) -> None:
    """Add a peer's figures to the points of a curve, as far as it comes within the limit."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "growing.toml")
        for step, one in zip(steps(curve.name), points, strict=False):
            path.write_text(step.text)
            found = measure(name, str(path), "-", 10 * limit)
            if (
                found["status"] == "failed"
                or found.get("tilings", one["tilings"]) != one["tilings"]
            ):
                sys.exit(f"DIFFERENT: {curve.name} {step.size}: {name}: {found}")
            if found["status"] != "ok":
                return
            figures = {"seconds": found["busy"], "peak": found["peak"]}
            one.setdefault("peers", {})[name] = figures
            print(f"{curve.name} {step.size}: {name}: {figures}", file=sys.stderr, flush=True)
            if found["busy"] > limit:
                return


def markdown(results: Mapping[str, Any]) -> str:
    """Return the report."""
    about = (
        f"- date: {results['date']}\n- machine: {results['machine']}\n"
        f"- a curve ends at the first point of more than {results['limit']:g} s\n"
    )
    head = ("curve", "cells", "tilings", "nodes", "count s", "peak MB", "last point of peers")
    rows = [
        _last(curve, results["curves"][curve.name])
        for curve in CURVES
        if curve.name in results["curves"]
    ]
    return "\n".join([HEAD, about, table(head, rows)])


def _last(curve: Curve, points: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return what the last point of a curve has, and how far its peers came."""
    last = points[-1]
    ends = {
        name: f"{name} {one['cells']} cells, {seconds(found['seconds'])} s"
        for one in points
        for name, found in one.get("peers", {}).items()
    }
    return [
        f"{curve.name}: {curve.what}, {last['size']}",
        str(last["cells"]),
        _large(last["tilings"]),
        f"{last['nodes']:,}",
        seconds(last["seconds"]),
        f"{last['peak'] / 1e6:,.0f}",
        "; ".join(ends.values()),
    ]


def _large(number: int) -> str:
    """Return a count with separators, or with three digits and its magnitude if it is long."""
    return f"{number:,}" if number < 10**15 else f"{Decimal(number):.2e}"


def plot(curves: Mapping[str, Sequence[Mapping[str, Any]]], path: Path) -> None:
    """Draw seconds and memory over the cells of the boards that grow, and over the reveals."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "satcal"  # the same figures, the same file
    matplotlib.rcParams["svg.fonttype"] = "none"  # text as text: a small file
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(2, 2, figsize=(10, 7), sharex="col", layout="constrained")
    for row, (key, label, unit) in enumerate((("seconds", "seconds", 1), ("peak", "MB", 1e6))):
        for axis in axes[row]:
            axis.set(yscale="log", ylabel=label)
            axis.grid(alpha=0.3)
        for curve in CURVES:
            found = curves.get(curve.name, [])
            axis = axes[row][int(curve.grows == "dates")]
            across = "reveals" if curve.grows == "dates" else "cells"
            lines: dict[str, list[tuple[float, float]]] = {}
            for one in found:
                for name, figures in {"satcal": one, **one.get("peers", {})}.items():
                    lines.setdefault(name, []).append((one[across], figures[key] / unit))
            color = None
            for name, points in lines.items():
                style = PEERS.get(name, "-")
                shown = f"{curve.name}, {name}"
                (line,) = axis.plot(*zip(*points, strict=True), style, color=color, label=shown)
                color = line.get_color()
    for column, label in enumerate(("cells of the board", "reveals")):
        axes[1][column].set_xlabel(label)
        if axes[0][column].lines:
            axes[0][column].legend(fontsize="x-small")
    axes[1][1].set_xscale("log")
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)


def write(results: Mapping[str, Any], folder: Path) -> None:
    """Write growth.json, growth.md and growth.svg."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "growth.json").write_text(json.dumps(results, indent=1) + "\n")
    (folder / "growth.md").write_text(markdown(results))
    plot(results["curves"], folder / "growth.svg")


def main(arguments: list[str] | None = None) -> None:
    """Measure all curves and write the results."""
    parser = argparse.ArgumentParser(prog="benchmarks.growth", description=HEAD.split("\n")[0])
    names = [curve.name for curve in CURVES]
    parser.add_argument("--curve", action="append", choices=names, help="default: all")
    parser.add_argument("--limit", type=float, default=10, help="seconds where a curve ends (10)")
    parser.add_argument("--output", type=Path, default=RESULTS)
    parser.add_argument("--point", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.point:
        print(json.dumps(point(options.point[0], int(options.point[1]))))
        return
    curves = {}
    for curve in CURVES:
        if not options.curve or curve.name in options.curve:
            curves[curve.name] = points = follow(curve, options.limit)
            for name in PEERS if curve.grows != "dates" else ():
                follow_peer(name, curve, points, options.limit)
    today = datetime.date.today().isoformat()
    about = {"date": today, "machine": machine(), "limit": options.limit}
    write({**about, "curves": curves}, options.output)


if __name__ == "__main__":
    main()
