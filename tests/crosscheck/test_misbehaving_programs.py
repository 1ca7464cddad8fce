"""What cross-check says of programs that are missing, wrong, slow, greedy or damaged."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from external import gone

from satcal.errors import BudgetExhausted, FormatError
from satcal.evidence.external import PROGRAMS
from satcal.evidence.external.process import Limits, run

DOMINOES = str(Path(__file__).parents[2] / "encodings" / "puzzles" / "dominoes-4x4.toml")
TWO_L4 = str(Path(DOMINOES).with_name("two-L4.toml"))


def rows(out: str) -> list[dict[str, str]]:
    return list(csv.DictReader(out.splitlines()))


def test_a_named_program_that_is_missing_is_exit_4_with_the_package(satcal, nothing_installed):
    said = satcal("cross-check", "--with", "clasp,cadical")
    assert (said.code, said.out) == (4, "")
    assert said.err == "satcal: error: clasp is missing; get it with: apt-get install clasp\n"
    said = satcal("cross-check", "--with", "d4")
    assert said.err == (
        'satcal: error: d4 is missing; get it with: pip install "satcal[check-with]"\n'
    )


def test_without_any_program_all_is_exit_4(satcal, nothing_installed):
    said = satcal("cross-check")
    assert said.code == 4
    assert said.err == (
        "satcal: error: no external program is here; begin with apt-get install clasp cadical, "
        'or pip install "satcal[check-with]"\n'
    )


def test_of_all_programs_the_missing_ones_are_shown_with_their_packages(
    satcal, fake, tmp_path, monkeypatch
):
    fake("clasp", 'echo "c Models : 2"; exit 30')
    monkeypatch.setattr("shutil.which", lambda name: str(tmp_path / "bin/clasp"))
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    monkeypatch.setattr(
        "shutil.which", lambda name: str(tmp_path / "bin/clasp") if name == "clasp" else None
    )
    said = satcal("cross-check", "--board", TWO_L4)
    assert said.code == 0
    found = {row["program"]: row for row in rows(said.out)}
    assert list(found) == list(PROGRAMS)
    assert {name for name, row in found.items() if row["outcome"] != "missing"} == {
        "clasp", "clasp-opb"
    }  # fmt: skip
    assert found["picosat"]["said"] == "apt-get install picosat"


def test_an_unknown_program_is_refused_with_the_nearest_one(satcal):
    said = satcal("cross-check", "--with", "cadicla")
    assert said.code == 2
    assert said.err == (
        "satcal: error: no program 'cadicla'; the programs are clasp, clasp-opb, clingo, picosat, "
        "cryptominisat, cadical, minisat, kissat, d4, ganak, approxmc, xcover, exact-cover, "
        "pyxcc, cp-sat; did you mean 'cadical'?\n"
    )
    said = satcal("cross-check", "--with", ",")
    assert said.code == 2
    assert "--with names no program" in said.err


@pytest.mark.needs("minisat")
def test_a_wrong_count_is_exit_1_and_says_whose(satcal, fake):
    fake("clasp", 'echo "c Models : 3"; exit 10')
    said = satcal("cross-check", "--board", TWO_L4, "--with", "clasp,minisat")
    assert said.code == 1
    assert [row["outcome"] for row in rows(said.out)] == ["disagrees", "agrees"]
    assert "DISAGREES two-L4, clasp: 3 (satcal: 2)\n" in said.err
    assert said.err.endswith("2 of 2 answers: 1 agrees, 1 disagrees\n")


MISBEHAVIOUR = {
    "garbage": ("cadical", "head -c 200 /dev/urandom; exit 10", "no status line"),
    "nothing": ("cadical", "exit 10", "it is empty"),
    "cut short": ("cadical", "echo 's SATISFIABLE'; echo 'v 1 -2'; exit 10", "is the file cut"),
    "another formula": ("cadical", "echo 's SATISFIABLE'; echo 'v 1 -2 0'; exit 10", "no value"),
    "a wrong exit code": ("cadical", "echo 's UNSATISFIABLE'; exit 10", "ends with exit code 10"),
    "a crash": ("cadical", "echo 'no luck' >&2; exit 1", "cadical ended with exit code 1: no luck"),
    "a signal": ("cadical", "kill -SEGV $$", "cadical ended with signal SIGSEGV"),
    "no result file": ("minisat", "exit 20", "it is empty"),
    "a count that may go on": ("clasp", 'echo "c Models : 1+"; exit 10', "did not say how many"),
    "no count": ("picosat", "echo 's SATISFIABLE'; exit 10", "did not say how many solutions"),
    "no end of the models": ("cryptominisat5", "echo 's SATISFIABLE'; exit 10", "to an end"),
    "half a status": ("cryptominisat5", "echo 's INDETERMINATE'; exit 10", "to an end"),
}  # fmt: skip


@pytest.mark.parametrize("what", MISBEHAVIOUR)
def test_an_answer_that_is_none_is_failed_exit_3_and_says_why(satcal, fake, what):
    name, script, words = MISBEHAVIOUR[what]
    fake(name, script)
    said = satcal("cross-check", "--board", TWO_L4, "--with", name.rstrip("5"))
    assert said.code == 3
    (row,) = rows(said.out)
    assert row["outcome"] == "failed"
    assert words in row["said"]
    assert f"FAILED two-L4, {name.rstrip('5')}: " in said.err


def test_a_solver_that_gives_up_is_stopped_and_not_wrong(satcal, fake):
    fake("cadical", "echo 's UNKNOWN'")
    said = satcal("cross-check", "--board", TWO_L4, "--with", "cadical")
    assert said.code == 3
    assert [(row["outcome"], row["said"]) for row in rows(said.out)] == [
        ("stopped", "it says UNKNOWN")
    ]


def test_a_program_that_takes_too_long_is_stopped_with_its_children(satcal, fake, tmp_path):
    fake("picosat", f"sleep 300 & echo $! > {tmp_path}/child; wait")
    said = satcal("cross-check", "--board", TWO_L4, "--with", "picosat", "--timeout", "0.5")
    assert said.code == 3
    assert [(row["outcome"], row["said"]) for row in rows(said.out)] == [
        ("stopped", "stopped after 0.5 s")
    ]
    assert gone(int((tmp_path / "child").read_text()))


@pytest.mark.needs("minisat")
def test_ctrl_c_ends_the_program_and_prints_what_was_compared(fake, tmp_path):
    fake("picosat", f"sleep 300 & echo $! > {tmp_path}/child; wait")
    process = subprocess.Popen(
        [sys.executable, "-m", "satcal", "cross-check", "--board", TWO_L4, "--with",
         "minisat,picosat", "--format", "csv"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ.copy(),
    )  # fmt: skip
    for _ in range(600):
        if (tmp_path / "child").exists():
            break
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 3
    assert [row["outcome"] for row in rows(out)] == ["agrees"]
    assert err.endswith("stopped by Ctrl-C\n")
    assert gone(int((tmp_path / "child").read_text()))


def test_a_program_does_not_outlive_a_satcal_that_is_killed(fake, tmp_path):
    fake("picosat", f"echo $$ > {tmp_path}/program; exec sleep 300")
    process = subprocess.Popen(
        [sys.executable, "-m", "satcal", "cross-check", "--board", TWO_L4, "--with", "picosat"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    for _ in range(600):
        if (tmp_path / "program").exists() and (tmp_path / "program").read_text().endswith("\n"):
            break
        time.sleep(0.05)
    process.kill()
    process.wait()
    assert gone(int((tmp_path / "program").read_text()))


def test_a_program_reads_no_input_and_its_memory_and_output_are_limited(tmp_path):
    assert run(["sh", "-c", "cat; echo end"], Limits(), (0,)).said == "end\n"
    greedy = [sys.executable, "-c", "x = bytearray(3 * 10**9)"]
    with pytest.raises(FormatError, match="exit code 1: MemoryError"):
        run(greedy, Limits(memory=10**9), (0,))
    with pytest.raises(FormatError, match="ended with"):
        run(["yes"], Limits(output=10**6), (0,))
    with pytest.raises(BudgetExhausted, match=r"stopped after 0\.2 s"):
        run(["sleep", "9"], Limits(seconds=0.2), (0,))


@pytest.mark.needs("clasp")
def test_what_cannot_be_asked_is_said_and_comparing_nothing_is_exit_2(satcal):
    said = satcal("cross-check", "--board", TWO_L4, "--with", "exact-cover,clasp")
    assert said.code == 0
    assert [row["outcome"] for row in rows(said.out)] == ["unsuitable", "agrees"]
    said = satcal("cross-check", "--board", TWO_L4, "--with", "exact-cover")
    assert said.code == 2
    assert said.err.endswith(
        "satcal: error: nothing was compared: exact-cover: a piece has copies, of which exact "
        "cover without multiplicities knows nothing\n"
    )


@pytest.mark.needs("clasp", "cadical")
def test_a_program_that_cannot_project_is_not_asked_for_models_that_over_count(satcal):
    said = satcal(
        "cross-check", "--board", DOMINOES, "--encoding", "card-totalizer", "--with",
        "clasp,cadical,d4",
    )  # fmt: skip
    assert said.code == 0
    assert [row["outcome"] for row in rows(said.out)] == ["unsuitable", "agrees", "agrees"]


@pytest.mark.needs("minisat")
def test_golden_files_say_themselves_which_dates_and_encodings(satcal):
    for option in (("--date", "2025-10-06"), ("--encoding", "owner")):
        said = satcal("cross-check", "--golden", "encodings", *option)
        assert said.code == 2
        assert f"so {option[0]} means nothing; drop one of them" in said.err
    said = satcal("cross-check", "--golden", "nowhere", "--with", "minisat")
    assert said.code == 2


@pytest.mark.needs("minisat")
@pytest.mark.parametrize("style", ["table", "csv", "json", "ndjson"])
def test_the_formats_say_the_same(satcal, style):
    said = satcal("cross-check", "--board", TWO_L4, "--with", "minisat", "--format", style, "-q")
    assert said.err == ""
    expected = {
        "table": "board   reveal  formula  tilings  program  outcome  said\n"
        "two-L4          ladder   2        minisat  agrees   2\n",
        "csv": "board,reveal,formula,tilings,program,outcome,said\n"
        "two-L4,,ladder,2,minisat,agrees,2\n",
    }
    if style in expected:
        assert said.out == expected[style]
    else:
        (record,) = json.loads(said.out if style == "json" else f"[{said.out}]")
        assert (record["tilings"], record["outcome"]) == (2, "agrees")


def test_a_summary_after_ctrl_c_says_how_many_answers_there_were(satcal, fake, monkeypatch):
    from satcal.evidence import external

    for other in ("minisat", "picosat"):
        fake(other, "exit 1")

    def stopped(*asked):
        yield next(real(*asked))
        raise KeyboardInterrupt

    real = external.cross_check
    monkeypatch.setattr(external, "cross_check", stopped)
    fake("clasp", 'echo "c Models : 2"; exit 10')
    said = satcal("cross-check", "--board", TWO_L4, "--with", "clasp,minisat,picosat")
    assert said.code == 3
    assert said.err.endswith("1 of 3 answers: 1 agrees\nstopped by Ctrl-C\n")
