"""``make theorem`` accepts the proofs as they are, and nothing less."""

import shutil
import subprocess
from pathlib import Path

import pytest

from helpers.programs import need
from satcal.counting.verified import plain_text
from satcal.puzzle.loading import load

THEOREM = Path(__file__).parents[2] / "theorem"


def test_the_definition_fits_on_one_page():
    assert len((THEOREM / "Spec.v").read_text().splitlines()) <= 80


def test_the_program_writes_the_theorem_that_is_kept(program):
    puzzle = load("a-puzzle-a-day")
    done = subprocess.run(
        [program, "--order", "column", "theorem", "-"],
        input=plain_text(puzzle, list(puzzle.reveals())),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == (THEOREM / "Numbers.v").read_text()


@pytest.fixture
def proofs(tmp_path: Path) -> Path:
    """A copy of the proofs, to be broken."""
    need("coqc", "coqchk", "ocamlopt")
    ignored = shutil.ignore_patterns("build", "*.glob", ".*.aux")
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
def test_the_proofs_are_accepted(proofs):
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
        ("Checker.v", "(filter (has bit) fitting) 0%N", "(tl (filter (has bit) fitting)) 0%N"),
        ("Checker.v", "find (fun e => W.eqb s (fst e))", "find (fun e => true)"),
        ("Checker.v", "if complete s then", "if true then"),
        ("Checker.v", "if free s bit then Some bit else None", "Some bit"),
        ("Checker.v", "(filter (fun f => snd f =? 1) (places_of p))", "(places_of p)"),
        ("Checker.v", "each children (n + sum)%N", "each children (n + n)%N"),
        ("Checker.v", "else inr (0%N, known, bytes)", "else inr (1%N, known, bytes)"),
        ("Checker.v", "if is_empty bytes then inr []", "if is_empty bytes then inr [0%N]"),
        ("Reader.v", "if String.eqb (text s) t then", "if true then"),
        ("Reader.v", "(33 <=? n)%nat", "(32 <=? n)%nat"),
        ("Program.v", "cells_eqb (region s label) cells", "true"),
    ],
)
def test_what_is_broken_is_refused(proofs, name, before, after):
    change(proofs, name, before, after)
    assert audit(proofs).returncode != 0


@pytest.mark.long
def test_an_axiom_is_refused_even_if_it_is_well_hidden(proofs):
    axiom = "Parameter oracle : forall largest p, rows_right p (pure_counts largest p)."
    lemma = "Lemma pure_counts_right"
    change(proofs, "Counts.v", lemma, f"{axiom}\n{lemma}")
    change(
        proofs, "Counts.v", "intros W; now apply Pure.counts_correct.", "intros _; apply oracle."
    )
    done = audit(proofs)
    assert (done.returncode != 0, "oracle" in done.stdout) == (True, True)
