"""Large boards: what each method can do, and where it ends. ``python -m benchmarks.large``.

Every figure is of a fresh process, `satcal count --verify 0 --no-cache --store none --jobs 1`
under a time and a memory limit. Writes ``results/benchmarks/large-boards.csv`` and ``.md``.
"""

from __future__ import annotations

import argparse
import csv
import datetime
import re
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.growing import steps
from benchmarks.measure import ROOT, run
from benchmarks.report import table

FOLDER = ROOT / "results" / "benchmarks"
MEMORY, SECONDS = "4G", 60
METHODS = ("diagram", "sat", "search")
# What the other methods are asked: the rest has more tilings than they can list in the time.
SLOW = (
    "pentominoes 3x20",
    "pentominoes 8x8-hole",
    "pentominoes 4x15",
    "sh1ura, 10 pieces",
    "sh1ura, 11 pieces",
    "pentomino copies 5x12",
)


@dataclass(frozen=True)
class Case:
    """A board and what is asked of it; ``least`` is the reveal with the fewest tilings."""

    name: str
    board: str
    cells: int
    least: str = ""


def cases(folder: Path) -> Iterator[Case]:
    """Yield all cases; boards that are no files yet are written to a folder."""
    for shape in ("3x20", "4x15", "5x12", "6x10", "8x8-hole"):
        yield Case(f"pentominoes {shape}", f"pentomino-{shape}", 60)
    for name, least in (("9", ""), ("10", "Dec,23"), ("11", "Oct,22")):
        yield Case(f"sh1ura, {name} pieces", f"sh1ura-{name}", 50, least)
    grown = [
        ("pentominoes", 12),
        ("pentominoes", 16),
        ("pentominoes", 20),
        ("tetrominoes", 24),
        ("dominoes", 8),
        ("squares", 18),
        ("squares", 20),
        ("squares", 24),
    ]
    for curve, size in grown:
        (step,) = (step for step in steps(curve) if step.size == size)
        path = folder / f"{curve}-{size}.toml"
        path.write_text(step.text)
        width = {"pentominoes": 5, "tetrominoes": 4, "dominoes": 8, "squares": size}[curve]
        name = {"dominoes": "domino", "squares": "domino"}.get(curve, curve.removesuffix("es"))
        yield Case(f"{name} copies {width}x{size}", str(path), width * size)
    for rows, columns in ((4, 30), (5, 24), (6, 20), (10, 12)):
        path = folder / f"twice-{rows}x{columns}.toml"
        path.write_text(_twice(rows, columns))
        yield Case(f"two sets of pentominoes {rows}x{columns}", str(path), rows * columns)


def _twice(rows: int, columns: int) -> str:
    from satcal.puzzle.loading import load
    from satcal.puzzle.writing import to_toml

    one = load("pentomino-6x10")
    cells = tuple((row, column) for row in range(rows) for column in range(columns))
    drawn = tuple(replace(piece, copies=2) for piece in one.drawn)
    return to_toml(replace(one, name="twice", cells=cells, drawn=drawn))


def measured(case: Case, method: str, seconds: int = SECONDS) -> dict[str, Any]:
    """Return the figures of one case by one method."""
    arguments = [
        "count",
        "--board",
        case.board,
        "--method",
        method,
        "--verify",
        "0",
        "--no-cache",
        "--store",
        "none",
        "--jobs",
        "1",
        "--time-limit",
        str(seconds),
        "--memory-limit",
        MEMORY,
        "--format",
        "csv",
    ]
    reveals = ""
    if case.name.startswith("sh1ura"):
        least = method != "diagram" and case.least
        reveals = case.least if least else "all"
        arguments += ["--reveal", case.least] if least else ["--all-reveals"]
    ended = run([sys.executable, "-m", "satcal", *arguments], seconds + 60)
    rows = list(csv.DictReader(ended.output.splitlines()))
    counts = [int(row["tilings"]) for row in rows if row["tilings"]]
    whole = ended.code == 0 and len(counts) == len(rows)
    status = "exact" if whole else "refused" if ended.code == 2 else "not finished"
    words = [line for line in ended.errors.splitlines() if re.match("satcal: error|ERROR", line)]
    return {
        "board": case.name,
        "cells": case.cells,
        "reveals": reveals,
        "method": method,
        "status": status if ended.code in (0, 2, 3) else f"exit {ended.code}",
        "tilings": sum(counts) if counts else "",
        "cpu": round(ended.cpu, 2),
        "wall": round(ended.wall, 2),
        "limit": seconds,
        "peak": round(ended.peak / 1e6),
        "why": (words or [""])[0] if status == "refused" else "",
    }


HEAD = f"""# Large boards

Written by `python -m benchmarks.large`: CPU seconds and peak memory of the whole process, alone
on its core but not on the machine, under a limit of {MEMORY} and of the seconds (wall) in the last
column. Counts are of the whole board, or of all reveals; where a reveal is named, of it alone.
*refused* is before the memory is taken, with the reason; what is *not finished* shows the tilings
found, if it could. `--case NAME --seconds N` measures one case again, with more time.
"""


def markdown(rows: list[dict[str, Any]], date: str) -> str:
    """Return the page."""
    head = [
        "board",
        "cells",
        "reveals",
        "method",
        "result",
        "tilings",
        "CPU s",
        "peak MB",
        "limit s",
    ]
    cells = [
        [
            r["board"],
            str(r["cells"]),
            r["reveals"],
            r["method"],
            r["status"],
            f"{int(r['tilings']):,}" if r["tilings"] != "" else "",
            str(r["cpu"]),
            str(r["peak"]),
            str(r["limit"]),
        ]
        for r in rows
    ]
    refused = [f"- {r['board']} by {r['method']}: `{r['why']}`\n" for r in rows if r["why"]]
    return f"{HEAD}\n- date: {date}\n\n{table(head, cells, False)}\n" + "".join(refused)


def main(arguments: list[str] | None = None) -> int:
    """Measure all cases and write the page."""
    parser = argparse.ArgumentParser(prog="benchmarks.large", description=__doc__)
    parser.add_argument("--output", type=Path, default=FOLDER)
    parser.add_argument("--method", action="append", choices=METHODS)
    parser.add_argument("--date", default=datetime.date.today().isoformat(), help="of the run")
    parser.add_argument("--case", action="append", help="by its name in the table")
    parser.add_argument("--seconds", type=int, default=SECONDS)
    options = parser.parse_args(arguments)
    path = options.output / "large-boards.csv"
    rows: dict[tuple[str, str], dict[str, Any]] = {}
    if path.exists():
        with path.open() as file:
            rows = {(row["board"], row["method"]): row for row in csv.DictReader(file)}
    with tempfile.TemporaryDirectory() as folder:
        every = list(cases(Path(folder)))
        for method in options.method or METHODS:
            for case in every:
                asked = case.name in (options.case or [case.name])
                if asked and (method == "diagram" or case.name in SLOW):
                    row = rows[case.name, method] = measured(case, method, options.seconds)
                    print(*row.values(), flush=True)
    order = [case.name for case in every]
    listed = sorted(
        rows.values(), key=lambda r: (METHODS.index(r["method"]), order.index(r["board"]))
    )
    _write(listed, options.output, options.date)
    return 0


def _write(rows: list[dict[str, Any]], folder: Path, date: str) -> None:
    with (folder / "large-boards.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    (folder / "large-boards.md").write_text(markdown(rows, date))


if __name__ == "__main__":
    sys.exit(main())
