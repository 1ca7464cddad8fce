"""Pieces, board and labels for printers: STL.

The board is a tray: a floor that is engraved, and a wall, lower than the pieces so that fingers
can take them. The labels are what fills the engraving, in a second colour.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from satcal.draw.laser import CutPlan, CutSettings, cut_plan, lettering
from satcal.draw.outline import Polygon, offset
from satcal.errors import Missing
from satcal.parts import command_for
from satcal.puzzle.model import Puzzle

if TYPE_CHECKING:
    from manifold3d import CrossSection, Manifold

PARTS = ("all", "board", "pieces", "labels")
THICK = 5.0  # mm of a piece
FLOOR = 2.0  # mm below the pieces
WALL = 3.0  # mm above the floor
DEPTH = 0.6  # mm of the engraving: two or three layers of a printer
GROOVE = 0.6  # mm between two regions: a little wider than what most nozzles draw
PLAY = 0.4  # mm: printers are coarser than lasers
BED = 210.0  # mm: pieces are laid out in rows about as wide as a common printer
# Walls, or squares of a piece without play, that touch at a corner would share an edge
# between four faces. This many mm less of each part them, and no printer sees it.
SLIT = 0.002


def stl(puzzle: Puzzle, settings: CutSettings, part: str = "all") -> bytes:
    """A part of ``PARTS`` as binary STL in millimetres, always the same bytes.

    Each body is closed. ``all`` is the board with the pieces before it. Raises OptionError as
    :func:`cut_plan` and :func:`lettering`, Missing without manifold3d or matplotlib.
    """
    try:
        from manifold3d import Manifold
    except ImportError as error:
        raise Missing(f"STL needs {error.name}: {command_for('machines')}") from error
    plan = cut_plan(puzzle, settings, sheet_width=BED)
    bodies = [_board(plan)] if part in ("all", "board") else []
    if part in ("all", "pieces"):
        bodies += [_section(plan, piece, -SLIT).extrude(THICK) for piece in plan.pieces]
    if part == "labels":
        bodies.append(_engraving(plan).extrude(DEPTH).translate((0, 0, FLOOR - DEPTH)))
    return _binary(Manifold.compose(bodies))


def _section(plan: CutPlan, polygons: Iterable[Polygon], away: float = 0) -> CrossSection:
    """The area that polygons enclose, grown by some millimetres, with y upwards."""
    from manifold3d import CrossSection, FillRule

    grown = (offset(polygon, away) if away else polygon for polygon in polygons)
    upwards = [[(x, plan.height - y) for x, y in polygon] for polygon in grown]
    return CrossSection(upwards, FillRule.NonZero)


def _engraving(plan: CutPlan) -> CrossSection:
    """The lines between the regions, and the letters."""
    floor = _section(plan, plan.hole, -GROOVE)  # so no edge lies on one of a region
    regions = _section(plan, chain.from_iterable(plan.regions), -GROOVE / 2)
    return floor - regions + _section(plan, lettering(plan))


def _board(plan: CutPlan) -> Manifold:
    block = _section(plan, [plan.border]).extrude(FLOOR + WALL)
    hollow = _section(plan, plan.hole, -SLIT).extrude(FLOOR + WALL).translate((0, 0, FLOOR))
    engraved = _engraving(plan).extrude(FLOOR + WALL).translate((0, 0, FLOOR - DEPTH))
    return block - hollow - engraved


def _binary(solid: Manifold) -> bytes:
    """The binary STL of a solid: 80 bytes, a number, and 50 bytes for each triangle."""
    mesh = solid.to_mesh()
    corners = mesh.vert_properties[mesh.tri_verts]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-30)
    fields = [("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")]
    triangles = np.zeros(len(corners), fields)
    triangles["normal"], triangles["corners"] = normals, corners
    header = b"STL in millimetres, written by satcal".ljust(80)
    return header + len(corners).to_bytes(4, "little") + triangles.tobytes()
