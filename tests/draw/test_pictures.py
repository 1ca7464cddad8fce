"""SVG parsed as XML and rendered by a second program; PNG against golden pictures."""

from __future__ import annotations

import datetime
import io
import math
import os
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from helpers.commands import run
from oracle import labels_alone
from satcal.draw import pictures as pictures_module
from satcal.draw.pictures import CELL, board_picture, heading, solutions_picture, tiling_picture
from satcal.draw.svg import Picture, font_size_for
from satcal.draw.theme import channels, load_theme
from satcal.errors import FormatError, Missing, OptionError, TooLarge
from satcal.puzzle.loading import parse_puzzle
from satcal.puzzle.rows import Row

SVG = "{http://www.w3.org/2000/svg}"
GOLDEN = Path(__file__).parent / "golden"
WRITE = os.environ.get("SATCAL_GOLDEN") == "write"  # look at the new ones first
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


def texts_of(picture: Picture) -> list[str]:
    return [str(each.text) for each in ET.fromstring(picture.svg()).iter(f"{SVG}text")]


@pytest.fixture(scope="module")
def pictures(daily, tiling):
    """A picture of each kind."""
    row = Row(REVEAL, DATE)
    next_day = Row(("Dec", "26"), DATE.replace(day=26))
    return {
        "tiling": solutions_picture(daily, [(row, 1, tiling)]),
        "sheet": solutions_picture(daily, [(row, n, tiling) for n in range(1, 6)]),
        "page": solutions_picture(daily, [(row, 1, tiling), (next_day, 1, tiling[1:])]),
        "board": board_picture(daily),
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
@pytest.mark.parametrize("kind", ["tiling", "sheet", "page", "board"])
def test_png_looks_like_the_golden_picture(pictures, kind):
    data = pictures[kind].encode(".png", 300)
    path = GOLDEN / f"{kind}.png"
    if WRITE:
        path.write_bytes(data)
    new, old = (
        np.asarray(Image.open(each).convert("RGB"), int) for each in (io.BytesIO(data), path)
    )
    assert new.shape == old.shape
    # fonts and antialiasing differ between machines
    assert np.abs(new - old).mean() < 4


def test_headings_use_the_words_of_the_board(pictures):
    german = Row(("So", "Okt", "3"), datetime.date(2027, 10, 3))
    assert heading(german) == "So Okt 3 2027"
    assert heading(Row(("Oct", "6"))) == "Oct 6"
    assert "5 solutions" in pictures["sheet"].title
    assert "Dec 25 2025 to Dec 26 2025" in pictures["page"].title
    assert set("12345") <= set(texts_of(pictures["sheet"]))
    assert {"Dec 25 2025", "Dec 26 2025"} <= set(texts_of(pictures["page"]))


def test_text_of_a_user_is_escaped_and_a_label_of_two_cells_is_drawn_once():
    hard = parse_puzzle(HARD, "hard.toml")
    title = "<&\"' 日本, 2 pieces"
    root = ET.fromstring(board_picture(hard).svg())
    assert [each.tag for each in root[:2]] == [f"{SVG}title", f"{SVG}desc"]
    assert root[0].text == title
    assert texts_of(board_picture(hard)) == [title, "a", "<&", "U", "U"]
    long = labels_alone(of=["x" * 20, "y"]).load()
    labels = ET.fromstring(board_picture(long).svg()).iter(f"{SVG}text")
    sizes = {each.text: float(each.get("font-size")) for each in labels}
    assert sizes["x" * 20] == sizes["y"] == pytest.approx(0.8 * CELL / (20 * 0.64))
    assert [font_size_for("x" * n, 64, 10) for n in (1, 10, 20, 100)] == [10, 10, 5, 1]


def test_labels_have_one_size_and_letters_stand_in_the_first_cells_of_pieces(daily, tiling):
    picture = tiling_picture(daily, REVEAL, tiling[:3])
    texts = list(ET.fromstring(picture.svg()).iter(f"{SVG}text"))
    assert len({each.get("font-size") for each in texts if each.text in daily.labels}) == 1
    places = {each.text: [float(each.get(key)) / CELL for key in ("x", "y")] for each in texts}
    for placed in tiling[:3]:
        x, y = places[placed.piece]
        assert (math.floor(y - 1.3), math.floor(x - 0.5)) == placed.cells[0]
    assert all(0 < x * CELL < picture.width for x, _ in places.values())


def test_a_sheet_is_wider_than_high_and_more_boards_than_paper_holds_are_refused(
    daily, tiling, monkeypatch
):
    monkeypatch.setattr(pictures_module, "MAX_PANELS", 100)
    found = [(Row(REVEAL, DATE), number, tiling) for number in range(101)]
    picture = solutions_picture(daily, found[:100])
    assert 1.2 < picture.width / picture.height < 1.7
    with pytest.raises(TooLarge, match="--limit"):
        solutions_picture(daily, found)


@pytest.mark.needs("cairo", "a font")
def test_a_pdf_is_the_same_every_time_and_svg_scales_to_a_size(daily):
    picture = board_picture(daily)
    data = picture.encode(".pdf")
    assert data.startswith(b"%PDF-")
    assert data == picture.encode(".pdf")
    root = ET.fromstring(picture.svg(500))
    assert max(float(root.get("width")), float(root.get("height"))) == 500
    with pytest.raises(FormatError, match="jpg"):
        picture.encode(".jpg")
    assert picture.encode(".svg", 16) != picture.encode(".svg", 20_000)
    for size in (15, 20_001):
        with pytest.raises(OptionError, match=str(size)):
            picture.encode(".svg", size)


def test_without_the_cairo_library_the_package_is_named(monkeypatch):
    class Broken:
        def find_spec(self, name, path=None, target=None):
            if name == "cairocffi":
                raise OSError("no library called cairo-2 was found")

    monkeypatch.delitem(sys.modules, "cairocffi", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Broken(), *sys.meta_path])
    with pytest.raises(Missing, match="libcairo2"):
        Picture(1, 1, "t", "d", "#ffffff").encode(".png")


@pytest.mark.needs("cairo")
def test_without_a_font_the_package_is_named(monkeypatch):
    import cairocffi

    monkeypatch.setattr(cairocffi.Context, "text_extents", lambda self, text: (0.0,) * 6)
    with pytest.raises(Missing, match="fonts-dejavu-core"):
        Picture(1, 1, "t", "d", "#ffffff").encode(".png")
