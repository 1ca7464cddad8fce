"""The TOML form of a puzzle, written: what :mod:`satcal.puzzle.toml` reads back unchanged."""

from __future__ import annotations

import json
from collections.abc import Sequence

from satcal.puzzle.calendar import ENGLISH
from satcal.puzzle.model import Piece, Puzzle
from satcal.puzzle.shapes import Shape
from satcal.puzzle.toml import NO_CELL, PLAIN_CELL


def to_toml(puzzle: Puzzle) -> str:
    """Return a puzzle file that describes a puzzle, its own pieces and flips included."""
    lines = [f"{key} = {_quoted(getattr(puzzle, key))}" for key in ("name", "title", "source")]
    lines += ['board = """', *_board(puzzle), '"""', "", "[categories]"]
    lines += [f"{_quoted(name)} = {_listed(texts)}" for name, texts in puzzle.categories.items()]
    lines += [*_calendar(puzzle), "", "[pieces]"]
    lines += [f"{piece.name} = {_piece(piece)}" for piece in puzzle.drawn]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    """Return a TOML basic string: JSON's escapes, and DEL, which JSON lets pass."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _listed(texts: Sequence[str]) -> str:
    return f"[{', '.join(map(_quoted, texts))}]"


def _board(puzzle: Puzzle) -> list[str]:
    cells = set(puzzle.cells)
    names = {cell: label.text for cell, label in puzzle.label_at.items()}
    rows = [
        [
            names.get((row, column), PLAIN_CELL) if (row, column) in cells else NO_CELL
            for column in range(puzzle.columns)
        ]
        for row in range(puzzle.rows)
    ]
    wide = max(len(text) for row in rows for text in row)
    return [_quoted(" ".join(text.ljust(wide) for text in row).rstrip())[1:-1] for row in rows]


def _calendar(puzzle: Puzzle) -> list[str]:
    """Return the ``[calendar]`` table where the labels alone do not make the calendar."""
    parts = puzzle.calendar.parts
    if parts is None or all(set(parts[name]) <= {*ENGLISH[name], ""} for name in parts):
        return []
    return ["", "[calendar]", *(f"{_quoted(name)} = {_listed(parts[name])}" for name in parts)]


def _piece(piece: Piece) -> str:
    settings = f"copies = {piece.copies}, flip = {str(piece.flip).lower()}"
    return f'{{ shape = "{_drawing(piece.shape)}", {settings} }}'


def _drawing(shape: Shape) -> str:
    height, width = (1 + max(axis) for axis in zip(*shape, strict=True))
    rows = ("".join(".#"[(r, c) in shape] for c in range(width)) for r in range(height))
    return "\\n".join(rows)
