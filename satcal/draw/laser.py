"""Cut lines for makers: base board, tray and pieces in millimetres, a layer each.

A laser burns away a line as wide as its *kerf*, so every cut runs half a kerf outside of what
is to stay. Pieces are smaller than their cells by the *play*, so that they drop in.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from satcal.draw.outline import Polygon, offset, outlines, path_data
from satcal.draw.pictures import name_of
from satcal.draw.svg import Picture, element, fitting, words
from satcal.errors import OptionError
from satcal.puzzle.model import Puzzle

CUT, ENGRAVE = "#ff0000", "#0000ff"  # what cutters' programs take for cutting and engraving
HAIRLINE = 0.1  # mm
MARGIN = 8.0  # mm of wood around the board
GAP = 4.0  # mm between parts
SHEET = 300.0  # mm: pieces are laid out in rows about as wide as a common sheet
MAX_PIECES = 500


@dataclass(frozen=True)
class Measures:
    """Sizes in millimetres; OptionError if they leave nothing of a piece."""

    cell: float = 20.0
    kerf: float = 0.15
    play: float = 0.2

    def __post_init__(self) -> None:
        if not 2 <= self.cell <= 500:
            raise OptionError(f"--cell {self.cell:g}: use 2 to 500 mm")
        if not (0 <= self.kerf < self.cell / 4 and 0 <= self.play < self.cell / 4):
            raise OptionError(
                f"--kerf {self.kerf:g} and --play {self.play:g}: use 0 to less than a quarter of "
                f"--cell, which is {self.cell:g} mm"
            )


def laser_picture(puzzle: Puzzle, measures: Measures) -> Picture:
    """Return the cut lines of a puzzle; raise OptionError for too many pieces."""
    if sum(piece.copies for piece in puzzle.pieces) > MAX_PIECES:
        raise OptionError(f"{puzzle.name} has more than {MAX_PIECES} pieces; that is no toy")
    unit, half = measures.cell, measures.kerf / 2
    wide, high = puzzle.columns * unit + 2 * MARGIN, puzzle.rows * unit + 2 * MARGIN
    second = 2 * GAP + wide  # where the tray begins
    pieces, right, bottom = _pieces(puzzle, measures, 2 * GAP + high, max(SHEET, 2 * wide + GAP))
    title = f"{name_of(puzzle)}: cut lines"
    description = (
        f"Cells of {unit:g} mm, kerf {measures.kerf:g} mm, play {measures.play:g} mm. "
        "Red is cut, blue is engraved: base board, tray to glue onto it, pieces."
    )
    picture = Picture(max(second + wide + GAP, right), bottom, title, description, unit="mm")
    frame = offset(((0, 0), (wide, 0), (wide, high), (0, high)), half)
    hole = [offset(each, -half / unit) for each in outlines(puzzle.cells)]
    tray = _cut([frame], second, GAP)
    picture.add(
        _layer("engraving", ENGRAVE, _engraving(puzzle, unit, GAP + MARGIN)),
        _layer("board", CUT, [_cut([frame], GAP, GAP)]),
        _layer("tray", CUT, [_cut(hole, second + MARGIN, GAP + MARGIN, unit), tray]),
        _layer("pieces", CUT, pieces),
    )
    return picture


def _layer(name: str, colour: str, content: Iterable[str]) -> str:
    layer = {"inkscape:groupmode": "layer", "inkscape:label": name, "id": name}
    stroke = {"fill": "none", "stroke": colour}
    return element("g", "".join(content), **layer, **stroke, stroke_width=HAIRLINE)


def _cut(polygons: Sequence[Polygon], left: float, top: float, unit: float = 1.0) -> str:
    return element("path", d=path_data(polygons, unit, left, top))


def _engraving(puzzle: Puzzle, unit: float, corner: float) -> list[str]:
    """Return the lines around every region of the base board, and the labels."""
    labels = puzzle.labels.values()
    regions = [label.cells for label in labels]
    regions += [(cell,) for cell in puzzle.cells if cell not in puzzle.label_at]
    lines = "".join(path_data(outlines(region), unit, corner, corner) for region in regions)
    drawn = [element("path", d=lines)]
    size = unit * min((fitting(label.text, 0.8, 0.4) for label in labels), default=0.4)
    for label in labels:
        row, column = label.cells[0]
        x, y = corner + (column + 0.5) * unit, corner + (row + 0.5) * unit
        drawn.append(words(label.text, x, y, size, ENGRAVE, stroke="none"))
    return drawn


def _pieces(
    puzzle: Puzzle, measures: Measures, top: float, width: float
) -> tuple[list[str], float, float]:
    """Return the pieces' cuts in rows, and how far they reach to the right and down."""
    unit, away = measures.cell, (measures.kerf - measures.play) / 2
    cuts, left, deepest, reach = [], GAP, top, 0.0
    for piece in puzzle.pieces:
        # rows of flat pieces waste little wood
        shape = min(piece.orientations, key=lambda shape: max(r for r, _ in shape))
        wide, high = (unit * (1 + max(cell[axis] for cell in shape)) for axis in (1, 0))
        lines = [offset(each, away / unit) for each in outlines(shape)]
        for _ in range(piece.copies):
            if left + wide + GAP > width and left > GAP:
                left, top = GAP, deepest + GAP
            cuts.append(_cut(lines, left, top, unit))
            left, deepest = left + wide + GAP, max(deepest, top + high)
            reach = max(reach, left)
    return cuts, reach, deepest + GAP
