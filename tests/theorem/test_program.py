"""The extracted program counts as the brute force does, and refuses what it cannot count."""

from __future__ import annotations

import csv
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small import Small, domino_rectangle, small_puzzles
from tiny import ONE_FACE, OTHER_FACE, TINY, truth

from satcal.counting.verified import counts, plain_text
from satcal.puzzle.loading import library, load


def agrees(small: Small) -> None:
    puzzle = small.load()
    assert counts(puzzle, list(puzzle.reveals())) == truth(small)


def run(program: str, text: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [program, *words], input=text, capture_output=True, text=True, check=False
    )


L4_TWICE = "board\n* * * *\n* * * *\npiece L4 copies 2\n###\n#..\n"


def test_two_l_tetrominoes_fill_two_rows_of_four_in_two_ways(program: str) -> None:
    assert run(program, L4_TWICE, "table", "-").stdout.splitlines()[-1] == "2"


def test_equal_pieces_under_two_names_are_counted_as_copies(program: str) -> None:
    text = L4_TWICE.replace("copies 2", "") + "piece J4\n#..\n###\n"
    assert run(program, text, "count", "-").stdout.splitlines()[-1] == "2"


def test_a_piece_that_may_not_be_turned_over_is_another_piece(program: str) -> None:
    text = L4_TWICE.replace("copies 2", "no-flip") + "piece J4 no-flip\n#..\n###\n"
    assert run(program, text, "count", "-").stdout.splitlines()[-1] == "0"


@pytest.mark.parametrize("columns", range(1, 9))
def test_dominoes_on_two_rows_are_fibonacci_numbers(program: str, columns: int) -> None:
    puzzle = domino_rectangle(2, columns).load()
    assert counts(puzzle, [()]) == {(): [1, 2, 3, 5, 8, 13, 21, 34][columns - 1]}


def test_a_chessboard_of_dominoes_needs_two_words(program: str) -> None:
    assert counts(domino_rectangle(8, 8).load(), [()]) == {(): 12_988_816}


def test_wider_boards_need_numbers_of_any_size(program: str) -> None:
    assert counts(domino_rectangle(3, 30).load(), [()]) == {(): 299_303_201}


@pytest.mark.parametrize("small", [TINY, ONE_FACE, OTHER_FACE])
def test_tiny_calendars(program: str, small: Small) -> None:
    agrees(small)


@given(small=small_puzzles())
@settings(max_examples=60)
def test_random_puzzles(program: str, small: Small) -> None:
    agrees(small)


@pytest.mark.long
@given(small=small_puzzles())
@settings(max_examples=2000)
def test_two_thousand_random_puzzles(program: str, small: Small) -> None:
    agrees(small)


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


def test_the_table_of_a_puzzle_a_day(program: str) -> None:
    puzzle = load("a-puzzle-a-day")
    assert counts(puzzle, list(puzzle.reveals())) == library_counts("a-puzzle-a-day")


@pytest.mark.long
@pytest.mark.parametrize("board", library())
def test_every_table_of_the_library(program: str, board: str) -> None:
    puzzle = load(board)
    assert counts(puzzle, list(puzzle.reveals())) == library_counts(board)


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


def library_counts(board: str) -> dict[tuple[str, ...], int]:
    """Return the counts that are kept of a board."""
    with (Path(__file__).parents[2] / "results" / "counts" / f"{board}.csv").open() as file:
        return {tuple(labels): int(tilings) for *labels, tilings, _ in list(csv.reader(file))[1:]}
