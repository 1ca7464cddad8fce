"""Dates and reveals: which labels a date leaves uncovered, in any year and language."""

from __future__ import annotations

import datetime
import re

import pytest

from helpers.puzzles import Small
from satcal.errors import PuzzleError, RevealError
from satcal.puzzle.calendar import DAYS, MONTHS, WEEKDAYS, connect
from satcal.puzzle.dates import parse_span
from satcal.puzzle.loading import load, parse_puzzle
from satcal.puzzle.model import Puzzle
from satcal.puzzle.ranges import Range, Row, describe, number_of_rows, select

TODAY = datetime.date(2025, 12, 25)
GERMAN = {
    "month": ("Jan", "Feb", "Mär", "Apr", "Mai", "Jun", "Jul", "Aug", "Sep", "Okt", "Nov", "Dez"),
    "weekday": ("Mo", "Di", "Mi", "Do", "Fr", "Sa", "So"),
    "day": DAYS,
}
FULL = {"month": MONTHS, "day": DAYS}


def rows(puzzle: Puzzle, **wanted: object) -> list[Row]:
    """Return the rows of a range, which are at most as many as were announced."""
    found = select(puzzle, Range(**wanted), TODAY)  # type: ignore[arg-type]
    assert number_of_rows(puzzle, Range(**wanted), TODAY) >= len(found)  # type: ignore[arg-type]
    return found


@pytest.mark.parametrize(
    ("board", "dates", "reveals"),
    [("a-puzzle-a-day", 366, 372), ("rhombus", 2562, 2604)],
)
def test_all_dates_are_those_that_some_year_has(board: str, dates: int, reveals: int) -> None:
    puzzle = load(board)
    assert len(rows(puzzle, all_dates=True)) == dates
    assert len(rows(puzzle, all_reveals=True)) == reveals
    assert not any(row.date for row in rows(puzzle, all_dates=True))


@pytest.mark.parametrize(
    ("wanted", "words", "first", "count"),
    [
        ({}, "2025-12-25", "2025-12-25", 1),
        ({"date": "today"}, "2025-12-25", "2025-12-25", 1),
        ({"date": "tomorrow"}, "2025-12-26", "2025-12-26", 1),
        ({"date": "Dec 25"}, "2025-12-25", "2025-12-25", 1),
        ({"date": "25 december"}, "2025-12-25", "2025-12-25", 1),
        ({"date": "March 1st, 2024"}, "2024-03-01", "2024-03-01", 1),
        ({"date": "2024-02"}, "2024-02-01 to 2024-02-29", "2024-02-01", 29),
        ({"month": "1900-02"}, "1900-02", "1900-02-01", 28),
        ({"month": "9999-12"}, "9999-12", "9999-12-01", 31),
        ({"month": "FEBRUARY"}, "2025-02", "2025-02-01", 28),
        ({"month": "Sept 2024"}, "2024-09", "2024-09-01", 30),
        ({"year": 1583}, "1583", "1583-01-01", 365),
        ({"year": 2024}, "2024", "2024-01-01", 366),
        ({"year": 9999}, "9999", "9999-01-01", 365),
        ({"start": "2025-12-24"}, "2025-12-24 to 2025-12-31", "2025-12-24", 8),
        ({"end": "2025-01-03"}, "2025-01-01 to 2025-01-03", "2025-01-01", 3),
        ({"start": "Feb", "end": "2025-03"}, "2025-02-01 to 2025-03-31", "2025-02-01", 59),
    ],
)
def test_a_range_has_a_row_for_each_of_its_days_with_weekday_month_and_day(
    wanted: dict, words: str, first: str, count: int
) -> None:
    start = datetime.date.fromisoformat(first).toordinal()
    dates = [datetime.date.fromordinal(start + day) for day in range(count)]
    expected = [Row((f"{date:%a}", f"{date:%b}", str(date.day)), date) for date in dates]
    assert rows(load("rhombus"), **wanted) == expected
    assert str(expected[0]) == first
    assert describe(Range(**wanted), TODAY) == words


def test_what_is_asked_for_adds_up_in_order_and_twice_is_once() -> None:
    wanted: dict[str, object] = {
        "date": ("2025-03-02", "2025-03-01", "Mar 2"),
        "start": ("2025-01-30", None, "2024-12-31"),
        "end": ("2025-02-01", "2026-01-02", None),
        "reveal": ("Oct,6", "6 october"),
    }
    found = rows(load("a-puzzle-a-day"), **wanted)
    assert [str(row) for row in found] == [
        "2024-12-31",
        "2025-01-30",
        "2025-01-31",
        "2025-02-01",
        "2025-03-01",
        "2025-03-02",
        "2026-01-01",
        "2026-01-02",
        "Oct 6",
    ]
    assert describe(Range(**wanted), TODAY) == (  # type: ignore[arg-type]
        "2025-03-02; 2025-03-01; 2025-03-02; 2025-01-30 to 2025-02-01; 2026-01-01 to 2026-01-02; "
        "2024-12-31 to 2024-12-31; Oct,6; 6 october"
    )


@pytest.mark.parametrize(
    ("text", "near"),
    [
        ("1225", "Dec 25"),
        ("0314", "Mar 14"),
        ("1301", "Jan 13"),
        ("0229", "Feb 29"),
        ("1582", ""),
        ("0000", ""),
        ("1225-12-25", ""),
        ("Dec 1225", ""),
    ],
)
def test_four_digits_that_are_no_year_are_refused(daily: Puzzle, text: str, near: str) -> None:
    message = "use a year from 1583 to 9999" + (f"; did you mean {near}[?]" if near else "$")
    for wanted in ({"date": text}, {"start": text}, {"end": text}, {"month": text}):
        with pytest.raises(RevealError, match=message):
            rows(daily, **wanted)
    if text.isdigit():
        with pytest.raises(RevealError, match=f"--year {int(text)}: {message}"):
            rows(daily, year=int(text))


@pytest.mark.parametrize(
    ("text", "first", "days"),
    [
        ("12-25", "2025-12-25", 1),
        ("12/25", "2025-12-25", 1),
        ("25/12", "2025-12-25", 1),
        ("3-14", "2025-03-14", 1),
        ("3/3", "2025-03-03", 1),
        ("12/25/2024", "2024-12-25", 1),
        ("25 Dec", "2025-12-25", 1),
        ("14 March 1985", "1985-03-14", 1),
        ("25.12.", "2025-12-25", 1),
        ("25.12", "2025-12-25", 1),
        ("1.2.2025", "2025-02-01", 1),
        ("25. 12. 2024", "2024-12-25", 1),
        ("2025/12/25", "2025-12-25", 1),
        ("2025-2-1", "2025-02-01", 1),
        ("2025-12", "2025-12-01", 31),
        ("2025.2", "2025-02-01", 28),
        ("12/2025", "2025-12-01", 31),
        ("march", "2025-03-01", 31),
        ("2512", "2512-01-01", 366),
        ("Feb 29", "2028-02-29", 1),
        ("2/29", "2028-02-29", 1),
        ("29.2.2024", "2024-02-29", 1),
    ],
)
def test_a_date_is_read_as_people_write_it(text: str, first: str, days: int) -> None:
    begun = datetime.date.fromisoformat(first)
    assert parse_span(text, "--date", TODAY)[:2] == (begun, begun + datetime.timedelta(days - 1))


@pytest.mark.parametrize(
    ("text", "both"),
    [("3/4", "Mar 4 or Apr 3"), ("12-1", "Dec 1 or Jan 12"), ("3/4/2025", "Mar 4 2025 or Apr 3")],
)
def test_what_has_two_readings_is_refused_with_both(daily: Puzzle, text: str, both: str) -> None:
    with pytest.raises(RevealError, match=f"--date '{text}' could be {both}.*; write the month as"):
        rows(daily, date=text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("13/45", "no month with that number"),
        ("29 Feb 2026", "there is no Feb 29 in 2026; the next one is in 2028"),
        ("2/30", "there is no Feb 30 in 2025; that month has 28 days"),
        ("30.2.", "there is no Feb 30 in 2025; that month has 28 days"),
        ("29 feb 2025", "there is no Feb 29 in 2025; the next one is in 2028"),
        ("2025-13-01", "no month with that number"),
        ("1-0", "there is no Jan 0 in 2025; that month has 31 days"),
    ],
)
def test_a_day_that_no_year_has_is_refused(daily: Puzzle, text: str, message: str) -> None:
    with pytest.raises(RevealError, match=message):
        rows(daily, date=text)


def test_feb_29_without_a_year_is_that_reveal_or_the_next_leap_years(daily: Puzzle) -> None:
    assert rows(daily, date="Feb 29") == [Row(("Feb", "29"))]
    leap_day = datetime.date(2028, 2, 29)
    assert rows(load("rhombus"), date="Feb 29") == [Row(("Tue", "Feb", "29"), leap_day)]
    words = "2028-02-29, 29 February of the next leap year"
    assert describe(Range(date="Feb 29"), TODAY) == words
    in_leap_year = select(daily, Range(date="Feb 29"), datetime.date(2024, 1, 1))
    assert in_leap_year == [Row(("Feb", "29"), datetime.date(2024, 2, 29))]


@pytest.mark.parametrize("date", ["25", "Dec 25 26", "Dec 2025 2024", "Oct 6 at 5", "1/2/3", ""])
def test_what_is_no_date_is_refused(daily: Puzzle, date: str) -> None:
    with pytest.raises(RevealError, match="is not a date; write it as 2025-12-25, Dec 25, today"):
        rows(daily, date=date)


def test_labels_of_a_reveal_are_english_in_full_or_the_boards_own() -> None:
    assert load("rhombus").check_reveal(("thursday", "OCTOBER", "23")) == ("Thu", "Oct", "23")
    loud = {"month": tuple(name.upper() for name in MONTHS), "day": DAYS}
    assert connect(loud, None).reveal(TODAY) == ("DEC", "25")
    full = connect({"month": ("January", "Feb"), "day": DAYS, "weekday": ("monday",)}, None)
    assert full.reveal(datetime.date(2024, 1, 1)) == ("January", "1", "monday")


def test_a_reveal_is_a_row_without_a_date(daily: Puzzle) -> None:
    for text in ("Oct,6", "6 Oct", " oct , 6 "):
        assert rows(daily, reveal=text) == [Row(("Oct", "6"))]
    assert rows(daily, reveal=("Oct,6", "7 october")) == [Row(("Oct", "6")), Row(("Oct", "7"))]
    assert str(Row(("Oct", "6"))) == describe(Range(reveal="Oct 6"), TODAY) == "Oct 6"
    puzzle = load("pentomino-3x20")
    assert rows(puzzle) == rows(puzzle, all_reveals=True) == rows(puzzle, reveal="") == [Row(())]
    assert describe(Range(all_reveals=True), TODAY) == "all reveals"
    assert describe(Range(all_dates=True), TODAY) == "all dates"
    assert describe(Range(reveal=("Oct,6", "7 october")), TODAY) == "Oct,6; 7 october"


def partial(months: tuple[str, ...], days: tuple[str, ...], weekdays: tuple[str, ...]) -> Puzzle:
    categories = {"month": months, "day": days, "weekday": weekdays}
    board = ((*months, *days, *weekdays),)
    area = sum(map(len, categories.values())) - 3
    return Small(board, categories, (("I9", ("#" * area,), 1, True),)).load()


def test_a_range_skips_dates_that_the_board_lacks_and_a_date_alone_is_refused() -> None:
    puzzle = partial(MONTHS[:2], DAYS[:29], WEEKDAYS[:6])
    shown = [row.date for row in rows(puzzle, year=2025) if row.date]
    days = [datetime.date(2025, 1, 1) + datetime.timedelta(n) for n in range(59)]
    assert shown == [day for day in days if day.day < 30 and day.weekday() < 6]
    with pytest.raises(
        RevealError, match="the board has no cell for the day 30; choose another date"
    ):
        rows(puzzle, date="2025-01-30")
    with pytest.raises(RevealError, match="small has no date in this range; choose another"):
        rows(puzzle, month="2025-03")
    never = partial(("Feb",), ("30", "31"), WEEKDAYS)
    assert len(rows(never, all_reveals=True)) == 14
    with pytest.raises(RevealError, match="no reveal of small is a date that exists"):
        rows(never, all_dates=True)


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("1-31", DAYS),
        ("Jan-Dec", MONTHS),
        ("JAN - DEC", tuple(name.upper() for name in MONTHS)),
        ("January-March", ("January", "February", "March")),
        ("Sun-Sat", ("Sun", *WEEKDAYS[:6])),
        ("monday-tuesday", ("monday", "tuesday")),
    ],
)
def test_a_range_of_labels_is_what_anyone_means_by_it(text: str, labels: tuple[str, ...]) -> None:
    board = " ".join((*labels, "*"))
    pieces = f'I = "{"#" * len(labels)}"'
    file = f'board = "{board}"\n[categories]\nx = "{text}"\n[pieces]\n{pieces}\n'
    assert parse_puzzle(file, "small").categories == {"x": labels}
    with pytest.raises(PuzzleError, match=r'write a list of labels such as .*, or "1-31"'):
        parse_puzzle(file.replace(text, "a-b"), "small")


def test_labels_connect_in_english_or_by_the_order_of_the_table() -> None:
    english = {"day": tuple(reversed(DAYS)), "month": tuple(reversed(MONTHS))}
    assert connect(english, None).reveal(TODAY) == ("25", "Dec")
    shuffled = {name: tuple(sorted(labels)) for name, labels in GERMAN.items()}
    calendar = connect(shuffled, GERMAN)
    assert calendar.reveal(datetime.date(2025, 5, 6)) == ("Mai", "Di", "6")
    assert calendar.is_date(("Feb", "So", "29"))
    assert not calendar.is_date(("Feb", "So", "30"))
    half = connect({"month": GERMAN["month"], "day": DAYS}, {"month": GERMAN["month"]})
    assert half.reveal(TODAY) == ("Dez", "25")


@pytest.mark.parametrize(
    ("categories", "declared", "message"),
    [
        ({}, {"month": MONTHS}, "[calendar]: only a puzzle with the categories month and day "),
        (FULL, {"moth": MONTHS}, "[calendar]: 'moth' is not a category; did you mean 'month'?"),
        (FULL, {"month": MONTHS[:11]}, "11 labels, but it needs 12 in calendar order, Jan first"),
        (
            FULL,
            {"month": (*MONTHS[:11], "Dez")},
            "month: 'Dec' is in only one of this list and the",
        ),
        (FULL, {"month": (*MONTHS[:11], "Nov")}, "month: 'Nov' is listed twice; list each label"),
        ({**FULL, "moon": ("new",)}, None, "no dates: dates do not determine its category moon;"),
        (
            {"month": GERMAN["month"], "day": DAYS},
            None,
            "no dates: its month 'Mär' is not one of Jan to Dec, and the file "
            "has no [calendar] table",
        ),
        (
            {"month": ("Jan", "January"), "day": DAYS},
            None,
            "no dates: its month labels 'Jan' and 'January' mean the same, and the file has",
        ),
    ],
)
def test_categories_and_a_table_that_do_not_connect_are_refused_or_have_no_dates(
    categories: dict, declared: dict | None, message: str
) -> None:
    with pytest.raises(PuzzleError if declared else RevealError, match=re.escape(message)):
        connect(categories, declared).reveal(TODAY)
