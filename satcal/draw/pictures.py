"""Pictures of a tiling, of many, of a year, of the empty board, and of the piece set."""

from __future__ import annotations

import calendar
import datetime
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from satcal.draw.outline import outlines, path_data
from satcal.draw.svg import Picture, element, fitting, words
from satcal.draw.tables import count_of
from satcal.draw.theme import Theme, ink_on
from satcal.errors import OptionError
from satcal.puzzle.calendar import MONTHS, WEEKDAYS
from satcal.puzzle.model import Placement, Puzzle, Reveal, Tiling, cell_name
from satcal.puzzle.shapes import Cell

if TYPE_CHECKING:
    from satcal.counting.survey import CellSet, Impasse

CELL = 60.0  # pixels of a cell of a board that fills its picture
SMALL_CELL = 18.0  # pixels of a cell where many tilings share a picture
DAY_CELL = 8.0  # pixels of a cell on the poster of a year
MAX_ON_SHEET = 2000  # a sheet of more is larger than any paper, and nobody looks at it
MAX_MONTHS = 24
MONTHS_ACROSS = 4
WEEKS = 6  # that a month can touch


@dataclass(frozen=True)
class Scene:
    """Where a board stands in a picture, how large its cells are, in which colours."""

    puzzle: Puzzle
    theme: Theme
    unit: float
    left: float
    top: float
    letters: bool = True

    @cached_property
    def colours(self) -> dict[str, str]:
        """The theme's colour of each piece."""
        return self.theme.piece_colours(self.puzzle)

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
        for cell in faint:
            label = self.puzzle.label_at.get(cell)
            if label is None:
                drawn.append(self.outline([cell], "none", theme.grid, 0.03))
            elif cell == label.cells[0] and shown.issuperset(label.cells):
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


def _framed(puzzle: Puzzle, theme: Theme, title: str, description: str) -> tuple[Picture, Scene]:
    """Return a picture for one board under its title, and the board's place in it."""
    width, height = (puzzle.columns + 1) * CELL, (puzzle.rows + 1.8) * CELL
    picture = Picture(width, height, title, description, theme.background)
    picture.headline(0.68 * CELL, 0.42 * CELL, CELL, theme.text)
    return picture, Scene(puzzle, theme, CELL, CELL / 2, 1.3 * CELL)


def name_of(puzzle: Puzzle) -> str:
    """Return the title of a puzzle, or its name where it has none."""
    return puzzle.title or puzzle.name


def tiling_picture(
    puzzle: Puzzle, reveal: Reveal, tiling: Sequence[Placement], theme: Theme, when: str
) -> Picture:
    """Return a picture of a tiling; ``when`` says which date or reveal it is of."""
    title = f"{name_of(puzzle)}, {when}" if when else name_of(puzzle)
    description = f"A tiling of {puzzle.name}: {' '.join(map(str, tiling))}"
    picture, board = _framed(puzzle, theme, title, description)
    picture.add(*board.tiling(reveal, tiling))
    return picture


def board_picture(puzzle: Puzzle, theme: Theme) -> Picture:
    """Return a picture of the empty board."""
    description = f"The board of {puzzle.name}: {count_of(len(puzzle.cells), 'cell')}"
    picture, board = _framed(puzzle, theme, name_of(puzzle), description)
    picture.add(*board.board(puzzle.cells), board.rim())
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
    width, height = across * wide + unit, head + down * high + unit / 2
    picture = Picture(width, height, title, f"Tilings of {puzzle.name}", theme.background)
    picture.headline(0.5 * head, 0.42 * head, 2 * unit, theme.text)
    for number, tiling in enumerate(tilings):
        row, column = divmod(number, across)
        left, top = unit + column * wide, head + row * high
        picture.add(*Scene(puzzle, theme, unit, left, top, False).tiling(reveal, tiling))
    return picture


def pieces_picture(puzzle: Puzzle, theme: Theme) -> Picture:
    """Return a picture of the piece set: a line of orientations for each piece."""
    unit = 24.0
    highs = [max(1 + max(r for r, _ in s) for s in p.orientations) for p in puzzle.pieces]
    wides = [sum(1.9 + max(c for _, c in s) for s in p.orientations) for p in puzzle.pieces]
    title = f"{name_of(puzzle)}, {count_of(sum(piece.copies for piece in puzzle.pieces), 'piece')}"
    picture = Picture(
        (6 + max(wides)) * unit, (2.4 + sum(high + 0.9 for high in highs)) * unit, title,
        f"The pieces of {puzzle.name} in all orientations", theme.background,
    )  # fmt: skip
    picture.headline(1.1 * unit, 0.8 * unit, unit, theme.text)
    top = 2.4 * unit
    for piece, high in zip(puzzle.pieces, highs, strict=True):
        text = piece.name if piece.copies == 1 else f"{piece.copies} {piece.name}"
        middle = top + high * unit / 2
        picture.add(words(text, unit, middle - 0.2 * unit, 0.9 * unit, theme.text, "start"))
        turned = count_of(len(piece.orientations), "orientation")
        picture.add(words(turned, unit, middle + 0.6 * unit, 0.42 * unit, theme.text, "start"))
        left = 5.2 * unit
        for shape in piece.orientations:
            drawn = Scene(puzzle, theme, unit, left, top)
            picture.add(drawn.outline(shape, drawn.colours[piece.name], theme.line, 0.05))
            left += (1.9 + max(c for _, c in shape)) * unit
        top += (high + 0.9) * unit
    return picture


def check_months(dates: Iterable[datetime.date]) -> list[tuple[int, int]]:
    """Return the (year, month) pairs of some dates in order.

    Raises:
        OptionError: none, or more than a poster takes.
    """
    months = sorted({(date.year, date.month) for date in dates})
    if not 1 <= len(months) <= MAX_MONTHS:
        raise OptionError(f"a poster takes 1 to {MAX_MONTHS} months; choose one with --year")
    return months


def year_picture(
    puzzle: Puzzle, tilings: Mapping[datetime.date, Tiling | None], theme: Theme, title: str
) -> Picture:
    """Return a poster with the months of some dates, a tiling on each date.

    Args:
        puzzle: a puzzle with dates.
        tilings: one per date; None where a date has none, which is said.
        theme: the colours.
        title: the headline, such as the year.

    Raises:
        OptionError: no dates, or more months than a poster takes.
    """
    unit = DAY_CELL
    months = check_months(tilings)
    day_wide, day_high = (puzzle.columns + 1.4) * unit, (puzzle.rows + 3.2) * unit
    wide, high = 7 * day_wide + 4 * unit, WEEKS * day_high + 9 * unit
    across = min(MONTHS_ACROSS, len(months))
    down = -(-len(months) // across)
    head = 0.035 * across * wide + 6 * unit
    picture = Picture(
        across * wide + 4 * unit, head + down * high + 2 * unit,
        f"{name_of(puzzle)} {title}".strip(),
        f"A tiling of {puzzle.name} for each of {len(tilings)} dates", theme.background,
    )  # fmt: skip
    picture.headline(head / 2, 0.55 * head, 8 * unit, theme.text)
    for number, (year, month) in enumerate(months):
        row, column = divmod(number, across)
        left, top = 4 * unit + column * wide, head + row * high
        picture.add(words(MONTHS[month - 1], left, top + 2 * unit, 4 * unit, theme.text, "start"))
        for weekday, name in enumerate(WEEKDAYS):
            x = left + weekday * day_wide + puzzle.columns * unit / 2
            picture.add(words(name, x, top + 5.6 * unit, 1.6 * unit, theme.text))
        for week, days in enumerate(calendar.Calendar().monthdatescalendar(year, month)):
            for weekday, date in enumerate(days):
                if date.month == month and date in tilings:
                    at = left + weekday * day_wide, top + 8 * unit + week * day_high
                    picture.add(*_day(puzzle, theme, at, date, tilings[date]))
    return picture


def _day(
    puzzle: Puzzle, theme: Theme, corner: tuple[float, float], date: datetime.date,
    tiling: Tiling | None,
) -> list[str]:  # fmt: skip
    left, top = corner
    text = str(date.day) if tiling is not None else f"{date.day}: no tiling"
    day = words(text, left, top, 1.5 * DAY_CELL, theme.text, "start")
    board = Scene(puzzle, theme, DAY_CELL, left, top + 1.2 * DAY_CELL, letters=False)
    if tiling is None:
        return [day, board.outline(puzzle.cells, theme.board, theme.line, 0.09)]
    return [day, *board.tiling(puzzle.reveal(date), tiling)]


def impasse_picture(puzzle: Puzzle, uncovered: CellSet, impasse: Impasse, theme: Theme) -> Picture:
    """Return the empty board, then the board with each placement that covers the cell.

    It shows why the cells cannot stay uncovered together.
    """

    def name(cell: Cell) -> str:
        label = puzzle.label_at.get(cell)
        return label.text if label else cell_name(cell)

    unit = 34.0
    panels: list[tuple[str, Sequence[Placement], CellSet]] = [
        (f"what covers {name(impasse.cell)}?", (), (impasse.cell,))
    ]
    for placed, part in zip(impasse.ways, impasse.cut_off, strict=True):
        panels.append((f"{placed.piece} cuts off {', '.join(map(name, part))}", (placed,), part))
    title = (
        f"{' and '.join(map(name, uncovered))} cannot both stay uncovered: "
        f"{count_of(len(impasse.ways), 'placement')} on {name(impasse.cell)}, none works"
    )
    wide, high = (puzzle.columns + 1) * unit, (puzzle.rows + 2) * unit
    description = "; ".join(text for text, _, _ in panels)
    width, height = len(panels) * wide + unit / 2, high + 1.8 * unit
    picture = Picture(width, height, title, description, theme.background)
    picture.headline(0.9 * unit, 0.7 * unit, unit, theme.text)
    for number, (text, placements, marked) in enumerate(panels):
        left = unit / 2 + number * wide
        board = Scene(puzzle, theme, unit, left, 2.8 * unit)
        size = fitting(text, wide - unit, 0.5 * unit)
        picture.add(words(text, left + puzzle.columns * unit / 2, 2.2 * unit, size, theme.text))
        covered = {cell for placed in placements for cell in placed.cells}
        picture.add(*board.board([cell for cell in puzzle.cells if cell not in covered]))
        for cell in uncovered:
            picture.add(board.outline([cell], theme.revealed, theme.line, 0.05))
            picture.add(board.label(name(cell), [cell], theme.text, 0.46))
        for placed in placements:
            picture.add(*board.placement(placed))
        for cell in marked:
            picture.add(board.outline([cell], theme.text, theme.line, 0.05))
            picture.add(board.label(name(cell), [cell], theme.background, 0.46))
        picture.add(board.rim())
    return picture
