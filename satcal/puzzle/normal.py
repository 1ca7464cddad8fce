"""The characters, the sizes and the quotation of what stands in a puzzle's normal form."""

from __future__ import annotations

import re
import unicodedata

NO_CELL, PLAIN_CELL = ".", "*"
MAX_FILE = 256 * 1024  # bytes; the largest file of the library has 2 KiB
MAX_NAME = 200  # characters of a puzzle's name
DIGEST_DIGITS = 32
"""Digits of a digest in text for people: 128 bits, so that a puzzle cannot be made for a digest."""
RANGES = (
    "20-7E A1-AC AE-34E 350-61B 61D-115E 1161-167F 1681-17B3 17B6-180A 1810-1FFF 200C-200D "
    "2010-2027 2030-205E 2070-27FF 2801-2FFF 3001-3163 3165-D7FF F900-FDCF FDF0-FDFF FE10-FEFE "
    "FF00-FF9F FFA1-FFEF 10000-1BC9F 1BCA4-1D172 1D17B-1FFFD 20000-3FFFD"
)
"""The characters of puzzles and certificates (docs/reference/certificates.md); the checker has a
list of its own."""
OUTSIDE = re.compile(
    "[^"
    + "".join(
        "-".join(re.escape(chr(int(end, 16))) for end in pair.split("-")) for pair in RANGES.split()
    )
    + "]"
)


def in_quotes(text: str) -> str:
    """Return a text in quotation marks, with ``?`` for quotation marks and backslashes in it."""
    return '"' + re.sub(r'["\\]', "?", text) + '"'


def find_invisible(text: str) -> str:
    r"""Return the name of the first character that the format of certificates excludes, or "".

    These are invisible characters, such as control characters, and private ones.

    >>> find_invisible("Jan"), find_invisible("Ja\u200bn")
    ('', 'U+200B ZERO WIDTH SPACE')
    """
    match = OUTSIDE.search(text)
    return f"U+{ord(match[0]):04X} {unicodedata.name(match[0], 'CONTROL')}" if match else ""
