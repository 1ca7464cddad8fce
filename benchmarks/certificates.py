"""What a certificate costs to make and to check: ``python -m benchmarks.certificates``.

Of each library puzzle: the reveal with the fewest tilings, one in the middle, and one that has
none, made for the purpose: with pieces that may not be turned over or, where that leaves
tilings everywhere, with copies of X alone. Every row is counted, certified and checked in one
process, in CPU seconds. A row that is in certificates.csv already is not measured again.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from benchmarks.measure import ROOT
from satcal.counting import sat
from satcal.counting.diagram.puzzle import PuzzleDiagram
from satcal.evidence.certify import certify
from satcal.evidence.checker import check
from satcal.puzzle.loading import library, load
from satcal.puzzle.model import Piece, Puzzle, Reveal
from satcal.puzzle.placements import cover

FIELDS = (
    "board", "pieces", "reveal", "tilings", "proofs", "count", "certify", "check", "bytes", "steps",
)  # fmt: skip
X = Piece("X", ((0, 1), (1, 0), (1, 1), (1, 2), (2, 1)))
HEAD = """\
# What certificates cost

Written by `python -m benchmarks.certificates` from `certificates.csv`; CPU seconds of one core,
each row counted, certified and checked in one process. *count* is the loop of `sat` alone,
*certify* that and the run that writes the proof, *check* everything that `satcal check` does with
`cdclkit`. *one-sided* means that no piece may be turned over, *X* that all pieces are copies of X:
reveals without a tiling, made for the purpose.

"""


def cases(board: str) -> Iterator[tuple[str, Puzzle, Reveal]]:
    """Yield what is measured of a board: the name of its pieces, the puzzle, the reveal."""
    puzzle = load(board)
    ordered = _by_count(puzzle)
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


def _by_count(puzzle: Puzzle) -> list[Reveal]:
    counts = PuzzleDiagram.build(puzzle).counts()
    dated = [r for r in counts if puzzle.calendar.parts is None or puzzle.calendar.is_date(r)]
    return sorted(dated, key=lambda reveal: (counts[reveal], reveal))


def measured(pieces: str, puzzle: Puzzle, reveal: Reveal) -> dict[str, str]:
    """Return the row of one certificate."""
    begun = time.process_time()
    tilings = sum(1 for _ in sat.tilings(cover(puzzle, reveal)))
    counted = time.process_time()
    data = certify(puzzle, reveal)
    made = time.process_time()
    report = check(data)
    checked = time.process_time()
    (proved,) = report.proved
    assert proved.tilings == tilings
    spent = (counted - begun, made - counted, checked - made)
    figures = (tilings, proved.proofs, *(f"{s:.2f}" for s in spent), len(data), report.steps)
    texts = (puzzle.name, pieces, " ".join(reveal), *map(str, figures))
    return dict(zip(FIELDS, texts, strict=True))


def main() -> int:
    """Measure what is missing, and write the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.certificates", description=__doc__)
    parser.add_argument("boards", nargs="*", default=list(library()))
    parser.add_argument("--folder", type=Path, default=ROOT / "results" / "benchmarks")
    chosen = parser.parse_args()
    path = chosen.folder / "certificates.csv"
    rows = list(csv.DictReader(path.open())) if path.exists() else []
    for board in chosen.boards:
        for pieces, puzzle, reveal in cases(board):
            if any((r["board"], r["pieces"], r["reveal"]) == (board, pieces, " ".join(reveal))
                   for r in rows):  # fmt: skip
                continue
            rows.append(measured(pieces, puzzle, reveal))
            print(rows[-1], file=sys.stderr, flush=True)
            rows.sort(key=lambda row: (row["board"], row["pieces"], int(row["tilings"])))
            with path.open("w", newline="") as stream:
                writer = csv.DictWriter(stream, FIELDS, lineterminator="\n")
                writer.writeheader()
                writer.writerows(rows)
            (chosen.folder / "certificates.md").write_text(HEAD + table(rows))
    return 0


def table(rows: list[dict[str, str]]) -> str:
    """Return the rows as a Markdown table, with the ratio of checking to certifying."""
    lines = [f"| {' | '.join(FIELDS)} | check / certify |", "|---|---|---|" + "--:|" * 8]
    for row in rows:
        ratio = float(row["check"]) / max(float(row["certify"]), 0.01)
        lines.append(f"| {' | '.join(row[name] for name in FIELDS)} | {ratio:.1f} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
