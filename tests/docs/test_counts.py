"""The documentation's pages of counts, and the counts of today's date on its home page."""

import datetime
import re

import pytest

from docs.pages import DOCS
from satcal.draw.theme import contrast, heat_colour, ink_on
from satcal.puzzle.loading import load

pytest.importorskip("jinja2")
from tools.count_pages import SHADES, VERDICTS, Book, by_number, by_verdict, evidence, plain


def book(name: str) -> Book:
    return Book(name, load(name), [])


def test_a_map_has_each_date_of_the_year_with_its_number_and_rank():
    year = book("rhombus").year
    assert len(year) == 365
    assert (year[7, 14].tilings, year[7, 14].shade) == (1035, 7)
    assert "Tue 14 July 2026" in year[7, 14].text and "54th" in year[7, 14].text
    assert {day.shade for day in year.values()} == {*range(SHADES)}
    assert book("pentomino-3x20").year == {}


@pytest.mark.parametrize("board", ["a-puzzle-a-day", "rhombus"])  # without and with weekdays
def test_the_home_page_has_the_count_of_each_date(board):
    counted = book(board)
    rows = counted.by_date()
    for year, month, day in ((2025, 10, 23), (2032, 2, 29), (2027, 1, 1)):
        date = datetime.date(year, month, day)
        number = (date.replace(year=2024) - datetime.date(2024, 1, 1)).days
        true = counted.counts[counted.puzzle.calendar.labels(date)]
        assert rows[date.weekday() % len(rows)][number] == true


@pytest.mark.parametrize(("name", "proved"), [("pentomino-8x8", False), ("rhombus", True)])
def test_a_page_says_whether_its_numbers_are_theorems(name, proved):
    assert book(name).proved == proved
    assert {"diagram", "verified"} <= {*book("rhombus").methods}  # that counted every row


def test_all_reveals_that_share_an_extreme_are_named():
    assert len(book("rhombus").extreme(most=False)) == 6
    assert book("a-puzzle-a-day").extreme(most=True) == [("Jan", "25")]


def test_lists_are_sorted_by_number_and_with_refuted_statements_first():
    assert sorted(["x-10", "x-9", "a"], key=by_number) == ["a", "x-9", "x-10"]
    mixed = [{"verdict": name} for name in reversed(VERDICTS)]
    assert [each["verdict"] for each in by_verdict(mixed)] == [*VERDICTS]


def test_a_file_that_the_sentence_links_is_not_linked_twice_and_text_is_not_markup():
    verdict = {"id": "6b", "truth": "", "reason": "", "certificate": ""}
    links = evidence(verdict | {"see": "claims/6b.svg counts/a-puzzle-a-day.csv"})
    assert links == "[table](../../results/counts/a-puzzle-a-day.csv)"
    assert plain("a|b [c]") == r"a\|b \[c\]"


def test_the_shades_of_the_style_sheet_are_the_heat_of_the_theme_and_can_be_read():
    css = (DOCS / "_static" / "satcal.css").read_text(encoding="utf-8")
    shades = re.findall(r"\.shade-\d \{ background: (#\w+); color: (#\w+); \}", css)
    assert len(shades) == SHADES
    for number, (background, ink) in enumerate(shades):
        assert background == heat_colour(number / (SHADES - 1))
        full = "#" + "".join(2 * digit for digit in ink[1:])
        assert full == ink_on(background) and contrast(background, full) >= 4.5
