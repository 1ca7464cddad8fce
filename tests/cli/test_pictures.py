"""The commands that draw: files, formats, and every kind of bad input."""

import io
import json
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from PIL import Image

from helpers.waiting import apart
from satcal.parts import command_for
from tools.gallery import BOARDS, commands, screens

GALLERY = Path(__file__).parents[2] / "results" / "gallery"
TITLE = "{http://www.w3.org/2000/svg}title"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """An empty working directory, looked into after a failure."""
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    return here


@pytest.mark.parametrize(
    ("options", "title"),
    [
        ("tiling", "A-Puzzle-A-Day, 2025-12-25"),
        ("tiling --random --seed 3", "A-Puzzle-A-Day, 2025-12-25"),
        ("sheet --limit 3", "A-Puzzle-A-Day, 2025-12-25: 3 of 92 tilings"),
        ("year --from 2025-10-06 --to 2025-10-07", "A-Puzzle-A-Day 2025-10-06 to 2025-10-07"),
        ("year --seed 2", "A-Puzzle-A-Day 2025"),
        ("pieces", "A-Puzzle-A-Day, 8 pieces"),
        ("board --theme dark", "A-Puzzle-A-Day"),
        ("pieces pentomino-3x20", "Twelve pentominoes on 3 by 20, 12 pieces"),
        ("board --date 2025-10-06 --with-pieces", "A-Puzzle-A-Day, 2025-10-06"),
        ("board --cells 6,r0c0", "A-Puzzle-A-Day, Jan, 6"),
        ("cover", "A-Puzzle-A-Day, 2025-12-25: 782 placements"),
        ("parts", "A-Puzzle-A-Day, 2025-12-25: 1 part, 0 that no pieces fill"),
    ],
)
def test_draw_writes_svg_to_standard_output(satcal, options, title):
    said = satcal(f"draw {options}")
    assert said.code == 0, said.err
    assert ET.fromstring(said.out).find(TITLE).text == title
    assert len(said.out) < 600_000


@pytest.mark.needs("cairo", "a font")
@pytest.mark.parametrize(
    ("name", "start"), [("a.png", b"\x89PNG"), ("a.pdf", b"%PDF"), ("a.SVG", b"<svg")]
)
def test_the_suffix_decides_the_format(satcal, folder, name, start):
    said = satcal(f"draw board -o {name} --size 200")
    assert said.code == 0, said.err
    assert (folder / name).read_bytes().startswith(start)
    assert said.err.startswith(f"{name}: A-Puzzle-A-Day, ")


@pytest.mark.needs("cairo")
@pytest.mark.parametrize(
    ("arguments", "module", "extra"),
    [
        ("draw board -o a.png", "cairosvg", "draw"),
        ("stats -o a.png", "matplotlib", "draw"),
        ("animate -o a.gif --frames 2", "PIL", "draw"),
        ("fabricate -o a.stl", "manifold3d", "machines"),
        ("fabricate -o a.dxf", "ezdxf", "machines"),
        ("fabricate -o a.dxf", "matplotlib", "machines"),
    ],
)
def test_a_missing_package_is_exit_4_with_the_command_that_adds_it(
    satcal, folder, monkeypatch, arguments, module, extra
):
    for name in [n for n in sys.modules if n.split(".")[0] == module]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, module, None)
    said = satcal(arguments)
    assert said.code == 4, said.err
    assert command_for(extra) in said.err
    assert list(folder.iterdir()) == []


def test_machines_get_files_by_their_suffix_and_the_parts_that_were_asked_for(satcal, folder):
    def made(name, options, shown):
        said = satcal(f"fabricate -o {name} {options} -b pentomino-3x20")
        assert said.err.startswith(f"{name}: Twelve pentominoes on 3 by 20{shown}, ")
        return (folder / name).read_bytes()

    board = made("board.stl", "--part board", ": board")
    pieces = made("pieces.stl", "--part pieces --cell 10", ": pieces")
    assert len(made("all.stl", "", ": all parts")) == len(board) + len(pieces) - 84
    assert made("same.stl", "--part pieces --cell 10 --play 0.4", ": pieces") == pieces
    assert made("other.stl", "--part pieces --play 0.3", ": pieces") != pieces
    assert b"AC1015" in made("a.DXF", "--kerf 0.2", ": cut lines")


def test_stats_are_csv_on_standard_output_and_their_numbers_are_right(satcal):
    def stats(what):
        return satcal(f"stats --year 2025 --what {what}").rows()

    counts = satcal("count --year 2025 -q").rows()
    counts = {row["date"]: int(row["tilings"]) for row in counts}
    for row in stats("histogram"):
        low, high, dates = map(int, row.values())
        assert dates == sum(low <= count <= high for count in counts.values())
    christmas = {"month": "Dec", "day": "25", "tilings": str(counts["2025-12-25"])}
    assert christmas in stats("month-day")


def test_cover_says_in_how_many_tilings_each_piece_covers_a_cell(satcal, folder):
    said = satcal("stats --what cover --reveal Oct,6 -o cover.json")
    assert said.code == 0
    records = json.loads((folder / "cover.json").read_text())
    assert sum(r["tilings"] for r in records if r["cell"] == "r0c0") == 7
    assert sum(r["tilings"] for r in records if r["cell"] == "r1c3") == 0  # Oct
    assert sum(r["tilings"] for r in records if r["piece"] == "O") == 7 * 6


@pytest.mark.parametrize(
    "what",
    ["histogram", "month-day", "weekday -b rhombus --month 2025-02", "cover"],
)
def test_every_plot_is_a_picture(satcal, folder, what):
    said = satcal(f"stats --what {what} -o plot.png --size 400")
    assert said.code == 0, said.err
    image = Image.open(io.BytesIO((folder / "plot.png").read_bytes()))
    assert image.size == (400, 240)
    assert len(image.convert("RGB").getcolors(100_000)) > 10


@pytest.mark.parametrize("name", ["plot.svg", "plot.pdf"])
def test_plots_are_the_same_every_time(satcal, folder, name):
    plots = set()
    for _ in range(2):
        assert satcal(f"stats --reveal Oct,6 -o {name} --force").code == 0
        plots.add((folder / name).read_bytes())
    assert len(plots) == 1


@pytest.mark.parametrize(
    ("arguments", "frames"),
    [
        ("--what search --frames 5", 5),
        ("--what sat --reveal Oct,6", 7),
        ("--what dates --from 2025-10-05 --to 2025-10-06", 2),
    ],
)
def test_animations_have_their_frames(satcal, folder, arguments, frames):
    said = satcal(f"animate -o a.gif --size 120 {arguments}")
    assert said.code == 0, said.err
    assert Image.open(io.BytesIO((folder / "a.gif").read_bytes())).n_frames == frames


def test_a_hint_says_no_more_than_was_asked_for(satcal):
    lines = satcal("hint --reveal Oct,6").out.splitlines()
    assert lines[0] == "Oct 6: it can be solved, 7 solutions left"
    assert lines[3].startswith("┌")
    assert not any(" P " in line for line in lines[3:])
    placed = lines[2].removeprefix("a possible next placement: ")
    drawn = satcal(f"hint --reveal Oct,6 --place {placed}").out
    assert drawn.count(f" {placed[0]} ") >= 5  # what is placed is drawn with the next step
    more = satcal("hint --reveal Oct,6 -m").out.splitlines()
    assert more[:3] == lines[:3]
    assert sum(line.endswith((" place", " places")) for line in more[3:]) == 8
    most = satcal(f"hint --reveal Oct,6 -mm --place {placed}").out
    assert "Oct 6: it can be solved, " in most
    assert all(f" {name} " in most for name in "OUVZLNYP")


def test_a_board_that_cannot_be_solved_is_an_answer_with_exit_1(satcal):
    said = satcal("hint --reveal Oct,6 --place O:r0c0,r0c1,r0c2,r1c0,r1c1,r1c2")
    assert (said.code, said.err) == (1, "")
    assert said.out == "it can no longer be solved: take back O, which leaves 7 solutions\n"
    as_json = satcal("hint --reveal Oct,6 --place O:r0c0,r0c1,r0c2,r1c0,r1c1,r1c2 --format json")
    assert (as_json.code, '"tilings": 0' in as_json.out) == (1, True)


def test_a_full_board_needs_no_hint(satcal):
    tiling = satcal("solve --reveal Oct,6 --format lines").out.strip()
    said = satcal("hint --reveal Oct,6 --place", tiling)
    assert said.out.endswith("1 solution left\nevery piece is placed\n")


@pytest.fixture
def colours(monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)


@pytest.mark.parametrize(("columns", "beside"), [("80", 1), ("200", 4)])
def test_solve_puts_tilings_side_by_side_in_colour(satcal, colours, monkeypatch, columns, beside):
    monkeypatch.setenv("COLUMNS", columns)
    said = satcal("solve --reveal Oct,6 --all")
    assert said.out.splitlines()[0].count("solution") == beside
    assert ";48;5;" in said.out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in satcal("solve --reveal Oct,6 --all").out


def test_count_shows_a_heat_map_below_the_calendar_in_colour_only(satcal, colours, monkeypatch):
    line = "count --month 2025-02 --format calendar --verify 0"
    coloured = satcal(line).out
    monkeypatch.setenv("NO_COLOR", "1")
    bare = satcal(line).out
    assert "fewest to most" in coloured
    assert "fewest to most" not in bare
    assert coloured.startswith(bare.partition("\na-puzzle")[0])


def test_the_gallery_has_every_kind_of_picture_for_three_boards(folder):
    drawn = {Path(arguments[arguments.index("-o") + 1]).name for arguments in commands(folder)}
    drawn |= {f"{board}.{name}.svg" for board in BOARDS for name in ("terminal", "calendar")}
    drawn |= {f"{board}.{name}.png" for board in BOARDS for name in ("dxf", "stl")}
    kept = [file for file in GALLERY.iterdir() if file.is_file()]
    assert drawn == {file.name for file in kept}
    assert max(file.stat().st_size for file in kept) < 500_000
    board = "a-puzzle-a-day"
    for file in apart(lambda: list(screens(board, BOARDS[board], folder))):
        assert file.read_bytes() == (GALLERY / file.name).read_bytes()
