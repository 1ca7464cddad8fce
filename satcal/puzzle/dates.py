"""Dates as people write them: a day, a month or a year, in figures or in words."""

from __future__ import annotations

import datetime
import re
from calendar import isleap, monthrange
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from satcal.errors import RevealError
from satcal.puzzle.calendar import IN_FULL, MONTHS, WEEKDAYS, Calendar, position

YEARS = range(1583, 10_000)
"""From the first whole year of the Gregorian calendar to the last of four digits."""
LEAP = 2024  # a year that has every day
FIGURES = (  # y, m and d are the year, the month and the day; a and b either of the last two
    r"(?P<y>\d{4})",
    r"(?P<y>\d{4})[-/.](?P<m>\d\d?)([-/.](?P<d>\d\d?))?",
    r"(?P<m>\d\d?)[-/.](?P<y>\d{4})",
    r"(?P<d>\d\d?)\. ?(?P<m>\d\d?)\.?( ?(?P<y>\d{4}))?",
    r"(?P<a>\d\d?)[-/](?P<b>\d\d?)([-/](?P<y>\d{4}))?",
)
"""How dates are written in figures; dots are day, month."""


class Span(NamedTuple):
    """The first and the last day of what a text names.

    ``leap``: it is 29 February of the next leap year, as the text has no year.
    """

    first: datetime.date
    last: datetime.date
    leap: bool = False


class _Reading(NamedTuple):
    """What a text can mean, with None for what it does not say."""

    year: int | None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None  # Monday is 0; only beside a year

    def exists(self) -> bool:
        """Whether some year has such a day."""
        if self.month is None:
            return True
        if not 1 <= self.month <= 12:
            return False
        return self.day is None or 1 <= self.day <= monthrange(self.year or LEAP, self.month)[1]

    def __str__(self) -> str:
        named = MONTHS[self.month - 1] if self.month else ""
        return " ".join(str(part) for part in (named, self.day, self.year) if part)


def parse_date(text: str, option: str, today: datetime.date | None = None) -> datetime.date:
    """The day that a text names, as for :func:`parse_span`; a month is a RevealError."""
    first, last, _ = parse_span(text, option, today)
    if first != last:
        raise RevealError(f"{option} '{text}' is more than one day; write one day, such as {first}")
    return first


def parse_span(text: str, option: str, today: datetime.date | None = None) -> Span:
    """The first and the last day of what a text names: a day, a month or a year.

    ``2025-12-25``, ``25 December 2025``, ``25.12.2025``, ``Dec 25``, ``12-25``, ``12/25``,
    ``25.12.`` (of the year of ``today``), ``today``, ``tomorrow``, ``next week``, ``2025-12``,
    ``December``, ``2025``. Without a year, 29 February is that of the next leap year. Raises
    RevealError for anything else, and for what names one of two days, such as ``3/4``.
    """
    now = today or datetime.date.today()
    if (days := _RELATIVE.get(" ".join(text.casefold().split()))) is not None:
        day = now + datetime.timedelta(days)
        return Span(day, day)
    if (weeks := _WEEKS.get(" ".join(text.casefold().split()))) is not None:
        monday = now + datetime.timedelta(7 * weeks - now.weekday())
        return Span(monday, monday + datetime.timedelta(6))
    found = list(dict.fromkeys(_readings(text)))
    if not found:
        raise RevealError(
            f"{option} {text!r} is not a date; write it as 2025-12-25, Dec 25, today or 2025-12"
        )
    possible = [reading for reading in found if reading.exists()]
    if len(possible) > 1:
        both = " or ".join(map(str, possible))
        raise RevealError(f"{option} '{text}' could be {both}; write the month as a word")
    months = [reading for reading in found if reading.month and 1 <= reading.month <= 12]
    return _span((possible or months or found)[0], now, f"{option} {text}")


_RELATIVE = {"yesterday": -1, "today": 0, "tomorrow": 1}
_WEEKS = {"this week": 0, "next week": 1}
"""From Monday to Sunday."""


def readable(text: str) -> bool:
    """Whether a text is written as a date, though there may be no such day."""
    words = " ".join(text.casefold().split())
    return words in {*_RELATIVE, *_WEEKS} or next(_readings(text), None) is not None


def says_day(text: str) -> bool:
    """Whether a text is written as a day, though there may be no such day."""
    return any(reading.day for reading in _readings(text))


def day_in(text: str) -> datetime.date | None:
    """The day that a text names together with its year; None for any other text.

    >>> day_in("6 October 2026"), day_in("Oct 6"), day_in("2026-10")
    (datetime.date(2026, 10, 6), None, None)
    """
    readings = [reading for reading in _readings(text) if reading.year and reading.day]
    return parse_date(text, "date") if readings else None


def split(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """The dates that words say, the longest reading first, and the words left over.

    >>> split(["Dec", "25", "March", "2026", "foo"])
    (['Dec 25', 'March 2026'], ['foo'])
    """
    dates, left, at = [], [], 0
    while at < len(words):
        ends = range(len(words), at, -1)
        end = next((end for end in ends if readable(" ".join(words[at:end]))), None)
        if end is None:
            left.append(words[at])
        else:
            dates.append(" ".join(words[at:end]))
        at = end or at + 1
    return dates, left


def _readings(text: str) -> Iterator[_Reading]:
    """Yield what a text can mean; nothing if it is not written as a date."""
    text = " ".join(text.casefold().split())
    for form in FIGURES:
        if found := re.fullmatch(form, text, re.ASCII):
            said = {name: int(value) for name, value in found.groupdict().items() if value}
            year = said.get("y")
            if "a" in said:
                yield _Reading(year, said["a"], said["b"])
                yield _Reading(year, said["b"], said["a"])
            else:
                yield _Reading(year, said.get("m"), said.get("d"))
            return
    yield from _in_words(text)


def _in_words(text: str) -> Iterator[_Reading]:
    """Yield the meaning of words such as ``25 december 2025``."""
    words = re.findall(r"\w+", text)
    months = [word for word in words if position("month", word) is not None]
    weekdays = [word for word in words if position("weekday", word) is not None]
    rest = [re.sub(r"(?<=\d)(st|nd|rd|th)$", "", word) for word in words if word not in months]
    rest = [word for word in rest if word not in weekdays]
    days = [word for word in rest if re.fullmatch(r"\d\d?", word, re.ASCII)]
    years = [word for word in rest if re.fullmatch(r"\d{4}", word, re.ASCII)]
    if len(months) != 1 or len(days) > 1 or len(years) > 1 or len(days + years) < len(rest):
        return
    if len(weekdays) > 1 or (weekdays and not (days and years)):
        return  # without a year these are labels
    year, day = (int(found[0]) if found else None for found in (years, days))
    weekday = position("weekday", weekdays[0]) if weekdays else None
    yield _Reading(year, (position("month", months[0]) or 0) + 1, day, weekday)


def _span(reading: _Reading, today: datetime.date, where: str) -> Span:
    """The days of a reading, in the year of ``today`` where it has none."""
    year, month, day, weekday = reading
    if year is not None:
        check_year(year, where, alone=month is None)
    leap = year is None and (month, day) == (2, 29) and not isleap(today.year)
    if year is None:
        year = next(y for y in range(today.year, today.year + 9) if not leap or isleap(y))
    if month is None:
        return Span(datetime.date(year, 1, 1), datetime.date(year, 12, 31))
    if not 1 <= month <= 12:
        raise RevealError(f"{where}: there is no month with that number; use 01 to 12")
    days, name = monthrange(year, month)[1], MONTHS[month - 1]
    if day is None:
        return Span(datetime.date(year, month, 1), datetime.date(year, month, days))
    if not 1 <= day <= days:
        why = f"that month has {days} days"
        if (month, day) == (2, 29):
            why = f"the next one is in {next(y for y in range(year, year + 9) if isleap(y))}"
        raise RevealError(f"{where}: there is no {name} {day} in {year}; {why}")
    date = datetime.date(year, month, day)
    if weekday not in (None, date.weekday()):
        its = WEEKDAYS[date.weekday()]
        raise RevealError(f"{where}: {name} {day} {year} is a {its}; write {its}, or no weekday")
    return Span(date, date, leap)


def in_full(date: datetime.date, weekday: bool) -> str:
    """A date in words: ``6 October``, or with its year where the weekday matters.

    >>> in_full(datetime.date(2025, 10, 23), True), in_full(datetime.date(2025, 10, 23), False)
    ('Thursday, 23 October 2025', '23 October')
    """
    day = f"{date.day} {IN_FULL['month'][date.month - 1].capitalize()}"
    name = IN_FULL["weekday"][date.weekday()].capitalize()
    return f"{name}, {day} {date.year}" if weekday else day


def reveal_in_full(calendar: Calendar, reveal: Sequence[str]) -> str:
    """A reveal in words: ``6 October``, ``Monday, 6 October``; its labels if it has no date.

    >>> reveal_in_full(Calendar({"month": MONTHS, "day": DAYS}), ("Oct", "6"))
    '6 October'
    """
    if calendar.parts is None or not calendar.is_date(reveal):
        return " ".join(reveal)
    at = {
        part: labels.index(label)
        for (part, labels), label in zip(calendar.parts.items(), reveal, strict=True)
    }
    day = f"{at['day'] + 1} {IN_FULL['month'][at['month']].capitalize()}"
    return f"{IN_FULL['weekday'][at['weekday']].capitalize()}, {day}" if "weekday" in at else day


def check_year(year: int, where: str, alone: bool = True) -> None:
    """Raise RevealError for a year out of range; ``alone`` it may be meant as a month and a day."""
    if year in YEARS:
        return
    digits = f"{year:04}"
    near = ""
    for month, day in ((digits[:2], digits[2:4]), (digits[2:4], digits[:2])) if alone else ():
        # four digits are often a month and a day
        reading = _Reading(None, int(month), int(day))
        near = near or (f"; did you mean {reading}?" if reading.exists() else "")
    raise RevealError(f"{where}: use a year from {YEARS[0]} to {YEARS[-1]}{near}")
