"""What a certificate costs to make and to check: ``python -m benchmarks.certificates``.

Of each library puzzle: the reveal with the fewest tilings, one in the middle, and one that has
none, made for the purpose: with pieces that may not be turned over or, where that leaves
tilings everywhere, with copies of X alone. ``--before CHECKOUT`` names a checkout of commit
36861a2, whose certificates had format 1: it and this one make and check each row in turn, in
processes of their own, in CPU seconds. A row that is in certificates.csv already is not measured
again.
``--cuts`` measures, of dates with many tilings, where cutting them into cubes pays.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.measure import ROOT
from satcal.counting.count import executing
from satcal.counting.cubes import plans
from satcal.diagram.puzzle import PuzzleDiagram
from satcal.evidence.certify import sealed, sections
from satcal.evidence.checking import check
from satcal.puzzle.loading import library, load
from satcal.puzzle.model import Piece, Puzzle, Reveal
from satcal.puzzle.writing import to_toml
from satcal.records import written

FIGURES = ("certify", "check", "bytes", "steps")
FIELDS = (
    "board", "pieces", "reveal", "tilings", "proofs", *FIGURES, *(f"{f} before" for f in FIGURES),
)  # fmt: skip
# run by the satcal of either checkout: makes and checks a certificate, and prints what that took
SCRIPT = """
import json, sys, time
from satcal.evidence.certify import certify
try:
    from satcal.evidence.checking import check
except ImportError:
    from satcal.evidence.checker import check
from satcal.puzzle.toml import parse_puzzle
puzzle = parse_puzzle(sys.stdin.read(), "puzzle")
begun = time.process_time()
data = certify(puzzle, tuple(sys.argv[1:]))
made = time.process_time()
report = check(data)
checked = time.process_time()
(proved,) = report.proved
print(json.dumps({
    "tilings": proved.tilings, "proofs": proved.proofs, "bytes": len(data),
    "certify": f"{made - begun:.2f}", "check": f"{checked - made:.2f}",
    "steps": getattr(report, "steps", None) or proved.steps,
}))
"""
CUTS = (500, 1000, 2000, 5000, 10**9)  # tilings of a proof at most; the last cuts nothing
CUBES = 10  # a proof has at least a tenth of the tilings: a finer cut takes too long to measure
CUT_FIELDS = (
    "board", "reveal", "tilings", "cut_above", "proofs", "certify", "check", "bytes", "steps",
    "peak",
)  # fmt: skip
CUT_DATES = (
    ("weekday", ("Sat", "Jun", "26")),
    ("rhombus", ("Mon", "Dec", "4")),
    ("tetromino", ("Jun", "22")),
)
X = Piece("X", ((0, 1), (1, 0), (1, 1), (1, 2), (2, 1)))
HEAD = """\
# What certificates cost

Written by `python -m benchmarks.certificates --before CHECKOUT` from `certificates.csv`; CPU
seconds. Each row was made and checked in turn by this satcal and, *before*, by commit 36861a2,
whose certificates held DRAT proofs that `cdclkit`, a program in Rust, replayed; now satcal's own
replay in Python does. *certify* is the loop of `sat` that finds the tilings, the run that proves
that there are no others, and the proof's compaction. *one-sided* means that no piece may be turned
over, *X* that all pieces are copies of X: reveals without a tiling, made for the purpose.

"""
CUT_HEAD = """
## Where cutting pays

Written by `python -m benchmarks.certificates --cuts` from `certificates-cuts.csv`: the same dates,
cut into cubes of at most so many tilings each, or not at all; each cube has a proof of its own.
CPU seconds; *both* is making and checking, *peak* the memory of the process in MB (where it was
measured). Cutting costs 0.8 to 2.1 times as much here: every cube needs a refutation of its own. It
pays where memory is short, as what the maker holds at once grows with the longest proof, and cubes
can be proved on as many cores as there are.

A month in one file, `satcal certify --month 2025-10 --together -j 1` of `a-puzzle-a-day`:
31 dates in 2.2 MB, and 24 s of CPU time to make and check; before 4.8 MB and 69 s.

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


def measured(pieces: str, puzzle: Puzzle, reveal: Reveal, before: Path) -> dict[str, str]:
    """Return the row of one certificate."""
    now, then = (
        json.loads(subprocess.run(
            [sys.executable, "-c", SCRIPT, *reveal], input=to_toml(puzzle), text=True, check=True,
            capture_output=True, cwd=checkout, env=os.environ | {"PYTHONPATH": str(checkout)},
        ).stdout)
        for checkout in (ROOT, before)
    )  # fmt: skip
    assert now["tilings"] == then["tilings"]
    names = {"board": puzzle.name, "pieces": pieces, "reveal": " ".join(reveal)}
    old = {f"{figure} before": then[figure] for figure in FIGURES}
    return names | {name: str(value) for name, value in (now | old).items()}


def cut(puzzle: Puzzle, reveal: Reveal, above: int) -> dict[str, str]:
    """Return the row of one certificate whose proofs have at most so many tilings each.

    It is to run in a process of its own: ``peak`` is the most memory that this one ever had.
    """
    planned = plans(puzzle, [reveal], above)  # the diagram comes from the cache, or is in it now
    begun = time.process_time()
    data = sealed(puzzle, list(sections(puzzle, planned)))
    made = time.process_time()
    report = check(data)
    checked = time.process_time()
    (proved,) = report.proved
    spent = (f"{made - begun:.2f}", f"{checked - made:.2f}")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    figures = (proved.tilings, above, proved.proofs, *spent, len(data), proved.steps, peak)
    texts = (puzzle.name, " ".join(reveal), *map(str, figures))
    return dict(zip(CUT_FIELDS, texts, strict=True))


def cuts(folder: Path) -> None:
    """Measure the cuts that are missing, and write their table."""
    path = folder / "certificates-cuts.csv"
    rows = read(path)
    for board, reveal in CUT_DATES:
        for above in worth_measuring(load(board), reveal):
            key = (board, " ".join(reveal), str(above))
            if any((row["board"], row["reveal"], row["cut_above"]) == key for row in rows):
                continue
            with executing(1) as executor:
                rows.append(executor.submit(cut, load(board), reveal, above).result())
            print(rows[-1], file=sys.stderr, flush=True)
            save(path, CUT_FIELDS, rows)
            write(folder)


def worth_measuring(puzzle: Puzzle, reveal: Reveal) -> list[int]:
    """Return the cuts that cut a date, but not too finely, and the one that cuts nothing."""
    from satcal.diagram.puzzle import open_diagram

    tilings = open_diagram(puzzle, [reveal]).count(reveal)
    return [above for above in CUTS if tilings / CUBES < above < tilings or above == CUTS[-1]]


def read(path: Path) -> list[dict[str, str]]:
    """Return the rows of a file; none where there is no file."""
    if not path.exists():
        return []
    with path.open() as stream:
        return list(csv.DictReader(stream))


def save(path: Path, fields: Sequence[str], rows: Sequence[dict[str, str]]) -> None:
    """Write the rows of a file."""
    path.write_text(written(rows, fields, "csv"))


def write(folder: Path) -> None:
    """Write the page from the files."""
    text = HEAD + table(read(folder / "certificates.csv"))
    if rows := read(folder / "certificates-cuts.csv"):
        text += CUT_HEAD + cut_table(rows)
    (folder / "certificates.md").write_text(text)


def main() -> int:
    """Measure what is missing, and write the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.certificates", description=__doc__)
    parser.add_argument("boards", nargs="*", default=list(library()))
    parser.add_argument("--folder", type=Path, default=ROOT / "results" / "benchmarks")
    parser.add_argument("--before", type=Path, help="a checkout of commit 36861a2")
    parser.add_argument("--cuts", action="store_true", help="measure where cutting pays")
    chosen = parser.parse_args()
    if chosen.cuts:
        cuts(chosen.folder)
        return 0
    path = chosen.folder / "certificates.csv"
    rows = read(path)
    for board in chosen.boards:
        for pieces, puzzle, reveal in cases(board):
            if any((r["board"], r["pieces"], r["reveal"]) == (board, pieces, " ".join(reveal))
                   for r in rows):  # fmt: skip
                continue
            if chosen.before is None:
                parser.error("name a checkout of commit 36861a2 by --before")
            rows.append(measured(pieces, puzzle, reveal, chosen.before))
            print(rows[-1], file=sys.stderr, flush=True)
            rows.sort(key=lambda row: (row["board"], row["pieces"], int(row["tilings"])))
            save(path, FIELDS, rows)
            write(chosen.folder)
    return 0


def markdown(fields: Sequence[str], texts: int, rows: Iterable[Sequence[str]]) -> list[str]:
    """Return the lines of a Markdown table, whose first columns are texts, the others numbers."""
    align = "---|" * texts + "--:|" * (len(fields) - texts)
    return [f"| {' | '.join(fields)} |", f"|{align}", *(f"| {' | '.join(r)} |" for r in rows)]


def table(rows: list[dict[str, str]]) -> str:
    """Return the rows as a Markdown table, with the medians of the ratios that matter."""
    lines = markdown(FIELDS, 3, ([row[name] for name in FIELDS] for row in rows))
    ratios = {
        "bytes / bytes before": ("bytes", "bytes before"),
        "certify / certify before": ("certify", "certify before"),
        "check / certify": ("check", "certify"),
        "check before / certify before": ("check before", "certify before"),
    }
    lines += ["", "Medians of the rows' ratios, and the range:", ""]
    for name, (over, under) in ratios.items():
        values = [float(row[over]) / max(float(row[under]), 0.01) for row in rows]
        low, high = min(values), max(values)
        lines.append(f"- {name}: {statistics.median(values):.2f} ({low:.2f} to {high:.2f})")
    return "\n".join(lines) + "\n"


def cut_table(rows: list[dict[str, str]]) -> str:
    """Return the cuts as a Markdown table, with the CPU time of making and checking together."""
    cells = []
    for row in rows:
        both = float(row["certify"]) + float(row["check"])
        above = "none" if int(row["cut_above"]) >= CUTS[-1] else row["cut_above"]
        cells.append([*(row | {"cut_above": above}).values(), f"{both:.1f}"])
    return "\n".join(markdown((*CUT_FIELDS, "both"), 2, cells)) + "\n"


if __name__ == "__main__":
    sys.exit(main())
