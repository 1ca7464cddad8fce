"""The colours of themes: pieces that nobody confuses, texts and lines that everybody sees."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest

from satcal.draw.theme import (
    THEMES,
    VIRIDIS,
    channels,
    contrast,
    heat_colour,
    ink_on,
    load_theme,
    mix,
)
from satcal.errors import UnknownName

MATRICES = """
normal 1 0 0 0 1 0 0 0 1
protanopia 0.152286 1.052583 -0.204868 0.114503 0.786281 0.099216 -0.003882 -0.048116 1.051998
deuteranopia 0.367322 0.860646 -0.227968 0.280085 0.672501 0.047413 -0.011820 0.042940 0.968881
tritanopia 1.255528 -0.076749 -0.178779 -0.078411 0.930809 0.147602 0.004733 0.691367 0.303900
XYZ 0.412456 0.357576 0.180438 0.212673 0.715152 0.072175 0.019334 0.119192 0.950304
"""
"""Of linear light: three kinds of colour blindness (Machado, Oliveira and Fernandes, 2009, severity
1.0), and the step to CIE XYZ."""
MATRIX = {
    name: np.array(numbers, float).reshape(3, 3)
    for name, *numbers in map(str.split, MATRICES.strip().splitlines())
}


def lab(colour, sight="normal"):
    """Return a colour in CIELAB (D65) as somebody sees it."""
    c = np.array(channels(colour)) / 255
    linear = MATRIX[sight] @ np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
    x = MATRIX["XYZ"] @ np.clip(linear, 0, 1) / (0.95047, 1, 1.08883)
    f = np.where(x > 216 / 24389, np.cbrt(x), (24389 / 27 * x + 16) / 116)
    return 116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])


def least(colours, sight):
    """Return the least distance of two colours as somebody sees them."""
    seen = [lab(colour, sight) for colour in colours]
    return min(math.dist(*pair) for pair in itertools.combinations(seen, 2))


@pytest.mark.parametrize("sight", ["normal", "protanopia", "deuteranopia", "tritanopia"])
@pytest.mark.parametrize(("name", "eight", "all_"), [("light", 15.5, 9.6), ("dark", 14.3, 8.9)])
def test_no_two_pieces_look_alike_to_anybody(name, eight, all_, sight):
    colours = load_theme(name).pieces
    assert len(colours) == 14
    assert least(colours[:8], sight) >= eight
    assert least(colours, sight) >= all_


@pytest.mark.parametrize("name", THEMES)
def test_text_is_read_and_lines_stand_out_on_every_colour_of_a_theme(name):
    theme = load_theme(name)
    for behind in (theme.background, theme.board, theme.revealed):
        assert contrast(theme.text, behind) >= 4.5
    assert all(contrast(ink_on(colour), colour) >= 4.5 for colour in theme.pieces)
    for behind in (theme.background, theme.board):
        lines = [theme.revealed_line, *map(theme.outline, theme.pieces)]
        assert all(contrast(line, behind) >= 3 for line in lines)
    assert contrast("#000000", "#ffffff") == pytest.approx(21)  # of WCAG, as 4.5 and 3


def test_a_long_piece_set_repeats_colours_paler(daily):
    theme = load_theme()
    colours = list(replace(theme, pieces=theme.pieces[:3]).piece_colours(daily).values())
    assert len(set(colours)) == len(colours) == 8
    assert colours[3] == mix(theme.pieces[0], theme.background, 0.3)


def test_heat_runs_from_the_first_colour_to_the_last():
    assert list(map(heat_colour, (0, 0.25, 1))) == [VIRIDIS[0], VIRIDIS[1], VIRIDIS[-1]]


def test_an_unknown_theme_is_refused_with_the_nearest_name():
    with pytest.raises(UnknownName, match="'light'"):
        load_theme("lihgt")
