"""The calendar: which labels a date uncovers, in the languages of Unicode."""

from __future__ import annotations

import datetime
from collections.abc import Sequence

import pytest

from oracle import labels_alone
from satcal.errors import PuzzleError, RevealError
from satcal.puzzle.calendar import DAYS, MONTHS, WEEKDAYS, connect, find_orders
from satcal.puzzle.loading import parse_puzzle
from satcal.puzzle.model import Puzzle

DAY = datetime.date(2027, 10, 3)  # a Sunday
GERMAN = ["Jan", "Feb", "Mär", "Apr", "Mai", "Jun", "Jul", "Aug", "Sep", "Okt", "Nov", "Dez"]
SUNDAY_FIRST = ["So", "Mo", "Di", "Mi", "Do", "Fr", "Sa"]


def board_of(months: Sequence[str], weekdays: Sequence[str], calendar: str = "") -> Puzzle:
    """Return the puzzle of a board with these months and weekdays."""
    small = labels_alone(month=months, day=DAYS, weekday=weekdays)
    return parse_puzzle(f"{small.text}[calendar]\n{calendar}\n", "x")


def test_a_board_in_a_language_needs_no_calendar():
    puzzle = board_of(GERMAN, SUNDAY_FIRST)
    assert puzzle.reveal(DAY) == ("Okt", "3", "So")
    assert puzzle.check_reveal(("Sunday", "october", "3")) == ("Okt", "3", "So")


@pytest.mark.parametrize(
    "weekday",
    [SUNDAY_FIRST, ["Sun", *WEEKDAYS[:6]], ["dom", "lun", "mar", "mié", "jue", "vie", "sáb"]],
)
def test_an_order_that_contradicts_a_language_is_refused(weekday):
    with pytest.raises(PuzzleError, match="contradicts"):
        board_of(MONTHS, weekday, f"weekday = {weekday}")
    puzzle = board_of(MONTHS, weekday, f"weekday = {[*weekday[1:], weekday[0]]}")
    assert puzzle.reveal(DAY)[2] == weekday[0]


def test_names_of_no_language_need_the_calendar_and_its_order_is_taken():
    planets = ["moon", "fire", "water", "wood", "gold", "soil", "sun"]
    with pytest.raises(RevealError, match="'moon'"):
        board_of(GERMAN, planets).reveal(DAY)
    puzzle = board_of(GERMAN, planets, f"weekday = {planets}")
    assert puzzle.reveal(DAY) == ("Okt", "3", "sun")


def test_a_name_with_two_meanings_is_decided_by_the_others_of_its_board():
    czech = ["led", "úno", "bře", "dub", "kvě", "čvn", "čvc", "srp", "zář", "říj", "lis", "pro"]
    croatian = ["sij", "velj", "ožu", "tra", "svi", "lip", "srp", "kol", "ruj", "lis", "stu", "pro"]
    assert [find_orders("month", names)[0].index("lis") for names in (czech, croatian)] == [10, 9]
    unclear = connect({"month": ["listopad"], "day": ["1"]}, None)
    assert unclear.parts is None
    assert "listopad" in unclear.reason


@pytest.mark.parametrize(
    ("categories", "word"),
    [
        ({"month": MONTHS}, "day"),
        ({"month": MONTHS, "day": DAYS, "moon": ("new",)}, "moon"),
        ({"month": ("Jan", "January"), "day": DAYS}, "month"),
        ({"month": MONTHS, "day": (*DAYS[:30], "3l")}, "did you mean '31'"),
        ({"month": MONTHS, "day": (*DAYS[:30], "031")}, "'031'"),
    ],
)
def test_a_puzzle_without_dates_says_why(categories, word):
    calendar = connect(categories, None)
    assert calendar.parts is None
    assert word in calendar.reason
