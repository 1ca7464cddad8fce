"""Pieces, board and labels for printers: STL, and text for OpenSCAD with its sizes as variables.

The board is a tray: a floor in which lines and labels are engraved, and a wall, lower than the
pieces so that fingers can take them. The labels are what would fill the engraving, for a second
colour. Sizes and play are those of the cut lines, without a kerf.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from satcal.draw.laser import GAP, MARGIN, Measures, Plan, lettering, plan
from satcal.draw.outline import Polygon, offset
from satcal.errors import Missing
from satcal.puzzle.model import Puzzle

if TYPE_CHECKING:
    from manifold3d import CrossSection, Manifold

SUFFIXES = (".stl", ".scad")
PARTS = ("all", "board", "pieces", "labels")
THICK = 5.0  # mm of a piece
FLOOR = 2.0  # mm below the pieces
WALL = 3.0  # mm above the floor
DEPTH = 0.6  # mm of the engraving: two or three layers of a printer
GROOVE = 0.6  # mm between two regions: a little wider than what most nozzles draw
PLAY = 0.4  # mm: printers are coarser than lasers
CAPITALS = 0.72  # of a font size: what OpenSCAD calls the size of a text
BED = 210.0  # mm: pieces are laid out in rows about as wide as a common printer
# Walls, or squares of a piece without play, that touch at a corner would share an edge
# between four faces. This many mm less of each part them, and no printer sees it.
SLIT = 0.002


def stl(puzzle: Puzzle, measures: Measures, part: str = "all") -> bytes:
    """Return a part of ``PARTS`` as binary STL in millimetres, always the same bytes.

    Each body is closed. ``all`` is the board with the pieces before it. Raises OptionError as
    :func:`plan` and :func:`lettering`, Missing without manifold3d or matplotlib.
    """
    try:
        from manifold3d import Manifold
    except ImportError as error:
        raise Missing(f'STL needs {error.name}: pip install "satcal[machines]"') from error
    lines = plan(puzzle, measures, sheet=BED)
    bodies = []
    if part in ("all", "board"):
        bodies.append(_board(lines))
    if part in ("all", "pieces"):
        bodies += [_section(lines, piece, -SLIT).extrude(THICK) for piece in lines.pieces]
    if part == "labels":
        bodies.append(_engraving(lines).extrude(DEPTH).translate((0, 0, FLOOR - DEPTH)))
    return _binary(Manifold.compose(bodies))


def _section(lines: Plan, polygons: Iterable[Polygon], away: float = 0) -> CrossSection:
    """Return what polygons enclose, grown by some millimetres, with y upwards."""
    from manifold3d import CrossSection, FillRule

    grown = [offset(polygon, away) if away else polygon for polygon in polygons]
    upwards = [[(x, lines.height - y) for x, y in polygon] for polygon in grown]
    return CrossSection(upwards, FillRule.NonZero)


def _engraving(lines: Plan) -> CrossSection:
    """Return the lines between the regions, and the letters."""
    floor = _section(lines, lines.hole, -GROOVE)  # so no edge lies on one of a region
    regions = _section(lines, chain.from_iterable(lines.regions), -GROOVE / 2)
    return floor - regions + _section(lines, lettering(lines))


def _board(lines: Plan) -> Manifold:
    def above(section: CrossSection, floor: float) -> Manifold:
        return section.extrude(FLOOR + WALL).translate((0, 0, floor))

    block = _section(lines, [lines.frame]).extrude(FLOOR + WALL)
    hollow = above(_section(lines, lines.hole, -SLIT), FLOOR)
    return block - hollow - above(_engraving(lines), FLOOR - DEPTH)


def _binary(solid: Manifold) -> bytes:
    """Return the binary STL of a solid: 80 bytes, a number, and 50 bytes for each triangle."""
    mesh = solid.to_mesh()
    corners = mesh.vert_properties[mesh.tri_verts]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-30)
    fields = [("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")]
    triangles = np.zeros(len(corners), fields)
    triangles["normal"], triangles["corners"] = normals, corners
    header = b"binary STL in millimetres, written by satcal".ljust(80)
    return header + np.array(len(corners), "<u4").tobytes() + triangles.tobytes()


def scad(puzzle: Puzzle, measures: Measures) -> bytes:
    """Return a program for OpenSCAD: sizes, what is drawn, and how it becomes solid.

    Raises OptionError for too many pieces.
    """
    lines, unit = plan(puzzle, measures, sheet=BED), measures.cell
    sizes = [
        ("cell", f"{unit:g}", "a cell"),
        ("play", f"{measures.play:g}", "between two pieces; half of it beside the wall"),
        ("thick", f"{THICK:g}", "a piece"),
        ("base", f"{FLOOR:g}", "the floor below the pieces"),
        ("wall", f"{WALL:g}", "the wall above the floor"),
        ("margin", f"{MARGIN:g}", "the wall beside the outermost cells"),
        ("depth", f"{DEPTH:g}", "the engraving"),
        ("groove", f"{GROOVE:g}", "its lines between regions"),
        ("letters", f"{CAPITALS * lines.font_size / unit:.3g} * cell", "a capital's height"),
    ]
    regions = [[label.text, label.cells] for label in puzzle.labels.values()]
    regions += [["", [cell]] for cell in puzzle.cells if cell not in puzzle.label_at]
    # below the board, in cells from its upper left corner
    pieces = [
        [name, [round((each - GAP - MARGIN) / unit, 2) for each in (top, left)], shape]
        for name, shape, left, top in lines.lying
    ]
    return "\n".join([
        f"// {json.dumps(lines.title, ensure_ascii=False)[1:-1]}, millimetres; by satcal",
        'part = "all"; // or "board", "pieces", "labels": what fills the engraving',
        *(f"{name} = {value}; // {meaning}" for name, value, meaning in sizes),
        'font = "DejaVu Sans";',
        f"rows = {puzzle.rows};",
        f"columns = {puzzle.columns};",
        "// label and cells of each region; a cell is [row, column]",
        f"regions = {_listed(regions)};",
        "// name, place and cells of each piece",
        f"pieces = {_listed(pieces)};",
        SOLIDS,
    ]).encode()  # fmt: skip


def _listed(entries: Sequence[object]) -> str:
    """Return a vector of OpenSCAD, an entry a line."""
    lines = "".join(f"  {json.dumps(entry, ensure_ascii=False)},\n" for entry in entries)
    return f"[\n{lines}]"


SOLIDS = """
module place(at) translate([at[1], -at[0]] * cell) children();
module squares(cells) for (at = cells) place(at) translate([0, -cell]) square(cell);
module inside(cells, distance) offset(delta = -distance) squares(cells);

module engraving() {
  difference() {
    inside([for (region = regions) each region[1]], groove);
    for (region = regions) inside(region[1], groove / 2);
  }
  for (region = regions) place(region[1][0] + [0.5, 0.5])
    text(region[0], letters, font, halign = "center", valign = "center");
}

module board() difference() {
  translate([-margin, -rows * cell - margin])
    cube([columns * cell + 2 * margin, rows * cell + 2 * margin, base + wall]);
  translate([0, 0, base]) linear_extrude(base + wall)
    squares([for (region = regions) each region[1]]);
  translate([0, 0, base - depth]) linear_extrude(base + wall) engraving();
}

if (part == "all" || part == "board") board();
if (part == "all" || part == "pieces")
  for (piece = pieces) place(piece[1]) linear_extrude(thick) inside(piece[2], play / 2);
if (part == "labels") translate([0, 0, base - depth]) linear_extrude(depth) engraving();
"""
