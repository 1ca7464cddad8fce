"""What lasers and printers get, read by other libraries and measured by the drawing."""

from __future__ import annotations

import io
import itertools

import ezdxf
import pytest
import shapely
import trimesh
from shapely import affinity
from shapely.geometry import Polygon, box

from satcal.draw.laser import MARGIN, CutSettings, laser_dxf
from satcal.draw.solid import DEPTH, FLOOR, PARTS, PLAY, THICK, WALL, stl
from satcal.errors import OptionError
from satcal.puzzle.loading import load
from satcal.puzzle.toml import parse_puzzle

CELL = 20.0
CUT = CutSettings(CELL, 0.15, 0.2)
EXACT = pytest.approx  # to a millionth
TRICKY = """
name = "tricky"
board = '''
$x$ WW WW * *
*   .  *  * *
*   *  .  * *
*   *  7  * MMMMMMMM
'''
[categories]
one = ["$x$", "7", "MMMMMMMM"]
two = ["WW"]
[pieces]
G = "###\\n#.#\\n##."
L = { shape = "###\\n#..", copies = 2, flip = false }
"""
"""Squares and holes that touch at a corner, wide labels, copies not to be flipped."""


@pytest.fixture(scope="module", params=["a-puzzle-a-day", "tricky"])
def puzzle(request):
    tricky = request.param == "tricky"
    return parse_puzzle(TRICKY, "tricky") if tricky else load(request.param, None, "none")


@pytest.fixture(scope="module")
def play(puzzle):
    """None where that is harder: squares that touch at a corner would share an edge."""
    return 0 if puzzle.name == "tricky" else PLAY


@pytest.fixture(scope="module")
def solids(puzzle, play):
    """The meshes of every part."""
    return {part: read(stl(puzzle, CutSettings(CELL, 0, play), part)) for part in PARTS}


def read(data):
    """Return the mesh of an STL file."""
    return trimesh.load_mesh(io.BytesIO(data), file_type="stl")


def layers(data):
    """Return the polygons of each layer of a DXF file, all of them closed lines."""
    document = ezdxf.read(io.StringIO(data.decode()))
    assert document.header["$INSUNITS"] == 4  # millimetres
    assert not document.audit().errors
    found = {}
    for line in document.modelspace():
        assert line.dxftype() == "LWPOLYLINE"
        assert line.closed
        found.setdefault(line.dxf.layer, []).append(Polygon(line.get_points("xy")))
    colours = {name: document.layers.get(name).color for name in found}
    assert colours == {"engraving": 5, "board": 1, "tray": 1, "pieces": 1}
    return found


def squares(cells, left=0.0, top=0.0):
    """Return the union of cells with y upwards, in millimetres."""
    corners = [(left + column * CELL, top - row * CELL) for row, column in cells]
    return shapely.union_all([box(x, y - CELL, x + CELL, y) for x, y in corners])


def moved_edges(shape, away):
    return shape.buffer(away, join_style="mitre")


def drawn_pieces(puzzle, away):
    """Return a shape for each copy of each piece, its edges moved."""
    copies = [piece.shape for piece in puzzle.pieces for _ in range(piece.copies)]
    return [moved_edges(squares(shape), away) for shape in copies]


def bodies(mesh):
    """Return the triangles of each connected body."""
    parts = trimesh.graph.connected_components(mesh.face_adjacency, engine="networkx")
    return [mesh.submesh([part], append=True) for part in parts]


def seen_from_above(mesh, height):
    """Return what is horizontal and looks upwards at a height."""
    up = (mesh.face_normals[:, 2] > 0.5) & (abs(mesh.triangles_center[:, 2] - height) < 1e-3)
    return shapely.union_all([Polygon(corners[:, :2]) for corners in mesh.triangles[up]])


def is_turned(shape, target):
    """Return whether a shape is another one, turned and moved."""
    for angle in (0, 90, 180, 270):
        turned = affinity.rotate(shape, angle)
        (left, low, *_), (to_left, to_low, *_) = turned.bounds, target.bounds
        there = affinity.translate(turned, to_left - left, to_low - low)
        if target.symmetric_difference(there).area < 1:
            return True
    return False


def assert_labels_are_upright(puzzle, letters, left, top):
    """Look for every label on its cells; a 7 has more above, and below less on the right."""
    for label in puzzle.labels.values():
        cells = squares(label.cells, left + MARGIN, top - MARGIN)
        assert letters.intersection(cells.buffer(-1)).area > 0.5, label
    cell = squares(puzzle.labels["7"].cells, left + MARGIN, top - MARGIN)
    (x, y), half = cell.centroid.coords[0], CELL / 2 - 1
    upper = letters.intersection(box(x - half, y, x + half, y + half))
    lower = letters.intersection(box(x - half, y - half, x + half, y))
    assert upper.area > lower.area
    assert lower.centroid.x < upper.centroid.x


def test_every_solid_is_watertight_and_of_the_volume_of_its_drawing(puzzle, play, solids):
    for mesh in solids.values():
        assert mesh.is_watertight
        assert mesh.is_winding_consistent
    whole = sum(solids[part].volume for part in ("board", "pieces"))
    assert solids["all"].volume == EXACT(whole, rel=1e-6)
    drawn = sum(shape.area for shape in drawn_pieces(puzzle, -play / 2))
    assert solids["pieces"].volume == EXACT(THICK * drawn, rel=5e-4)
    wide, high = (CELL * each + 2 * MARGIN for each in (puzzle.columns, puzzle.rows))
    assert solids["board"].extents == EXACT([wide, high, FLOOR + WALL], abs=1e-3)
    block = wide * high * (FLOOR + WALL) - len(puzzle.cells) * CELL**2 * WALL
    assert solids["board"].volume + solids["labels"].volume == EXACT(block, rel=1e-4)
    assert solids["labels"].bounds[:, 2] == EXACT([FLOOR - DEPTH, FLOOR], abs=1e-4)


def test_pieces_are_as_they_are_drawn_but_for_the_play_and_the_wall_is_beside_the_cells(
    puzzle, play, solids
):
    shapes = [seen_from_above(body, THICK) for body in bodies(solids["pieces"])]
    for target in drawn_pieces(puzzle, -play / 2):
        shapes.remove(next(shape for shape in shapes if is_turned(shape, target)))
    assert not shapes
    wall = seen_from_above(solids["board"], FLOOR + WALL)
    left, _, _, top = wall.bounds
    pocket = squares(puzzle.cells, left + MARGIN, top - MARGIN)
    assert wall.symmetric_difference(box(*wall.bounds) - pocket).area < 2


def test_letters_stand_upright_in_their_cells(puzzle, solids):
    left, _, _, top = solids["board"].bounds[:, :2].ravel()
    assert_labels_are_upright(puzzle, seen_from_above(solids["labels"], FLOOR), left, top)


def test_the_same_call_gives_the_same_bytes():
    puzzle = parse_puzzle(TRICKY, "tricky")
    usual = ezdxf.options.write_fixed_meta_data_for_testing
    for make in (laser_dxf, stl):
        assert make(puzzle, CUT) == make(puzzle, CUT)
    assert ezdxf.options.write_fixed_meta_data_for_testing == usual


def test_the_dxf_has_board_tray_and_pieces_of_the_sizes_of_the_drawing_apart(puzzle):
    found = layers(laser_dxf(puzzle, CUT))
    (board,), (*holes, frame) = found["board"], found["tray"]
    wanted = drawn_pieces(puzzle, (CUT.kerf - CUT.play) / 2)
    assert [each.area for each in found["pieces"]] == EXACT([s.area for s in wanted], rel=1e-4)
    wide, high = (CELL * n + 2 * MARGIN + CUT.kerf for n in (puzzle.columns, puzzle.rows))
    left, low, right, top = board.bounds
    assert (right - left, top - low) == EXACT((wide, high), abs=0.002)
    assert frame.area == EXACT(board.area)
    (outer, *inner) = sorted((hole.area for hole in holes), reverse=True)
    cells = moved_edges(squares(puzzle.cells), -CUT.kerf / 2).area
    assert outer - sum(inner) == EXACT(cells, rel=1e-4)
    for one, other in itertools.combinations([board, frame, *found["pieces"]], 2):
        assert one.distance(other) > 3.5
    labels = puzzle.labels.values()
    outlines = len(puzzle.cells) - sum(len(label.cells) - 1 for label in labels)
    regions, letters = found["engraving"][:outlines], found["engraving"][outlines:]
    # dollars are no mathematics
    assert len(letters) >= sum(len(label.text) for label in labels)
    assert all(sum(region.contains(each) for region in regions) == 1 for each in letters)
    half = CUT.kerf / 2
    assert_labels_are_upright(puzzle, shapely.union_all(letters), left + half, top - half)


def test_a_letter_that_the_font_lacks_is_named_with_the_way_out():
    puzzle = parse_puzzle(TRICKY.replace("7", "日"), "tricky")
    for make in (stl, laser_dxf):
        with pytest.raises(OptionError, match=r"label '日': DejaVu Sans has no 日; write .svg"):
            make(puzzle, CUT)
