"""What the functions of :mod:`satcal.api` are called with, checked and read."""

from __future__ import annotations

import datetime
import os
from collections.abc import Iterable, Sequence
from numbers import Integral
from typing import Any, TypeVar

from satcal.errors import OptionError
from satcal.puzzle.demands import Demand, parse_demands
from satcal.puzzle.loading import load
from satcal.puzzle.model import Placement, Puzzle, Reveal
from satcal.puzzle.ranges import Range, Row, select

Board = Puzzle | str | os.PathLike[str]
"""A puzzle, the name of one in the library, or the path of a file."""
Date = datetime.date | str | Sequence[str | int] | Row
"""A date, or a reveal: text (``Oct 6``, ``2025-10-06``, ``Thu,Oct,23``) or labels."""
Dates = int | str | Iterable[Date]
"""A year, the text of a year or month, or dates one by one."""
Place = str | Iterable[str | Placement | Demand]
"""What is placed already: placements, also as text (``N:r2c3,...``, ``N@r2c3``)."""
_Of = TypeVar("_Of")
Asked = tuple[_Of, Reveal, tuple[Demand, ...]]


def wrong(name: str, value: object, wanted: str) -> TypeError:
    """Return the error of a value of a wrong type."""
    return TypeError(f"{name}: give {wanted}, not the {type(value).__name__} {value!r:.60}")


def check_number(kind: type[Any], least: float, most: float, **values: Any) -> None:
    """Raise for what is no number of a kind, or not within the bounds; None is left out."""
    noun = "a whole number" if kind is Integral else "a number of seconds"
    for name, value in values.items():
        if value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, kind):
            raise wrong(name, value, noun)
        if not least <= value <= most:
            raise OptionError(f"{name} {value}: give {noun} from {least:,} to {most:,}")


def puzzle_of(board: Board) -> Puzzle:
    """Return a puzzle, loaded if it is named."""
    return board if isinstance(board, Puzzle) else load(board)


def row_of(puzzle: Puzzle, date: Any, today: datetime.date | None = None) -> Row:
    """Return the row of a date or reveal, of today by default."""
    if isinstance(date, Row):
        return date
    if date is None:
        return select(puzzle, Range(), today or datetime.date.today())[0]
    if isinstance(date, datetime.datetime):  # pandas' are, too
        date = date.date()
    is_date = isinstance(date, datetime.date)
    return Row(puzzle.reveal(date, today), date if is_date else None)


def rows_of(puzzle: Puzzle, dates: Any, today: datetime.date | None = None) -> list[Row]:
    """Return the rows of many dates, of all reveals by default."""
    if dates is None or isinstance(dates, int | str):
        wanted = Range(all_reveals=True) if dates is None else Range(date=str(dates))
        return select(puzzle, wanted, today or datetime.date.today())
    if not isinstance(dates, Iterable):
        raise wrong("dates", dates, "a year, a month such as '2025-12', or a list of reveals")
    return [row_of(puzzle, date, today) for date in dates]


def demands_of(puzzle: Puzzle, place: Place) -> tuple[Demand, ...]:
    """Return what ``place`` demands."""
    listed = [place] if isinstance(place, str) else place
    demands: list[Demand] = []
    for each in listed if isinstance(listed, Iterable) else [listed]:
        if not isinstance(each, str | Placement | Demand):
            raise wrong("place", each, "placements, or text such as 'N@r2c3'")
        demands += [each] if isinstance(each, Demand) else parse_demands(puzzle, [str(each)])
    return tuple(demands)


def asked(
    board: Board, date: Date | None, place: Place = (), today: datetime.date | None = None
) -> Asked[Puzzle]:
    """Return the puzzle, the reveal and the demands of a question."""
    puzzle = puzzle_of(board)
    return puzzle, row_of(puzzle, date, today).reveal, demands_of(puzzle, place)
