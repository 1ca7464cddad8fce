"""Drawings as people see them: which characters may stand in one, and where its rows end.

A row ends at a line feed, or a carriage return and a line feed, and nowhere else. Python's
``str.splitlines`` also splits at seven other characters, most of which a screen does not show, so
two squares that look like a bar would be a square.
"""

from __future__ import annotations

import re
import unicodedata

from satcal.errors import InputError, PuzzleError

# Printable to Python, but nothing is seen: fillers, joiners, variation selectors, empty Braille.
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U000e0100-\U000e01ef]"
)
_CONTROLS = {
    "\0": "NULL",
    "\t": "TAB",
    "\n": "LINE FEED",
    "\v": "LINE TABULATION",
    "\f": "FORM FEED",
    "\r": "CARRIAGE RETURN",
    "\x1b": "ESCAPE",
    "\x7f": "DELETE",
    "\x85": "NEXT LINE",
}


def unseen(text: str) -> str | None:
    """The name of the first character of a text that nobody sees, such as a control, or None.

    >>> unseen("Jan"), unseen("Ja\\u200bn")
    (None, 'U+200B ZERO WIDTH SPACE')
    """
    if text.isprintable() and not _UNSEEN.search(text):
        return None
    for character in text:
        if not character.isprintable() or _UNSEEN.match(character):
            name = _CONTROLS.get(character) or unicodedata.name(character, "")
            return f"U+{ord(character):04X} {name}".rstrip()
    return None


def rows_of(drawing: str, where: str, kind: type[InputError] = PuzzleError) -> list[str]:
    """The rows of a drawing, without a last one that is empty.

    Raises an error of this ``kind``, which begins with ``where``, for a character that nobody sees
    other than a blank or the end of a row.
    """
    rows = drawing.replace("\r\n", "\n").split("\n")
    for index, row in enumerate(rows):
        if name := unseen(row):
            raise kind(
                f"{where}: row {index} of the drawing has the invisible character {name}; remove "
                "it, or write a blank"
            )
    return rows if rows[-1] else rows[:-1]
