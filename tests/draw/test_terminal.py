"""Colour in the terminal, and the lines that it is laid upon."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from satcal.draw.board import draw_board, draw_tiling
from satcal.draw.terminal import draw_coloured
from satcal.draw.theme import ink_on, load_theme
from satcal.puzzle.loading import parse_puzzle

REVEAL = ("Dec", "25")


def painted(text):
    """Yield each painted run of a text: what it says, its ink, its background."""
    for span in text.spans:
        yield text.plain[span.start : span.end], span.style.color.name, span.style.bgcolor.name


def test_every_piece_has_its_own_background_and_its_letter_is_read_on_it(daily, tiling):
    board = draw_coloured(daily, REVEAL, tiling)
    assert board.plain == draw_tiling(daily, REVEAL, tiling)
    letters = {}
    for text, ink, background in painted(board):
        assert ink == ink_on(background)
        letters.setdefault(background, set()).update(text.split())
    colours = load_theme().piece_colours(daily)
    assert letters == {colour: {name} for name, colour in colours.items()}


def test_wide_letters_keep_their_borders():
    board = 'board = "一月 二月 1\\n2 3 4"\n[categories]\nmonth = ["一月", "二月"]\n'
    wide = parse_puzzle(f'{board}day = ["1", "2", "3", "4"]\n[pieces]\nI = "####"', "wide.toml")
    lines = draw_board(wide).split("\n")
    assert {cell_len(line) for line in lines} == {22}
    assert "│ 一月 │ 二月 │  1   │" in lines


@pytest.mark.parametrize(("screen", "width"), [(43, 43), (42, 29)])
def test_a_board_that_is_too_wide_has_no_margins(daily, monkeypatch, screen, width):
    monkeypatch.setattr("satcal.draw.board.screen_width", lambda: screen)
    assert max(map(len, draw_board(daily).split("\n"))) == width


def test_a_hole_has_a_border():
    board = 'board = "A * *\\n* . *\\n* * *\\n. . *"\n[categories]\nletter = ["A"]\n'
    ring = parse_puzzle(f'{board}[pieces]\nI = "########"', "ring.toml")
    assert draw_board(ring).split("\n")[2:5] == [
        "├───┼───┼───┤",
        "│   │   │   │",
        "├───┼───┼───┤",
    ]
