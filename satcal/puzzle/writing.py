"""The TOML form of a puzzle, written."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from satcal.puzzle.calendar import connect
from satcal.puzzle.loading import ABOUT, NO_CELL, PLAIN_CELL
from satcal.puzzle.model import Piece, Puzzle
from satcal.puzzle.shapes import drawn


def to_toml(puzzle: Puzzle) -> str:
    """Return a puzzle file that is read back as the same puzzle."""
    keys = ["name", *(key for key in ABOUT if key != "designer" or puzzle.designer)]
    lines = [f"{key} = {quoted(getattr(puzzle, key))}" for key in keys]
    lines += ['board = """', *board_rows(puzzle), '"""', *lists_of("categories", puzzle.categories)]
    if puzzle.calendar.parts and connect(puzzle.categories, None) != puzzle.calendar:
        lines += lists_of("calendar", puzzle.calendar.parts)  # the labels alone do not make it
    lines += ["", "[pieces]", *(f"{piece.name} = {piece_entry(piece)}" for piece in puzzle.drawn)]
    return "\n".join(lines) + "\n"


def quoted(text: str) -> str:
    """Return a TOML basic string: JSON's escapes, and DEL, which JSON lets pass."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def lists_of(name: str, lists: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the lines of a table of lists."""
    labels = {key: ", ".join(map(quoted, texts)) for key, texts in lists.items()}
    return ["", f"[{name}]", *(f"{quoted(key)} = [{text}]" for key, text in labels.items())]


def board_rows(puzzle: Puzzle) -> list[str]:
    """Return the rows of the board's drawing, in columns."""
    tokens = dict.fromkeys(puzzle.cells, PLAIN_CELL)
    tokens.update((cell, label.text) for cell, label in puzzle.label_at.items())
    wide = max(map(len, (*tokens.values(), NO_CELL)))
    rows = [
        [tokens.get((row, column), NO_CELL).ljust(wide) for column in range(puzzle.columns)]
        for row in range(puzzle.rows)
    ]
    return [quoted(" ".join(row).rstrip())[1:-1] for row in rows]


def piece_entry(piece: Piece) -> str:
    """Return a piece as a table in one line."""
    drawing, flip = "\\n".join(drawn(piece.shape)), str(piece.flip).lower()
    return f'{{ shape = "{drawing}", copies = {piece.copies}, flip = {flip} }}'
