"""The calendar: which labels a date uncovers, in the languages of Unicode."""

from __future__ import annotations

import datetime

import pytest

from satcal.errors import PuzzleError, RevealError
from satcal.puzzle.calendar import (
    DAYS,
    MONTHS,
    WEEKDAYS,
    Calendar,
    connect,
    fold,
    known_orders,
    meanings,
)
from satcal.puzzle.loading import load, parse_puzzle

DAY = datetime.date(2027, 10, 3)  # a Sunday
GERMAN = ["Jan", "Feb", "Mär", "Apr", "Mai", "Jun", "Jul", "Aug", "Sep", "Okt", "Nov", "Dez"]
SUNDAY_FIRST = ["So", "Mo", "Di", "Mi", "Do", "Fr", "Sa"]
BOARD = """
board = \"\"\"
{months}
{days}
{weekdays}
\"\"\"
[categories]
month = {month}
day = "1-31"
weekday = {weekday}
[calendar]
{calendar}
[pieces]
I = "{bar}"
"""


def text_of(months: list[str], weekdays: list[str], calendar: str = "") -> str:
    """Return a puzzle file with these months and weekdays."""
    rows = [" ".join(row + ["."] * (31 - len(row))) for row in (months, list(DAYS), weekdays)]
    return BOARD.format(
        months=rows[0],
        days=rows[1],
        weekdays=rows[2],
        month=months,
        weekday=weekdays,
        calendar=calendar,
        bar="#" * (len(months) + 31 + len(weekdays) - 3),
    )


@pytest.mark.parametrize(
    ("months", "weekdays", "labels"),
    [
        (GERMAN, SUNDAY_FIRST, ("Okt", "3", "So")),
        (list(MONTHS), ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"], ("Oct", "3", "Su")),
        (
            ["Gen", "Feb", "Mar", "Apr", "Mag", "Giu", "Lug", "Ago", "Set", "Ott", "Nov", "Dic"],
            ["lun", "mar", "mer", "gio", "ven", "sab", "dom"],
            ("Ott", "3", "dom"),
        ),
        (
            ["OCA", "ŞUB", "MAR", "NİS", "MAY", "HAZ", "TEM", "AĞU", "EYL", "EKİ", "KAS", "ARA"],
            ["Pzt", "Sal", "Çar", "Per", "Cum", "Cmt", "Paz"],
            ("EKİ", "3", "Paz"),
        ),
        (
            [f"{n}月" for n in range(1, 13)],
            ["星期日", "星期一", "星期二", "星期三", "星期四", "星期五", "星期六"],
            ("10月", "3", "星期日"),
        ),
    ],
)
def test_a_board_in_a_language_needs_no_calendar(
    months: list[str], weekdays: list[str], labels: tuple[str, ...]
) -> None:
    puzzle = parse_puzzle(text_of(months, weekdays), "x")
    assert puzzle.reveal(DAY) == labels
    assert puzzle.check_reveal(("Sunday", "october", "3")) == labels


@pytest.mark.parametrize(
    "weekday",
    [SUNDAY_FIRST, ["Sun", *WEEKDAYS[:6]], ["dom", "lun", "mar", "mié", "jue", "vie", "sáb"]],
)
def test_an_order_that_contradicts_a_language_is_refused(weekday: list[str]) -> None:
    months = list(MONTHS)
    with pytest.raises(PuzzleError, match="weekday"):
        parse_puzzle(text_of(months, weekday, f"weekday = {weekday}"), "x")
    right = [*weekday[1:], weekday[0]]
    puzzle = parse_puzzle(text_of(months, weekday, f"weekday = {right}"), "x")
    assert puzzle.reveal(DAY)[2] == weekday[0]


def test_names_of_no_language_need_the_calendar_and_its_order_is_taken() -> None:
    planets = ["moon", "fire", "water", "wood", "gold", "soil", "sun"]
    without = parse_puzzle(text_of(GERMAN, planets), "x")
    with pytest.raises(RevealError, match="'moon'"):
        without.reveal(DAY)
    puzzle = parse_puzzle(text_of(GERMAN, planets, f"weekday = {planets}"), "x")
    assert puzzle.reveal(DAY) == ("Okt", "3", "sun")


@pytest.mark.parametrize(
    ("part", "word", "expected"),
    [
        ("month", "Oct", [10]),
        ("month", "OCTOBER", [10]),
        ("month", "oct.", [10]),
        ("month", "Oktober", [10]),
        ("month", "października", [10]),
        ("month", "mar", [3]),
        ("month", "listopad", [10, 11]),
        ("month", "Oc", []),
        ("month", "foo", []),
        ("month", "10", []),
        ("weekday", "Tues", [2]),
        ("weekday", "Donnerstag", [4]),
        ("weekday", "mar", [2]),
        ("weekday", "mon", [1]),
        ("weekday", "sunday", [7]),
        ("day", "1", [1]),
        ("day", "01", [1]),
        ("day", "31", [31]),
        ("day", "0", []),
        ("day", "32", []),
        ("day", "001", []),
    ],
)
def test_a_word_has_the_meanings_of_its_languages(
    part: str, word: str, expected: list[int]
) -> None:
    assert meanings(part, word) == expected


def test_a_name_with_two_meanings_is_decided_by_the_others_of_its_board() -> None:
    czech = ["led", "úno", "bře", "dub", "kvě", "čvn", "čvc", "srp", "zář", "říj", "lis", "pro"]
    croatian = ["sij", "velj", "ožu", "tra", "svi", "lip", "srp", "kol", "ruj", "lis", "stu", "pro"]
    assert [known_orders("month", names)[0].index("lis") for names in (czech, croatian)] == [10, 9]
    unclear = connect({"month": ["listopad"], "day": ["1"]}, None)
    assert unclear.parts is None
    assert "listopad" in unclear.reason


@pytest.mark.parametrize(
    ("categories", "declared", "word"),
    [
        ({}, {"month": MONTHS}, "month and day"),
        ({"month": MONTHS, "day": DAYS}, {"moth": MONTHS}, "did you mean 'month'"),
        ({"month": ["a"] * 12, "day": DAYS}, {"month": ["a"] * 11}, "12"),
        ({"month": MONTHS, "day": DAYS}, {"month": (*MONTHS[:11], "Dez")}, "contradicts"),
    ],
)
def test_a_table_that_does_not_fit_is_refused(categories: dict, declared: dict, word: str) -> None:
    with pytest.raises(PuzzleError, match=word):
        connect(categories, declared)


@pytest.mark.parametrize(
    ("categories", "word"),
    [
        ({"month": MONTHS}, "day"),
        ({"month": MONTHS, "day": DAYS, "moon": ("new",)}, "moon"),
        ({"month": ("Jan", "January"), "day": DAYS}, "month"),
    ],
)
def test_a_puzzle_without_dates_says_why(categories: dict, word: str) -> None:
    calendar = connect(categories, None)
    assert calendar.parts is None
    assert word in calendar.reason


@pytest.mark.parametrize(
    ("reveal", "real"), [(("Feb", "29"), True), (("Feb", "30"), False), (("Apr", "31"), False)]
)
def test_a_reveal_is_a_date_if_some_year_has_it(reveal: tuple[str, ...], real: bool) -> None:
    assert load("a-puzzle-a-day").calendar.is_date(reveal) is real


def test_a_date_without_a_cell_names_the_part() -> None:
    calendar = Calendar({"month": ("Jan", *[""] * 11), "day": DAYS})
    assert calendar.has(datetime.date(2027, 1, 31))
    with pytest.raises(RevealError, match="month"):
        calendar.reveal(DAY)


def test_folding_ignores_case_and_the_dots_of_turkish() -> None:
    assert fold("NİS") == fold("nis") == fold("Nis.")
