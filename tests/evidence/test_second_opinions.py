"""Second opinions: who ends without its own word of acceptance has accepted nothing."""

from __future__ import annotations

import shutil
from pathlib import Path
from unittest import mock

import pytest
from certificates import Forged, made
from claimed import IM, IM_TILINGS, claim, edited
from external import Fake
from mutants import whole

from satcal.errors import BudgetExhausted, CertificateRefused, Missing, Stopped
from satcal.evidence.checking import OWN, check, check_within
from satcal.evidence.opinions import MODULES, PROGRAMS, titled

SMALL = claim(whole(), IM, IM_TILINGS).data
REFUSALS = {
    "cake_lpr": [
        "c Checking failed at line: 121. Reason: clause index unavailable: 9999999",
        "c empty clause not derived at end of proof",
    ],
    "lrat-check": [
        "c failed while checking clause: -121 -177 0",
        "c FAILED: multiple literals unassigned in hint 1: 1 10",
        "c NOT VERIFIED",
    ],
    "lrat-trim": [
        "lrat-trim: antecedent '1' does not produce unit while checking clause '19900'",
        "lrat-trim: parse error in '/dev/fd/4' in line 122: antecedent '7' in clause 5",
        "lrat-trim: propagating antecedents does not yield conflict while checking clause '2'",
    ],
    "drat-trim": ["s NOT VERIFIED", "s DERIVATION"],
}  # what the programs say when proofs are tampered with


@pytest.mark.parametrize("checker", MODULES)
def test_each_package_accepts_a_proof(checker: str) -> None:
    report = check(made("a3"), [checker])
    assert [each.tilings for each in report.proved] == [5]
    assert list(report.checkers) == [OWN, titled(checker)]
    assert all(spent > 0 for spent in report.checkers.values())


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_has_accepted_by_its_own_word_and_no_other(name: str, fake: Fake) -> None:
    word = PROGRAMS[name].accepts
    others = {program.accepts for program in PROGRAMS.values()} - {word}
    fake(name, f"echo '{word}'; exit 3")
    assert list(check(SMALL, [name]).checkers) == [OWN, name]
    fake(name, "; ".join(f"echo '{other}'" for other in others))
    with pytest.raises(Stopped, match=f"{name} ended without a verdict"):
        check(SMALL, [name])


@pytest.mark.parametrize(
    ("script", "end"),
    [
        ("exit 0", "exit code 0"), ("exit 1", "exit code 1"), ("kill -ABRT $$", "Aborted"),
        ("kill -SEGV $$", "Segmentation fault"), ("head -c 100000 /dev/urandom", "exit code 0: "),
        ("echo 's SATISFIABLE'", "exit code 0: s SATISFIABLE"), ("echo 'not: {word}'", ""),
        ("echo '{word}, almost'", ""), ("echo ' {word}'", ""), ("printf '%s' 'x{word}'", ""),
        ("echo '{word}' >&2", ""),
    ],
)  # fmt: skip
def test_a_word_that_is_not_the_line_itself_has_accepted_nothing(
    script: str, end: str, fake: Fake
) -> None:
    fake("cake_lpr", script.format(word=PROGRAMS["cake_lpr"].accepts))
    with pytest.raises(Stopped, match=rf"cake_lpr ended without a verdict \({end}"):
        check(SMALL, ["cake_lpr"])


def test_a_file_that_is_no_program_has_accepted_nothing(fake: Fake) -> None:
    fake("cake_lpr", "").write_bytes(b"\x7fELF and no more")
    with pytest.raises(Stopped):
        check(SMALL, ["cake_lpr"])


def test_a_program_that_cannot_be_given_its_files_has_accepted_nothing(
    fake: Fake, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = mock.Mock(side_effect=OSError(28, "No space left on device"))
    fake("cake_lpr", f"echo '{PROGRAMS['cake_lpr'].accepts}'")
    monkeypatch.setattr("tempfile.TemporaryFile", full)
    with pytest.raises(Stopped, match="cake_lpr cannot be run: No space left on device"):
        check(SMALL, ["cake_lpr"])


def test_a_program_that_hangs_is_waited_for_until_the_time_limit(fake: Fake) -> None:
    fake("cake_lpr", "exec sleep 60")
    with pytest.raises(BudgetExhausted, match=r"not checked to the end within 0\.5 s"):
        check_within(SMALL, ["cake_lpr"], seconds=0.5)


@pytest.mark.parametrize(
    ("name", "line"), [(name, line) for name, lines in REFUSALS.items() for line in lines]
)
@pytest.mark.parametrize(("ending", "to"), [("exit 0", ""), ("exit 1", " >&2")])
def test_a_program_refuses_in_its_own_words_whatever_its_exit_code(
    name: str, line: str, ending: str, to: str, fake: Fake
) -> None:
    fake(name, f'cat <<"end"{to}\n{line}\nend\n{ending}')
    with pytest.raises(CertificateRefused, match=f"0001-proof-0001.hints.xz: {name} refuses it: "):
        check(SMALL, [name])


def test_a_program_that_cannot_read_its_files_refuses_nothing(fake: Fake) -> None:
    fake("lrat-trim", "echo \"lrat-trim: error: can not read '/dev/fd/3'\" >&2; exit 1")
    with pytest.raises(Stopped, match="lrat-trim ended without a verdict"):
        check(SMALL, ["lrat-trim"])


def test_all_that_are_named_must_accept(fake: Fake) -> None:
    fake("cake_lpr", "echo 's VERIFIED UNSAT'")
    fake("lrat-trim", "echo 'lrat-trim: parse error in /dev/fd/4'; exit 1")
    with pytest.raises(CertificateRefused, match="lrat-trim refuses it"):
        check(SMALL, ["cake_lpr", "lrat-trim"])


def test_what_satcal_refuses_nobody_else_is_asked_about(fake: Fake) -> None:
    """lrat-check takes an empty lemma without hints for a proof of anything."""
    for name, program in PROGRAMS.items():
        fake(name, f"echo '{program.accepts}'")
    cert = claim(whole(), IM, IM_TILINGS)
    forged = edited(cert, lambda c: c.write("0001-proof-0001.hints.xz", bytes([1, 0, 0])))
    with pytest.raises(CertificateRefused, match="does not follow from its hints"):
        check(forged.data, list(PROGRAMS))


@pytest.mark.long
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_real_program_accepts_what_satcal_accepts(name: str) -> None:
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not on the PATH")
    assert check(made("a3"), [name]).proved[0].tilings == 5


# Certificates of format 1 are checked by others alone, and held to unit propagation.

KEPT = Path(__file__).parent / "data" / "format-1.rhombus.Thu-Sep-6.satcert"
DRAT = "0001-proof-0001.drat.xz"


def of_format_1(proof: str) -> bytes:
    """Return a certificate of no tiling with that proof."""
    cert = Forged(claim(whole(), IM, IM_TILINGS).data)
    cert.as_format_1()
    cert.write("0001-tilings.txt.xz", "")
    cert.state(tilings=0)
    cert.write(DRAT, proof)
    return cert.sealed()


def test_a_certificate_of_format_1_is_accepted() -> None:
    report = check(KEPT.read_bytes())
    assert [(each.reveal, each.tilings) for each in report.proved] == [(("Thu", "Sep", "6"), 4)]
    assert report.library == "rhombus"


@pytest.mark.parametrize("checker", MODULES)
def test_a_unit_kept_after_its_reason_is_deleted_makes_no_rat_step(checker: str) -> None:
    data = of_format_1("6 0\n7 -6 0\nd 7 -6 0\n-7 0\n0\n")
    with pytest.raises(CertificateRefused, match=f"{DRAT}: {checker}: step 1: "):
        check(data, [checker])


@pytest.mark.parametrize(
    ("proof", "reason"),
    [
        ("", "it is empty, or cut off within its last line"),
        ("3 0\n", "no step derives the empty clause"),
        ("q.e.d.\n0\n", "line 1 is no step of a proof"),
        ("1000000 0\n0\n", "line 1 is no step of a proof"),
    ],
)
def test_what_is_no_proof_of_format_1_is_refused(proof: str, reason: str) -> None:
    with pytest.raises(CertificateRefused, match=f"{DRAT}: .*{reason}"):
        check(of_format_1(proof))


def test_there_are_no_hints_to_give_to_a_checker_or_to_export(fake: Fake, tmp_path: Path) -> None:
    fake("cake_lpr", "echo 's VERIFIED UNSAT'")
    with pytest.raises(Missing, match="needs a checker of DRAT proofs, and cake_lpr is none"):
        check(of_format_1("0\n"), ["cake_lpr"])
    with pytest.raises(Missing, match="has no LRAT proofs to export"):
        check(of_format_1("0\n"), export=tmp_path)
