r"""The normal form of a puzzle: its text in a certificate, with only what a proof needs.

>>> from satcal.puzzle.loading import load
>>> print(normal_form(load("pentomino-3x20")).partition("[pieces]")[2][:50])
<BLANKLINE>
F = { shape = "##.\n.##\n.#.", copies = 1, flip =
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

from satcal.puzzle.shapes import shape_rows

if TYPE_CHECKING:
    from satcal.puzzle.model import Piece, Puzzle

NO_CELL, PLAIN_CELL = ".", "*"
MAX_FILE = 256 * 1024  # bytes; the largest file of the library has 2 KiB
MAX_NAME = 200  # characters of a puzzle's name
DIGEST_DIGITS = 32
"""Digits of a digest in text for people: 128 bits, so that a puzzle cannot be made for a digest."""
RANGES = (
    "20-7E A1-AC AE-34E 350-61B 61D-115E 1161-167F 1681-17B3 17B6-180A 1810-1FFF 200C-200D "
    "2010-2027 2030-205E 2070-27FF 2801-2FFF 3001-3163 3165-D7FF F900-FDCF FDF0-FDFF FE10-FEFE "
    "FF00-FF9F FFA1-FFEF 10000-1BC9F 1BCA4-1D172 1D17B-1FFFD 20000-3FFFD"
)
"""The characters of puzzles and certificates (docs/reference/certificates.md); the checker has a
list of its own."""
OUTSIDE = re.compile(
    "[^"
    + "".join(
        "-".join(re.escape(chr(int(end, 16))) for end in pair.split("-")) for pair in RANGES.split()
    )
    + "]"
)


def normal_form(puzzle: Puzzle) -> str:
    """Return the normal form of a puzzle, which begins with its name."""
    lines = [f"name = {quote(OUTSIDE.sub('?', puzzle.name[:MAX_NAME]))}", 'board = """']
    lines += [*board_rows(puzzle), '"""', "", "[categories]"]
    for name, labels in puzzle.categories.items():
        lines.append(f"{quote(name)} = [{', '.join(map(quote, labels))}]")
    lines += ["", "[pieces]", *(f"{piece.name} = {piece_entry(piece)}" for piece in puzzle.drawn)]
    return "\n".join(lines) + "\n"


def board_rows(puzzle: Puzzle) -> list[str]:
    """Return the rows of the board's drawing, with aligned columns."""
    labels = puzzle.label_at
    tokens = {cell: labels[cell].text if cell in labels else PLAIN_CELL for cell in puzzle.cells}
    width = max(map(len, tokens.values()))
    rows = (
        [tokens.get((row, column), NO_CELL).ljust(width) for column in range(puzzle.columns)]
        for row in range(puzzle.rows)
    )
    return [" ".join(row).rstrip() for row in rows]


def piece_entry(piece: Piece) -> str:
    """Return a piece as a table in one line."""
    drawing, flip = "\\n".join(shape_rows(piece.shape)), str(piece.flip).lower()
    return f'{{ shape = "{drawing}", copies = {piece.copies}, flip = {flip} }}'


def quote(text: str) -> str:
    """Return a text in quotation marks, with ``?`` for quotation marks and backslashes in it."""
    return '"' + re.sub(r'["\\]', "?", text) + '"'


def digest_of(puzzle: Puzzle) -> str:
    """Return the SHA-256, in hexadecimal, of the normal form without the puzzle's name."""
    return hashlib.sha256(normal_form(puzzle).partition("\n")[2].encode()).hexdigest()
