"""Cut lines for makers: base board, tray and pieces in millimetres, a layer each.

A laser burns away a line as wide as its *kerf*, so every cut runs half a kerf outside of what
is to stay. Pieces are smaller than their cells by the *play*, so that they drop in: two have that
between them, a piece and the wall half of it.
"""

from __future__ import annotations

import io
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from satcal.draw.outline import Polygon, offset, outlines, path_data
from satcal.draw.pictures import title_of
from satcal.draw.svg import Picture, element, font_size_for, text_element
from satcal.errors import Missing, OptionError
from satcal.parts import command_for
from satcal.puzzle.model import Puzzle
from satcal.puzzle.shapes import Shape, extent

# what cutters' programs take for cutting and engraving, also in DXF
CUT, ENGRAVE, RED, BLUE = "#ff0000", "#0000ff", 1, 5
HAIRLINE = 0.1  # mm
MARGIN = 8.0  # mm of wood around the board
GAP = 4.0  # mm between parts
SHEET = 300.0  # mm: pieces are laid out in rows about as wide as a common sheet
MAX_PIECES = 500
FINE = 40.0  # font size at which bends of letters become straight lines


@dataclass(frozen=True)
class CutSettings:
    """Sizes in millimetres; OptionError if they leave nothing of a piece."""

    cell: float = 20.0
    kerf: float = 0.15
    play: float = 0.2

    def __post_init__(self) -> None:
        if not 2 <= self.cell <= 500:
            raise OptionError(f"--cell {self.cell:g}: use 2 to 500 mm")
        for name, width in (("kerf", self.kerf), ("play", self.play)):
            if not 0 <= width < self.cell / 4:
                most = f"{self.cell / 4:g} mm (a quarter of --cell)"
                raise OptionError(f"--{name} {width:g}: use 0 to less than {most}")


@dataclass(frozen=True)
class CutPlan:
    """The lines of a puzzle on a sheet, in millimetres from its upper left corner, y downwards.

    ``border`` goes around the board and ``hole`` around its cells; ``regions`` are what stays
    uncovered as a whole. A label is its text with the middle of its first cell; ``layout`` has of
    each piece its name, an orientation, left and top, ``pieces`` its lines.
    """

    title: str
    cell_size: float
    border: Polygon
    hole: list[Polygon]
    regions: list[list[Polygon]]
    labels: list[tuple[str, float, float]]
    font_size: float
    layout: list[tuple[str, Shape, float, float]]
    pieces: list[list[Polygon]]
    width: float
    height: float

    def layers(self) -> dict[str, list[list[Polygon]]]:
        """The lines to engrave and to cut, the tray to the right of the base board."""
        (left, _), (right, _) = self.border[:2]
        tray = [_placed(lines, 1, right - left + GAP, 0) for lines in (self.hole, [self.border])]
        lines = [*chain.from_iterable(self.regions)]
        return {"engraving": [lines], "board": [[self.border]], "tray": tray, "pieces": self.pieces}


def cut_plan(
    puzzle: Puzzle, settings: CutSettings, boards: int = 1, sheet_width: float = 0
) -> CutPlan:
    """The lines of a puzzle: its pieces lie in rows below so many boards side by side.

    The rows may be as wide as a sheet. Raises OptionError for too many pieces.
    """
    if sum(piece.copies for piece in puzzle.pieces) > MAX_PIECES:
        raise OptionError(
            f"{puzzle.name} has more than {MAX_PIECES} pieces, the most that can be laid out; "
            "choose a smaller puzzle"
        )
    unit, half, corner = settings.cell, settings.kerf / 2, GAP + MARGIN
    wide, high = puzzle.columns * unit + 2 * MARGIN, puzzle.rows * unit + 2 * MARGIN
    border = offset(((0, 0), (wide, 0), (wide, high), (0, high)), half)
    hole = [offset(outline, -half / unit) for outline in outlines(puzzle.cells)]
    labels = puzzle.labels.values()
    regions = [label.cells for label in labels]
    regions += [(cell,) for cell in puzzle.cells if cell not in puzzle.label_at]
    firsts = [(label.text, *label.cells[0]) for label in labels]
    width = boards * (wide + GAP) + GAP
    layout, right, bottom = _rows(puzzle, unit, 2 * GAP + high, max(width, sheet_width))
    away = (settings.kerf - settings.play) / 2 / unit
    return CutPlan(
        title_of(puzzle),
        unit,
        _placed([border], 1, GAP, GAP)[0],
        _placed(hole, unit, corner, corner),
        [_placed(outlines(region), unit, corner, corner) for region in regions],
        [(text, corner + (x + 0.5) * unit, corner + (y + 0.5) * unit) for text, y, x in firsts],
        unit * min((font_size_for(label.text, 0.8, 0.4) for label in labels), default=0.4),
        layout,
        [
            _placed((offset(outline, away) for outline in outlines(shape)), unit, left, top)
            for _, shape, left, top in layout
        ],
        max(width, right),
        bottom,
    )


def laser_picture(puzzle: Puzzle, settings: CutSettings) -> Picture:
    """The cut lines of a puzzle; raises OptionError for too many pieces."""
    plan = cut_plan(puzzle, settings, 2, SHEET)
    title = f"{plan.title}: cut lines"
    description = (
        f"Cells of {settings.cell:g} mm, kerf {settings.kerf:g} mm, play {settings.play:g} mm. "
        "Red is cut, blue is engraved: base board, tray to glue onto it, pieces."
    )
    picture = Picture(plan.width, plan.height, title, description, length_unit="mm")
    for name, parts in plan.layers().items():
        drawn = [element("path", d=path_data(part, 1, 0, 0)) for part in parts]
        if name == "engraving":
            drawn += [
                text_element(*label, plan.font_size, ENGRAVE, stroke="none")
                for label in plan.labels
            ]
        picture.add(_layer(name, ENGRAVE if name == "engraving" else CUT, drawn))
    return picture


def laser_dxf(puzzle: Puzzle, settings: CutSettings) -> bytes:
    """The lines of the picture as DXF (AutoCAD 2000) in millimetres, always the same.

    All are closed, those of the letters too. Raises OptionError for too many pieces or a letter
    without outline, Missing without ezdxf or matplotlib.
    """
    try:
        import ezdxf
    except ImportError as error:
        raise Missing(f"DXF needs {error.name}: {command_for('machines')}") from error
    plan, out = cut_plan(puzzle, settings, 2, SHEET), io.StringIO()
    layers = plan.layers()
    layers["engraving"].append(lettering(plan))
    usual = ezdxf.options.write_fixed_meta_data_for_testing
    ezdxf.options.write_fixed_meta_data_for_testing = True  # instead of clock and random names
    try:
        document = ezdxf.new("R2000", units=4)  # millimetres
        space = document.modelspace()
        for name, parts in layers.items():
            document.layers.add(name, color=BLUE if name == "engraving" else RED)
            for polygon in chain.from_iterable(parts):
                points = [(round(x, 3), round(plan.height - y, 3)) for x, y in polygon]
                space.add_lwpolyline(points, close=True, dxfattribs={"layer": name})
        document.write(out)
    finally:
        ezdxf.options.write_fixed_meta_data_for_testing = usual
    return out.getvalue().encode()


def lettering(plan: CutPlan) -> list[Polygon]:
    """The outlines of the labels in the font that the pictures name first.

    Raises OptionError for a letter that it lacks, Missing without matplotlib.
    """
    try:
        import matplotlib
        from matplotlib.font_manager import FontProperties, get_font
        from matplotlib.textpath import TextPath
    except ImportError as error:
        raise Missing(f"letters need {error.name}: {command_for('machines')}") from error
    font = Path(matplotlib.get_data_path(), "fonts", "ttf", "DejaVuSans.ttf")
    known, paths = get_font(font).get_charmap(), []
    for text, _, _ in plan.labels:
        if lacking := [letter for letter in text if ord(letter) not in known]:
            other = "write .svg, which leaves the font to the program that opens it"
            raise OptionError(f"label '{text}': DejaVu Sans has no {lacking[0]}; {other}")
        escaped = text.replace("$", r"\$")  # two dollars would be mathematics
        path: Any = TextPath((0, 0), escaped, FINE, prop=FontProperties(fname=font))
        paths.append(path)
    extents = [path.get_extents() for path in paths]
    fits = [0.9 * plan.cell_size / box.width for box in extents if box.width > 0]
    scale = min([plan.font_size / FINE, *fits])
    return [
        tuple(
            (x + scale * (u - (box.x0 + box.x1) / 2), y + scale * (0.36 * FINE - v))
            for u, v in polygon[:-1]
        )
        for (_, x, y), path, box in zip(plan.labels, paths, extents, strict=True)
        for polygon in path.to_polygons()
    ]


def _placed(polygons: Iterable[Polygon], unit: float, left: float, top: float) -> list[Polygon]:
    return [tuple((left + x * unit, top + y * unit) for x, y in polygon) for polygon in polygons]


def _layer(name: str, colour: str, content: Iterable[str]) -> str:
    layer = {"inkscape:groupmode": "layer", "inkscape:label": name, "id": name}
    stroke = {"fill": "none", "stroke": colour}
    return element("g", "".join(content), **layer, **stroke, stroke_width=HAIRLINE)


def _rows(
    puzzle: Puzzle, unit: float, top: float, width: float
) -> tuple[list[tuple[str, Shape, float, float]], float, float]:
    """The places of the pieces, and how far they reach to the right and down."""
    layout, left, deepest, reach = [], GAP, top, 0.0
    for piece in puzzle.pieces:
        # rows of flat pieces waste little wood
        shape = min(piece.orientations, key=lambda shape: extent(shape)[0])
        high, wide = (unit * cells for cells in extent(shape))
        for _ in range(piece.copies):
            if left + wide + GAP > width and left > GAP:
                left, top = GAP, deepest + GAP
            layout.append((piece.name, shape, left, top))
            left, deepest = left + wide + GAP, max(deepest, top + high)
            reach = max(reach, left)
    return layout, reach, deepest + GAP
