from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from satcal.draw.theme import THEMES, channels, contrast, ink_on, load_theme, mix
from satcal.errors import UnknownName

MATRICES = """
normal 1 0 0 0 1 0 0 0 1
protanopia 0.152286 1.052583 -0.204868 0.114503 0.786281 0.099216 -0.003882 -0.048116 1.051998
deuteranopia 0.367322 0.860646 -0.227968 0.280085 0.672501 0.047413 -0.011820 0.042940 0.968881
tritanopia 1.255528 -0.076749 -0.178779 -0.078411 0.930809 0.147602 0.004733 0.691367 0.303900
XYZ 0.4124564 0.3575761 0.1804375 0.2126729 0.7151522 0.0721750 0.0193339 0.1191920 0.9503041
LMS 0.412221 0.536333 0.051446 0.211903 0.680700 0.107397 0.088302 0.281719 0.629979
OKLAB 0.210454 0.793618 -0.004072 1.977998 -2.428592 0.450594 0.025904 0.782772 -0.808676
"""
"""Of linear light: three kinds of colour blindness (Machado, Oliveira and Fernandes, 2009, severity
1.0), and spaces of colours."""
MATRIX = {
    name: np.array(numbers, float).reshape(3, 3)
    for name, *numbers in map(str.split, MATRICES.strip().splitlines())
}
SIGHTS = ("normal", "protanopia", "deuteranopia", "tritanopia")


def lab(colour: str, sight: str) -> np.ndarray:
    """The colour in CIELAB as somebody sees it."""
    c = np.array(channels(colour)) / 255
    linear = MATRIX[sight] @ np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
    x = MATRIX["XYZ"] @ np.clip(linear, 0, 1) / np.array([0.95047, 1, 1.08883])
    f = np.where(x > 216 / 24389, np.cbrt(x), (24389 / 27 * x + 16) / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def oklab_chroma(colour: str) -> float:
    """The chroma of a colour in OKLCH (Ottosson, 2020)."""
    c = np.array(channels(colour)) / 255
    linear = np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
    _, a, b = MATRIX["OKLAB"] @ np.cbrt(MATRIX["LMS"] @ linear)
    return float(np.hypot(a, b))


def ciede2000(one: np.ndarray, other: np.ndarray) -> float:
    """The difference of two colours (Sharma, Wu and Dalal, 2005)."""
    (light, a, b), (other_light, other_a, other_b) = one, other
    mean = (np.hypot(a, b) + np.hypot(other_a, other_b)) / 2
    grey = 1.5 - 0.5 * np.sqrt(mean**7 / (mean**7 + 25**7))
    a, other_a = grey * a, grey * other_a
    chroma, other_chroma = np.hypot(a, b), np.hypot(other_a, other_b)
    hue, other_hue = (np.degrees(np.arctan2(*each)) % 360 for each in ((b, a), (other_b, other_a)))
    turn = (other_hue - hue + 180) % 360 - 180 if chroma * other_chroma else 0.0
    middle = (hue + turn / 2) % 360 if chroma * other_chroma else hue + other_hue
    lightness, mean = (light + other_light) / 2, (chroma + other_chroma) / 2
    weight = 1 - 0.17 * cosine(middle - 30) + 0.24 * cosine(2 * middle)
    weight += 0.32 * cosine(3 * middle + 6) - 0.20 * cosine(4 * middle - 63)
    spread = (lightness - 50) ** 2
    by_light = (other_light - light) / (1 + 0.015 * spread / np.sqrt(20 + spread))
    by_chroma = (other_chroma - chroma) / (1 + 0.045 * mean)
    by_hue = 2 * np.sqrt(chroma * other_chroma) * np.sin(np.radians(turn / 2))
    by_hue /= 1 + 0.015 * mean * weight
    rotation = -2 * np.sqrt(mean**7 / (mean**7 + 25**7))
    rotation *= np.sin(np.radians(60 * np.exp(-(((middle - 275) / 25) ** 2))))
    return float(np.sqrt(by_light**2 + by_chroma**2 + by_hue**2 + rotation * by_chroma * by_hue))


def cosine(degrees: float) -> float:
    return float(np.cos(np.radians(degrees)))


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("name", ["light", "dark"])
def test_no_two_pieces_look_alike_to_anybody(name, sight):
    seen = [lab(colour, sight) for colour in load_theme(name).pieces]
    assert len(seen) == 12
    assert min(ciede2000(a, b) for a, b in itertools.combinations(seen[:10], 2)) >= 12
    assert min(ciede2000(a, b) for a, b in itertools.combinations(seen, 2)) >= 9


def test_pieces_are_of_one_family_and_none_has_the_colour_of_the_frame_or_of_an_open_cell():
    chroma = [oklab_chroma(colour) for colour in load_theme("light").pieces]
    assert max(chroma) - min(chroma) < 0.002
    for theme in map(load_theme, ("light", "dark")):
        seen = [lab(colour, "normal") for colour in theme.pieces]
        for other in (theme.frame, theme.revealed, theme.board):
            assert min(ciede2000(lab(other, "normal"), each) for each in seen) >= 12, other


@pytest.mark.parametrize("name", THEMES)
def test_text_is_read_and_lines_stand_out_on_every_colour_of_a_theme(name):
    theme = load_theme(name)
    for behind in (theme.background, theme.board, theme.revealed):
        assert contrast(theme.text, behind) >= 4.5
    assert all(contrast(ink_on(colour), colour) >= 4.5 for colour in theme.pieces)
    for behind in (theme.background, theme.board):
        lines = [theme.revealed_line, *map(theme.outline, theme.pieces)]
        assert all(contrast(line, behind) >= 3 for line in lines)


def test_a_long_piece_set_repeats_colours_paler(daily):
    theme = load_theme()
    colours = list(replace(theme, pieces=theme.pieces[:3]).piece_colours(daily).values())
    assert len(set(colours)) == len(colours) == 8
    assert colours[3] == mix(theme.pieces[0], theme.background, 0.3)


def test_heat_runs_from_the_first_colour_to_the_last():
    theme = load_theme()
    colours = [theme.heat_colour(share) for share in (0, 0.25, 1)]
    assert colours == [theme.heat[0], theme.heat[1], theme.heat[-1]]
    assert replace(theme, heat=("#123456",)).heat_colour(0.7) == "#123456"


def test_an_unknown_theme_is_refused_with_the_nearest_name():
    with pytest.raises(UnknownName, match="'light'"):
        load_theme("lihgt")
