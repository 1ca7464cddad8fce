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


def ciede2000(one, other):
    """Return the distance of two colours in CIELAB (Sharma, Wu and Dalal, 2005)."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean = ((math.hypot(a1, b1) + math.hypot(a2, b2)) / 2) ** 7
    g = 1.5 - 0.5 * math.sqrt(mean / (mean + 25**7))
    c1, c2 = math.hypot(a1 * g, b1), math.hypot(a2 * g, b2)
    h1, h2 = (math.degrees(math.atan2(b, a * g)) % 360 for a, b in ((a1, b1), (a2, b2)))
    turn = 0 if c1 * c2 == 0 else (h2 - h1 + 180) % 360 - 180
    hue = h1 + h2 if c1 * c2 == 0 else (h1 + turn / 2) % 360
    light, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    t = 1 + sum(
        weight * math.cos(math.radians(times * hue + by))
        for weight, times, by in ((-0.17, 1, -30), (0.24, 2, 0), (0.32, 3, 6), (-0.2, 4, -63))
    )
    scale_l = 1 + 0.015 * (light - 50) ** 2 / math.sqrt(20 + (light - 50) ** 2)
    along_l = (l2 - l1) / scale_l
    along_c = (c2 - c1) / (1 + 0.045 * chroma)
    bow = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn / 2))
    along_h = bow / (1 + 0.015 * chroma * t)
    angle = math.radians(60 * math.exp(-(((hue - 275) / 25) ** 2)))
    rotation = -2 * math.sqrt(chroma**7 / (chroma**7 + 25**7)) * math.sin(angle)
    return math.sqrt(along_l**2 + along_c**2 + along_h**2 + rotation * along_c * along_h)


def least(colours, sight):
    """Return the least distance of two colours as somebody sees them."""
    seen = [lab(colour, sight) for colour in colours]
    return min(ciede2000(one, other) for one, other in itertools.combinations(seen, 2))


@pytest.mark.parametrize(
    ("one", "other", "distance"),  # of the data of Sharma, Wu and Dalal
    [
        ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
        ((50, 2.5, 0), (73, 25, -18), 27.1492),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
        ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
    ],
)
def test_the_distance_of_colours_is_that_of_the_standard(one, other, distance):
    assert ciede2000(one, other) == pytest.approx(distance, abs=5e-5)


@pytest.mark.parametrize("sight", ["normal", "protanopia", "deuteranopia", "tritanopia"])
@pytest.mark.parametrize(("name", "eight"), [("light", 12.9), ("dark", 12.1)])
def test_no_two_pieces_look_alike_to_anybody(name, eight, sight):
    colours = load_theme(name).pieces
    assert len(colours) == 14
    assert least(colours[:8], sight) >= eight
    assert least(colours, sight) >= 8


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
