"""The text of a puzzle in a certificate, read strictly, and its digest.

The grammar and the bounds are in docs/reference/certificates.md. Each line is read once. Its sizes
are compared with the bounds before anything is built from it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, NoReturn

from satcal.errors import CertificateRefused, TooLarge, quote

Cell = tuple[int, int]
NO_CELL, PLAIN_CELL = ".", "*"
MAX_PUZZLE = 1_048_576  # bytes of its text
MAX_SIDE = 64  # rows and columns, of a board and of a drawing
MAX_CELLS = 1024  # of a board
MAX_SQUARES = 1024  # of all drawings together
MAX_COPIES = 1024  # of a piece
MAX_CATEGORIES = 16
MAX_LABEL = 32  # characters of a label, and of the name of a category
MAX_NAME = 200  # characters of the name
RANGES = (
    "20-7E A1-AC AE-34E 350-61B 61D-115E 1161-167F 1681-17B3 17B6-180A 1810-1FFF 200C-200D "
    "2010-2027 2030-205E 2070-27FF 2801-2FFF 3001-3163 3165-D7FF F900-FDCF FDF0-FDFF FE10-FEFE "
    "FF00-FF9F FFA1-FFEF 10000-1BC9F 1BCA4-1D172 1D17B-1FFFD 20000-3FFFD"
)
"""The characters that a text may have, as fixed ranges: versions of Unicode differ."""
_ENDS = ([re.escape(chr(int(end, 16))) for end in pair.split("-")] for pair in RANGES.split())
CHARACTERS = "".join(map("-".join, _ENDS))
# the possessive quantifiers *+ and ++ keep every pattern here from backtracking
QUOTED = r'"([^"\\\n]*+)"'
_TEXT = re.compile(f"[\n{CHARACTERS}]*+")
_OUTLINE = re.compile(
    rf'name = {QUOTED}\nboard = """\n((?:[^"\\\n]++\n)++)"""\n\n'
    r"\[categories\]\n((?:[^\n]++\n)*+)\n\[pieces\]\n((?:[^\n]++\n)++)"
)
_CATEGORY = re.compile(rf"{QUOTED} = \[({QUOTED}(?:, {QUOTED})*+)\]")
_PIECE = re.compile(
    r'([A-Za-z][0-9]{0,3}+) = \{ shape = "([^"]++)", copies = (0|[1-9][0-9]{0,14}+), '
    r"flip = (true|false) \}"
)


class ParsedPiece(NamedTuple):
    """A piece and the squares of its drawing, row by row."""

    name: str
    squares: tuple[Cell, ...]
    copies: int
    flip: bool


class ParsedPuzzle(NamedTuple):
    """A puzzle parsed from its text: its cells row by row, and the cells of each label."""

    name: str
    cells: tuple[Cell, ...]
    labels: Mapping[str, tuple[Cell, ...]]
    categories: Mapping[str, tuple[str, ...]]
    pieces: tuple[ParsedPiece, ...]


def digest(text: str) -> str:
    """Return the digest of a puzzle's text without its first line, the name."""
    return hashlib.sha256(text.partition("\n")[2].encode()).hexdigest()


def parse_normal_form(text: str) -> ParsedPuzzle:
    """Parse the text of a puzzle.

    Raises:
        CertificateRefused: the text does not follow the grammar.
        TooLarge: a bound is exceeded.
    """
    if not _TEXT.fullmatch(text):
        _refuse("a character that is not in the format's set")
    outline = _OUTLINE.fullmatch(text)
    if not outline:
        _refuse("its name, board, categories or pieces are missing or out of place")
    name, board, categories, pieces = outline.groups()
    _bound(len(name), MAX_NAME, "characters of the name")
    cells, labels = _read_board(board.split("\n")[:-1])
    parsed_categories = _read_categories(categories.split("\n")[:-1], labels)
    parsed_pieces = tuple(_read_pieces(pieces.split("\n")[:-1]))
    return ParsedPuzzle(name, cells, labels, parsed_categories, parsed_pieces)


def find_quoted(text: str) -> tuple[str, ...]:
    """Return the texts between quotation marks."""
    return tuple(re.findall(QUOTED, text))


def _refuse(reason: str) -> NoReturn:
    raise CertificateRefused(f"puzzle: {reason}")


def _bound(number: int, limit: int, unit: str) -> None:
    if number > limit:
        raise TooLarge(f"puzzle: {number:,} {unit}; at most {limit:,} are checked")


def _read_board(rows: Sequence[str]) -> tuple[tuple[Cell, ...], dict[str, tuple[Cell, ...]]]:
    """Return the cells of a board, row by row, and those of each label."""
    cells: list[Cell] = []
    labels: dict[str, list[Cell]] = {}
    for row, line in enumerate(rows):
        tokens = [token for token in line.split(" ") if token]
        _bound(max(row + 1, len(tokens)), MAX_SIDE, "rows or columns")
        _bound(max(map(len, tokens), default=0), MAX_LABEL, "characters of a label")
        for column, token in enumerate(tokens):
            if token != NO_CELL:
                cells.append((row, column))
            if token not in (NO_CELL, PLAIN_CELL):
                labels.setdefault(token, []).append((row, column))
    _bound(len(cells), MAX_CELLS, "cells")
    if not cells:
        _refuse("its board has no cells")
    return tuple(cells), {label: tuple(at) for label, at in labels.items()}


def _read_categories(
    lines: Sequence[str], labels: Mapping[str, object]
) -> dict[str, tuple[str, ...]]:
    """Return the labels of each category; refuse them unless they list each label once."""
    categories: dict[str, tuple[str, ...]] = {}
    for line in lines:
        _bound(len(categories) + 1, MAX_CATEGORIES, "categories")
        match = _CATEGORY.fullmatch(line)
        if not match:
            _refuse(f"{quote(line)} is not a category")
        _bound(len(match[1]), MAX_LABEL, "characters of the name of a category")
        if match[1] in categories:
            _refuse(f"two categories are named {quote(match[1])}")
        categories[match[1]] = find_quoted(match[2])
    texts = [label for texts in categories.values() for label in texts]
    if sorted(texts) != sorted(labels):
        _refuse("the categories do not list each label of the board once, and no other")
    return categories


def _read_pieces(lines: Sequence[str]) -> Iterator[ParsedPiece]:
    """Yield the pieces; refuse two with the same name."""
    names: set[str] = set()
    area = 0
    for line in lines:
        match = _PIECE.fullmatch(line)
        if not match:
            _refuse(f"{quote(line)} is not a piece")
        name, drawing, copies, flip = match[1], match[2].split("\\n"), int(match[3]), match[4]
        _bound(max(len(drawing), *map(len, drawing)), MAX_SIDE, "rows or columns of a piece")
        _bound(copies, MAX_COPIES, "copies of a piece")
        squares = tuple(
            (row, column)
            for row, text in enumerate(drawing)
            for column, character in enumerate(text)
            if character == "#"
        )
        if not {"#", "."}.issuperset("".join(drawing)):
            _refuse(f"the drawing of piece {name} has a mark other than # and .")
        if not squares or not copies:
            _refuse(f"piece {name} has no squares or no copies")
        if name in names:
            _refuse(f"two pieces are named {name}")
        names.add(name)
        area += len(squares)
        _bound(area, MAX_SQUARES, "squares of pieces")
        yield ParsedPiece(name, squares, copies, flip == "true")
