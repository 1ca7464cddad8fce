"""Tables of counts as CSV, JSON, lines of JSON, aligned text, or a calendar of months and days."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from satcal.puzzle.calendar import MONTHS
from satcal.puzzle.model import Puzzle
from satcal.puzzle.ranges import Row
from satcal.records import STYLES, written

FORMATS = ("calendar", "table", *STYLES)


@dataclass(frozen=True)
class Counted:
    """A row with its exact count, None where it is not known, and the methods that counted it."""

    row: Row
    tilings: int | None
    methods: tuple[str, ...] = ()


def render(puzzle: Puzzle, table: Sequence[Counted], style: str) -> str:
    """Return a table as text in one of ``FORMATS``; it ends with a newline.

    A calendar needs months and days, and one row for each: other tables come as ``table``.
    """
    if style in STYLES:
        fields = ["date", *puzzle.categories, "tilings", "methods"]
        return written((_record(puzzle, each) for each in table), fields, style)
    if style == "calendar" and _fits_calendar(puzzle, table):
        return _calendar(puzzle, table)
    return _aligned(puzzle, table)


def _record(puzzle: Puzzle, counted: Counted) -> dict[str, str | int | None]:
    date = counted.row.date
    return {
        "date": date.isoformat() if date else "",
        **dict(zip(puzzle.categories, counted.row.reveal, strict=True)),
        "tilings": counted.tilings,
        "methods": "+".join(counted.methods),
    }


def _aligned(puzzle: Puzzle, table: Sequence[Counted]) -> str:
    dated = any(each.row.date for each in table)
    head = [*(["date"] if dated else []), *puzzle.categories, "tilings"]
    lines = [head]
    for each in table:
        date = [each.row.date.isoformat() if each.row.date else ""] if dated else []
        lines.append([*date, *each.row.reveal, _number(each)])
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    return "".join(
        "  ".join(
            [*(f"{text:<{w}}" for text, w in zip(line[:-1], widths, strict=False)),
             f"{line[-1]:>{widths[-1]}}"]
        ) + "\n"
        for line in lines
    )  # fmt: skip


def _number(counted: Counted) -> str:
    return "?" if counted.tilings is None else f"{counted.tilings:,}"


def _fits_calendar(puzzle: Puzzle, table: Sequence[Counted]) -> bool:
    if puzzle.calendar.parts is None:
        return False
    keys = [_key(puzzle, each.row) for each in table]
    return len(set(keys)) == len(keys) and (
        all(each.row.date for each in table) or "weekday" not in puzzle.categories
    )


def _key(puzzle: Puzzle, row: Row) -> tuple[int, int, int]:
    """Return year (0 for none), month and day of a row."""
    if row.date:
        return row.date.year, row.date.month, row.date.day
    parts = puzzle.calendar.require()
    chosen = dict(zip(puzzle.categories, row.reveal, strict=True))
    month, day = parts["month"].index(chosen["month"]), parts["day"].index(chosen["day"])
    return 0, month + 1, day + 1


def _calendar(puzzle: Puzzle, table: Sequence[Counted]) -> str:
    """Return one grid a year: days downwards, months across, only the months that occur."""
    cells = {_key(puzzle, each.row): _number(each) for each in table}
    return "\n".join(_year(year, cells) for year in sorted({year for year, _, _ in cells}))


def _year(year: int, cells: dict[tuple[int, int, int], str]) -> str:
    mine = {(month, day): text for (y, month, day), text in cells.items() if y == year}
    months = sorted({month for month, _ in mine})
    days = sorted({day for _, day in mine})
    width = max(5, *(len(text) + 1 for text in mine.values()))
    head = f"{year or '':>4}" + "".join(f"{MONTHS[month - 1]:>{width}}" for month in months)
    return "".join(line.rstrip() + "\n" for line in [head, *_days(days, months, mine, width)])


def _days(
    days: Sequence[int], months: Sequence[int], mine: dict[tuple[int, int], str], width: int
) -> Iterator[str]:
    for day in days:
        yield f"{day:>4}" + "".join(f"{mine.get((month, day), ''):>{width}}" for month in months)
