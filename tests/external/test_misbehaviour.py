"""What cross-check says of programs that are missing, wrong, slow, greedy or damaged."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from command import Answer
from helpers.waiting import gone
from satcal.errors import BudgetExhausted, FormatError
from satcal.external.programs import PROGRAMS
from satcal.external.solvers import Budget
from satcal.external.solvers import run as run_program

Run = Callable[..., Answer]
DOMINOES = str(Path(__file__).parents[2] / "encodings" / "puzzles" / "dominoes-4x4.toml")
TWO_L4 = str(Path(DOMINOES).with_name("two-L4.toml"))


@pytest.fixture
def nothing_installed(tmp_path, monkeypatch):
    """A machine without any external program, but those that misbehave."""
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)


@pytest.mark.parametrize(("names", "word"), [("d4", "pip install"), ("all", "apt-get")])
def test_a_program_that_is_missing_is_exit_4_with_its_package(run, nothing_installed, names, word):
    answer = run(f"cross-check --with {names}")
    assert (answer.code, word in answer.err) == (4, True)
    assert all(row["outcome"] == "missing" for row in answer.rows)


def test_of_all_programs_the_missing_ones_are_shown_with_their_packages(
    run, fake, nothing_installed
):
    fake("clasp", 'echo "c Models : 2"; exit 30')
    answer = run(f"cross-check --board {TWO_L4}")
    assert answer.code == 0
    found = {row["program"]: (row["outcome"], row["answer"]) for row in answer.rows}
    assert list(found) == list(PROGRAMS)
    assert found["clasp"] == found["clasp-opb"] == ("agrees", "2")
    assert found["picosat"] == ("missing", "run apt-get install picosat")


@pytest.mark.needs("minisat")
def test_a_wrong_count_is_exit_1_and_says_whose(run, fake):
    fake("clasp", 'echo "c Models : 3"; exit 10')
    answer = run(f"cross-check --board {TWO_L4} --with clasp,minisat")
    assert answer.code == 1
    assert [row["outcome"] for row in answer.rows] == ["disagrees", "agrees"]
    assert "clasp: 3 (satcal: 2)" in answer.err


MISBEHAVIOUR = {
    "a wrong exit code": ("cadical", "echo 's UNSATISFIABLE'; exit 10", "failed", "code 10"),
    "a crash": ("cadical", "echo 'no luck' >&2; exit 1", "failed", "no luck"),
    "a signal": ("cadical", "kill -SEGV $$", "failed", "SIGSEGV"),
    "no result file": ("minisat", "exit 20", "failed", "nothing"),
    "a count that may go on": ("clasp", 'echo "c Models : 1+"; exit 10', "failed", "number"),
    "no tiling": ("picosat", "echo 's SATISFIABLE'; echo 'v 1 0'; exit 10", "failed", "1 times"),
    "beyond": ("picosat", "echo 's SATISFIABLE'; echo 'v 99999 0'; exit 10", "failed", "99999"),
    "no letters": ("picosat", "head -c 3000 /dev/urandom; exit 10", "failed", ""),
    "giving up": ("cadical", "echo 's UNKNOWN'", "stopped", "UNKNOWN"),
    "a lie": ("cadical", "echo 's UNSATISFIABLE'; exit 20", "disagrees", "none"),
}


@pytest.mark.parametrize("what", MISBEHAVIOUR)
def test_a_bad_answer_is_not_believed(run, fake, what):
    name, script, outcome, word = MISBEHAVIOUR[what]
    fake(name, script)
    answer = run(f"cross-check --board {TWO_L4} --with {name}")
    assert answer.code == (1 if outcome == "disagrees" else 3)
    (row,) = answer.rows
    assert row["outcome"] == outcome
    assert word in row["answer"]


@pytest.mark.needs("cadical")
def test_a_solver_of_ones_own_is_asked_by_its_command(run):
    line = f"cross-check --board {TWO_L4} --with cadical --with"
    answer = run(line, "cadical --plain -q {}")
    assert answer.code == 0
    assert [row["program"] for row in answer.rows] == ["cadical", "cadical --plain -q {}"]
    assert {row["outcome"] for row in answer.rows} == {"agrees"}


COUNTERS = {
    "s SATISFIABLE|c s type mc|c s exact arb int 2": (0, "agrees", "2"),
    "c s exact arb int 3": (1, "disagrees", "3"),
    "s UNSATISFIABLE|c s exact arb int 0": (1, "disagrees", "0"),
    "s UNSATISFIABLE|c s exact arb int 2": (3, "failed", "contradict"),
    "c s exact arb int 2|c s exact arb int 3": (3, "failed", "contradict"),
}


@pytest.mark.parametrize("text", COUNTERS)
def test_a_model_counter_is_asked_for_its_number(run, fake, text):
    path = fake("counter", f"echo '{text}' | tr '|' '\\n'")
    code, outcome, word = COUNTERS[text]
    answer = run(f"cross-check --board {TWO_L4} --with", f"{path} {{}}")
    (row,) = answer.rows
    assert (answer.code, row["outcome"], word in row["answer"]) == (code, outcome, True)


@pytest.mark.parametrize(
    ("command", "code", "word"),
    [
        ("nosuchsolver -q {}", 4, "nosuchsolver"),
        ("cadical -f{}", 2, "{}"),
        ("cadical 'x {}", 2, "quot"),
        ("cadical -q", 2, "{}"),
    ],
)
def test_a_command_that_cannot_be_run_is_refused_with_the_way_out(run, command, code, word):
    answer = run(f"cross-check --board {TWO_L4} --with", command)
    assert (answer.code, word in answer.err, answer.out) == (code, True, "")


def test_a_program_that_takes_too_long_ends_with_its_children(fake, tmp_path):
    note, seconds = tmp_path / "child", 0.2
    path = fake("slow", f"sleep 300 & echo $! > {note}; wait")
    while not note.exists() or not note.read_text():
        seconds *= 2  # a loaded machine takes longer to begin it
        with pytest.raises(BudgetExhausted):
            run_program([str(path)], Budget(seconds=seconds), (0,))
    assert gone(int(note.read_text()))


def test_a_program_reads_no_input_and_its_memory_and_output_are_limited():
    assert run_program(["sh", "-c", "cat; echo end"], Budget(), (0,)) == (0, "end\n")
    with pytest.raises(FormatError, match="ended with"):
        run_program(
            ["sh", "-c", "x=$(yes | head -c 300000000); echo ${#x}"], Budget(memory=10**8), (0,)
        )
    with pytest.raises(FormatError, match="ended with"):
        run_program(["yes"], Budget(output=10**6), (0,))


@pytest.mark.needs("clasp", "cadical")
def test_an_unsuitable_program_is_named_and_without_a_suitable_one_the_exit_is_2(run):
    card = f"--board {DOMINOES} --encoding card-totalizer"  # clasp does not project
    answer = run(f"cross-check {card} --with clasp,cadical")
    assert answer.code == 0
    assert [row["outcome"] for row in answer.rows] == ["unsuitable", "agrees"]
    answer = run(f"cross-check --board {TWO_L4} --with xcover")
    assert (answer.code, "xcover" in answer.err) == (2, True)
