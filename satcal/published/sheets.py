"""The reader of published tables, which finds columns by their content.

An ambiguous table has several readings. A header excludes those that contradict it.
"""

from __future__ import annotations

import datetime
import itertools
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from satcal.errors import FormatError, RevealError
from satcal.files import read_text
from satcal.published.rows import (
    COUNT,
    SEPARATORS,
    ReadingError,
    Rows,
    rows_in_json,
    split_lines,
)
from satcal.puzzle import when
from satcal.puzzle.calendar import meanings
from satcal.puzzle.model import Puzzle, Reveal, labels_in
from satcal.tabular import count_of

MAX_ROWS = 200_000  # below the names of the columns
MAX_BYTES = 20_000_000
MAX_CHOICES = 1000  # of columns; a table with more is ambiguous in any case
MAX_READINGS = 8  # that an error lists
SUMMARY_ROWS = ("total", "sum", "all", "mean", "average", "summe", "gesamt", "somme", "suma")
"""The words that mark a row as a summary of the other rows."""
DATE, IGNORED = "date", ""
HEADERS = {
    COUNT: "tilings solutions count counts number numbers total ways n anzahl lösungen nombre "
    "soluciones soluzioni",
    DATE: "date datum fecha data dato reveal",
    "month": "month monat mois mes mese mês maand",
    "day": "day tag jour día dia giorno dag",
    "weekday": "weekday wochentag",
    IGNORED: "id index no nr year jahr",
}
ROLES = {word: role for role, words in HEADERS.items() for word in words.split()}
"""The role of a column by its name."""
NUMBER = re.compile(
    r"\d{1,60}(?:\.0)?|\d{1,3}(?P<group>[,.'\u2019\u202f\xa0 ])\d{3}(?:(?P=group)\d{3})*"
)
MONTH_FIRST, DAY_FIRST, SHORT_YEAR = "month/day", "day/month", "day-month-year"


class TableReading(NamedTuple):
    """One way to read a published table: its counts, and a description of the way."""

    counts: Mapping[Reveal, int]
    description: str


def load_only_reading(path: Path, puzzle: Puzzle) -> TableReading:
    """Return the counts of a published table that has exactly one reading.

    Raises:
        FormatError: the table has no reading, or several; the text lists them.
    """
    readings = load_readings(path, puzzle)
    if len(readings) > 1:
        raise ambiguity_error(path, readings, puzzle)
    return readings[0]


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


def load_readings(path: Path, puzzle: Puzzle) -> list[TableReading]:
    """Return the readings of a published table in a file."""
    return parse_readings(read_text(path, "table", MAX_BYTES), path, puzzle)


def parse_readings(text: str, path: Path, puzzle: Puzzle) -> list[TableReading]:
    """Return the readings of the text of a published table; errors name ``path``.

    The columns are, in any order, one with numbers and one with dates or one per category. In a
    pivot table, the months are the columns and the days are the rows, or the other way round. JSON
    has the same entries: objects for rows, or objects of numbers by date, or by month and day.

    Raises:
        FormatError: the table has no reading; the text is from the attempt that read the most rows.
    """
    all_lines = enumerate(re.split("\r\n?|\n", text), start=1)
    lines = [(f"line {number}", line) for number, line in all_lines if line.strip()]
    if not lines:
        raise FormatError(f"{path}: it is empty; write a line with names, and rows below it")
    separators = ["JSON"] if text.lstrip()[:1] in ("[", "{") else list(SEPARATORS)
    by_counts: dict[tuple[tuple[Reveal, int], ...], TableReading] = {}
    names = ",".join([*puzzle.categories, COUNT])
    furthest = ReadingError(
        f"there are no columns of dates and numbers; name the columns {names}, or date,{COUNT}"
    )
    for separator in separators:
        if by_counts and separator == "blanks":
            break
        try:
            rows = rows_in_json(text) if separator == "JSON" else split_lines(lines, separator)
            if len(rows) > MAX_ROWS + 1:
                raise FormatError(f"{path}: {len(rows):,} rows; the limit is {MAX_ROWS:,}")
            readings = [*itertools.islice(find_readings(rows, puzzle), MAX_READINGS + 1)]
        except ReadingError as error:
            furthest = max(furthest, error)
            continue
        for reading in readings:
            description = f"{reading.description}, separated by {separator}"
            counts = tuple(sorted(reading.counts.items()))
            by_counts.setdefault(counts, reading._replace(description=description))
    if not by_counts:
        raise FormatError(f"{path}: {furthest}")
    return list(by_counts.values())


def find_readings(rows: Rows, puzzle: Puzzle) -> Iterator[TableReading]:
    """Yield the readings of rows; raise ReadingError if there are none."""
    if pivots := list(unpivot(rows, puzzle)):
        for header, *body in pivots:
            yield from read_columns(body, header[1], puzzle)
        return
    try:
        yield from read_columns(rows, (), puzzle)
    except ReadingError as error:
        try:
            yield from read_columns(rows[1:], rows[0][1], puzzle)
        except ReadingError as other:
            raise max(error, other) from other


def unpivot(rows: Rows, puzzle: Puzzle) -> Iterator[Rows]:
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
                ("", [down, across, COUNT]),
                *(
                    (f"{where}, column {name}", [first, name, text])
                    for where, (first, *entries) in body
                    for name, text in zip(names, entries, strict=True)
                    if text not in ("", "-", "\N{EN DASH}")
                ),
            ]


class Column(NamedTuple):
    """A reading of a column: as dates, as labels of a category, or as numbers.

    ``values`` are numbers, or parts of reveals. ``read_as`` is the role, or the order of an
    ambiguous date. ``score`` is 1 if the header confirms the role, and -1 if it contradicts it.
    """

    position: int
    role: str
    read_as: str
    score: int
    values: Sequence[Any]


def find_columns(
    rows: Rows, header: Sequence[str], puzzle: Puzzle
) -> tuple[list[Column], ReadingError]:
    """Return the readings of each column, and the error of the attempt that read the most rows."""
    columns: list[Column] = []
    furthest = ReadingError("it has no rows below the names of its columns")
    header_roles = [find_role(name, puzzle) for name in header] or [None] * len(rows[0][1])
    roles = {
        **dict.fromkeys((DAY_FIRST, MONTH_FIRST, SHORT_YEAR), DATE),
        **{name: name for name in (*puzzle.categories, COUNT)},
    }
    for (at, header_role), (read_as, role) in itertools.product(
        enumerate(header_roles), roles.items()
    ):
        count_is_elsewhere = role == COUNT and COUNT in header_roles and header_role != COUNT
        if header_role == IGNORED or count_is_elsewhere:
            continue
        values: list[Any] = []
        try:
            for where, entries in rows:
                values.append(read_entry(puzzle, read_as, entries[at], where))
        except ReadingError as error:
            is_named = header_role == role and read_as != SHORT_YEAR
            furthest = max(furthest, ReadingError(str(error), (len(values), is_named)))
            continue
        if read_as == MONTH_FIRST and columns and columns[-1][::4] == (at, values):
            columns[-1] = columns[-1]._replace(read_as=DATE)  # both orders give the same dates
        else:
            score = (header_role == role) - (header_role not in (None, role))
            columns.append(Column(at, role, read_as, score, values))
    return columns, furthest


def read_columns(rows: Rows, header: Sequence[str], puzzle: Puzzle) -> Iterator[TableReading]:
    """Yield the readings that agree best with the header, of a table with a row per reveal.

    Raises:
        ReadingError: there are no readings.
    """
    totals = [row for row in rows if {*map(str.casefold, row[1])}.intersection(SUMMARY_ROWS)]
    rows = [row for row in rows if row not in totals]
    if not rows:
        raise ReadingError("it has no numbers below the names of its columns", (len(header), True))
    columns, furthest = find_columns(rows, header, puzzle)
    by_role = defaultdict(list)
    for column in columns:
        by_role[column.role].append(column)
    choices = itertools.chain.from_iterable(
        itertools.product(*map(by_role.__getitem__, roles))
        for roles in ([DATE, COUNT], [*puzzle.categories, COUNT])
    )
    scored: list[tuple[int, TableReading]] = []
    for choice in itertools.islice(choices, MAX_CHOICES):
        if len({column.position for column in choice}) == len(choice):
            try:
                counts = join(rows, choice)
            except ReadingError as error:
                furthest = max(furthest, error)
            else:
                listed = ", ".join(describe(column, header) for column in choice)
                listed += "".join(f", without {next(filter(None, row[1]))}" for row in totals)
                reading = TableReading(counts, f"{count_of(len(counts), 'number')}, {listed}")
                scored.append((sum(column.score for column in choice), reading))
    if not scored:
        raise furthest
    best = max(score for score, _ in scored)
    yield from (reading for score, reading in scored if score == best)


def describe(column: Column, header: Sequence[str]) -> str:
    """Return the name of a column and its reading."""
    name = (header[column.position] if header else "") or f"column {column.position + 1}"
    return name if name == column.read_as else f"{name} as {column.read_as}"


def join(rows: Rows, columns: Sequence[Column]) -> dict[Reveal, int]:
    """Return the count of each reveal; raise ReadingError for a reveal with two counts."""
    counts: dict[Reveal, int] = {}
    for index, (where, _) in enumerate(rows):
        *parts, count = (column.values[index] for column in columns)
        reveal = tuple(itertools.chain.from_iterable(parts))
        if counts.setdefault(reveal, count) != count:
            raise ReadingError(
                f"{where}: {' '.join(reveal)} has {count} here, and {counts[reveal]} above",
                (index, True),
            )
    return counts


def find_role(name: str, puzzle: Puzzle) -> str | None:
    """Return the role that the name of a column implies, or None."""
    word = name.casefold()
    categories = {category.casefold(): category for category in puzzle.categories}
    return categories.get(word, ROLES.get(word))


def read_entry(puzzle: Puzzle, read_as: str, text: str, where: str) -> int | Reveal:
    """Return the number of an entry, or its part of a reveal; raise ReadingError otherwise."""
    if read_as == COUNT:
        if not NUMBER.fullmatch(text):
            raise ReadingError(f"{where}: {text!r} is not a number; write digits only", (1, True))
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
    if labels is None:
        return None
    if category == "month" and re.fullmatch(r"0?[1-9]|1[0-2]", text):
        numbers = [int(text)]
    elif category == "day":
        day = when.DAY.fullmatch(text)
        numbers = [int(day[1])] if day and 1 <= int(day[1]) <= len(labels) else []
    else:
        numbers = meanings(category, text)
    return (labels[numbers[0] - 1] or None) if len(numbers) == 1 else None


def parse_reveal(puzzle: Puzzle, text: str, format: str) -> Reveal:
    """Return the reveal of a date or of labels; raise RevealError for any other text."""
    dates = list(when.readings(text))
    parts = puzzle.calendar.parts
    if parts is None or not dates:
        return puzzle.check_reveal(labels_in(text))
    date = dates[0 if format == MONTH_FIRST else -1]
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
