"""The encodings, evaluated: ``python -m benchmarks.encodings`` writes encodings.csv.

For a date of each of two boards: the size of each formula, and the CPU seconds of satcal's loop to
the first tiling and to all, and of the model counter d4, without and with closed lemmas. Each
measurement is a fresh process. Making the formula is not counted there; with lemmas it is a column
of its own. A wrong count ends the run.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import sys
import tempfile
from pathlib import Path

from benchmarks.measure import RESULTS, cpu_seconds, run
from satcal.counting.sat import Sat, order_literals
from satcal.encoding import ENCODINGS
from satcal.encoding.export import export_text
from satcal.encoding.lemmas import LEMMAS
from satcal.external.packages import d4
from satcal.published.shipped import shipped_counts
from satcal.puzzle.loading import load
from satcal.puzzle.placements import cover_of

DATES = {"a-puzzle-a-day": ("Jan", "25"), "rhombus": ("Thu", "Apr", "2")}
NAMES = [name for name, each in ENCODINGS.items() if each.dimacs]
WORK = ("first", "all", "d4")
HEAD = ["encoding", "variables", "clauses", "literals"]
HEAD += [f"{work}{more}" for more in ("", ", lemmas") for work in WORK] + ["make, lemmas"]


def one(work: str, name: str, lemmas: str, board: str) -> None:
    """Print the answer of one piece of work and its CPU seconds, once the formula is made."""
    puzzle, reveal = load(board), DATES[board]
    if work == "d4":
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "tilings.cnf")
            path.write_text(export_text(puzzle, reveal, encoding=name, lemmas=lemmas))
            before = cpu_seconds()
            found = d4(str(path))
    elif work == "make":
        cover, before = cover_of(puzzle, reveal), cpu_seconds()
        found = int(bool(Sat(encoding=name, lemmas=lemmas).formula(cover)))
    else:
        sat = Sat(encoding=name, lemmas=lemmas)
        cover, formula = sat.formula(cover_of(puzzle, reveal))
        inside = order_literals(cover, formula, sat.solver_name)
        options = set(inside[1 : formula.shown + 1])
        with sat.new_solver(formula, inside) as solver:
            before, found = cpu_seconds(), 0
            while not (found and work == "first") and solver.solve():
                found += 1
                solver.add_clause([-v for v in solver.get_model() if v in options])
    print(json.dumps([found, cpu_seconds() - before]))


def measured(work: str, name: str, lemmas: str, board: str, limit: float) -> str:
    """Return the seconds of one piece of work as text."""
    ended = run(
        [sys.executable, "-m", "benchmarks.encodings", "--one", work, name, lemmas, board], limit
    )
    if ended.code is None:
        return f"> {limit:g}"
    if ended.code:
        return "fails"
    found, seconds = json.loads(ended.output.splitlines()[-1])
    expected = 1 if work in ("first", "make") else shipped_counts(load(board))[DATES[board]]
    if found != expected:
        sys.exit(f"DIFFERENT: {work} {name} {lemmas} {board}: {found} instead of {expected}")
    print(f"{board} {name} {lemmas} {work}: {seconds:.2f} s", file=sys.stderr, flush=True)
    return f"{seconds:.2f}"


def rows(board: str, limit: float) -> list[list[str]]:
    """Return a row for each encoding: its size, and its seconds."""
    found = []
    for name in NAMES:
        text = export_text(load(board), DATES[board], encoding=name)
        [(variables, clauses)] = re.findall(r"^p cnf (\d+) (\d+)$", text, re.MULTILINE)
        literals = sum(line.count(" ") for line in text.splitlines() if line[0] not in "cp")
        sizes = [variables, clauses, str(literals)]
        times = [
            measured(work, name, lemmas, board, limit)
            for lemmas in reversed(LEMMAS)
            for work in WORK
        ]
        times.append(measured("make", name, "closed", board, limit))
        found.append([name, *sizes, *times])
    return found


def main(arguments: list[str] | None = None) -> None:
    """Measure, and write the table."""
    parser = argparse.ArgumentParser(prog="benchmarks.encodings", description=__doc__)
    parser.add_argument("--one", nargs=4, metavar=("WORK", "NAME", "LEMMAS", "BOARD"))
    parser.add_argument("--limit", type=float, default=60, help="seconds per measurement (60)")
    options = parser.parse_args(arguments)
    if options.one:
        one(*options.one)
        return
    found = {board: rows(board, options.limit) for board in DATES}
    with open(RESULTS / "encodings.csv", "w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(["board", "reveal", *HEAD])
        for board, reveal in DATES.items():
            writer.writerows([board, " ".join(reveal), *row] for row in found[board])


if __name__ == "__main__":
    main()
