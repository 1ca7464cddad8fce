"""Lint: all mistakes of a puzzle file at once, each with its key, row or cell, and what is odd."""

from __future__ import annotations

import itertools
import random
import re
from pathlib import Path

import pytest

from helpers.puzzles import Small, write
from satcal.errors import PuzzleError, SatcalError
from satcal.puzzle.calendar import MONTHS
from satcal.puzzle.faults import REFERENCE, SECTIONS, Finding
from satcal.puzzle.lint import lint
from satcal.puzzle.loading import library, library_text, load, template
from satcal.puzzle.toml import parse_puzzle

ROOT = Path(__file__).parents[2]
BROKEN = '''nmae = "many mistakes"
title = 3
flip = 1
calendar = "none"
board = """
a b e *

* * b
"""
[categories]
letter = [
  "a", # the first
  "b", "c,",
  "d", "e", "a", "*",
]
tilings = ["x"]
none = []
"" = []
[pieces]
I = "##"
V = { flipp = true, shape = """
##
#x
""", copies = 0 }
[pieces.X]
shape = "#.#"
flip = "no"
[pieces.longname]
shape = "#"
'''
TOLD = [
    "unknown key 'nmae'; did you mean 'name'?",
    "title: write it as one line of at most 1000 printable",
    "flip is not a string",
    "calendar must be a table; write [calendar] once, with its entries below",
    "cell r0c1: label 'b' stands on cells that do not touch (r0c1, r1c2)",
    "board: rows must have equal lengths: row 1 has 3 entries, row 0 has 4",
    "[categories] letter: label 'c,' needs 1 to 32 characters",
    "[categories] letter: '*' marks cells without a label; choose another label",
    "[categories] letter: label 'a' is already in category letter",
    "[categories] letter: label 'd' has no cell on the board",
    "[categories] tilings: label 'x' has no cell on the board",
    "[categories] tilings: this name is reserved for a column",
    "[categories] none: it has no labels; list some, or remove it",
    "[categories] '': name it with 1 to 32 printable characters",
    "[categories] : it has no labels; list some, or remove it",
    "piece V: unknown key 'flipp'; use shape, copies and flip",
    "piece V: row 1 of its drawing has 'x'",
    "piece V: copies must be a whole number from 1 to 1024",
    "piece X: its squares are not joined edge to edge",
    "piece X: flip must be true or false",
    "piece 'longname': a name is a letter and at most three digits",
]


def told(path: Path, text: str, kind: str = "wrong") -> list[Finding]:
    path.write_text(text, encoding="utf-8")
    return [finding for finding in lint(str(path)) if finding.kind == kind]


def test_all_mistakes_are_named_at_once_each_by_its_key_row_or_cell(tmp_path: Path) -> None:
    path = tmp_path / "broken.toml"
    texts = [finding.text for finding in told(path, BROKEN)]
    assert len(texts) == len(TOLD)
    assert [start for start in TOLD if not any(text.startswith(start) for text in texts)] == []
    with pytest.raises(
        PuzzleError, match=rf"\({len(TOLD) - 1} more: `satcal lint {path}` lists all\)$"
    ):
        load(path)


def test_every_section_that_a_finding_names_is_in_the_reference() -> None:
    heads = re.findall(
        r"^#+ (.*)$", (ROOT / f"docs/reference/{REFERENCE}.md").read_text(), re.MULTILINE
    )
    assert {*SECTIONS, "the-toml-form"} <= {head.lower().replace(" ", "-") for head in heads}


@pytest.mark.parametrize("name", library())
def test_nothing_is_wrong_or_odd_in_the_library(name: str) -> None:
    assert lint(name) == []
    assert load(name).title and load(name).source


LAST = 'I = { shape = """\n##\n""", copies = 2 }\n'


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('winter"]', 'winter"', "Unclosed array (at line 40, column 1)"),
        (
            'board = """',
            'board = "',
            'a string is not closed at the end of the line; for several lines, use """ (at line',
        ),
        ('   .\n"""', "   .", "Expected '=' after a key"),
        (LAST, 'I = """\n##\n', "Unterminated string (at end of document)"),
        ("\n[pieces]", "\n[pieces", "Expected ']' at the end of a table declaration (at line"),
        ("\n[categories]", "\ncategories]", "Expected '=' after a key"),
        ("copies = 2 }\n", "copies = }\n", "Invalid value (at line"),
        ("*      *      *      .", "*\0", "Illegal character '\\x00' (at line"),
        (LAST, f"{LAST}{LAST}", "Cannot overwrite a value (at line"),
    ],
)
def test_where_the_syntax_is_wrong_the_parser_names_the_line_and_nothing_else_is_wrong(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    assert template().count(old) == 1
    (finding,) = told(tmp_path / "x.toml", template().replace(old, new))
    assert finding.text.startswith(f"not valid TOML: {message}")


def test_a_finding_names_the_file_of_the_board_or_of_the_pieces(tmp_path: Path) -> None:
    board, pieces = tmp_path / "board.toml", tmp_path / "pieces.toml"
    board.write_text('board = "Mrz 1 * *"\n[categories]\nmonth = ["Mrz"]\nday = ["1"]\n')
    pieces.write_text('\n\n[pieces]\nI = "#x"\nJ = "##y"\n')
    with pytest.raises(
        PuzzleError, match=rf"\(1 more: `satcal lint {board} --pieces {pieces}` lists all\)$"
    ):
        load(board, pieces)
    told = [(each.file, each.kind, each.text[:7]) for each in lint(str(board), str(pieces))]
    assert sorted(told) == [
        (str(board), "odd", "the puz"),
        (str(pieces), "wrong", "piece I"),
        (str(pieces), "wrong", "piece J"),
    ]


def test_other_marks_of_a_drawing_are_squares(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_text('board = "* * * *\\n* * * *"\npieces = { V = "XX\\nX.", L = "#####" }\n')
    assert {finding.text for finding in lint(str(path))} == {
        f"piece V: row {row} of its drawing has 'X'; draw with '#' and '.'" for row in (0, 1)
    } | {"piece L fits nowhere on the board, so there is no tiling"}


PLAIN = (("*",) * 4,) * 2
LABELLED = (("a", "a", "b", "*"), ("*",) * 4)
LETTERS = {"letter": ("a", "b")}
DAYS = ("29", "30", "31")


@pytest.mark.parametrize(
    ("board", "categories", "pieces", "kind", "text"),
    [
        (
            LABELLED,
            LETTERS,
            {"I": ("####",), "J": ("##",)},
            "wrong",
            "adds up for only 1 of 2 reveals; give all labels of a category the same number",
        ),
        (
            LABELLED,
            LETTERS,
            {"I": ("####",)},
            "wrong",
            "the areas never add up; draw pieces with 6 or 7 squares in total",
        ),
        (
            PLAIN,
            {},
            {"I": ("####",), "J": ("#",) * 4},
            "odd",
            "piece J has the same shape as I, so both count as copies of I",
        ),
        (
            (("Feb", "Apr", *DAYS),),
            {"month": ("Feb", "Apr"), "day": DAYS},
            {"I": ("###",)},
            "odd",
            "no date uses the label '31'",
        ),
        (
            (("Feb", "Mrz", "30", "*"),),
            {"month": ("Feb", "Mrz"), "day": ("30",)},
            {"I": ("##",)},
            "odd",
            "the puzzle has no dates: its month 'Mrz' is not one of Jan to Dec",
        ),
    ],
)
def test_an_area_that_does_not_add_up_is_explained_and_what_is_odd_is_told(
    tmp_path: Path, board: tuple, categories: dict, pieces: dict, kind: str, text: str
) -> None:
    drawn = tuple((name, tuple(rows), 1, True) for name, rows in pieces.items())
    path = write(Small(board, categories, drawn), tmp_path / "x.toml")
    assert [text in finding.text for finding in lint(str(path)) if finding.kind == kind] == [True]


def test_categories_with_the_labels_of_a_calendar_in_other_words_are_told_what_to_be_called(
    tmp_path: Path,
) -> None:
    months = tuple(f"{month}." for month in MONTHS)
    days = tuple(map(str, range(1, 32)))
    week = ("Mo", "Di", "Mi", "Do", "Fr", "Sa", "So")

    def odd(**categories: tuple[str, ...]) -> list[str]:
        board = (tuple(itertools.chain(*categories.values(), "*")),)
        path = write(Small(board, categories, (("I", ("#",), 1, True),)), tmp_path / "x.toml")
        return [each.text for each in lint(str(path)) if each.kind == "odd"]

    lacks = "the puzzle has no dates: it lacks the categories month and day"
    month, day = "; if Monat has the months, call it month", "; if Tag has the days, call it day"
    assert odd(Monat=months, Tag=days) == [f"{lacks}{month}{day}"]
    assert odd(Monat=months, Tag=days, Woche=week) == [
        f"{lacks}{month}{day}; if Woche has the weekdays, call it weekday"
    ]
    other = "the puzzle has no dates: dates do not determine its category Woche"
    assert odd(month=months, day=days, Woche=week) == [
        f"{other}; if Woche has the weekdays, call it weekday"
    ]
    assert odd(number=days[:30]) == odd(Woche=week) == []


def test_files_in_the_plain_form_are_named_too(tmp_path: Path) -> None:
    grid, shapes = tmp_path / "puzzle.txt", tmp_path / "shapes.txt"
    grid.write_text("\nJan Fbe -\n1 2\n", encoding="utf-8")
    shapes.write_text("11\n\n\n12\n01\n", encoding="utf-8")
    places = {(Path(each.file).name, each.text[:12]) for each in lint(str(tmp_path))}
    assert places == {
        ("puzzle.txt", "cell r0c1: l"),
        ("puzzle.txt", "board: rows "),
        ("shapes.txt", "piece B: row"),
    }
    grid.write_text("Feb * *\n")
    shapes.write_text("11\n")
    (finding,) = lint(str(grid))
    assert (finding.file, finding.kind) == (str(grid), "odd")


BITS = ['"""', "'''", '"', *"[]{}=#\n,.\\", "[pieces]", "I = ", *[""] * 20]


def test_lint_finds_mistakes_where_loading_does(tmp_path: Path) -> None:
    rng, path = random.Random(1), tmp_path / "x.toml"
    for _ in range(150):
        text = rng.choice([BROKEN, template(), *map(library_text, library())])
        for _ in range(rng.randint(1, 4)):
            at = rng.randrange(len(text))
            text = text[:at] + rng.choice(BITS) + text[at + rng.choice((0, 1, 3, 20)) :]
        findings = told(path, text)
        try:
            parse_puzzle(text, "x")
        except SatcalError as error:
            first = re.sub(r"(?<=not valid TOML: ).*", "", str(error).removeprefix("x: "))
            assert any(finding.text.startswith(first) for finding in findings), text
        else:
            assert all("area does not add up" in finding.text for finding in findings), text
