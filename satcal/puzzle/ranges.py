"""Which rows a command is about: dates, months, years, ranges, reveals; they add up."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import TypeVar

from satcal.errors import OptionError, RevealError
from satcal.puzzle.dates import Span, check_year, parse_span, readable
from satcal.puzzle.model import Puzzle, Reveal
from satcal.puzzle.model import labels_in as labels_in

Value = TypeVar("Value", str, int, str | None)


@dataclass(frozen=True)
class Row:
    """One row of a table: a reveal, and its date where it has a year."""

    reveal: Reveal
    date: datetime.date | None = None

    def __str__(self) -> str:
        return self.date.isoformat() if self.date else " ".join(self.reveal)


@dataclass(frozen=True)
class Range:
    """The options that choose rows, as the user wrote them; each may be one value or several.

    ``date`` may be months or years, too, and so may ``start`` and ``end``, whose values pair up in
    their order. None in place of one's partner is the beginning, or the end, of its year.
    """

    date: str | tuple[str, ...] | None = None
    month: str | tuple[str, ...] | None = None
    year: int | tuple[int, ...] | None = None
    start: str | tuple[str | None, ...] | None = None
    end: str | tuple[str | None, ...] | None = None
    reveal: str | tuple[str, ...] | None = None
    all_dates: bool = False
    all_reveals: bool = False

    def given(self) -> bool:
        """Whether any option chooses rows."""
        return any(value not in (None, False, ()) for value in vars(self).values())

    def spans(self, today: datetime.date) -> Iterator[tuple[str, Span]]:
        """Yield what the options of dates name: each in words, with its first and last date.

        Raises OptionError for a range that ends before it begins, RevealError for what is no date.
        """
        for date in _several(self.date):
            span = parse_span(date, "--date", today)
            yield _in_words(span), span
        for month in _several(self.month):
            span = _month(month, today)
            yield span.first.isoformat()[:7], span
        for year in _several(self.year):
            check_year(year, f"--year {year}")
            yield str(year), Span(datetime.date(year, 1, 1), datetime.date(year, 12, 31))
        for start, end in zip_longest(_several(self.start), _several(self.end)):
            span = _from_to(start, end, today)
            yield f"{span.first} to {span.last}", span


def _several(value: Value | tuple[Value, ...] | None) -> tuple[Value, ...]:
    """The values of an option."""
    return value if isinstance(value, tuple) else () if value is None else (value,)


def _in_words(span: Span) -> str:
    """A span in words: a year, a range or a day."""
    first, last, leap = span
    if (first.month, first.day, last.month, last.day) == (1, 1, 12, 31):
        return str(first.year)
    if leap:
        return f"{first}, 29 February of the next leap year"
    return f"{first} to {last}" if first < last else str(first)


def _month(text: str, today: datetime.date) -> Span:
    """Return the days of a month; raise RevealError for a day, a year or anything else."""
    span = parse_span(text, "--month", today) if readable(text) else None
    if span is None or span.first == span.last or span.first.month != span.last.month:
        raise RevealError(f"--month '{text}' is not a month; write it as 2025-02")
    return span


def _from_to(start: str | None, end: str | None, today: datetime.date) -> Span:
    """The ends of a range; without a partner each is about its own year."""
    first = parse_span(start, "--from", today).first if start is not None else None
    last = parse_span(end, "--to", today).last if end is not None else None
    year = (first or last or today).year
    first = first or datetime.date(year, 1, 1)
    last = last or datetime.date(year, 12, 31)
    if first > last:
        raise OptionError(f"--from {first} is after --to {last}; swap them")
    return Span(first, last)


def settled(puzzle: Puzzle, wanted: Range, today: datetime.date) -> Range:
    """A range of the same rows that means the same on any day.

    Raises as :meth:`Range.spans`, and RevealError for dates on a puzzle that has none.
    """
    dates, starts, ends, reveals = [], [], [], list(_several(wanted.reveal))
    for _, span in wanted.spans(today):
        first, last = span.first.isoformat(), span.last.isoformat()
        if span.leap and "weekday" not in puzzle.calendar.require():
            reveals.append(",".join(puzzle.calendar.reveal(span.first)))
        elif first == last:
            dates.append(first)
        else:
            starts.append(first)
            ends.append(last)
    return Range(
        date=tuple(dates),
        start=tuple(starts),
        end=tuple(ends),
        reveal=tuple(reveals),
        all_dates=wanted.all_dates,
        all_reveals=wanted.all_reveals,
    )


def only_row(puzzle: Puzzle, wanted: Range, today: datetime.date) -> Row:
    """The one row of a range, as :func:`select`; raises OptionError for several."""
    rows = select(puzzle, wanted, today)
    if len(rows) > 1:
        raise OptionError(f"give one date, not {len(rows):,}, such as {rows[0]}")
    return rows[0]


def number_of_rows(puzzle: Puzzle, wanted: Range, today: datetime.date) -> int:
    """The number of rows that :func:`select` makes at most, without making any."""
    number = len(_several(wanted.reveal))
    if wanted.all_dates or wanted.all_reveals:
        number += math.prod(map(len, puzzle.categories.values()))
    number += sum(1 + (span.last - span.first).days for _, span in wanted.spans(today))
    return max(1, number)


def select(puzzle: Puzzle, wanted: Range, today: datetime.date) -> list[Row]:
    """The rows that a range names, each once: those with a date by date, then the others.

    A date that was named with its year is not named again by ``all_dates`` or ``all_reveals``.
    Without any option: today, or the only reveal of a puzzle without categories. Dates
    within a range for which the board has no cells are left out.

    Raises:
        OptionError: a range whose end is before its start.
        RevealError: no such date or reveal.
    """
    if not wanted.given() and puzzle.categories:
        wanted = Range(date=today.isoformat())
    dated = {row: None for _, span in wanted.spans(today) for row in _between(puzzle, span)}
    rows = sorted(dated, key=lambda row: row.date or datetime.date.max)
    rows += [Row(puzzle.check_reveal(labels_in(text))) for text in _several(wanted.reveal)]
    named = {row.reveal for row in rows}
    if wanted.all_reveals or not (wanted.given() or puzzle.categories):
        rows += [Row(reveal) for reveal in puzzle.reveals() if reveal not in named]
    if wanted.all_dates:
        calendar = puzzle.calendar
        calendar.require()
        dates = filter(calendar.is_date, puzzle.reveals())
        rows += [Row(reveal) for reveal in dates if reveal not in named]
        if not rows:
            raise RevealError(
                f"no reveal of {puzzle.name} is a date that exists; use --all-reveals"
            )
    return list(dict.fromkeys(rows))


def _between(puzzle: Puzzle, span: Span) -> list[Row]:
    """The rows of the dates of a range; of a single date it has to be on the board."""
    calendar, (first, last, leap) = puzzle.calendar, span
    parts = calendar.require()
    if leap and "weekday" not in parts:  # no year was named, and none matters
        return [Row(calendar.reveal(first))]
    if first == last:
        return [Row(calendar.reveal(first), first)]
    dates = [first + datetime.timedelta(days) for days in range(1 + (last - first).days)]
    rows = [Row(calendar.reveal(date), date) for date in dates if calendar.has(date)]
    if not rows:
        raise RevealError(f"{puzzle.name} has no date in this range; choose another")
    return rows


def describe(wanted: Range, today: datetime.date) -> str:
    """The range in words, for summaries."""
    words = [name for name, _ in wanted.spans(today)]
    words += _several(wanted.reveal)
    words += ["all dates"] * wanted.all_dates + ["all reveals"] * wanted.all_reveals
    return "; ".join(words) or today.isoformat()
