"""The TOML form of a puzzle, readable as a picture; every check says where and how to mend."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

import satcal.toml as toml
from satcal.errors import PuzzleError, TooLarge, did_you_mean
from satcal.puzzle.calendar import connect
from satcal.puzzle.drawings import (
    MAX_CELLS,
    assign_labels,
    check_label,
    errors_in,
    parse_blocks,
    parse_board,
    parse_shape,
    shown,
    within_board,
)
from satcal.puzzle.model import Piece, Puzzle

MAX_COPIES = 1024
LONGEST_NAME = 200
LONGEST_TEXT = 1000  # of a title or source
RESERVED = ("date", "tilings", "methods")  # the other columns of a table
PIECE_NAME = re.compile(r"[A-Za-z][0-9]{0,3}")
_KEYS = ("name", "title", "source", "board", "categories", "pieces", "calendar", "flip")


def parse_puzzle(text: str, where: str, own_pieces: bool = True) -> Puzzle:
    """Return the puzzle of a TOML text.

    ``where`` is its path, for errors, and for a name where it gives none. Without
    ``own_pieces`` another set will replace its pieces, which may then be missing.

    Raises:
        PuzzleError, TooLarge: what is wrong, where, and how to mend it.
    """
    table = _table(text, where)
    with errors_in(where):
        for key in table:
            if key not in _KEYS:
                raise PuzzleError(
                    f"unknown key '{key}'"
                    + (did_you_mean(key, _KEYS) or f"; the keys are {', '.join(_KEYS)}")
                )
        categories = _categories(table)
        cells, labelled = parse_board(_text(table, "board"))
        return Puzzle(
            name=_line(table, "name", name_from(where), 1, LONGEST_NAME),
            cells=cells,
            labels=assign_labels(labelled, categories),
            categories=categories,
            drawn=_pieces(table) if own_pieces else (),
            calendar=connect(
                categories, _label_lists(table, "calendar") if "calendar" in table else None
            ),
            title=_line(table, "title", "", 0, LONGEST_TEXT),
            source=_line(table, "source", "", 0, LONGEST_TEXT),
        )


def parse_pieces(text: str, where: str) -> tuple[Piece, ...]:
    """Return the pieces of a TOML text (a puzzle, or a ``[pieces]`` table) or of 0/1 blocks."""
    blocks = "[pieces]" not in text and set("".join(text.split())) <= set("01")
    table = {} if blocks else _table(text, where)
    with errors_in(where):
        return parse_blocks(text) if blocks else _pieces(table)


def name_from(where: str) -> str:
    """Return the name of a puzzle whose file gives none: the file's, and nothing of its folder."""
    name = PurePath(where).name
    return "".join(c if c.isprintable() else "_" for c in name)[:LONGEST_NAME] or "puzzle"


def _table(text: str, where: str) -> dict[str, Any]:
    """Return the table of a text; no key of it, which errors may show, can upset a terminal."""
    table = toml.parse(text, where, PuzzleError)
    todo: deque[Any] = deque([table])
    while todo:
        value = todo.popleft()
        if isinstance(value, dict):
            for key in value:
                if not key.isprintable() or len(key) > LONGEST_NAME:
                    raise PuzzleError(f"{where}: the key {shown(key)} is no short printable text")
            todo.extend(value.values())
    return table


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


def _label_lists(table: Mapping[str, Any], key: str) -> dict[str, tuple[str, ...]]:
    value = table.get(key, {})
    if not isinstance(value, dict):
        raise PuzzleError(f"[{key}] is not a table of lists of labels")
    for name, labels in value.items():
        if not isinstance(labels, list) or not all(isinstance(text, str) for text in labels):
            raise PuzzleError(f'[{key}] {name}: write a list of labels such as ["Jan", "Feb"]')
        for text in labels:
            check_label(text, f"[{key}] {name}")
    number = sum(map(len, value.values()))
    if number > MAX_CELLS:
        raise TooLarge(f"[{key}]: {number:,} labels, more than any board has cells")
    return {name: tuple(labels) for name, labels in value.items()}


def _categories(table: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    categories = _label_lists(table, "categories")
    category_of: dict[str, str] = {}
    for name, labels in categories.items():
        if not 0 < len(name) <= 32 or not name.isprintable():
            raise PuzzleError(f"[categories] {name!r}: name it with 1 to 32 printable characters")
        if name in RESERVED:
            raise PuzzleError(f"[categories] {name}: tables have a column of that name; rename it")
        if not labels:
            raise PuzzleError(f"[categories] {name}: no label; list its labels or drop it")
        for text in labels:
            if text in category_of:
                raise PuzzleError(
                    f"[categories] {name}: label '{text}' is already in {category_of[text]}; "
                    "a label belongs to one category, once"
                )
            category_of[text] = name
    return categories


def _pieces(table: Mapping[str, Any]) -> tuple[Piece, ...]:
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
    return within_board(_piece(name, pieces[name], name in flipped) for name in pieces)


def _piece(name: str, entry: Any, flip: bool) -> Piece:
    if isinstance(entry, str):
        entry = {"shape": entry}
    if not isinstance(entry, dict) or not isinstance(entry.get("shape"), str):
        raise PuzzleError(f'piece {name}: write a drawing, or {{ shape = "...", copies = 2 }}')
    odd = [key for key in entry if key not in ("shape", "copies", "flip")]
    if odd:
        raise PuzzleError(f"piece {name}: unknown key '{odd[0]}'; use shape, copies and flip")
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
