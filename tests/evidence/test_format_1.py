"""Certificates of format 1 are still checked, by others, and held to unit propagation."""

from __future__ import annotations

from pathlib import Path

import pytest
from certificates import Forged
from external import Fake

from satcal.errors import CertificateRefused, Missing
from satcal.evidence.checking import check
from satcal.evidence.opinions import MODULES

KEPT = (Path(__file__).parent / "data" / "format-1.rhombus.Thu-Sep-6.satcert").read_bytes()
PROOF = "0001-proof-0001.drat.xz"
FORGED = "243 0\n244 -243 0\nd 244 -243 0\n-244 0\n0\n"
"""A unit is kept after its reason is deleted, and then its negation is a RAT step."""


def test_a_certificate_of_format_1_is_accepted() -> None:
    report = check(KEPT)
    assert [(each.reveal, each.tilings) for each in report.proved] == [(("Thu", "Sep", "6"), 4)]
    assert report.library == "rhombus"


@pytest.mark.parametrize("checker", MODULES)
def test_a_proof_with_a_rat_step_after_a_deletion_is_refused(checker: str) -> None:
    cert = Forged(KEPT)
    cert.write("0001-tilings.txt.xz", "")
    cert.count(0)
    cert.write(PROOF, FORGED)
    with pytest.raises(CertificateRefused, match=f"{PROOF}: {checker}: step 1: "):
        check(cert.sealed(), [checker])


@pytest.mark.parametrize(
    ("proof", "reason"),
    [
        (b"", "it is empty, or cut off within its last line"),
        (b"0", "it is empty, or cut off within its last line"),
        (b"7 0\n", "no step derives the empty clause"),
        (b"q.e.d.\n0\n", "line 1 is no step of a proof"),
        (b"9999999 0\n0\n", "line 1: a variable above 1000000"),
    ],
)
def test_what_is_no_proof_of_format_1_is_refused(proof: bytes, reason: str) -> None:
    cert = Forged(KEPT)
    cert.write(PROOF, proof)
    with pytest.raises(CertificateRefused, match=f"{PROOF}: .*{reason}"):
        check(cert.sealed())


def test_there_are_no_hints_to_give_to_a_checker_or_to_export(fake: Fake, tmp_path: Path) -> None:
    fake("cake_lpr", "echo 's VERIFIED UNSAT'")
    with pytest.raises(Missing, match="needs a checker of DRAT proofs, and cake_lpr is none"):
        check(KEPT, ["cake_lpr"])
    with pytest.raises(Missing, match="has no LRAT proofs to export"):
        check(KEPT, export=tmp_path)
    assert not list(tmp_path.glob("*.*"))
