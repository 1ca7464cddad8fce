"""Write the tables of ``results/counts``: ``python -m tools.tables BOARD... [--method M]``.

A table that is there already is compared first: a difference ends with exit 1 and leaves the table
as it was. Otherwise the method is added to those that the rows name.
"""

from __future__ import annotations

import argparse
import csv
import random
import sys
from collections.abc import Mapping
from pathlib import Path

from satcal.counting import run
from satcal.counting.methods import NAMES, method_named
from satcal.progress import reporting
from satcal.published.shipped import shipped_counts, tables_folder
from satcal.puzzle.loading import load
from satcal.puzzle.model import Puzzle, Reveal
from satcal.puzzle.rows import Selection

HEAD = """\
# The tables in this folder and the puzzles they count, by digest of the puzzle.
# Written together with the tables by `python -m tools.tables`.
"""


def methods_of(path: Path) -> dict[Reveal, set[str]]:
    """Return the methods that counted each row of a table; nothing if there is no such file."""
    if not path.exists():
        return {}
    with open(path, encoding="utf-8", newline="") as file:
        return {
            tuple(labels): set(methods.split("+"))
            for *labels, _, methods in [*csv.reader(file)][1:]
        }


def count_reveals(
    puzzle: Puzzle, method: str, sample: int | None, jobs: int | None
) -> dict[Reveal, int]:
    """Return the counts of all reveals, or of a sample that is the same in every run."""
    reveals = list(puzzle.reveals())
    if sample is not None:
        reveals = random.Random(puzzle.digest).sample(reveals, min(sample, len(reveals)))
    selection, limits = Selection.of(puzzle, reveals), run.Limits(jobs=jobs)
    with reporting(True, puzzle.name) as step:
        return run.exact_counts(run.count(selection, method_named(method), limits, progress=step))


def write_table(puzzle: Puzzle, counts: Mapping[Reveal, int], method: str) -> None:
    """Write counts to the table of a puzzle, and the manifest."""
    path = tables_folder() / f"{puzzle.name}.csv"
    known, methods = shipped_counts(puzzle), methods_of(path)
    for reveal, number in counts.items():
        if known.get(reveal, number) != number:
            print(f"{' '.join(reveal)}: the table has {known[reveal]}, {method} counts {number}")
            sys.exit(1)
    rows = {**known, **counts}
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*puzzle.categories, "tilings", "methods"])
        for reveal in puzzle.reveals():
            by = methods.get(reveal, set()) | ({method} if reveal in counts else set())
            writer.writerow([*reveal, rows[reveal], "+".join(sorted(by))])
    write_manifest()


def write_manifest() -> None:
    """Write the digest, the number of rows and the sum of every table."""
    text = HEAD
    for path in sorted(tables_folder().glob("*.csv"), key=lambda path: path.stem):
        if path.stem == "theorems":
            continue
        puzzle = load(path.stem)
        with open(path, encoding="utf-8", newline="") as file:
            numbers = [int(row["tilings"]) for row in csv.DictReader(file)]
        text += f'\n["{path.stem}"]\ndigest = "{puzzle.digest}"\n'
        text += f"rows = {len(numbers)}\ntotal = {sum(numbers)}\n"
    (tables_folder() / "manifest.toml").write_text(text, encoding="utf-8")


def main() -> None:
    """Count the reveals of each board by one method and write the tables."""
    parser = argparse.ArgumentParser(prog="python -m tools.tables", description=__doc__)
    parser.add_argument("boards", nargs="+", metavar="BOARD")
    parser.add_argument("--method", choices=NAMES, default=NAMES[0])
    parser.add_argument("--sample", type=int, metavar="N", help="count that many rows")
    parser.add_argument("--jobs", type=int, help="processes")
    chosen = parser.parse_args()
    for board in chosen.boards:
        puzzle = load(board)
        write_table(
            puzzle, count_reveals(puzzle, chosen.method, chosen.sample, chosen.jobs), chosen.method
        )


if __name__ == "__main__":
    main()
