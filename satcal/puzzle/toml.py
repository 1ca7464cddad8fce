"""The TOML form of a puzzle, with its drawings; every check says where and how to mend."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any

from satcal.errors import PuzzleError, TooLarge, did_you_mean, shown
from satcal.puzzle.calendar import IN_FULL, MONTHS, WEEKDAYS, connect, position
from satcal.puzzle.drawings import rows_of, unseen
from satcal.puzzle.model import Label, Piece, Puzzle, cell_name, may_flip
from satcal.puzzle.shapes import Cell, Shape, is_connected, normalise
from satcal.toml import Faults

MAX_SIDE = 64  # rows and columns: the largest boards anyone counts have some hundred cells
MAX_CELLS = 1024
MAX_COPIES = 1024
LONGEST_NAME = 200
LONGEST_TEXT = 1000  # of a title, designer or source
NO_CELL = "."
PLAIN_CELL = "*"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
RESERVED = ("date", "tilings", "methods")  # the other columns of a table
PIECE_NAME = re.compile(r"[A-Za-z][0-9]{0,3}")
ABOUT = ("title", "designer", "source")  # texts for people
KEYS = ("name", *ABOUT, "board", "categories", "pieces", "calendar", "flip")
_Table = Mapping[str, Any]


def name_from(where: str) -> str:
    """The name of a puzzle whose file gives none: the file's, without its folder."""
    name = PurePath(where).name
    return "".join(c if c.isprintable() else "_" for c in name)[:LONGEST_NAME] or "puzzle"


def parse_puzzle(
    text: str, where: str, own_pieces: bool = True, faults: Faults | None = None
) -> Puzzle:
    """The puzzle of a TOML text; raises PuzzleError or TooLarge if it has none.

    ``where`` is its path, for errors and for a name where it gives none. Without
    ``own_pieces`` another set will replace its pieces, which may then be missing.
    With ``faults`` that keep mistakes, the puzzle lacks what is wrong.
    """
    faults = faults or Faults()
    table = faults.table(text, where)
    with faults.of(where, text):
        _check_keys(table)
        for key in table:
            with faults.at(key):
                if key not in KEYS:
                    hint = did_you_mean(key, KEYS) or f"; the keys are {', '.join(KEYS)}"
                    raise PuzzleError(f"unknown key '{key}'{hint}")
        categories = _categories(table, faults)
        cells: tuple[Cell, ...] = ()
        labelled: dict[str, list[Cell]] = {}
        with faults.at("board", loses="board"):
            drawing = table.get("board")
            if not isinstance(drawing, str):
                wrong = "is missing" if drawing is None else "is not a string"
                raise PuzzleError(f'board {wrong}; write board = """..."""')
            cells, labelled = parse_board(drawing, faults)
        name = _line(table, "name", name_from(where), 1, LONGEST_NAME, faults)
        labels = assign_labels(labelled, categories, faults)
        drawn = _pieces(table, faults) if own_pieces else ()
        calendar = connect(categories, None)
        with faults.at("calendar"):
            declared = _label_lists(table, "calendar", faults)
            if "calendar" in table and not {"categories", "calendar"} & faults.lost:
                calendar = connect(categories, declared, faults)
        about = {key: _line(table, key, "", 0, LONGEST_TEXT, faults) for key in ABOUT}
    return Puzzle(name, cells, labels, categories, drawn, calendar, **about)


def parse_pieces(text: str, where: str, faults: Faults | None = None) -> tuple[Piece, ...]:
    """The pieces of a TOML text (a puzzle, or a ``[pieces]`` table) or of 0/1 blocks."""
    faults = faults or Faults()
    blocks = "[pieces]" not in text and set("".join(text.split())) <= set("01")
    table = {} if blocks else faults.table(text, where)
    with faults.of(where, text):
        _check_keys(table)
        return parse_blocks(text, faults) if blocks else _pieces(table, faults)


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


def _check_keys(table: _Table) -> None:
    """Raise PuzzleError for a key with which an error that shows it could upset a terminal."""
    for key in _all_keys(table):
        if not key.isprintable() or len(key) > LONGEST_NAME:
            raise PuzzleError(f"key {shown(key)} must be short and printable")


def _all_keys(table: _Table) -> Iterator[str]:
    yield from table
    for value in table.values():
        if isinstance(value, dict):
            yield from _all_keys(value)


def _subtable(table: _Table, key: str) -> _Table:
    value = table.get(key, {})
    if not isinstance(value, dict):
        raise PuzzleError(f"{key} must be a table; write [{key}] once, with its entries below")
    return value


def _line(table: _Table, key: str, default: str, least: int, most: int, faults: Faults) -> str:
    """A text that people are shown, on a terminal too: nothing in it may give orders."""
    value = table.get(key, default)
    faults.expect(
        isinstance(value, str) and value.isprintable() and least <= len(value) <= most,
        f"{key}: write it as one line of at most {most} printable characters, such as "
        f'{key} = "rhombus"',
        key,
    )
    return str(value)


def _label_lists(table: _Table, key: str, faults: Faults) -> dict[str, tuple[str, ...]]:
    lists = {}
    for name, value in _subtable(table, key).items():
        with faults.at(key, name, loses=key):
            labels = _spread(value) if isinstance(value, str) else value
            if not isinstance(labels, list) or not all(isinstance(text, str) for text in labels):
                raise PuzzleError(
                    f'[{key}] {name}: write a list of labels such as ["Jan", "Feb"], or "1-31"'
                )
            for index, text in enumerate(labels):
                with faults.at(key, name, index):
                    _check_label(text, f"[{key}] {name}")
            lists[name] = tuple(labels)
    number = sum(map(len, lists.values()))
    if number > MAX_CELLS:
        raise TooLarge(f"[{key}]: {number:,} labels, more than any board has cells")
    return lists


def _spread(text: str) -> list[str] | None:
    """The labels from one to another, as ``1-31`` and ``Jan-Dec`` say; None for others.

    Months and weekdays are written as the two that are named: short or in full, and in their case.
    """
    first, _, last = (part.strip() for part in text.partition("-"))
    if re.fullmatch(r"\d{1,3}-\d{1,3}", f"{first}-{last}", re.ASCII):
        return list(map(str, range(int(first), int(last) + 1)))
    for part, names in (("month", MONTHS), ("weekday", WEEKDAYS)):
        begin, end = position(part, first), position(part, last)
        if begin is not None and end is not None:
            number = (end - begin) % len(names) + 1  # also Sun-Sat
            short = len(first) == len(last) == 3
            spelled = names if short else [name.capitalize() for name in IN_FULL[part]]
            written = str.upper if first.isupper() else str.lower if first.islower() else str
            return [written(spelled[(begin + step) % len(names)]) for step in range(number)]
    return None


def _check_label(text: str, where: str) -> None:
    """Raise PuzzleError for a label that could not be written on a command line."""
    if name := unseen(text[:32]):
        raise PuzzleError(
            f"{where}: label {shown(text)} has the invisible character {name}; remove it"
        )
    if not 0 < len(text) <= 32 or re.search(r"[\s,]", text):
        raise PuzzleError(
            f"{where}: label {shown(text)} needs 1 to 32 characters without blanks or commas"
        )
    if text in (NO_CELL, PLAIN_CELL):
        raise PuzzleError(f"{where}: '{text}' marks cells without a label; choose another label")


def _categories(table: _Table, faults: Faults) -> dict[str, tuple[str, ...]]:
    categories: dict[str, tuple[str, ...]] = {}
    with faults.at("categories", loses="categories"):
        categories = _label_lists(table, "categories", faults)
    category_of: dict[str, str] = {}
    for name, labels in categories.items():
        where, path = f"[categories] {name}", ("categories", name)
        text = f"[categories] {name!r}: name it with 1 to 32 printable characters"
        faults.expect(0 < len(name) <= 32 and name.isprintable(), text, *path)
        text = (
            f"{where}: this name is reserved for a column of satcal's tables; rename the category"
        )
        faults.expect(name not in RESERVED, text, *path)
        faults.expect(bool(labels), f"{where}: it has no labels; list some, or remove it", *path)
        for index, label in enumerate(labels):
            text = f"{where}: label '{label}' is already in category {category_of.get(label)}; "
            text += "list each label once, in one category"
            faults.expect(label not in category_of, text, *path, index, loses="area")
            category_of.setdefault(label, name)
    return categories


def _pieces(table: _Table, faults: Faults) -> tuple[Piece, ...]:
    with faults.at("pieces", loses="pieces"):
        pieces = _subtable(table, "pieces")
        if not pieces:
            raise PuzzleError("[pieces] is missing or empty; draw each piece with '#' and '.'")
        taken: list[Piece] = []
        flipped: Collection[str] = ()
        with faults.at("flip"):
            flip = table.get("flip", "all")
            if not isinstance(flip, str):
                raise PuzzleError('flip is not a string; write all, none, or names such as "N,L4"')
            flipped = may_flip(flip, pieces, PuzzleError)
        for name in pieces:
            with faults.at("pieces", name, loses="pieces"):
                taken.append(_piece(name, pieces[name], name in flipped, faults))
            _check_size(taken)
        return tuple(taken)
    return ()


def _piece(name: str, entry: Any, flip: bool, faults: Faults) -> Piece:
    if isinstance(entry, str):
        entry = {"shape": entry}
    if not isinstance(entry, dict) or not isinstance(entry.get("shape"), str):
        raise PuzzleError(f'piece {name}: write a drawing, or {{ shape = "...", copies = 2 }}')
    path = ("pieces", name)
    for key in entry:
        text = f"piece {name}: unknown key '{key}'; use shape, copies and flip"
        faults.expect(key in ("shape", "copies", "flip"), text, *path, key)
    copies, flip = entry.get("copies", 1), entry.get("flip", flip)
    valid_copies = (
        isinstance(copies, int) and not isinstance(copies, bool) and 1 <= copies <= MAX_COPIES
    )
    text = f"piece {name}: copies must be a whole number from 1 to {MAX_COPIES}"
    faults.expect(valid_copies, text, *path, "copies", loses="area")
    text = f"piece {name}: flip must be true or false"
    faults.expect(isinstance(flip, bool), text, *path, "flip")
    with faults.at(*path):
        if not PIECE_NAME.fullmatch(name):
            way_out = "a name is a letter and at most three digits, such as N or L4"
            raise PuzzleError(f"piece {shown(name)}: {way_out}")
    shape = parse_shape(entry["shape"], name, faults)
    return Piece(name, shape, copies if valid_copies else 1, flip is True)


def parse_board(text: str, faults: Faults) -> tuple[tuple[Cell, ...], dict[str, list[Cell]]]:
    """The cells of a board drawing, in row-major order, and the cells of each label."""
    lines = [line for line in rows_of(text, "board") if line.strip()]
    rows = [line.split(maxsplit=MAX_SIDE) for line in lines[: MAX_SIDE + 1]]
    if any(len(row) > MAX_SIDE for row in rows) or len(rows) > MAX_SIDE:
        raise TooLarge(f"board: more than {MAX_SIDE} rows or columns")
    cells: list[Cell] = []
    labelled: dict[str, list[Cell]] = {}
    for index, row in enumerate(rows):
        with faults.at("board", loses="area"):
            if len(row) != len(rows[0]):
                entries = "1 entry" if len(row) == 1 else f"{len(row)} entries"
                raise PuzzleError(
                    f"board: rows must have equal lengths: row {index} has {entries}, row 0 has "
                    f"{len(rows[0])}; write '{NO_CELL}' where there is no cell"
                )
        for column, token in enumerate(row):
            cell = (index, column)
            if token != NO_CELL:
                cells.append(cell)
            with faults.at("board"):
                if token not in (NO_CELL, PLAIN_CELL):
                    _check_label(token, f"board: {cell_name(cell)}")
                    labelled.setdefault(token, []).append(cell)
    if not cells:
        raise PuzzleError("board: no cells; draw rows of labels, '*' and '.'")
    if len(cells) > MAX_CELLS:
        raise TooLarge(f"board: {len(cells)} cells, more than {MAX_CELLS}")
    return tuple(cells), labelled


def assign_labels(
    labelled: Mapping[str, Sequence[Cell]],
    categories: Mapping[str, Sequence[str]],
    faults: Faults,
) -> dict[str, Label]:
    """The labels in canonical order, each in its category, on cells that touch."""
    category_of = {text: name for name, labels in categories.items() for text in labels}
    for text, cells in labelled.items():
        where = f"cell {cell_name(cells[0])}: label '{text}'"
        with faults.at("board", loses="area"):
            if text not in category_of and "categories" not in faults.lost:
                hint = did_you_mean(text, category_of) or "; add it to [categories] or write '*'"
                raise PuzzleError(f"{where} is in no category{hint}")
            if not is_connected(cells):
                raise PuzzleError(
                    f"{where} stands on cells that do not touch "
                    f"({', '.join(map(cell_name, cells))}); a label is one region: rename one of "
                    "them"
                )
    for category, labels in categories.items():
        for index, text in enumerate(labels):
            with faults.at("categories", category, index, loses="area"):
                if text not in labelled and "board" not in faults.lost:
                    hint = did_you_mean(text, labelled)
                    where = f"[categories] {category}: label '{text}'"
                    raise PuzzleError(f"{where} has no cell on the board{hint}")
    return {
        text: Label(text, name, tuple(labelled[text]))
        for text, name in category_of.items()
        if text in labelled
    }


def parse_shape(text: str, name: str, faults: Faults) -> Shape:
    """The cells of a drawing: # or 1 is a square, . or 0 none."""
    lines = [line.rstrip() for line in rows_of(text, f"piece {name}")]
    if len(lines) > MAX_SIDE or any(len(line) > MAX_SIDE for line in lines):
        raise TooLarge(f"piece {name}: its drawing has more than {MAX_SIDE} rows or columns")
    cells: list[Cell] = []
    for row, line in enumerate(lines):
        with faults.at("pieces", name, "shape", loses="area"):
            cells += [(row, column) for column, mark in enumerate(line) if mark not in ".0 "]
            if odd := [mark for mark in line if mark not in "#1.0 "]:
                raise PuzzleError(
                    f"piece {name}: row {row} of its drawing has {odd[0]!r}; draw with '#' and '.'"
                )
    if not cells:
        raise PuzzleError(f"piece {name}: no squares; draw them with '#'")
    text = f"piece {name}: its squares are not joined edge to edge; correct the drawing"
    faults.expect(is_connected(cells), text, "pieces", name, "shape")
    return normalise(cells)


def parse_blocks(text: str, faults: Faults) -> tuple[Piece, ...]:
    """The pieces A, B, C… of blocks of 0 and 1 that blank lines separate."""
    lines = text.replace("\r\n", "\n").strip("\n")
    blocks = [block for block in re.split(r"\n *\n", lines) if block.strip()]
    if not 0 < len(blocks) <= len(LETTERS):
        raise PuzzleError(f"{len(blocks)} shapes; 1 to {len(LETTERS)} are possible")
    taken: list[Piece] = []
    for name, block in zip(LETTERS, blocks, strict=False):
        with faults.at("pieces", name, loses="pieces"):
            drawing = re.sub(r"(?<=[01]) (?=[01])", "", block)
            taken.append(Piece(name, parse_shape(drawing, name, faults)))
        _check_size(taken)
    return tuple(taken)


def _check_size(taken: Sequence[Piece]) -> None:
    """Raise TooLarge as soon as pieces fit on no board that satcal takes."""
    if sum(piece.area for piece in taken) > MAX_CELLS:
        raise TooLarge(
            f"piece {taken[-1].name}: this piece brings the total to more than {MAX_CELLS:,} "
            "squares, the size of the largest board; draw fewer or smaller pieces"
        )
