"""Colour in the terminal: with it, without it, narrow and wide."""

from __future__ import annotations

import datetime
import re

import pytest

from satcal.counting.search import Search
from satcal.draw.board import draw_tiling
from satcal.draw.tables import Counted
from satcal.draw.terminal import (
    boards_across,
    colours_wanted,
    draw_coloured,
    heat_map,
    painted,
    side_by_side,
    terminal_width,
)
from satcal.puzzle.placements import cover
from satcal.puzzle.ranges import Row

REVEAL = ("Dec", "25")
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


def plain(text: str) -> str:
    return ESCAPE.sub("", text)


@pytest.fixture(scope="module")
def tiling(daily):
    return next(Search(cover(daily, REVEAL)).tilings())


class Terminal:
    def isatty(self):
        return True


@pytest.mark.parametrize(
    ("settings", "wanted"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False),
     ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, False), ({"TERM": "dumb", "FORCE_COLOR": "1"}, True)],
)  # fmt: skip
def test_colours_are_for_terminals_that_want_them(monkeypatch, settings, wanted):
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    assert colours_wanted(Terminal()) is wanted


def test_without_its_colours_a_drawing_is_the_plain_one(daily, tiling):
    coloured = draw_coloured(daily, REVEAL, tiling)
    assert plain(coloured) == draw_tiling(daily, REVEAL, tiling)
    assert "\x1b[" in coloured


def test_every_piece_has_a_background_of_its_own_and_its_letter_on_it(daily, tiling):
    coloured = draw_coloured(daily, REVEAL, tiling)
    painted_runs = re.findall(r"\x1b\[48;5;(\d+);38;5;\d+m([^\x1b]*)", coloured)
    backgrounds = {}
    for colour, text in painted_runs:
        if not text.strip():  # between two cells of a piece
            continue
        (letter,) = set(text.split())
        backgrounds.setdefault(letter, set()).add(colour)
    assert set(backgrounds) == {piece.name for piece in daily.pieces}
    assert all(len(colours) == 1 for colours in backgrounds.values())
    assert len(set.union(*backgrounds.values())) == len(daily.pieces)


def test_terminals_with_all_colours_get_them():
    assert painted("x", "#0072b2", "truecolor") == "\x1b[48;2;0;114;178;38;2;255;255;255mx\x1b[0m"
    assert painted("x", "#0072b2", "") == "\x1b[48;5;25;38;5;231mx\x1b[0m"


@pytest.mark.parametrize(("width", "across"), [(20, 1), (80, 1), (100, 2), (200, 4)])
def test_as_many_boards_stand_side_by_side_as_a_width_takes(daily, tiling, width, across):
    assert boards_across(daily, REVEAL, width) == across
    board = draw_coloured(daily, REVEAL, tiling)
    blocks = side_by_side([board] * 5, [f"tiling {n}" for n in range(5)], width)
    assert len(blocks) == -(-5 // across)
    lines = plain("\n".join(blocks)).split("\n")
    assert max(map(len, lines)) <= max(width, 43)
    assert lines[0].count("tiling") == across
    assert lines[1].count("┌") >= across


def test_the_width_comes_from_columns_or_the_terminal_or_is_80(monkeypatch):
    monkeypatch.setenv("COLUMNS", "133")
    assert terminal_width() == 133
    monkeypatch.setenv("COLUMNS", "0")
    assert terminal_width() == 80


def year_of(count):
    first = datetime.date(2025, 1, 1)
    dates = [first + datetime.timedelta(days=n) for n in range(365)]
    return [Counted(Row(("x",), date), count(date)) for date in dates]


@pytest.mark.parametrize(("width", "wide"), [(80, 66), (200, 97)])
def test_a_heat_map_has_a_line_a_month_and_a_legend(width, wide):
    lines = heat_map(year_of(lambda date: date.day), width).splitlines()
    assert len(lines) == 13
    assert [line[:3] for line in lines[:2]] == ["Jan", "Feb"]
    assert len(plain(lines[0])) == wide
    assert plain(lines[12]) == "    tilings, fewest to most:  1   8   16   23   31 "
    # the richest day has the brightest colour, the poorest the darkest
    assert "\x1b[48;5;220;38;5;16m31" in lines[0]
    assert "\x1b[48;5;53;38;5;231m 1" in lines[0]


def test_a_heat_map_of_several_years_names_the_year():
    first = datetime.date(2023, 12, 31)
    table = [
        Counted(Row(("x",), first + datetime.timedelta(days=n)), n + 1) for n in range(2 + 2 * 365)
    ]
    lines = heat_map(table).splitlines()
    assert [line[:8] for line in lines[:3]] == ["2023 Dec", "2024 Jan", "2024 Feb"]
    assert len(lines) == 1 + 24 + 1
    assert len(plain(lines[0])) == 9 + 31 * 2


def test_a_date_without_a_tiling_is_a_bare_nought():
    text = heat_map(year_of(lambda date: 0 if date.day == 2 else 5))
    assert "m  0" not in text
    assert plain(text).startswith("Jan  1  0  3 ")
    assert "no date has a tiling" in heat_map(year_of(lambda date: 0))
    assert heat_map([]) == ""
    assert heat_map([Counted(Row(("x",)), 3)]) == ""
