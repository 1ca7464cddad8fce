"""What is known of a puzzle of the library, and how numbers and dates are written."""

from __future__ import annotations

import csv
import datetime
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import satcal
from satcal.published.own_tables import rank_in_words
from satcal.puzzle.calendar import MONTHS
from satcal.puzzle.dates import reveal_in_full
from satcal.puzzle.model import Puzzle

ROOT = Path(__file__).parent.parent.parent
COUNTS = ROOT / "results" / "counts"
LEAP = 2028  # has every date that any year has
SEVERAL = 3  # reveals that a sentence names where they share a number
SHADES = 9  # of the map, from the fewest tilings to the most


class Counted(NamedTuple):
    """A reveal and its number of tilings, as results/counts has them."""

    reveal: tuple[str, ...]
    tilings: int
    methods: str

    def __str__(self) -> str:
        return " ".join(self.reveal)


class Book:
    """What is known of one puzzle of the library: its table, and the verdicts about it."""

    def __init__(self, board: str, verdicts: Sequence[Mapping[str, str]]) -> None:
        self.puzzle = satcal.load(board)
        self.board = board
        self.verdicts = [verdict for verdict in verdicts if verdict["board"] == board]
        names = [*self.puzzle.categories]
        with (COUNTS / f"{board}.csv").open(encoding="utf-8", newline="") as file:
            self.rows = [
                Counted(tuple(row[name] for name in names), int(row["tilings"]), row["methods"])
                for row in csv.DictReader(file)
            ]
        self.known = {row.reveal: row.tilings for row in self.rows}
        self.total = sum(row.tilings for row in self.rows)
        self.title = self.puzzle.title or board

    @property
    def dated(self) -> bool:
        """Whether the board has months and days."""
        return {"month", "day"} <= {*self.puzzle.categories}

    @property
    def weekdays(self) -> bool:
        """Whether it has weekdays, too."""
        return "weekday" in self.puzzle.categories

    def year(self, year: int) -> dict[datetime.date, int]:
        """The number of tilings of each date of a year."""
        return {date: self.known[self.puzzle.reveal(date)] for date in days(year)}

    def on(self, weekday: str) -> dict[datetime.date, int]:
        """The number of tilings of each date, if it falls on a weekday."""
        found = {}
        for date in days(LEAP):
            label = {"weekday": weekday, "month": MONTHS[date.month - 1], "day": str(date.day)}
            found[date] = self.known[tuple(label[name] for name in self.puzzle.categories)]
        return found

    def extreme(self, most: bool) -> list[Counted]:
        """All reveals with the most (or the fewest) tilings."""
        at = (max if most else min)(row.tilings for row in self.rows)
        return [row for row in self.rows if row.tilings == at]

    def named(self, rows: Sequence[Counted], most: int = SEVERAL) -> str:
        """Some reveals as people write them, and how many more there are."""
        several = rows if len(rows) <= most else rows[: most - 1]
        text = "; ".join(in_words(self.puzzle, row.reveal) for row in several)
        return f"{text}; and {len(rows) - len(several)} more" if several is not rows else text


class Ranking:
    """Numbers of tilings by rank; equal ones share it."""

    def __init__(self, counts: Iterable[int]) -> None:
        self.every = sorted(counts)

    def shade(self, count: int) -> int:
        """The shade of a number, 0 for the fewest; each shade has about as many numbers."""
        return bisect_left(self.every, count) * SHADES // len(self.every)

    def words(self, count: int) -> str:
        """Where a number stands among all, as ``satcal birthday`` says it."""
        fewer = bisect_left(self.every, count)
        more = len(self.every) - bisect_right(self.every, count)
        return f"{rank_in_words(fewer, more)} of {len(self.every):,}"


def days(year: int) -> list[datetime.date]:
    """The dates of a year."""
    first = datetime.date(year, 1, 1)
    dates = (first + datetime.timedelta(number) for number in range(366))
    return [date for date in dates if date.year == year]


def in_words(puzzle: Puzzle, reveal: Sequence[str]) -> str:
    """A reveal as people write it, ``6 October``; its labels, such as Feb 30, if it has no date."""
    calendar = puzzle.calendar
    never = calendar.parts is not None and not calendar.is_date(reveal)
    return reveal_in_full(calendar, reveal) + (" (no date)" if never else "")


def number(count: int, noun: str) -> str:
    """A number with its noun, as in ``1 solution`` and ``1,234 solutions``."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def by_number(name: str) -> tuple[str | int, ...]:
    """For sorting: 9 before 10."""
    return tuple(int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name))
