"""Puzzle files: what they may say, and the faults; tests/shared/puzzles.tsv has more of them."""

from __future__ import annotations

import datetime
import json
from contextlib import nullcontext
from pathlib import Path

import pytest

from oracle import TWO_EACH, Piece, labels_alone, rectangle
from satcal.errors import PuzzleError, RevealError, TooLarge, UnknownName
from satcal.puzzle.calendar import DAYS, MONTHS, WEEKDAYS
from satcal.puzzle.loading import library, library_text, load, load_pieces, parse_puzzle
from satcal.puzzle.model import Puzzle
from satcal.puzzle.writing import to_toml

GOOD = '''
name = "good"
board = """
a   a   b
*   *   b
.   *   *
"""
[categories]
x = ["a", "b"]
[pieces]
P = """
##
##
.#
"""
A = { shape = "#", copies = 1 }
'''


def test_a_puzzle_file_is_read_as_it_is_drawn(tmp_path):
    windows = tmp_path / "good.toml"
    windows.write_bytes(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())
    puzzle = parse_puzzle(GOOD, "x")
    assert load(windows) == puzzle
    assert puzzle.name == "good"
    assert puzzle.cells == ((0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 1), (2, 2))
    assert puzzle.labels["a"].cells == ((0, 0), (0, 1))
    assert puzzle.uncovered_cells(("b",)) == {(0, 2), (1, 2)}
    assert [(p.name, p.area, p.copies) for p in puzzle.pieces] == [("P", 5, 1), ("A", 1, 1)]


@pytest.mark.parametrize(
    ("line", "key", "flips"),
    [
        ('flip = "none"', "", [False, False]),
        ('flip = "L4"', "", [True, False]),
        ('flip = "none"', ", flip = true", [False, True]),
        ('flip = "all"', ", flip = false", [True, False]),
    ],
)
def test_a_file_says_for_all_or_for_each_piece_whether_it_may_be_flipped(
    tmp_path, line, key, flips
):
    path = tmp_path / "pieces.toml"
    path.write_text(f'{line}\n[pieces]\nL4 = "###\\n#.."\nJ4 = {{ shape = "###\\n..#"{key} }}\n')
    assert [piece.flip for piece in load_pieces(path)] == flips


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("JAN - DEC", tuple(name.upper() for name in MONTHS)),
        ("Sun-Sat", ("Sun", *WEEKDAYS[:6])),
        ("monday-tuesday", ("monday", "tuesday")),
    ],
)
def test_a_range_of_labels_is_what_anyone_means_by_it(text, labels):
    written = labels_alone(x=labels).text.replace(str(list(labels)), f'"{text}"')
    assert parse_puzzle(written, "small").categories == {"x": labels}


@pytest.mark.parametrize("name", library())
def test_what_is_written_of_a_puzzle_is_read_back_unchanged(name):
    puzzle = parse_puzzle(library_text(name), "x").with_flips("none")
    assert parse_puzzle(to_toml(puzzle), "written") == puzzle


def test_a_calendar_that_labels_do_not_make_is_written():
    months = ["Jänner", *MONTHS[1:]]
    text = library_text("a-puzzle-a-day").replace("Jan", "Jänner")
    puzzle = parse_puzzle(f"{text}\n[calendar]\nmonth = {json.dumps(months)}\n", "x")
    written = to_toml(puzzle)
    assert parse_puzzle(written, "written") == puzzle
    assert written.count("Jänner") == 3  # people read it: board, categories, calendar


@pytest.mark.parametrize(("key", "limit"), [("name", 200), ("title", 1000)])
def test_a_long_text_is_refused_with_its_file(tmp_path, key, limit):
    path = tmp_path / "mine.toml"
    path.write_text(GOOD.replace('name = "good"', f'{key} = "{"x" * limit}"'))
    assert load(path)
    path.write_text(GOOD.replace('name = "good"', f'{key} = "{"x" * (limit + 1)}"'))
    with pytest.raises(PuzzleError, match=rf"{path}: {key}: "):
        load(path)


@pytest.mark.parametrize(
    ("rows", "columns", "fits"),
    [(1, 64, True), (1, 65, False), (65, 1, False), (16, 64, True), (25, 41, False)],
)
def test_a_board_has_at_most_64_rows_and_columns_and_1024_cells(rows, columns, fits):
    small = rectangle(rows, columns, Piece("M", ("#",), rows * columns))
    with nullcontext() if fits else pytest.raises(TooLarge):
        small.load()


@pytest.mark.parametrize(
    ("board", "kind", "word"),
    [
        ("rhombsu", UnknownName, "did you mean 'rhombus'"),
        ("zzz", UnknownName, "satcal boards"),
        ("mine", UnknownName, "mine"),
        ("large.toml", TooLarge, "262144"),
    ],
)
def test_what_cannot_be_read_is_refused_and_no_file_stands_for_the_library(
    tmp_path, monkeypatch, board, kind, word
):
    monkeypatch.chdir(tmp_path)
    Path("mine").write_text(TWO_EACH.text)  # a file without a suffix is no board
    Path("rhombus").write_text(TWO_EACH.text)
    assert len(load("rhombus").cells) == 50
    Path("large.toml").write_text("#" * (256 * 1024 + 1))
    with pytest.raises(kind, match=word):
        load(board)


def test_a_file_without_a_name_gives_its_own_and_nothing_of_its_folder(tmp_path):
    for name, expected in (("mine", "mine.toml"), (f"{'x' * 190}\t", f"{'x' * 190}_.toml")):
        path = tmp_path / f"{name}.toml"
        path.write_text(GOOD.replace('name = "good"\n', ""))
        assert load(path).name == expected


def with_years(years: list[str]) -> Puzzle:
    """Return a puzzle with years."""
    return labels_alone(year=years, month=MONTHS, day=DAYS, weekday=WEEKDAYS).load()


def test_a_date_uncovers_its_year_and_its_weekday():
    puzzle = with_years(["2026", "2027", "2028"])
    assert puzzle.reveal(datetime.date(2027, 10, 3)) == ("2027", "Oct", "3", "Sun")
    days = [datetime.date(2026, 1, 1) + datetime.timedelta(n) for n in range(365 + 365 + 366)]
    dates = set(filter(puzzle.calendar.is_date, puzzle.reveals()))
    assert dates == set(map(puzzle.reveal, days))
    assert puzzle.calendar.number_of_dates() == len(days)
    partial = puzzle.reveals_with(("Oct", "3", "Sun"))
    assert partial == [(year, "Oct", "3", "Sun") for year in ("2026", "2027", "2028")]


def test_a_year_that_the_board_lacks_or_that_is_not_one_has_no_dates():
    puzzle = with_years(["2026", "2027"])
    with pytest.raises(RevealError, match="year"):
        puzzle.reveal(datetime.date(2028, 1, 1))
    assert "26" in with_years(["'26", "'27"]).calendar.reason


def test_a_month_and_a_day_mean_every_weekday():
    rhombus = load("rhombus")
    assert rhombus.reveals_with(("Feb", "29")) == [(day, "Feb", "29") for day in WEEKDAYS]
    assert rhombus.reveals_with(("Thu", "Oct", "23")) == [("Thu", "Oct", "23")]
    for texts in (("Oct",), ("Thu", "23"), ("Oct", "23", "24")):
        with pytest.raises(RevealError):
            rhombus.reveals_with(texts)
    with pytest.raises(RevealError):
        TWO_EACH.load().reveals_with(())
