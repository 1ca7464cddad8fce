"""SVG parsed as XML and rendered by a second program; PNG against golden pictures."""

from __future__ import annotations

import datetime
import io
import os
import sys
import tempfile
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest
from external import run
from PIL import Image

from satcal.counting.search import Search
from satcal.draw import raster
from satcal.draw.laser import Measures, laser_picture
from satcal.draw.pictures import (
    CELL,
    MAX_ON_SHEET,
    board_picture,
    pieces_picture,
    sheet_picture,
    tiling_picture,
)
from satcal.draw.svg import Picture, clean, words
from satcal.draw.theme import channels, load_theme, themes
from satcal.draw.year import year_picture
from satcal.errors import FormatError, Missing, OptionError
from satcal.puzzle.loading import load
from satcal.puzzle.placements import cover

SVG = "{http://www.w3.org/2000/svg}"
GOLDEN = Path(__file__).parent / "golden"
HARD = '''
name = "hard"
title = "<&\\"' 日本"
board = """
a  a *
<& * *
*  * *
"""
[categories]
"x&y" = ["a"]
other = ["<&"]
[pieces]
U = """
##
#.
"""
V = """
##
.#
"""
'''


@pytest.fixture(scope="module")
def tiling(daily):
    return next(Search(cover(daily, ("Dec", "25"))).tilings())


def rendered(svg: str, width: int) -> np.ndarray:
    """The pixels that librsvg makes of an SVG: [height, width, 3]."""
    with tempfile.TemporaryDirectory() as folder:
        drawn, seen = Path(folder, "drawn.svg"), Path(folder, "seen.png")
        drawn.write_text(svg, encoding="utf-8")
        run("rsvg-convert", "-w", str(width), "-b", "white", "-o", str(seen), str(drawn))
        return np.asarray(Image.open(seen).convert("RGB"), int)


@pytest.mark.parametrize("name", themes())
def test_another_program_paints_each_cells_centre_in_its_pieces_colour(daily, tiling, name):
    theme = load_theme(name)
    picture = tiling_picture(daily, ("Dec", "25"), tiling, theme, "2025-12-25")
    pixels = rendered(picture.svg(), round(picture.width))
    colours = theme.piece_colours(daily)
    seen = 0
    for placed in tiling:
        for row, column in placed.cells:
            x, y = (column + 1) * CELL, (row + 1.8) * CELL
            there = pixels[round(y), round(x)]
            assert np.abs(there - channels(colours[placed.piece])).max() <= 2, (placed, row, column)
            seen += 1
    assert seen == 41
    # the uncovered cells: their corner, for a label stands in their middle
    for text in ("Dec", "25"):
        row, column = daily.labels[text].cells[0]
        there = pixels[round((row + 1.42) * CELL), round((column + 0.62) * CELL)]
        assert np.abs(there - channels(theme.revealed)).max() <= 2


def every_kind(puzzle, theme, tiling):
    reveal = ("Dec", "25")
    date = datetime.date(2025, 12, 25)
    return {
        "tiling": tiling_picture(puzzle, reveal, tiling, theme, "2025-12-25"),
        "sheet": sheet_picture(puzzle, reveal, [tiling] * 5, 7, theme, "2025-12-25"),
        "year": year_picture(puzzle, {date: tiling, date.replace(day=26): None}, theme, "2025"),
        "pieces": pieces_picture(puzzle, theme),
        "board": board_picture(puzzle, theme),
        "laser": laser_picture(puzzle, Measures()),
    }


KINDS = ("tiling", "sheet", "year", "pieces", "board", "laser")


@pytest.mark.parametrize("kind", KINDS)
def test_every_picture_is_small_xml_with_title_and_description(daily, tiling, kind):
    text = every_kind(daily, load_theme(), tiling)[kind].svg()
    root = ET.fromstring(text)
    assert root.tag == f"{SVG}svg"
    assert root[0].tag == f"{SVG}title"
    assert root[1].tag == f"{SVG}desc"
    assert root[0].text
    assert root[1].text
    assert len(text) < 20_000
    assert rendered(text, 300).std() > 5  # something is drawn


@pytest.mark.needs("cairo", "a font")
@pytest.mark.parametrize("kind", ["tiling", "sheet", "year", "pieces", "board"])
def test_png_looks_like_the_golden_picture(daily, tiling, kind):
    picture = every_kind(daily, load_theme(), tiling)[kind]
    data = raster.encode(picture, ".png", 300)
    path = GOLDEN / f"{kind}.png"
    if os.environ.get("SATCAL_GOLDEN") == "write":  # for whoever has looked at the new ones
        path.write_bytes(data)
    new, old = (np.asarray(Image.open(each).convert("RGB"), int)
                for each in (io.BytesIO(data), path))  # fmt: skip
    assert new.shape == old.shape
    # fonts and antialiasing differ between machines
    assert np.abs(new - old).mean() < 4


def test_a_tiling_has_one_path_a_piece(daily, tiling):
    colours = load_theme().piece_colours(daily)
    root = ET.fromstring(tiling_picture(daily, ("Dec", "25"), tiling, load_theme(), "").svg())
    fills = [path.get("fill") for path in root.iter(f"{SVG}path")]
    assert sorted(fill for fill in fills if fill in colours.values()) == sorted(colours.values())


def test_text_of_a_user_is_escaped(tmp_path):
    path = tmp_path / "hard.toml"
    path.write_text(HARD)
    puzzle = load(str(path))
    for picture in (board_picture(puzzle, load_theme()), laser_picture(puzzle, Measures()),
                    pieces_picture(puzzle, load_theme())):  # fmt: skip
        root = ET.fromstring(picture.svg())
        assert root[0].text.startswith("<&\"' 日本")
    assert clean("a\x00b\ud800") == "a\ufffdb\ufffd"
    assert "&lt;&amp;" in words("<&", 0, 0, 1, "#000000")


def test_a_label_of_several_cells_is_drawn_once(tmp_path):
    path = tmp_path / "hard.toml"
    path.write_text(HARD)
    text = board_picture(load(str(path)), load_theme()).svg()
    assert text.count(">a</text>") == 1


def test_laser_layers_are_in_millimetres_with_kerf_and_play(daily):
    picture = laser_picture(daily, Measures(cell=10, kerf=0.4, play=0.2))
    root = ET.fromstring(picture.svg())
    assert root.get("width").endswith("mm")
    assert root.get("viewBox").split()[2] == root.get("width").removesuffix("mm")
    layers = {group.get("id"): group for group in root.findall(f"{SVG}g")}
    assert list(layers) == ["engraving", "board", "tray", "pieces"]
    label = "{http://www.inkscape.org/namespaces/inkscape}label"
    assert [group.get(label) for group in layers.values()] == list(layers)
    pieces = layers["pieces"].findall(f"{SVG}path")
    assert len(pieces) == 8
    # the first piece, 2 x 3: grown by half the kerf, shrunk by half the play, on each side
    assert pieces[0].get("d") == "M3.9 93.9h30.2v20.2h-30.2z"
    assert len(layers["tray"].findall(f"{SVG}path")) == 2


@pytest.mark.parametrize(
    "sizes", [{"cell": 1}, {"cell": 501}, {"kerf": -1}, {"kerf": 5}, {"play": 5}, {"play": -0.1}]
)
def test_absurd_measures_are_refused(sizes):
    with pytest.raises(OptionError, match=r"--cell|--kerf"):
        Measures(**sizes)


def test_a_sheet_needs_tilings_and_not_too_many(daily, tiling):
    for number in (0, MAX_ON_SHEET + 1):
        with pytest.raises(OptionError, match="a sheet"):
            sheet_picture(daily, ("Dec", "25"), [tiling] * number, 1, load_theme(), "")


def test_a_poster_needs_dates_and_not_too_many_months(daily):
    months = {datetime.date(2000 + n // 12, n % 12 + 1, 1): None for n in range(25)}
    for dates in ({}, months):
        with pytest.raises(OptionError, match="a poster takes"):
            year_picture(daily, dates, load_theme(), "")


def test_thousands_of_pieces_are_no_toy():
    from small import domino_rectangle

    with pytest.raises(OptionError, match="no toy"):
        laser_picture(domino_rectangle(32, 32).load(), Measures())


@pytest.mark.parametrize("size", [0, -5, 15, 20_001, 10**9])
def test_absurd_sizes_are_refused(size):
    with pytest.raises(OptionError, match="--size"):
        raster.encode(Picture(1, 1, "t", "d"), ".png", size)


@pytest.mark.needs("cairo", "a font")
def test_pdf_is_a_pdf_and_the_same_every_time(daily):
    picture = board_picture(daily, load_theme())
    data = raster.encode(picture, ".pdf")
    assert data.startswith(b"%PDF-")
    assert data == raster.encode(picture, ".pdf")


def test_svg_scales_to_a_size(daily):
    root = ET.fromstring(board_picture(daily, load_theme()).svg(500))
    assert max(float(root.get("width")), float(root.get("height"))) == 500


def test_unknown_suffixes_are_refused():
    with pytest.raises(FormatError, match=r"\.svg, \.png, \.pdf"):
        raster.encode(Picture(1, 1, "t", "d"), ".bmp")
    with pytest.raises(FormatError, match="picture: end the file's name"):
        raster.suffix_of("picture")
    assert raster.suffix_of("-") == ".svg"


@pytest.mark.needs("cairo")
def test_without_cairosvg_the_pip_command_is_said(monkeypatch):
    monkeypatch.setitem(sys.modules, "cairosvg", None)
    with pytest.raises(Missing, match=r'pip install "satcal\[draw\]"'):
        raster.encode(Picture(1, 1, "t", "d"), ".png")


def test_without_the_cairo_library_the_package_is_said(monkeypatch):
    class Broken:
        def find_spec(self, name, path=None, target=None):
            if name == "cairocffi":
                raise OSError("no library called cairo-2 was found")

    monkeypatch.delitem(sys.modules, "cairocffi", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Broken(), *sys.meta_path])
    with pytest.raises(Missing, match="apt-get install libcairo2"):
        raster.encode(Picture(1, 1, "t", "d"), ".png")


@pytest.mark.needs("cairo")
def test_without_a_font_the_package_is_said(monkeypatch):
    import cairocffi

    monkeypatch.setattr(cairocffi.Context, "text_extents", lambda self, text: (0.0,) * 6)
    with pytest.raises(Missing, match="fonts-dejavu-core"):
        raster.encode(Picture(1, 1, "t", "d"), ".png")
