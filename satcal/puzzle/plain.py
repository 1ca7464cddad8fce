r"""The plain text form of a board: a grid in ``puzzle.txt``, and the pieces in ``shapes.txt``.

In the grid ``-`` is not a cell and ``*`` is a cell without a label. Blanks separate entries; a grid
of nothing but ``X`` and ``-`` needs none. Labels that are months, days or weekdays in English make
the categories; symbols are cells without a label. The pieces are blocks of 0 and 1 that blank lines
separate, named A, B, C in the order of the file.

>>> build_table("Jan Feb -\n1 2 *", "11\n10")["board"]
'Jan Feb .\n1 2 *'
>>> build_table("Jan Feb -\n1 2 *", "11\n10")["categories"]
{'month': ['Jan', 'Feb'], 'day': ['1', '2']}
"""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path
from string import ascii_lowercase, ascii_uppercase
from typing import Any

from satcal.errors import PuzzleError, printable
from satcal.files import read_text
from satcal.puzzle.calendar import index_in
from satcal.puzzle.normal import MAX_FILE, NO_CELL

SHAPES = "shapes.txt"
LETTERS = ascii_uppercase + ascii_lowercase
PARTS = ("month", "day", "weekday")


def read_plain(path: Path, text: str) -> dict[str, Any]:
    """Return the table of a grid with the ``shapes.txt`` beside it, or of a file of shapes.

    Raises:
        FormatError, TooLarge: ``shapes.txt`` cannot be read.
        PuzzleError: ``shapes.txt`` is missing, or has too many shapes.
    """
    if set("".join(text.split())) <= set("01"):
        return {"pieces": parse_pieces(text)}
    shapes = path.with_name(SHAPES)
    if not shapes.is_file():
        raise PuzzleError(
            f"{printable(path)}: a grid such as 'Jan Feb -' needs its pieces beside it, in "
            f"{SHAPES}, as blocks of 0 and 1 with blank lines between them; or write a .toml file "
            "(`satcal new`)"
        )
    return build_table(text, read_text(shapes, "shapes", MAX_FILE))


def build_table(grid: str, shapes: str) -> dict[str, Any]:
    """Return the table that a TOML file of a grid and its shapes would have."""
    has_no_labels = re.fullmatch(r"([-*.Xx#]* *\r?\n?)*", grid)
    board = re.sub("-" if has_no_labels else r"(?<!\S)-(?!\S)", NO_CELL, grid)
    labels = list(dict.fromkeys(board.split()))
    categories = find_categories(labels)
    words = [label for label in labels if re.search(r"[^\WxX]", label)]
    if len(words) > 2 * sum(map(len, categories.values())):
        raise PuzzleError(
            "neither a drawing nor a grid that satcal reads; a grid has the labels of a row on a "
            "line, such as 'Jan Feb -' above '1 2 3', and '-' where there is no cell"
        )
    return {"board": board, "categories": categories, "pieces": parse_pieces(shapes)}


def find_categories(labels: Collection[str]) -> dict[str, list[str]]:
    """Return the months, days and weekdays among labels, in calendar order."""
    indices: dict[str, dict[str, int]] = {part: {} for part in PARTS}
    for label in labels:
        for part in PARTS:
            if (index := index_in(part, label)) is not None:
                indices[part][label] = index
    return {part: sorted(found, key=found.__getitem__) for part, found in indices.items() if found}


def parse_pieces(text: str) -> dict[str, str]:
    """Return the blocks between blank lines as drawings, named A, B, C."""
    lines = text.replace("\r\n", "\n").strip("\n")
    blocks = [block for block in re.split(r"\n *\n", lines) if block.strip()]
    if len(blocks) > len(LETTERS):
        raise PuzzleError(
            f"{SHAPES}: {len(blocks)} shapes; there are {len(LETTERS)} names for them"
        )
    drawings = [re.sub("(?<=[01]) (?=[01])", "", block) for block in blocks]
    return dict(zip(LETTERS, drawings, strict=False))
