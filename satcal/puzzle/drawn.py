"""Drawings of placed pieces: rows of letters or numbers, or the output of `satcal solve`."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Sequence

from satcal.errors import PlacementError, quote
from satcal.puzzle.model import Piece, Puzzle, cell_name
from satcal.puzzle.shapes import Cell, components, normalise

EMPTY = ("", "_", ".", "*", "-")
"""Entries of a drawing for a cell without a piece."""
OFTEN_EMPTY = ("X", "x", "0", "#")
"""Entries that are also empty, unless they name or form a piece."""
CORNER = "┌"
"""A character of every drawing by satcal, and of no other text."""
NamedCells = tuple[str, tuple[Cell, ...]]
"""The name of a piece, which may be empty or wrong, and the cells that it covers."""


def parse_rows(puzzle: Puzzle, lines: Sequence[str]) -> list[NamedCells]:
    """Parse rows of letters or numbers, with or without blanks, commas or lines between them."""
    lines = [re.sub("[,|│]", " ", line) for line in lines if not re.search("[+┼─]", line)]
    names = sorted((piece.name for piece in puzzle.drawn), key=len, reverse=True)
    entry = re.compile("|".join([*names, "."]), re.IGNORECASE)
    has_blanks = all(" " in line.strip() for line in lines)
    rows = [line.split() if has_blanks else entry.findall(line.strip()) for line in lines]
    if len(rows) != puzzle.rows or any(len(row) != puzzle.columns for row in rows):
        raise PlacementError(
            f"drawing: {puzzle.name} has {puzzle.rows} rows of {puzzle.columns} entries; write "
            "the letter of a piece, '_' where none lies, and '.' where there is no cell"
        )
    entries = {(r, c): text.strip("-") for r, row in enumerate(rows) for c, text in enumerate(row)}
    # a number that is also elsewhere is that of a piece
    marks = {text for cell, text in entries.items() if not is_label(puzzle, cell, text)}
    cells_of: defaultdict[str, set[Cell]] = defaultdict(set)
    for cell, text in entries.items():
        shows_label = is_label(puzzle, cell, text) and text not in marks
        if name := name_in_drawing(puzzle, cell, text, shows_label):
            cells_of[name].add(cell)
    for name in cells_of.keys() & {*OFTEN_EMPTY} - {piece.name for piece in puzzle.drawn}:
        parts = map(normalise, components(cells_of[name]))
        if not any(part in piece.orientations for part in parts for piece in puzzle.pieces):
            del cells_of[name]
    return [
        (name, tuple(sorted(component)))
        for name, cells in cells_of.items()
        for component in components(cells)
    ]


def is_label(puzzle: Puzzle, cell: Cell, text: str) -> bool:
    """Return whether a text is that of the label on a cell."""
    label = puzzle.label_at.get(cell)
    return label is not None and label.text == text


def name_in_drawing(puzzle: Puzzle, cell: Cell, text: str, shows_label: bool) -> str:
    """Return the name or number of the piece that a drawing shows on a cell, or ""."""
    names = {piece.name.casefold(): piece.name for piece in puzzle.drawn}
    name = names.get(text.casefold(), text)
    if is_label(puzzle, cell, text) and name in names.values():
        raise ambiguous(cell, text, name)
    is_off_board = cell not in puzzle.cells
    if shows_label or text in EMPTY or (is_off_board and name in OFTEN_EMPTY):
        return ""
    if not re.fullmatch("[A-Za-z0-9]{1,4}", name) and name not in OFTEN_EMPTY:
        raise PlacementError(f"drawing, row {cell[0]}: {quote(text)} is not a piece or '_'")
    if is_off_board:
        raise PlacementError(f"drawing: piece {name} lies on {cell_name(cell)}, off the board")
    return name


def ambiguous(cell: Cell, text: str, name: str) -> PlacementError:
    """Return the error for a text on a cell that is its label and the name of a piece."""
    return PlacementError(
        f"drawing: '{text}' on {cell_name(cell)} is its label and a piece; write '_' for the "
        f"label, or name the cells, such as {name}: {text} r0c1"
    )


def parse_bordered(puzzle: Puzzle, lines: Sequence[str]) -> list[NamedCells]:
    """Parse a drawing by satcal, in which borders separate the pieces."""
    first = next(number for number, line in enumerate(lines) if CORNER in line)
    lines = [pad_wide_characters(line) for line in lines[first:]]
    height = 2 * puzzle.rows + 1
    width = max(map(len, lines[:height]))
    step, rest = divmod(width - 1, puzzle.columns)
    if len(lines) < height or rest or any(CORNER in line for line in lines[height:]):
        raise PlacementError(
            f"drawing: give one drawing of {puzzle.name}, which has {puzzle.rows} rows of "
            f"{puzzle.columns} cells"
        )
    lines = [line.ljust(width) for line in lines[:height]]
    names = {piece.name for piece in puzzle.drawn}
    names_at: dict[Cell, str] = {}
    for row, column in puzzle.cells:
        text = lines[2 * row + 1][column * step + 1 : (column + 1) * step].strip(" \0")
        if text in names and is_label(puzzle, (row, column), text):
            raise ambiguous((row, column), text, text)
        if text in names:
            names_at[row, column] = text
    # on a grid of cells, at odd coordinates, and of the edges between them, a border separates
    spots = {(2 * row + 1, 2 * column + 1): (row, column) for row, column in names_at}
    edges = {
        (row, column)
        for row in range(height)
        for column in range(1 - row % 2, 2 * puzzle.columns + 1, 2)
        if lines[row][column // 2 * step + column % 2] == " "
    }
    parts = [
        sorted(spots[at] for at in part & spots.keys()) for part in components(edges | {*spots})
    ]
    return [(names_at[cells[0]], tuple(cells)) for cells in sorted(filter(None, parts))]


def pad_wide_characters(line: str) -> str:
    """Return a line with a NUL after each character that a screen shows two columns wide."""
    return "".join(c + "\0" * (unicodedata.east_asian_width(c) in "WF") for c in line)


def has_name(puzzle: Puzzle, piece: Piece, name: str) -> bool:
    """Return whether a piece, or a piece with the same orientations, has this name in any case."""
    drawn = [other for other in puzzle.drawn if other.name.casefold() == name.casefold()]
    return any(set(other.orientations) == set(piece.orientations) for other in drawn)
