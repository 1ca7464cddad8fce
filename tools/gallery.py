"""Writes the gallery of pictures: ``python -m tools.gallery FOLDER``, `make gallery`."""

from __future__ import annotations

import datetime
import io
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import ezdxf
import numpy as np
import trimesh
from matplotlib.figure import Figure
from mpl_toolkits.mplot3d.art3d import Poly3DCollection
from PIL import Image, ImageOps
from rich.console import Console
from rich.text import Text

from satcal.cli.main import run
from satcal.counting.settings import Question
from satcal.counting.tilings import diagram_for
from satcal.diagram.puzzle import PuzzleDiagram
from satcal.draw.terminal import beside, coloured, heat_map
from satcal.files import make_folder, write_bytes
from satcal.puzzle.loading import load
from satcal.puzzle.ranges import Range, Row, select
from satcal.tables import CountedRow

BOARDS = {"rhombus": "2025-10-23", "a-puzzle-a-day": "2025-12-25", "weekday": "2025-06-21"}
PRINTED = {"board": (0.85, 0.7, 0.47), "labels": (0.15, 0.2, 0.4), "pieces": (0.3, 0.55, 0.75)}
LIGHT = np.array([-0.3, -0.5, 0.81])
COLUMNS, LINES = 104, 34  # of a terminal
SMALL = "--size 240 -q"
PICTURES = {
    "tiling.svg": "draw tiling --date {date}",
    "dark.svg": "draw tiling --date {date} --theme dark",
    "sheet.svg": "draw sheet --date {date} --limit 60",
    "year.png": "draw year --year 2025 --size 1500",
    "pieces.svg": "draw pieces",
    "board.svg": "draw board",
    "day.svg": "draw board --date {date} --with-pieces",
    "matrix.png": "draw cover --date {date} --size 900",
    "laser.svg": "fabricate",
    "histogram.png": "stats --what histogram --size 900",
    "month-day.png": "stats --what month-day --size 900",
    "cover.png": "stats --what cover --size 900",
    "weekdays.png": "stats --what weekday --size 900",
    "search.gif": f"animate --date {{date}} --frames 60 {SMALL}",
    "prunings.gif": f"animate --date {{date}} --what prunings --frames 80 {SMALL}",
    "sat.gif": f"animate --date {{date}} --what sat --frames 20 {SMALL} --pace 500",
    "dates.gif": f"animate --month {{month}} --what dates {SMALL} --pace 400",
}


def commands(folder: Path) -> Iterator[list[str]]:
    """Yield the arguments of each command that makes a picture of the gallery."""
    for board, date in BOARDS.items():
        for name, command in PICTURES.items():
            if board == "a-puzzle-a-day" and name == "weekdays.png":
                continue  # it has none
            words = command.format(date=date, month=date[:7])
            path = str(folder / f"{board}.{name}")
            yield [*words.split(), "--force", "--board", board, "-o", path]


def screens(board: str, date: str, folder: Path) -> Iterator[Path]:
    """Write what a terminal shows of a board: tilings and counts; yield the paths."""
    puzzle, today = load(board), datetime.date.fromisoformat(date)

    def diagram_of(wanted: Range) -> tuple[list[Row], PuzzleDiagram]:
        rows = select(puzzle, wanted, today)
        return rows, diagram_for(Question(puzzle, [row.reveal for row in rows]))

    (row,), of_day = diagram_of(Range(date=date))
    tilings = [coloured(puzzle, row.reveal, of_day.tiling(k, row.reveal)) for k in range(2)]
    solved = beside([f"{row}, solution {number}" for number in (1, 2)], tilings)
    year, of_year = diagram_of(Range(year=today.year))
    counts = of_year.counts()
    counted = heat_map([CountedRow(row, counts[row.reveal]) for row in year], COLUMNS)
    counting = f"satcal count --board {board} --year {today.year}"
    shots = {
        "terminal": _picture(solved, f"satcal solve --board {board} --all"),
        "calendar": _picture(counted.append("\n"), counting),
    }
    for name, svg in shots.items():
        path = folder / f"{board}.{name}.svg"
        write_bytes(path, _plain(svg).encode())
        yield path


def _picture(shown: Text, title: str) -> str:
    console = Console(
        record=True,
        width=COLUMNS,
        file=io.StringIO(),
        force_terminal=True,
        color_system="truecolor",
    )
    console.print(shown, no_wrap=True, crop=True)
    return console.export_svg(title=title, unique_id="satcal")


def _plain(svg: str) -> str:
    """An SVG without fonts from the network, and with the same names in every run."""
    svg = re.sub(r"@font-face \{.*?\}\n", "", svg, flags=re.DOTALL)
    (name,) = set(re.findall(r"(terminal-[0-9a-z]+|satcal)-matrix", svg))
    return svg.replace(f"{name}-", "satcal-").replace("Fira Code, ", "")


def machines(board: str, folder: Path) -> Iterator[Path]:
    """Write pictures of what the files for lasers and printers hold; yield the paths."""
    with tempfile.TemporaryDirectory() as made:
        cut = f"{made}/cut.dxf"
        run(["fabricate", "--board", board, "-o", cut, "-q"])
        solids = {part: f"{made}/{part}.stl" for part in PRINTED}
        for part, file in solids.items():
            run(["fabricate", "--part", part, "--board", board, "-o", file, "-q"])
        for name, figure in (("dxf", _lines(cut)), ("stl", _solids(solids))):
            out, path = io.BytesIO(), folder / f"{board}.{name}.png"
            figure.savefig(out, dpi=200)
            large = Image.open(out).convert("RGB")
            large = large.crop(ImageOps.invert(large).getbbox())
            out = io.BytesIO()
            large.resize((900, 900 * large.height // large.width)).save(out, "png", optimize=True)
            write_bytes(path, out.getvalue())
            yield path


def _lines(path: str) -> Figure:
    """A figure of the lines of a DXF file in the colours of its layers."""
    document = ezdxf.readfile(path)
    figure = Figure(figsize=(12, 12))
    axes = figure.add_axes((0, 0, 1, 1), aspect="equal")
    axes.set_axis_off()
    for line in document.modelspace().query("LWPOLYLINE"):
        points = list(line.get_points("xy"))
        colour = ezdxf.colors.aci2rgb(document.layers.get(line.dxf.layer).color).to_hex()
        axes.plot(*zip(*points, *points[: line.closed], strict=True), color=colour, linewidth=0.7)
    return figure


def _solids(paths: dict[str, str]) -> Figure:
    """A figure of STL files, each in its colour, as seen from above and before."""
    corners, colours = [], []
    for part, path in paths.items():
        mesh: Any = trimesh.load_mesh(path)
        # small triangles, for matplotlib paints the farthest first
        vertices, faces = trimesh.remesh.subdivide_to_size(mesh.vertices, mesh.faces, 6, 20)
        mesh = trimesh.Trimesh(vertices, faces, process=False)
        height = mesh.triangles_center[:, 2]
        shade = np.clip(0.2 + 0.6 * mesh.face_normals @ LIGHT + 0.05 * height, 0, 1)
        corners.append(mesh.triangles)
        colours.append(shade[:, None] * PRINTED[part])
    figure = Figure(figsize=(12, 24))
    axes: Any = figure.add_axes((0, 0, 1, 1), projection="3d", proj_type="ortho")
    axes.add_collection3d(
        Poly3DCollection(
            np.concatenate(corners),
            facecolors=np.concatenate(colours),
            edgecolors="none",
            antialiased=False,
        )
    )
    points = np.concatenate(corners).reshape(-1, 3)
    least, most = points.min(0), points.max(0)
    axes.set(**{f"{axis}lim": ends for axis, *ends in zip("xyz", least, most, strict=True)})
    axes.set_box_aspect(most - least, zoom=1.1)
    axes.view_init(60, -85)
    axes.set_axis_off()
    return figure


def main(folder: Path) -> int:
    """Write the gallery and return an exit code."""
    make_folder(folder)
    for board, date in BOARDS.items():
        for path in (*screens(board, date, folder), *machines(board, folder)):
            print(path)
    return max(run(arguments) for arguments in commands(folder))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
