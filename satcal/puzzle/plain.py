r"""The plain text form of a board: a grid in ``puzzle.txt``, and the pieces in ``shapes.txt``.

In the grid ``-`` is not a cell and ``*`` is a cell without a label. Entries are separated by blanks
(or commas, semicolons, bars, tabs); a grid of nothing but ``X`` and ``-`` needs none. Labels that
are months, days or weekdays make the categories, in any language; symbols are cells without a
label. The pieces are blocks of 0 and 1 that blank lines separate, named A, B, C in the order of the
file.

>>> table_of("Jan Feb -\n1 2 *", "11\n10")["board"]
'Jan Feb .\n1 2 *'
>>> table_of("Jan Feb -\n1 2 *", "11\n10")["categories"]
{'month': ['Jan', 'Feb'], 'day': ['1', '2']}
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from pathlib import Path
from string import ascii_lowercase, ascii_uppercase
from typing import Any

from satcal.errors import PuzzleError, printable
from satcal.files import read_text
from satcal.puzzle.calendar import MONTHS, WEEKDAYS, fold, names_by_language, position
from satcal.puzzle.normal import MAX_FILE, NO_CELL

SHAPES = "shapes.txt"
LETTERS = ascii_uppercase + ascii_lowercase
PARTS = ("month", "day", "weekday")
GLUED = re.compile(
    rf"(?=.*[0-9a-wyz])(?:{'|'.join((*MONTHS, *WEEKDAYS))}|0[1-9]|[12]\d|3[01]|[-*.x]){{2,}}",
    re.IGNORECASE,
)
"""A row of a grid without blanks between its labels."""


def read_plain(path: Path, text: str) -> dict[str, Any]:
    """Return the table of a grid and of the ``shapes.txt`` beside it, or of a file of shapes.

    Raises:
        FormatError, TooLarge: ``shapes.txt`` cannot be read.
        PuzzleError: it is missing, or has too many shapes.
    """
    if set("".join(text.split())) <= set("01"):
        return {"pieces": pieces_of(text)}
    shapes = path.with_name(SHAPES)
    if not shapes.is_file():
        raise PuzzleError(
            f"{printable(path)}: a grid such as 'Jan Feb -' needs its pieces beside it, in "
            f"{SHAPES}, as blocks of 0 and 1 with blank lines between them; or write a .toml file "
            "(`satcal new`)"
        )
    return table_of(text, read_text(shapes, "shapes", MAX_FILE))


def table_of(grid: str, shapes: str) -> dict[str, Any]:
    """Return the table of the texts of a grid and its shapes, as a TOML file would have it."""
    lines = [" ".join(entries_of(line)) for line in grid.replace("\r\n", "\n").split("\n")]
    marks = all(re.fullmatch("[-*.Xx#]*", line) for line in lines)
    dash = "-" if marks else r"(?<!\S)-(?!\S)"
    board = re.sub(dash, NO_CELL, "\n".join(lines))
    labels = list(dict.fromkeys(board.split()))
    categories = categories_of(labels)
    words = [label for label in labels if re.search(r"[^\WxX]", label)]
    if len(words) > 2 * sum(map(len, categories.values())):
        raise PuzzleError(
            "neither a drawing nor a grid that satcal reads; a grid has the labels of a row on a "
            "line, such as 'Jan Feb -' above '1 2 3', and '-' where there is no cell"
        )
    return {"board": board, "categories": categories, "pieces": pieces_of(shapes)}


def entries_of(line: str) -> list[str]:
    """Return the entries of a row: between blanks, or between commas, semicolons, bars or tabs.

    English names of three letters and numbers of two digits need nothing between them.

    >>> entries_of("JANFEB-"), entries_of("080910")
    (['JAN', 'FEB', '-'], ['08', '09', '10'])
    >>> entries_of("Jan  Feb -"), entries_of("| Jan | Feb | |"), entries_of("Jan,Feb,")
    (['Jan', 'Feb', '-'], ['Jan', 'Feb', '-'], ['Jan', 'Feb', '-'])
    """
    if GLUED.fullmatch(line.strip()):
        return re.findall(r"[a-z]{3}|\d\d|[-*.x]", line, re.IGNORECASE)
    if not re.search(r"[,;|\t]", line):
        return list(filter(None, line.split(" ")))  # what else is blank is refused by its name
    line = line.strip()
    if line.startswith("|") and line.endswith("|"):
        line = line[1:-1]
    return [entry.strip() or "-" for entry in re.split(r"[,;|\t]", line)]


def categories_of(labels: Collection[str]) -> dict[str, list[str]]:
    """Return the months, days and weekdays among labels, in calendar order."""
    found = [numbers_in(labels, {part: english(part, labels) for part in ("month", "weekday")})]
    months = names_by_language("month") if len(found[0]) < len(labels) else {}
    for language, names in months.items():
        weekdays = names_by_language("weekday").get(language, {})
        found.append(numbers_in(labels, {"month": names, "weekday": weekdays}))
    known = max(found, key=len)  # the language that has most labels; English goes first
    return {
        part: sorted(named, key=lambda label: known[label][1])
        for part in PARTS
        if (named := [label for label in labels if label in known and known[label][0] == part])
    }


def english(part: str, labels: Collection[str]) -> dict[str, int]:
    """Return the folded labels that are months or weekdays in English, with their numbers."""
    at = {fold(label): position(part, label) for label in labels}
    return {label: index + 1 for label, index in at.items() if index is not None}


def numbers_in(
    labels: Collection[str], names: Mapping[str, Mapping[str, int]]
) -> dict[str, tuple[str, int]]:
    """Return the part and the number of each label that one language has, days included."""
    numbers = {}
    for label in labels:
        for part in ("weekday", "month"):
            if fold(label) in names[part]:
                numbers[label] = (part, names[part][fold(label)])
        day = position("day", label)
        if day is not None:
            numbers[label] = ("day", day)
    return numbers


def pieces_of(text: str) -> dict[str, str]:
    """Return the drawings of blocks that blank lines separate, named A, B, C."""
    lines = text.replace("\r\n", "\n").strip("\n")
    blocks = [block for block in re.split(r"\n *\n", lines) if block.strip()]
    if len(blocks) > len(LETTERS):
        raise PuzzleError(
            f"{SHAPES}: {len(blocks)} shapes; there are {len(LETTERS)} names for them"
        )
    drawings = [re.sub("(?<=[01]) (?=[01])", "", block) for block in blocks]
    return dict(zip(LETTERS, drawings, strict=False))
