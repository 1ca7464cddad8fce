"""The arguments of :mod:`satcal.api` for boards, dates and placed pieces, and their conversion."""

from __future__ import annotations

import datetime
import os
import re
from collections.abc import Iterable, Sequence
from typing import Any

from satcal.errors import OptionError, RevealError, quote
from satcal.puzzle.loading import load
from satcal.puzzle.model import Placement, Puzzle, labels_in
from satcal.puzzle.placed import parse_place
from satcal.puzzle.rows import Row, Selection, list_rows
from satcal.puzzle.when import TODAY

Board = Puzzle | str | os.PathLike[str]
"""A puzzle, the name of a library puzzle, or the path of a file."""
Date = datetime.date | str | Sequence[str]
"""A date, or a reveal: text (``Oct 6``, ``2025-10-06``, ``Thu,Oct,23``) or labels."""
Dates = int | Date | Iterable[int | Date]
"""A year, dates in words (``2025-12``, ``Oct 20..Nov 3 2026``, ``all``), or a list of dates."""
Place = str | Placement | Iterable[str | Placement]
"""The pieces already placed: placements, or text (``O: 1 2 3 8 9 10``)."""

IN_WORDS = {
    "Board": "str or Puzzle",
    "Date": "date or str or labels",
    "Dates": "year or date or str or list",
    "Place": "str or placements",
    "ProgressOption": "bool or function",
}
"""The types of arguments as ``help`` shows them."""


def to_puzzle(board: Board) -> Puzzle:
    """Return a puzzle; load it if the board is a name or a path.

    Raises:
        OptionError: the board is anything else, such as a list of boards.
    """
    if not isinstance(board, Puzzle | str | os.PathLike):
        raise OptionError(
            f"board: {quote(repr(board))} is not a puzzle, name or path; for several boards, write "
            "pandas.concat(satcal.table(board, dates).frame() for board in boards)"
        )
    return board if isinstance(board, Puzzle) else load(board)


def select(board: Board, date: Date | None, place: Place = ()) -> Selection:
    """Return the selection of one date or reveal, by default of today, and of placed pieces.

    Raises:
        OptionError: the date is more than one day.
        PlacementError: a placement is not of this puzzle, overlaps another, or fits no reveal.
    """
    puzzle = to_puzzle(board)
    return add_place(puzzle, [to_row(puzzle, date)], place)


def select_all(board: Board, dates: Dates | None, place: Place = ()) -> Selection:
    """Return the selection of dates, by default of all reveals; raise as :func:`select`."""
    puzzle = to_puzzle(board)
    return add_place(puzzle, to_rows(puzzle, dates), place)


def add_place(puzzle: Puzzle, rows: Sequence[Row], place: Place) -> Selection:
    """Return the selection of rows, with the pieces of ``place`` on the board."""
    texts = map(str, [place] if isinstance(place, str | Placement) else place)
    return Selection(puzzle, rows, parse_place(puzzle, *texts, reveals=[r.reveal for r in rows]))


def to_row(puzzle: Puzzle, date: Date | None) -> Row:
    """Return the row of a date or reveal, by default of today.

    Raises:
        OptionError: the date is more than one day.
    """
    if isinstance(date, Sequence) and not isinstance(date, str):
        try:
            return Row(puzzle.check_reveal(tuple(map(str, date))))
        except RevealError as error:
            raise RevealError(f"{error} (this takes one date; count_all takes a list)") from error
    default = None if puzzle.calendar.parts is None else TODAY
    rows = to_rows(puzzle, default if date is None else date)
    if len(rows) != 1:
        raise OptionError(f"date: {date or 'none'} is {len(rows):,} dates; give one")
    return rows[0]


def to_rows(puzzle: Puzzle, dates: Dates | None) -> list[Row]:
    """Return the rows of dates, by default of all reveals."""
    if dates is None:
        return [Row(reveal) for reveal in puzzle.reveals()]
    value = to_date(dates)
    if isinstance(value, datetime.date):
        return [Row(puzzle.calendar.reveal(value), value)]
    if isinstance(value, str | int):
        try:  # labels have priority over dates
            return [Row(puzzle.check_reveal(labels_in(str(value))))]
        except RevealError:
            return list_rows(puzzle, str(value), datetime.date.today())
    rows: list[Row] = []
    for item in value:
        if item is None:
            raise OptionError("dates: None is among them; drop missing values")
        is_reveal = isinstance(item, Sequence) and not isinstance(item, str)
        rows += [to_row(puzzle, item)] if is_reveal else to_rows(puzzle, item)
    return rows


def to_date(value: Any) -> Any:
    """Return a time of Python, numpy or pandas as a date, and any other value unchanged."""
    if hasattr(value, "astype") and not hasattr(value, "__len__"):
        value = value.astype("datetime64[s]").item() if value.dtype.kind == "M" else value.item()
    return value.date() if isinstance(value, datetime.datetime) else value


class Words(str):
    """A type in words, which ``help`` shows without quotation marks."""

    __slots__ = ()
    __repr__ = str.__str__


def put_into_words(functions: Iterable[Any]) -> None:
    """Replace the types of arguments by words, such as ``board: str or Puzzle``, for ``help``."""
    for function in functions:
        for name, text in getattr(function, "__annotations__", {}).items():
            words = re.sub(r"\w+", lambda match: IN_WORDS.get(match[0], match[0]), str(text))
            function.__annotations__[name] = Words(words.replace(" | ", " or "))
