"""The normal form of a puzzle: the one text in which satcal writes it, read strictly.

Its grammar is in docs/reference/certificates.md. What was read is written again, and every text
but this one is refused: no two texts state the same puzzle, and none states what it does not show.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from satcal.errors import CertificateRefused, shown

Cell = tuple[int, int]
NO_CELL, PLAIN_CELL = ".", "*"
MAX_SIDE = 64  # rows and columns, of a board and of a drawing
MAX_CELLS = 1024  # of a board, and of one copy of each piece together
MAX_COPIES = 1024
LONGEST_LABEL = 32  # characters; of a category's name, too
RESERVED = ("date", "tilings", "methods")  # columns of satcal's tables, so no categories
ABOUT = {"name": (1, 200), "title": (0, 1000), "designer": (1, 1000), "source": (0, 1000)}
"""What is said of a puzzle, with the least and the largest number of characters."""
QUOTED = r'"((?:[^"\\\n]|\\["\\])*)"'
_ABOUT = re.compile(rf"^({'|'.join(ABOUT)}) = {QUOTED}$", re.MULTILINE)
_CATEGORY = re.compile(rf"^{QUOTED} = \[(.*)\]$", re.MULTILINE)
_PIECE = re.compile(
    r'^([A-Za-z][0-9]{0,3}) = \{ shape = "([#.\\n]+)", copies = ([0-9]{1,4}), '
    r"flip = (true|false) \}$",
    re.MULTILINE,
)


class Drawn(NamedTuple):
    """A piece and the squares of its drawing, row by row, in a frame that they fill."""

    name: str
    squares: tuple[Cell, ...]
    copies: int
    flip: bool


class Written(NamedTuple):
    """A puzzle as its text has it: cells row by row, and those of each label."""

    about: Mapping[str, str]
    cells: tuple[Cell, ...]
    labels: Mapping[str, tuple[Cell, ...]]
    categories: Mapping[str, tuple[str, ...]]
    pieces: tuple[Drawn, ...]


def read(text: str) -> Written:
    """The puzzle of a text in normal form; raises CertificateRefused for any other text."""
    for place, mark in enumerate(text):
        if not (mark.isprintable() or mark == "\n"):
            line = text.count("\n", 0, place) + 1
            raise CertificateRefused(f"puzzle: line {line}: U+{ord(mark):04X} is not printable")
    about, _, rest = text.partition('\nboard = """\n')
    board, _, rest = rest.partition('\n"""\n')
    categories, _, pieces = rest.partition("\n[pieces]\n")
    cells, labels = _board(board)
    puzzle = Written(
        {key: _plain(value) for key, value in _ABOUT.findall(about)},
        cells,
        labels,
        {_plain(name): quoted_in(listed) for name, listed in _CATEGORY.findall(categories)},
        tuple(_drawn(*parts) for parts in _PIECE.findall(pieces)),
    )
    _check_board(puzzle)
    _check_pieces(puzzle.pieces)
    _compare(text, write(puzzle))
    return puzzle


def _plain(quoted: str) -> str:
    return re.sub(r"\\(.)", r"\1", quoted)


def quoted(text: str) -> str:
    """A text between quotation marks."""
    return '"' + re.sub(r'(["\\])', r"\\\1", text) + '"'


def quoted_in(listed: str) -> tuple[str, ...]:
    """The texts between quotation marks."""
    return tuple(map(_plain, re.findall(QUOTED, listed)))


def _board(drawing: str) -> tuple[tuple[Cell, ...], dict[str, tuple[Cell, ...]]]:
    """The cells of a board, row by row, and those of each label."""
    cells: list[Cell] = []
    labels: dict[str, tuple[Cell, ...]] = {}
    for row, line in enumerate(_plain(drawing).split("\n")):
        for column, token in enumerate(filter(None, line.split(" "))):
            if token != NO_CELL:
                cells.append((row, column))
            if token not in (NO_CELL, PLAIN_CELL):
                labels[token] = (*labels.get(token, ()), (row, column))
    return tuple(cells), labels


def _drawn(name: str, drawing: str, copies: str, flip: str) -> Drawn:
    squares = tuple(
        (row, column)
        for row, line in enumerate(drawing.split("\\n"))
        for column, mark in enumerate(line)
        if mark == "#"
    )
    return Drawn(name, squares, int(copies), flip == "true")


def _require(holds: bool, wrong: str) -> None:
    if not holds:
        raise CertificateRefused(f"puzzle: {wrong}")


def _check_board(puzzle: Written) -> None:
    """Raise CertificateRefused for texts, a board or categories that no puzzle has."""
    for key, (least, most) in ABOUT.items():
        length = len(puzzle.about.get(key, "?" * least))
        _require(least <= length <= most, f"{key} has {length} characters, not {least} to {most}")
    _require({"name", "title", "source"} <= puzzle.about.keys(), "name, title or source is missing")
    _require(0 < len(puzzle.cells) <= MAX_CELLS, f"the board does not have 1 to {MAX_CELLS} cells")
    longest = max(map(max, puzzle.cells))
    _require(longest < MAX_SIDE, f"the board has more than {MAX_SIDE} rows or columns")
    listed = [label for labels in puzzle.categories.values() for label in labels]
    _require(
        sorted(listed) == sorted(puzzle.labels),
        "the categories do not list each label of the board once, and no other",
    )
    for name, labels in puzzle.categories.items():
        fit = 0 < len(name) <= LONGEST_LABEL and name not in RESERVED
        _require(
            fit and len(labels) > 0,
            f"{name!r} is not a valid category name, or the category has no labels",
        )
    for label, cells in puzzle.labels.items():
        fit = len(label) <= LONGEST_LABEL and "," not in label and _is_connected(cells)
        _require(fit, f"label {label!r} is too long, has a comma, or is on cells that do not touch")


def _check_pieces(pieces: Sequence[Drawn]) -> None:
    """Raise CertificateRefused for pieces that no puzzle has."""
    names = [piece.name for piece in pieces]
    _require(0 < len(set(names)) == len(names), "there are no pieces, or two have the same name")
    for name, squares, copies, _ in pieces:
        _require(_is_connected(squares), f"the squares of piece {name} are not joined edge to edge")
        least, longest = map(min, zip(*squares, strict=True)), max(map(max, squares))
        _require(
            [*least] == [0, 0], f"the drawing of piece {name} begins with an empty row or column"
        )
        _require(longest < MAX_SIDE, f"piece {name} has more than {MAX_SIDE} rows or columns")
        _require(
            0 < copies <= MAX_COPIES, f"piece {name} has {copies} copies, not 1 to {MAX_COPIES}"
        )
    area = sum(len(piece.squares) for piece in pieces)
    _require(area <= MAX_CELLS, f"the pieces have more than {MAX_CELLS} squares")


def _is_connected(cells: Sequence[Cell]) -> bool:
    todo = set(cells)
    reached = set(cells[:1])
    while reached:
        todo -= reached
        steps = ((-1, 0), (0, -1), (0, 1), (1, 0))
        reached = todo.intersection((r + y, c + x) for r, c in reached for y, x in steps)
    return bool(cells) and not todo


def write(puzzle: Written) -> str:
    """The normal form of a puzzle."""
    about = [f"{key} = {quoted(puzzle.about[key])}" for key in ABOUT if key in puzzle.about]
    tokens = dict.fromkeys(puzzle.cells, PLAIN_CELL)
    tokens.update((cell, label) for label, cells in puzzle.labels.items() for cell in cells)
    board = _rows(tokens, NO_CELL, " ", max(map(len, tokens.values())))
    lists = [
        f"{quoted(name)} = [{', '.join(map(quoted, labels))}]"
        for name, labels in puzzle.categories.items()
    ]
    pieces = []
    for name, squares, copies, flip in puzzle.pieces:
        drawing = "\\n".join(_rows(dict.fromkeys(squares, "#"), ".", "", 1))
        turns = str(flip).lower()
        pieces.append(f'{name} = {{ shape = "{drawing}", copies = {copies}, flip = {turns} }}')
    rows = [quoted(row.rstrip(" "))[1:-1] for row in board]
    lines = [
        *about,
        'board = """',
        *rows,
        '"""',
        "",
        "[categories]",
        *lists,
        "",
        "[pieces]",
        *pieces,
    ]
    return "\n".join(lines) + "\n"


def _rows(marks: Mapping[Cell, str], gap: str, between: str, width: int) -> list[str]:
    """The rows of a drawing, as many and as long as its last row and column with a mark."""
    height, length = (1 + max(axis) for axis in zip(*marks, strict=True))
    return [
        between.join(marks.get((row, column), gap).ljust(width) for column in range(length))
        for row in range(height)
    ]


def _compare(text: str, normal: str) -> None:
    """Raise CertificateRefused with the first place where a text is not the normal one."""
    for number, (line, wanted) in enumerate(
        zip(text.split("\n"), normal.split("\n"), strict=False), start=1
    ):
        same = next((n for n, (a, b) in enumerate(zip(line, wanted, strict=False)) if a != b), 0)
        should = f"expected {shown(wanted[same:])}, found {shown(line[same:])}"
        _require(line == wanted, f"line {number}: {should}")
    _require(text == normal, "the text is too short or too long")
