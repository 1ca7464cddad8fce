"""Drawings of boards and pieces, parsed: what TOML and plain text both hold."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from satcal.errors import PuzzleError, SatcalError, TooLarge, did_you_mean
from satcal.puzzle.model import Label, Piece, cell_name
from satcal.puzzle.shapes import Cell, Shape, is_connected, normalise

MAX_SIDE = 64  # rows and columns: the largest boards anyone counts have some hundred cells
MAX_CELLS = 1024
SHOWN = 40  # characters of what is wrong, in an error
NO_CELL = "."
PLAIN_CELL = "*"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


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
                check_label(token, f"board: {cell_name(cell)}")
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
    known = [text for labels in categories.values() for text in labels]
    for text, cells in labelled.items():
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
            if text not in labelled:
                raise PuzzleError(
                    f"[categories] {category}: label '{text}' has no cell on the board"
                    + did_you_mean(text, labelled)
                )
            labels[text] = Label(text, category, tuple(labelled[text]))
    return labels


def parse_shape(text: str, name: str) -> Shape:
    """Return the cells of a drawing with ``#`` (or 1) for a square and ``.`` (or 0) for none.

    Raises:
        PuzzleError: another character, an empty or a disconnected piece.
        TooLarge: a drawing that is larger than any board.
    """
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
    return within_board(
        Piece(name, parse_shape(re.sub(r"(?<=[01]) (?=[01])", "", block), name))
        for name, block in zip(LETTERS, blocks, strict=False)
    )


def within_board(pieces: Iterable[Piece]) -> tuple[Piece, ...]:
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
