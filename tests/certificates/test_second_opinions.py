"""Second opinions: who ends without its own word of acceptance has accepted nothing."""

import re
from contextlib import nullcontext
from unittest import mock

import pytest

from helpers.certificates import five_made, taken_apart
from satcal.certificates.checking import OWN, check
from satcal.certificates.second_opinions import PROGRAMS
from satcal.errors import CertificateRefused, Missing, Stopped

SMALL = five_made("a3")
WORDS = {name: program.acceptance for name, program in PROGRAMS.items()}
ENDS = [
    *((name, f"echo '{word}'; exit 3", None, "") for name, word in WORDS.items()),
    *(
        (
            name,
            "; ".join(f"echo '{other}'" for other in sorted({*WORDS.values()} - {word})),
            Stopped,
            name,
        )
        for name, word in WORDS.items()
    ),
    ("cake_lpr", "exit 1", Stopped, "exit code 1"),
    ("cake_lpr", "kill -SEGV $$", Stopped, "Segmentation fault"),
    ("cake_lpr", "head -c 100000 /dev/urandom", Stopped, "exit code 0: "),
    ("cake_lpr", "echo 's SATISFIABLE'", Stopped, "exit code 0: s SATISFIABLE"),
    ("cake_lpr", "echo 's VERIFIED UNSAT, almost'", Stopped, "cake_lpr"),
    ("cake_lpr", "echo ' s VERIFIED UNSAT'", Stopped, "cake_lpr"),
    ("cake_lpr", "printf '%s' 'xs VERIFIED UNSAT'", Stopped, "cake_lpr"),
    ("cake_lpr", "echo 's VERIFIED UNSAT' >&2", Stopped, "cake_lpr"),
    (
        "lrat-trim",
        "echo \"lrat-trim: error: can not read '/dev/fd/3'\" >&2; exit 1",
        Stopped,
        "lrat-trim",
    ),
    # what the programs say when proofs are tampered with, the last of each with exit code 0
    *(
        (name, f"cat <<'end'{to}\n{line}\nend\nexit {code}", CertificateRefused, f"a 3: {name}")
        for name, line, to, code in [
            ("cake_lpr", "c Checking failed at line: 121. Reason: clause index", " >&2", 1),
            ("cake_lpr", "c empty clause not derived at end of proof", "", 0),
            ("lrat-check", "c failed while checking clause: -121 -177 0", " >&2", 1),
            ("lrat-check", "c FAILED: multiple literals unassigned in hint 1: 1 10", " >&2", 1),
            ("lrat-check", "c NOT VERIFIED", "", 0),
            ("lrat-trim", "lrat-trim: antecedent '1' does not produce unit", " >&2", 1),
            ("lrat-trim", "lrat-trim: parse error in '/dev/fd/4' in line 122", " >&2", 1),
            ("lrat-trim", "lrat-trim: propagating antecedents does not yield conflict", "", 0),
            ("drat-trim", "s NOT VERIFIED", " >&2", 1),
            ("drat-trim", "s DERIVATION", "", 0),
        ]
    ),
]


@pytest.mark.parametrize(("name", "script", "error", "word"), ENDS)
def test_a_program_accepts_and_refuses_by_its_own_line_whatever_its_exit_code(
    name, script, error, word, fake
):
    fake(name, script)
    if error is None:
        assert list(check(SMALL, [name]).checkers) == [OWN, name]
        return
    with pytest.raises(error, match=re.escape(word)):
        check(SMALL, [name])


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
