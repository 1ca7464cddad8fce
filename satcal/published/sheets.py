"""Published tables as people have them: columns are found by what is in them.

A table that can be read in more than one way gives a :class:`Sheet` for each; the names of columns,
where there are any, leave out those that contradict them.
"""

from __future__ import annotations

import csv
import datetime
import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from satcal.errors import FormatError, RevealError
from satcal.files import read_text
from satcal.puzzle import when
from satcal.puzzle.calendar import meanings
from satcal.puzzle.model import Puzzle, Reveal, labels_in
from satcal.tabular import count_of

MAX_ROWS = 20_000
MAX_COLUMNS = 40  # one for each day, and some more
MAX_WAYS = 1000  # to choose columns; a table that has more is refused for its readings
MAX_READINGS = 8  # that an error lists
SUMMARY_ROWS = ("total", "sum", "all", "mean", "average", "summe", "gesamt", "somme", "suma")
"""The first words of rows that are about the other rows."""
COUNT, DATE, IGNORED = "tilings", "date", ""
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
"""What the name of a column says that it is."""
NUMBER = re.compile(
    r"\d{1,60}(?:\.0)?|\d{1,3}(?P<group>[,.'\u2019\u202f\xa0 ])\d{3}(?:(?P=group)\d{3})*"
)
NO_DAY = datetime.date(2000, 1, 1)  # no date is relative to today
MONTH_FIRST, DAY_FIRST = "month/day", "day/month"
CUTS: Mapping[str, Callable[[str], list[str]]] = {
    **{
        name: lambda line, mark=mark: next(csv.reader([line], delimiter=mark))  # type: ignore[misc]
        for name, mark in {"commas": ",", "semicolons": ";", "tabs": "\t"}.items()
    },
    "bars": lambda line: re.sub(r"^\s*\|(.*)\|\s*$", r"\1", line).split("|"),
    "colons": lambda line: re.split(r"\s*[:=]\s", line.strip()),
    "blanks": lambda line: line.split(),
}
"""How a line is cut into entries."""

Row = tuple[int, list[str]]
"""The number of a line, and its entries."""


class Sheet(NamedTuple):
    """The numbers of a published table in one reading, which ``understood`` says in words."""

    counts: Mapping[Reveal, int]
    understood: str


class Misfit(Exception):
    """An entry that is not what its column has to be."""

    def __init__(self, text: str, rank: tuple[int, bool] = (0, False)) -> None:
        super().__init__(text)
        self.rank = rank  # rows that were fine, and whether the column's name says what it is


def read_sheet(path: Path, puzzle: Puzzle) -> Sheet:
    """Return the counts of a published table that has one reading.

    Raises:
        FormatError: it has none, or more than one; the text names them.
    """
    sheets = read_sheets(path, puzzle)
    if len(sheets) > 1:
        raise ambiguous(path, sheets, puzzle)
    return sheets[0]


def ambiguous(path: Path, sheets: Sequence[Sheet], puzzle: Puzzle) -> FormatError:
    """Return the error for a table of which no reading is the right one, with all readings."""
    listed = "".join(
        f"\n  {sheet.understood}: {' '.join(reveal)} has {count:,}"
        for sheet in sheets[:MAX_READINGS]
        for reveal, count in itertools.islice(sheet.counts.items(), 1)
    )
    omitted = "\n  …" if sheets[MAX_READINGS:] else ""
    names = ",".join([*puzzle.categories, COUNT])
    return FormatError(
        f"{path}: it can be read in more than one way; write a line with the names of the columns "
        f"above it, such as {names}, or dates as 2025-10-06:{listed}{omitted}"
    )


def read_sheets(path: Path, puzzle: Puzzle) -> list[Sheet]:
    """Return the readings of the file of a published table."""
    return parse_sheets(read_text(path, "table"), path, puzzle)


def parse_sheets(text: str, path: Path, puzzle: Puzzle) -> list[Sheet]:
    """Return the readings of a published table, whatever its form; ``path`` names it.

    Columns may stand in any order: one with the number, and the date or a column for each
    category; or the months as columns and the days as rows, or the other way round.

    Raises:
        FormatError: it has none; the text names the line that comes nearest to one.
    """
    numbered = enumerate(re.split("\r\n?|\n", text), start=1)
    lines = [(number, line) for number, line in numbered if line.strip()]
    if not 0 < len(lines) <= MAX_ROWS:
        raise FormatError(f"{path}: write a line with names, and below it 1 to {MAX_ROWS:,} rows")
    found: dict[tuple[tuple[Reveal, int], ...], Sheet] = {}
    names = ",".join([*puzzle.categories, COUNT])
    nearest = Misfit(f"no columns of dates and numbers; name the columns {names}, or date,{COUNT}")
    for separator in CUTS:
        if found and separator == "blanks":
            break
        try:
            rows = split_lines(lines, separator)
            sheets = [*itertools.islice(readings(rows, puzzle), MAX_READINGS + 1)]
        except Misfit as misfit:
            nearest = max(nearest, misfit, key=rank_of)
            continue
        for sheet in sheets:
            how = f"{sheet.understood}, separated by {separator}"
            found.setdefault(tuple(sorted(sheet.counts.items())), sheet._replace(understood=how))
    if not found:
        raise FormatError(f"{path}: {nearest}")
    return list(found.values())


def split_lines(lines: Sequence[tuple[int, str]], separator: str) -> list[Row]:
    """Return the entries of lines; raise Misfit where their number changes."""
    try:
        entries = [(number, CUTS[separator](line)) for number, line in lines]
    except csv.Error as error:  # an entry is too long
        raise Misfit(str(error)) from error
    rows = [(number, [cell.strip() for cell in cells]) for number, cells in entries]
    rows = [row for row in rows if not all(re.fullmatch(":?-*:?", cell) for cell in row[1])]
    for fine, (number, cells) in enumerate(rows):
        if len(cells) != len(rows[0][1]):
            raise Misfit(
                f"line {number} has {count_of(len(cells), 'column')} between {separator}, line "
                f"{rows[0][0]} has {len(rows[0][1])}; a number with a comma in it needs quotation "
                "marks",
                (fine if len(rows[0][1]) > 1 else 0, False),
            )
    if not rows or not 1 < len(rows[0][1]) <= MAX_COLUMNS:
        raise Misfit(f"it has fewer than 2 columns, or more than {MAX_COLUMNS}")
    return rows


def readings(rows: Sequence[Row], puzzle: Puzzle) -> Iterator[Sheet]:
    """Yield the readings of rows; raise Misfit if there are none."""
    if across := list(pivots(rows, puzzle)):
        yield from (read_pivoted(rows, puzzle, down, names) for down, names in across)
        return
    nearest = Misfit("it has one line")
    for header in ((), rows[0][1]):
        try:
            yield from column_readings(rows[1:] if header else rows, header, puzzle)
        except Misfit as misfit:
            nearest = max(nearest, misfit, key=rank_of)
        else:
            return
    raise nearest


def pivots(rows: Sequence[Row], puzzle: Puzzle) -> Iterator[tuple[str, list[str]]]:
    """Yield what the rows of a table can be that has a column for each month or day.

    A number can be either. The name of the first column says what the rows are.
    """
    (_, (corner, *names)), *below = rows
    if len(names) < 2 or not below or {*puzzle.categories} != {"month", "day"}:
        return
    for across, down in (("day", "month"), ("month", "day")):
        columns = [label_of(puzzle, across, name) for name in names]
        lines = [label_of(puzzle, down, cells[0]) for _, cells in below]
        corner_role = ROLES.get(corner.casefold(), down)
        if (
            None in columns
            or None in lines
            or label_of(puzzle, down, corner)
            or corner_role != down
        ):
            continue
        if len({*columns}) == len(columns) and len({*lines}) == len(lines):
            yield down, [name for name in columns if name]


def read_pivoted(rows: Sequence[Row], puzzle: Puzzle, down: str, names: Sequence[str]) -> Sheet:
    """Return the reading of a table with a column for each month or day."""
    counts = {}
    for line, (first, *cells) in rows[1:]:
        for name, text in zip(names, cells, strict=True):
            if text not in ("", "-", "\N{EN DASH}"):
                where = f"line {line}, column {name}"
                label = label_of(puzzle, down, first) or first
                reveal = tuple(label if part == down else name for part in puzzle.categories)
                counts[reveal] = read_entry(puzzle, COUNT, "", text, where)
    return Sheet(counts, f"{count_of(len(counts), 'number')}, one row for each {down}")


class Column(NamedTuple):
    """A column that can be dates in some order, the labels of a category, or numbers.

    ``score`` is 1 if its name says so, and -1 if its name says something else.
    """

    at: int
    role: str
    form: str
    score: int
    values: Sequence[Any]


def columns_of(
    rows: Sequence[Row], header: Sequence[str], puzzle: Puzzle
) -> tuple[list[Column], Misfit]:
    """Return what each column can be, and the entry that comes nearest to fitting."""
    columns: list[Column] = []
    nearest = Misfit("it has no rows below the names of its columns")
    header_roles = [role_of(name, puzzle) for name in header] or [None] * len(rows[0][1])
    forms = [(DATE, DAY_FIRST), (DATE, MONTH_FIRST), *((name, "") for name in puzzle.categories)]
    for (at, named), (role, form) in itertools.product(
        enumerate(header_roles), [*forms, (COUNT, "")]
    ):
        if named == IGNORED or (role == COUNT and COUNT in header_roles and named != COUNT):
            continue
        values: list[Any] = []
        try:
            for line, cells in rows:
                values.append(read_entry(puzzle, role, form, cells[at], f"line {line}"))
        except Misfit as misfit:
            rank = (len(values), named == role)
            nearest = max(nearest, Misfit(str(misfit), rank), key=rank_of)
            continue
        score = (named == role) - (named not in (None, role))
        alike = form == MONTH_FIRST and bool(columns) and columns[-1][::4] == (at, values)
        if alike:  # which of both comes first does not matter
            columns.pop()
        columns.append(Column(at, role, role if alike else form or role, score, values))
    return columns, nearest


def column_readings(rows: Sequence[Row], header: Sequence[str], puzzle: Puzzle) -> Iterator[Sheet]:
    """Yield the readings of rows, one for each reveal, that contradict the header least.

    Raises:
        Misfit: there are none.
    """
    sums = [row for row in rows if {*map(str.casefold, row[1])}.intersection(SUMMARY_ROWS)]
    rows = [row for row in rows if row not in sums]
    if not rows:
        raise Misfit("it has no rows below the names of its columns")
    columns, nearest = columns_of(rows, header, puzzle)
    by_role = {
        role: [column for column in columns if column.role == role]
        for role in (DATE, *puzzle.categories, COUNT)
    }
    groups: list[tuple[Column, ...]] = [(column,) for column in by_role[DATE]]
    groups += itertools.product(*(by_role[category] for category in puzzle.categories))
    found: list[tuple[int, Sheet]] = []
    ways = itertools.product(groups, by_role[COUNT])
    for group, number in itertools.islice(ways, MAX_WAYS):
        chosen = (*group, number)
        if len({column.at for column in chosen}) == len(chosen):
            try:
                counts = join(rows, chosen)
            except Misfit as misfit:
                nearest = max(nearest, misfit, key=rank_of)
            else:
                listed = ", ".join(describe(column, header) for column in chosen)
                left_out = "".join(f", without {next(filter(None, cells))}" for _, cells in sums)
                sheet = Sheet(counts, f"{count_of(len(counts), 'number')}, {listed}{left_out}")
                found.append((sum(column.score for column in chosen), sheet))
    if not found:
        raise nearest
    best = max(score for score, _ in found)
    yield from (sheet for score, sheet in found if score == best)


def describe(column: Column, header: Sequence[str]) -> str:
    """Return which column is read as what."""
    name = header[column.at] if header else f"column {column.at + 1}"
    return name if name == column.form else f"{name} as {column.form}"


def join(rows: Sequence[Row], columns: Sequence[Column]) -> dict[Reveal, int]:
    """Return the number of each reveal; raise Misfit for a reveal with two of them."""
    *group, number = columns
    counts: dict[Reveal, int] = {}
    for index, (line, _) in enumerate(rows):
        labels = tuple(column.values[index] for column in group)
        reveal = labels[0] if group and group[0].role == DATE else labels
        count = number.values[index]
        if counts.setdefault(reveal, count) != count:
            raise Misfit(
                f"line {line}: {' '.join(reveal)} has {count} here, and {counts[reveal]} above",
                (index, True),
            )
    return counts


def rank_of(misfit: Misfit) -> tuple[int, bool]:
    """Return how near a misfit is to a reading."""
    return misfit.rank


def role_of(name: str, puzzle: Puzzle) -> str | None:
    """Return what the name of a column says that it is; None if it says nothing."""
    word = name.casefold()
    return next((each for each in puzzle.categories if each.casefold() == word), ROLES.get(word))


def read_entry(puzzle: Puzzle, role: str, form: str, text: str, where: str) -> Any:
    """Return the number, the label or the reveal of an entry; raise Misfit if it is none."""
    if role == COUNT:
        if not NUMBER.fullmatch(text):
            raise Misfit(f"{where}: {text!r} is not a number; write digits only", (1, True))
        return int(re.sub(r"\D", "", text.removesuffix(".0")))
    if role == DATE:
        try:
            return reveal_of(puzzle, text, form)
        except RevealError as error:
            raise Misfit(f"{where}: {error}") from error
    if label := label_of(puzzle, role, text):
        return label
    raise Misfit(f"{where}: {text!r} is not a {role} of {puzzle.name}")


def label_of(puzzle: Puzzle, category: str, text: str) -> str | None:
    """Return the label of a category that a text names, in any language, or by its number."""
    if text in puzzle.labels and puzzle.labels[text].category == category:
        return text
    labels = (puzzle.calendar.parts or {}).get(category)
    if labels is None:
        return None
    if category == "month" and re.fullmatch(r"0?[1-9]|1[0-2]", text):
        found = [int(text)]
    elif category == "day":
        day = when.DAY.fullmatch(text)
        found = [int(day[1])] if day and 1 <= int(day[1]) <= len(labels) else []
    else:
        found = meanings(category, text)
    return (labels[found[0] - 1] or None) if len(found) == 1 else None


def reveal_of(puzzle: Puzzle, text: str, form: str) -> Reveal:
    """Return the reveal of a date or of labels; raise RevealError if a text is neither."""
    found = list(when.readings(re.sub("[ T]00:00:00$", "", text), NO_DAY))  # as pandas writes
    parts = puzzle.calendar.parts
    if parts is None or not found:
        return puzzle.check_reveal(labels_in(text))
    reading = found[0 if form == MONTH_FIRST else -1]
    if reading.month is None or reading.day is None:
        raise RevealError(f"{text!r} is not one day")
    if {*parts} == {"month", "day"}:  # a board has days that no calendar has, such as 30 February
        at = {"month": reading.month, "day": reading.day}
        labels = tuple(label_of(puzzle, part, str(at[part])) or "" for part in parts)
        if not all(labels):
            raise RevealError(f"{text!r} is not a date of {puzzle.name}")
        return labels
    if reading.year is None:
        raise RevealError(f"{text!r} has neither a weekday nor a year; add one")
    if not reading.exists():
        raise RevealError(f"{text!r}: there is no such day")
    return puzzle.calendar.reveal(datetime.date(reading.year, reading.month, reading.day))
