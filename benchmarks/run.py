"""Whole puzzles, every reveal from nothing: satcal and its peers (``python -m benchmarks.run``).

Rounds are interleaved: every peer of a puzzle once, then all again, so that a busy machine disturbs
all of them. After each puzzle the results so far are written. Exit code 1: an answer differs.
"""

from __future__ import annotations

import argparse
import datetime
import json
import platform
import statistics
import subprocess
import sys
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from benchmarks.measure import RESULTS, machine, measure, seconds, table

BOARDS = ("a-puzzle-a-day", "rhombus", "weekday")
PEERS = ("satcal-diagram", "c-rows", "c-diagram", "xcover")
ONCE = 100  # seconds; what takes longer is not repeated
HEAD = """\
# Whole puzzles: satcal and its peers

`make bench` counts the tilings of every reveal, from nothing: medians of fresh processes. *Count*
is from the loaded puzzle to the answer, *CPU* and *peak* are of the whole process. `peers.json`
has more.

All get the same exact cover, without lemmas. The diagram adds up tilings; the others list them.
`c-rows` and `c-diagram` are `yardstick.c` with the cells in reading order and in satcal's;
`xcover` is dancing cells in Python, compiled before.
"""


def main(arguments: list[str] | None = None) -> int:
    """Run the benchmark and return the exit code."""
    parser = argparse.ArgumentParser(prog="benchmarks.run", description=__doc__)
    parser.add_argument("--board", action="append", help="a name or a file; default: three boards")
    parser.add_argument("--peer", action="append", choices=PEERS, help="default: all")
    parser.add_argument("--repeat", type=int, default=3, help="measurements of each (3)")
    parser.add_argument("--limit", type=float, default=330, help="seconds per measurement (330)")
    parser.add_argument(
        "--once-above", type=float, default=100, help="no repetition of longer ones"
    )
    parser.add_argument("--output", type=Path, default=RESULTS)
    options = parser.parse_args(arguments)
    results: dict[str, Any] = {
        "date": datetime.date.today().isoformat(),
        "machine": machine(),
        "versions": versions(),
        "repetitions": options.repeat,
        "limit": options.limit,
        "cases": {},
    }
    for board in options.board or BOARDS:
        results["cases"][board] = measure_case(board, options.peer or PEERS, options)
        write(results, options.output)
    wrong = disagreements(results["cases"])
    for line in wrong:
        print(f"DIFFERENT ANSWERS: {line}", file=sys.stderr)
    return 1 if wrong else 0


def versions() -> dict[str, str]:
    """Return the versions of what satcal is measured with."""
    found = {"Python": platform.python_version()}
    for name in ("numpy", "xcover"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "missing"
    said = subprocess.run(["gcc", "-dumpfullversion"], capture_output=True, text=True, check=True)
    return found | {"gcc": said.stdout.strip()}


def measure_case(board: str, peers: Any, options: argparse.Namespace) -> dict[str, Any]:
    """Return the summary of each peer's measurements of one puzzle."""
    measure("xcover", "a-puzzle-a-day", "Oct,6", 120)  # it compiles itself, and keeps that
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in peers}
    for _ in range(options.repeat):
        for name, before in found.items():
            if before and (before[-1]["status"] != "ok" or before[-1]["wall"] > ONCE):
                continue
            before.append(measure(name, board, "-", options.limit))
            shown = {key: value for key, value in before[-1].items() if key != "counts"}
            print(f"{board}: {name}: {shown}", file=sys.stderr, flush=True)
    return {name: summary(measured) for name, measured in found.items()}


def summary(measured: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the medians of one peer; what stopped it, if something did."""
    if measured[-1]["status"] != "ok":
        return measured[-1]
    answers = [one["counts"] or one["tilings"] for one in measured]
    if any(answer != answers[0] for answer in answers):
        return {"status": "failed", "why": "its answers differ"}
    keys = ("wall", "cpu", "peak", "seconds")
    medians = {key: statistics.median(one[key] for one in measured) for key in keys}
    same = {key: measured[0][key] for key in ("tilings", "counts")}
    return {"status": "ok", "repetitions": len(measured), **medians, **same}


def disagreements(cases: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> list[str]:
    """Return who failed, or gave another answer than the first who answered."""
    lines = []
    for board, cells in cases.items():
        good = [cell for cell in cells.values() if cell["status"] == "ok"]
        for name, cell in cells.items():
            if cell["status"] == "failed":
                lines.append(f"{board}: {name} failed: {cell['why']}")
            elif cell["status"] == "ok" and cell["counts"] != good[0]["counts"]:
                lines.append(f"{board}: {name} counts {cell['tilings']}")
    return lines


def write(results: Mapping[str, Any], folder: Path) -> None:
    """Write peers.json, without the count of each reveal, and peers.md."""
    folder.mkdir(parents=True, exist_ok=True)
    kept = {
        board: {
            name: {key: value for key, value in cell.items() if key != "counts"}
            for name, cell in cells.items()
        }
        for board, cells in results["cases"].items()
    }
    text = json.dumps({**results, "cases": kept}, indent=1) + "\n"
    (folder / "peers.json").write_text(text)
    (folder / "peers.md").write_text(markdown(results))


def markdown(results: Mapping[str, Any]) -> str:
    """Return the report."""
    named = ", ".join(f"{name} {number}" for name, number in results["versions"].items())
    about = (
        f"- date: {results['date']}\n- machine: {results['machine']}\n- {named}\n"
        f"- up to {results['repetitions']} rounds, {results['limit']:g} s per measurement\n"
    )
    rows = [
        [board, name, *row(cell, results["limit"])]
        for board, cells in results["cases"].items()
        for name, cell in cells.items()
    ]
    head = ("puzzle", "peer", "count s", "CPU s", "peak MB")
    return "\n".join([HEAD, about, table(head, rows)])


def row(cell: Mapping[str, Any], limit: float) -> list[str]:
    """Return the figures of one peer, or why there are none."""
    if cell["status"] == "ok":
        return [seconds(cell["seconds"]), seconds(cell["cpu"]), f"{cell['peak'] / 1e6:,.0f}"]
    if cell["status"] == "late":
        return [f"not finished in {limit:g} s", "", f"{cell['peak'] / 1e6:,.0f}"]
    return [f"{cell['status']}: {cell['why']}", "", ""]


if __name__ == "__main__":
    sys.exit(main())
