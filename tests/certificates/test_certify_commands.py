"""``satcal certify`` and ``satcal check`` as a user meets them."""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from satcal.store.evidence import evidence
from satcal.store.results import Store

from helpers.certificates import FIVE, made, sealed, taken_apart
from helpers.commands import Fake
from helpers.programs import bound_by_permissions
from helpers.stores import located
from helpers.waiting import gone, until
from satcal.certificates import certify as making
from satcal.certificates.certify import certify
from satcal.certificates.checking import check
from satcal.errors import StoreLocked
from satcal.puzzle.loading import parse_puzzle

PROGRAM = [sys.executable, "-m", "satcal"]
ONE = ["certify", "-b", "five.toml", "--reveal", "a,1"]
ALL = ["certify", "-b", "three.toml", "--all-reveals"]
CHECK = ["check", "one.satcert"]
LARGE = Path(__file__).parents[2] / "results" / "certificates" / "a-puzzle-a-day.satcert"
PROOF = ["--proof", "lrat", "-o", "x"]
DRAT_TRIM = [*CHECK, "--checker", "drat-trim"]
THREE = """
name = "three"
board = "a b c *"
categories = { letter = ["a", "b", "c"] }
pieces = { I = "##", M = "#" }
"""
Satcal = Callable[..., Any]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder with two puzzles, a certificate, and two folders."""
    monkeypatch.chdir(tmp_path)
    Path("five.toml").write_text(FIVE)
    Path("three.toml").write_text(THREE)
    Path("one.satcert").write_bytes(made("a1"))
    Path("all").mkdir()
    Path("files").mkdir()


def test_a_date_is_certified_and_checked(satcal: Satcal) -> None:
    said = satcal(*ONE)
    assert (said.code, said.out) == (0, "five-a-1.satcert\n")
    assert "a 1: exactly 29 tilings" in said.err
    assert "sat finds the same numbers for a 1" in said.err
    assert Path("five-a-1.satcert").read_bytes() == made("a1")
    said = satcal("check", "five-a-1.satcert", "--board", "five.toml", "--reveal", "1,a")
    assert (said.code, said.err) == (0, "")
    first, second, *_ = said.out.splitlines()
    what = "not a puzzle of the library, named five"
    assert first == f"five-a-1.satcert: accepted: {what}: a 1, 29 tilings"
    assert second.startswith(f"  {what}; digest ")


def test_one_certificate_of_all(satcal: Satcal) -> None:
    said = satcal(*ALL)
    assert (said.code, said.out) == (0, "three-a-to-c.satcert\n")
    said = satcal("check", "three-a-to-c.satcert", "--format", "json")
    rows = json.loads(said.out)
    assert [(row["accepted"], row["reveal"], row["tilings"]) for row in rows] == [
        (True, ["a"], 2),
        (True, ["b"], 1),
        (True, ["c"], 1),
    ]
    said = satcal("check", "three-a-to-c.satcert", "--reveal", "b", "--format", "csv")
    assert len(said.out.splitlines()) == 2
    said = satcal("check", "three-a-to-c.satcert", "--reveal", "b")
    assert ("  b: exactly 1 tiling\n" in said.out, "exactly 2" in said.out) == (True, False)
    said = satcal("check", "-q", "three-a-to-c.satcert", "--reveal", "b")
    assert said.out.endswith(": 3 reveals, 4 tilings\n  b: exactly 1 tiling\n")
    said = satcal("check", "-q", "three-a-to-c.satcert")
    assert said.out.endswith(": 3 reveals, 4 tilings\n")


def test_a_file_has_the_same_bytes_on_any_number_of_cores_and_goes_on_where_it_was(
    satcal: Satcal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(making, "MOST_TREES", 1)  # a statement for each reveal
    year = ["certify", "-b", "five.toml", "--all-reveals", "-q"]
    assert satcal(*year, "-j", "1", "-o", "one").code == 0
    assert satcal(*year, "-j", "3", "-o", "three").code == 0
    whole = Path("one").read_bytes()
    assert whole == Path("three").read_bytes()
    assert len(taken_apart(whole)) == 20
    for kept in (len(whole) // 2, 100, 5):
        Path("again.part").write_bytes(whole[:kept] + b"damage")
        said = satcal("certify", "-b", "five.toml", "--all-reveals", "-o", "again", "-j", "1")
        assert Path("again").read_bytes() == whole
        assert ("statements were already there" in said.err) == (kept > 1000)
        assert not Path("again.part").exists()
        Path("again").unlink()


def forged() -> bytes:
    """A certificate whose tree lacks its last node."""
    (raw,) = taken_apart(made("a1"))
    raw.tokens = raw.tokens[:-1]
    return sealed(raw)


def of_another_puzzle() -> bytes:
    """A certificate of the reveal in a puzzle whose labels lie elsewhere."""
    puzzle = parse_puzzle(FIVE.replace("a b c d e", "e b c d a"), "five.toml")
    return certify(puzzle, [("a", "1")])


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (forged, "its tree ends too early"),
        (lambda: made("a3"), "it is a certificate for other reveals"),
        (of_another_puzzle, "it is a certificate for another puzzle"),
    ],
)
def test_certify_replaces_no_other_file_of_yours_unless_forced(
    satcal: Satcal, make: Callable[[], bytes], reason: str
) -> None:
    path, data = Path("five-a-1.satcert"), make()
    path.write_bytes(data)
    said = satcal(*ONE)
    assert (said.code, said.out, path.read_bytes()) == (2, "", data)
    assert f"{path} already exists: " in said.err
    assert f"{reason}; name another file, or pass --force" in said.err
    assert satcal(*ONE, "--force").out == f"{path}\n"
    assert path.read_bytes() == made("a1")
    said = satcal(*ONE)
    assert (said.code, "already exists and proves exactly this: nothing to do" in said.err) == (
        0,
        True,
    )


def test_a_refused_certificate_is_exit_1_and_the_others_are_still_checked(satcal: Satcal) -> None:
    Path("forged.satcert").write_bytes(forged())
    said = satcal("check", "forged.satcert", "one.satcert")
    assert (said.code, said.err) == (1, "")
    assert said.out.startswith("forged.satcert: refused: reveal a 1: node ")
    assert "one.satcert: accepted" in said.out


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        ([*CHECK, "--reveal", "A 1"], 0, "accepted"),
        ([*CHECK, "--board", "rhombus"], 1, "refused: this certificate is not for rhombus"),
        ([*CHECK, "--reveal", "e,1"], 1, "refused: it says nothing about e 1"),
        ([*CHECK, "--reveal", "a,7"], 2, "reveal: five has no label '7'"),
        ([*CHECK, "--reveal", ""], 2, "reveal: no label of the category"),
        ([*CHECK, "--board", "five.toml", "--reveal", "a,7"], 2, "reveal: five has no label '7'"),
        ([*CHECK, "--max-nodes", "9"], 2, "it states more than 9 nodes; raise --max-nodes"),
        ([*CHECK, *PROOF, "--max-size", "1K"], 2, "together are larger than --max-size; raise it"),
        ([*CHECK, "--proof", "lrat"], 0, "one.cnf, one.lrat: being written"),
        ([*CHECK, "-o", "x"], 2, "-o PREFIX is where --proof lrat or drup writes; give both"),
        (
            [*CHECK, "one.satcert", *PROOF],
            2,
            "--proof is for one certificate, not 2; give one FILE",
        ),
        ([*CHECK, "--proof", "lrat", "-o", "no/x"], 2, "there is no folder no"),
        ([*CHECK, "--checker", "drat-trim"], 4, "drat-trim is not on the PATH"),
        ([*CHECK, "--checker", "me"], 2, "no checker 'me'; the checkers are cake_lpr, lrat-check"),
        ([*CHECK, "--time-limit", "0.001"], 3, "within 0.001 s; raise --time-limit"),
        ([*ONE, "--place", "I@r1c1"], 2, "--place cannot be combined with certify"),
        ([*ONE, "-o", "no/x.satcert"], 2, "there is no folder no"),
        (["check", "/dev/zero"], 1, "refused: byte 0: expected a line of text"),
        (["check", "all"], 2, "Is a directory"),
    ],
)
def test_what_is_wanted_the_limits_and_mistakes_decide(
    satcal: Satcal, monkeypatch: pytest.MonkeyPatch, arguments: list[str], code: int, words: str
) -> None:
    monkeypatch.setenv("PATH", "")
    said = satcal(*arguments)
    assert (said.code, words in said.out + said.err) == (code, True), said


def test_nothing_in_a_file_or_its_name_can_imitate_a_report(satcal: Satcal) -> None:
    (raw,) = taken_apart(made("a1"))
    name = "rhombus, as in the library" + 150 * " "
    raw.text = raw.text.replace('"five"', f'"{name}"')
    path = Path("x\none.satcert: accepted")
    path.write_bytes(sealed(raw))
    said = satcal("check", str(path))
    assert said.code == 0
    first = said.out.splitlines()[0]
    assert first.startswith(f"{str(path)!r}: accepted: not a puzzle of the library, named 'rhombus")
    said = satcal("check", str(path), "-b", "rhombus")
    assert (said.code, "this certificate is not for rhombus" in said.out) == (1, True)


def test_ctrl_c_keeps_what_is_finished() -> None:
    year = [*PROGRAM, "certify", "-b", "rhombus", "--year", "2025", "-o", "year", "-q", "-j", "1"]
    process = subprocess.Popen(year, stdout=-1, stderr=subprocess.PIPE, text=True)
    until(lambda: Path("year.part").exists())
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (3, "\nsatcal: stopped by Ctrl-C\n")
    assert not Path("year").exists()


@pytest.mark.parametrize(
    ("before", "options", "code", "out", "err"),
    [
        ("true", [str(LARGE), "--memory-limit", "1M"], 3, "", "raise --memory-limit"),
        ("ulimit -v 3000000", ["one.satcert"], 0, "one.satcert: accepted", ""),
    ],
    ids=["a bound that is too low is named", "a bound of the system's own is kept"],
)
def test_the_memory_of_a_check_is_bounded(
    before: str, options: list[str], code: int, out: str, err: str
) -> None:
    drop = " ".join(bound_by_permissions())  # or root would raise a bound again
    done = subprocess.run(
        ["sh", "-c", f'{before}; exec {drop} "$@"', "sh", *PROGRAM, "check", *options],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == code
    assert done.stdout.startswith(out)
    assert err in done.stderr and "Traceback" not in done.stderr


def test_a_check_and_what_it_writes_say_how_far_they_are(
    satcal: Satcal, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[tuple[int, int, str]] = []
    check(LARGE, progress=lambda *step: steps.append(step))
    assert steps == sorted(steps) and len(steps) > 2
    assert {step[1:] for step in steps} == {(LARGE.stat().st_size, "bytes")}
    clock = itertools.count(step=10.0)  # each look at it is ten seconds later
    monkeypatch.setattr("satcal.cli.progress.time.monotonic", lambda: next(clock))
    said = satcal(*CHECK, *PROOF)
    size = Path("one.satcert").stat().st_size
    assert re.search(rf"^checking: \d+ of {size:,} bytes$", said.err, re.MULTILINE)
    lines = len(Path("x.lrat").read_text().splitlines())
    assert f"x.lrat: {lines:,} lines are written" in said.err
    quiet = satcal(*CHECK, *PROOF, "--force", "--quiet")
    assert (quiet.code, quiet.err) == (0, "")


# Second opinions, which few machines have: a script stands in for them.


def test_a_second_opinion_is_given_the_formula_and_the_proof_that_are_written(
    satcal: Satcal, fake: Fake
) -> None:
    script = 'cp "$1" formula; cp "$2" proof; shift 2; echo "$@" > rest; echo "s VERIFIED"'
    fake("drat-trim", script)
    assert satcal(*DRAT_TRIM, "--proof", "drup", "-o", "x").code == 0
    assert Path("formula").read_text() == Path("x.cnf").read_text()
    assert Path("proof").read_text() == Path("x.drup").read_text()
    assert Path("rest").read_text().split() == ["-f", "-U", "-t", "1000000"]
    fake("cake_lpr", 'cp "$2" proof; echo "s VERIFIED UNSAT"')
    said = satcal(*CHECK, "--checker", "cake_lpr", *PROOF)
    assert (said.code, "exists already" in said.err) == (2, True)
    assert satcal(*CHECK, "--checker", "cake_lpr", *PROOF, "--force").code == 0
    assert Path("proof").read_text() == Path("x.lrat").read_text()


@pytest.mark.parametrize(("how", "code"), [(signal.SIGINT, 3), (signal.SIGKILL, -signal.SIGKILL)])
def test_drat_trim_and_its_files_do_not_outlive_the_check(
    fake: Fake, how: signal.Signals, code: int
) -> None:
    fake("drat-trim", "echo $$ > started; exec sleep 60")
    folder = os.environ | {"TMPDIR": str(Path("files").resolve())}
    process = subprocess.Popen([*PROGRAM, *DRAT_TRIM], stdout=-1, stderr=-1, env=folder)
    started = Path("started")
    until(lambda: started.exists() and started.read_text().endswith("\n"))
    process.send_signal(how)
    process.communicate(timeout=60)
    assert process.returncode == code
    assert gone(int(started.read_text()))
    assert not list(Path("files").iterdir())


def test_what_is_noted_are_the_bytes_that_were_checked(satcal: Satcal, fake: Fake) -> None:
    fake("drat-trim", "echo another > one.satcert; echo 's VERIFIED'")
    assert satcal(*DRAT_TRIM, "--store", "store.sqlite").code == 0
    with Store(located("store.sqlite")) as store:
        (row,), _ = evidence(store)
    assert row.sha256 == hashlib.sha256(made("a1")).hexdigest()


def test_a_certificate_is_kept_where_the_store_is_locked(
    satcal: Satcal, monkeypatch: pytest.MonkeyPatch
) -> None:
    def locked(*_: object) -> None:
        raise StoreLocked("store: busy")

    monkeypatch.setattr("satcal.store.evidence.record_evidence", locked)
    said = satcal(*ALL, "-o", "x", "-q", "--store", "store.sqlite")
    assert (said.code, Path("x").exists()) == (3, True)
    assert "could not be recorded in the store: store: busy" in said.err
