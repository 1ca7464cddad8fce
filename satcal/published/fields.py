"""The fields of statements: how each is written in a claim file, and how it is read."""

from __future__ import annotations

import dataclasses
import datetime
import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, field
from decimal import Decimal
from functools import partial
from operator import eq, ge, le
from pathlib import Path
from typing import Any, NamedTuple

from satcal.errors import FormatError
from satcal.published.sheets import read_sheet
from satcal.puzzle import when
from satcal.puzzle.loading import ALIASES, library, load
from satcal.puzzle.model import Puzzle, Reveal, labels_in

_NO_DAY = datetime.date(2000, 1, 1)  # ranges are always given, so that today plays no part
_RANGE = re.compile(r"\d{4}(-\d\d)?|.+ to .+")


class Context(NamedTuple):
    """What a field may refer to: the puzzle of its statement, the folder of the claim file."""

    puzzle: Puzzle
    folder: Path


class Bound(NamedTuple):
    """What a number of tilings is said to be.

    The name is that of the field: ``at_least``, ``at_most``, ``exactly`` or ``tilings``.
    """

    name: str
    number: int

    def allows(self, true: int) -> bool:
        """Return whether a number is as it is said to be."""
        compare = {"at_least": ge, "at_most": le}.get(self.name, eq)
        return bool(compare(true, self.number))


Reader = Callable[[Any, Context], Any]


def subject_field(*, default: Any = MISSING, **readers: Reader) -> Any:
    """Return a field of a claim that says what it is about; needed, if it has no default.

    ``readers`` are the words for it in a claim file, of which one is written, each with what
    reads its value.
    """
    return field(default=default, metadata={"readers": readers, "claimed": False})


def claim_field(*, default: Any = MISSING, **readers: Reader) -> Any:
    """Return a field that makes the claim: what is true has a value for it as well."""
    return field(default=default, metadata={"readers": readers, "claimed": True})


def readers_of(field: dataclasses.Field[Any]) -> Mapping[str, Reader]:
    """Return the words for a field in a claim file, each with what reads its value."""
    readers: Mapping[str, Reader] = field.metadata["readers"]
    return readers


def natural(value: Any, context: Context | None = None) -> int:
    """Return a whole number of at least 0."""
    if type(value) is not int or value < 0:
        raise FormatError(f"{value!r} is not a non-negative integer; write digits only")
    return value


def bound(name: str, value: Any, context: Context) -> Bound:
    """Return a claimed number of tilings, exact or a bound."""
    return Bound(name, natural(value))


def bounds(exact_key: str) -> dict[str, Reader]:
    """Return the three words for a bound; ``exact_key`` is the one for an exact number."""
    return {name: partial(bound, name) for name in (exact_key, "at_least", "at_most")}


def decimal(value: Any, context: Context) -> Decimal:
    """Return a mean, with the decimals that are written."""
    number = Decimal(value) if type(value) in (int, Decimal) else Decimal("nan")
    # a mean of counts has some digits: 1e±999999 would keep the machine busy
    short = number.is_finite() and len(f"{value}") <= 40 and abs(number.adjusted()) <= 40
    if not short or number < 0:
        raise FormatError(f"{value} is not a non-negative number; write one such as 67.3")
    return number


def text(value: Any, context: Context) -> str:
    """Return a text that is not empty."""
    if not isinstance(value, str) or not value.strip():
        raise FormatError(f"{value!r} is not a string; write it in quotation marks")
    return value


def yes_or_no(value: Any, context: Context) -> bool:
    """Return true or false."""
    if not isinstance(value, bool):
        raise FormatError(f"{value!r} is neither true nor false; write one of them")
    return value


def labels(value: Any, context: Context) -> Reveal:
    """Return a reveal by its labels."""
    return context.puzzle.check_reveal(labels_in(text(value, context)))


def date(value: Any, context: Context) -> Reveal:
    """Return the reveal of a date."""
    if type(value) not in (str, datetime.date):
        raise FormatError(f"{value!r} is not a date; write one such as 2025-12-25")
    return context.puzzle.reveal(value)


def reveals(value: Any, context: Context) -> tuple[Reveal, ...]:
    """Return the reveals of a range."""
    if type(value) is int:  # a year without quotation marks
        value = str(value)
    if not isinstance(value, str):
        raise FormatError(f'{value!r} is not a range; write it as "all-dates"')
    words = value.strip()
    if words == "all-reveals":
        return tuple(context.puzzle.reveals())
    if words != "all-dates" and not _RANGE.fullmatch(words):
        raise FormatError(
            f"'{words}' is not a range; use all-reveals, all-dates, a year as 2025, a month as "
            "2025-02, or 2025-07-25 to 2025-12-25"
        )
    dates = when.ALL if words == "all-dates" else words
    return tuple(row.reveal for row in when.rows(context.puzzle, dates, _NO_DAY))


def rounding(value: Any, context: Context) -> str:
    """Return how a number was rounded."""
    if value not in ("nearest", "down"):
        raise FormatError(f"{value!r} is not a way to round; use nearest or down")
    return str(value)


def unit(value: Any, context: Context) -> int:
    """Return to what a number was rounded."""
    if natural(value) == 0:
        raise FormatError("the unit cannot be 0; write 100 for a number in hundreds")
    return int(value)


def one_or_two(value: Any, context: Context) -> int:
    """Return how many pieces."""
    if value not in (1, 2):
        raise FormatError(f"{value!r} is not 1 or 2; for more pieces, name them with the key named")
    return int(value)


def pieces(value: Any, context: Context) -> tuple[str, ...]:
    """Return names of pieces."""
    if not isinstance(value, list) or len({*map(str, value)}) != len(value) or not value:
        raise FormatError(
            f'{value!r} is not a list of distinct pieces; write one such as ["F", "P"]'
        )
    return tuple(context.puzzle.piece(str(name)).name for name in value)


def numbers_of_pieces(value: Any, context: Context) -> dict[str, int]:
    """Return a number for each piece that is named."""
    if not isinstance(value, dict) or not value:
        raise FormatError("write a number for each piece, such as { O = 48, P = 196 }")
    return {context.puzzle.piece(piece).name: natural(count) for piece, count in value.items()}


def counts(value: Any, context: Context) -> Mapping[Reveal, int]:
    """Return the rows of a CSV file of counts."""
    if not isinstance(value, str):
        raise FormatError(f'{value!r} is not a file name; write it as "counts.csv"')
    return read_sheet(context.folder / value, context.puzzle).counts


def boards(value: Any, context: Context) -> dict[str, Puzzle]:
    """Return puzzles by the words for them."""
    texts = value if isinstance(value, list) else []
    if len(texts) < 2 or not all(isinstance(text, str) for text in texts):
        raise FormatError('write at least two boards, such as ["rhombus", "weekday"]')
    return {text: load(board_path(text, context.folder)) for text in texts}


def board_path(words: str, folder: Path) -> str:
    """Return a board; a path is seen from the claim file."""
    return words if words in library() or words in ALIASES else str(folder / words)
