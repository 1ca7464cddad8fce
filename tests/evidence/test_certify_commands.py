"""``satcal certify`` and ``satcal check`` as a user meets them."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from certificates import FIVE, PROOF, Forged, made
from external import Fake, alive
from programs import bound_by_permissions
from stored import located

from satcal.cli.main import run
from satcal.errors import CertificateRefused, StoreLocked
from satcal.evidence import checking
from satcal.evidence.certify import certify
from satcal.puzzle.toml import parse_puzzle
from satcal.store.evidence import evidence
from satcal.store.results import Store

SATCAL = [sys.executable, "-m", "satcal"]
ONE = ["certify", "-b", "five.toml", "--reveal", "a,1"]
Call = Callable[..., tuple[int, str, str]]


@pytest.fixture
def call(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Call:
    monkeypatch.chdir(tmp_path)
    Path("five.toml").write_text(FIVE)

    def said(*arguments: str) -> tuple[int, str, str]:
        code = run(list(arguments))
        out, err = capsys.readouterr()
        return code, out, err

    return said


def test_a_date_is_certified_and_checked(call: Call) -> None:
    code, out, err = call("certify", "-b", "five.toml", "--reveal", "a,1")
    assert (code, out) == (0, "five-a-1.satcert\n")
    assert "a 1: exactly 29 tilings, 1 proof" in err
    assert Path("five-a-1.satcert").read_bytes() == made("a1")
    code, out, err = call("check", "five-a-1.satcert", "--board", "five.toml", "--reveal", "1,a")
    assert (code, err) == (0, "")
    assert out.startswith("five-a-1.satcert: accepted\n  puzzle five (not one of the library)")


def test_a_range_is_certified_into_a_folder_and_goes_on_where_it_was(call: Call) -> None:
    Path("all").mkdir()
    every = ("certify", "-b", "five.toml", "--all-reveals", "-o", "all", "-q")
    code, out, _ = call(*every)
    files = sorted(Path("all").iterdir())
    assert (code, len(files), len(out.splitlines())) == (0, 20, 20)
    files[3].unlink()
    code, out, err = call(*every)
    assert (code, out.split()) == (0, [str(files[3])])
    assert "19 of 20 certificates are there already, and were checked" in err
    code, out, _ = call(*every, "--force")
    assert len(out.splitlines()) == 20
    code, out, _ = call("check", *map(str, files))
    assert (code, out.count(": accepted\n")) == (0, 20)


def _forged() -> bytes:
    """Return a certificate whose proof is the empty clause alone, by the first clause."""
    cert = Forged(made("a1"))
    cert.write(PROOF, bytes([1, 0, 0]))
    return cert.sealed()


def _of_another_puzzle() -> bytes:
    """Return a certificate of the reveal in a puzzle whose labels lie elsewhere."""
    puzzle = parse_puzzle(FIVE.replace("a b c d e", "e b c d a"), "five.toml")
    return certify(puzzle, ("a", "1"))


OTHER_FILES = {
    "notes": (lambda: b"my notes", "no part begins here"),
    "a certificate that was cut off": (lambda: made("a1")[:-1], "it was cut off, or changed"),
    "a forgery": (_forged, "step 1: this clause does not follow from its hints"),
    "of another date": (lambda: made("a3"), "it is a certificate of another date"),
    "of another puzzle": (_of_another_puzzle, "it is a certificate of another puzzle"),
}


@pytest.mark.parametrize("kind", OTHER_FILES)
def test_certify_replaces_no_other_file_of_yours_unless_forced(call: Call, kind: str) -> None:
    make, reason = OTHER_FILES[kind]
    data = make()
    path = Path("five-a-1.satcert")
    path.write_bytes(data)
    code, out, err = call(*ONE)
    assert (code, out, path.read_bytes()) == (2, "", data)
    assert f"{path} is kept: " in err
    assert reason in err
    assert "pass --force to replace it" in err
    assert call(*ONE, "--force")[:2] == (0, f"{path}\n")
    assert path.read_bytes() == made("a1")


def test_one_certificate_of_all(call: Call) -> None:
    code, out, _ = call("certify", "-b", "five.toml", "--all-reveals", "--together")
    assert (code, out) == (0, "five-a-1-to-e-4.satcert\n")
    code, out, _ = call("check", "five-a-1-to-e-4.satcert", "--format", "json")
    report = json.loads(out)
    assert (code, report["accepted"], len(report["proved"])) == (0, True, 20)
    assert sum(each["tilings"] for each in report["proved"]) == 195


def test_a_refused_certificate_is_exit_1_and_the_others_are_still_checked(call: Call) -> None:
    Path("forged.satcert").write_bytes(_forged())
    Path("true.satcert").write_bytes(made("a3"))
    code, out, err = call("check", "forged.satcert", "true.satcert")
    assert (code, err) == (1, "")
    assert out.startswith(
        f"forged.satcert: refused: {PROOF}: step 1: this clause does not follow from its hints"
    )
    assert "true.satcert: accepted" in out
    code, out, _ = call("check", "forged.satcert", "--format", "json")
    assert (code, json.loads(out)["accepted"]) == (1, False)


def test_standard_files_are_exported_once(call: Call) -> None:
    Path("one.satcert").write_bytes(made("a1"))
    assert call("check", "one.satcert", "--export", "files")[0] == 2
    Path("files").mkdir()
    assert call("check", "one.satcert", "--export", "files")[0] == 0
    assert sorted(path.name for path in Path("files").iterdir()) == [
        "0001-proof-0001.cnf", "0001-proof-0001.drup", "0001-proof-0001.lrat",
    ]  # fmt: skip
    code, _, err = call("check", "one.satcert", "--export", "files")
    assert (code, "exists already" in err) == (2, True)
    code, _, err = call("check", "one.satcert", "one.satcert", "--export", "files")
    assert (code, "name one file" in err) == (2, True)


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (["--board", "rhombus"], 1, "refused: it is of another puzzle than rhombus"),
        (["--reveal", "e,1"], 1, "refused: it is of another reveal than e 1"),
        (["--max-size", "1K"], 2, "its parts have more than 1000 bytes; see --max-size"),
        (["--checker", "drat-trim"], 4, "checker drat-trim is not available; put it on the PATH"),
        (["--checker", "me"], 2, "no checker 'me'; the checkers are cake_lpr, lrat-check"),
        (["--time-limit", "0.001"], 3, "not checked to the end within 0.001 s; raise --time-limit"),
    ],
)  # fmt: skip
def test_what_is_wanted_and_the_limits_decide(
    call: Call, monkeypatch: pytest.MonkeyPatch, options: list[str], code: int, words: str
) -> None:
    monkeypatch.setenv("PATH", "")
    Path("one.satcert").write_bytes(made("a1"))
    found, out, err = call("check", "one.satcert", *options)
    assert (found, words in out + err) == (code, True), out + err


def test_a_checker_without_memory_stops_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "one.satcert"
    path.write_bytes(made("a1"))
    said = subprocess.run(
        [*SATCAL, "check", str(path), "--memory-limit", "60M"],
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert said.returncode == 3
    assert "Traceback" not in said.stderr
    assert "memory" in said.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["check", "nothing.satcert"], 2, "certificate nothing.satcert: No such file or directory"),
        (["check", "five.toml"], 1, "five.toml: refused: archive: byte 0: no part begins here"),
        (["check"], 2, "Missing argument 'FILE...'"),
        ([*ONE, "--place", "I@r1c1"], 2, "leave --place out"),
        (["certify", "-b", "five.toml", "--all-reveals", "-o", "five.toml"], 2, "it is a file"),
        (["certify", "-b", "five.toml", "--all-reveals", "-o", "no"], 2, "make it first"),
        ([*ONE, "-o", "no/x.satcert"], 2, "there is no folder no"),
        (["certify", "-b", "five.toml", "--reveal", "a"], 2, "no label of the category number"),
        (["certify", "-b", "five.toml", "--date", "2025-12-25"], 2, "this puzzle has no dates"),
    ],
)  # fmt: skip
def test_mistakes_are_named(call: Call, arguments: list[str], code: int, words: str) -> None:
    found, out, err = call(*arguments)
    assert (found, words in out + err) == (code, True), out + err


def test_a_certificate_on_a_device_is_read_no_further_than_one_may_be(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(checking, "MAX_FILE", 1000)
    assert len(checking.read(Path("/dev/zero"))) == 1001


def test_ctrl_c_keeps_what_is_finished(tmp_path: Path) -> None:
    (tmp_path / "five.toml").write_text(FIVE)
    (tmp_path / "month").mkdir()
    process = subprocess.Popen(
        [*SATCAL, "certify", "--month", "2025-10", "-o", "month", "-q"],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    for _ in range(1200):
        if list((tmp_path / "month").glob("*.satcert")):
            break
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (3, "\nsatcal: stopped by Ctrl-C\n")
    assert 0 < len(list((tmp_path / "month").glob("*.satcert"))) < 31
    assert not list((tmp_path / "month").glob(".*"))


# Second opinions, which few machines have: a script stands in for them.

DRAT_TRIM = ["check", "one.satcert", "--checker", "drat-trim"]


def test_a_second_opinion_is_given_the_formula_and_the_proof(call: Call, fake: Fake) -> None:
    Path("one.satcert").write_bytes(made("a1"))
    Path("files").mkdir()
    call("check", "one.satcert", "--export", "files")
    script = 'cp "$1" formula; cp "$2" proof; shift 2; echo "$@" > rest; echo "s VERIFIED"'
    fake("drat-trim", script)
    assert call(*DRAT_TRIM)[0] == 0
    for name, ending in (("formula", "cnf"), ("proof", "drup")):
        assert Path(name).read_text() == Path(f"files/0001-proof-0001.{ending}").read_text()
    assert Path("rest").read_text().split() == ["-f", "-U", "-t", "1000000"]
    fake("cake_lpr", 'cp "$2" proof; echo "s VERIFIED UNSAT"')
    assert call("check", "one.satcert", "--checker", "cake_lpr")[0] == 0
    assert Path("proof").read_text() == Path("files/0001-proof-0001.lrat").read_text()


def test_a_second_opinion_that_cannot_be_given_its_files_leaves_a_certificate_unjudged(
    call: Call, fake: Fake, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    Path("one.satcert").write_bytes(made("a1"))
    fake("drat-trim", "echo 's VERIFIED'")
    monkeypatch.setattr("tempfile.TemporaryFile", full)
    code, _, err = call(*DRAT_TRIM)
    assert code == 3
    assert f"{PROOF}: drat-trim cannot be run: No space left on device" in err


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_drat_trim_and_its_files_do_not_outlive_the_check(
    fake: Fake, tmp_path: Path, how: signal.Signals
) -> None:
    (tmp_path / "one.satcert").write_bytes(made("a1"))
    (tmp_path / "temporary").mkdir()
    fake("drat-trim", f"echo $$ > {tmp_path}/started; exec sleep 60")
    process = subprocess.Popen(
        [*SATCAL, *DRAT_TRIM], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env=os.environ | {"TMPDIR": str(tmp_path / "temporary")},
    )  # fmt: skip
    started = tmp_path / "started"
    assert _soon(lambda: started.exists() and started.read_text().endswith("\n"))
    process.send_signal(how)
    process.communicate(timeout=60)
    program = int(started.read_text())
    try:
        assert process.returncode == (3 if how is signal.SIGINT else -how)
        assert _soon(lambda: not alive(program))
        assert not list((tmp_path / "temporary").iterdir())
    finally:
        if alive(program):
            os.kill(program, signal.SIGKILL)


def _soon(holds: Callable[[], bool]) -> bool:
    """Return whether something holds within a minute."""
    for _ in range(1200):
        if holds():
            return True
        time.sleep(0.05)
    return False


def test_a_bound_of_memory_that_the_system_sets_already_is_kept(tmp_path: Path) -> None:
    """Without the capability to raise such a bound, which root has."""
    path = tmp_path / "one.satcert"
    path.write_bytes(made("a1"))
    drop = " ".join(bound_by_permissions())
    said = subprocess.run(
        ["sh", "-c", f'ulimit -v 3000000; exec {drop} "$@"', "sh", *SATCAL, "check", str(path)],
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert (said.returncode, said.stderr) == (0, "")
    assert "one.satcert: accepted" in said.stdout


def test_what_is_noted_are_the_bytes_that_were_checked(call: Call, fake: Fake) -> None:
    Path("one.satcert").write_bytes(made("a1"))
    fake("drat-trim", "echo another > one.satcert; echo 's VERIFIED'")
    assert call(*DRAT_TRIM, "--store", "store.sqlite")[0] == 0
    with Store(located("store.sqlite")) as store:
        (row,), _ = evidence(store)
    assert row.sha256 == hashlib.sha256(made("a1")).hexdigest()


@pytest.mark.parametrize("bad", [("a", "1"), ("e", "4")])
def test_a_refused_certificate_is_not_written_and_outweighs_a_store_that_is_locked(
    call: Call, monkeypatch: pytest.MonkeyPatch, bad: tuple[str, str]
) -> None:
    def locked(*_: object) -> None:
        raise StoreLocked("store: busy")

    def judged(data: bytes) -> checking.Report:
        report = check(data)
        if report.proved[0].reveal == bad:
            raise CertificateRefused("no")
        return report

    check = checking.check
    monkeypatch.setattr(checking, "check", judged)
    monkeypatch.setattr("satcal.store.evidence.record_evidence", locked)
    Path("all").mkdir()
    every = ("--all-reveals", "-o", "all", "-q", "--store", "store.sqlite")
    code, _, err = call("certify", "-b", "five.toml", *every)
    assert (code, len(list(Path("all").iterdir()))) == (1, 19)
    assert "not written, as it is refused: no" in err
    assert err.count("not noted: store: busy") == 19


@pytest.mark.parametrize("board", [(), ("--board", "five.toml")])
def test_the_wanted_reveal_may_be_written_in_any_order_and_case(
    call: Call, board: tuple[str, ...]
) -> None:
    Path("one.satcert").write_bytes(made("a1"))
    for reveal in ("a,1", "1,A", "A 1", "1, a"):
        assert call("check", "one.satcert", *board, "--reveal", reveal)[0] == 0, reveal


def test_a_wanted_reveal_that_is_none_of_the_puzzle_is_refused_with_the_reason(call: Call) -> None:
    Path("one.satcert").write_bytes(made("a1"))
    code, out, _ = call("check", "one.satcert", "--reveal", "a,7")
    assert (code, "another reveal than a 7 (reveal: five has no label '7'" in out) == (1, True)
    code, out, _ = call("check", "one.satcert", "--reveal", "")
    assert (code, "another reveal than none (reveal: no label of the category" in out) == (1, True)
    code, _, err = call("check", "one.satcert", "--board", "five.toml", "--reveal", "a,7")
    assert (code, "reveal: five has no label '7'" in err) == (2, True)
