"""Second opinions: who ends without its own word of acceptance has accepted nothing."""

import re
from contextlib import nullcontext
from unittest import mock

import pytest

from helpers.certificates import taken_apart
from oracle import TWO_EACH
from satcal.certificates.certify import make_certificate
from satcal.certificates.checking import OWN, check
from satcal.certificates.second_opinions import PROGRAMS
from satcal.errors import CertificateRefused, Stopped

SMALL = make_certificate(TWO_EACH.load(), [("a",)])[0]
OWN_LINE = {name: program.acceptance for name, program in PROGRAMS.items()}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_accepts_by_its_own_line_only_whatever_its_exit_code(name, fake):
    others = sorted({*OWN_LINE.values()} - {OWN_LINE[name]})
    fake(name, "\n".join(f"echo '{line}'" for line in others))
    with pytest.raises(Stopped, match=name):
        check(SMALL, [name])
    fake(name, f"echo '{OWN_LINE[name]}'; exit 3")
    assert list(check(SMALL, [name]).checkers) == [OWN, name]


# what the programs say when proofs are tampered with, on either stream and with any exit code
@pytest.mark.parametrize(
    ("name", "line", "end"),
    [
        ("cake_lpr", "c Checking failed at line: 121. Reason: clause index", ">&2; exit 1"),
        ("cake_lpr", "c empty clause not derived at end of proof", ""),
        ("lrat-check", "c failed while checking clause: -121 -177 0", ">&2; exit 1"),
        ("lrat-check", "c FAILED: multiple literals unassigned in hint 1: 1 10", ">&2; exit 1"),
        ("lrat-check", "c NOT VERIFIED", ""),
        ("lrat-trim", "lrat-trim: parse error in '/dev/fd/4' in line 122", ">&2; exit 1"),
        ("drat-trim", "s NOT VERIFIED", ">&2; exit 1"),
        ("drat-trim", "s DERIVATION", ""),
    ],
)
def test_a_program_refuses_by_a_line_of_its_own(name, line, end, fake):
    fake(name, f'echo "{line}" {end}')
    with pytest.raises(CertificateRefused, match=f"a: {name}"):
        check(SMALL, [name])


@pytest.mark.parametrize(
    ("name", "script", "reason"),
    [
        ("cake_lpr", "exit 1", "exit code 1"),
        ("cake_lpr", "kill -SEGV $$", "Segmentation fault"),
        ("cake_lpr", "head -c 100000 /dev/urandom", "exit code 0: "),
        ("cake_lpr", "echo ' s VERIFIED UNSAT'", "exit code 0:  s VERIFIED UNSAT"),
        ("cake_lpr", "echo 's VERIFIED UNSAT' >&2", "exit code 0: s VERIFIED UNSAT"),
        ("lrat-trim", "echo 'lrat-trim: error: no memory' >&2; exit 1", "exit code 1: "),
    ],
)
def test_a_program_that_ends_without_a_verdict_has_accepted_nothing(name, script, reason, fake):
    fake(name, script)
    with pytest.raises(Stopped, match=re.escape(reason)):
        check(SMALL, [name])


def test_a_program_that_cannot_be_given_its_files_has_accepted_nothing(fake, monkeypatch):
    full = mock.Mock(side_effect=OSError(28, "No space left on device"))
    fake("cake_lpr", f"echo '{OWN_LINE['cake_lpr']}'")
    monkeypatch.setattr("tempfile.TemporaryFile", full)
    with pytest.raises(Stopped, match="No space left"):
        check(SMALL, ["cake_lpr"])


@pytest.mark.parametrize(
    ("number", "error"), [("2", None), ("3", CertificateRefused), ("", CertificateRefused)]
)
def test_the_proved_program_must_find_the_stated_number(number, error, fake, tmp_path, monkeypatch):
    answer = f'sed "s/^/# /" $2; tr " " , | sed "s/$/,{number}/"'
    stand_in = fake("stand-in", answer if number else "echo no tree >&2; exit 2")
    monkeypatch.setenv("SATCAL_VERIFIED", str(stand_in))
    (tmp_path / "small.satcert").write_bytes(SMALL)
    with pytest.raises(error) if error else nullcontext():
        assert check(tmp_path / "small.satcert", ["verified"]).checkers.keys() == {OWN, "verified"}


MEMORY = {"CML_HEAP_SIZE": "1024", "CML_STACK_SIZE": "64"}


@pytest.mark.parametrize(
    ("name", "script", "environment"),
    [
        ("cake_lpr", "test $CML_HEAP_SIZE+$CML_STACK_SIZE = 2048+512", {}),  # 2.5 GiB
        ("cake_lpr", "test $CML_HEAP_SIZE+$CML_STACK_SIZE = 1024+64", MEMORY),
        ("drat-trim", "test $3$4 = -f-U", {}),  # without RAT
    ],
)
def test_a_program_is_given_its_memory_and_its_rules(name, script, environment, fake, monkeypatch):
    for variable, value in environment.items():
        monkeypatch.setenv(variable, value)
    fake(name, f"{script} && echo '{OWN_LINE[name]}'")
    assert list(check(SMALL, [name]).checkers) == [OWN, name]


def test_all_that_are_named_must_accept(fake):
    fake("cake_lpr", "echo 's VERIFIED UNSAT'")
    fake("lrat-trim", "echo 'lrat-trim: parse error in /dev/fd/4'; exit 1")
    with pytest.raises(CertificateRefused, match="lrat-trim"):
        check(SMALL, ["cake_lpr", "lrat-trim"])


def test_what_satcal_refuses_nobody_else_is_asked_about(fake):
    """lrat-check takes an empty lemma without hints for a proof of anything."""
    for name, line in OWN_LINE.items():
        fake(name, f"echo '{line}'")
    file = taken_apart(SMALL)
    forged = file.with_group(tokens=file.groups[0].tokens[1:])
    with pytest.raises(CertificateRefused, match="trees"):
        check(forged.written(), list(PROGRAMS))
