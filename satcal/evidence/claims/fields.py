"""Reading the fields of a statement: each reader returns a value or says how to mend it."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from satcal.errors import FormatError, SatcalError
from satcal.evidence.claims.model import Rows
from satcal.files import read_text
from satcal.puzzle.loading import ALIASES, library, load
from satcal.puzzle.model import Puzzle, Reveal
from satcal.puzzle.ranges import Range, select
from satcal.records import csv_rows

ROUNDINGS = ("nearest", "down")
_NO_DAY = datetime.date(2000, 1, 1)  # ranges are always given, so that today plays no part


@dataclass(frozen=True)
class Context:
    """What a reader may need beside the value: the puzzle, and the claim file's folder."""

    puzzle: Puzzle
    folder: Path


Reader = Callable[[Any, Context], Any]


def whole(value: Any, context: Context | None = None) -> int:
    """Return a whole number of at least 0."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise FormatError(f"{value!r} is not a whole number of at least 0; write digits only")
    return value


def number(value: Any, context: Context) -> Decimal:
    """Return a number with the decimals that were written."""
    decimal = Decimal(value) if type(value) in (int, Decimal) else Decimal("nan")
    # written out, a mean of counts has some digits: 1e±999999 would keep the machine busy
    if (
        not decimal.is_finite()
        or decimal < 0
        or len(f"{value}") > 40
        or abs(decimal.adjusted()) > 40
    ):
        raise FormatError(f"{value} is not a number of at least 0; write it as 67.3")
    return decimal


def truth(value: Any, context: Context) -> bool:
    """Return true or false."""
    if not isinstance(value, bool):
        raise FormatError(f"{value!r} is neither true nor false; write one of them")
    return value


def unit(value: Any, context: Context) -> int:
    """Return the unit to which a number was rounded."""
    if whole(value) == 0:
        raise FormatError("0 is no unit; write 100 for a number in hundreds")
    return int(value)


def rounding(value: Any, context: Context) -> str:
    """Return how a source rounds."""
    if value not in ROUNDINGS:
        raise FormatError(f"{value!r} is no way to round; use {' or '.join(ROUNDINGS)}")
    return str(value)


def text(value: Any, context: Context | None = None) -> str:
    """Return a text that is not empty."""
    if not isinstance(value, str) or not value.strip():
        raise FormatError(f"{value!r} is not a text; write one in quotation marks")
    return value


def reveal(value: Any, context: Context) -> Reveal:
    """Return the reveal of a text such as ``Oct 6``: labels, with blanks or commas between."""
    labels = [label for label in re.split(r"[,\s]+", text(value)) if label]
    return context.puzzle.check_reveal(tuple(labels))


def date(value: Any, context: Context) -> Reveal:
    """Return the reveal of a calendar date, written as a text or as a date of TOML."""
    if isinstance(value, datetime.date) and not isinstance(value, datetime.datetime):
        return context.puzzle.reveal(value)
    if not isinstance(value, str):
        raise FormatError(f"{value!r} is not a date; write it as 2025-12-25")
    return context.puzzle.reveal(value)


def rows(value: Any, context: Context) -> Rows:
    """Return the reveals of a range."""
    if not isinstance(value, str):
        raise FormatError(f'{value!r} is not a range; write it as "all-dates"')
    found = select(context.puzzle, _range(value.strip()), _NO_DAY)
    return Rows(value.strip(), tuple(row.reveal for row in found))


def _range(text: str) -> Range:
    if text in ("all-reveals", "all-dates"):
        return Range(all_reveals=text == "all-reveals", all_dates=text == "all-dates")
    first, separator, last = text.partition(" to ")
    if separator:
        return Range(start=first, end=last)
    if re.fullmatch(r"\d{4}", text):
        return Range(year=int(text))
    if re.fullmatch(r"\d{4}-\d\d", text):
        return Range(month=text)
    raise FormatError(
        f"'{text}' is no range; use all-reveals, all-dates, a year as 2025, a month as 2025-02, "
        "or 2025-07-25 to 2025-12-25"
    )


def per_piece(value: Any, context: Context) -> dict[str, int]:
    """Return a number for each of some pieces."""
    if not isinstance(value, dict) or not value:
        raise FormatError("write a number for each piece, such as { O = 48, P = 196 }")
    return {context.puzzle.piece(name).name: whole(each) for name, each in value.items()}


def boards(value: Any, context: Context) -> dict[str, Puzzle]:
    """Return puzzles by the names that the statement gives them."""
    texts = value if isinstance(value, list) else []
    if len(texts) < 2 or not all(isinstance(text, str) for text in texts):
        raise FormatError('write at least two boards, such as ["rhombus", "weekday"]')
    return {text: load(board_path(text, context.folder)) for text in texts}


def board_path(text: str, folder: Path) -> str:
    """Return a board or piece set as :func:`load` takes it: a path is seen from the claim file."""
    if text in library() or text in ALIASES:
        return text
    return str(folder / text)


def count_table(value: Any, context: Context) -> dict[Reveal, int]:
    """Return the counts of a CSV file: one column per category, and ``tilings``."""
    if not isinstance(value, str):
        raise FormatError(f'{value!r} is not a file name; write it as "counts.csv"')
    path = context.folder / value
    lines = csv_rows(read_text(path, "table"), str(path))
    wanted = [*context.puzzle.categories, "tilings"]
    if next(lines, (1, []))[1] != wanted:
        raise FormatError(f"{path}: its header is not '{','.join(wanted)}'")
    found: dict[Reveal, int] = {}
    for number, cells in lines:
        if not cells:
            continue  # an empty line
        try:
            key, tilings = _table_row(cells, context.puzzle)
        except SatcalError as error:
            raise FormatError(f"{path}: line {number}: {error}") from error
        if key in found:
            raise FormatError(f"{path}: line {number}: {' '.join(key)} comes twice")
        found[key] = tilings
    if not found:
        raise FormatError(f"{path}: it has no row")
    return found


def _table_row(cells: Sequence[str], puzzle: Puzzle) -> tuple[Reveal, int]:
    width = len(puzzle.categories)
    *texts, tilings = (*cells, *[""] * width, "")[: width + 1]  # a line may be too short
    named = zip(texts, puzzle.categories, strict=True)
    found = tuple(_label(text, category, puzzle) for text, category in named)
    if not re.fullmatch(r"\d{1,60}", tilings) or len(cells) > width + 1:
        raise FormatError(f"'{tilings}' is no number of tilings; write digits only")
    return found, int(tilings)


def _label(text: str, category: str, puzzle: Puzzle) -> str:
    """Return the label that a table means: many published ones number the months."""
    labels = puzzle.categories[category]
    months = (puzzle.calendar.parts or {}).get("month", ())
    if category == "month" and text not in labels and re.fullmatch(r"\d\d?", text):
        text = months[int(text) - 1] if 1 <= int(text) <= len(months) else text
    if text not in labels:
        raise FormatError(f"{category} '{text}' is not on the board")
    return text
