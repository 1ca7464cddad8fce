"""Check and read the arguments of the functions in :mod:`satcal.api`."""

from __future__ import annotations

import datetime
import os
import re
import sys
import warnings
from collections.abc import Iterable, Mapping, Sequence
from numbers import Integral
from sys import maxsize
from types import UnionType
from typing import Any, TypeVar

from satcal.errors import OptionError
from satcal.puzzle.dates import check_year, day_in, in_full, parse_date, parse_span, says_day
from satcal.puzzle.demands import Demand, parse_demands
from satcal.puzzle.loading import load
from satcal.puzzle.model import Placement, Puzzle, Reveal
from satcal.puzzle.ranges import Range, Row, select

Board = Puzzle | str | os.PathLike[str]
"""A puzzle, the name of one in the library, or the path of a file."""
Date = datetime.date | str | Sequence[str | int] | Row
"""A date, or a reveal: text (``Oct 6``, ``2025-10-06``, ``Thu,Oct,23``) or labels."""
Dates = int | str | datetime.date | Row | Iterable[int | Date]
"""A year, the text of a year, month or day, a date, or years and dates one by one."""
Place = str | Iterable[str | Placement | Demand]
"""What is placed already: placements, also as text (``N:r2c3,...``, ``N@r2c3``)."""
_Of = TypeVar("_Of")
Asked = tuple[_Of, Reveal, tuple[Demand, ...]]


def wrong(name: str, value: object, wanted: str) -> TypeError:
    """The error of a value of a wrong type."""
    return TypeError(f"{name}: give {wanted}, not the {type(value).__name__} {value!r:.60}")


def check_type(kind: type | UnionType, wanted: str, **values: object) -> None:
    """Raise for a value that is not of a type."""
    for name, value in values.items():
        if not isinstance(value, kind):
            raise wrong(name, value, wanted)


def check_names(**values: Any) -> None:
    """Raise for what is not a list of names; a text would be taken for a list of letters."""
    for name, value in values.items():
        if isinstance(value, str):
            raise wrong(name, value, f"a list such as {re.split('[, ]+', value)}")
        check_type(Sequence, "a list of names", **{name: value})
        for index, element in enumerate(value):
            check_type(str, "a name", **{f"{name}[{index}]": element})


def check_number(kind: type[Any], least: float, most: float, **values: Any) -> None:
    """Raise for what is no number of a kind, or not within the bounds; None is left out."""
    noun = "a whole number" if kind is Integral else "a number of seconds"
    for name, value in values.items():
        if value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, kind):
            raise wrong(name, value, noun)
        if not least <= value <= most:
            bounds = f"from {least:,} to {most:,}" if most < maxsize else f"of at least {least:,}"
            raise OptionError(f"{name} {value}: give {noun} {bounds}")


def puzzle_of(board: Board) -> Puzzle:
    """A puzzle, loaded if it is named."""
    return board if isinstance(board, Puzzle) else load(board)


def row_of(puzzle: Puzzle, date: Any, today: datetime.date | None = None) -> Row:
    """The row of a date or reveal, of today by default."""
    if isinstance(date, Row):
        return date
    now = _now(today)
    if date is None:
        return select(puzzle, Range(), now)[0]
    date = _day(date)
    reveal = puzzle.reveal(date, now)
    if isinstance(date, datetime.date):
        return Row(reveal, date)
    # a text is labels before it is a date: the labels of some board may look like one
    parts = puzzle.calendar.parts if isinstance(date, str) else None
    day = day_in(date) if parts else None
    if parts and "weekday" in parts and not day and says_day(date):
        day = parse_date(date, "date", now)
        if today is None:
            said = f"{date} is read as {in_full(day, weekday=True)}; name the year, or today="
            warnings.warn(said, stacklevel=_depth_of_caller())
    return Row(reveal, day if day and puzzle.calendar.has(day) else None)


def _depth_of_caller() -> int:
    """How far up the stack the first line outside of satcal is, as warnings count it."""
    frame, depth = sys._getframe(1), 1
    while frame.f_back and frame.f_globals["__name__"].partition(".")[0] == "satcal":
        frame, depth = frame.f_back, depth + 1
    return depth


def _now(today: Any) -> datetime.date:
    """The day that is today, by default the system's."""
    today = datetime.date.today() if today is None else _day(today)
    if not isinstance(today, datetime.date):
        raise wrong("today", today, "a datetime.date")
    return today


def _day(date: Any) -> Any:
    """The date of a time of Python's, numpy's or pandas'; all else as it is."""
    if _is_datetime64(date) and date == date:  # numpy's NaT is not equal to itself
        date = date.astype("datetime64[s]").item()
    if isinstance(date, datetime.datetime) and date == date:  # pandas' NaT is one, too
        date = date.date()
    if isinstance(date, datetime.datetime):
        raise wrong("date", date, "a date")
    return date


def _is_datetime64(value: Any) -> bool:
    """Whether it is a time of numpy's, which nothing can be before numpy is imported."""
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(value, numpy.datetime64)


def rows_of(puzzle: Puzzle, dates: Any, today: datetime.date | None = None) -> list[Row]:
    """The rows of many dates, of all reveals by default."""
    now = _now(today)
    if dates is None:
        return select(puzzle, Range(all_reveals=True), now)
    if isinstance(dates, str):
        parse_span(dates, "dates", now)
        return select(puzzle, Range(date=dates), now)
    if isinstance(dates, Integral) and not isinstance(dates, bool):
        check_year(int(dates), f"dates {dates}")
        return select(puzzle, Range(year=int(dates)), now)
    if isinstance(dates, datetime.date | Row) or _is_datetime64(dates):
        return [row_of(puzzle, dates, today)]
    if isinstance(dates, bool) or not isinstance(dates, Iterable):
        raise wrong("dates", dates, "a year, a month such as '2025-12', a date, or a list of them")
    rows: list[Row] = []
    for index, date in enumerate(dates):
        gap = isinstance(date, float | datetime.date) or _is_datetime64(date)
        if date is None or (gap and date != date):  # of a column of numpy or pandas
            raise wrong(f"dates[{index}]", date, "a date (drop missing values)")
        rows += (
            rows_of(puzzle, date, today)
            if isinstance(date, Integral)
            else [row_of(puzzle, date, today)]
        )
    return rows


def demands_of(puzzle: Puzzle, place: Place) -> tuple[Demand, ...]:
    """The demands of ``place``."""
    several = isinstance(place, Iterable) and not isinstance(place, str | Mapping)
    listed: Any = place if several else [place]
    demands: list[Demand] = []
    for entry in listed:
        if not isinstance(entry, str | Placement | Demand):
            raise wrong("place", entry, "placements, or text such as 'N@r2c3'")
        demands += [entry] if isinstance(entry, Demand) else parse_demands(puzzle, [str(entry)])
    return tuple(demands)


def asked(
    board: Board, date: Date | None, place: Place = (), today: datetime.date | None = None
) -> Asked[Puzzle]:
    """The puzzle, the reveal and the demands of a question."""
    puzzle = puzzle_of(board)
    return puzzle, row_of(puzzle, date, today).reveal, demands_of(puzzle, place)
