"""A picture of why cells cannot stay uncovered: one other cell, and each way to cover it."""

from __future__ import annotations

from collections.abc import Sequence

from satcal.counting.survey import CellSet, Impasse
from satcal.draw.pictures import scene
from satcal.draw.svg import Picture, fitting, words
from satcal.draw.tables import count_of
from satcal.draw.theme import Theme
from satcal.puzzle.model import Placement, Puzzle, cell_name

UNIT = 34.0  # pixels of a cell


def impasse_picture(puzzle: Puzzle, uncovered: CellSet, impasse: Impasse, theme: Theme) -> Picture:
    """Return the empty board, then the board with each placement that covers the cell."""

    def name(cell: tuple[int, int]) -> str:
        label = puzzle.label_at.get(cell)
        return label.text if label else cell_name(cell)

    open_cells = " and ".join(map(name, uncovered))
    panels: list[tuple[str, Sequence[Placement], CellSet]] = [
        (f"what covers {name(impasse.cell)}?", (), (impasse.cell,))
    ]
    for placed, part in zip(impasse.ways, impasse.cut_off, strict=True):
        panels.append((f"{placed.piece} cuts off {', '.join(map(name, part))}", (placed,), part))
    title = (
        f"{open_cells} cannot both stay uncovered: {count_of(len(impasse.ways), 'placement')} on "
        f"{name(impasse.cell)}, none works"
    )
    wide, high = (puzzle.columns + 1) * UNIT, (puzzle.rows + 2) * UNIT
    width, height = len(panels) * wide + UNIT / 2, high + 1.8 * UNIT
    description = "; ".join(text for text, _, _ in panels)
    picture = Picture(width, height, title, description, theme.background)
    size = fitting(title, width - UNIT, 0.7 * UNIT)
    picture.add(words(title, width / 2, 0.9 * UNIT, size, theme.text))
    for number, (text, placements, marked) in enumerate(panels):
        left = UNIT / 2 + number * wide
        at = scene(puzzle, theme, UNIT, left, 2.8 * UNIT)
        size = fitting(text, wide - UNIT, 0.5 * UNIT)
        picture.add(words(text, left + puzzle.columns * UNIT / 2, 2.2 * UNIT, size, theme.text))
        covered = {cell for placed in placements for cell in placed.cells}
        picture.add(*at.board([cell for cell in puzzle.cells if cell not in covered]))
        for cell in uncovered:
            picture.add(at.outline([cell], theme.revealed, theme.line, 0.05))
            picture.add(at.label(name(cell), [cell], theme.text, 0.46))
        for placed in placements:
            picture.add(*at.placement(placed))
        for cell in marked:
            picture.add(at.outline([cell], theme.text, theme.line, 0.05))
            picture.add(at.label(name(cell), [cell], theme.background, 0.46))
        picture.add(at.rim())
    return picture
