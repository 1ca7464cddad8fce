"""The TOML form of a puzzle, written."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from satcal.puzzle.calendar import ENGLISH
from satcal.puzzle.loading import NO_CELL, PLAIN_CELL
from satcal.puzzle.model import Piece, Puzzle
from satcal.puzzle.shapes import drawn

ABOUT = ("title", "designer", "source")


def to_toml(puzzle: Puzzle) -> str:
    """A puzzle file that is read back as the same puzzle."""
    keys = ["name", *(key for key in ABOUT if key != "designer" or puzzle.designer)]
    lines = [f"{key} = {_quoted(getattr(puzzle, key))}" for key in keys]
    lines += ['board = """', *_board(puzzle), '"""', *_lists("categories", puzzle.categories)]
    parts = puzzle.calendar.parts or {}
    if any(not {*ENGLISH[name], ""}.issuperset(parts[name]) for name in parts):
        lines += _lists("calendar", parts)  # the labels alone do not make it
    lines += ["", "[pieces]", *(f"{piece.name} = {_piece(piece)}" for piece in puzzle.drawn)]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    """A TOML basic string: JSON's escapes, and DEL, which JSON lets pass."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _lists(name: str, lists: Mapping[str, Sequence[str]]) -> list[str]:
    labels = {key: ", ".join(map(_quoted, texts)) for key, texts in lists.items()}
    return ["", f"[{name}]", *(f"{_quoted(key)} = [{text}]" for key, text in labels.items())]


def _board(puzzle: Puzzle) -> list[str]:
    tokens = dict.fromkeys(puzzle.cells, PLAIN_CELL)
    tokens.update((cell, label.text) for cell, label in puzzle.label_at.items())
    wide = max(map(len, (*tokens.values(), NO_CELL)))
    rows = [
        [tokens.get((row, column), NO_CELL).ljust(wide) for column in range(puzzle.columns)]
        for row in range(puzzle.rows)
    ]
    return [_quoted(" ".join(row).rstrip())[1:-1] for row in rows]


def _piece(piece: Piece) -> str:
    drawing, flip = "\\n".join(drawn(piece.shape)), str(piece.flip).lower()
    return f'{{ shape = "{drawing}", copies = {piece.copies}, flip = {flip} }}'
