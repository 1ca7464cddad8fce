"""``make theorem`` accepts the proofs as they are, and nothing less."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from programs import need

from satcal.counting.verified import plain_text
from satcal.puzzle.loading import load

THEOREM = Path(__file__).parents[2] / "theorem"


def test_the_definition_fits_on_one_page() -> None:
    assert len((THEOREM / "Spec.v").read_text().splitlines()) <= 60


def test_theorems_with_numbers_are_about_the_library(program: str) -> None:
    puzzle = load("a-puzzle-a-day")
    shown = subprocess.run(
        [program, "--order", "column", "theorem", "-"],
        input=plain_text(puzzle, list(puzzle.reveals())),
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    kept = (THEOREM / "results" / "quick_a_puzzle_a_day.v").read_text()
    assert kept.split("*)", 1)[1] == shown.split("*)", 1)[1]


@pytest.fixture
def proofs(tmp_path: Path) -> Path:
    """A copy of the proofs, to be broken."""
    need("coqc", "coqchk", "ocamlopt")
    ignored = shutil.ignore_patterns("build", "*.glob", ".*.aux", "results")
    return Path(shutil.copytree(THEOREM, tmp_path / "theorem", ignore=ignored))


def audit(proofs: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["make", "audit"], cwd=proofs, capture_output=True, text=True, check=False
    )


def change(proofs: Path, name: str, before: str, after: str) -> None:
    text = (proofs / name).read_text()
    assert before in text
    (proofs / name).write_text(text.replace(before, after, 1))


@pytest.mark.long
def test_the_proofs_are_accepted(proofs: Path) -> None:
    done = audit(proofs)
    assert done.returncode == 0
    assert done.stdout.count("Closed under the global context") >= 5


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("Spec.v", "categories p) /\\\n", "categories p) /\\ True /\\\n"),
        ("Spec.v", "(** A cell is a row and a column. *)", "(** A cell. *)"),
        ("Counts.v", "Proof. intros W; now apply Pure.counts_correct. Qed.", "Admitted."),
        ("Counts.v", "intros W; now apply Pure.counts_correct. Qed.", "trivial. Qed."),
        ("Cover.v", "if c k =? 0 then", "if c k =? 1 then"),
        ("Counter.v", "if free s (here g) then sum", "if free s W.zero then sum"),
        ("Counter.v", "(cell <? length (board p)) && sound tests top blocked", "true"),
        ("Spec.v", "[0; 1; 2; 3]", "[0; 1; 2]"),
        ("Checker.v", "negb (mem w (outs s)) else mem w (trues s)", "false else false"),
        ("Checker.v", "if snd f <=? crowd", "if pred (snd f) <=? crowd"),
        ("Checker.v", "| [], [] => Absurd", "| _, [] => Absurd"),
        ("Checker.v", "filter (has bit) vars) nodes", "tl (filter (has bit) vars)) nodes"),
        ("Checker.v", "if pairwise differ listed then", "if true then"),
        ("Checker.v", "forallb (fun f => crowd (fst f) l =? snd f) fields", "true"),
    ],
)  # fmt: skip
def test_what_is_broken_is_refused(proofs: Path, name: str, before: str, after: str) -> None:
    change(proofs, name, before, after)
    assert audit(proofs).returncode != 0


@pytest.mark.long
def test_an_axiom_is_refused_even_if_it_is_well_hidden(proofs: Path) -> None:
    axiom = "Parameter oracle : forall largest p, rows_right p (pure_counts largest p)."
    lemma = "Lemma pure_counts_right"
    change(proofs, "Counts.v", lemma, f"{axiom}\n{lemma}")
    change(
        proofs, "Counts.v", "intros W; now apply Pure.counts_correct.", "intros _; apply oracle."
    )
    done = audit(proofs)
    assert (done.returncode != 0, "oracle" in done.stdout) == (True, True)
