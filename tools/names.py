"""Writes the names of months and weekdays in every language, as Unicode (CLDR) has them.

Run as ``python -m tools.names``: it needs babel, which satcal itself does not.
"""

from __future__ import annotations

from babel import Locale, localedata

from satcal.puzzle.calendar import NAMES, fold

HEAD = (
    "# Names of months (January first) and weekdays (Monday first) in the languages of Unicode's\n"
    "# CLDR, folded: language, part, and the spellings of each number. Written by tools/names.py.\n"
    "# Copyright (c) 1991-2026 Unicode, Inc.; https://www.unicode.org/license.txt\n"
)
STAND_INS = {f"m{month:02}" for month in range(1, 13)}
STAND_INS |= {"mon", "tue", "wed", "thu", "fri", "sat", "sun"}
"""What CLDR has where a language has no name of its own."""
WIDTHS = ("wide", "abbreviated", "short")  # narrow names have several meanings


def table() -> str:
    """Return the text of the table."""
    lines = []
    for language in sorted(localedata.locale_identifiers()):
        if "_" in language or language == "root":  # a variant in a country or script
            continue
        locale = Locale.parse(language)
        for part, forms, numbers in (
            ("month", locale.months, range(1, 13)),
            ("weekday", locale.days, range(7)),
        ):
            spellings = [
                {
                    fold(forms[context][width][number])
                    for context in ("format", "stand-alone")
                    for width in WIDTHS
                    if width in forms[context]
                }
                for number in numbers
            ]
            words = [sorted(filter(is_name, names - STAND_INS)) for names in spellings]
            if all(words):
                lines.append(f"{language} {part} {' '.join(map('|'.join, words))}\n")
    return HEAD + "".join(lines)


def is_name(text: str) -> bool:
    """Return whether a name is one word with a letter."""
    letters = any(mark.isalpha() for mark in text)
    return letters and "|" not in text and len(text.split()) == 1


if __name__ == "__main__":
    NAMES.write_text(table(), "utf-8")
