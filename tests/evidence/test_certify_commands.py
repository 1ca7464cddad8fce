"""``satcal certify`` and ``satcal check`` as a user meets them."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from certificates import FIVE, PROOF, Forged, made

from satcal.cli.main import run
from satcal.evidence import limits

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
    code, out, _ = call("certify", "-b", "five.toml", "--all-reveals", "-o", "all", "-q")
    files = sorted(Path("all").iterdir())
    assert (code, len(files), len(out.splitlines())) == (0, 20, 20)
    files[3].unlink()
    files[4].write_bytes(files[4].read_bytes()[:-1])
    files[5].write_bytes(files[6].read_bytes())
    code, out, err = call("certify", "-b", "five.toml", "--all-reveals", "-o", "all", "-q")
    assert (code, out.split()) == (0, [str(path) for path in files[3:6]])
    assert f"{files[4]} is made again: archive: it holds bytes that belong to no part" in err
    assert f"{files[5]} is made again: it is of another puzzle or date" in err
    assert "17 of 20 certificates are there already" in err
    code, out, err = call("certify", "-b", "five.toml", "--all-reveals", "-o", "all", "--fresh")
    assert len(out.splitlines()) == 20
    code, out, _ = call("check", *map(str, files))
    assert (code, out.count(": accepted\n")) == (0, 20)


def test_one_certificate_of_all(call: Call) -> None:
    code, out, _ = call("certify", "-b", "five.toml", "--all-reveals", "--together", "--no-check")
    assert (code, out) == (0, "five-a-1-to-e-4.satcert\n")
    code, out, _ = call("check", "five-a-1-to-e-4.satcert", "--format", "json")
    report = json.loads(out)
    assert (code, report["accepted"], len(report["proved"])) == (0, True, 20)
    assert sum(each["tilings"] for each in report["proved"]) == 195


def test_a_refused_certificate_is_exit_1_and_the_others_are_still_checked(call: Call) -> None:
    forged = Forged(made("a1"))
    forged.write(PROOF, "0\n")
    Path("forged.satcert").write_bytes(forged.sealed())
    Path("true.satcert").write_bytes(made("a3"))
    code, out, err = call("check", "forged.satcert", "true.satcert")
    assert (code, err) == (1, "")
    assert out.startswith(
        f"forged.satcert: refused: {PROOF}: step 1: clause is neither RUP nor RAT"
    )
    assert "true.satcert: accepted" in out
    code, out, _ = call("check", "forged.satcert", "--format", "json")
    assert (code, json.loads(out)["accepted"]) == (1, False)


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (["--board", "rhombus"], 1, "refused: it is of another puzzle than rhombus"),
        (["--reveal", "e,1"], 1, "refused: it is of another reveal than e 1"),
        (["--max-size", "1K"], 2, "its parts have more than 1000 bytes; see --max-size"),
        (["--checker", "drat-trim"], 4, "checker drat-trim is not available; install satcal"),
        (["--checker", "me"], 2, "no checker 'me'; the checkers are cdclkit, drat-trim, dratify"),
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
        (["certify", "-b", "five.toml", "--all-reveals", "-o", "five.toml"], 2, "need a folder"),
        ([*ONE, "-o", "no/x.satcert"], 2, "cannot be written"),
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
    monkeypatch.setattr(limits, "MAX_FILE", 1000)
    assert len(limits.read(Path("/dev/zero"))) == 1001


def test_without_a_checker_what_was_made_is_kept_and_said_to_be_unchecked(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("satcal.evidence.replay.is_there", lambda name: False)
    code, out, err = call("certify", "-b", "five.toml", "--reveal", "a,3")
    assert (code, out) == (0, "five-a-3.satcert\n")
    assert "no checker available, so it was not replayed; install satcal[check]" in err
    code, _, err = call("check", "five-a-3.satcert")
    assert code == 4


def test_ctrl_c_keeps_what_is_finished(tmp_path: Path) -> None:
    (tmp_path / "five.toml").write_text(FIVE)
    process = subprocess.Popen(
        [*SATCAL, "certify", "--month", "2025-10", "-o", "month", "-q", "--no-check"],
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
