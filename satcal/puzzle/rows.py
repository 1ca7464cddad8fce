"""What is asked of a puzzle: rows of dates or reveals, and the pieces on its board."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from satcal.errors import OptionError, RevealError
from satcal.puzzle.model import Placement, Puzzle, Reveal
from satcal.puzzle.when import parse_dates

ALL = "all"


class Row(NamedTuple):
    """A row of an answer: a reveal, and its date if it has a year."""

    reveal: Reveal
    date: datetime.date | None = None

    def __str__(self) -> str:
        return self.date.isoformat() if self.date else " ".join(self.reveal)

    def record(self, puzzle: Puzzle, **fields: Any) -> dict[str, Any]:
        """Return the record of the row in tables: its date, its labels by category, and fields."""
        labels = zip(puzzle.categories, self.reveal, strict=True)
        return {"date": str(self.date or ""), **dict(labels), **fields}

    @classmethod
    def read(cls, record: Mapping[str, Any], puzzle: Puzzle) -> Row:
        """Return the row of a record."""
        labels = tuple(record[name] for name in puzzle.categories)
        return cls(labels, datetime.date.fromisoformat(record["date"]) if record["date"] else None)


@dataclass(frozen=True)
class Selection:
    """What is asked of a puzzle: rows, and the pieces already on the board."""

    puzzle: Puzzle
    rows: Sequence[Row]
    place: tuple[Placement, ...] = ()

    @classmethod
    def of(
        cls, puzzle: Puzzle, reveals: Iterable[Reveal], place: Sequence[Placement] = ()
    ) -> Selection:
        """Return the selection of reveals."""
        return cls(puzzle, list(map(Row, reveals)), tuple(place))

    @cached_property
    def reveals(self) -> list[Reveal]:
        """The distinct reveals of the rows, in their order."""
        return list(dict.fromkeys(row.reveal for row in self.rows))

    @property
    def row(self) -> Row:
        """The only row.

        Raises:
            OptionError: the selection has several rows, or none.
        """
        if len(self.rows) != 1:
            raise OptionError(
                f"this takes one date, not {len(self.rows):,}; give a day or a reveal"
            )
        return self.rows[0]


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
