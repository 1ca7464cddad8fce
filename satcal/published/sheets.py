"""The reader of published tables, which finds columns by their content.

A text is split at the first of several separators that gives a table. An ambiguous table has
several readings. Where a header names a column, no other column has its role.
"""

from __future__ import annotations

import csv
import datetime
import itertools
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

from satcal.errors import FormatError, RevealError
from satcal.puzzle import when
from satcal.puzzle.calendar import meanings
from satcal.puzzle.model import Puzzle, Reveal, labels_in
from satcal.tabular import count_of

MAX_ROWS = 200_000  # below the names of the columns
MAX_BYTES = 20_000_000
MAX_COLUMNS = 40  # one for each day, and a few more
MAX_CHOICES = 1000  # of columns; a table with more is ambiguous in any case
MAX_READINGS = 8  # that an error lists
SUMMARY_ROWS = ("total", "sum", "all", "mean", "average", "summe", "gesamt", "somme", "suma")
"""The words that mark a row as a summary of the other rows."""
COUNT, DATE = "tilings", "date"
HEADERS = {
    COUNT: "tilings solutions count counts number numbers total ways n anzahl lösungen nombre "
    "soluciones soluzioni",
    DATE: "date datum fecha data dato reveal",
    "month": "month monat mois mes mese mês maand",
    "day": "day tag jour día dia giorno dag",
    "weekday": "weekday wochentag",
}
ROLES = {word: role for role, words in HEADERS.items() for word in words.split()}
"""The role of a column by its name."""
NUMBER = re.compile(
    r"\d{1,60}(?:\.0)?|\d{1,3}(?P<group>[,.'\u2019\u202f\xa0 ])\d{3}(?:(?P=group)\d{3})*"
)
MONTH_FIRST, DAY_FIRST, SHORT_YEAR = "month/day", "day/month", "day-month-year"
SEPARATORS: Mapping[str, Callable[[str], list[str]]] = {
    **{
        name: lambda line, mark=mark: next(csv.reader([line], delimiter=mark))  # type: ignore[misc]
        for name, mark in {"commas": ",", "semicolons": ";", "tabs": "\t"}.items()
    },
    "bars": lambda line: re.sub(r"^\s*\|(.*)\|\s*$", r"\1", line).split("|"),
    "colons": lambda line: re.split(r"\s*[:=]\s", line.strip()),
    "blanks": lambda line: line.split(),
}
"""The functions that split a line into entries."""


class SheetRow(NamedTuple):
    """The place of a row, such as ``line 3``, and its entries."""

    where: str
    entries: list[str]


class TableReading(NamedTuple):
    """One way to read a published table: its counts, and a description of the way."""

    counts: Mapping[Reveal, int]
    description: str


class Column(NamedTuple):
    """A reading of a column: as dates, as labels of a category, or as numbers.

    ``read_as`` is the role, or the order of an ambiguous date. ``values`` are numbers, or parts of
    reveals.
    """

    position: int
    role: str
    read_as: str
    values: Sequence[Any]


class ReadingError(Exception):
    """Why a table cannot be read in some way, and the number of rows that were read before.

    A column that the header names counts as one row more. Of several errors, the one with the most
    rows is reported.
    """

    def __init__(self, text: str, rows: int = 0) -> None:
        super().__init__(text)
        self.rows = rows


def ambiguity_error(path: Path, readings: Sequence[TableReading], puzzle: Puzzle) -> FormatError:
    """Return the error for an ambiguous table, with its readings."""
    listed = "".join(
        f"\n  {reading.description}: {' '.join(reveal)} has {count:,}"
        for reading in readings[:MAX_READINGS]
        for reveal, count in itertools.islice(reading.counts.items(), 1)
    )
    omitted = "\n  …" if readings[MAX_READINGS:] else ""
    names = ",".join([*puzzle.categories, COUNT])
    return FormatError(
        f"{path}: it can be read in more than one way; write a line with the names of the columns "
        f"above it, such as {names}, or dates as 2025-10-06:{listed}{omitted}"
    )


def parse_readings(text: str, path: Path, puzzle: Puzzle) -> list[TableReading]:
    """Return the readings of the text of a published table; errors name ``path``.

    The columns are, in any order, one with numbers and one with dates or one per category. In a
    pivot table, the months are the columns and the days are the rows, or the other way round. JSON
    has the same entries: objects for rows, or objects of numbers by date, or by month and day.

    Raises:
        FormatError: the table has no reading; the text is from the attempt that read the most rows.
    """
    names = ",".join([*puzzle.categories, COUNT])
    errors = [
        ReadingError(
            f"there are no columns of dates and numbers; name the columns {names}, or date,{COUNT}"
        )
    ]
    for separator in ["JSON"] if text.lstrip()[:1] in ("[", "{") else SEPARATORS:
        try:
            rows = rows_in_json(text) if separator == "JSON" else split_lines(text, separator)
        except ReadingError as error:
            errors.append(error)
            continue
        if len(rows) > MAX_ROWS + 1:
            raise FormatError(f"{path}: {len(rows):,} rows; the limit is {MAX_ROWS:,}")
        by_counts: dict[frozenset[tuple[Reveal, int]], TableReading] = {}
        for counts, description in find_readings(rows, puzzle, errors):
            reading = TableReading(counts, f"{description}, separated by {separator}")
            by_counts.setdefault(frozenset(counts.items()), reading)
        if by_counts:
            return list(by_counts.values())
    raise FormatError(f"{path}: {max(errors, key=attrgetter('rows'))}")


def rows_in_json(text: str) -> list[SheetRow]:
    """Return the rows of JSON, or of lines of JSON, with the names of their columns above them.

    Raises:
        ReadingError: the JSON is damaged, or of another form.
    """
    rows: list[list[str]] = []
    with suppress(ValueError, RecursionError):
        try:
            value = json.loads(text)
        except ValueError:
            value = [json.loads(line) for line in text.splitlines() if line.strip()]
        records = value if isinstance(value, list) else [value]
        if isinstance(value, dict) and COUNT not in value:
            rows = list(list_leaves(value))
            rows[:0] = [[""] * (len(row) - 1) + [COUNT] for row in rows[:1]]
        elif all(isinstance(record, dict) for record in records):
            names = list(dict.fromkeys(name for record in records for name in record))
            rows = [names, *([str(record.get(name, "")) for name in names] for record in records)]
    if not rows or {*map(len, rows)} != {len(rows[0])} or not 1 < len(rows[0]) <= MAX_COLUMNS:
        raise ReadingError(
            f'it is not JSON of a table; write {{"Oct 6": 7}}, or a list of {{"date": "Oct 6", '
            f'"{COUNT}": 7}}',
            1,
        )
    return [SheetRow(f"row {number}", row) for number, row in enumerate(rows)]


def list_leaves(value: Any, keys: tuple[str, ...] = ()) -> Iterator[list[str]]:
    """Yield each number of nested objects, below the names that lead to it."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from list_leaves(part, (*keys, key))
    else:
        yield [*keys, str(value)]


def split_lines(text: str, separator: str) -> list[SheetRow]:
    """Return the entries of lines; of Markdown with one table, only those of the table.

    Raises:
        ReadingError: lines have different numbers of entries.
    """
    all_lines = enumerate(re.split("\r\n?|\n", text), start=1)
    lines = [(f"line {number}", line) for number, line in all_lines if line.strip()]
    rules = [n for n, (_, line) in enumerate(lines) if {"|", "-"} <= {*line} <= {*"|-: \t"}]
    if len(rules) == 1 and rules[0]:
        lines = list(itertools.takewhile(lambda line: "|" in line[1], lines[rules[0] - 1 :]))
    rows = []
    ends = [match.end() for match in re.finditer(r"\S+", lines[0][1] if lines else "")]
    for where, line in lines:
        try:
            entries = [entry.strip() for entry in SEPARATORS[separator](line)]
        except csv.Error as error:  # an entry is too long
            raise ReadingError(f"{where}: {error}") from error
        if separator == "blanks" and len(entries) < len(ends):
            # a blank entry stands below the end of a name
            by_end = {match.end(): match[0] for match in re.finditer(r"\S+", line)}
            if by_end.keys() <= {*ends}:
                entries = [by_end.get(end, "") for end in ends]
        # leave out the line of dashes below a Markdown header, and rows of empty entries
        if not all(re.fullmatch(":?-*:?", entry) for entry in entries):
            rows.append(SheetRow(where, entries))
    columns = len(rows[0].entries) if rows else 0
    if not 1 < columns <= MAX_COLUMNS:
        raise ReadingError(f"it has fewer than 2 columns, or more than {MAX_COLUMNS}")
    for index, (where, entries) in enumerate(rows):
        if len(entries) != columns:
            raise ReadingError(
                f"{where} has {count_of(len(entries), 'column')} between {separator}, "
                f"{rows[0].where} has {columns}; a number with a comma in it needs quotation marks",
                index,
            )
    return rows


def find_readings(
    rows: Sequence[SheetRow], puzzle: Puzzle, errors: list[ReadingError]
) -> Iterator[TableReading]:
    """Yield the readings of rows; append to ``errors`` why there are no others."""
    if pivots := list(unpivot(rows, puzzle)):
        for header, *body in pivots:
            yield from read_columns(body, header.entries, puzzle, errors)
        return
    without_header = list(read_columns(rows, (), puzzle, errors))
    yield from without_header or read_columns(rows[1:], rows[0].entries, puzzle, errors)


def unpivot(rows: Sequence[SheetRow], puzzle: Puzzle) -> Iterator[list[SheetRow]]:
    """Yield the numbers of a pivot table, each in a row with its labels, for each way to read it.

    Numbers can be months or days; the name of the first column decides.
    """
    (_, (corner, *names)), *body = rows
    if len(names) < 2 or not body or {*puzzle.categories} != {"month", "day"}:
        return
    for across, down in (("day", "month"), ("month", "day")):
        columns = {find_label(puzzle, across, name) for name in names} - {None}
        labels = {find_label(puzzle, down, entries[0]) for _, entries in body} - {None}
        is_named = ROLES.get(corner.casefold(), down) == down
        is_pivot = (len(columns), len(labels)) == (len(names), len(body))
        if is_named and is_pivot and not find_label(puzzle, down, corner):
            yield [
                SheetRow("", [down, across, COUNT]),
                *(
                    SheetRow(f"{where}, column {name}", [first, name, text])
                    for where, (first, *entries) in body
                    for name, text in zip(names, entries, strict=True)
                    if text not in ("", "-", "\N{EN DASH}")
                ),
            ]


def read_columns(
    rows: Sequence[SheetRow], header: Sequence[str], puzzle: Puzzle, errors: list[ReadingError]
) -> Iterator[TableReading]:
    """Yield the readings of a table with a row per reveal; append to ``errors`` what has none."""
    totals = [row for row in rows if {*map(str.casefold, row.entries)}.intersection(SUMMARY_ROWS)]
    rows = [row for row in rows if row not in totals]
    if not rows:
        errors.append(ReadingError("it has no numbers below the names of its columns", 1))
        return
    columns = find_columns(rows, header, puzzle, errors)
    choices = itertools.chain.from_iterable(
        itertools.product(*([column for column in columns if column.role == r] for r in roles))
        for roles in ([DATE, COUNT], [*puzzle.categories, COUNT])
    )
    for choice in itertools.islice(choices, MAX_CHOICES):
        if len({column.position for column in choice}) == len(choice):
            try:
                counts = join(rows, choice)
            except ReadingError as error:
                errors.append(error)
                continue
            listed = ", ".join(describe(column, header) for column in choice)
            listed += "".join(f", without {next(filter(None, row.entries))}" for row in totals)
            yield TableReading(counts, f"{count_of(len(counts), 'number')}, {listed}")


def find_columns(
    rows: Sequence[SheetRow], header: Sequence[str], puzzle: Puzzle, errors: list[ReadingError]
) -> list[Column]:
    """Return the readings of each column; append to ``errors`` why it has no others."""
    columns: list[Column] = []
    categories = {category.casefold(): category for category in puzzle.categories}
    names = map(str.casefold, header or [""] * len(rows[0].entries))
    header_roles = [categories.get(name, ROLES.get(name)) for name in names]
    roles = {
        **dict.fromkeys((SHORT_YEAR, DAY_FIRST, MONTH_FIRST), DATE),
        **{name: name for name in (*puzzle.categories, COUNT)},
    }
    for (at, named), (read_as, role) in itertools.product(enumerate(header_roles), roles.items()):
        if role in header_roles and named != role:
            continue
        values: list[Any] = []
        try:
            for where, entries in rows:
                values.append(read_entry(puzzle, read_as, entries[at], where))
        except ReadingError as error:
            is_named = named == role and read_as != SHORT_YEAR
            errors.append(ReadingError(str(error), len(values) + is_named))
            continue
        if read_as == MONTH_FIRST and columns and columns[-1][::3] == (at, values):
            columns[-1] = columns[-1]._replace(read_as=DATE)  # both orders give the same dates
        else:
            columns.append(Column(at, role, read_as, values))
    return columns


def describe(column: Column, header: Sequence[str]) -> str:
    """Return the name of a column and its reading."""
    name = (header[column.position] if header else "") or f"column {column.position + 1}"
    return name if name == column.read_as else f"{name} as {column.read_as}"


def join(rows: Sequence[SheetRow], columns: Sequence[Column]) -> dict[Reveal, int]:
    """Return the count of each reveal; raise ReadingError for a reveal with two counts."""
    counts: dict[Reveal, int] = {}
    for index, (where, _) in enumerate(rows):
        *parts, count = (column.values[index] for column in columns)
        reveal = tuple(itertools.chain.from_iterable(parts))
        if counts.setdefault(reveal, count) != count:
            text = f"{where}: {' '.join(reveal)} has {count} here, and {counts[reveal]} above"
            raise ReadingError(text, index + 1)
    return counts


def read_entry(puzzle: Puzzle, read_as: str, text: str, where: str) -> int | Reveal:
    """Return the number of an entry, or its part of a reveal; raise ReadingError otherwise."""
    if read_as == COUNT:
        if not NUMBER.fullmatch(text):
            raise ReadingError(f"{where}: {text!r} is not a number; write digits only")
        return int(re.sub(r"\D", "", text.removesuffix(".0")))
    if read_as in puzzle.categories:
        if label := find_label(puzzle, read_as, text):
            return (label,)
        raise ReadingError(f"{where}: {text!r} is not a {read_as} of {puzzle.name}")
    try:
        reveal = parse_reveal(puzzle, text, read_as)
    except RevealError as error:
        raise ReadingError(f"{where}: {text!r} is not a date: {error}") from error
    if (read_as == SHORT_YEAR) != bool(when.SHORT_YEAR.fullmatch(text)):
        raise ReadingError(f"{where}: {text!r} is not of the kind of the dates above it")
    return reveal


def find_label(puzzle: Puzzle, category: str, text: str) -> str | None:
    """Return the label that a text names, in any language or by its number, or None."""
    if text in puzzle.labels and puzzle.labels[text].category == category:
        return text
    labels = (puzzle.calendar.parts or {}).get(category)
    if not labels:
        return None
    is_number = category in ("month", "day") and when.DAY.fullmatch(text)
    numbers = [int(is_number[1])] if is_number else meanings(category, text)
    if len(numbers) != 1 or not 1 <= numbers[0] <= len(labels):
        return None
    return labels[numbers[0] - 1] or None


def parse_reveal(puzzle: Puzzle, text: str, order: str) -> Reveal:
    """Return the reveal of a date or of labels; raise RevealError for any other text.

    ``order`` is that of the month and the day in a date of numbers.
    """
    dates = list(when.readings(text))
    parts = puzzle.calendar.parts
    if parts is None or not dates:
        return puzzle.check_reveal(labels_in(text))
    date = dates[0 if order == MONTH_FIRST else -1]
    if date.month is None or date.day is None:
        raise RevealError(f"{text!r} is not one day")
    if {*parts} == {"month", "day"}:  # boards have days that calendars lack, such as 30 February
        numbers = {"month": date.month, "day": date.day}
        labels = tuple(find_label(puzzle, part, str(numbers[part])) or "" for part in parts)
        if not all(labels):
            raise RevealError(f"{text!r} is not a date of {puzzle.name}")
        return labels
    if date.year is None:
        raise RevealError(f"{text!r} has neither a weekday nor a year; add one")
    if not date.exists():
        raise RevealError(f"{text!r}: there is no such day")
    return puzzle.calendar.reveal(datetime.date(date.year, date.month, date.day))
