"""Colour in the terminal: with it, without it, narrow and wide."""

from __future__ import annotations

import datetime

import pytest
from rich.cells import cell_len

from satcal.api import load_drawing
from satcal.draw.board import draw_board, draw_tiling
from satcal.draw.terminal import beside, boards_per_line, coloured, heat_map
from satcal.draw.theme import contrast, ink_on, load_theme
from satcal.puzzle.ranges import Row
from satcal.tables import CountedRow

REVEAL = ("Dec", "25")


def painted(text):
    """Yield each painted run of a text: what it says, its ink, its background."""
    for span in text.spans:
        yield text.plain[span.start : span.end], span.style.color.name, span.style.bgcolor.name


def test_every_piece_has_its_own_background_and_its_letter_is_read_on_it(daily, tiling):
    board = coloured(daily, REVEAL, tiling)
    assert board.plain == draw_tiling(daily, REVEAL, tiling)
    letters = {}
    for text, ink, background in painted(board):
        assert ink == ink_on(background)
        letters.setdefault(background, set()).update(text.split())
    colours = load_theme().piece_colours(daily)
    assert letters == {colour: {name} for name, colour in colours.items()}


def test_wide_letters_keep_their_borders():
    labels = {"month": ["一月", "二月"], "day": ["1", "2", "3", "4"]}
    lines = draw_board(load_drawing("一月 二月 1\n2 3 4", {"I": "####"}, labels)).split("\n")
    assert {cell_len(line) for line in lines} == {22}
    assert "│ 一月 │ 二月 │  1   │" in lines


def test_a_hole_is_shaded_and_a_bay_is_not():
    ring = load_drawing("A * *\n* . *\n* * *\n. . *", {"I": "########"}, {"letter": ["A"]})
    lines = draw_board(ring).split("\n")
    assert lines[3] == "│   │░░░│   │"
    assert [line for line in lines if "░" in line] == [lines[3]]


@pytest.mark.parametrize(("width", "together"), [(20, 1), (100, 2)])
def test_as_many_boards_stand_side_by_side_as_a_width_takes(daily, tiling, width, together):
    assert boards_per_line(daily, REVEAL, width) == together
    titles = [f"tiling {n}" for n in range(together)]
    shown = beside(titles, [coloured(daily, REVEAL, tiling)] * together)
    lines = shown.plain.split("\n")
    assert max(map(len, lines)) <= max(width, 43)
    assert lines[0].split("  ")[0] == "tiling 0"
    assert lines[0].count("tiling") == together
    assert lines[1].count("┌") >= together


def counts(count, first=datetime.date(2025, 1, 1)):
    """Return what 365 dates would have."""
    dates = [first + datetime.timedelta(days=n) for n in range(365)]
    return [CountedRow(Row(("x",), date), count(date)) for date in dates]


@pytest.mark.parametrize(("width", "days_per_line"), [(40, 11), (60, 16), (80, 16), (97, 31)])
def test_a_heat_map_has_as_many_lines_a_month_as_its_width_takes_and_a_legend(width, days_per_line):
    shown = heat_map(counts(lambda date: date.day), width)
    lines = shown.plain.split("\n")
    assert max(map(len, lines)) <= width
    days = [word for line in lines[: -(-31 // days_per_line)] for word in line.split()]
    assert days == ["Jan", *map(str, range(1, 32))]
    assert lines[0].split()[-1] == str(days_per_line)
    assert " ".join(shown.plain.split()).endswith("solutions, fewest to most: 1 8 16 23 31")
    # the poorest day has the first colour, and some days that are equally rich about the last
    colours = {text.strip(): background for text, _, background in painted(shown)}
    assert colours["1"] == load_theme().heat[0]
    assert contrast(colours["31"], load_theme().heat[-1]) < 1.2


def test_a_heat_map_of_several_years_names_the_year():
    days = counts(lambda date: date.day, datetime.date(2023, 12, 31))
    lines = heat_map(days, 102).plain.split("\n")
    assert [line[:8] for line in lines[:3]] == ["2023 Dec", "2024 Jan", "2024 Feb"]
    assert len(lines) == 1 + 12 + 1
    assert len(lines[0]) == 9 + 31 * 3


def test_a_date_without_a_tiling_is_a_bare_nought():
    shown = heat_map(counts(lambda date: 0 if date.day == 2 else 5))
    assert shown.plain.startswith("Jan  1  0  3 ")
    assert all(text.strip() != "0" for text, _, _ in painted(shown))
    assert "no date has a solution" in heat_map(counts(lambda date: 0)).plain
    assert not heat_map([CountedRow(Row(("x",)), 3)])
