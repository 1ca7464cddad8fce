"""The theorems with numbers that are kept say what the library and the tables say, and no more.

They are compiled by ``make theorem`` and ``make theorem-long``; here their texts are compared, and
what Coq printed when it compiled them.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from satcal.published.own_tables import Tables, results_folder
from satcal.puzzle.loading import load
from satcal.puzzle.model import Puzzle
from satcal.puzzle.shapes import Cell

THEOREM = Path(__file__).parents[2] / "theorem"
KEPT = sorted((THEOREM / "results").glob("*.v"))
SOURCES = ("Spec", "Places", "Cover", "Tilings", "Words", "Counter", "Counts")
AXIOM = re.compile(r"^([A-Za-z0-9_.]+)\s*:", re.MULTILINE)


def listed(items: Iterable[str]) -> str:
    return "[" + "; ".join(items) + "]"


def cells(these: Iterable[Cell]) -> str:
    return listed(f"({row}, {column})" for row, column in these)


def theorem(puzzle: Puzzle, numbers: Sequence[int], order: str, counter: str) -> str:
    """The only text that a kept theorem about a puzzle may have."""
    regions = {text: cells(label.cells) for text, label in puzzle.labels.items()}
    categories = (
        listed(regions[text] for text in labels) + "\n  " for labels in puzzle.categories.values()
    )
    pieces = (
        f"Piece {cells(piece.shape)} {str(piece.flip).lower()}\n  "
        for piece in puzzle.drawn
        for _ in range(piece.copies)
    )
    rows = (
        f"({listed(regions[text] for text in reveal)}, {number}%N)\n "
        for reveal, number in zip(puzzle.reveals(), numbers, strict=True)
    )
    return f"""\
(* The number of tilings of every reveal of this puzzle, computed and proved by Coq. *)
From Coq Require Import List ZArith.
From Satcal Require Import Spec Counts.
Import ListNotations.
Open Scope Z_scope.
Definition the_puzzle : puzzle := Puzzle
  {cells(puzzle.cells)}
  {listed(categories)}
  {listed(pieces)}.
Definition order : list cell := {order}.
Definition rows : list (list (list cell) * N) := {listed(rows)}.
Lemma computed : every_reveal ({counter}_counts 2) the_puzzle order = inr rows.
Proof. vm_cast_no_check (@eq_refl (fault + _) (inr rows)). Qed.
Theorem every_number : rows_right the_puzzle rows.
Proof. exact (every_reveal_right _ _ _ _ ({counter}_counts_right 2) computed). Qed.
Print Assumptions every_number.
"""


def allowed() -> set[str]:
    """The axioms on which assumptions.txt says that the counter with 63-bit integers rests."""
    text = (THEOREM / "assumptions.txt").read_text()
    _, _, rest = text.partition("fast_counts_right\n")
    return set(AXIOM.findall(rest.partition("\nevery_reveal_right\n")[0]))


def test_theorems_are_kept() -> None:
    assert len(KEPT) >= 6
    assert {path.stem for path in KEPT} == {path.stem for path in KEPT[0].parent.glob("*.log")}
    assert {"PrimInt63.int", "Uint63.lor_spec"} <= allowed()


def test_the_readme_says_how_many_numbers_are_theorems() -> None:
    proved = {path.stem.partition("_")[2]: path.read_text().count("%N)\n") for path in KEPT}
    said = f"All {sum(proved.values()):,} counts of {len(proved)} puzzles are theorems"
    assert said in (THEOREM.parent / "README.md").read_text()


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_a_theorem_is_about_the_library_and_has_the_numbers_of_the_tables(path: Path) -> None:
    puzzle = load(path.stem.partition("_")[2].replace("_", "-"))
    table = Tables(results_folder() / "counts").find(puzzle)
    assert table is not None
    numbers = [table.tilings(reveal) or 0 for reveal in puzzle.reveals()]
    text = path.read_text()
    order = re.search(r"order : list cell := (.*)\.", text)
    counter = "pure" if path.stem == "long_a_puzzle_a_day" else "fast"
    assert order
    found = [(int(row), int(column)) for row, column in re.findall(r"\((\d+), (\d+)\)", order[1])]
    assert sorted(found) == sorted(puzzle.cells)
    assert text == theorem(puzzle, numbers, cells(found), counter)


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_coq_compiled_a_theorem_from_these_sources_on_the_allowed_axioms(path: Path) -> None:
    """``make theorem-long``, then ``make -C theorem keep``, if the sources have changed."""
    files = [*(THEOREM / f"{name}.v" for name in SOURCES), path]
    digest = hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()
    first, _, said = path.with_suffix(".log").read_text().partition("\n")
    assert first == f"sources: {digest}"
    if "pure_counts" in path.read_text():
        assert said == "Closed under the global context\n"
    else:
        head, _, axioms = said.partition("\n")
        assert head == "Axioms:"
        assert set(AXIOM.findall(axioms)) <= allowed()
        assert "error" not in said.lower()
