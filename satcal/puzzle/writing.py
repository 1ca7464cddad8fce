"""The writer of puzzle files in TOML."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from satcal.puzzle.calendar import connect
from satcal.puzzle.loading import TEXT_KEYS
from satcal.puzzle.model import Puzzle


def to_toml(puzzle: Puzzle) -> str:
    """Return the text of a puzzle file; reading it gives the same puzzle."""
    keys = ["name", *(key for key in TEXT_KEYS if key != "designer" or puzzle.designer)]
    lines = [f"{key} = {toml_string(getattr(puzzle, key))}" for key in keys]
    lines += [
        'board = """',
        *(toml_string(row)[1:-1] for row in puzzle.board_rows()),
        '"""',
        *format_lists("categories", puzzle.categories),
    ]
    if puzzle.calendar.parts and connect(puzzle.categories, None) != puzzle.calendar:
        lines += format_lists("calendar", puzzle.calendar.parts)  # the labels do not determine it
    lines += ["", "[pieces]", *(f"{piece.name} = {piece.entry}" for piece in puzzle.drawn)]
    return "\n".join(lines) + "\n"


def toml_string(text: str) -> str:
    """Return a TOML basic string: JSON's escapes, and that of DEL, which JSON does not escape."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def format_lists(name: str, lists: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the lines of a table of lists."""
    labels = {key: ", ".join(map(toml_string, texts)) for key, texts in lists.items()}
    return ["", f"[{name}]", *(f"{toml_string(key)} = [{text}]" for key, text in labels.items())]
