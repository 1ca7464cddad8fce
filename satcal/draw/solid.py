"""Pieces, board and labels for printers: STL, and programs for OpenSCAD with sizes as variables.

The board is a tray: a floor that is engraved, and a wall, lower than the pieces so that fingers
can take them. The labels are what fills the engraving, in a second colour.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from itertools import chain
from pathlib import Path
from string import Template
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
    bodies = [_board(lines)] if part in ("all", "board") else []
    if part in ("all", "pieces"):
        bodies += [_section(lines, piece, -SLIT).extrude(THICK) for piece in lines.pieces]
    if part == "labels":
        bodies.append(_engraving(lines).extrude(DEPTH).translate((0, 0, FLOOR - DEPTH)))
    return _binary(Manifold.compose(bodies))


def _section(lines: Plan, polygons: Iterable[Polygon], away: float = 0) -> CrossSection:
    """Return what polygons enclose, grown by some millimetres, with y upwards."""
    from manifold3d import CrossSection, FillRule

    grown = (offset(polygon, away) if away else polygon for polygon in polygons)
    upwards = [[(x, lines.height - y) for x, y in polygon] for polygon in grown]
    return CrossSection(upwards, FillRule.NonZero)


def _engraving(lines: Plan) -> CrossSection:
    """Return the lines between the regions, and the letters."""
    floor = _section(lines, lines.hole, -GROOVE)  # so no edge lies on one of a region
    regions = _section(lines, chain.from_iterable(lines.regions), -GROOVE / 2)
    return floor - regions + _section(lines, lettering(lines))


def _board(lines: Plan) -> Manifold:
    block = _section(lines, [lines.frame]).extrude(FLOOR + WALL)
    hollow = _section(lines, lines.hole, -SLIT).extrude(FLOOR + WALL).translate((0, 0, FLOOR))
    engraved = _engraving(lines).extrude(FLOOR + WALL).translate((0, 0, FLOOR - DEPTH))
    return block - hollow - engraved


def _binary(solid: Manifold) -> bytes:
    """Return the binary STL of a solid: 80 bytes, a number, and 50 bytes for each triangle."""
    mesh = solid.to_mesh()
    corners = mesh.vert_properties[mesh.tri_verts]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-30)
    fields = [("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")]
    triangles = np.zeros(len(corners), fields)
    triangles["normal"], triangles["corners"] = normals, corners
    header = b"STL in millimetres, written by satcal".ljust(80)
    return header + len(corners).to_bytes(4, "little") + triangles.tobytes()


def scad(puzzle: Puzzle, measures: Measures) -> bytes:
    """Return a program for OpenSCAD; raise OptionError for too many pieces."""
    lines, unit = plan(puzzle, measures, sheet=BED), measures.cell
    regions = [(label.text, label.cells) for label in puzzle.labels.values()]
    regions += [("", (cell,)) for cell in puzzle.cells if cell not in puzzle.label_at]
    # in cells from the board's upper left corner
    pieces = [(name, [round((each - GAP - MARGIN) / unit, 2) for each in (top, left)], shape)
              for name, shape, left, top in lines.lying]  # fmt: skip
    sizes = {
        "cell": unit, "play": measures.play, "thick": THICK, "base": FLOOR, "wall": WALL,
        "margin": MARGIN, "depth": DEPTH, "groove": GROOVE, "rows": puzzle.rows,
        "columns": puzzle.columns, "letters": CAPITALS * lines.font_size / unit,
    }  # fmt: skip
    values = {name: f"{size:.6g}" for name, size in sizes.items()}
    values |= {"title": lines.title, "regions": _vector(regions), "pieces": _vector(pieces)}
    program = Template(Path(__file__).with_suffix(".scad").read_text("utf-8"))
    return program.substitute(values).encode()


def _vector(entries: Sequence[object]) -> str:
    """Return a vector of OpenSCAD, an entry a line."""
    return "\n  ".join(["[", *(f"{json.dumps(e, ensure_ascii=False)}," for e in entries)]) + "\n]"
