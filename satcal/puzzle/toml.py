"""The TOML form of a puzzle, readable as a picture; every check says where and how to mend."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePath
from typing import Any

from satcal import toml
from satcal.errors import PuzzleError, SatcalError, TooLarge, did_you_mean
from satcal.puzzle.calendar import connect
from satcal.puzzle.model import Label, Piece, Puzzle, cell_name
from satcal.puzzle.shapes import Cell, is_connected, normalise

MAX_SIDE = 64  # rows and columns: the largest boards anyone counts have some hundred cells
MAX_CELLS = 1024
MAX_COPIES = 1024
LONGEST_NAME = 200
LONGEST_TEXT = 1000  # of a title or source
SHOWN = 40  # characters of what is wrong, in an error
NO_CELL = "."
PLAIN_CELL = "*"
RESERVED = ("date", "tilings", "methods")  # the other columns of a table
PIECE_NAME = re.compile(r"[A-Za-z][0-9]{0,3}")
_KEYS = ("name", "title", "source", "board", "categories", "pieces", "calendar", "flip")


def parse_puzzle(text: str, where: str, own_pieces: bool = True) -> Puzzle:
    """Return the puzzle of a TOML text.

    Args:
        text: the file's content.
        where: its path, for errors, and for a name where it gives none.
        own_pieces: False if another piece set will replace its own, which may then be missing.

    Raises:
        PuzzleError: what is wrong, where, and how to mend it.
    """
    table = _table(text, where)
    try:
        return _puzzle(table, where, own_pieces)
    except SatcalError as error:
        raise type(error)(f"{where}: {error}") from error


def parse_pieces(text: str, where: str) -> tuple[Piece, ...]:
    """Return the pieces of a TOML text (a puzzle, or a ``[pieces]`` table) or of 0/1 blocks."""
    if "[pieces]" not in text and set("".join(text.split())) <= set("01"):
        from satcal.puzzle.plaintext import parse_shapes

        return parse_shapes(text, where)
    table = _table(text, where)
    try:
        return _pieces(table)
    except SatcalError as error:
        raise type(error)(f"{where}: {error}") from error


def _table(text: str, where: str) -> dict[str, Any]:
    """Return the table of a text; no key of it, which errors may show, can upset a terminal."""
    table = toml.parse(text, where, PuzzleError)
    tables: list[Any] = [table]
    for each in tables:
        if isinstance(each, dict):
            for key in each:
                if not key.isprintable() or len(key) > LONGEST_NAME:
                    raise PuzzleError(f"{where}: the key {shown(key)} is no short printable text")
            tables += each.values()
    return table


def shown(text: str) -> str:
    """Return the beginning of a text for an error: quoted, and escaped where a terminal obeys."""
    return repr(text if len(text) <= SHOWN else text[: SHOWN - 1] + "…")


def _puzzle(table: Mapping[str, Any], where: str, own_pieces: bool) -> Puzzle:
    for key in table:
        if key not in _KEYS:
            raise PuzzleError(
                f"unknown key '{key}'"
                + (did_you_mean(key, _KEYS) or f"; the keys are {', '.join(_KEYS)}")
            )
    categories = _categories(table.get("categories", {}))
    cells, found = parse_board(_text(table, "board"))
    return Puzzle(
        name=_line(table, "name", name_from(where), 1, LONGEST_NAME),
        cells=cells,
        labels=assign_labels(found, categories),
        categories=categories,
        drawn=_pieces(table) if own_pieces else (),
        calendar=connect(
            categories, _strings(table["calendar"], "calendar") if "calendar" in table else None
        ),
        title=_line(table, "title", "", 0, LONGEST_TEXT),
        source=_line(table, "source", "", 0, LONGEST_TEXT),
    )


def name_from(where: str) -> str:
    """Return the name of a puzzle whose file gives none: the file's, and nothing of its folder."""
    name = PurePath(where).name
    return "".join(c if c.isprintable() else "_" for c in name)[:LONGEST_NAME] or "puzzle"


def _text(table: Mapping[str, Any], key: str, default: str | None = None) -> str:
    value = table.get(key, default)
    if not isinstance(value, str):
        missing = "is missing" if value is None else "is not a text"
        raise PuzzleError(f'{key} {missing}; write {key} = """..."""')
    return value


def _line(table: Mapping[str, Any], key: str, default: str, least: int, most: int) -> str:
    """Return a text that people are shown, on a terminal too: nothing in it may give orders."""
    value = table.get(key, default)
    if not isinstance(value, str) or not value.isprintable() or not least <= len(value) <= most:
        raise PuzzleError(
            f"{key}: write it as one line of at most {most} characters that people can see, "
            f'such as {key} = "rhombus"'
        )
    return value


def _strings(value: Any, key: str) -> dict[str, tuple[str, ...]]:
    """Return lists of labels by name."""
    if not isinstance(value, dict):
        raise PuzzleError(f"[{key}] is not a table of lists of labels")
    for name, labels in value.items():
        if not isinstance(labels, list) or not all(isinstance(text, str) for text in labels):
            raise PuzzleError(f'[{key}] {name}: write a list of labels such as ["Jan", "Feb"]')
        for text in labels:
            check_label(text, f"[{key}] {name}")
    found = {name: tuple(labels) for name, labels in value.items()}
    number = sum(map(len, found.values()))
    if number > MAX_CELLS:
        raise TooLarge(f"[{key}]: {number:,} labels, more than any board has cells")
    return found


def _categories(value: Any) -> dict[str, tuple[str, ...]]:
    categories = _strings(value, "categories")
    owner: dict[str, str] = {}
    for name, labels in categories.items():
        if not 0 < len(name) <= 32 or not name.isprintable():
            raise PuzzleError(f"[categories] {name!r}: name it with 1 to 32 printable characters")
        if name in RESERVED:
            raise PuzzleError(f"[categories] {name}: tables have a column of that name; rename it")
        if not labels:
            raise PuzzleError(f"[categories] {name}: no label; list its labels or drop it")
        for text in labels:
            if text in owner:
                raise PuzzleError(
                    f"[categories] {name}: label '{text}' is already in {owner[text]}; "
                    "a label belongs to one category, once"
                )
            owner[text] = name
    return categories


def check_label(text: str, where: str) -> None:
    """Raise PuzzleError for a label that could not be written on a command line."""
    if not 0 < len(text) <= 32 or not text.isprintable() or re.search(r"[\s,]", text):
        raise PuzzleError(
            f"{where}: label {shown(text)} needs 1 to 32 printable characters without blanks or "
            "commas"
        )
    if text in (NO_CELL, PLAIN_CELL):
        raise PuzzleError(f"{where}: '{text}' marks cells without a label; choose another label")


def parse_board(text: str) -> tuple[tuple[Cell, ...], dict[str, list[Cell]]]:
    """Return the cells of a board drawing, in row-major order, and the cells of each label.

    Raises:
        PuzzleError: no cell, or rows of different length.
        TooLarge: more rows, columns or cells than satcal handles.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    rows = [line.split(maxsplit=MAX_SIDE) for line in lines[: MAX_SIDE + 1]]
    if any(len(row) > MAX_SIDE for row in rows) or len(rows) > MAX_SIDE:
        raise TooLarge(f"board: more than {MAX_SIDE} rows or columns")
    found: dict[str, list[Cell]] = {}
    cells: list[Cell] = []
    for number, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise PuzzleError(
                f"board: row {number} has {len(row)} entries, row 0 has {len(rows[0])}; "
                f"write '{NO_CELL}' where there is no cell"
            )
        for column, token in enumerate(row):
            if token == NO_CELL:
                continue
            cells.append((number, column))
            if token != PLAIN_CELL:
                check_label(token, f"board: {cell_name((number, column))}")
                found.setdefault(token, []).append((number, column))
    if not cells:
        raise PuzzleError("board: it has no cell; draw rows of labels, '*' and '.'")
    if len(cells) > MAX_CELLS:
        raise TooLarge(f"board: {len(cells)} cells, more than {MAX_CELLS}")
    return tuple(cells), found


def assign_labels(
    found: Mapping[str, Sequence[Cell]], categories: Mapping[str, Sequence[str]]
) -> dict[str, Label]:
    """Return the labels in canonical order, each in its category.

    Raises:
        PuzzleError: a label in no category, on no cell, or on cells that do not touch.
    """
    known = [text for labels in categories.values() for text in labels]
    for text, cells in found.items():
        where = f"cell {cell_name(cells[0])}: label '{text}'"
        if text not in known:
            raise PuzzleError(
                f"{where} is in no category"
                + (did_you_mean(text, known) or "; add it to [categories] or write '*'")
            )
        if not is_connected(cells):
            raise PuzzleError(
                f"{where} stands on cells that do not touch ({', '.join(map(cell_name, cells))}); "
                "a label is one region: rename one of them"
            )
    labels: dict[str, Label] = {}
    for category, texts in categories.items():
        for text in texts:
            if text not in found:
                raise PuzzleError(
                    f"[categories] {category}: label '{text}' has no cell on the board"
                    + did_you_mean(text, found)
                )
            labels[text] = Label(text, category, tuple(found[text]))
    return labels


def _pieces(table: Mapping[str, Any]) -> tuple[Piece, ...]:
    value = table.get("pieces")
    if not isinstance(value, dict) or not value:
        raise PuzzleError("[pieces] is missing or empty; draw each piece with '#' and '.'")
    flip = _text(table, "flip", "all")
    chosen = list(value) if flip == "all" else [] if flip == "none" else flip.split(",")
    for name in chosen:
        if name not in value:
            raise PuzzleError(
                f"flip: there is no piece {shown(name)}; use all, none or piece names"
                + did_you_mean(name, value)
            )
    return within_board(_piece(name, entry, name in chosen) for name, entry in value.items())


def within_board(pieces: Iterable[Piece]) -> tuple[Piece, ...]:
    """Return the pieces; raise TooLarge as soon as they fit on no board that satcal takes."""
    taken: list[Piece] = []
    area = 0
    for piece in pieces:
        taken.append(piece)
        area += piece.area
        if area > MAX_CELLS:
            raise TooLarge(
                f"piece {piece.name}: with it the pieces have more than {MAX_CELLS:,} squares, "
                "which is the largest board"
            )
    return tuple(taken)


def _piece(name: str, entry: Any, flip: bool) -> Piece:
    if isinstance(entry, str):
        entry = {"shape": entry}
    if not isinstance(entry, dict) or not isinstance(entry.get("shape"), str):
        raise PuzzleError(f'piece {name}: write a drawing, or {{ shape = "...", copies = 2 }}')
    odd = [key for key in entry if key not in ("shape", "copies", "flip")]
    if odd:
        raise PuzzleError(f"piece {name}: unknown key '{odd[0]}'; use shape, copies and flip")
    copies = entry.get("copies", 1)
    if isinstance(copies, bool) or not isinstance(copies, int) or not 1 <= copies <= MAX_COPIES:
        raise PuzzleError(f"piece {name}: copies is not a whole number from 1 to {MAX_COPIES}")
    if not isinstance(entry.get("flip", flip), bool):
        raise PuzzleError(f"piece {name}: flip is true or false")
    return Piece(
        check_piece_name(name), parse_shape(entry["shape"], name), copies, entry.get("flip", flip)
    )


def check_piece_name(name: str) -> str:
    """Return a piece's name, a letter and optional digits; raise PuzzleError otherwise."""
    if not PIECE_NAME.fullmatch(name):
        raise PuzzleError(
            f"piece {shown(name)}: a name is a letter and at most three digits, such as N or L4"
        )
    return name


def parse_shape(text: str, name: str) -> tuple[Cell, ...]:
    """Return the cells of a drawing with ``#`` (or 1) for a square and ``.`` (or 0) for none.

    Raises:
        PuzzleError: another character, an empty or a disconnected piece.
        TooLarge: a drawing that is larger than any board.
    """
    cells = []
    lines = text.splitlines()
    if len(lines) > MAX_SIDE or any(len(line.rstrip()) > MAX_SIDE for line in lines):
        raise TooLarge(f"piece {name}: its drawing has more than {MAX_SIDE} rows or columns")
    for row, line in enumerate(lines):
        for column, mark in enumerate(line.rstrip()):
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


def check_area(puzzle: Puzzle) -> None:
    """Raise PuzzleError if, for some reveal, the pieces do not cover as many cells as remain."""
    # A reveal's area is a sum over categories: extremes per category decide, not their product.
    least, most = 0, 0
    example: dict[bool, list[str]] = {True: [], False: []}
    for labels in puzzle.categories.values():
        ordered = sorted(labels, key=lambda text: len(puzzle.labels[text].cells))
        least += len(puzzle.labels[ordered[0]].cells)
        most += len(puzzle.labels[ordered[-1]].cells)
        example[True].append(ordered[0])
        example[False].append(ordered[-1])
    for area, reveal in ((least, example[True]), (most, example[False])):
        remaining = len(puzzle.cells) - area
        if remaining != puzzle.area:
            given = f" with the reveal {','.join(reveal)}" if reveal else ""
            raise PuzzleError(
                f"{puzzle.name}: the area does not add up: {remaining} cells remain to be "
                f"covered{given}, but the pieces have {puzzle.area} squares together"
            )
