"""Dates in words beyond those of tests/shared/dates.json: ranges, refusals, rows of a board."""

from __future__ import annotations

import datetime

import pytest

from oracle import labels_alone
from satcal.errors import RevealError
from satcal.puzzle.calendar import DAYS, MONTHS, WEEKDAYS
from satcal.puzzle.loading import load
from satcal.puzzle.rows import Row, list_rows
from satcal.puzzle.when import parse_dates

TODAY = datetime.date(2025, 12, 25)


def test_a_text_has_at_most_1000_characters():
    assert len(parse_dates("2025 " * 200, TODAY)) == 200
    with pytest.raises(RevealError):
        parse_dates("2025 " * 200 + " ", TODAY)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("3 EKİM 2027", "2027-10-03", "2027-10-03"),
        ("Oct_6..Oct-08", "2025-10-06", "2025-10-08"),
        ("Feb", "2025-02-01", "2025-02-28"),
        ("Februar 2024", "2024-02-01", "2024-02-29"),
        ("2024-02", "2024-02-01", "2024-02-29"),
        ("1900-02", "1900-02-01", "1900-02-28"),
        ("12/2025", "2025-12-01", "2025-12-31"),
        ("1583", "1583-01-01", "1583-12-31"),
        ("9999", "9999-01-01", "9999-12-31"),
        ("2512", "2512-01-01", "2512-12-31"),
        ("Oct 20 .. Nov 3 2026", "2026-10-20", "2026-11-03"),
        ("2026-10-20..Nov 3", "2026-10-20", "2026-11-03"),
        ("Oct 6 to Oct 6", "2025-10-06", "2025-10-06"),
        ("2026-12-31..2027-01-01", "2026-12-31", "2027-01-01"),
    ],
)
def test_words_name_the_days_from_the_first_to_the_last(text, first, last):
    (span,) = parse_dates(text, TODAY)
    assert (span.first.isoformat(), span.last.isoformat()) == (first, last)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("3/4", ("4 Mar", "3 Apr")),
        ("6 listopada 2025", ("6 Oct 2025", "6 Nov 2025")),
        ("1225", ("1583", "25 Dec")),
        ("2025-13", ("no such day",)),
        ("Feb 29..Mar 3 2026", ("Feb 2026", "28")),
        ("Mon 23 Oct 2025", ("Thu",)),
        ("Thu Oct 23", ("board with weekdays", "year")),
        ("Dec 20..Jan 5", ("years",)),
        ("2030-2024", ("ends before",)),
        ("Dec 25 26", ("26",)),
        ("Oct 6..", ("..",)),
        ("9\uff11 Oct", ("9\uff11",)),
    ],
)
def test_what_is_not_one_date_is_refused_with_what_it_may_mean(text, words):
    with pytest.raises(RevealError) as refused:
        parse_dates(text, TODAY)
    assert all(word in str(refused.value) for word in words)


@pytest.mark.parametrize(
    ("today", "leap"),
    [("2023-03-01", 2024), ("2024-01-01", 2024), ("2024-12-31", 2024), ("2097-01-01", 2104)],
)
def test_29_february_is_that_of_this_year_or_the_next_leap_year(today, leap):
    (span,) = parse_dates("Feb 29", datetime.date.fromisoformat(today))
    assert span.first.year == leap


@pytest.mark.parametrize(
    ("board", "text", "number"),
    [
        ("a-puzzle-a-day", "all", 366),
        ("rhombus", "All", 2562),
        ("a-puzzle-a-day", "Oct 6 Oct 6 2025", 1),
        ("rhombus", "Thu Sep 6", 1),
        ("rhombus", "Donnerstag, 6 September", 1),
    ],
)
def test_a_board_has_a_row_for_each_date(board, text, number):
    assert len(list_rows(load(board), text, TODAY)) == number


def test_rows_are_in_the_order_of_the_calendar():
    found = list_rows(load("rhombus"), "Oct 7 2025 Oct 5..6 Oct 2025", TODAY)
    assert found == [
        Row(("Sun", "Oct", "5"), datetime.date(2025, 10, 5)),
        Row(("Mon", "Oct", "6"), datetime.date(2025, 10, 6)),
        Row(("Tue", "Oct", "7"), datetime.date(2025, 10, 7)),
    ]
    assert [str(found[0]), str(Row(("Oct", "6")))] == ["2025-10-05", "Oct 6"]


def test_a_range_skips_dates_that_the_board_lacks_and_a_date_alone_is_refused():
    puzzle = labels_alone(month=MONTHS[:2], day=DAYS[:29], weekday=WEEKDAYS[:6]).load()
    shown = [row.date for row in list_rows(puzzle, "2025", TODAY)]
    days = [datetime.date(2025, 1, 1) + datetime.timedelta(n) for n in range(59)]
    assert shown == [day for day in days if day.day < 30 and day.weekday() < 6]
    with pytest.raises(RevealError, match="day"):
        list_rows(puzzle, "2025-01-30", TODAY)
    with pytest.raises(RevealError, match="no date"):
        list_rows(puzzle, "2025-03", TODAY)


def test_a_board_without_dates_says_why():
    with pytest.raises(RevealError, match="month and day"):
        list_rows(load("pentomino-3x20"), "today", TODAY)
