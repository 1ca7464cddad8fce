"""The rows of an answer: reveals, each with its date if it has a year."""

from __future__ import annotations

import datetime
from contextlib import suppress
from typing import NamedTuple

from satcal.errors import RevealError
from satcal.puzzle.model import Puzzle, Reveal
from satcal.puzzle.when import parse_dates

ALL = "all"


class Row(NamedTuple):
    """A row of an answer: a reveal, and its date if it has a year."""

    reveal: Reveal
    date: datetime.date | None = None

    def __str__(self) -> str:
        return self.date.isoformat() if self.date else " ".join(self.reveal)


def list_rows(puzzle: Puzzle, text: str, today: datetime.date) -> list[Row]:
    """Return the rows of the dates in a text, in the order of the calendar.

    Leave out dates within a range for which the board has no cells.

    Raises:
        RevealError: a word is not a date, or the board has none of the dates.
    """
    calendar = puzzle.calendar
    calendar.require()
    if text.strip().casefold() == ALL:
        return [Row(reveal) for reveal in puzzle.reveals() if calendar.is_date(reveal)]
    if "weekday" in puzzle.categories:
        with suppress(RevealError):  # a day and its weekday, such as Thu Sep 6, without a year
            return [Row(puzzle.check_reveal(tuple(text.replace(",", " ").split())))]
    rows_by_date = {}
    for span in parse_dates(text, today):
        for number in range(span.first.toordinal(), span.last.toordinal() + 1):
            date = datetime.date.fromordinal(number)
            labels = calendar.labels(date)
            if all(labels):
                rows_by_date[date] = Row(labels, date)
            elif span.first == span.last:
                calendar.reveal(date)  # raises RevealError, which names the missing part
    if not rows_by_date:
        raise RevealError(f"{puzzle.name} has no date in {text}; choose another")
    return [rows_by_date[date] for date in sorted(rows_by_date)]
