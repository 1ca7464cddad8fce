"""Second opinions: who ends without its own word of acceptance has accepted nothing."""

from __future__ import annotations

import re
from contextlib import nullcontext
from unittest import mock

import pytest

from helpers.certificates import five_made, taken_apart
from satcal.certificates.checking import OWN, check
from satcal.certificates.second_opinions import PROGRAMS
from satcal.errors import CertificateRefused, Missing, Stopped

SMALL = five_made("a3")
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


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_has_accepted_by_its_own_word_and_no_other(name, fake):
    word = PROGRAMS[name].acceptance
    others = {program.acceptance for program in PROGRAMS.values()} - {word}
    fake(name, f"echo '{word}'; exit 3")
    assert list(check(SMALL, [name]).checkers) == [OWN, name]
    fake(name, "; ".join(f"echo '{other}'" for other in others))
    with pytest.raises(Stopped, match=name):
        check(SMALL, [name])


@pytest.mark.parametrize(
    ("script", "end"),
    [
        ("exit 1", "exit code 1"),
        ("kill -SEGV $$", "Segmentation fault"),
        ("head -c 100000 /dev/urandom", "exit code 0: "),
        ("echo 's SATISFIABLE'", "exit code 0: s SATISFIABLE"),
        ("echo '{word}, almost'", ""),
        ("echo ' {word}'", ""),
        ("printf '%s' 'x{word}'", ""),
        ("echo '{word}' >&2", ""),
    ],
)
def test_a_word_that_is_not_the_line_itself_has_accepted_nothing(script, end, fake):
    fake("cake_lpr", script.format(word=PROGRAMS["cake_lpr"].acceptance))
    with pytest.raises(Stopped, match=rf"cake_lpr.*{re.escape(end)}"):
        check(SMALL, ["cake_lpr"])


def test_a_file_that_is_no_program_has_accepted_nothing(fake):
    fake("cake_lpr", "").write_bytes(b"\x7fELF and no more")
    with pytest.raises(Stopped):
        check(SMALL, ["cake_lpr"])


def test_a_program_that_cannot_be_given_its_files_has_accepted_nothing(fake, monkeypatch):
    full = mock.Mock(side_effect=OSError(28, "No space left on device"))
    fake("cake_lpr", f"echo '{PROGRAMS['cake_lpr'].acceptance}'")
    monkeypatch.setattr("tempfile.TemporaryFile", full)
    with pytest.raises(Stopped, match="No space left"):
        check(SMALL, ["cake_lpr"])


@pytest.mark.parametrize(
    ("name", "line"), [(name, line) for name, lines in REFUSALS.items() for line in lines]
)
def test_a_program_refuses_in_its_own_words_whatever_its_exit_code(name, line, fake):
    ending, to = ("exit 0", "") if line == REFUSALS[name][-1] else ("exit 1", " >&2")
    fake(name, f'cat <<"end"{to}\n{line}\nend\n{ending}')
    with pytest.raises(CertificateRefused, match=f"a 3: {name}"):
        check(SMALL, [name])


def test_a_program_that_cannot_read_its_files_refuses_nothing(fake):
    fake("lrat-trim", "echo \"lrat-trim: error: can not read '/dev/fd/3'\" >&2; exit 1")
    with pytest.raises(Stopped, match="lrat-trim"):
        check(SMALL, ["lrat-trim"])


@pytest.mark.parametrize(
    ("number", "error"), [("5", None), ("6", CertificateRefused), ("", CertificateRefused)]
)
def test_the_proved_program_must_find_the_stated_number(number, error, fake, tmp_path, monkeypatch):
    answer = f'sed "s/^/# /" $2; tr " " , | sed "s/$/,{number}/"'
    stand_in = fake("stand-in", answer if number else "echo no tree >&2; exit 2")
    monkeypatch.setenv("SATCAL_VERIFIED", str(stand_in))
    (tmp_path / "a3.satcert").write_bytes(SMALL)
    with pytest.raises(error) if error else nullcontext():
        assert check(tmp_path / "a3.satcert", ["verified"]).checkers.keys() == {OWN, "verified"}


SIZES = "$CML_HEAP_SIZE $CML_STACK_SIZE"


@pytest.mark.parametrize(
    ("name", "asked", "expected", "own"),
    [
        ("cake_lpr", SIZES, "2048 512", {}),  # 2.5 GiB
        ("cake_lpr", SIZES, "1024 64", {"CML_HEAP_SIZE": "1024", "CML_STACK_SIZE": "64"}),
        ("drat-trim", "$3 $4", "-f -U", {}),  # without RAT
    ],
)
def test_a_program_is_given_its_memory_and_its_rules(name, asked, expected, own, fake, monkeypatch):
    for variable, value in own.items():
        monkeypatch.setenv(variable, value)
    word = PROGRAMS[name].acceptance
    fake(name, f'test "{asked}" = "{expected}" && echo "{word}"')
    assert list(check(SMALL, [name]).checkers) == [OWN, name]


def test_a_checker_that_is_missing_is_named(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(Missing, match="lrat-trim"):
        check(SMALL, ["lrat-trim"])


def test_all_that_are_named_must_accept(fake):
    fake("cake_lpr", "echo 's VERIFIED UNSAT'")
    fake("lrat-trim", "echo 'lrat-trim: parse error in /dev/fd/4'; exit 1")
    with pytest.raises(CertificateRefused, match="lrat-trim"):
        check(SMALL, ["cake_lpr", "lrat-trim"])


def test_what_satcal_refuses_nobody_else_is_asked_about(fake):
    """lrat-check takes an empty lemma without hints for a proof of anything."""
    for name, program in PROGRAMS.items():
        fake(name, f"echo '{program.acceptance}'")
    file = taken_apart(SMALL)
    forged = file.with_group(tokens=file.groups[0].tokens[1:])
    with pytest.raises(CertificateRefused, match="trees"):
        check(forged.written(), list(PROGRAMS))
