"""A booklet: its pages and their size, as they are in the PDF."""

from __future__ import annotations

import datetime
import re

import pytest

from satcal.draw.booklet import booklet
from satcal.draw.theme import load_theme

FROM, TO = datetime.date(2025, 12, 25), datetime.date(2026, 1, 5)
DAYS = [FROM + datetime.timedelta(days=day) for day in range((TO - FROM).days + 1)]
RANGE = f"--from {FROM} --to {TO}"
POINTS = {"a5": (419.53, 595.28), "letter": (612.0, 792.0)}


@pytest.mark.parametrize("paper", POINTS)
def test_a_booklet_has_a_page_for_each_week_and_its_solutions_on_paper_of_its_size(
    satcal, tmp_path, paper
):
    path = tmp_path / "year.pdf"
    said = satcal(f"draw booklet {RANGE} --paper {paper} -o {path}")
    assert said.code == 0
    assert "4 pages" in said.err  # of three weeks, and one of twelve solutions
    boxes = re.findall(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", path.read_bytes())
    assert len(boxes) == 4
    for box in boxes:
        assert tuple(map(float, box)) == pytest.approx(POINTS[paper], abs=0.1)
    again = tmp_path / "again.pdf"
    satcal(f"draw booklet {RANGE} --paper {paper} -o {again}")
    assert again.read_bytes() == path.read_bytes()


def test_a_page_is_a_week_from_monday_on_and_the_solutions_are_at_the_back(daily):
    pages = list(booklet(daily, dict.fromkeys(DAYS), load_theme(), "a5"))
    assert [page.title.partition(": ")[2] for page in pages] == [
        "25 Dec to 28 Dec 2025",
        "29 Dec 2025 to 4 Jan 2026",
        "5 Jan 2026",
    ]
    days = [re.findall(r">(\w{3} \d+ \w{3})</text>", page.svg()) for page in pages]
    assert list(map(len, days)) == [4, 7, 1]
    assert days[1][0] == "Mon 29 Dec"


def test_the_boards_of_few_days_are_large(daily):
    """The letters of a label grow with its cell."""
    letters = {}
    for days in (1, 3, 12):
        page = next(booklet(daily, dict.fromkeys(DAYS[-days:]), load_theme(), "a5"))
        (size,) = re.findall(r'font-size="([\d.]+)"[^>]*>Jan<', page.svg())[:1]
        letters[days] = float(size)
    assert letters[1] > 1.5 * letters[3] > 2 * letters[12]


def test_a_booklet_is_a_pdf(satcal, tmp_path):
    said = satcal(f"draw booklet -o {tmp_path}/year.svg")
    assert (said.code, "end the file's name with .pdf" in said.err) == (2, True)
