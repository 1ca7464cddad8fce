"""Which rows a command is about: a date, a month, a year, a range, reveals."""

from __future__ import annotations

import datetime
import math
from dataclasses import dataclass

from satcal.errors import OptionError, RevealError
from satcal.puzzle.calendar import parse_span
from satcal.puzzle.model import Puzzle, Reveal
from satcal.puzzle.model import labels_in as labels_in


@dataclass(frozen=True)
class Row:
    """One row of a table: a reveal, and its date where it has a year."""

    reveal: Reveal
    date: datetime.date | None = None

    def __str__(self) -> str:
        return self.date.isoformat() if self.date else " ".join(self.reveal)


@dataclass(frozen=True)
class Range:
    """The options that choose rows, as the user wrote them; they exclude each other.

    ``date``, ``start`` and ``end`` may be months or years, too; ``reveal`` may be several.
    """

    date: str | None = None
    month: str | None = None
    year: int | None = None
    start: str | None = None
    end: str | None = None
    reveal: str | tuple[str, ...] | None = None
    all_dates: bool = False
    all_reveals: bool = False

    def __post_init__(self) -> None:
        if len(given := self.given()) > 1:
            first, second, *_ = given
            raise OptionError(f"{first} and {second} exclude each other; give one of them")

    def given(self) -> list[str]:
        """Return the names of the given options, ``--from`` and ``--to`` as one."""
        names = {}
        for field, value in vars(self).items():
            if value is not None and value is not False:
                name = "from/--to" if field in ("start", "end") else field.replace("_", "-")
                names[f"--{name}"] = value
        return list(names)


def number_of_rows(puzzle: Puzzle, wanted: Range) -> int:
    """Return how many rows :func:`select` makes at most, without making any."""
    if wanted.all_dates or wanted.all_reveals:
        return math.prod(map(len, puzzle.categories.values()))
    if wanted.reveal is not None or not puzzle.categories:
        return max(1, len(_reveals(wanted)))
    first, last = _ends(wanted, datetime.date.min)
    return 1 + (last - first).days


def select(puzzle: Puzzle, wanted: Range, today: datetime.date) -> list[Row]:
    """Return the rows that a range names, in canonical order.

    Without any option: today, or the only reveal of a puzzle without categories. Dates
    within a range for which the board has no cells are left out.

    Raises:
        OptionError: a range whose end is missing, or before its start.
        RevealError: no such date or reveal.
    """
    calendar = puzzle.calendar
    if wanted.reveal is not None:
        return [Row(puzzle.check_reveal(labels_in(text))) for text in _reveals(wanted)]
    if wanted.all_reveals or (not wanted.given() and not puzzle.categories):
        return [Row(reveal) for reveal in puzzle.reveals()]
    calendar.require()
    if wanted.all_dates:
        rows = [Row(reveal) for reveal in puzzle.reveals() if calendar.is_date(reveal)]
        if not rows:
            raise RevealError(f"{puzzle.name} has no date that any year has; use --all-reveals")
        return rows
    first, last = _ends(wanted, today)
    if first == last and wanted.start is None:
        return [Row(calendar.reveal(first), first)]
    dates = [first + datetime.timedelta(days) for days in range(1 + (last - first).days)]
    rows = [Row(calendar.reveal(date), date) for date in dates if calendar.has(date)]
    if not rows:
        raise RevealError(f"{puzzle.name} has no date in this range; choose another")
    return rows


def _reveals(wanted: Range) -> tuple[str, ...]:
    """Return the reveals that a range lists."""
    return (wanted.reveal,) if isinstance(wanted.reveal, str) else wanted.reveal or ()


def _ends(wanted: Range, today: datetime.date) -> tuple[datetime.date, datetime.date]:
    """Return the first and the last date of a range; without an end that of its year."""
    if wanted.year is not None:
        if not 1 <= wanted.year <= 9999:
            raise RevealError(f"--year {wanted.year}: use a year from 1 to 9999")
        return datetime.date(wanted.year, 1, 1), datetime.date(wanted.year, 12, 31)
    if wanted.month is not None:
        first, last = parse_span(wanted.month, "--month", today)
        if first == last or first.month != last.month:
            raise RevealError(f"--month '{wanted.month}' is not a month; write it as 2025-02")
        return first, last
    if wanted.start is not None:
        first = parse_span(wanted.start, "--from", today)[0]
        last = first.replace(month=12, day=31)
        if wanted.end is not None:
            last = parse_span(wanted.end, "--to", today)[1]
        if first > last:
            raise OptionError(f"--from {first} is after --to {last}; exchange them")
        return first, last
    if wanted.end is not None:
        raise OptionError("--to is the end of a range; give its start with --from")
    return (today, today) if wanted.date is None else parse_span(wanted.date, "--date", today)


def describe(wanted: Range, today: datetime.date) -> str:
    """Return the range in words, for summaries."""
    if wanted.all_dates or wanted.all_reveals:
        return "all dates" if wanted.all_dates else "all reveals"
    if wanted.reveal is not None:
        return "; ".join(_reveals(wanted))
    if wanted.year is not None:
        return str(wanted.year)
    first, last = _ends(wanted, today)
    if wanted.month is not None:
        return first.isoformat()[:7]
    return f"{first} to {last}" if first < last or wanted.start else first.isoformat()
