"""What the site adds to the pages: counts of today's date, help of options in words."""

from __future__ import annotations

import datetime
import doctest
import sys

import pytest

from docs.pages import DOCS
from satcal.puzzle.loading import load
from tools.count_pages import Book


@pytest.mark.parametrize("board", ["a-puzzle-a-day", "rhombus"])  # without and with weekdays
def test_the_home_page_has_the_count_of_each_date(board):
    book = Book(board, load(board), ())
    rows = book.by_date()
    for date in (
        datetime.date(2025, 10, 23),
        datetime.date(2032, 2, 29),
        datetime.date(2027, 1, 1),
    ):
        number = (date.replace(year=2024) - datetime.date(2024, 1, 1)).days
        true = book.counts[book.puzzle.calendar.labels(date)]
        assert rows[date.weekday() % len(rows)][number] == true


def test_the_range_of_an_option_is_in_words(monkeypatch):
    monkeypatch.syspath_prepend(str(DOCS / "_extensions"))
    import options_directive

    assert doctest.testmod(options_directive).failed == 0
    sys.modules.pop("options_directive")
