"""Which rows a command is about: a date, a month, a year, a range, reveals."""

from __future__ import annotations

import datetime
import math
import re
from calendar import monthrange
from dataclasses import dataclass

from satcal.errors import OptionError, RevealError
from satcal.puzzle.calendar import parse_date
from satcal.puzzle.model import Puzzle, Reveal


@dataclass(frozen=True)
class Row:
    """One row of a table: a reveal, and its date where it has a year."""

    reveal: Reveal
    date: datetime.date | None = None

    def __str__(self) -> str:
        return self.date.isoformat() if self.date else " ".join(self.reveal)


@dataclass(frozen=True)
class Range:
    """The options that choose rows, as the user wrote them; they exclude each other."""

    date: str | None = None
    month: str | None = None
    year: int | None = None
    start: str | None = None
    end: str | None = None
    reveal: str | None = None
    all_dates: bool = False
    all_reveals: bool = False

    def given(self) -> list[str]:
        """Return the names of the given options, ``--from`` and ``--to`` as one."""
        names = {}
        for field, value in vars(self).items():
            if value is not None and value is not False:
                name = "from/--to" if field in ("start", "end") else field.replace("_", "-")
                names[f"--{name}"] = value
        return list(names)

    def check(self) -> list[str]:
        """Return :meth:`given`; raise OptionError for two at once."""
        given = self.given()
        if len(given) > 1:
            first, second, *_ = given
            raise OptionError(f"{first} and {second} exclude each other; give one of them")
        return given


def labels_in(text: str) -> tuple[str, ...]:
    """Return the labels of a reveal as users write it: ``Thu,Oct,23``, ``Oct 23``."""
    return tuple(filter(None, re.split(r"[,\s]+", text)))


def number_of_rows(puzzle: Puzzle, wanted: Range) -> int:
    """Return how many rows :func:`select` makes at most, without making any."""
    wanted.check()
    if wanted.all_dates or wanted.all_reveals:
        return math.prod(map(len, puzzle.categories.values()))
    if wanted.reveal is not None or not puzzle.categories:
        return 1
    first, last = _ends(wanted, datetime.date.min)
    return 1 + (last - first).days


def select(puzzle: Puzzle, wanted: Range, today: datetime.date) -> list[Row]:
    """Return the rows that a range names, in canonical order.

    Without any option: today, or the only reveal of a puzzle without categories. Dates
    within a range for which the board has no cells are left out.

    Raises:
        OptionError: options that exclude each other.
        RevealError: no such date or reveal.
    """
    given, calendar = wanted.check(), puzzle.calendar
    if wanted.reveal is not None:
        return [Row(puzzle.check_reveal(labels_in(wanted.reveal)))]
    if wanted.all_reveals or (not given and not puzzle.categories):
        return [Row(reveal) for reveal in puzzle.reveals()]
    calendar.require()
    if wanted.all_dates:
        rows = [Row(reveal) for reveal in puzzle.reveals() if calendar.is_date(reveal)]
        if not rows:
            raise RevealError(f"{puzzle.name} has no date that any year has; use --all-reveals")
        return rows
    first, last = _ends(wanted, today)
    if wanted.date is not None or not given:
        return [Row(calendar.reveal(first), first)]
    dates = [first + datetime.timedelta(days) for days in range(1 + (last - first).days)]
    rows = [Row(calendar.reveal(date), date) for date in dates if calendar.has(date)]
    if not rows:
        raise RevealError(f"{puzzle.name} has no date in this range; choose another")
    return rows


def _ends(wanted: Range, today: datetime.date) -> tuple[datetime.date, datetime.date]:
    """Return the first and the last date of a range."""
    if wanted.month is not None:
        try:
            first = parse_date(f"{wanted.month.strip()}-01", "--month")
        except RevealError:
            message = f"--month '{wanted.month}' is not a month; write it as 2025-02"
            raise RevealError(message) from None
        return first, first.replace(day=monthrange(first.year, first.month)[1])
    if wanted.year is not None:
        if not 1 <= wanted.year <= 9999:
            raise RevealError(f"--year {wanted.year}: use a year from 1 to 9999")
        return datetime.date(wanted.year, 1, 1), datetime.date(wanted.year, 12, 31)
    if wanted.start is not None and wanted.end is not None:
        first, last = parse_date(wanted.start, "--from"), parse_date(wanted.end, "--to")
        if first > last:
            raise OptionError(f"--from {first} is after --to {last}; exchange them")
        return first, last
    if wanted.start is not None or wanted.end is not None:
        raise OptionError("--from and --to belong together; give both")
    date = parse_date(wanted.date, "--date") if wanted.date is not None else today
    return date, date


def describe(wanted: Range, today: datetime.date) -> str:
    """Return the range in words, for summaries."""
    if wanted.start is not None:
        return f"{wanted.start} to {wanted.end}"
    if wanted.all_dates or wanted.all_reveals:
        return "all dates" if wanted.all_dates else "all reveals"
    year = str(wanted.year) if wanted.year is not None else None
    return wanted.date or wanted.month or year or wanted.reveal or today.isoformat()
