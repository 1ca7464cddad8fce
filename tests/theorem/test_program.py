"""The extracted program counts as the brute force does, alone and as a method of satcal."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

import pytest
from external import Fake
from hypothesis import given, settings
from hypothesis import strategies as st
from small import Small, domino_rectangle, small_puzzles
from tiny import TINY, truth

from satcal.counting.verified import counts, plain_text
from satcal.errors import Disagreement, Stopped
from satcal.evidence.tables import Tables, results_folder
from satcal.puzzle.loading import library, load
from satcal.puzzle.toml import parse_puzzle


def run(program: str, text: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [program, *words], input=text, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(("rows", "columns", "tilings"), [(8, 8, 12_988_816), (3, 30, 299_303_201)])
def test_dominoes_on_larger_boards_are_counted(
    program: str, rows: int, columns: int, tilings: int
) -> None:
    """The chessboard needs two words, the wide board numbers of any size."""
    assert counts(domino_rectangle(rows, columns).load(), [()]) == {(): tilings}


def test_names_of_categories_may_have_blanks(program: str) -> None:
    text = TINY.text().replace("month =", '"my month" =').replace("day =", '"day 1" =')
    puzzle = parse_puzzle(text, "blanks.toml")
    assert list(puzzle.categories) == ["my month", "day 1"]
    assert counts(puzzle, list(puzzle.reveals())) == truth(TINY)


@pytest.mark.long  # in every run, as every method: tests/counting/test_methods.py
def test_random_puzzles(program: str) -> None:
    @given(small_puzzles())
    @settings(max_examples=2000)
    def agrees(small: Small) -> None:
        puzzle = small.load()
        assert counts(puzzle, list(puzzle.reveals())) == truth(small)

    agrees()


@given(small=small_puzzles(), holes=st.integers(0, 4), pure=st.booleans())
@settings(max_examples=20)
def test_hints_order_and_numbers_change_nothing(
    program: str, small: Small, holes: int, pure: bool
) -> None:
    puzzle = small.load()
    text = plain_text(puzzle, list(puzzle.reveals()))
    plain = run(program, text, "table", "-")
    for order in ("row", "column", "diagonal", "antidiagonal"):
        words = ["--holes", str(holes), "--order", order, *(["--pure"] if pure else [])]
        assert run(program, text, *words, "table", "-").stdout == plain.stdout


@pytest.mark.long
@pytest.mark.parametrize("board", library())
def test_the_tables_of_the_library(program: str, board: str) -> None:
    puzzle = load(board)
    table = Tables(results_folder() / "counts").find(puzzle)
    assert table is not None
    kept = {reveal: table.tilings(reveal) for reveal in puzzle.reveals()}
    assert counts(puzzle, list(puzzle.reveals())) == kept


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("piece A\n#\n", "there is no board"),
        ("board\nX\npiece A\n#\n", "label X is in no category"),
        ("board\n*\ncategory day X\npiece A\n#\n", "label X is not on the board"),
        ("board\n*\npiece A\n...\n", "a piece has no cells"),
        ("board\n*\npiece A copies no\n#\n", "copies no is no number"),
        ("board\n*\npiece A\n#x\n", "neither # nor ."),
        ("circle\n", "a line begins with board, category or piece"),
    ],
)
def test_what_is_no_puzzle_is_refused_with_its_reason(program: str, text: str, reason: str) -> None:
    done = run(program, text, "table", "-")
    assert (done.returncode, reason in done.stderr) == (2, True)
    assert "tilings" not in done.stdout


def test_a_reveal_that_is_none_is_not_counted(program: str) -> None:
    text = "board\nA B *\ncategory x A\ncategory y B\npiece I\n#\n"
    assert run(program, text, "count", "-", "A", "B").stdout.splitlines()[-1] == "A,B,1"
    for labels in (["A"], ["B", "A"], ["A", "A"], ["A", "B", "B"], []):
        done = run(program, text, "count", "-", *labels)
        assert (done.returncode, "a reveal is one label" in done.stderr) == (2, True)


def test_the_input_is_drawn_again(program: str) -> None:
    text = "board\nA *\n. *\ncategory x A\npiece I2 no-flip\n#\n#\n"
    assert run(program, text, "table", "-").stdout.splitlines() == [
        "# board", "#   A*", "#   .*", "# piece 1, not to be turned over", "#   #", "#   #",
        "x,tilings", "A,1",
    ]  # fmt: skip


# --- ``--method verified`` ---


def test_verify_compares_it_with_others(program: str, satcal: Callable) -> None:
    said = satcal("verify", "--methods", "diagram,verified", "--month", "2025-02")
    assert said.code == 0
    assert "diagram counted 28, verified counted 28 of 28; on 28 they agree" in said.err


@pytest.mark.parametrize("named", ["", "/nowhere/satcal-verified"])
def test_without_the_program_the_commands_that_bring_it_are_named(
    named: str, satcal: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SATCAL_VERIFIED", named)
    monkeypatch.setenv("PATH", "/nowhere")
    said = satcal("count", "--method", "verified", "--reveal", "Oct,6")
    assert said.code == 4
    assert "apt-get install coq ocaml-nox libcoq-stdlib" in said.err
    assert "make theorem" in said.err


@pytest.mark.parametrize(
    ("places", "number"),
    [(["L@r0c2", "L@r0c5"], 6), (["L@r0c2", "L@r5c1"], 0)],
)
def test_what_is_placed_already_is_heeded(
    program: str, satcal: Callable, places: list[str], number: int
) -> None:
    words = [word for place in places for word in ("--place", place)]
    said = satcal("count", "--method", "verified", "--reveal", "Oct,6", *words)
    assert (said.code, said.out.splitlines()[1]) == (0, f",Oct,6,{number},verified")


@pytest.mark.parametrize(
    ("script", "error"),
    [
        ("echo 'satcal-verified: not enough memory' >&2; exit 3", Stopped),
        ("echo 0.9,1.5", Disagreement),
        ("echo '# nothing'", Disagreement),
    ],
)
def test_a_program_that_says_nothing_of_a_reveal_has_counted_nothing(
    script: str, error: type, fake: Fake, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SATCAL_VERIFIED", str(fake("stand-in", f"cat > /dev/null; {script}")))
    with pytest.raises(error):
        counts(load("a-puzzle-a-day"), [("Oct", "6")])


def test_a_time_limit_ends_it(
    satcal: Callable, fake: Fake, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SATCAL_VERIFIED", str(fake("stand-in", "exec sleep 60")))
    said = satcal("count", "--method", "verified", "--reveal", "Oct,6", "--time-limit", "0.3")
    assert (said.code, "the rest is UNKNOWN" in said.err) == (3, True)
