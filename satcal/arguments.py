"""What the functions of :mod:`satcal.api` take for a board, for dates, and for pieces placed."""

from __future__ import annotations

import datetime
import os
from collections.abc import Iterable, Sequence
from typing import Any

from satcal.errors import OptionError, RevealError
from satcal.puzzle import when
from satcal.puzzle.loading import load
from satcal.puzzle.model import Placement, Puzzle, Reveal, labels_in
from satcal.puzzle.placed import parse_place
from satcal.puzzle.when import Row

Board = Puzzle | str | os.PathLike[str]
"""A puzzle, the name of one in the library, or the path of a file."""
Date = datetime.date | str | Sequence[str]
"""A date, or a reveal: text (``Oct 6``, ``2025-10-06``, ``Thu,Oct,23``) or labels."""
Dates = int | Date | Iterable[int | Date]
"""A year, dates in words (``2025-12``, ``Oct 20..Nov 3 2026``, ``all``), or a list of dates."""
Place = str | Placement | Iterable[str | Placement]
"""What is placed already: placements, also as text (``O: 1 2 3 8 9 10``)."""


def puzzle_of(board: Board) -> Puzzle:
    """Return a puzzle, loaded if it is named."""
    return board if isinstance(board, Puzzle) else load(board)


def row_of(puzzle: Puzzle, date: Date | None, today: datetime.date | None = None) -> Row:
    """Return the row of a date or reveal, of today by default.

    Raises:
        OptionError: it is more than one day.
    """
    if isinstance(date, Sequence) and not isinstance(date, str):
        try:
            return Row(puzzle.check_reveal(tuple(map(str, date))))
        except RevealError as error:
            raise RevealError(f"{error} (this takes one date; count_all takes a list)") from error
    if date is None and puzzle.calendar.parts is None:
        rows = rows_of(puzzle, None)
    else:
        rows = rows_of(puzzle, "today" if date is None else date, today)
    if len(rows) != 1:
        raise OptionError(f"date: {date or 'none'} is {len(rows):,} dates; give one")
    return rows[0]


def rows_of(puzzle: Puzzle, dates: Dates | None, today: datetime.date | None = None) -> list[Row]:
    """Return the rows of dates, of all reveals by default."""
    if dates is None:
        return [Row(reveal) for reveal in puzzle.reveals()]
    named = as_date(dates)
    if isinstance(named, datetime.date):
        return [Row(puzzle.calendar.reveal(named), named)]
    if isinstance(named, str | int):
        try:  # text is labels before it is a date
            return [Row(puzzle.check_reveal(labels_in(str(named))))]
        except RevealError:
            return when.rows(puzzle, str(named), today or datetime.date.today())
    rows: list[Row] = []
    for each in named:
        if each is None:
            raise OptionError("dates: None is among them; drop missing values")
        is_reveal = isinstance(each, Sequence) and not isinstance(each, str)
        rows += [row_of(puzzle, each)] if is_reveal else rows_of(puzzle, each, today)
    return rows


def as_date(value: Any) -> Any:
    """Return the date of a time of Python's, numpy's or pandas'; anything else as it is."""
    if hasattr(value, "astype") and not hasattr(value, "__len__"):
        value = value.astype("datetime64[s]").item() if value.dtype.kind == "M" else value.item()
    return value.date() if isinstance(value, datetime.datetime) else value


def placed_on(
    puzzle: Puzzle, place: Place, reveals: Sequence[Reveal] = ()
) -> tuple[Placement, ...]:
    """Return the placements of ``place`` on a board with one of the reveals.

    Raises:
        PlacementError: they are not of this puzzle, exclude each other, or fit no such reveal.
    """
    texts = map(str, [place] if isinstance(place, str | Placement) else place)
    return parse_place(puzzle, *texts, reveals=reveals)
