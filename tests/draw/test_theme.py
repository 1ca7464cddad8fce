"""The colours of themes: pieces that nobody confuses, texts and lines that everybody sees."""

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
LMS 0.412221 0.536333 0.051446 0.211903 0.680700 0.107397 0.088302 0.281719 0.629979
OKLAB 0.210454 0.793618 -0.004072 1.977998 -2.428592 0.450594 0.025904 0.782772 -0.808676
"""
"""Of linear light: three kinds of colour blindness (Machado, Oliveira and Fernandes, 2009, severity
1.0), and the steps to OKLab (Ottosson, 2020)."""
MATRIX = {
    name: np.array(numbers, float).reshape(3, 3)
    for name, *numbers in map(str.split, MATRICES.strip().splitlines())
}


def oklab(colour, sight="normal"):
    """Return a colour in OKLab as somebody sees it; eyes notice a distance of some 0.02."""
    c = np.array(channels(colour)) / 255
    linear = MATRIX[sight] @ np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
    return MATRIX["OKLAB"] @ np.cbrt(MATRIX["LMS"] @ np.clip(linear, 0, 1))


def nearest(pairs):
    return min(float(np.linalg.norm(one - other)) for one, other in pairs)


@pytest.mark.parametrize("sight", ["normal", "protanopia", "deuteranopia", "tritanopia"])
@pytest.mark.parametrize("name", ["light", "dark"])
def test_no_two_pieces_look_alike_to_anybody(name, sight):
    seen = [oklab(colour, sight) for colour in load_theme(name).pieces]
    assert len(seen) == 12
    assert nearest(itertools.combinations(seen[:10], 2)) >= 0.07
    assert nearest(itertools.combinations(seen, 2)) >= 0.04


def test_pieces_are_of_one_family_and_none_has_the_colour_of_the_frame_or_of_an_open_cell():
    chroma = [np.hypot(*oklab(colour)[1:]) for colour in load_theme("light").pieces]
    assert all(value == pytest.approx(0.115, abs=0.002) for value in chroma)
    for theme in map(load_theme, ("light", "dark")):
        others = map(oklab, (theme.frame, theme.revealed, theme.board))
        assert nearest(itertools.product(map(oklab, theme.pieces), others)) >= 0.07


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
    theme = load_theme()
    colours = [theme.heat_colour(share) for share in (0, 0.25, 1)]
    assert colours == [theme.heat[0], theme.heat[1], theme.heat[-1]]
    assert replace(theme, heat=("#123456",)).heat_colour(0.7) == "#123456"


def test_an_unknown_theme_is_refused_with_the_nearest_name():
    with pytest.raises(UnknownName, match="'light'"):
        load_theme("lihgt")
