"""The TOML form of a puzzle, written: for programs, and for people to start from."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path

from satcal.puzzle.calendar import ENGLISH
from satcal.puzzle.model import Piece, Puzzle
from satcal.puzzle.toml import NO_CELL, PLAIN_CELL

TEMPLATE = Path(__file__).with_name("template.toml").read_text("utf-8")
"""A small puzzle, with a comment before each key that explains it."""


def to_toml(puzzle: Puzzle) -> str:
    """Return a puzzle file that is read back as the same puzzle."""
    lines = [f"{key} = {_quoted(getattr(puzzle, key))}" for key in ("name", "title", "source")]
    lines += ['board = """', *_board(puzzle), '"""', *_lists("categories", puzzle.categories)]
    lines += _calendar(puzzle)
    lines += ["", "[pieces]", *(f"{piece.name} = {_piece(piece)}" for piece in puzzle.drawn)]
    return "\n".join(lines) + "\n"


def to_start_from(puzzle: Puzzle) -> str:
    """Return a puzzle file with pieces that are drawn and the comments of the template."""
    names = [piece.name for piece in puzzle.drawn if piece.flip]
    flip = "all" if len(names) == len(puzzle.drawn) else ",".join(names) or "none"
    keys = {"name": puzzle.name, "title": puzzle.title, "source": puzzle.source, "flip": flip}
    blocks = [
        *(f"{key} = {_quoted(text)}" for key, text in keys.items()),
        "\n".join(['board = """', *_board(puzzle), '"""']),
    ]
    for lists in (_lists("categories", puzzle.categories), _calendar(puzzle)):
        wrapped = (textwrap.fill(line, 99, subsequent_indent="    ") for line in lists[1:])
        blocks.append("\n".join(wrapped))
    blocks.append("\n".join(["[pieces]", *map(_drawn, puzzle.drawn)]))
    comments = {key: text for text, key in re.findall(r"((?:^#.*\n)+)(\[?\w+)", TEMPLATE, re.M)}
    return "\n".join(
        f"{comments.get(re.split(r'[] ]', block)[0], '')}{block}\n" for block in blocks if block
    )


def _calendar(puzzle: Puzzle) -> list[str]:
    """Return the lines of the calendar table, where the labels alone do not make it."""
    parts = puzzle.calendar.parts or {}
    english = all({*ENGLISH[name], ""}.issuperset(parts[name]) for name in parts)
    return [] if english else _lists("calendar", parts)


def _quoted(text: str) -> str:
    """Return a TOML basic string: JSON's escapes, and DEL, which JSON lets pass."""
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


def _drawing(piece: Piece) -> list[str]:
    height, width = (1 + max(axis) for axis in zip(*piece.shape, strict=True))
    return [
        "".join(".#"[(row, column) in piece.shape] for column in range(width))
        for row in range(height)
    ]


def _drawn(piece: Piece) -> str:
    drawing = "\n".join(['"""', *_drawing(piece), '"""'])
    if piece.copies > 1:
        drawing = f"{{ shape = {drawing}, copies = {piece.copies} }}"
    return f"{piece.name} = {drawing}"


def _piece(piece: Piece) -> str:
    drawing, flip = "\\n".join(_drawing(piece)), str(piece.flip).lower()
    return f'{{ shape = "{drawing}", copies = {piece.copies}, flip = {flip} }}'
