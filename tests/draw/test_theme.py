from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from satcal.draw.theme import channels, contrast, ink_on, load_theme, mix, themes
from satcal.errors import FileTrouble, FormatError

# Machado, Oliveira and Fernandes (2009), severity 1.0
SIGHT = {
    "normal": np.eye(3),
    "protanopia": np.array([[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
                            [-0.003882, -0.048116, 1.051998]]),
    "deuteranopia": np.array([[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
                              [-0.011820, 0.042940, 0.968881]]),
    "tritanopia": np.array([[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
                            [0.004733, 0.691367, 0.303900]]),
}  # fmt: skip
XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def lab(colour: str, sight: str) -> np.ndarray:
    """The colour in CIELAB as somebody sees it."""
    c = np.array(channels(colour)) / 255
    linear = SIGHT[sight] @ np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
    x = XYZ @ np.clip(linear, 0, 1) / np.array([0.9505, 1, 1.089])
    f = np.where(x > 0.008856, np.cbrt(x), 7.787 * x + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize("name", ["light", "dark"])
def test_no_two_pieces_look_alike_to_anybody(name, sight):
    seen = [lab(colour, sight) for colour in load_theme(name).pieces]
    nearest = min(np.linalg.norm(a - b) for a, b in itertools.combinations(seen, 2))
    assert nearest > 12  # a difference of 2.3 is just noticeable


@pytest.mark.parametrize("name", themes())
def test_text_is_read_on_every_colour_of_a_theme(name):
    theme = load_theme(name)
    assert contrast(theme.text, theme.background) > 7
    assert contrast(theme.text, theme.board) > 7
    assert contrast(theme.text, theme.revealed) > 7
    assert all(contrast(ink_on(colour), colour) > 4.5 for colour in theme.pieces)


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


@pytest.mark.parametrize("what", ["histogram", "ranking", "month-day"])
def test_one_colour_is_enough_for_a_plot(satcal, tmp_path, what):
    theme, plot = tmp_path / "one.toml", tmp_path / "plot.svg"
    theme.write_text('pieces = ["#000000"]\nheat = ["#123456"]\n')
    words = ["--reveal", "Oct,6", "--what", what, "--theme", str(theme), "-o", str(plot)]
    assert satcal("stats", *words).code == 0
    assert plot.read_bytes().startswith(b"<?xml")


def test_a_theme_file_changes_what_it_names(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('background = "#ABCDEF"\npieces = ["#000000"]\n')
    theme = load_theme(str(path))
    assert (theme.name, theme.background, theme.pieces) == ("mine", "#abcdef", ("#000000",))
    assert theme.heat == load_theme().heat


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("line = 'red'", "line: 'red' is no colour; write it as #0072B2"),
        ("pieces = []", "pieces: give a list of 1 to 64 colours"),
        ("pieces = '#000000'", "pieces: give a list"),
        ("pieces = ['x']", "pieces: 'x' is no colour"),
    ],
)
def test_a_wrong_theme_file_says_what_is_wrong(tmp_path, text, message):
    path = tmp_path / "wrong.toml"
    path.write_text(text)
    with pytest.raises(FormatError, match=message):
        load_theme(str(path))


def test_a_theme_without_a_name_is_told_what_to_give():
    with pytest.raises(FileTrouble, match="give a theme's name"):
        load_theme("")
