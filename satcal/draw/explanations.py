"""Pictures that explain: the exact cover as a matrix, and the parts that the pruner sees."""

from __future__ import annotations

from collections.abc import Sequence

from satcal.draw.pictures import CELL, Scene, name_of_cell, picture_with_board, title_of
from satcal.draw.svg import Picture, element, font_size_for, text_element
from satcal.draw.theme import Theme, ink_on, mix
from satcal.puzzle.demands import Demand, check_reveal, place
from satcal.puzzle.model import Placement, Puzzle, Reveal
from satcal.puzzle.placements import cover_of
from satcal.puzzle.shapes import Cell, components
from satcal.tables import count_of

ENTRY = 9.0  # pixels of an entry of a small matrix
SMALL = 120  # rows up to which each entry is a square
BANDS = 160  # rows of a heat map
WIDE = 16.0  # pixels of a column of a heat map
TALL = 5.0  # pixels of one of its rows


def matrix_picture(
    puzzle: Puzzle, reveal: Reveal, demands: Sequence[Demand], theme: Theme, caption: str
) -> Picture:
    """The exact cover of a reveal: placements are rows; pieces, then cells, are columns.

    Above ``SMALL`` placements each point stands for several, and its colour is their share.
    """
    cover = place(cover_of(puzzle, reveal), demands)
    names = [piece.name for piece in puzzle.pieces]
    columns: list[str | Cell] = [*names, *cover.cells]
    at = {column: index for index, column in enumerate(columns)}
    rows = [
        [at[placement.piece], *map(at.__getitem__, placement.cells)]
        for placement in cover.placements
    ]
    large = len(rows) > SMALL
    wide, tall = (WIDE, TALL) if large else (ENTRY, ENTRY)
    bands = min(len(rows), BANDS) if large else len(rows)
    left, top = 12.0, 92.0
    width = max(left * 2 + wide * len(columns), 480)
    count = count_of(len(rows), "placement")
    title = f"{title_of(puzzle)}, {caption or 'the board'}: {count}"
    description = f"The exact cover of {puzzle.name}: {count}, {len(columns)} columns"
    picture = Picture(width, top + tall * bands + 20, title, description, theme.background)
    picture.headline(26, 22, 24, theme.text)
    for index, column in enumerate(columns):
        text = column if isinstance(column, str) else name_of_cell(puzzle, column)
        x = left + (index + 0.5) * wide
        size = font_size_for(text, 36, 0.8 * min(wide, 12))
        turned = f"rotate(-90 {x:.3f} {top - 6})"
        picture.add(text_element(text, x, top - 6, size, theme.text, "start", transform=turned))
    picture.add(
        element(
            "rect",
            x=left,
            y=top,
            width=wide * len(columns),
            height=tall * bands,
            fill=theme.board,
            stroke=theme.line,
        )
    )
    colours = theme.piece_colours(puzzle)
    if large:
        picture.add(*_heat(rows, len(columns), bands, (left, top, wide, tall), theme))
        return picture
    for index, placed in enumerate(cover.placements):
        for entry in rows[index]:
            box = (left + entry * wide, top + index * tall, wide, tall)
            picture.add(_box(box, colours[placed.piece]))
    return picture


def _box(box: tuple[float, float, float, float], colour: str) -> str:
    x, y, width, height = box
    return element("rect", x=x, y=y, width=width, height=height, fill=colour)


def _heat(
    rows: Sequence[Sequence[int]],
    columns: int,
    bands: int,
    first_entry: tuple[float, float, float, float],
    theme: Theme,
) -> list[str]:
    """The points of a heat map: how many of a band's rows have an entry in a column."""
    left, top, wide, tall = first_entry
    drawn = []
    for band in range(bands):
        some = rows[band * len(rows) // bands : (band + 1) * len(rows) // bands]
        shares = [0] * columns
        for row in some:
            for column in row:
                shares[column] += 1
        for column, entries in enumerate(shares):
            if entries:
                colour = theme.heat_colour(entries / len(some))
                drawn.append(_box((left + column * wide, top + band * tall, wide, tall), colour))
    return drawn


def parts_picture(
    puzzle: Puzzle, reveal: Reveal, demands: Sequence[Demand], theme: Theme, caption: str
) -> Picture:
    """What is uncovered beside the whole placements of ``demands``, a colour for each part.

    A part whose area is no sum of areas of the pieces left is hatched: no tiling goes on from it.
    """
    check_reveal(puzzle, reveal, demands)
    placed = [Placement(demand.piece, demand.cells) for demand in demands if demand.whole]
    uncovered = puzzle.uncovered(reveal)
    taken = set(uncovered).union(*(placement.cells for placement in placed))
    parts = sorted(map(sorted, components(set(puzzle.cells) - taken)))
    sums = _sums(puzzle, placed)
    bad = [part for part in parts if len(part) not in sums]
    said = f"{count_of(len(parts), 'part')}, {len(bad)} that no pieces fill"
    title = f"{title_of(puzzle)}, {caption}: {said}" if caption else f"{title_of(puzzle)}: {said}"
    picture, board = picture_with_board(puzzle, theme, title, f"{said} of {puzzle.name}")
    picture.add(*board.board(puzzle.cells))
    for text in reveal:
        cells = puzzle.labels[text].cells
        picture.add(*board.region(text, cells, theme.revealed, theme.text))
    for index, part in enumerate(parts):
        colour = theme.heat_colour(index / max(1, len(parts) - 1))
        picture.add(*_part(board, part, mix(colour, theme.board, 0.4)))
        if part in bad:
            picture.add(*board.hatched(part))
    for placement in placed:
        picture.add(*board.placement(placement))
    picture.add(board.rim())
    return picture


def _part(board: Scene, part: Sequence[Cell], colour: str) -> list[str]:
    """A part with its area on its first cell."""
    row, column = part[0]
    x, y = board.left + (column + 0.5) * CELL, board.top + (row + 0.5) * CELL
    size = 0.38 * board.cell_size
    outlined = board.outline(part, colour, board.theme.outline(colour))
    return [outlined, text_element(str(len(part)), x, y, size, ink_on(colour))]


def _sums(puzzle: Puzzle, placed: Sequence[Placement]) -> set[int]:
    """The areas that some of the pieces left have together."""
    used = [placement.piece for placement in placed]
    sums = {0}
    for piece in puzzle.pieces:
        for _ in range(piece.copies - used.count(piece.name)):
            sums |= {area + piece.area for area in sums}
    return sums
