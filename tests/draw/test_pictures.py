"""SVG parsed as XML and rendered by a second program; PNG against golden pictures."""

from __future__ import annotations

import datetime
import io
import os
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from satcal.draw.laser import CutSettings, laser_picture

from helpers.commands import run
from helpers.puzzles import domino_rectangle
from satcal.draw.pictures import (
    CELL,
    MAX_ON_SHEET,
    board_picture,
    pieces_picture,
    sheet_picture,
    tiling_picture,
    year_picture,
)
from satcal.draw.svg import Picture, clean
from satcal.draw.theme import channels, load_theme
from satcal.errors import Missing, OptionError
from satcal.puzzle.loading import parse_puzzle

SVG = "{http://www.w3.org/2000/svg}"
GOLDEN = Path(__file__).parent / "golden"
DATE, REVEAL = datetime.date(2025, 12, 25), ("Dec", "25")
HARD = r"""
name = "hard"
title = "<&\"' 日本"
board = "a  a *\n<& * *\n*  * *"
[categories]
"x&y" = ["a"]
other = ["<&"]
[pieces]
U = "##\n#."
V = "##\n.#"
"""


@pytest.fixture(scope="module")
def pictures(daily, tiling):
    """A picture of each kind."""
    theme = load_theme()
    return {
        "tiling": tiling_picture(daily, REVEAL, tiling, theme, "2025-12-25"),
        "sheet": sheet_picture(daily, REVEAL, [tiling] * 5, 7, theme, "2025-12-25"),
        "year": year_picture(daily, {DATE: tiling, DATE.replace(day=26): None}, theme, "2025"),
        "pieces": pieces_picture(daily, theme),
        "board": board_picture(daily, theme),
        "laser": laser_picture(daily, CutSettings()),
    }


def test_another_program_paints_each_cell_in_its_pieces_colour(daily, tiling, tmp_path):
    theme, drawn, seen = load_theme("dark"), tmp_path / "drawn.svg", tmp_path / "seen.png"
    picture = tiling_picture(daily, REVEAL, tiling, theme, "2025-12-25")
    drawn.write_text(picture.svg(), encoding="utf-8")
    run("rsvg-convert", "-w", str(round(picture.width)), "-o", str(seen), str(drawn))
    pixels = np.asarray(Image.open(seen).convert("RGB"), int)
    colours = theme.piece_colours(daily)
    painted = [(cell, 0.5, colours[placed.piece]) for placed in tiling for cell in placed.cells]
    assert len(painted) == 41
    # the corner, for a label stands in the middle
    painted += [(daily.labels[text].cells[0], 0.12, theme.revealed) for text in REVEAL]
    for (row, column), inside, colour in painted:
        y, x = round((row + 1.3 + inside) * CELL), round((column + 0.5 + inside) * CELL)
        assert np.abs(pixels[y, x] - channels(colour)).max() <= 2, (row, column)


@pytest.mark.needs("cairo", "a font")
@pytest.mark.parametrize("kind", ["tiling", "sheet", "year", "pieces", "board"])
def test_png_looks_like_the_golden_picture(pictures, kind):
    data = pictures[kind].encode(".png", 300)
    path = GOLDEN / f"{kind}.png"
    if os.environ.get("SATCAL_GOLDEN") == "write":  # look at the new ones first
        path.write_bytes(data)
    new, old = (
        np.asarray(Image.open(each).convert("RGB"), int) for each in (io.BytesIO(data), path)
    )
    assert new.shape == old.shape
    # fonts and antialiasing differ between machines
    assert np.abs(new - old).mean() < 4


def test_text_of_a_user_is_escaped_and_a_label_of_two_cells_is_drawn_once():
    hard = parse_puzzle(HARD, "hard.toml")
    title = "<&\"' 日本"
    for picture in (laser_picture(hard, CutSettings()), pieces_picture(hard, load_theme())):
        root = ET.fromstring(picture.svg())
        assert [each.tag for each in root[:2]] == [f"{SVG}title", f"{SVG}desc"]
        assert root[0].text.startswith(title)
        assert root[1].text == picture.description
    assert clean("a\x00b\ud800") == "a\ufffdb\ufffd"
    board = ET.fromstring(board_picture(hard, load_theme()).svg())
    assert [each.text for each in board.iter(f"{SVG}text")] == [title, "a", "<&"]


def test_all_labels_of_a_drawing_have_one_size(daily, tiling, pictures):
    partly = tiling_picture(daily, REVEAL, tiling[:3], load_theme(), "")
    for picture in (partly, pictures["board"], pictures["laser"]):
        texts = ET.fromstring(picture.svg()).iter(f"{SVG}text")
        assert len({each.get("font-size") for each in texts if each.text in daily.labels}) == 1


def test_laser_layers_are_in_millimetres_with_kerf_and_play(daily):
    picture = laser_picture(daily, CutSettings(cell=10, kerf=0.4, play=0.2))
    root = ET.fromstring(picture.svg())
    assert root.get("width").endswith("mm")
    assert root.get("viewBox").split()[2] == root.get("width").removesuffix("mm")
    layers = {group.get("id"): group for group in root.findall(f"{SVG}g")}
    assert list(layers) == ["engraving", "board", "tray", "pieces"]
    label = "{http://www.inkscape.org/namespaces/inkscape}label"
    assert [group.get(label) for group in layers.values()] == list(layers)
    red, blue = "#ff0000", "#0000ff"
    assert [group.get("stroke") for group in layers.values()] == [blue, red, red, red]
    pieces = layers["pieces"].findall(f"{SVG}path")
    assert len(pieces) == 8
    # the first piece, 2 x 3: each side grown by half the kerf, shrunk by half the play
    assert pieces[0].get("d") == "M3.9 93.9h30.2v20.2h-30.2z"
    assert len(layers["tray"].findall(f"{SVG}path")) == 2


def test_what_no_paper_holds_is_refused(daily, tiling):
    for number in (0, MAX_ON_SHEET + 1):
        with pytest.raises(OptionError, match="a sheet"):
            sheet_picture(daily, REVEAL, [tiling] * number, 1, load_theme(), "")
    with pytest.raises(OptionError, match="a poster takes"):
        year_picture(daily, {}, load_theme(), "")
    with pytest.raises(OptionError, match="the most that can be laid out"):
        laser_picture(domino_rectangle(32, 32).load(), CutSettings())


@pytest.mark.needs("cairo", "a font")
def test_a_pdf_is_the_same_every_time_and_svg_scales_to_a_size(daily):
    picture = board_picture(daily, load_theme())
    data = picture.encode(".pdf")
    assert data.startswith(b"%PDF-")
    assert data == picture.encode(".pdf")
    root = ET.fromstring(picture.svg(500))
    assert max(float(root.get("width")), float(root.get("height"))) == 500


def test_without_the_cairo_library_the_package_is_said(monkeypatch):
    class Broken:
        def find_spec(self, name, path=None, target=None):
            if name == "cairocffi":
                raise OSError("no library called cairo-2 was found")

    monkeypatch.delitem(sys.modules, "cairocffi", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Broken(), *sys.meta_path])
    with pytest.raises(Missing, match="apt-get install libcairo2"):
        Picture(1, 1, "t", "d").encode(".png")


@pytest.mark.needs("cairo")
def test_without_a_font_the_package_is_said(monkeypatch):
    import cairocffi

    monkeypatch.setattr(cairocffi.Context, "text_extents", lambda self, text: (0.0,) * 6)
    with pytest.raises(Missing, match="fonts-dejavu-core"):
        Picture(1, 1, "t", "d").encode(".png")
