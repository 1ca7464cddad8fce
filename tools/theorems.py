"""Theorems with numbers: statements for Coq from the shipped tables, and what Coq accepted.

``python -m tools.theorems`` writes a statement for each row of ``results/counts/theorems.csv`` into
``theorem/build``, lets Coq compute and prove it (hours), and writes the row anew.
"""

from __future__ import annotations

import csv
import hashlib
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from satcal.published.shipped import shipped_counts
from satcal.puzzle.loading import load
from satcal.puzzle.model import Puzzle
from satcal.puzzle.shapes import Cell

ROOT = Path(__file__).parents[1]
THEOREM = ROOT / "theorem"
TABLE = ROOT / "results" / "counts" / "theorems.csv"
SOURCES = ("Spec", "Places", "Cover", "Tilings", "Words", "Counter", "Counts")
"""What a theorem with numbers rests on."""
COUNTERS = {"none": "pure", "63-bit integers": "fast"}
"""The proved counter for each set of axioms: Coq's own numbers, or those of the processor."""
ORDERS: dict[str, Callable[[Cell], tuple[int, int]]] = {
    "row": lambda cell: cell,
    "row-back": lambda cell: (-cell[0], -cell[1]),
    "column": lambda cell: (cell[1], cell[0]),
    "diagonal": lambda cell: (cell[0] + cell[1], cell[0]),
}
"""The orders in which cells are covered, of those that ``satcal-verified --order`` knows."""
AXIOM = re.compile(r"^([A-Za-z0-9_.]+)\s*:", re.MULTILINE)

Row = dict[str, str]


def bracket(items: Iterable[str]) -> str:
    """Return a list as Coq writes it."""
    return f"[{'; '.join(items)}]"


def cell_list(cells: Iterable[Cell]) -> str:
    """Return cells as a list of pairs."""
    return bracket(f"({row}, {column})" for row, column in cells)


def statement(puzzle: Puzzle, order: str, axioms: str) -> str:
    """Return the theorem about all numbers of a puzzle's shipped table, as a file for Coq."""
    counts, counter = shipped_counts(puzzle), COUNTERS[axioms]
    regions = {text: cell_list(label.cells) for text, label in puzzle.labels.items()}
    categories = (
        bracket(regions[text] for text in labels) + "\n  " for labels in puzzle.categories.values()
    )
    pieces = (
        f"Piece {cell_list(piece.shape)} {str(piece.flip).lower()}\n  "
        for piece in puzzle.drawn
        for _ in range(piece.copies)
    )
    rows = (
        f"({bracket(regions[text] for text in reveal)}, {counts[reveal]}%N)\n "
        for reveal in puzzle.reveals()
    )
    return f"""\
(* The number of tilings of every reveal of this puzzle, computed and proved by Coq. *)
From Coq Require Import List ZArith.
From Satcal Require Import Spec Counts.
Import ListNotations.
Open Scope Z_scope.
Definition the_puzzle : puzzle := Puzzle
  {cell_list(puzzle.cells)}
  {bracket(categories)}
  {bracket(pieces)}.
Definition order : list cell := {cell_list(sorted(puzzle.cells, key=ORDERS[order]))}.
Definition rows : list (list (list cell) * N) := {bracket(rows)}.
Lemma computed : every_reveal ({counter}_counts 2) the_puzzle order = inr rows.
Proof. vm_cast_no_check (@eq_refl (fault + _) (inr rows)). Qed.
Theorem every_number : rows_right the_puzzle rows.
Proof. exact (every_reveal_right _ _ _ _ ({counter}_counts_right 2) computed). Qed.
Print Assumptions every_number.
"""


def statement_digest(row: Row) -> str:
    """Return the SHA-256 of the statement that a row of the table is about."""
    text = statement(load(row["puzzle"]), row["order"], row["axioms"])
    return hashlib.sha256(text.encode()).hexdigest()


def sources_digest() -> str:
    """Return the SHA-256 of the definition and the proofs that the theorems rest on."""
    return hashlib.sha256(
        b"".join((THEOREM / f"{name}.v").read_bytes() for name in SOURCES)
    ).hexdigest()


def known_axioms() -> set[str]:
    """Return the axioms about 63-bit integers that ``assumptions.txt`` lists."""
    text = (THEOREM / "assumptions.txt").read_text()
    listed = text.partition("fast_counts_right\n")[2].partition("\nevery_reveal_right\n")[0]
    return set(AXIOM.findall(listed))


def axioms_in(output: str) -> str:
    """Return what Coq's ``Print Assumptions`` says, in the table's words.

    Raises:
        ValueError: Coq printed something else, or an axiom that assumptions.txt does not list.
    """
    if output == "Closed under the global context\n":
        return "none"
    head, _, rest = output.partition("\n")
    if head != "Axioms:" or not set(AXIOM.findall(rest)) <= known_axioms():
        raise ValueError(f"Coq said: {output}")
    return "63-bit integers"


def prove(row: Row) -> Row:
    """Let Coq prove the statement of a row; return the row with what was measured."""
    build = THEOREM / "build"
    build.mkdir(exist_ok=True)
    name = row["puzzle"].replace("-", "_")
    source = build / f"{name}.v"
    source.write_text(statement(load(row["puzzle"]), row["order"], row["axioms"]))
    command = ["coqc", "-Q", str(THEOREM), "Satcal", str(source)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        output = process.stdout.read() if process.stdout else ""
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return row | {
        "axioms": axioms_in(output),
        "statement": statement_digest(row),
        "sources": sources_digest(),
        "seconds": f"{usage.ru_utime:.0f}",
        "megabytes": f"{usage.ru_maxrss / 1024:.0f}",
    }


def read_table() -> list[Row]:
    """Return the rows of the table of theorems."""
    with open(TABLE, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write_table(rows: Sequence[Row]) -> None:
    """Write the table of theorems."""
    with open(TABLE, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def main() -> None:
    """Prove every row of the table, or those of the puzzles that are named."""
    rows = read_table()
    for number, row in enumerate(rows):
        if row["puzzle"] in (sys.argv[1:] or row["puzzle"]):
            rows[number] = prove(row)
            write_table(rows)
            print(*rows[number].values())


if __name__ == "__main__":
    main()
