"""Random puzzles, certified: the numbers are those of brute force, and all checkers agree."""

from __future__ import annotations

import io
import shutil
import subprocess
from pathlib import Path

import pytest

from helpers import checkers
from helpers.certificates import taken_apart
from helpers.puzzles import Small, domino_rectangle, random_small
from satcal.certificates.certify import certify, normal_form
from satcal.certificates.lrat import Proof, Trees
from satcal.proof.check import check
from satcal.proof.normal import read
from satcal.puzzle.loading import parse_puzzle


def checked(data: bytes) -> list[int]:
    """The numbers that a certificate proves; satcal's checker and the stranger's agree."""
    proved = [tree for each in check(io.BytesIO(data)) for tree in each.stated]
    strange = checkers.accepts(data)
    assert strange is not None
    assert [(tree.reveal, tree.tilings) for tree in proved] == [found[1:] for found in strange]
    return [tree.tilings for tree in proved]


def certified(small: Small, folder: Path) -> None:
    """Assert that a puzzle's certificate proves what brute force finds."""
    puzzle = parse_puzzle(small.text(), "small")  # also where areas differ
    reveals = list(puzzle.reveals())
    true = [len(small.tilings(reveal)) for reveal in reveals]
    assert checked(certify(puzzle, reveals)) == true
    path = folder / "small.toml"
    path.write_text(small.text(), encoding="utf-8")
    assert checkers.COUNT.count(*checkers.COUNT.read(path, list(reveals[0]))) == true[0]


def proofs(small: Small) -> list[Proof]:
    """The proofs of a puzzle's reveals for SAT checkers."""
    puzzle = small.load()
    (raw,) = taken_apart(certify(puzzle, list(puzzle.reveals())))
    trees = Trees(read(normal_form(puzzle)), raw.stated, raw.tokens)
    return [Proof(puzzle, trees, tree.reveal) for tree in raw.stated]


def test_random_puzzles_are_certified_with_the_numbers_of_brute_force(tmp_path: Path) -> None:
    for seed in range(150):
        certified(random_small(seed), tmp_path)


@pytest.mark.long
def test_2000_random_puzzles_are_certified(tmp_path: Path) -> None:
    for seed in range(150, 2150):
        certified(random_small(seed), tmp_path)


def test_remembered_states_prove_numbers_that_no_tree_could_write() -> None:
    data = certify(domino_rectangle(12, 12).load(), [()])
    assert checked(data) == [53_060_477_521_960_000]
    assert len(data) < 20_000
    mutilated = parse_puzzle(domino_rectangle(8, 8, corners=False).text(), "mutilated")
    assert checked(certify(mutilated, [()])) == [0]


def test_a_path_may_be_longer_than_python_recurses() -> None:
    row = "* " * 60
    text = 'name = "long"\nboard = """\n' + f"{row}\n" * 17 + '"""\n[pieces]\n'
    puzzle = parse_puzzle(text + 'I = { shape = "#", copies = 1020 }\n', "long")
    assert checked(certify(puzzle, [()])) == [1]


def test_a_tree_is_a_proof_for_sat_checkers() -> None:
    for seed in range(40):
        for proof in proofs(random_small(seed)):
            checkers.replay("".join(proof.dimacs()), "".join(proof.lines("lrat")))


@pytest.mark.long
@pytest.mark.parametrize(("checker", "form"), [("lrat-check", "lrat"), ("drat-trim", "drup")])
def test_an_outside_checker_accepts_the_proofs_of_200_puzzles(
    checker: str, form: str, tmp_path: Path
) -> None:
    if shutil.which(checker) is None:
        pytest.skip(f"{checker} is not on the PATH")
    formula, proof = tmp_path / "x.cnf", tmp_path / f"x.{form}"
    for seed in range(200):
        made = proofs(random_small(seed))[0]
        formula.write_text("".join(made.dimacs()))
        proof.write_text("".join(made.lines(form)))
        options = ["-f", "-U"] if form == "drup" else []
        done = subprocess.run(
            [checker, formula, proof, *options], capture_output=True, text=True, check=False
        )
        word = "s VERIFIED" if form == "drup" else "c VERIFIED"
        assert word in done.stdout.splitlines(), (seed, done.stdout)
