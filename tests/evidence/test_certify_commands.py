"""``satcal certify`` and ``satcal check`` as a user meets them."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from certificates import FIVE, PROOF, Forged, made
from external import Fake, gone
from looping import until
from programs import bound_by_permissions
from stored import located

from satcal.errors import CertificateRefused, StoreLocked
from satcal.evidence import checking
from satcal.evidence.certify import certify
from satcal.evidence.tables import results_folder
from satcal.proof.certificate import PUZZLE
from satcal.puzzle.toml import parse_puzzle
from satcal.store.evidence import evidence
from satcal.store.results import Store

PROGRAM = [sys.executable, "-m", "satcal"]
ONE = ["certify", "-b", "five.toml", "--reveal", "a,1"]
ALL = ["certify", "-b", "three.toml", "--all-reveals"]
CHECK = ["check", "one.satcert"]
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
    assert "a 1: exactly 29 tilings, 1 proof" in said.err
    assert Path("five-a-1.satcert").read_bytes() == made("a1")
    said = satcal("check", "five-a-1.satcert", "--board", "five.toml", "--reveal", "1,a")
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith(
        "five-a-1.satcert: accepted\n  puzzle five (not one of the library), digest "
    )


def test_a_range_is_certified_into_a_folder_and_goes_on_where_it_was(satcal: Satcal) -> None:
    files = [str(Path("all") / f"three-{letter}.satcert") for letter in "abc"]
    assert satcal(*ALL, "-o", "all", "-q").out.split() == files
    Path(files[1]).unlink()
    said = satcal(*ALL, "-o", "all", "-q")
    assert (said.code, said.out.split()) == (0, files[1:2])
    assert "2 of 3 certificates are there already, and were checked" in said.err
    assert satcal(*ALL, "-o", "all", "-q", "--force").out.split() == files
    said = satcal("check", *files)
    assert (said.code, said.out.count(": accepted\n")) == (0, 3)


def test_one_certificate_of_all(satcal: Satcal) -> None:
    said = satcal(*ALL, "--together")
    assert (said.code, said.out) == (0, "three-a-to-c.satcert\n")
    said = satcal("check", "three-a-to-c.satcert", "--format", "json")
    (report,) = json.loads(said.out)
    assert (said.code, report["accepted"]) == (0, True)
    assert [each["tilings"] for each in report["proved"]] == [2, 1, 1]


def forged() -> bytes:
    """Return a certificate whose proof is the empty clause alone, by no clause."""
    cert = Forged(made("a1"))
    cert.write(PROOF, bytes([1, 0, 0]))
    return cert.sealed()


def of_another_puzzle() -> bytes:
    """Return a certificate of the reveal in a puzzle whose labels lie elsewhere."""
    puzzle = parse_puzzle(FIVE.replace("a b c d e", "e b c d a"), "five.toml")
    return certify(puzzle, ("a", "1"))


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (forged, "step 1: this clause does not follow from its hints"),
        (lambda: made("a3"), "it is a certificate of another date"),
        (of_another_puzzle, "it is a certificate of another puzzle"),
    ],
)
def test_certify_replaces_no_other_file_of_yours_unless_forced(
    satcal: Satcal, make: Callable[[], bytes], reason: str
) -> None:
    path, data = Path("five-a-1.satcert"), make()
    path.write_bytes(data)
    said = satcal(*ONE)
    assert (said.code, said.out, path.read_bytes()) == (2, "", data)
    assert f"{path} is kept: " in said.err
    assert f"{reason}; pass --force to replace it" in said.err
    assert satcal(*ONE, "--force").out == f"{path}\n"
    assert path.read_bytes() == made("a1")


def test_a_refused_certificate_is_exit_1_and_the_others_are_still_checked(satcal: Satcal) -> None:
    Path("forged.satcert").write_bytes(forged())
    said = satcal("check", "forged.satcert", "one.satcert")
    assert (said.code, said.err) == (1, "")
    assert said.out.startswith(
        f"forged.satcert: refused: {PROOF}: step 1: this clause does not follow from its hints"
    )
    assert "one.satcert: accepted" in said.out


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        ([*CHECK, "--reveal", "A 1"], 0, "accepted"),
        ([*CHECK, "--board", "rhombus"], 1, "refused: it is of another puzzle than rhombus"),
        ([*CHECK, "--reveal", "e,1"], 1, "refused: it is of another reveal than e 1"),
        ([*CHECK, "--reveal", "a,7"], 1, "another reveal than a 7 (reveal: five has no label '7'"),
        ([*CHECK, "--reveal", ""], 1, "another reveal than none (reveal: no label of the category"),
        ([*CHECK, "--board", "five.toml", "--reveal", "a,7"], 2, "reveal: five has no label '7'"),
        ([*CHECK, "--max-size", "1K"], 2, "its parts have more than 1000 bytes; see --max-size"),
        ([*CHECK, "--checker", "drat-trim"], 4, "drat-trim is not available; put it on the PATH"),
        ([*CHECK, "--checker", "me"], 2, "no checker 'me'; the checkers are cake_lpr, lrat-check"),
        ([*CHECK, "--time-limit", "0.001"], 3, "within 0.001 s; raise --time-limit"),
        ([*CHECK, "one.satcert", "--export", "files"], 2, "name one file"),
        ([*CHECK, "--export", "nowhere"], 2, "make it first"),
        ([*ONE, "--place", "I@r1c1"], 2, "--place means nothing here"),
        ([*ALL, "-o", "five.toml"], 2, "it is a file"),
        ([*ONE, "-o", "no/x.satcert"], 2, "there is no folder no"),
    ],
)  # fmt: skip
def test_what_is_wanted_the_limits_and_mistakes_decide(
    satcal: Satcal, monkeypatch: pytest.MonkeyPatch, arguments: list[str], code: int, words: str
) -> None:
    monkeypatch.setenv("PATH", "")
    said = satcal(*arguments)
    assert (said.code, words in said.out + said.err) == (code, True), said


MOVED = """
[calendar]
month = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Dec", "Nov", "Oct"]
"""


def test_a_library_board_on_which_dates_mean_other_labels_is_another_puzzle(
    satcal: Satcal,
) -> None:
    kept = results_folder() / "certificates" / "a-puzzle-a-day.Oct-6.satcert"
    cert = Forged(kept.read_bytes())
    name = "rhombus (rhombus, as in the library)"
    cert.write(PUZZLE, cert.text(PUZZLE).replace('"a-puzzle-a-day"', f'"{name}"') + MOVED)
    Path("moved.satcert").write_bytes(cert.sealed())
    said = satcal("check", "moved.satcert", "--date", "2025-12-06")
    assert said.code == 0
    assert f"puzzle '{name}' (not one of the library)" in said.out
    assert "Oct 6: exactly 7 tilings, 1 proof" in said.out
    said = satcal("check", "moved.satcert", "-b", "a-puzzle-a-day", "--date", "2025-12-06")
    assert (said.code, "of another puzzle than a-puzzle-a-day" in said.out) == (1, True)


def test_a_certificate_on_a_device_is_read_no_further_than_one_may_be(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(checking, "MAX_FILE", 1000)
    assert len(checking.read(Path("/dev/zero"))) == 1001


def test_ctrl_c_keeps_what_is_finished() -> None:
    month = [*PROGRAM, "certify", "--month", "2025-10", "-o", "all", "-q"]
    process = subprocess.Popen(month, stdout=-1, stderr=subprocess.PIPE, text=True)
    until(lambda: list(Path("all").glob("*.satcert")))
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (3, "\nsatcal: stopped by Ctrl-C\n")
    assert 0 < len(list(Path("all").glob("*.satcert"))) < 31
    assert not list(Path("all").glob(".*"))


@pytest.mark.parametrize(
    ("before", "options", "code", "out", "err"),
    [
        ("true", ["--memory-limit", "60M"], 3, "", "out of memory; raise --memory-limit"),
        ("ulimit -v 3000000", [], 0, "one.satcert: accepted", ""),
    ],
    ids=["a bound that is too low is named", "a bound of the system's own is kept"],
)
def test_the_memory_of_a_check_is_bounded(
    before: str, options: list[str], code: int, out: str, err: str
) -> None:
    drop = " ".join(bound_by_permissions())  # or root would raise a bound again
    done = subprocess.run(
        ["sh", "-c", f'{before}; exec {drop} "$@"', "sh", *PROGRAM, *CHECK, *options],
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == code
    assert done.stdout.partition("\n")[0] == out
    assert err in done.stderr and "Traceback" not in done.stderr


# Second opinions, which few machines have: a script stands in for them.


def test_a_second_opinion_is_given_the_formula_and_the_proof_as_they_are_exported(
    satcal: Satcal, fake: Fake
) -> None:
    script = 'cp "$1" formula; cp "$2" proof; shift 2; echo "$@" > rest; echo "s VERIFIED"'
    fake("drat-trim", script)
    assert satcal(*DRAT_TRIM, "--export", "files").code == 0
    exported = {path.suffix: path.read_text() for path in Path("files").glob("0001-proof-0001.*")}
    assert exported.keys() == {".cnf", ".drup", ".lrat"}
    assert Path("formula").read_text() == exported[".cnf"]
    assert Path("proof").read_text() == exported[".drup"]
    assert Path("rest").read_text().split() == ["-f", "-U", "-t", "1000000"]
    fake("cake_lpr", 'cp "$2" proof; echo "s VERIFIED UNSAT"')
    assert satcal(*CHECK, "--checker", "cake_lpr").code == 0
    assert Path("proof").read_text() == exported[".lrat"]
    said = satcal(*CHECK, "--export", "files")
    assert (said.code, "exists already" in said.err) == (2, True)


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


def test_a_refused_certificate_is_not_written_and_outweighs_a_store_that_is_locked(
    satcal: Satcal, monkeypatch: pytest.MonkeyPatch
) -> None:
    def locked(*_: object) -> None:
        raise StoreLocked("store: busy")

    def judged(data: bytes) -> checking.Report:
        report = check(data)
        if report.proved[0].reveal == ("b",):
            raise CertificateRefused("no")
        return report

    check = checking.check
    monkeypatch.setattr(checking, "check", judged)
    monkeypatch.setattr("satcal.store.evidence.record_evidence", locked)
    said = satcal(*ALL, "-o", "all", "-q", "--store", "store.sqlite")
    assert (said.code, len(list(Path("all").iterdir()))) == (1, 2)
    assert "not written, as it is refused: no" in said.err
    assert said.err.count("not noted: store: busy") == 2
