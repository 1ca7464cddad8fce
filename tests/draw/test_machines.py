"""What lasers and printers get, read back by other libraries and measured against the drawing."""

from __future__ import annotations

import io
import itertools
import json
import re
import xml.etree.ElementTree as ET

import ezdxf
import pytest
import shapely
import trimesh
from shapely import affinity
from shapely.geometry import Polygon, box

from satcal.counting.search import Search
from satcal.draw.laser import MARGIN, Measures, laser_dxf, laser_picture
from satcal.draw.solid import DEPTH, FLOOR, PARTS, PLAY, THICK, WALL, scad, stl
from satcal.errors import OptionError
from satcal.puzzle.loading import load
from satcal.puzzle.placements import cover

SVG = "{http://www.w3.org/2000/svg}"
CELL, KERF = 20.0, 0.15
PRINT = Measures(CELL, 0, PLAY)
CUT = Measures(CELL, KERF, 0.2)
EXACT = pytest.approx  # to a millionth
SEEN = 0.02  # mm: what no printer sees
# the squares of the piece touch at a corner, as those of the board do
PINCHED = """
name = "pinched"
board = "$x$ WWW *\\n* . *\\n* * .\\n. . *"
[categories]
one = ["$x$", "WWW"]
[pieces]
G = "###\\n#.#\\n##."
"""


def read(data):
    """Return the mesh of an STL file."""
    return trimesh.load_mesh(io.BytesIO(data), file_type="stl")


@pytest.fixture(scope="module", params=["a-puzzle-a-day", "rhombus"])
def puzzle(request):
    return load(request.param)


@pytest.fixture(scope="module")
def solids(puzzle):
    """The meshes of every part."""
    return {part: read(stl(puzzle, PRINT, part)) for part in PARTS}


@pytest.fixture
def pinched(tmp_path):
    """Makes the puzzle, with another label."""

    def make(label="WWW"):
        (tmp_path / "pinched.toml").write_text(PINCHED.replace("WWW", label))
        return load(str(tmp_path / "pinched.toml"))

    return make


def squares(cells, left=0.0, top=0.0):
    """Return the union of cells with y upwards, in millimetres."""
    corners = [(left + column * CELL, top - row * CELL) for row, column in cells]
    return shapely.union_all([box(x, y - CELL, x + CELL, y) for x, y in corners])


def moved_edges(shape, away):
    return shape.buffer(away, join_style="mitre")


def bodies(mesh):
    """Return the triangles of each connected body."""
    parts = trimesh.graph.connected_components(mesh.face_adjacency, engine="networkx")
    return [mesh.submesh([part], append=True) for part in parts]


def seen_from_above(mesh, height):
    """Return what is horizontal and looks upwards at a height."""
    up = (mesh.face_normals[:, 2] > 0.5) & (abs(mesh.triangles_center[:, 2] - height) < 1e-3)
    return shapely.union_all([Polygon(corners[:, :2]) for corners in mesh.triangles[up]])


def placed(shape, target, mirrored=True):
    """Return a shape turned, flipped and moved onto what it equals but for the play; or None."""
    for flip, angle in itertools.product((1, -1) if mirrored else (1,), (0, 90, 180, 270)):
        turned = affinity.rotate(affinity.scale(shape, xfact=flip), angle)
        (left, low, *_), (to_left, to_low, *_) = turned.bounds, target.bounds
        there = affinity.translate(turned, to_left - left + PLAY / 2, to_low - low + PLAY / 2)
        if moved_edges(target, -PLAY / 2).symmetric_difference(there).area < 2:
            return there
    return None


def test_every_solid_is_watertight_and_of_the_volume_that_was_drawn(puzzle, solids):
    for mesh in solids.values():
        assert mesh.is_watertight
        assert mesh.is_winding_consistent
    whole = sum(solids[part].volume for part in ("board", "pieces"))
    assert solids["all"].volume == EXACT(whole, rel=1e-6)
    copies = [piece.shape for piece in puzzle.pieces for _ in range(piece.copies)]
    assert len(bodies(solids["pieces"])) == len(copies)
    drawn = sum(moved_edges(squares(shape), -PLAY / 2).area for shape in copies)
    assert solids["pieces"].volume == EXACT(THICK * drawn, rel=5e-4)
    wide, high = (CELL * each + 2 * MARGIN for each in (puzzle.columns, puzzle.rows))
    assert solids["board"].extents == EXACT([wide, high, FLOOR + WALL], abs=1e-3)
    block = wide * high * (FLOOR + WALL) - len(puzzle.cells) * CELL**2 * WALL
    assert solids["board"].volume + solids["labels"].volume == EXACT(block, rel=1e-4)
    assert solids["labels"].bounds[:, 2] == EXACT([FLOOR - DEPTH, FLOOR], abs=1e-4)
    assert solids["labels"].volume > 500


def test_the_pieces_of_a_tiling_lie_in_the_tray_with_the_play_between_them(puzzle, solids):
    board = solids["board"]
    wall = seen_from_above(board, FLOOR + WALL)
    left, _, _, top = board.bounds[:, :2].ravel()
    pocket = squares(puzzle.cells, left + MARGIN, top - MARGIN)
    assert wall.intersection(pocket).area < SEEN * pocket.length
    shapes = [seen_from_above(body, THICK) for body in bodies(solids["pieces"])]
    reveal = next(puzzle.reveals())
    tiling = next(Search(cover(puzzle, reveal)).tilings())
    lying = []
    for each in tiling:
        target = squares(each.cells, left + MARGIN, top - MARGIN)
        shape, there = next((s, p) for s in shapes if (p := placed(s, target)))
        shapes.remove(shape)
        lying.append(there)
    assert not shapes
    assert min(there.distance(wall) for there in lying) == EXACT(PLAY / 2, abs=SEEN)
    cells = [set(each.cells) for each in tiling]
    pairs = itertools.combinations(zip(lying, cells, strict=True), 2)
    for (one, of_one), (other, of_other) in pairs:
        sides = {(r + 1, c) for r, c in of_one} | {(r - 1, c) for r, c in of_one}
        sides |= {(r, c + 1) for r, c in of_one} | {(r, c - 1) for r, c in of_one}
        if sides & of_other:
            assert one.distance(other) == EXACT(PLAY, abs=SEEN)
        else:
            assert one.distance(other) > PLAY


def test_pieces_that_may_not_be_flipped_are_printed_as_they_are_drawn():
    puzzle = load("rhombus", None, "none")
    shapes = [seen_from_above(body, THICK) for body in bodies(read(stl(puzzle, PRINT, "pieces")))]
    for piece in puzzle.pieces:
        target = squares(piece.shape)
        (shape,) = [shape for shape in shapes if placed(shape, target, mirrored=False)]
        shapes.remove(shape)


def test_letters_stand_upright_in_their_cells(puzzle, solids):
    letters = seen_from_above(solids["labels"], FLOOR)
    left, _, _, top = solids["board"].bounds[:, :2].ravel()
    for label in puzzle.labels.values():
        cell = squares(label.cells, left + MARGIN, top - MARGIN)
        assert letters.intersection(cell.buffer(-1)).area > 4, label
    ring = squares(puzzle.labels["7"].cells, left + MARGIN, top - MARGIN).buffer(-1)
    seven = letters.intersection(ring)
    (x, y), half = ring.centroid.coords[0], CELL / 2
    upper, lower = (seven.intersection(box(x - half, y + d, x + half, y + d + half))
                    for d in (0, -half))  # fmt: skip
    assert upper.area > lower.area
    assert lower.centroid.x < upper.centroid.x


def test_the_same_call_gives_the_same_bytes(pinched):
    usual = ezdxf.options.write_fixed_meta_data_for_testing
    for make in (laser_dxf, scad, stl):
        assert make(pinched(), PRINT) == make(pinched(), PRINT)
    assert ezdxf.options.write_fixed_meta_data_for_testing == usual


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
    assert colours == {name: 5 if name == "engraving" else 1 for name in found}
    return found


def svg_polygons(path, height):
    """Return the polygons of an SVG path of horizontal and vertical lines, y upwards."""
    polygons = []
    for part in re.findall(r"M([^z]*)z", path):
        x, y, *steps = re.findall(r"[hv]?-?[\d.]+", part)
        points = [(float(x), height - float(y))]
        for step in steps:
            x, y = points[-1]
            way = float(step[1:])
            points.append((x + way, y) if step[0] == "h" else (x, y - way))
        polygons.append(Polygon(points))
    return polygons


def test_the_dxf_has_the_lines_of_the_svg_and_the_areas_of_the_drawing(puzzle):
    found = layers(laser_dxf(puzzle, CUT))
    picture = laser_picture(puzzle, CUT)
    groups = ET.fromstring(picture.svg()).findall(f"{SVG}g")
    assert list(found) == [group.get("id") for group in groups]
    for group in groups:
        paths = [path.get("d") for path in group.findall(f"{SVG}path")]
        drawn = [each for path in paths for each in svg_polygons(path, picture.height)]
        letters = found[group.get("id")][len(drawn) :]
        assert bool(letters) == (group.get("id") == "engraving")
        for one, other in zip(drawn, found[group.get("id")], strict=False):
            assert one.bounds == EXACT(other.bounds, abs=0.01)
            assert one.area == EXACT(other.area, rel=1e-3)
    away = (CUT.kerf - CUT.play) / 2
    copies = [piece.shape for piece in puzzle.pieces for _ in range(piece.copies)]
    wanted = [moved_edges(squares(shape), away).area for shape in copies]
    assert [each.area for each in found["pieces"]] == EXACT(wanted, rel=1e-4)
    hole, frame = found["tray"]
    assert hole.area == EXACT(moved_edges(squares(puzzle.cells), -KERF / 2).area, rel=1e-4)
    assert frame.area == EXACT(found["board"][0].area)
    wide = CELL * puzzle.columns + 2 * MARGIN + KERF
    assert frame.bounds[2] - frame.bounds[0] == EXACT(wide, abs=0.002)


def test_parts_of_a_dxf_never_overlap(puzzle):
    found = layers(laser_dxf(puzzle, CUT))
    parts = [found["board"][0], found["tray"][1], *found["pieces"]]
    for one, other in itertools.combinations(parts, 2):
        assert one.distance(other) > 3.5


def test_squares_that_touch_at_a_corner_are_watertight_even_without_play(pinched):
    puzzle = pinched()
    for play, part in itertools.product((0, PLAY), PARTS):
        assert read(stl(puzzle, Measures(CELL, 0, play), part)).is_watertight, (play, part)


@pytest.mark.parametrize("label", ["WWW", "WWWWWWWW"])
def test_letters_keep_within_their_cell_and_dollars_are_no_mathematics(pinched, label):
    found = layers(laser_dxf(pinched(label), CUT))["engraving"]
    regions, letters = found[:8], found[8:]
    assert len(letters) >= 3 + len(label)
    for each in letters:
        assert sum(region.contains(each) for region in regions) == 1


def test_a_letter_that_the_font_lacks_is_named_with_the_way_out(pinched):
    puzzle = pinched("日")
    for make in (stl, laser_dxf):
        with pytest.raises(OptionError, match=r"label '日': DejaVu Sans has no 日; write .*\.scad"):
            make(puzzle, PRINT)
    assert '["日", [[0, 1]]]' in scad(puzzle, PRINT).decode()


def test_the_program_for_openscad_has_sizes_regions_and_pieces(puzzle):
    text = scad(puzzle, Measures(15, 0, 0.3)).decode()
    assert "\ncell = 15;\n" in text
    assert "\nplay = 0.3; // " in text
    vectors = re.findall(r"\n(\w+) = (\[\n.*?\n\]);", text, re.DOTALL)
    listed = {name: json.loads(lines.replace(",\n]", "]")) for name, lines in vectors}
    labels = {text: [list(cell) for cell in puzzle.labels[text].cells] for text in puzzle.labels}
    assert {text: cells for text, cells in listed["regions"] if text} == labels
    shapes = []
    for name, place, cells in listed["pieces"]:
        orientation = tuple(map(tuple, cells))
        assert orientation in puzzle.piece(name).orientations
        shapes.append(squares(orientation, place[1] * CELL, -place[0] * CELL))
    shapes.append(squares(puzzle.cells))
    assert shapely.union_all(shapes).area == EXACT(sum(shape.area for shape in shapes))
