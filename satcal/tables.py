"""Answers in rows: as CSV, JSON, Markdown, an aligned table, or a calendar of days and months."""

from __future__ import annotations

import calendar
import io
import json
import re
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from textwrap import wrap
from typing import Any

from satcal.counting.outcomes import WORK
from satcal.puzzle.calendar import IN_FULL, MONTHS, WEEKDAYS
from satcal.puzzle.model import Puzzle
from satcal.puzzle.ranges import Row
from satcal.records import STYLES, writing, written

TABULAR = ("table", *STYLES, "markdown")
WIDEST = 10_000  # columns: what goes to no terminal is as wide as it likes
NAMED = 3  # of several dates or the like with the same number


@dataclass(frozen=True)
class CountedRow:
    """A row with its exact count, or None, by which methods, and with other measures."""

    row: Row
    tilings: int | None
    methods: tuple[str, ...] = ()
    measures: Mapping[str, object] = field(default_factory=dict)

    @property
    def number(self) -> str:
        """The count as it is read, ``?`` where it is not known."""
        return "?" if self.tilings is None else f"{self.tilings:,}"


def count_of(number: int, noun: str) -> str:
    """A number and its noun: ``1 tiling``, ``2 tilings``, ``1,458 tilings``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def some_of(names: Sequence[str], most: int = NAMED) -> str:
    """Return the first names, and how many more there are.

    >>> some_of(["Mon", "Thu"]), some_of(["Mon", "Tue", "Wed", "Thu"])
    ('Mon, Thu', 'Mon, Tue, Wed and 1 more')
    """
    listed = ", ".join(names[:most])
    return f"{listed} and {len(names) - most:,} more" if len(names) > most else listed


def screen_width() -> int:
    """The columns of the terminal that standard output is, or ``WIDEST``."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else WIDEST


def aligned(head: Sequence[str], rows: Iterable[Sequence[str]], right: Iterable[int] = ()) -> str:
    """A table without lines; the columns of some numbers are flush right.

    On a terminal that has too few columns texts are wrapped between words, and where that does
    not do, each row becomes a block with a line for each of its fields. No number is cut.
    """
    rows, width = list(rows), screen_width()
    plain = _plainly(head, rows, set(right), width)
    if plain is not None:
        return "".join(f"{line}\n" for line in plain)
    from rich.cells import cell_len
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    least = 2 * len(head) - 2
    for index, name in enumerate(head):
        cells = [name, *(row[index] for row in rows)]
        unbroken = index in right or any("\n" in cell for cell in cells)
        words = [word for cell in cells for word in cell.split("\n" if unbroken else None)]
        least += max(map(cell_len, words), default=0)
        table.add_column(name, justify="right" if index in right else "left", no_wrap=unbroken)
    if least > width:
        return "\n".join(_block(head, row, width) for row in rows)
    for row in rows:
        table.add_row(*row)
    text = io.StringIO()
    off: dict[str, Any] = {"markup": False, "emoji": False, "highlight": False}
    Console(file=text, width=width, color_system=None, **off).print(table)
    return re.sub(" +$", "", text.getvalue(), flags=re.MULTILINE)


def _plainly(
    head: Sequence[str], rows: Sequence[Sequence[str]], right: set[int], width: int
) -> list[str] | None:
    """The lines of a table in which nothing is wrapped; None if its texts need a library.

    rich takes 0.35 s for 2,604 rows; it knows the widths of all characters, and drawings in cells.
    """
    columns = list(zip(head, *rows, strict=True))
    if not all(cell.isascii() and cell.isprintable() for column in columns for cell in column):
        return None
    if sum(max(map(len, column)) + 2 for column in columns) - 2 > width:
        return None
    flush = []
    for index, column in enumerate(columns):
        wide = max(map(len, column))
        flush.append(
            [cell.rstrip().rjust(wide) if index in right else cell.ljust(wide) for cell in column]
        )
    return ["  ".join(line).rstrip(" ") for line in zip(*flush, strict=True)]


def _block(head: Sequence[str], row: Sequence[str], width: int) -> str:
    """A row as lines of a name and a value; long texts go on below their names."""
    wide, lines = max(map(len, head)), []
    for name, cell in zip(head, row, strict=True):
        parts = cell.split("\n")  # a drawing is no text
        if len(parts) == 1:
            parts = wrap(cell, max(1, width - wide - 2), break_long_words=False)
        lines.append(f"{name:<{wide}}  {parts[0] if parts else ''}".rstrip())
        lines += [" " * (wide + 2) + part for part in parts[1:]]
    return "\n".join(lines) + "\n"


def tabulated(records: Iterable[Mapping[str, object]], fields: Sequence[str], style: str) -> str:
    """Records, whose keys are ``fields``, in one of ``TABULAR``.

    In JSON a value may hold others; elsewhere a list is its words, a mapping its JSON.

    >>> tabulated([{"date": "Oct 6", "tilings": 1007}], ["date", "tilings"], "markdown")
    '| date | tilings |\\n|---|--:|\\n| Oct 6 | 1,007 |\\n'
    """
    return "".join(tabulating(records, fields, style))


def tabulating(
    records: Iterable[Mapping[str, object]], fields: Sequence[str], style: str
) -> Iterator[str]:
    """Yield the parts of :func:`tabulated`, which are many where no column needs all records."""
    if style in ("json", "ndjson"):
        yield from writing(records, fields, style)
    elif style == "csv":
        flat = ({name: _flat(record.get(name, "")) for name in fields} for record in records)
        yield from writing(flat, fields, style)
    else:
        yield _columns(list(records), fields, style)


def _columns(records: list[Mapping[str, object]], fields: Sequence[str], style: str) -> str:
    """Records as an aligned table or in Markdown, numbers flush right."""
    numbers = [
        index
        for index, name in enumerate(fields)
        if records and all(type(record.get(name)) in (int, float) for record in records)
    ]
    rows = [[_read(record.get(name)) for name in fields] for record in records]
    if style == "table":
        return aligned(fields, rows, right=numbers)
    rule = "".join("--:|" if index in numbers else "---|" for index in range(len(fields)))
    cells = [[cell.replace("|", r"\|") for cell in row] for row in [list(fields), *rows]]
    head, *lines = (f"| {' | '.join(row)} |\n" for row in cells)
    return "".join([head, f"|{rule}\n", *lines])


def _flat(value: object) -> object:
    """The content of a cell: lists as words, mappings as JSON."""
    if isinstance(value, (list, tuple)) and all(isinstance(part, str) for part in value):
        return " ".join(value)
    nested = isinstance(value, (list, tuple, Mapping))
    return json.dumps(value, ensure_ascii=False) if nested else value


def _read(value: object) -> str:
    """A value as people read it: 1,458, yes, or nothing."""
    if isinstance(value, bool) or value is None:
        return "" if value is None else "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int) else str(_flat(value))


def work_table(works: Mapping[str, Mapping[str, float]]) -> str:
    """A table of what methods did: a row for each, by its name."""
    head = ("method", "seconds", *WORK)
    rows = []
    for method, work in works.items():
        numbers = [f"{work[name]:,}" if name in work else "" for name in WORK]
        rows.append((method, f"{work.get('seconds', 0):,.3f}", *numbers))
    return aligned(head, rows, right=range(1, len(head)))


def render(puzzle: Puzzle, table: Sequence[CountedRow], style: str) -> str:
    """Counts as text, as a ``calendar`` or one of ``TABULAR``; it ends with a newline.

    A calendar needs one row for each month and day, and counts alone: others come as ``table``.
    """
    measures = list(dict.fromkeys(name for entry in table for name in entry.measures))
    if style in STYLES:
        fields = ["date", *puzzle.categories, "tilings", *measures, "methods"]
        return written((_record(puzzle, entry) for entry in table), fields, style)
    days = _days(puzzle, table) if style == "calendar" and not measures else {}
    if days and len(days) == len(table):
        return "\n".join(_year(year, days) for year in sorted({year for year, _, _ in days}))
    fields = ["date", *puzzle.categories, "tilings", *measures]
    undated = not any(entry.row.date for entry in table)
    records = [{**_record(puzzle, entry), "tilings": entry.number} for entry in table]
    if style == "markdown":
        return tabulated(records, fields[undated:], style)
    lines = [[_read(record.get(name)) for name in fields[undated:]] for record in records]
    return aligned(
        fields[undated:], lines, right=range(fields.index("tilings") - undated, len(fields))
    )


def _record(puzzle: Puzzle, counted: CountedRow) -> dict[str, object]:
    return {
        "date": str(counted.row.date or ""),
        **dict(zip(puzzle.categories, counted.row.reveal, strict=True)),
        "tilings": counted.tilings,
        **counted.measures,
        "methods": "" if counted.tilings is None else "+".join(counted.methods),
    }


def _days(puzzle: Puzzle, table: Sequence[CountedRow]) -> dict[tuple[int, int, int], str]:
    """The number of each year (or 0), month and day; none where a row has no day."""
    parts, days = puzzle.calendar.parts, {}
    for entry in table:
        date = entry.row.date
        if date:
            days[date.year, date.month, date.day] = entry.number
        elif parts is None or "weekday" in puzzle.categories:
            return {}
        else:
            chosen = dict(zip(puzzle.categories, entry.row.reveal, strict=True))
            month, day = (parts[name].index(chosen[name]) + 1 for name in ("month", "day"))
            days[0, month, day] = entry.number
    return days


def _month(year: int, month: int, numbers: dict[tuple[int, int, int], str]) -> str:
    """A month as a small calendar, week by week; nothing where that is of no use.

    It is for more days than a week has, on a terminal that is wide enough.
    """
    days = {day: text for (*at, day), text in numbers.items() if at == [year, month]}
    wide = max(map(len, days.values()))
    if len(days) <= 7 or 7 * (4 + wide) + 6 * 2 > screen_width():
        return ""
    weeks = [
        [f"{day:>2}: {days[day]:>{wide}}" if day in days else "" for day in week]
        for week in calendar.Calendar().monthdayscalendar(year, month)
    ]
    drawn = aligned(WEEKDAYS, filter(any, weeks), right=range(7))
    return f"{IN_FULL['month'][month - 1].capitalize()} {year}\n{drawn}"


def _year(year: int, numbers: dict[tuple[int, int, int], str]) -> str:
    """The days and months of a year that occur, as grids no wider than the terminal."""
    months = sorted({month for its_year, month, _ in numbers if its_year == year})
    if len(months) == 1 and year and (drawn := _month(year, months[0], numbers)):
        return drawn
    wide = 2 + max(3, *map(len, numbers.values()))
    across = max(1, (screen_width() - 4) // wide)
    grids = []
    for few in (months[at : at + across] for at in range(0, len(months), across)):
        days = sorted(
            {day for its_year, month, day in numbers if its_year == year and month in few}
        )
        rows = [[str(day), *(numbers.get((year, month, day), "") for month in few)] for day in days]
        head = [str(year or ""), *(MONTHS[month - 1] for month in few)]
        grids.append(aligned(head, rows, right=range(len(head))))
    return "\n".join(grids)
