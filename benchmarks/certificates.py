"""What a certificate costs to make and to check: ``python -m benchmarks.certificates``.

Of each library puzzle the reveal with the fewest tilings and one in the middle, each in a fresh
process. The columns ``certify`` (search, write, check), ``check`` (follow the tree) and ``sat``
(count the same with closed lemmas, without a proof) are CPU seconds.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measure import RESULTS, run
from satcal.certificates.certify import certify
from satcal.counting.method import Meter
from satcal.counting.sat import Sat
from satcal.diagram.puzzle import PuzzleDiagram
from satcal.proof.check import check
from satcal.puzzle.loading import library, load
from satcal.puzzle.model import Reveal

FIELDS = ("board", "reveal", "tilings", "nodes", "bytes", "certify", "check", "sat")


def reveals_of(board: str) -> Iterator[Reveal]:
    """Yield the reveals that are measured of a board."""
    puzzle = load(board)
    counts = PuzzleDiagram.build(puzzle).counts()
    dated = [r for r in counts if puzzle.calendar.parts is None or puzzle.calendar.is_date(r)]
    ordered = sorted(dated, key=lambda reveal: (counts[reveal], reveal))
    yield ordered[0]
    if len(ordered) > 1:
        yield ordered[len(ordered) // 2]


def one(board: str, reveal: Reveal) -> dict[str, str]:
    """Return the row of one certificate, measured in this process."""
    puzzle = load(board)
    began = time.process_time()
    data = certify(puzzle, [reveal])
    made = time.process_time()
    for _ in range(2):  # a first check loads what later ones find loaded
        warm = time.process_time()
        found = check(io.BytesIO(data))
    checked = time.process_time()
    Sat().counts(puzzle, [reveal], (), Meter())
    values = (board, " ".join(reveal), found.tilings[reveal], found.nodes, len(data))
    taken = f"{made - began:.2f}", f"{checked - warm:.3f}", f"{time.process_time() - checked:.2f}"
    return dict(zip(FIELDS, [*map(str, values), *taken], strict=True))


def measured(board: str, reveal: Reveal) -> dict[str, str]:
    """Return the row of one certificate, measured in a fresh process."""
    command = [sys.executable, "-m", "benchmarks.certificates", "--one", board, *reveal]
    ended = run(command, 3600)
    if ended.code != 0:
        sys.exit(f"{board} {reveal}: exit {ended.code}\n{ended.errors[-2000:]}")
    row: dict[str, str] = json.loads(ended.output)
    print(row, file=sys.stderr, flush=True)
    return row


def write(rows: list[dict[str, str]], folder: Path) -> None:
    """Write the table."""
    with open(folder / "certificates.csv", "w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def main(arguments: list[str] | None = None) -> None:
    """Measure, and write the table."""
    parser = argparse.ArgumentParser(prog="benchmarks.certificates", description=__doc__)
    parser.add_argument("--one", nargs="+", help=argparse.SUPPRESS)
    parser.add_argument("--board", action="append", help="default: all of at most 70 cells")
    parser.add_argument("--output", type=Path, default=RESULTS)
    options = parser.parse_args(arguments)
    if options.one:
        print(json.dumps(one(options.one[0], tuple(options.one[1:]))))
        return
    boards = options.board or [name for name in library() if len(load(name).cells) <= 70]
    rows = [measured(board, reveal) for board in boards for reveal in reveals_of(board)]
    write(rows, options.output)


if __name__ == "__main__":
    main()
