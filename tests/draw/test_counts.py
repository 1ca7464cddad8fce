"""Pictures of counts: what is written on them, and in which colours."""

from __future__ import annotations

import datetime
import xml.etree.ElementTree as ET

import pytest

from oracle import labels_alone
from satcal.draw.counts import MAX_MONTHS, bins, calendar_picture, histogram_picture
from satcal.draw.theme import LIGHT
from satcal.errors import OptionError
from satcal.puzzle.loading import load
from satcal.puzzle.when import Row, rows

SVG = "{http://www.w3.org/2000/svg}"
TODAY = datetime.date(2026, 11, 26)


def texts_of(picture):
    return [str(each.text) for each in ET.fromstring(picture.svg()).iter(f"{SVG}text")]


def test_a_year_has_twelve_months_with_a_count_on_each_day(daily):
    year = rows(daily, "2026", TODAY)
    picture = calendar_picture(daily, [(row, 1000 + n) for n, row in enumerate(year)])
    texts = texts_of(picture)
    assert {f"{1000 + n:,}" for n in range(365)} <= set(texts)
    assert [text for text in texts if text.endswith(" 2026")] == [
        f"{month} 2026" for month in daily.calendar.require()["month"]
    ]
    assert texts.count("Mon") == 12
    shown = ET.fromstring(picture.svg()).iter(f"{SVG}text")
    assert all(0 < float(each.get("x")) < picture.width for each in shown)
    total = sum(range(1000, 1365))
    assert all(word in picture.title for word in ("A-Puzzle-A-Day", "2026", f"{total:,}", "365"))


def test_the_fewest_and_the_most_have_the_ends_of_the_colours_and_what_is_unknown_has_none(daily):
    month = rows(daily, "2026-02", TODAY)
    counts = [(row, None if n == 27 else n * n) for n, row in enumerate(month)]
    root = ET.fromstring(calendar_picture(daily, counts).svg())
    filled = [each.get("fill") for each in root.iter(f"{SVG}rect")][1:29]
    assert (filled[0], filled[26], filled[27]) == (LIGHT.heat[0], LIGHT.heat[-1], LIGHT.board)
    assert "?" in texts_of(calendar_picture(daily, counts))


def test_the_words_are_those_of_the_board_and_days_without_a_year_have_no_weekdays():
    board = labels_alone(month=["Okt", "Nov"], day=["1", "2", "3"]).load()
    dated = calendar_picture(board, [(row, 0) for row in rows(board, "2026", TODAY)])
    assert {"Okt 2026", "Nov 2026", "0"} <= set(texts_of(dated))
    undated = calendar_picture(board, [(Row(reveal), 3) for reveal in board.reveals()])
    assert all(word in undated.title for word in ("small", "Okt", "Nov", "18", "6"))
    assert not {"Mon", "Oct"} & set(texts_of(undated))


def test_what_is_not_a_calendar_is_refused(daily):
    weekdays = load("weekday")
    with pytest.raises(OptionError, match="year"):
        calendar_picture(weekdays, [(Row(reveal), 1) for reveal in weekdays.reveals()])
    years = [
        (Row(("Jan", "1"), datetime.date(2000 + n // 12, 1 + n % 12, 1)), 1)
        for n in range(MAX_MONTHS + 1)
    ]
    assert calendar_picture(daily, years[:-1]).elements
    with pytest.raises(OptionError, match=str(MAX_MONTHS)):
        calendar_picture(daily, years)


@pytest.mark.parametrize(
    ("numbers", "width", "heights"),
    [
        ([0], 1, [1]),
        ([0, 0, 19], 1, [2, *[0] * 18, 1]),
        ([20], 2, [*[0] * 10, 1]),
        ([39, 40], 3, [*[0] * 13, 2]),
        ([10**30], 5 * 10**28 + 1, [*[0] * 19, 1]),
    ],
)
def test_a_histogram_has_at_most_twenty_ranges_of_one_width(numbers, width, heights):
    assert bins(numbers) == (width, heights)


def test_a_histogram_has_a_bar_for_each_range(daily):
    counts = [(Row(("Jan", str(n))), n) for n in range(1, 20)] + [(Row(("Feb", "1")), None)]
    picture = histogram_picture(daily, counts)
    assert "19" in picture.title
    bars = [
        each
        for each in ET.fromstring(picture.svg()).iter(f"{SVG}rect")
        if each.get("fill") == LIGHT.pieces[0]
    ]
    assert len(bars) == 20
    with pytest.raises(OptionError):
        histogram_picture(daily, counts[-1:])
