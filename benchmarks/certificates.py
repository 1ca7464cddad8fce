"""What a certificate costs to make and to check: ``python -m benchmarks.certificates``.

Of each library puzzle: the reveal with the fewest tilings, and one in the middle; CPU seconds of
this process, beside what counting the same by ``sat`` takes. A row that is in certificates.csv
already is not measured again. ``--base CHECKOUT`` makes and checks each row by another checkout,
too, in turn, and prints the sums.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from benchmarks.measure import ROOT
from satcal.diagram.puzzle import PuzzleDiagram
from satcal.puzzle.loading import library, load
from satcal.puzzle.model import Piece, Puzzle, Reveal
from satcal.puzzle.writing import to_toml

FIELDS = ("board", "reveal", "tilings", "nodes", "bytes", "certify", "check", "sat")
COMPARED = ("a-puzzle-a-day", "crea-makerspace", "jarring-words", "rhombus", "tetromino", "weekday")
"""The boards of which ``--base`` measures two dates each."""
# run by the satcal of either checkout: makes and checks a certificate, and prints what that took;
# a first check, of which nothing is measured, loads what later ones find loaded
SCRIPT = """
import io, json, sys, time
from satcal.proof.check import check

puzzle, old, sat = parse_puzzle(sys.stdin.read(), "puzzle"), sys.argv[1] == "old", 0
reveal = tuple(sys.argv[2:])
if old:
    from satcal.evidence.certify import certify
else:
    from satcal.certificates.certify import certify
began = time.process_time()
data = certify(puzzle, reveal if old else [reveal])
made = time.process_time()
for _ in range(2):
    warm = time.process_time()
    found = check(data if old else io.BytesIO(data))
checked = time.process_time()
if old:
    ((proved,),) = [found[1]]
    tilings, nodes = proved.tilings, getattr(proved, "nodes", 0)
else:
    tilings, nodes = found.tilings[reveal], found.nodes
if not old:
    from satcal.counting.method import Meter
    from satcal.counting.sat import Sat
    Sat().counts(puzzle, [reveal], (), Meter())
    sat = time.process_time() - checked
print(json.dumps({
    "tilings": tilings, "nodes": nodes, "bytes": len(data),
    "certify": f"{made - began:.2f}", "check": f"{checked - warm:.3f}", "sat": f"{sat:.2f}",
}))
"""
X = Piece("X", ((0, 1), (1, 0), (1, 1), (1, 2), (2, 1)))
HEAD = """\
# What certificates cost

Written by `python -m benchmarks.certificates` from `certificates.csv`. CPU seconds in one process:
*certify* searches, writes the tree and checks it, *check* follows it, *sat* counts the same by SAT
solver, without a proof.

Against format 2 (commit 78da09c), over two dates each of `a-puzzle-a-day`, `crea-makerspace`,
`jarring-words`, `rhombus`, `tetromino` and `weekday`: `satcal.proof.check.check` on bytes, CPU
seconds in a process that had checked a file before, in turn, three times, on 2026-11-23 on a busy
machine: 3.25, 3.10 and 3.90 s then, 0.36, 0.35 and 0.46 s now, which is 8.5 to 9.1 times faster
(3.4 to 18.5 times for a single date). `python -m benchmarks.certificates --base CHECKOUT`, one run
on the same day, busier still: making 36.75 and 2.67 s (13.8 times), checking 5.07 and 0.59 s (8.6
times), files 3,260,416 and 170,918 bytes (1/19). `satcal check
results/certificates/rhombus.2025.satcert`,
whole process: 28.8 s of CPU, 38.4 s by the clock, 38 MB at most (19,771,727 nodes).

"""


def cases(board: str) -> Iterator[tuple[str, Puzzle, Reveal]]:
    """Yield what is measured of a board: the name of its pieces, the puzzle, the reveal."""
    puzzle = load(board)
    counts = PuzzleDiagram.build(puzzle).counts()
    dated = [r for r in counts if puzzle.calendar.parts is None or puzzle.calendar.is_date(r)]
    ordered = sorted(dated, key=lambda reveal: (counts[reveal], reveal))
    yield "", puzzle, ordered[0]
    if len(ordered) > 1:
        yield "", puzzle, ordered[len(ordered) // 2]
    one_sided = puzzle.with_flips("none")
    none = [r for r, count in PuzzleDiagram.build(one_sided).counts().items() if not count]
    if none:
        yield "one-sided", one_sided, none[0]
        return
    area = puzzle.area
    drawn = [replace(X, copies=area // 5)] if area >= 5 else []
    if area % 5:
        drawn.append(Piece("I", tuple((0, column) for column in range(area % 5))))
    yield "X", replace(puzzle, drawn=tuple(drawn)), ordered[0]


def measured(puzzle: Puzzle, reveal: Reveal, checkout: Path, age: str = "new") -> dict[str, str]:
    """The row of one certificate, by the satcal of a checkout."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, age, *reveal],
        input=to_toml(puzzle),
        text=True,
        check=True,
        capture_output=True,
        cwd=checkout,
        env=os.environ | {"PYTHONPATH": str(checkout)},
    )
    figures = {name: str(value) for name, value in json.loads(done.stdout).items()}
    return {"board": puzzle.name, "reveal": " ".join(reveal)} | figures


def read(path: Path) -> list[dict[str, str]]:
    """The rows that were measured already."""
    if not path.exists():
        return []
    with open(path, encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def write(folder: Path) -> None:
    """Write the page of the table."""
    rows = read(folder / "certificates.csv")
    lines = ["| " + " | ".join(FIELDS) + " |", "|---|---|" + "--:|" * (len(FIELDS) - 2)]
    lines += ["| " + " | ".join(row[field] for field in FIELDS) + " |" for row in rows]
    (folder / "certificates.md").write_text(HEAD + "\n".join(lines) + "\n", encoding="utf-8")


def main(arguments: list[str] | None = None) -> int:
    """Measure what is not measured yet, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=ROOT / "results" / "benchmarks")
    parser.add_argument("--base", type=Path, help="another checkout, measured in turn")
    options = parser.parse_args(arguments)
    path = options.output / "certificates.csv"
    rows = [] if options.base else read(path)
    done = {(row["board"], row["reveal"]) for row in rows}
    before: list[dict[str, str]] = []
    for board in COMPARED if options.base else library():
        for pieces, puzzle, reveal in cases(board):
            if pieces or (board, " ".join(reveal)) in done or len(puzzle.cells) > 70:
                continue
            rows.append(measured(puzzle, reveal, ROOT))
            if options.base:
                before.append(measured(puzzle, reveal, options.base, "old"))
                print(before[-1], rows[-1], file=sys.stderr, flush=True)
                continue
            with open(path, "w", encoding="utf-8", newline="") as stream:
                writer = csv.DictWriter(stream, FIELDS, lineterminator="\n")
                writer.writeheader()
                writer.writerows(rows)
    for name in ("certify", "check", "bytes") if options.base else ():
        then, now = (sum(float(row[name]) for row in each) for each in (before, rows))
        print(f"{name}: {then:.2f} before, {now:.2f} now: {then / now:.1f} times")
    if not options.base:
        write(options.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
