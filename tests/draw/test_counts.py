"""Pictures of counts: what is written on them, where, and in which colours."""

from __future__ import annotations

import datetime
import xml.etree.ElementTree as ET
from itertools import combinations

import pytest

from oracle import labels_alone
from satcal.draw.counts import MAX_MONTHS, calendar_picture
from satcal.draw.theme import LIGHT, VIRIDIS
from satcal.errors import OptionError
from satcal.puzzle.calendar import WEEKDAYS
from satcal.puzzle.loading import load
from satcal.puzzle.rows import Row, list_rows

SVG = "{http://www.w3.org/2000/svg}"
TODAY = datetime.date(2026, 11, 26)
ANCHORS = {"start": 0.0, "middle": 0.5, "end": 1.0}


def texts_of(picture):
    return [str(each.text) for each in ET.fromstring(picture.svg()).iter(f"{SVG}text")]


def boxes_of(picture, kind):
    """Return left, top, right and bottom of each text or rectangle, from back to front."""
    boxes = []
    for each in ET.fromstring(picture.svg()).iter(f"{SVG}{kind}"):
        x, y, width, height = (float(each.get(key, 0)) for key in ("x", "y", "width", "height"))
        if kind == "text":
            width, height = 0.6 * len(each.text) * float(each.get("font-size")), 0.0
            x -= ANCHORS[each.get("text-anchor")] * width
            y, height = y - 0.72 * float(each.get("font-size")), 0.72 * float(each.get("font-size"))
        boxes.append((x, y, x + width, y + height))
    return boxes


def is_inside(inner, outer):
    return inner == (*map(max, inner[:2], outer[:2]), *map(min, inner[2:], outer[2:]))


def is_apart(one, other):
    return any(one[n + 2] <= other[n] or other[n + 2] <= one[n] for n in (0, 1))


@pytest.mark.parametrize(
    ("words", "caption"),
    [
        ("2026", "A-Puzzle-A-Day, 2026: "),
        ("2026-12-31..2027-01-01", "A-Puzzle-A-Day, Dec 2026 to Jan 2027: "),
        ("2026-01..2026-11", "A-Puzzle-A-Day, Jan 2026 to Nov 2026: "),
        ("all", "A-Puzzle-A-Day: "),
    ],
)
def test_the_title_has_the_span_of_the_days_their_total_and_their_number(daily, words, caption):
    counts = [(row, n) for n, row in enumerate(list_rows(daily, words, TODAY))]
    title, days = calendar_picture(daily, counts).title, len(counts)
    assert title.startswith(caption)
    assert all(word in title for word in (f"{days * (days - 1) // 2:,}", str(days)))


def test_each_day_stands_below_its_weekday_with_its_count_and_nothing_covers_another(daily):
    days = list_rows(daily, "2026-02..2026-06", TODAY)
    picture = calendar_picture(daily, [(row, 1000 + n) for n, row in enumerate(days)])
    ground, *fields = boxes_of(picture, "rect")
    boxes = boxes_of(picture, "text")
    texts = list(zip(texts_of(picture), boxes, strict=True))
    assert [text for text, _ in texts if text.endswith(" 2026")] == [
        f"{month} 2026" for month in ("Feb", "Mar", "Apr", "May", "Jun")
    ]
    for n, (day, field) in enumerate(zip(days, fields, strict=False)):
        written = [text for text, box in texts if is_inside(box, field)]
        assert written == [str(day.date.day), f"{1000 + n:,}"]
        column = (field[0], 0.0, field[2], field[1])
        above = {text for text, box in texts if is_inside(box, column)}
        assert above.intersection(WEEKDAYS) == {WEEKDAYS[day.date.weekday()]}
    legend = [text for field in fields[150:] for text, box in texts if is_inside(box, field)]
    assert legend == ["1,000", "1,037", "1,074", "1,112", "1,149"]  # the quartiles
    assert all(is_inside(box, ground) for box in (*fields, *boxes))
    assert all(is_apart(*pair) for each in (fields, boxes) for pair in combinations(each, 2))
    assert all(is_inside(box, field) or is_apart(box, field) for box in boxes for field in fields)


def test_the_fewest_and_the_most_have_the_ends_of_the_colours_and_what_is_unknown_has_none(daily):
    month = list_rows(daily, "2026-02", TODAY)
    counts = [(row, None if n == 27 else n * n) for n, row in enumerate(month)]
    root = ET.fromstring(calendar_picture(daily, counts).svg())
    filled = [each.get("fill") for each in root.iter(f"{SVG}rect")][1:29]
    assert (filled[0], filled[26], filled[27]) == (VIRIDIS[0], VIRIDIS[-1], LIGHT.board)
    assert "?" in texts_of(calendar_picture(daily, counts))


def test_the_words_are_those_of_the_board_and_days_without_a_year_have_no_weekdays():
    board = labels_alone(month=["Okt", "Nov"], day=["1", "2", "3"]).load()
    dated = calendar_picture(board, [(row, 0) for row in list_rows(board, "2026", TODAY)])
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
