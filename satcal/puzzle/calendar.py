"""How the categories month, day and weekday of a puzzle connect to calendar dates."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from satcal.errors import PuzzleError, RevealError, did_you_mean

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
DAYS = tuple(str(day) for day in range(1, 32))
ENGLISH: Mapping[str, tuple[str, ...]] = {"month": MONTHS, "day": DAYS, "weekday": WEEKDAYS}

# The leap year that stands for "any year" where a board ignores the year.
LEAP_YEAR = 2000


@dataclass(frozen=True)
class Calendar:
    """The labels of a puzzle in calendar order, or the reason why it has no dates.

    ``parts`` maps month (12, January first), day (31) and weekday (7, Monday first) to
    labels, ``""`` where the board has none, in the order of the puzzle's categories.
    """

    parts: Mapping[str, tuple[str, ...]] | None = None
    reason: str = ""

    def require(self) -> Mapping[str, tuple[str, ...]]:
        """Return ``parts``; raise RevealError if the puzzle has no dates."""
        if self.parts is None:
            raise RevealError(
                f"this puzzle has no dates: {self.reason}; use --reveal or --all-reveals"
            )
        return self.parts

    def reveal(self, date: datetime.date) -> tuple[str, ...]:
        """Return the labels that a date leaves uncovered, in the order of the categories.

        Raises:
            RevealError: the puzzle has no dates, or no cell for a part of this one.
        """
        labels = self._labels(date)
        for category, label in labels.items():
            if not label:
                english = ENGLISH[category][_position(date)[category]]
                raise RevealError(
                    f"date {date.isoformat()}: the board has no cell for the {category} {english}; "
                    "choose a date that it has"
                )
        return tuple(labels.values())

    def has(self, date: datetime.date) -> bool:
        """Return whether the board has cells for all parts of a date."""
        return all(self._labels(date).values())

    def is_date(self, reveal: Sequence[str]) -> bool:
        """Return whether some year has the date that a reveal names."""
        parts = self.require()
        chosen = dict(zip(parts, reveal, strict=True))
        month, day = (1 + parts[part].index(chosen[part]) for part in ("month", "day"))
        # every weekday falls on every day of the year in some year, 29 February included
        return day <= days_in(LEAP_YEAR, month)

    def _labels(self, date: datetime.date) -> dict[str, str]:
        position, parts = _position(date), self.require()
        return {category: parts[category][position[category]] for category in parts}


def _position(date: datetime.date) -> dict[str, int]:
    """Return where a date's parts stand in calendar order."""
    return {"month": date.month - 1, "day": date.day - 1, "weekday": date.weekday()}


def days_in(year: int, month: int) -> int:
    """Return the number of days of a month of a year from 1 to 9999."""
    if month == 12:
        return 31
    return (datetime.date(year, month + 1, 1) - datetime.date(year, month, 1)).days


def parse_date(text: str, option: str) -> datetime.date:
    """Return the date that ``YYYY-MM-DD`` names; raise RevealError if none."""
    match = re.fullmatch(r"(\d{4})-(\d\d)-(\d\d)", text.strip())
    if not match:
        raise RevealError(f"{option} '{text}' is not a date; write it as 2025-12-25")
    year, month, day = map(int, match.groups())
    try:
        return datetime.date(year, month, day)
    except ValueError:
        reason = "there is no month with that number; use 01 to 12"
        if not year:
            reason = "use a year from 1 to 9999"
        elif 1 <= month <= 12:
            number, name = days_in(year, month), MONTHS[month - 1]
            reason = f"{name} {year} has {number} days, there is no day {day}"
        raise RevealError(f"{option} {text}: {reason}") from None


def connect(
    categories: Mapping[str, Sequence[str]], declared: Mapping[str, Sequence[str]] | None
) -> Calendar:
    """Return the calendar of a puzzle's categories.

    ``declared`` is the file's ``[calendar]`` table, or None: labels per category in
    calendar order (January first, Monday first).

    Raises:
        PuzzleError: the declared table does not fit the categories.
    """
    order = tuple(categories)
    if set(order) not in ({"month", "day"}, {"month", "day", "weekday"}):
        if declared:
            raise PuzzleError(
                "[calendar]: only a puzzle with the categories month and day (and weekday) has "
                f"dates, not one with {', '.join(order) or 'none'}; rename them or drop the table"
            )
        lacking = [name for name in ("month", "day") if name not in order]
        others = [name for name in order if name not in ENGLISH]
        reason = (
            f"it has no category named {' and none named '.join(lacking)}"
            if lacking
            else f"a date says nothing of its category {others[0]}"
        )
        return Calendar(reason=reason)
    if declared is not None:
        return Calendar({name: _declared(name, categories, declared) for name in order})
    for name, labels in categories.items():
        foreign = [label for label in labels if label not in ENGLISH[name]]
        if foreign:
            first, *_, last = ENGLISH[name]
            reason = (
                f"its {name} '{foreign[0]}' is not one of {first} to {last} and the file has no "
                "[calendar] table"
            )
            return Calendar(reason=reason)
    parts = {
        name: tuple(label if label in labels else "" for label in ENGLISH[name])
        for name, labels in categories.items()
    }
    return Calendar(parts)


def _declared(
    name: str, categories: Mapping[str, Sequence[str]], declared: Mapping[str, Sequence[str]]
) -> tuple[str, ...]:
    """Return the labels of a category in calendar order, as the table has them."""
    unknown = [key for key in declared if key not in categories]
    if unknown:
        raise PuzzleError(
            f"[calendar]: '{unknown[0]}' is not a category" + did_you_mean(unknown[0], categories)
        )
    english, labels = ENGLISH[name], tuple(declared.get(name, ENGLISH[name]))
    if len(labels) != len(english):
        raise PuzzleError(
            f"[calendar] {name}: {len(labels)} labels, but it needs {len(english)} "
            f"in calendar order, {english[0]} first"
        )
    twice = [label for label in labels if labels.count(label) > 1]
    if twice:
        raise PuzzleError(f"[calendar] {name}: '{twice[0]}' is there twice; list each label once")
    if set(labels) != set(categories[name]):
        odd = min(set(labels).symmetric_difference(categories[name]))
        raise PuzzleError(
            f"[calendar] {name}: '{odd}' is not both here and in the category {name}; "
            "list the labels of the category in calendar order"
        )
    return labels
