"""The TOML form of a puzzle, with its drawings; every check says where and how to mend."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any

import satcal.toml as toml
from satcal.errors import PuzzleError, SatcalError, TooLarge, did_you_mean
from satcal.puzzle.calendar import connect
from satcal.puzzle.model import Label, Piece, Puzzle, cell_name
from satcal.puzzle.shapes import Cell, Shape, is_connected, normalise

MAX_SIDE = 64  # rows and columns: the largest boards anyone counts have some hundred cells
MAX_CELLS = 1024
MAX_COPIES = 1024
LONGEST_NAME = 200
LONGEST_TEXT = 1000  # of a title or source
SHOWN = 40  # characters of what is wrong, in an error
NO_CELL = "."
PLAIN_CELL = "*"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
RESERVED = ("date", "tilings", "methods")  # the other columns of a table
PIECE_NAME = re.compile(r"[A-Za-z][0-9]{0,3}")
_KEYS = ("name", "title", "source", "board", "categories", "pieces", "calendar", "flip")
_Table = Mapping[str, Any]


@contextlib.contextmanager
def errors_in(where: str) -> Iterator[None]:
    """Begin the text of every error with the name of the file that it is about."""
    try:
        yield
    except SatcalError as error:
        raise type(error)(f"{where}: {error}") from error


def shown(text: str) -> str:
    """Return the beginning of a text for an error: quoted, and escaped where a terminal obeys."""
    return repr(text if len(text) <= SHOWN else text[: SHOWN - 1] + "…")


def name_from(where: str) -> str:
    """Return the name of a puzzle whose file gives none: the file's, without its folder."""
    name = PurePath(where).name
    return "".join(c if c.isprintable() else "_" for c in name)[:LONGEST_NAME] or "puzzle"


def parse_puzzle(text: str, where: str, own_pieces: bool = True) -> Puzzle:
    """Return the puzzle of a TOML text; raise PuzzleError or TooLarge if it has none.

    ``where`` is its path, for errors and for a name where it gives none. Without
    ``own_pieces`` another set will replace its pieces, which may then be missing.
    """
    table = _table(text, where)
    with errors_in(where):
        for key in table:
            if key not in _KEYS:
                hint = did_you_mean(key, _KEYS) or f"; the keys are {', '.join(_KEYS)}"
                raise PuzzleError(f"unknown key '{key}'{hint}")
        categories = _categories(table)
        cells, labelled = parse_board(_text(table, "board"))
        name = _line(table, "name", name_from(where), 1, LONGEST_NAME)
        labels = assign_labels(labelled, categories)
        drawn = _pieces(table) if own_pieces else ()
        declared = _label_lists(table, "calendar") if "calendar" in table else None
        return Puzzle(
            name, cells, labels, categories, drawn, connect(categories, declared),
            title=_line(table, "title", "", 0, LONGEST_TEXT),
            source=_line(table, "source", "", 0, LONGEST_TEXT),
        )  # fmt: skip


def parse_pieces(text: str, where: str) -> tuple[Piece, ...]:
    """Return the pieces of a TOML text (a puzzle, or a ``[pieces]`` table) or of 0/1 blocks."""
    blocks = "[pieces]" not in text and set("".join(text.split())) <= set("01")
    table = {} if blocks else _table(text, where)
    with errors_in(where):
        return parse_blocks(text) if blocks else _pieces(table)


def check_area(puzzle: Puzzle) -> None:
    """Raise PuzzleError if, for some reveal, the pieces do not cover as many cells as remain."""
    # A reveal's area is a sum over categories: extremes per category decide, not their product.
    by_area = [
        sorted(labels, key=lambda text: len(puzzle.labels[text].cells))
        for labels in puzzle.categories.values()
    ]
    for end in (0, -1):
        reveal = tuple(labels[end] for labels in by_area)
        remaining = len(puzzle.cells) - len(puzzle.uncovered(reveal))
        if remaining != puzzle.area:
            given = f" with the reveal {','.join(reveal)}" if reveal else ""
            raise PuzzleError(
                f"{puzzle.name}: the area does not add up: {remaining} cells remain to be "
                f"covered{given}, but the pieces have {puzzle.area} squares together"
            )


def _table(text: str, where: str) -> _Table:
    """Return the table of a text; no key of it, which errors may show, can upset a terminal."""
    table = toml.parse(text, where, PuzzleError)
    for key in _all_keys(table):
        if not key.isprintable() or len(key) > LONGEST_NAME:
            raise PuzzleError(f"{where}: the key {shown(key)} is no short printable text")
    return table


def _all_keys(table: _Table) -> Iterator[str]:
    yield from table
    for value in table.values():
        if isinstance(value, dict):
            yield from _all_keys(value)


def _text(table: _Table, key: str, default: str | None = None) -> str:
    value = table.get(key, default)
    if not isinstance(value, str):
        missing = "is missing" if value is None else "is not a text"
        raise PuzzleError(f'{key} {missing}; write {key} = """..."""')
    return value


def _line(table: _Table, key: str, default: str, least: int, most: int) -> str:
    """Return a text that people are shown, on a terminal too: nothing in it may give orders."""
    value = table.get(key, default)
    if not isinstance(value, str) or not value.isprintable() or not least <= len(value) <= most:
        raise PuzzleError(
            f"{key}: write it as one line of at most {most} characters that people can see, "
            f'such as {key} = "rhombus"'
        )
    return value


def _label_lists(table: _Table, key: str) -> dict[str, tuple[str, ...]]:
    value = table.get(key, {})
    if not isinstance(value, dict):
        raise PuzzleError(f"[{key}] is not a table of lists of labels")
    for name, labels in value.items():
        if not isinstance(labels, list) or not all(isinstance(text, str) for text in labels):
            raise PuzzleError(f'[{key}] {name}: write a list of labels such as ["Jan", "Feb"]')
        for text in labels:
            _check_label(text, f"[{key}] {name}")
    number = sum(map(len, value.values()))
    if number > MAX_CELLS:
        raise TooLarge(f"[{key}]: {number:,} labels, more than any board has cells")
    return {name: tuple(labels) for name, labels in value.items()}


def _check_label(text: str, where: str) -> None:
    """Raise PuzzleError for a label that could not be written on a command line."""
    if not 0 < len(text) <= 32 or not text.isprintable() or re.search(r"[\s,]", text):
        raise PuzzleError(
            f"{where}: label {shown(text)} needs 1 to 32 printable characters without blanks or "
            "commas"
        )
    if text in (NO_CELL, PLAIN_CELL):
        raise PuzzleError(f"{where}: '{text}' marks cells without a label; choose another label")


def _categories(table: _Table) -> dict[str, tuple[str, ...]]:
    categories = _label_lists(table, "categories")
    category_of: dict[str, str] = {}
    for name, labels in categories.items():
        where = f"[categories] {name}"
        if not 0 < len(name) <= 32 or not name.isprintable():
            raise PuzzleError(f"[categories] {name!r}: name it with 1 to 32 printable characters")
        if name in RESERVED:
            raise PuzzleError(f"{where}: tables have a column of that name; rename it")
        if not labels:
            raise PuzzleError(f"{where}: no label; list its labels or drop it")
        for text in labels:
            if text in category_of:
                raise PuzzleError(
                    f"{where}: label '{text}' is already in {category_of[text]}; "
                    "a label belongs to one category, once"
                )
            category_of[text] = name
    return categories


def _pieces(table: _Table) -> tuple[Piece, ...]:
    pieces = table.get("pieces")
    if not isinstance(pieces, dict) or not pieces:
        raise PuzzleError("[pieces] is missing or empty; draw each piece with '#' and '.'")
    flip = _text(table, "flip", "all")
    flipped = list(pieces) if flip == "all" else [] if flip == "none" else flip.split(",")
    for name in flipped:
        if name not in pieces:
            raise PuzzleError(
                f"flip: there is no piece {shown(name)}; use all, none or piece names"
                + did_you_mean(name, pieces)
            )
    return _within_board(_piece(name, pieces[name], name in flipped) for name in pieces)


def _piece(name: str, entry: Any, flip: bool) -> Piece:
    if isinstance(entry, str):
        entry = {"shape": entry}
    if not isinstance(entry, dict) or not isinstance(entry.get("shape"), str):
        raise PuzzleError(f'piece {name}: write a drawing, or {{ shape = "...", copies = 2 }}')
    for key in entry:
        if key not in ("shape", "copies", "flip"):
            raise PuzzleError(f"piece {name}: unknown key '{key}'; use shape, copies and flip")
    copies, flip = entry.get("copies", 1), entry.get("flip", flip)
    if isinstance(copies, bool) or not isinstance(copies, int) or not 1 <= copies <= MAX_COPIES:
        raise PuzzleError(f"piece {name}: copies is not a whole number from 1 to {MAX_COPIES}")
    if not isinstance(flip, bool):
        raise PuzzleError(f"piece {name}: flip is true or false")
    if not PIECE_NAME.fullmatch(name):
        raise PuzzleError(
            f"piece {shown(name)}: a name is a letter and at most three digits, such as N or L4"
        )
    return Piece(name, parse_shape(entry["shape"], name), copies, flip)


def parse_board(text: str) -> tuple[tuple[Cell, ...], dict[str, list[Cell]]]:
    """Return the cells of a board drawing, in row-major order, and the cells of each label."""
    lines = [line for line in text.splitlines() if line.strip()]
    rows = [line.split(maxsplit=MAX_SIDE) for line in lines[: MAX_SIDE + 1]]
    if any(len(row) > MAX_SIDE for row in rows) or len(rows) > MAX_SIDE:
        raise TooLarge(f"board: more than {MAX_SIDE} rows or columns")
    cells: list[Cell] = []
    labelled: dict[str, list[Cell]] = {}
    for number, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise PuzzleError(
                f"board: row {number} has {len(row)} entries, row 0 has {len(rows[0])}; "
                f"write '{NO_CELL}' where there is no cell"
            )
        for column, token in enumerate(row):
            cell = (number, column)
            if token != NO_CELL:
                cells.append(cell)
            if token not in (NO_CELL, PLAIN_CELL):
                _check_label(token, f"board: {cell_name(cell)}")
                labelled.setdefault(token, []).append(cell)
    if not cells:
        raise PuzzleError("board: it has no cell; draw rows of labels, '*' and '.'")
    if len(cells) > MAX_CELLS:
        raise TooLarge(f"board: {len(cells)} cells, more than {MAX_CELLS}")
    return tuple(cells), labelled


def assign_labels(
    labelled: Mapping[str, Sequence[Cell]], categories: Mapping[str, Sequence[str]]
) -> dict[str, Label]:
    """Return the labels in canonical order, each in its category, on cells that touch."""
    category_of = {text: name for name, labels in categories.items() for text in labels}
    for text, cells in labelled.items():
        where = f"cell {cell_name(cells[0])}: label '{text}'"
        if text not in category_of:
            hint = did_you_mean(text, category_of) or "; add it to [categories] or write '*'"
            raise PuzzleError(f"{where} is in no category{hint}")
        if not is_connected(cells):
            raise PuzzleError(
                f"{where} stands on cells that do not touch ({', '.join(map(cell_name, cells))}); "
                "a label is one region: rename one of them"
            )
    for text, category in category_of.items():
        if text not in labelled:
            hint = did_you_mean(text, labelled)
            where = f"[categories] {category}: label '{text}'"
            raise PuzzleError(f"{where} has no cell on the board{hint}")
    return {text: Label(text, name, tuple(labelled[text])) for text, name in category_of.items()}


def parse_shape(text: str, name: str) -> Shape:
    """Return the cells of a drawing: ``#`` or 1 is a square, ``.`` or 0 is none."""
    lines = [line.rstrip() for line in text.splitlines()]
    if len(lines) > MAX_SIDE or any(len(line) > MAX_SIDE for line in lines):
        raise TooLarge(f"piece {name}: its drawing has more than {MAX_SIDE} rows or columns")
    cells = []
    for row, line in enumerate(lines):
        for column, mark in enumerate(line):
            if mark in "#1":
                cells.append((row, column))
            elif mark not in ".0 ":
                raise PuzzleError(
                    f"piece {name}: row {row} of its drawing has {mark!r}; draw with '#' and '.'"
                )
    if not cells:
        raise PuzzleError(f"piece {name}: it has no square; draw it with '#'")
    if not is_connected(cells):
        raise PuzzleError(
            f"piece {name}: its squares do not hang together by edges; mend the drawing"
        )
    return normalise(cells)


def parse_blocks(text: str) -> tuple[Piece, ...]:
    """Return the pieces A, B, C… of blocks of 0 and 1 that blank lines separate."""
    blocks = [block for block in re.split(r"\n[^\S\n]*\n", text.strip("\n")) if block.strip()]
    if not 0 < len(blocks) <= len(LETTERS):
        raise PuzzleError(f"{len(blocks)} shapes; 1 to {len(LETTERS)} are possible")
    return _within_board(
        Piece(name, parse_shape(re.sub(r"(?<=[01]) (?=[01])", "", block), name))
        for name, block in zip(LETTERS, blocks, strict=False)
    )


def _within_board(pieces: Iterable[Piece]) -> tuple[Piece, ...]:
    """Return the pieces; raise TooLarge as soon as they fit on no board that satcal takes."""
    taken: list[Piece] = []
    for piece in pieces:
        taken.append(piece)
        if sum(each.area for each in taken) > MAX_CELLS:
            raise TooLarge(
                f"piece {piece.name}: with it the pieces have more than {MAX_CELLS:,} squares, "
                "which is the largest board"
            )
    return tuple(taken)
