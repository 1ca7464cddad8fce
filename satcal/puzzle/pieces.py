"""The reader of the pieces of a puzzle file, and the parts that all its readers share."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from satcal.errors import OptionError, PuzzleError, TooLarge, quote
from satcal.puzzle.model import Piece, parse_flip
from satcal.puzzle.normal import find_invisible
from satcal.puzzle.shapes import Shape, components, normalise

PIECE_NAME = re.compile(r"[A-Za-z][0-9]{0,3}")
MAX_SIDE = 64  # rows and columns: the largest boards that anyone counts have some hundred cells
MAX_CELLS = 1024
MAX_COPIES = 1024

Table = Mapping[str, Any]


def read_pieces(table: Table) -> tuple[Piece, ...]:
    """Read the ``[pieces]`` table, whose entries are drawings or tables with a ``shape``."""
    entries = table.get("pieces")
    if not isinstance(entries, dict) or not entries:
        raise PuzzleError("[pieces] is missing or empty; draw each piece with '#' and '.'")
    try:
        flips = parse_flip(str(table.get("flip", "all")), entries)
    except OptionError as error:
        raise PuzzleError(str(error)) from error
    pieces: list[Piece] = []
    for name, entry in entries.items():
        pieces.append(read_piece(name, entry, name in flips))
        if sum(len(piece.shape) for piece in pieces) > MAX_CELLS:
            raise TooLarge(
                f"piece {name}: with it the pieces have more than {MAX_CELLS} squares, the size of "
                "the largest board"
            )
    return tuple(pieces)


def read_piece(name: str, value: object, flip: bool) -> Piece:
    """Read one piece."""
    entry = {"shape": value} if isinstance(value, str) else value
    if not PIECE_NAME.fullmatch(name):
        raise PuzzleError(
            f"piece {quote(name)}: a name is a letter (A to Z, a to z) and at most three digits"
        )
    if not isinstance(entry, dict) or not isinstance(entry.get("shape"), str):
        raise PuzzleError(f'piece {name}: write a drawing, or {{ shape = "...", copies = 2 }}')
    for key in sorted(entry.keys() - {"shape", "copies", "flip"}):
        raise PuzzleError(f"piece {name}: unknown key {quote(key)}; use shape, copies and flip")
    copies, flips = entry.get("copies", 1), entry.get("flip", flip)
    if type(copies) is not int or not 1 <= copies <= MAX_COPIES:
        raise PuzzleError(f"piece {name}: copies is a whole number from 1 to {MAX_COPIES}")
    if type(flips) is not bool:
        raise PuzzleError(f"piece {name}: flip is true or false")
    return Piece(name, read_shape(entry["shape"], name), copies, flips)


def read_shape(drawing: str, name: str) -> Shape:
    """Read the cells of a drawing: # or 1 is a square, . or 0 none."""
    lines = read_rows(drawing, f"piece {name}")
    if len(lines) > MAX_SIDE or any(len(line) > MAX_SIDE for line in lines):
        raise TooLarge(f"piece {name}: its drawing has more than {MAX_SIDE} rows or columns")
    if match := re.search("[^#1.0 ]", "".join(lines)):
        raise PuzzleError(f"piece {name}: {match[0]!r} in its drawing; draw with '#' and '.'")
    cells = [(r, c) for r, line in enumerate(lines) for c, text in enumerate(line) if text in "#1"]
    if len(list(components(cells))) != 1:
        raise PuzzleError(f"piece {name}: draw squares, '#', that are joined edge to edge")
    return normalise(cells)


def read_rows(drawing: str, where: str) -> list[str]:
    """Read the rows of a drawing, without blank rows at its end.

    Rows end only at line feeds: ``str.splitlines`` also splits where a screen shows no new line.
    """
    rows = [row.rstrip(" ") for row in drawing.replace("\r\n", "\n").split("\n")]
    for number, row in enumerate(rows):
        if name := find_invisible(row):
            raise PuzzleError(
                f"{where}: row {number} of the drawing has the invisible character {name}; "
                "write a blank, or nothing"
            )
    while rows and not rows[-1]:
        rows.pop()
    return rows
