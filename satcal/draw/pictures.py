"""Pictures of a tiling, of many, of the empty board, and of the piece set."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from satcal.draw.outline import outlines, path_data
from satcal.draw.svg import Picture, element, fitting, words
from satcal.draw.tables import count_of
from satcal.draw.theme import Theme, ink_on
from satcal.errors import OptionError
from satcal.puzzle.model import Placement, Puzzle, Reveal, Tiling
from satcal.puzzle.shapes import Cell

CELL = 60.0  # pixels of a cell of a board that fills its picture
SMALL_CELL = 18.0  # pixels of a cell where many tilings share a picture
MAX_ON_SHEET = 2000  # a sheet of more is larger than any paper, and nobody looks at it


@dataclass(frozen=True)
class Scene:
    """Where a board stands in a picture, how large its cells are, and in which colours."""

    puzzle: Puzzle
    theme: Theme
    unit: float
    left: float
    top: float
    colours: Mapping[str, str]
    letters: bool = True

    def outline(self, cells: Sequence[Cell], fill: str, line: str, width: float) -> str:
        """Return the outline of a set of cells as one path."""
        return element(
            "path", d=path_data(outlines(cells), self.unit, self.left, self.top), fill=fill,
            stroke=line, stroke_width=width * self.unit,
        )  # fmt: skip

    def rim(self) -> str:
        """Return the outline of the board, drawn above everything else."""
        return self.outline(self.puzzle.cells, "none", self.theme.line, 0.09)

    def board(self, faint: Sequence[Cell]) -> list[str]:
        """Return the board, and the regions and labels of the cells that are to be seen."""
        theme = self.theme
        drawn = [self.outline(self.puzzle.cells, theme.board, "none", 0)]
        shown = frozenset(faint)
        done: set[str] = set()
        for cell in faint:
            label = self.puzzle.label_at.get(cell)
            if label is None:
                drawn.append(self.outline([cell], "none", theme.grid, 0.03))
            elif label.text not in done and shown.issuperset(label.cells):
                done.add(label.text)
                drawn.append(self.outline(label.cells, "none", theme.grid, 0.03))
                drawn.append(self.label(label.text, label.cells, theme.text, 0.38))
        return drawn

    def label(self, text: str, cells: Sequence[Cell], colour: str, size: float) -> str:
        """Return a label in the middle of its region."""
        # a region need not be convex: the cell next to its middle is always in it
        row = sum(r for r, _ in cells) / len(cells)
        column = sum(c for _, c in cells) / len(cells)
        wide = len({c for _, c in cells}) if len({r for r, _ in cells}) == 1 else 1
        if wide == 1 and len({c for _, c in cells}) > 1:
            row, column = min(cells, key=lambda cell: math.dist(cell, (row, column)))
        x = self.left + (column + 0.5) * self.unit
        y = self.top + (row + 0.5) * self.unit
        return words(text, x, y, fitting(text, 0.8 * wide, size) * self.unit, colour)

    def placement(self, placed: Placement) -> list[str]:
        """Return a piece where it stands, its name in a corner of its first cell."""
        colour = self.colours[placed.piece]
        drawn = [self.outline(placed.cells, colour, self.theme.line, 0.05)]
        if self.letters:
            row, column = min(placed.cells)
            size = fitting(placed.piece, 0.5, 0.34)
            x = self.left + (column + 0.09) * self.unit
            y = self.top + (row + 0.25) * self.unit
            drawn.append(words(placed.piece, x, y, size * self.unit, ink_on(colour), "start"))
        return drawn

    def tiling(self, reveal: Reveal, tiling: Sequence[Placement]) -> list[str]:
        """Return the board with the pieces of a tiling, or of a part of one."""
        hidden = self.puzzle.uncovered(reveal)
        covered = hidden.union(*(placed.cells for placed in tiling))
        drawn = self.board([cell for cell in self.puzzle.cells if cell not in covered])
        for text in reveal:
            cells = self.puzzle.labels[text].cells
            drawn.append(self.outline(cells, self.theme.revealed, self.theme.line, 0.05))
            drawn.append(self.label(text, cells, self.theme.text, 0.46))
        for placed in tiling:
            drawn += self.placement(placed)
        drawn.append(self.rim())
        return drawn


def scene(
    puzzle: Puzzle, theme: Theme, unit: float, left: float, top: float, letters: bool = True
) -> Scene:
    """Return a scene with a theme's colours for the puzzle's pieces."""
    return Scene(puzzle, theme, unit, left, top, theme.piece_colours(puzzle), letters)


def _framed(puzzle: Puzzle, theme: Theme, title: str, description: str) -> Picture:
    """Return a picture for one board under its title."""
    width, height = (puzzle.columns + 1) * CELL, (puzzle.rows + 1.8) * CELL
    picture = Picture(width, height, title, description, theme.background)
    size = fitting(title, width / CELL - 1, 0.42) * CELL
    picture.add(words(title, width / 2, 0.68 * CELL, size, theme.text))
    return picture


def name_of(puzzle: Puzzle) -> str:
    """Return the title of a puzzle, or its name where it has none."""
    return puzzle.title or puzzle.name


def tiling_picture(
    puzzle: Puzzle, reveal: Reveal, tiling: Sequence[Placement], theme: Theme, when: str
) -> Picture:
    """Return a picture of a tiling; ``when`` says which date or reveal it is of."""
    title = f"{name_of(puzzle)}, {when}" if when else name_of(puzzle)
    description = f"A tiling of {puzzle.name}: {' '.join(map(str, tiling))}"
    picture = _framed(puzzle, theme, title, description)
    picture.add(*scene(puzzle, theme, CELL, CELL / 2, 1.3 * CELL).tiling(reveal, tiling))
    return picture


def board_picture(puzzle: Puzzle, theme: Theme) -> Picture:
    """Return a picture of the empty board."""
    description = f"The board of {puzzle.name}: {count_of(len(puzzle.cells), 'cell')}"
    picture = _framed(puzzle, theme, name_of(puzzle), description)
    drawn = scene(puzzle, theme, CELL, CELL / 2, 1.3 * CELL)
    picture.add(*drawn.board(puzzle.cells), drawn.rim())
    return picture


def sheet_picture(
    puzzle: Puzzle, reveal: Reveal, tilings: Sequence[Tiling], total: int, theme: Theme, when: str
) -> Picture:
    """Return a sheet of tilings of one reveal, ``total`` of which there are.

    Raises:
        OptionError: no tiling, or more than a sheet takes.
    """
    if not tilings:
        raise OptionError("a sheet needs at least one tiling")
    if len(tilings) > MAX_ON_SHEET:
        raise OptionError(f"a sheet takes at most {MAX_ON_SHEET:,} tilings; use --limit")
    unit = SMALL_CELL
    wide, high = (puzzle.columns + 1) * unit, (puzzle.rows + 1) * unit
    # about as wide as high, a little wider
    across = min(len(tilings), max(1, round(math.sqrt(1.4 * len(tilings) * high / wide))))
    down = math.ceil(len(tilings) / across)
    head = max(2.6 * unit, 0.05 * across * wide)
    some = "" if len(tilings) == total else f"{len(tilings):,} of "
    title = f"{name_of(puzzle)}, {when or 'the board'}: {some}{count_of(total, 'tiling')}"
    width = across * wide + unit
    picture = Picture(
        width, head + down * high + unit / 2, title, f"Tilings of {puzzle.name}", theme.background
    )
    size = fitting(title, width - 2 * unit, 0.42 * head)
    picture.add(words(title, width / 2, 0.5 * head, size, theme.text))
    for number, tiling in enumerate(tilings):
        row, column = divmod(number, across)
        left, top = unit + column * wide, head + row * high
        picture.add(*scene(puzzle, theme, unit, left, top, False).tiling(reveal, tiling))
    return picture


def pieces_picture(puzzle: Puzzle, theme: Theme) -> Picture:
    """Return a picture of the piece set: a line of orientations for each piece."""
    unit = 24.0
    colours = theme.piece_colours(puzzle)
    lines = []
    for piece in puzzle.pieces:
        high = max(1 + max(r for r, _ in shape) for shape in piece.orientations)
        wide = sum(1.9 + max(c for _, c in shape) for shape in piece.orientations)
        lines.append((piece, high, wide))
    width = (6 + max(wide for _, _, wide in lines)) * unit
    height = (2.4 + sum(high + 0.9 for _, high, _ in lines)) * unit
    noun = count_of(sum(piece.copies for piece in puzzle.pieces), "piece")
    title = f"{name_of(puzzle)}, {noun}"
    picture = Picture(
        width, height, title, f"The pieces of {puzzle.name} in all orientations", theme.background
    )
    size = fitting(title, width - unit, 0.8 * unit)
    picture.add(words(title, width / 2, 1.1 * unit, size, theme.text))
    top = 2.4 * unit
    for piece, high, _ in lines:
        text = piece.name if piece.copies == 1 else f"{piece.copies} {piece.name}"
        middle = top + high * unit / 2
        picture.add(words(text, unit, middle - 0.2 * unit, 0.9 * unit, theme.text, "start"))
        turned = count_of(len(piece.orientations), "orientation")
        picture.add(words(turned, unit, middle + 0.6 * unit, 0.42 * unit, theme.text, "start"))
        left = 5.2 * unit
        for shape in piece.orientations:
            drawn = Scene(puzzle, theme, unit, left, top, colours)
            picture.add(drawn.outline(shape, colours[piece.name], theme.line, 0.05))
            left += (1.9 + max(c for _, c in shape)) * unit
        top += (high + 0.9) * unit
    return picture
