"""The extracted program counts as the brute force does, alone and as a method of satcal."""

import subprocess
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from command import InProcess
from helpers.certificates import five_made
from oracle import TINY, dominoes, small_puzzles
from satcal.certificates.checking import OWN, check
from satcal.counting import verified
from satcal.counting.method import Meter
from satcal.counting.verified import NAME, Verified, plain_text
from satcal.errors import BudgetExhausted, Disagreement, Stopped
from satcal.published.shipped import shipped_counts
from satcal.puzzle.loading import library, load


def ask(program: str, text: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [program, *words], input=text, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    ("rows", "columns", "tilings"), [(8, 8, 12_988_816), (2, 60, 2_504_730_781_961)]
)
def test_dominoes_on_larger_boards_are_counted(program, rows, columns, tilings):
    """The chessboard needs two words, the wide board numbers of any size."""
    assert Verified().counts(dominoes(rows, columns).load(), [()], (), Meter()) == {(): tilings}


@pytest.mark.parametrize("place", ["built here", "on the PATH"])
def test_it_is_found_without_being_named(place, fake, tmp_path, monkeypatch):
    monkeypatch.delenv("SATCAL_VERIFIED", raising=False)
    built = fake(NAME, "exit 0")
    monkeypatch.setattr(verified, "BUILT", built if place == "built here" else tmp_path / "none")
    if place == "built here":
        monkeypatch.setenv("PATH", "/nowhere")
    assert Path(verified.program()) == built


def test_it_gives_a_second_opinion_on_a_certificate(program):
    assert list(check(five_made("a1", "a3"), ["verified"]).checkers) == [OWN, "verified"]


@given(
    small=small_puzzles(),
    holes=st.integers(0, 4),
    order=st.sampled_from(["row", "column", "diagonal", "antidiagonal"]),
    pure=st.booleans(),
)
@settings(max_examples=30)
def test_hints_order_and_numbers_change_nothing(program, small, holes, order, pure):
    puzzle = small.load()
    text = plain_text(puzzle, list(puzzle.reveals()))
    plain = ask(program, text, "table", "-")
    words = ["--holes", str(holes), "--order", order, *(["--pure"] if pure else [])]
    assert ask(program, text, *words, "table", "-").stdout == plain.stdout


@pytest.mark.long
@pytest.mark.parametrize("board", library())
def test_the_tables_of_the_library(program, board):
    puzzle = load(board)
    assert Verified().counts(puzzle, list(puzzle.reveals()), (), Meter()) == shipped_counts(puzzle)


BOARD = "board\nA *\n. *\ncategory A\npiece no-flip\n#\n#\n"


@pytest.mark.parametrize(
    "text",
    [
        "board\nX\npiece\n#\n",
        "board\n*\ncategory X\npiece\n#\n",
        "board\nX *\ncategory X X\npiece\n#\n",
        "board\n*\npiece\n...\n",
        "board\n*\npiece\n#x\n",
        "board\n*\npiece L\n#\n",
        "board\n*  *\npiece\n##\n",
        "board\nX\u2028 *\ncategory X\u2028\npiece\n##\n",
        'board\n" *\ncategory "\npiece\n##\n',
        "board\nX, *\ncategory X,\npiece\n##\n",
        "board\n*\npiece\n#",
        "board\n*\nboard\n*\npiece\n#\n",
    ],
)
def test_what_is_not_as_it_would_be_written_is_refused(program, text):
    done = ask(program, text, "table", "-")
    assert (done.returncode, done.stdout, bool(done.stderr)) == (2, "", True)


def test_a_reveal_that_is_none_is_not_counted(program):
    text = "board\nA B *\ncategory A\ncategory B\npiece\n#\n"
    assert ask(program, text, "count", "-", "A", "B").stdout.splitlines()[-1] == "A,B,1"
    for labels in (["A"], ["B", "A"], ["A", "A"], ["A", "B", "B"], []):
        done = ask(program, text, "count", "-", *labels)
        assert (done.returncode, done.stdout) == (2, "")


@pytest.mark.parametrize("label", ["*)", "(*", "A*)Axiom"])
def test_a_theorem_holds_numbers_and_no_words_of_the_puzzle(program, label):
    done = ask(program, BOARD.replace("A", label), "theorem", "-")
    assert done.returncode == 0
    assert done.stdout == ask(program, BOARD, "theorem", "-").stdout
    assert "[[(0, 0)]]" in done.stdout


# --- ``--method verified`` ---


@pytest.mark.parametrize("named", ["", "/nowhere/satcal-verified"])
def test_without_the_program_the_commands_that_bring_it_are_named(named, run, monkeypatch):
    monkeypatch.setenv("SATCAL_VERIFIED", named)
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(verified, "BUILT", Path("/nowhere"))  # which a child may not inherit
    monkeypatch.setattr("satcal.processes.Worker", InProcess)
    answer = run("count", "--method", "verified", "--reveal", "Oct,6")
    assert answer.code == 4
    assert "make theorem" in answer.err


@pytest.mark.parametrize(
    ("script", "error"),
    [
        ("cat > /dev/null; echo 'satcal-verified: not enough memory' >&2; exit 3", Stopped),
        ("sed 's/^/# /'; echo 0.9,1.6,4", Disagreement),
        ("sed 's/^/# /; s/###/##./'; echo 0.9,1.5,7", Disagreement),
    ],
)
def test_a_program_that_says_nothing_of_what_it_was_given_has_counted_nothing(
    script, error, fake, monkeypatch
):
    monkeypatch.setenv("SATCAL_VERIFIED", str(fake("stand-in", script)))
    with pytest.raises(error):
        Verified().counts(load("a-puzzle-a-day"), [("Oct", "6")], (), Meter())


def test_a_time_limit_ends_it(fake, monkeypatch):
    monkeypatch.setenv("SATCAL_VERIFIED", str(fake("stand-in", "exec sleep 60")))
    with pytest.raises(BudgetExhausted):
        Verified().counts(TINY.load(), [("Jan", "1")], (), Meter(until=time.monotonic()))
