"""Dates in words: a day, a month, a year, ``today``, ``tomorrow``, a range, or ``all``.

The page reads a single day as :func:`parse_dates` does; `tests/shared/dates.json` holds both to it.

>>> import datetime
>>> today = datetime.date(2026, 11, 26)
>>> for span in parse_dates("3. Oktober 2027", today): print(span)
2027-10-03
>>> for span in parse_dates("Oct 20..Nov 3 2026 2024-2030", today): print(span)
2026-10-20 to 2026-11-03
2024-01-01 to 2030-12-31
"""

from __future__ import annotations

import datetime
import itertools
import re
from calendar import isleap, monthrange
from collections.abc import Iterator
from typing import NamedTuple

from satcal.errors import RevealError, quote
from satcal.puzzle.calendar import MONTHS, WEEKDAYS, YEARS, meanings

NUMERIC_FORMS = (  # y, m and d: year, month and day; a and b: day and month in either order
    r"(?P<y>\d{4})",
    r"(?P<y>\d{4})[-/.](?P<m>\d\d?)([-/.](?P<d>\d\d?)([ t]00:00(:00(\.0+)?)?z?)?)?",
    r"(?P<y>1[6-9]\d\d|2[0-4]\d\d)(?P<m>\d\d)(?P<d>\d\d)",
    r"(?P<m>\d\d?)[-/.](?P<y>\d{4})",
    r"(?P<d>\d\d?)\. ?(?P<m>\d\d?)\.?( ?(?P<y>\d{4}))?",
    r"(?P<a>\d\d?)[-/](?P<b>\d\d?)([-/](?P<y>\d{4}))?",
    r"(?P<y>\d{4})\. (?P<m>\d\d?)\. (?P<d>\d\d?)\.",
    r"((?P<y>\d{4})[年년] ?)?(?P<m>\d\d?)[月월] ?(?P<d>\d\d?)[日일] ?(?P<w>\D*)",
)
"""Dates in figures; with dots, the day comes before the month, unless the year is first.

A time of midnight, which programs add, may follow. The last one is that of Chinese, Japanese and
Korean, with the name of the weekday.
"""
DAY = re.compile(r"(\d\d?)(\.|st|nd|rd|th|er|º|ª)?", re.ASCII)
SHORT_YEAR = re.compile(r"([0-9]{1,2})([-/_])([^\d\s]+)\2([0-9]{2})")
"""A day, a month's name and a year of two digits."""
FILLERS = ("de", "of", "the")
TODAY = "today"
RELATIVE_DAYS = {
    -1: "yesterday gestern ayer hier ieri 昨日 어제 gisteren wczoraj ontem 昨天",
    0: "today heute hoy aujourd'hui oggi 今日 오늘 vandaag dzisiaj dziś hoje 今天",
    1: "tomorrow morgen mañana demain domani 明日 내일 jutro amanhã 明天",
}
"""The words for the days next to today in the languages of the page."""
TO = ("to", "-", "..")
MAX_WORDS = 6  # of a date, such as "jueves, 23 de octubre de 2025"
MAX_TEXT = 1000  # characters


class Span(NamedTuple):
    """The first and the last day of a range."""

    first: datetime.date
    last: datetime.date

    @property
    def days(self) -> int:
        """The number of days."""
        return (self.last - self.first).days + 1

    def __str__(self) -> str:
        return str(self.first) if self.first == self.last else f"{self.first} to {self.last}"


class Reading(NamedTuple):
    """A possible meaning of words, with None for parts that they do not have."""

    year: int | None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None  # Monday is 1

    def __str__(self) -> str:
        name = MONTHS[self.month - 1] if self.month else None
        return " ".join(str(part) for part in (self.day, name, self.year) if part)

    def exists(self) -> bool:
        """Return whether a year has such a day."""
        if self.month is None or self.day is None:
            return self.month in (None, *range(1, 13))
        leap_year = 2024
        return 1 <= self.month <= 12 and (
            1 <= self.day <= monthrange(self.year or leap_year, self.month)[1]
        )

    def has_weekday(self) -> bool:
        """Return whether the day is on its weekday, or has none."""
        year, month, day, weekday = self
        if not (weekday and year in YEARS and year and month and day):
            return weekday is None
        return datetime.date(year, month, day).isoweekday() == weekday


def parse_dates(text: str, today: datetime.date) -> list[Span]:
    """Return the spans of days in a text, in its order.

    Raises:
        RevealError: a word is not part of a date, a day does not exist, or a date has two readings.
    """
    if len(text) > MAX_TEXT:
        raise RevealError(f"{quote(text)}: more than {MAX_TEXT} characters; name a range of dates")
    text = re.sub(r"\.\.+", " .. ", text)
    text = re.sub(r"(?<!\S)(\d{4})-(\d{4})(?!\S)", r"\1 .. \2", text, flags=re.ASCII)
    meaning = dict.fromkeys(TO, "..")
    for days, names in RELATIVE_DAYS.items():
        day = (today + datetime.timedelta(days)).isoformat()
        meaning |= dict.fromkeys(names.split(), day)
    words = [
        meaning.get(word.casefold().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'"), word)
        for word in text.split()
    ]
    spans = []
    while words:
        first, words = parse_reading(words)
        last = first
        if words[:1] == [".."]:
            last, words = parse_reading(words[1:])
        spans.append(resolve_range(first, last, today))
    return spans


def parse_reading(words: list[str]) -> tuple[Reading, list[str]]:
    """Return the reading of the longest date at the start of the words, and the other words."""
    for end in range(min(len(words), MAX_WORDS), 0, -1):
        phrase = " ".join(words[:end])
        candidates = list(dict.fromkeys(readings(phrase)))
        valid_readings = [reading for reading in candidates if reading.exists()]
        if len(valid_readings) > 1:
            valid_readings = [r for r in valid_readings if r.has_weekday()] or valid_readings
        if len(valid_readings) > 1:
            alternatives = " or ".join(map(str, valid_readings))
            raise RevealError(
                f"'{phrase}' could be {alternatives}; write the month as an English word"
            )
        if candidates and not valid_readings:
            raise RevealError(f"'{phrase}': there is no such day; check the day and the month")
        if valid_readings:
            return valid_readings[0], words[end:]
    word = words[0] if words else ".."
    hint = "; write 25 Dec, 2025-12-25, 2025-12, 2025, a range A..B or today"
    if meanings("weekday", word.rstrip(",")):
        hint = "; a weekday needs a year, as in Thu 23 Oct 2025, or a board with weekdays"
    raise RevealError(f"{quote(word)} is not a date{hint}")


def readings(phrase: str) -> Iterator[Reading]:
    """Yield the possible readings of a phrase; yield none if it is not a date."""
    text = phrase.casefold()
    for form in NUMERIC_FORMS:
        if match := re.fullmatch(form, text, re.ASCII):
            groups = match.groupdict()
            weekday_name = groups.pop("w", "")
            numbers = {name: int(value) for name, value in groups.items() if value}
            year = numbers.get("y")
            if "a" in numbers:
                yield Reading(year, numbers["a"], numbers["b"])
                yield Reading(year, numbers["b"], numbers["a"])
            elif weekdays := meanings("weekday", weekday_name):
                for weekday in weekdays:
                    yield Reading(year, numbers["m"], numbers["d"], weekday)
            elif not weekday_name:
                yield Reading(year, numbers.get("m"), numbers.get("d"))
            return
    yield from readings_in_words(text)


def readings_in_words(text: str) -> Iterator[Reading]:
    """Yield the readings of a month's name with a day, a year and a weekday, in any order.

    Spreadsheets write ``6-Oct``, ``Oct-06`` and ``06-Oct-22``.
    """
    years, days, names = [], [], []
    if match := SHORT_YEAR.fullmatch(text):
        text = f"{match[1]} {match[3]} 20{match[4]}"
    for word in re.split(r"[\s,]+|(?<=\d)[-/_]|[-/_](?=\d)", text.strip(" ,")):
        if match := DAY.fullmatch(word):
            days.append(int(match[1]))
        elif re.fullmatch(r"\d{4}", word, re.ASCII):
            years.append(int(word))
        elif word not in FILLERS:
            months = [("month", number) for number in meanings("month", word)]
            names.append(months + [("weekday", number) for number in meanings("weekday", word)])
    if not 1 <= len(names) <= 2 or len(days) > 1 or len(years) > 1:
        return
    if len(names) == 2 and not (days and years):
        return  # a weekday without a year: these are labels
    for choice in itertools.product(*names):  # a name such as "mar" is a month or a weekday
        parts = dict(choice)
        if len(parts) == len(names) and "month" in parts:
            yield Reading(
                years[0] if years else None,
                parts["month"],
                days[0] if days else None,
                parts.get("weekday"),
            )


def resolve_range(first: Reading, last: Reading, today: datetime.date) -> Span:
    """Return the days from one reading to another; take a missing year from the other or today."""
    years = [year for year in (first.year, last.year) if year is not None]
    year = years[0] if years else today.year
    if (first.month, first.day) == (2, 29) and not years:
        year = next(y for y in range(today.year, today.year + 9) if isleap(y))
    begin = resolve(first, year if first.year is None else first.year).first
    end = resolve(last, year if last.year is None else last.year).last
    if begin > end:
        raise RevealError(
            f"the range from {begin} to {end} ends before it begins; swap them or add years"
        )
    return Span(begin, end)


def resolve(reading: Reading, year: int) -> Span:
    """Return the days of a reading in a year.

    Raises:
        RevealError: the year has no such day, or the day is another weekday.
    """
    if year not in YEARS:
        raise RevealError(
            f"{year:04}: use a year from {YEARS[0]} to {YEARS[-1]}, or write a day as 25 Dec"
        )
    _, month, day, weekday = reading
    if month is None:
        return Span(datetime.date(year, 1, 1), datetime.date(year, 12, 31))
    length = monthrange(year, month)[1]
    if day is None:
        return Span(datetime.date(year, month, 1), datetime.date(year, month, length))
    if day > length:
        raise RevealError(f"{reading}: {MONTHS[month - 1]} {year} has {length} days")
    date = datetime.date(year, month, day)
    if weekday not in (None, date.isoweekday()):
        raise RevealError(f"{date} is a {WEEKDAYS[date.weekday()]}; correct or omit the weekday")
    return Span(date, date)
