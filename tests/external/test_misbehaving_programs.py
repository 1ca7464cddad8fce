"""What cross-check says of programs that are missing, wrong, slow, greedy or damaged."""

from __future__ import annotations

import csv
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from helpers.waiting import gone
from satcal.errors import BudgetExhausted, FormatError
from satcal.external.programs import PROGRAMS
from satcal.external.solvers import Bounds, run
from satcal.parts import command_for

DOMINOES = str(Path(__file__).parents[2] / "encodings" / "puzzles" / "dominoes-4x4.toml")
TWO_L4 = str(Path(DOMINOES).with_name("two-L4.toml"))


@pytest.fixture
def nothing_installed(tmp_path, monkeypatch):
    """A machine without any external program, but those that misbehave."""
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)


def rows(out: str) -> list[dict[str, str]]:
    return list(csv.DictReader(out.splitlines()))


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ("clasp,cadical", "clasp is missing; get it with: apt-get install clasp"),
        ("d4", f"d4 is missing; get it with: {command_for('check-with')}"),
        (
            "all",
            "no external program is installed; start with apt-get install clasp cadical, or "
            f"{command_for('check-with')}",
        ),
    ],
)
def test_a_program_that_is_missing_is_exit_4_with_its_package(
    satcal, nothing_installed, names, message
):
    said = satcal("cross-check", "--with", names)
    assert (said.code, said.out, said.err) == (4, "", f"satcal: error: {message}\n")


def test_of_all_programs_the_missing_ones_are_shown_with_their_packages(
    satcal, fake, nothing_installed
):
    fake("clasp", 'echo "c Models : 2"; exit 30')
    said = satcal("cross-check", "--board", TWO_L4)
    assert said.code == 0
    found = {row["program"]: (row["outcome"], row["said"]) for row in rows(said.out)}
    assert list(found) == list(PROGRAMS)
    assert found["clasp"] == found["clasp-opb"] == ("agrees", "2")
    assert found["picosat"] == ("missing", "apt-get install picosat")
    missing = sum(outcome == "missing" for outcome, _ in found.values())
    assert said.err.endswith(
        f"2 of 2 programs that are installed agree; {missing} are not installed\n"
    )


@pytest.mark.needs("minisat")
def test_a_wrong_count_is_exit_1_and_says_whose(satcal, fake):
    fake("clasp", 'echo "c Models : 3"; exit 10')
    said = satcal("cross-check", "--board", TWO_L4, "--with", "clasp,minisat")
    assert said.code == 1
    assert [row["outcome"] for row in rows(said.out)] == ["disagrees", "agrees"]
    assert "DISAGREES two-L4, clasp: 3 (satcal: 2)\n" in said.err
    assert said.err.endswith("1 of 2 programs that are installed agree; 1 DISAGREES\n")


MISBEHAVIOUR = {
    "cut short": ("cadical", "echo 's SATISFIABLE'; echo 'v 1 -2'; exit 10", "is the file cut"),
    "a wrong exit code": ("cadical", "echo 's UNSATISFIABLE'; exit 10", "ends with exit code 10"),
    "a crash": ("cadical", "echo 'no luck' >&2; exit 1", "cadical ended with exit code 1: no luck"),
    "a signal": ("cadical", "kill -SEGV $$", "cadical ended with signal SIGSEGV"),
    "no result file": ("minisat", "exit 20", "it printed nothing"),
    "a count that may go on": ("clasp", 'echo "c Models : 1+"; exit 10', "did not print a number"),
    "no model": ("picosat", "echo 's SATISFIABLE'; exit 10", "but no model follows"),
}


@pytest.mark.parametrize("what", MISBEHAVIOUR)
def test_an_answer_that_is_none_is_failed_exit_3_and_says_why(satcal, fake, what):
    name, script, words = MISBEHAVIOUR[what]
    fake(name, script)
    said = satcal("cross-check", "--board", TWO_L4, "--with", name)
    assert said.code == 3
    (row,) = rows(said.out)
    assert row["outcome"] == "failed"
    assert words in row["said"]
    assert f"FAILED two-L4, {name}: " in said.err


def test_a_solver_that_gives_up_or_takes_too_long_is_stopped_with_its_children(
    satcal, fake, tmp_path
):
    fake("cadical", "echo 's UNKNOWN'")
    fake("picosat", f"sleep 300 & echo $! > {tmp_path}/child; wait")
    call = ("cross-check", "--board", TWO_L4, "--with", "cadical,picosat", "--time-limit", "0.5")
    said = satcal(*call)
    assert said.code == 3
    assert [(row["outcome"], row["said"]) for row in rows(said.out)] == [
        ("stopped", "it says UNKNOWN"),
        ("stopped", "stopped after 0.5 s"),
    ]
    assert gone(int((tmp_path / "child").read_text()))


@pytest.mark.needs("minisat")
@pytest.mark.parametrize("how", ["INT", "KILL"])
def test_a_program_ends_with_satcal_and_after_ctrl_c_what_was_compared_is_shown(
    fake, tmp_path, how
):
    fake("picosat", f"echo $$ > {tmp_path}/child; kill -{how} $PPID; exec sleep 300")
    command = [sys.executable, "-m", "satcal", "cross-check", "--board", TWO_L4, "--with"]
    done = subprocess.run(
        [*command, "minisat,picosat"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert gone(int((tmp_path / "child").read_text()))
    if how == "KILL":
        assert done.returncode == -signal.SIGKILL
        return
    assert done.returncode == 3
    assert [row["outcome"] for row in rows(done.stdout)] == ["agrees"]
    assert done.stderr.endswith("1 of 1 program agrees\nstopped by Ctrl-C\n")


def test_a_program_reads_no_input_and_its_memory_and_output_are_limited(tmp_path):
    assert run(["sh", "-c", "cat; echo end"], Bounds(), (0,)) == (0, "end\n")
    greedy = [sys.executable, "-c", "x = bytearray(3 * 10**9)"]
    with pytest.raises(FormatError, match="exit code 1: MemoryError"):
        run(greedy, Bounds(memory=10**9), (0,))
    with pytest.raises(FormatError, match="ended with"):
        run(["yes"], Bounds(output=10**6), (0,))
    with pytest.raises(BudgetExhausted, match=r"stopped after 0\.2 s"):
        run(["sleep", "9"], Bounds(seconds=0.2), (0,))


@pytest.mark.needs("clasp", "cadical")
def test_what_cannot_be_asked_is_said_and_comparing_nothing_is_exit_2(satcal):
    card = ("--board", DOMINOES, "--encoding", "card-totalizer")  # clasp does not project
    said = satcal("cross-check", *card, "--with", "clasp,cadical")
    assert said.code == 0
    assert [row["outcome"] for row in rows(said.out)] == ["unsuitable", "agrees"]
    said = satcal("cross-check", "--board", TWO_L4, "--with", "xcover")
    assert said.code == 2
    assert said.err.endswith(
        "satcal: error: nothing was compared: xcover: a piece has copies, which this "
        "program does not support\n"
    )
