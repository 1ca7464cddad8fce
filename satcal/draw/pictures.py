"""Pictures of tilings, of a year, of the empty board, and of the piece set."""

from __future__ import annotations

import calendar
import datetime
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, NamedTuple

from satcal.draw.outline import hatching, holes, offset, outlines, path_data, rounded_path_data
from satcal.draw.svg import Picture, element, font_size_for, text_element
from satcal.draw.theme import Theme, ink_on
from satcal.errors import OptionError
from satcal.puzzle.calendar import MONTHS, WEEKDAYS
from satcal.puzzle.model import Placement, Puzzle, Reveal, Tiling, cell_name
from satcal.puzzle.ranges import Row
from satcal.puzzle.shapes import Cell, extent
from satcal.tables import count_of

if TYPE_CHECKING:
    from satcal.analysis.survey import CellSet, Impasse

CELL = 60.0  # pixels of a cell of a board that fills its picture
SMALL_CELL = 18.0  # pixels of a cell where many tilings share a picture
PIECE_CELL = 24.0  # pixels of a cell of a piece set
PANEL_CELL = 34.0  # pixels of a cell where boards explain something side by side
PANELS_ACROSS = 5
DAY_CELL = 8.0  # pixels of a cell on the poster of a year
MAX_ON_SHEET = 2000  # a sheet of more is larger than any paper, and nobody looks at it
MAX_MONTHS = 24
MONTHS_ACROSS = 4
WEEKS = 6  # that a month can touch
WIDTH_WITH_PIECES = 12  # cells: three or four pieces side by side, which fills a page
ROUND = 0.14  # of a cell: how much a piece's corners are rounded
BORDER = 0.19  # of a cell: the width of the frame


@dataclass(frozen=True)
class Scene:
    """Where a board stands in a picture, how large its cells are, in which colours."""

    puzzle: Puzzle
    theme: Theme
    cell_size: float
    left: float
    top: float
    letters: bool = True

    @cached_property
    def colours(self) -> dict[str, str]:
        """The theme's colour of each piece."""
        return self.theme.piece_colours(self.puzzle)

    def outline(self, cells: Sequence[Cell], fill: str, line: str, width: float = 0.05) -> str:
        """The outline of a set of cells as one path."""
        data = path_data(outlines(cells), self.cell_size, self.left, self.top)
        return element("path", d=data, fill=fill, stroke=line, stroke_width=width * self.cell_size)

    def rim(self) -> str:
        """The frame around the board, drawn above everything else."""
        inner = outlines(self.puzzle.cells)
        polygons = [*inner, *(offset(polygon, BORDER) for polygon in inner)]
        data = path_data(polygons, self.cell_size, self.left, self.top)
        theme, width = self.theme, 0.03 * self.cell_size
        return element("path", d=data, fill=theme.frame, stroke=theme.line, stroke_width=width)

    def piece(self, cells: Sequence[Cell], colour: str) -> str:
        """A piece in its colour; its corners are rounded where cells are so large that it shows."""
        lines, place = outlines(cells), (self.cell_size, self.left, self.top)
        large = self.cell_size >= PIECE_CELL
        data = (
            rounded_path_data(lines, *place, ROUND * self.cell_size)
            if large
            else path_data(lines, *place)
        )
        line = self.theme.outline(colour)
        return element("path", d=data, fill=colour, stroke=line, stroke_width=0.05 * self.cell_size)

    def hatched(self, cells: Iterable[Cell]) -> list[str]:
        """Cells crossed by slanted lines: holes, which must not look like uncovered cells."""
        data = hatching(cells, self.cell_size, self.left, self.top)
        if not data:
            return []
        colour, width = self.theme.line, 0.03 * self.cell_size
        return [element("path", d=data, fill="none", stroke=colour, stroke_width=width)]

    def board(self, overdrawn: Iterable[Cell] = ()) -> list[str]:
        """The board with the regions and labels that are not covered."""
        theme, hidden = self.theme, frozenset(overdrawn)
        drawn = [self.outline(self.puzzle.cells, theme.board, "none", 0)]
        drawn += self.hatched(holes(self.puzzle.cells))
        for cell in self.puzzle.cells:
            label = self.puzzle.label_at.get(cell)
            if label is None and cell not in hidden:
                drawn.append(self.outline([cell], "none", theme.grid, 0.03))
            elif label and cell == label.cells[0] and hidden.isdisjoint(label.cells):
                drawn.append(self.outline(label.cells, "none", theme.grid, 0.03))
                drawn.append(self.label(label.text, label.cells, theme.text))
        return drawn

    @cached_property
    def label_size(self) -> float:
        """The font size at which every label of the puzzle fits its region, in cells."""
        labels = self.puzzle.labels.values()
        sizes = (
            font_size_for(label.text, 0.8 * _label_spot(label.cells)[2], 0.38) for label in labels
        )
        return min(sizes, default=0.38)

    def label(self, text: str, cells: Sequence[Cell], colour: str) -> str:
        """A label in the middle of its region; what is no label may be smaller."""
        row, column, wide = _label_spot(cells)
        x, y = self.left + (column + 0.5) * self.cell_size, self.top + (row + 0.5) * self.cell_size
        return text_element(
            text, x, y, font_size_for(text, 0.8 * wide, self.label_size) * self.cell_size, colour
        )

    def region(self, text: str, cells: Sequence[Cell], fill: str, ink: str) -> list[str]:
        """Cells that are filled and labelled."""
        return [self.outline(cells, fill, self.theme.revealed_line), self.label(text, cells, ink)]

    def marked(self, uncovered: Iterable[Cell]) -> list[str]:
        """Cells that stay uncovered, with their labels; of a part of a region only those."""
        theme, left, drawn = self.theme, set(uncovered), []
        for label in self.puzzle.labels.values():
            if left.issuperset(label.cells):
                left.difference_update(label.cells)
                drawn += self.region(label.text, label.cells, theme.revealed, theme.text)
        for cell in sorted(left):
            at = self.puzzle.label_at.get(cell)
            drawn += self.region(at.text if at else "", [cell], theme.revealed, theme.text)
        return drawn

    def placement(self, placed: Placement) -> list[str]:
        """A piece where it stands, its name in a corner of its first cell."""
        colour = self.colours[placed.piece]
        drawn = [self.piece(placed.cells, colour)]
        if self.letters:
            row, column = min(placed.cells)
            size = font_size_for(placed.piece, 0.5, 0.34) * self.cell_size
            x, y = (
                self.left + (column + 0.09) * self.cell_size,
                self.top + (row + 0.25) * self.cell_size,
            )
            drawn.append(text_element(placed.piece, x, y, size, ink_on(colour), "start"))
        return drawn

    def tiling(self, reveal: Reveal, tiling: Sequence[Placement]) -> list[str]:
        """The board with the pieces of a tiling, or of a part of one."""
        hidden = self.puzzle.uncovered(reveal)
        drawn = self.board(hidden.union(*(placed.cells for placed in tiling)))
        for placed in tiling:
            drawn += self.placement(placed)
        for text in reveal:
            cells = self.puzzle.labels[text].cells
            drawn += self.region(text, cells, self.theme.revealed, self.theme.text)
        return [*drawn, self.rim()]


def _label_spot(cells: Sequence[Cell]) -> tuple[float, float, int]:
    """Where a region's label goes: row and column of its middle, and its width there in cells."""
    rows, columns = zip(*cells, strict=True)
    row, column, wide = sum(rows) / len(cells), sum(columns) / len(cells), len(set(columns))
    if wide > 1 and len(set(rows)) > 1:
        # a region need not be convex: the cell next to its middle is always in it
        return *min(cells, key=lambda cell: math.dist(cell, (row, column))), 1
    return row, column, wide


def picture_with_board(
    puzzle: Puzzle, theme: Theme, title: str, description: str, wide: int = 0
) -> tuple[Picture, Scene]:
    """A picture for one board under its title, at least so many cells wide; the board's place."""
    width, height = max(puzzle.columns + 1, wide) * CELL, (puzzle.rows + 1.8) * CELL
    picture = Picture(width, height, title, description, theme.background)
    picture.headline(0.68 * CELL, 0.42 * CELL, CELL, theme.text)
    left = (width - puzzle.columns * CELL) / 2
    if not wide:
        picture.credit(puzzle.designer, 0.2 * CELL, theme.text)
    return picture, Scene(puzzle, theme, CELL, left, 1.3 * CELL)


def title_of(puzzle: Puzzle) -> str:
    """The title of a puzzle, or its name where it has none."""
    return puzzle.title or puzzle.name


def tiling_picture(
    puzzle: Puzzle, reveal: Reveal, tiling: Sequence[Placement], theme: Theme, caption: str
) -> Picture:
    """A picture of a tiling; ``caption`` says which date or reveal it is of."""
    title = f"{title_of(puzzle)}, {caption}" if caption else title_of(puzzle)
    description = f"A tiling of {puzzle.name}: {' '.join(map(str, tiling))}"
    picture, board = picture_with_board(puzzle, theme, title, description)
    picture.add(*board.tiling(reveal, tiling))
    return picture


def board_picture(puzzle: Puzzle, theme: Theme) -> Picture:
    """A picture of the empty board."""
    return uncovered_picture(puzzle, (), theme)


def name_of_cell(puzzle: Puzzle, cell: Cell) -> str:
    """The label of a cell, or its row and column."""
    label = puzzle.label_at.get(cell)
    return label.text if label else cell_name(cell)


def uncovered_picture(
    puzzle: Puzzle,
    uncovered: Sequence[Cell],
    theme: Theme,
    caption: str = "",
    with_pieces: bool = False,
) -> Picture:
    """The board with cells marked that stay uncovered, and nothing placed.

    ``with_pieces``: they lie below it, each as it is drawn, in the board's scale.
    """
    title = f"{title_of(puzzle)}, {caption}" if caption else title_of(puzzle)
    marked = f", {count_of(len(uncovered), 'cell')} uncovered" if uncovered else ""
    description = f"The board of {puzzle.name}: {count_of(len(puzzle.cells), 'cell')}{marked}"
    picture, board = picture_with_board(
        puzzle, theme, title, description, WIDTH_WITH_PIECES if with_pieces else 0
    )
    picture.add(*board.board(), *board.marked(uncovered), board.rim())
    return _with_pieces_below(picture, board) if with_pieces else picture


def _with_pieces_below(picture: Picture, board: Scene) -> Picture:
    """The picture made higher, with rows of pieces below its board."""
    puzzle, cell_size = board.puzzle, board.cell_size
    right, gap = picture.width - cell_size / 2, cell_size / 2
    left, top, high = gap, picture.height, 0.0
    for piece in puzzle.pieces:
        for _ in range(piece.copies):
            rows, columns = extent(piece.shape)
            if left > gap and left + columns * cell_size > right:
                left, top, high = gap, top + high + gap, 0.0
            lying = Scene(puzzle, board.theme, cell_size, left, top)
            picture.add(*lying.placement(Placement(piece.name, piece.shape)))
            left, high = left + columns * cell_size + gap, max(high, rows * cell_size)
    picture.height = top + high + 1.5 * gap
    picture.credit(puzzle.designer, 0.2 * CELL, board.theme.text)
    return picture


def labels_picture(puzzle: Puzzle, medians: Mapping[str, float], theme: Theme) -> Picture:
    """A picture of the board with a number on each label, coloured by its rank."""
    title = f"{title_of(puzzle)}: median tilings of each label"
    picture, board = picture_with_board(puzzle, theme, title, f"{title}, few to many by colour")
    picture.add(*board.board())
    ordered = sorted(set(medians.values()))
    for text, median in medians.items():
        cells = puzzle.labels[text].cells
        colour = theme.heat_colour(ordered.index(median) / max(1, len(ordered) - 1))
        picture.add(board.outline(cells, colour, theme.grid))
        row, column, wide = _label_spot(cells)
        x, y = board.left + (column + 0.5) * CELL, board.top + (row + 0.5) * CELL
        for part, below in ((text, -0.18), (f"{median:,}", 0.22)):
            size = font_size_for(part, 0.8 * wide, 0.3) * CELL
            picture.add(text_element(part, x, y + below * CELL, size, ink_on(colour)))
    picture.add(board.rim())
    return picture


class Panel(NamedTuple):
    """A board with a tiling, among those of other boards, and what is written below its title."""

    puzzle: Puzzle
    reveal: Reveal
    tiling: Tiling
    text: str


def panels_picture(panels: Sequence[Panel], theme: Theme, title: str) -> Picture:
    """A picture of several boards, each with its title, a text and a tiling."""
    cell_size = PANEL_CELL
    wide = (2 + max(panel.puzzle.columns for panel in panels)) * cell_size
    high = (3.2 + max(panel.puzzle.rows for panel in panels)) * cell_size
    across = min(PANELS_ACROSS, len(panels))
    width, head = across * wide + cell_size, 2.6 * cell_size
    height = head + math.ceil(len(panels) / across) * high
    description = "; ".join(f"{title_of(panel.puzzle)}: {panel.text}" for panel in panels)
    picture = Picture(width, height, title, description, theme.background)
    picture.headline(1.1 * cell_size, cell_size, cell_size, theme.text)
    for index, (puzzle, reveal, tiling, text) in enumerate(panels):
        down, right = divmod(index, across)
        left, top = cell_size / 2 + right * wide, head + down * high
        middle = left + wide / 2
        for line, size, y in ((title_of(puzzle), 0.55, 0.3), (text, 0.4, 1.0)):
            fitted = font_size_for(line, wide - 0.6 * cell_size, size * cell_size)
            picture.add(text_element(line, middle, top + y * cell_size, fitted, theme.text))
        board = Scene(
            puzzle, theme, cell_size, middle - puzzle.columns * cell_size / 2, top + 1.8 * cell_size
        )
        picture.add(*board.tiling(reveal, tiling))
    return picture


def sheet_picture(
    puzzle: Puzzle,
    reveal: Reveal,
    tilings: Sequence[Tiling],
    total: int,
    theme: Theme,
    caption: str,
) -> Picture:
    """A sheet of tilings, of ``total``; raises OptionError for none or too many."""
    if not tilings:
        raise OptionError("a sheet needs at least one tiling")
    if len(tilings) > MAX_ON_SHEET:
        raise OptionError(f"a sheet takes at most {MAX_ON_SHEET:,} tilings; use --limit")
    cell_size = SMALL_CELL
    wide, high = (puzzle.columns + 1) * cell_size, (puzzle.rows + 1) * cell_size
    # about as wide as high, a little wider
    across = min(len(tilings), max(1, round(math.sqrt(1.4 * len(tilings) * high / wide))))
    down = math.ceil(len(tilings) / across)
    head = max(2.6 * cell_size, 0.05 * across * wide)
    some = "" if len(tilings) == total else f"{len(tilings):,} of "
    title = f"{title_of(puzzle)}, {caption or 'the board'}: {some}{count_of(total, 'tiling')}"
    width, height = across * wide + cell_size, head + down * high + cell_size / 2
    picture = Picture(width, height, title, f"Tilings of {puzzle.name}", theme.background)
    picture.headline(0.5 * head, 0.42 * head, 2 * cell_size, theme.text)
    picture.credit(puzzle.designer, 0.7 * cell_size, theme.text)
    for index, tiling in enumerate(tilings):
        row, column = divmod(index, across)
        left, top = cell_size + column * wide, head + row * high
        picture.add(*Scene(puzzle, theme, cell_size, left, top, False).tiling(reveal, tiling))
    return picture


def pieces_picture(puzzle: Puzzle, theme: Theme) -> Picture:
    """A picture of the piece set: a line of orientations for each piece."""
    cell_size = PIECE_CELL
    extents = [list(map(extent, piece.orientations)) for piece in puzzle.pieces]
    highs = [max(high for high, _ in row) for row in extents]
    wides = [sum(wide + 0.9 for _, wide in row) for row in extents]
    width, height = (
        (6 + max(wides)) * cell_size,
        (2.4 + sum(high + 0.9 for high in highs)) * cell_size,
    )
    title = f"{title_of(puzzle)}, {count_of(sum(piece.copies for piece in puzzle.pieces), 'piece')}"
    description = f"The pieces of {puzzle.name} in all orientations"
    picture = Picture(width, height, title, description, theme.background)
    picture.headline(1.1 * cell_size, 0.8 * cell_size, cell_size, theme.text)
    picture.credit(puzzle.designer, 0.42 * cell_size, theme.text)
    top = 2.4 * cell_size
    for piece, high in zip(puzzle.pieces, highs, strict=True):
        name = piece.name if piece.copies == 1 else f"{piece.copies} {piece.name}"
        turned = count_of(len(piece.orientations), "orientation")
        for text, below, size in ((name, -0.2, 0.9), (turned, 0.6, 0.42)):
            y = top + (high / 2 + below) * cell_size
            picture.add(text_element(text, cell_size, y, size * cell_size, theme.text, "start"))
        left = 5.2 * cell_size
        for shape in piece.orientations:
            scene = Scene(puzzle, theme, cell_size, left, top)
            picture.add(scene.piece(shape, scene.colours[piece.name]))
            left += (extent(shape)[1] + 0.9) * cell_size
        top += (high + 0.9) * cell_size
    return picture


def dated_rows(rows: Iterable[Row]) -> list[tuple[datetime.date, Row]]:
    """The rows of a poster or a booklet with their dates.

    Raises OptionError for a row without a date, or for no months or too many.
    """
    listed = list(rows)
    dated = [(row.date, row) for row in listed if row.date]
    if len(dated) < len(listed):
        raise OptionError("a poster shows dates: give --year, --month, or --from and --to")
    months_of(date for date, _ in dated)
    return dated


def months_of(dates: Iterable[datetime.date]) -> list[tuple[int, int]]:
    """The years and months of dates; raises OptionError for none or too many."""
    months = sorted({(date.year, date.month) for date in dates})
    if not 1 <= len(months) <= MAX_MONTHS:
        raise OptionError(f"a poster takes 1 to {MAX_MONTHS} months; choose one with --year")
    return months


def year_picture(
    puzzle: Puzzle, tilings: Mapping[datetime.date, Tiling | None], theme: Theme, title: str
) -> Picture:
    """A poster with the months of some dates, and a tiling on each that has one.

    Raises OptionError for no dates, or for more months than a poster takes.
    """
    cell_size, months = DAY_CELL, months_of(tilings)
    day_wide, day_high = (puzzle.columns + 1.4) * cell_size, (puzzle.rows + 3.2) * cell_size
    wide, high = 7 * day_wide + 4 * cell_size, WEEKS * day_high + 9 * cell_size
    across = min(MONTHS_ACROSS, len(months))
    down = math.ceil(len(months) / across)
    head = 0.035 * across * wide + 6 * cell_size
    width, height = across * wide + 4 * cell_size, head + down * high + 2 * cell_size
    title = f"{title_of(puzzle)} {title}".strip()
    description = f"A tiling of {puzzle.name} for each of {len(tilings)} dates"
    picture = Picture(width, height, title, description, theme.background)
    picture.headline(head / 2, 0.55 * head, 8 * cell_size, theme.text)
    picture.credit(puzzle.designer, 2 * cell_size, theme.text)
    for index, (year, month) in enumerate(months):
        row, column = divmod(index, across)
        left, top = 4 * cell_size + column * wide, head + row * high
        picture.add(
            text_element(
                MONTHS[month - 1], left, top + 2 * cell_size, 4 * cell_size, theme.text, "start"
            )
        )
        for weekday, name in enumerate(WEEKDAYS):
            x = left + weekday * day_wide + puzzle.columns * cell_size / 2
            picture.add(text_element(name, x, top + 5.6 * cell_size, 1.6 * cell_size, theme.text))
        for week, days in enumerate(calendar.Calendar().monthdatescalendar(year, month)):
            for weekday, date in enumerate(days):
                if date.month == month and date in tilings:
                    x, y = left + weekday * day_wide, top + 8 * cell_size + week * day_high
                    scene = Scene(puzzle, theme, cell_size, x, y + 1.2 * cell_size, letters=False)
                    picture.add(*_day(scene, date, tilings[date]))
    return picture


def _day(scene: Scene, date: datetime.date, tiling: Tiling | None) -> list[str]:
    text = str(date.day) if tiling is not None else f"{date.day}: no tiling"
    y, size = scene.top - 1.2 * scene.cell_size, 1.5 * scene.cell_size
    day = text_element(text, scene.left, y, size, scene.theme.text, "start")
    if tiling is None:
        return [day, *scene.board(), scene.rim()]
    return [day, *scene.tiling(scene.puzzle.reveal(date), tiling)]


def impasse_picture(puzzle: Puzzle, uncovered: CellSet, impasse: Impasse, theme: Theme) -> Picture:
    """Why cells cannot stay uncovered together: nothing can cover some other cell.

    It shows the empty board, then the board with each placement that covers the cell.
    """
    name = partial(name_of_cell, puzzle)
    cell_size = PANEL_CELL
    panels: list[tuple[str, Sequence[Placement], CellSet]] = [
        (f"what covers {name(impasse.cell)}?", (), (impasse.cell,))
    ]
    for placed, part in zip(impasse.ways, impasse.cut_off, strict=True):
        panels.append((f"{placed.piece} cuts off {', '.join(map(name, part))}", (placed,), part))
    title = (
        f"{' and '.join(map(name, uncovered))} cannot both stay uncovered: "
        f"{count_of(len(impasse.ways), 'placement')} on {name(impasse.cell)}, none works"
    )
    wide, high = (puzzle.columns + 1) * cell_size, (puzzle.rows + 2) * cell_size
    width, height = len(panels) * wide + cell_size / 2, high + 1.8 * cell_size
    description = "; ".join(text for text, _, _ in panels)
    picture = Picture(width, height, title, description, theme.background)
    picture.headline(0.9 * cell_size, 0.7 * cell_size, cell_size, theme.text)
    for index, (text, placements, marked) in enumerate(panels):
        left = cell_size / 2 + index * wide
        scene = Scene(puzzle, theme, cell_size, left, 2.8 * cell_size)
        size = font_size_for(text, wide - cell_size, 0.5 * cell_size)
        picture.add(
            text_element(
                text, left + puzzle.columns * cell_size / 2, 2.2 * cell_size, size, theme.text
            )
        )
        picture.add(*scene.board(cell for placed in placements for cell in placed.cells))
        for cell in uncovered:
            picture.add(*scene.region(name(cell), [cell], theme.revealed, theme.text))
        for placed in placements:
            picture.add(*scene.placement(placed))
        for cell in marked:
            picture.add(*scene.region(name(cell), [cell], theme.text, theme.background))
        picture.add(scene.rim())
    return picture
