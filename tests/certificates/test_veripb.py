"""A proof for VeriPB states the number of tilings; a cut or forged one is refused."""

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given

from benchmarks.certificates import translate
from helpers import checkers
from helpers.certificates import five_made
from helpers.solvers import ENCODINGS_FOLDER
from oracle import small_puzzles
from satcal.certificates.certify import make_certificate
from satcal.certificates.lrat import read_proof

KEPT = ENCODINGS_FOLDER.parent / "results" / "certificates"
Check = Callable[[str, str], int]


def proof_of(certificate: bytes | Path, *reveal: str) -> tuple[str, str]:
    proof = read_proof(certificate, reveal)
    return "".join(proof.formula("veripb")), "".join(proof.lines("veripb"))


def edited(proof: str) -> dict[str, str]:
    """Return proofs that must be refused: cut, and forged in several ways."""
    lines = proof.splitlines(keepends=True)
    solution = next(line for line in lines if line.startswith("solx "))
    return {
        "cut": "".join([*lines[: len(lines) // 2], *lines[-3:]]),
        "a solution less": proof.replace(solution, "", 1),
        "a solution twice": proof.replace(solution, solution * 2, 1),
        "a solution that is none": proof.replace("solx x", "solx ~x", 1),
    }


def check_all(check: Check, opb: str, proof: str, tilings: int) -> None:
    assert check(opb, proof) == tilings
    for name, wrong in edited(proof).items():
        with pytest.raises((ValueError, KeyError)):
            pytest.fail(f"accepted: {name}: {check(opb, wrong)}")


def test_it_lists_every_tiling_and_shows_that_there_is_no_other():
    opb, proof = proof_of(five_made("a3"), "a", "3")
    check_all(checkers.enumerated, opb, proof, 5)


@given(small_puzzles())
def test_random_puzzles_have_proofs_of_the_numbers_of_brute_force(small):
    reveal = small.reveals[0]
    opb, proof = proof_of(make_certificate(small.load(), [reveal])[0], *reveal)
    assert checkers.enumerated(opb, proof) == len(small.tilings(reveal))


def veripb(folder: Path) -> Check:
    """Return the program on the PATH as a check, which raises ValueError where it refuses.

    Version 0.3a0 reads version 1.2 of the format, where the same rules have other names; it checks
    that each solution is another one and that none is left, and the number is that of its lines.
    """

    def check(opb: str, proof: str) -> int:
        listed = proof.count("\nsolx ")
        if old:
            opb, proof = translate(opb), translate(proof)
        (folder / "p.opb").write_text(opb)
        (folder / "p.pbp").write_text(proof)
        command = ["veripb", *old, folder / "p.opb", folder / "p.pbp"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode or not re.search("^Verification succeeded|^s VERIFIED", done.stdout):
            raise ValueError(done.stdout + done.stderr)
        return listed

    if shutil.which("veripb") is None:
        pytest.skip("veripb is not on the PATH")
    text = subprocess.run(["veripb", "--help"], capture_output=True, text=True, check=True).stdout
    old = ["--requireUnsat"] if "--requireUnsat" in text else []
    return check


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "reveal", "tilings"),
    [
        ("a-puzzle-a-day", "Oct,6", 7),
        ("a-puzzle-a-day", "Jan,25", 216),
        ("rhombus.Thu-Sep-6", "Thu,Sep,6", 4),
        ("rhombus.Fri-Feb-29", "Fri,Feb,29", 287),
    ],
)
def test_veripb_accepts_them_and_refuses_what_was_cut_or_forged(name, reveal, tilings, tmp_path):
    opb, proof = proof_of(KEPT / f"{name}.satcert", *reveal.split(","))
    check_all(veripb(tmp_path), opb, proof, tilings)
