"""The TOML form of a puzzle, written: what :mod:`satcal.puzzle.toml` reads back unchanged."""

from __future__ import annotations

import json
from collections.abc import Sequence

from satcal.puzzle.calendar import ENGLISH
from satcal.puzzle.model import Piece, Puzzle
from satcal.puzzle.toml import NO_CELL, PLAIN_CELL


def to_toml(puzzle: Puzzle) -> str:
    """Return a puzzle file that describes a puzzle, its own pieces and flips included."""
    lines = [f"{key} = {_quoted(getattr(puzzle, key))}" for key in ("name", "title", "source")]
    lines += ['board = """', *_board(puzzle), '"""', "", "[categories]"]
    lines += [f"{_quoted(name)} = {_listed(texts)}" for name, texts in puzzle.categories.items()]
    parts = puzzle.calendar.parts
    if parts and any(not {*ENGLISH[name], ""}.issuperset(parts[name]) for name in parts):
        lines += ["", "[calendar]"]  # the labels alone do not make the calendar
        lines += [f"{_quoted(name)} = {_listed(texts)}" for name, texts in parts.items()]
    lines += ["", "[pieces]", *(f"{piece.name} = {_piece(piece)}" for piece in puzzle.drawn)]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    """Return a TOML basic string: JSON's escapes, and DEL, which JSON lets pass."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _listed(texts: Sequence[str]) -> str:
    return f"[{', '.join(map(_quoted, texts))}]"


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
    height, width = (1 + max(axis) for axis in zip(*piece.shape, strict=True))
    drawing = "\\n".join(
        "".join(".#"[(row, column) in piece.shape] for column in range(width))
        for row in range(height)
    )
    flip = str(piece.flip).lower()
    return f'{{ shape = "{drawing}", copies = {piece.copies}, flip = {flip} }}'
