"""Loading: what a puzzle file may say, and what every mistake in it is answered with."""

# ruff: noqa: E501 -- a message in one line is easier to compare and to search for

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from puzzle_files import GOOD, refused
from small import Small, write

from satcal.errors import (
    PuzzleError,
    TooLarge,
)
from satcal.puzzle.loading import load
from satcal.puzzle.toml import parse_puzzle


def test_a_puzzle_file_is_read_as_it_is_drawn(tmp_path: Path) -> None:
    path = tmp_path / "good.toml"
    path.write_text(GOOD, encoding="utf-8")
    puzzle = load(str(path))
    assert puzzle.name == "good"
    assert puzzle.cells == ((0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 1), (2, 2))
    assert puzzle.labels["a"].cells == ((0, 0), (0, 1))
    assert puzzle.labels["b"].cells == ((0, 2), (1, 2))
    assert [(p.name, p.area, p.copies) for p in puzzle.pieces] == [("P", 5, 1), ("A", 1, 1)]
    assert puzzle.uncovered(("b",)) == {(0, 2), (1, 2)}


def test_a_compressed_puzzle_file_is_read_too(tmp_path: Path) -> None:
    path = tmp_path / "good.toml.gz"
    path.write_bytes(gzip.compress(GOOD.encode()))
    assert load(str(path)).name == "good"


def test_windows_line_ends_and_a_byte_order_mark_change_nothing(tmp_path: Path) -> None:
    path = tmp_path / "good.toml"
    path.write_bytes(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())
    assert load(str(path)).digest == parse_puzzle(GOOD, "good").digest


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("name =", "nmae =", "unknown key 'nmae'; did you mean 'name'?"),
        (
            "name =",
            "zzzzzz =",
            "unknown key 'zzzzzz'; the keys are name, title, source, board, categories, pieces, "
            "calendar, flip",
        ),
        ('name = "good"', "name = 3", 'name: write it as one line of at most 200 characters that people can see, such as '
         'name = "rhombus"'),
        ('name = "good"', 'name = ""', 'name: write it as one line of at most 200 characters that people can see, such as '
         'name = "rhombus"'),
        ('name = "good"', 'name = "a\\nb"', 'name: write it as one line of at most 200 characters that people can see, such as '
         'name = "rhombus"'),
        ('name = "good"', "title = 3", 'title: write it as one line of at most 1000 characters that people can see, such as '
         'title = "rhombus"'),
        ("board =", "source =", 'board is missing; write board = """..."""'),
        (
            "*   *   b",
            "*   *",
            "board: row 1 has 2 entries, row 0 has 3; write '.' where there is no cell",
        ),
        (
            "*   *   b",
            "*   *   c",
            "cell r1c2: label 'c' is in no category; add it to [categories] or write '*'",
        ),
        (
            ".   *   *",
            "b   *   a",
            "cell r0c0: label 'a' stands on cells that do not touch (r0c0, r0c1, r2c2); a label is "
            "one region: rename one of them",
        ),
        ('["a", "b"]', '["a", "b", "c"]', "[categories] x: label 'c' has no cell on the board"),
        ('x = ["a", "b"]', "x = []", "[categories] x: no label; list its labels or drop it"),
        (
            'x = ["a", "b"]',
            'x = ["a"]\ny = ["a", "b"]',
            "[categories] y: label 'a' is already in x; a label belongs to one category, once",
        ),
        (
            '["a", "b"]',
            '["a", "b", "a"]',
            "[categories] x: label 'a' is already in x; a label belongs to one category, once",
        ),
        (
            '["a", "b"]',
            '"ab"',
            '[categories] x: write a list of labels such as ["Jan", "Feb"]',
        ),
        ('["a", "b"]', "[1, 2]", '[categories] x: write a list of labels such as ["Jan", "Feb"]'),
        (
            '["a", "b"]',
            '["a b"]',
            "[categories] x: label 'a b' needs 1 to 32 printable characters without blanks or "
            "commas",
        ),
        (
            '["a", "b"]',
            '["*"]',
            "[categories] x: '*' marks cells without a label; choose another label",
        ),
        (
            "*   *   b",
            "*   *   b,",
            "board: r1c2: label 'b,' needs 1 to 32 printable characters without blanks or commas",
        ),
        ("##\n##\n.#", "##\n##\n.X", "piece P: row 2 of its drawing has 'X'; draw with '#' and '.'"),
        ("##\n##\n.#", "..\n..", "piece P: it has no square; draw it with '#'"),
        (
            "##\n##\n.#",
            "##\n##\n..\n#.",
            "piece P: its squares do not hang together by edges; mend the drawing",
        ),
        ("P =", "PP =", "piece 'PP': a name is a letter and at most three digits, such as N or L4"),
        ("P =", "1 =", "piece '1': a name is a letter and at most three digits, such as N or L4"),
        ("copies = 1", "copies = 0", "piece A: copies is not a whole number from 1 to 1024"),
        ("copies = 1", "copies = 1025", "piece A: copies is not a whole number from 1 to 1024"),
        ("copies = 1", "copies = true", "piece A: copies is not a whole number from 1 to 1024"),
        ("copies = 1", "copies = 1.0", "piece A: copies is not a whole number from 1 to 1024"),
        ("copies = 1", f"copies = 0x{'F' * 5000}", "not valid TOML: a number of thousands of digits"),
        ("copies = 1", "copy = 1", "piece A: unknown key 'copy'; use shape, copies and flip"),
        ("copies = 1", 'flip = "no"', "piece A: flip is true or false"),
        ('{ shape = "#", copies = 1 }', "3", 'piece A: write a drawing, or { shape = "...", copies = 2 }'),
        ('{ shape = "#", copies = 1 }', "{ copies = 1 }", 'piece A: write a drawing, or { shape = "...", copies = 2 }'),
        ('name = "good"', 'flip = "Q"', "flip: there is no piece 'Q'; use all, none or piece names"),
        ('name = "good"', "flip = 1", 'flip is not a text; write flip = """..."""'),
        ("[categories]", "[categories]\nmonth = 1\n#", '[categories] month: write a list of labels such as ["Jan", "Feb"]'),
        ('name = "good"', 'calendar = "x"', "[calendar] is not a table of lists of labels"),
        (
            "[categories]",
            "[calendar]\nmonth = ['a']\n[categories]",
            "[calendar]: only a puzzle with the categories month and day (and weekday) has dates, "
            "not one with x; rename them or drop the table",
        ),
    ],
)  # fmt: skip
def test_a_mistake_in_a_puzzle_file_is_named_with_the_way_out(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    assert old in GOOD
    path = tmp_path / "bad.toml"
    path.write_text(GOOD.replace(old, new, 1), encoding="utf-8")
    error = refused(path)
    assert isinstance(error, PuzzleError)
    assert str(error) == f"{path}: {message}"


def test_an_empty_calendar_table_says_nothing() -> None:
    assert parse_puzzle(GOOD.replace("[pieces]", "[calendar]\n[pieces]"), "good").name == "good"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", 'board is missing; write board = """..."""'),
        ('board = ""', "board: it has no cell; draw rows of labels, '*' and '.'"),
        ('board = ". ."', "board: it has no cell; draw rows of labels, '*' and '.'"),
        ('board = "*"', "[pieces] is missing or empty; draw each piece with '#' and '.'"),
        ('board = "*"\n[pieces]', "[pieces] is missing or empty; draw each piece with '#' and '.'"),
        ('board = "*"\npieces = 3', "[pieces] is missing or empty; draw each piece with '#' and '.'"),
        (
            'board = "a *"\ncategories = { "" = ["a"] }',
            "[categories] '': name it with 1 to 32 printable characters",
        ),
        ('board = "*"\ncategories = 3', "[categories] is not a table of lists of labels"),
        ("board = [" + "[" * 20_000, "not valid TOML: nested too deeply"),
    ],
)  # fmt: skip
def test_a_file_that_lacks_the_main_things_is_refused(
    tmp_path: Path, text: str, message: str
) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(text, encoding="utf-8")
    assert str(refused(path)) == f"{path}: {message}"


@pytest.mark.parametrize(
    "text", ["board = ", "board = \"\"\"\n", "[pieces", f"board = 1{'0' * 5000}", "\0", "a = 1\na = 2"]
)  # fmt: skip
def test_a_file_that_is_no_toml_is_refused_with_the_parsers_reason(
    tmp_path: Path, text: str
) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(text, encoding="utf-8")
    assert str(refused(path)).startswith(f"{path}: not valid TOML: ")


@pytest.mark.parametrize(
    ("rows", "columns", "message"),
    [
        (65, 1, "board: more than 64 rows or columns"),
        (1, 65, "board: more than 64 rows or columns"),
        (33, 32, "board: 1056 cells, more than 1024"),
    ],
)
def test_a_board_that_is_too_large_is_refused(
    tmp_path: Path, rows: int, columns: int, message: str
) -> None:
    small = Small((("*",) * columns,) * rows, {}, (("A", ("#",), 1, True),))
    error = refused(write(small, tmp_path / "large.toml"))
    assert isinstance(error, TooLarge)
    assert str(error) == f"{tmp_path / 'large.toml'}: {message}"


def test_an_area_that_does_not_add_up_is_refused_with_a_reveal_that_shows_it(
    tmp_path: Path,
) -> None:
    board = (("a", "a", "b", "*"),)
    uneven = Small(board, {"x": ("a", "b")}, (("I3", ("###",), 1, True),))
    assert str(refused(write(uneven, tmp_path / "a.toml"))) == (
        "small: the area does not add up: 2 cells remain to be covered with the reveal a, but the "
        "pieces have 3 squares together"
    )
    without = Small(board[:1], {"x": ("a", "b")}, (("I2", ("##",), 1, True),))
    assert str(refused(write(without, tmp_path / "b.toml"))) == (
        "small: the area does not add up: 3 cells remain to be covered with the reveal b, but the "
        "pieces have 2 squares together"
    )
    none = Small((("*",) * 4,), {}, (("I3", ("###",), 1, True),))
    assert str(refused(write(none, tmp_path / "c.toml"))) == (
        "small: the area does not add up: 4 cells remain to be covered, but the pieces have 3 "
        "squares together"
    )
