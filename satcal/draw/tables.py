"""Counts as CSV, JSON, an aligned table, or a calendar of months and days."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from satcal.counting.settings import WORK
from satcal.puzzle.calendar import MONTHS
from satcal.puzzle.model import Puzzle
from satcal.puzzle.ranges import Row
from satcal.records import STYLES, written

FORMATS = ("calendar", "table", *STYLES)
WIDEST = 10_000  # columns: a table is never cut, whatever it is written to


@dataclass(frozen=True)
class Counted:
    """A row with its exact count, or None, and the methods that counted it."""

    row: Row
    tilings: int | None
    methods: tuple[str, ...] = ()

    @property
    def number(self) -> str:
        """The count as it is read, ``?`` where it is not known."""
        return "?" if self.tilings is None else f"{self.tilings:,}"


def count_of(number: int, noun: str) -> str:
    """Return ``1 tiling``, ``2 tilings``, ``1,458 tilings``; other nouns likewise."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def aligned(head: Sequence[str], rows: Iterable[Sequence[str]], right: Iterable[int] = ()) -> str:
    """Return a table without lines; the columns of some numbers are flush right."""
    from rich.console import Console
    from rich.table import Column, Table

    columns = [Column(name, no_wrap=True) for name in head]
    for number in right:
        columns[number].justify = "right"
    table = Table(*columns, box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for row in rows:
        table.add_row(*row)
    text = io.StringIO()
    plain: dict[str, Any] = {"markup": False, "emoji": False, "highlight": False}
    Console(file=text, width=WIDEST, color_system=None, **plain).print(table)
    return re.sub(" +$", "", text.getvalue(), flags=re.MULTILINE)


def work_table(works: Mapping[str, Mapping[str, float]]) -> str:
    """Return a table of what methods did: a row for each, by its name."""
    head = ("method", "seconds", *WORK)
    rows = []
    for method, work in works.items():
        numbers = [f"{work[name]:,}" if name in work else "" for name in WORK]
        rows.append((method, f"{work.get('seconds', 0):,.3f}", *numbers))
    return aligned(head, rows, right=range(1, len(head)))


def render(puzzle: Puzzle, table: Sequence[Counted], style: str) -> str:
    """Return a table as text in one of ``FORMATS``; it ends with a newline.

    A calendar needs one row for each month and day: others come as ``table``.
    """
    if style in STYLES:
        fields = ["date", *puzzle.categories, "tilings", "methods"]
        return written((_record(puzzle, each) for each in table), fields, style)
    days = _days(puzzle, table) if style == "calendar" else {}
    if len(days) == len(table):
        return "\n".join(_year(year, days) for year in sorted({year for year, _, _ in days}))
    head = ["date", *puzzle.categories, "tilings"]
    lines = [[str(each.row.date or ""), *each.row.reveal, each.number] for each in table]
    undated = not any(line[0] for line in lines)
    return aligned(head[undated:], [line[undated:] for line in lines], right=[-1])


def _record(puzzle: Puzzle, counted: Counted) -> dict[str, str | int | None]:
    return {
        "date": str(counted.row.date or ""),
        **dict(zip(puzzle.categories, counted.row.reveal, strict=True)),
        "tilings": counted.tilings,
        "methods": "+".join(counted.methods),
    }


def _days(puzzle: Puzzle, table: Sequence[Counted]) -> dict[tuple[int, int, int], str]:
    """Return the number of each year (or 0), month and day; none where a row has no day."""
    parts, days = puzzle.calendar.parts, {}
    for each in table:
        date = each.row.date
        if date:
            days[date.year, date.month, date.day] = each.number
        elif parts is None or "weekday" in puzzle.categories:
            return {}
        else:
            chosen = dict(zip(puzzle.categories, each.row.reveal, strict=True))
            month, day = (parts[name].index(chosen[name]) + 1 for name in ("month", "day"))
            days[0, month, day] = each.number
    return days


def _year(year: int, numbers: dict[tuple[int, int, int], str]) -> str:
    """Return the days and months of a year that occur, as a grid."""
    months, days = (sorted({each[part] for each in numbers if each[0] == year}) for part in (1, 2))
    rows = [[str(day), *(numbers.get((year, month, day), "") for month in months)] for day in days]
    head = [str(year or ""), *(MONTHS[month - 1] for month in months)]
    return aligned(head, rows, right=range(len(head)))
