"""Second opinions: who ends without its own word of acceptance has accepted nothing."""

from __future__ import annotations

import shutil
import signal

import pytest
from certificates import made
from claimed import IM, IM_TILINGS, claim, edited
from external import Fake
from mutants import whole

from satcal.errors import BudgetExhausted, CertificateRefused, Stopped
from satcal.evidence.checking import check, check_within
from satcal.evidence.opinions import PROGRAMS

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


def unjudged(name: str) -> Stopped:
    with pytest.raises(Stopped, match=f"{name} ended without a verdict") as stopped:
        check(SMALL, [name])
    return stopped.value


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_that_says_its_word_has_accepted(name: str, fake: Fake) -> None:
    fake(name, f"echo '{PROGRAMS[name].accepts}'; exit 3")
    assert list(check(SMALL, [name]).checkers)[1:] == [name]


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize(
    "script",
    [
        "exit 0",
        "echo 's SATISFIABLE'",
        "echo 'not: {word}'",
        "echo '{word}, almost'",
        "echo ' {word}'",
        "printf '%s' 'x{word}'",
        "echo '{word}' >&2",
        "exit 1",
        "head -c 100000 /dev/urandom",
        "{others}",
    ],
)
def test_a_program_that_does_not_say_its_own_word_has_accepted_nothing(
    name: str, script: str, fake: Fake
) -> None:
    word = PROGRAMS[name].accepts
    others = sorted({program.accepts for program in PROGRAMS.values()} - {word})
    fake(name, script.format(word=word, others="; ".join(f"echo '{each}'" for each in others)))
    unjudged(name)


@pytest.mark.parametrize("how", [signal.SIGSEGV, signal.SIGKILL, signal.SIGABRT])
def test_a_program_that_crashes_has_accepted_nothing(how: signal.Signals, fake: Fake) -> None:
    fake("cake_lpr", f"kill -{int(how)} $$")
    assert signal.strsignal(how) in str(unjudged("cake_lpr"))


def test_a_program_that_hangs_is_waited_for_until_the_time_limit(fake: Fake) -> None:
    fake("cake_lpr", "exec sleep 60")
    with pytest.raises(BudgetExhausted, match=r"not checked to the end within 1\.5 s"):
        check_within(SMALL, ["cake_lpr"], seconds=1.5)


def test_a_file_that_is_no_program_has_accepted_nothing(fake: Fake) -> None:
    fake("cake_lpr", "").write_bytes(b"\x7fELF and no more")
    with pytest.raises(Stopped):
        check(SMALL, ["cake_lpr"])


@pytest.mark.parametrize(
    ("name", "line"), [(name, line) for name, lines in REFUSALS.items() for line in lines]
)
@pytest.mark.parametrize("code", [0, 1])
@pytest.mark.parametrize("to", ["", " >&2"])
def test_a_program_refuses_in_its_own_words_whatever_its_exit_code(
    name: str, line: str, code: int, to: str, fake: Fake
) -> None:
    fake(name, f'cat <<"end"{to}\n{line}\nend\nexit {code}')
    with pytest.raises(CertificateRefused, match=f"0001-proof-0001.hints.xz: {name} refuses it: "):
        check(SMALL, [name])


def test_a_program_that_cannot_read_its_files_refuses_nothing(fake: Fake) -> None:
    fake("lrat-trim", "echo \"lrat-trim: error: can not read '/dev/fd/3'\" >&2; exit 1")
    unjudged("lrat-trim")


def test_all_that_are_named_must_accept(fake: Fake) -> None:
    fake("cake_lpr", "echo 's VERIFIED UNSAT'")
    fake("lrat-trim", "echo 'lrat-trim: parse error in /dev/fd/4'; exit 1")
    assert check(SMALL, ["cake_lpr"]).proved
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
    assert check(SMALL, [name]).proved[0].tilings == 2
    assert check(made("a3"), [name]).proved[0].tilings == 5
