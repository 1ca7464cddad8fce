"""Published tables as people write them: CSV files with headers and dates of many forms.

What is read must be clear from the file alone: what has two readings is refused with both of them.
``Sheet.understood`` says in words how the file was read.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from satcal.errors import FormatError, RevealError
from satcal.files import read_text
from satcal.puzzle.calendar import meanings
from satcal.puzzle.model import Puzzle, Reveal

SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
MAX_ROWS = 20_000
COUNT_HEADERS = ("tilings", "solutions", "count", "counts", "number", "total", "ways")
DATES = ("date", "reveal")
SUMMARY_ROWS = ("total", "sum", "all", "mean", "average")
"""The first words of rows that are about the other rows."""
IGNORED = ("", "id", "index", "no", "year")  # headers of numbers that are no counts
_COUNT = re.compile(
    r"\d{1,60}(?:\.0)?|\d{1,3}(?P<group>[,.'\u2019\u202f\xa0 ])\d{3}(?:(?P=group)\d{3})*"
)
_YEAR = re.compile(r"(?<!\d)\d{4}(?!\d)")


class Sheet(NamedTuple):
    """The numbers of a published table, and how they were read, in a sentence."""

    counts: Mapping[Reveal, int]
    understood: str


class _Entry(NamedTuple):
    """The place of a number, its date (a string) or its labels (a tuple), and its text."""

    where: str
    date_or_labels: str | tuple[str, ...]
    text: str


def read_sheet(path: Path, puzzle: Puzzle) -> Sheet:
    """Return the counts of the file of a published table, as :func:`parse_sheet` reads it."""
    return parse_sheet(read_text(path, "table"), path, puzzle)


def parse_sheet(text: str, path: Path, puzzle: Puzzle) -> Sheet:
    """Return the counts of a published table, whatever its form; ``path`` names it.

    Columns may stand in any order: one with the number, and the date or a column for each
    category; or the months as columns and the days as rows, or the other way round.

    Raises:
        FormatError: a table with no reading, or more than one; the text names the line.
    """
    separator = _separator(text, path)
    # a line at a time: what csv reads of a quoted line break would hide rows
    rows = [
        (number, [cell.strip() for cell in cells])
        for number, cells in enumerate(csv.reader(io.StringIO(text), delimiter=separator), 1)
        if any(cell.strip() for cell in cells)
    ]
    if len(rows) < 2 or len(rows) > MAX_ROWS:
        raise FormatError(f"{path}: write a line with names, and below it 1 to {MAX_ROWS:,} rows")
    header = [name.casefold() for name in rows[0][1]]
    for number, cells in rows:
        line = text.split("\n")[number - 1]
        other = max(SEPARATORS, key=line.count)
        if len(cells) != len(header) and other != separator and other in line:
            raise FormatError(
                f"{path}: line {rows[0][0]} is separated by {SEPARATORS[separator]}, line {number} "
                f"by {SEPARATORS[other]}; use one of them"
            )
        if len(cells) != len(header):
            raise FormatError(
                f"{path}: line {number}: {len(cells)} entries, but line {rows[0][0]} has "
                f"{len(header)}; a number with a comma in it needs quotation marks"
            )
    across = _across([cells for _, cells in rows])
    if readings := _readings(rows[0][1], puzzle):
        readings += [f"the names of columns, one for each {part}" for part in across]
        own = [*puzzle.categories, "tilings"]
        names = separator.join(own if len(own) == len(header) else ["date", "tilings"])
        raise FormatError(
            f"{path}: line {rows[0][0]} can mean {' or '.join(readings)}; write a line with the "
            f"names of the columns above it, such as {names}"
        )
    if len(across) > 1:
        raise FormatError(
            f"{path}: its columns can be days or months; write month or day before their names"
        )
    if across:
        entries = _pivot(path, rows, across[0], puzzle)
        form = f"one column for each {across[0]}"
    else:
        entries, form = _columns(path, rows, header, puzzle)
    counts, left_out = _parse_counts(entries, puzzle)
    if not counts:
        raise FormatError(f"{path}: it has no number; write one in each row")
    rest = f", without {', '.join(left_out)}" if left_out else ""
    count = f"{len(counts):,} number{'s' if len(counts) > 1 else ''}"
    return Sheet(counts, f"{count}, {form}, separated by {SEPARATORS[separator]}{rest}")


def _separator(text: str, path: Path) -> str:
    """Return the separator of columns: the one that cuts the first line into most of them."""
    first = next((line for line in text.split("\n") if line.strip()), "")
    best = max(SEPARATORS, key=first.count)
    if not first.count(best):
        names = ", ".join(SEPARATORS.values())
        raise FormatError(f"{path}: its first line has one column; separate columns by {names}")
    return best


def _readings(cells: Sequence[str], puzzle: Puzzle) -> list[str]:
    """Return what a line can say if it is a row of a table and not the names of its columns."""
    found = []
    for at, cell in enumerate(cells):
        others = (*cells[:at], *cells[at + 1 :])
        if not _COUNT.fullmatch(cell) or not others:
            continue
        dates: list[str | tuple[str, ...]] = [others if len(others) > 1 else others[0]]
        if len(others) == 2:  # perhaps a month by its number
            pairs = (others, others[::-1])
            dates += [(_label(puzzle, "month", m), _label(puzzle, "day", d)) for m, d in pairs]
        for date in dates:
            with suppress(RevealError):
                found.append(f"that {' '.join(_reveal(puzzle, date))} has {cell}")
    return list(dict.fromkeys(found))


def _across(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return what the columns can be of a table that has one for each month or day.

    A number can be either. The name of the first column says what the rows are.
    """
    (corner, *names), down = rows[0], [row[0] for row in rows[1:]]
    numbers = [int(name) for name in names if re.fullmatch("0?[1-9]|[12][0-9]|3[01]", name)]
    if len(names) < 2 or 0 < len(numbers) < len(names):
        return []
    if not numbers:
        return ["month"] if all(meanings("month", name) for name in names) else []
    days = max(numbers) > 12 or any(meanings("month", name) for name in down)
    if corner.casefold() == "month" or days:
        return ["day"]
    months = any(name.isdecimal() and int(name) > 12 for name in down)
    return ["month"] if corner.casefold() == "day" or months else ["day", "month"]


def _pivot(
    path: Path, rows: Sequence[tuple[int, list[str]]], across: str, puzzle: Puzzle
) -> Iterator[_Entry]:
    """Yield the entries of a table with a column for each month or day."""
    down = "month" if across == "day" else "day"
    names = [_label(puzzle, across, name) for name in rows[0][1][1:]]
    for line, cells in rows[1:]:
        for name, text in zip(names, cells[1:], strict=True):
            if text not in ("", "-", "\N{EN DASH}"):
                labels = (_label(puzzle, down, cells[0]), name)
                yield _Entry(f"{path}: line {line}, column {name}", labels, text)


def _columns(
    path: Path, rows: Sequence[tuple[int, list[str]]], header: Sequence[str], puzzle: Puzzle
) -> tuple[Iterator[_Entry], str]:
    """Return the entries of a table with a row for each reveal, and its form in words."""
    own = {name.casefold(): name for name in puzzle.categories}
    date_columns = [at for at, name in enumerate(header) if name in DATES]
    label_columns = [
        at for name in own for at, other in enumerate(header) if other == name and not date_columns
    ]
    others = [at for at in range(len(header)) if at not in (*date_columns, *label_columns)]
    numeric = [at for at in others if all(_COUNT.fullmatch(cells[at]) for _, cells in rows[1:])]
    number_columns = (
        [at for at in numeric if header[at] not in (*own, *IGNORED)]
        or [at for at in others if header[at] in COUNT_HEADERS]
        or numeric
    )
    listed = ", ".join(rows[0][1])
    if len(number_columns) > 1:
        both = ", ".join(rows[0][1][at] for at in number_columns)
        raise FormatError(f"{path}: {both} all have numbers; leave out all but those claimed")
    if len(number_columns) != 1:
        raise FormatError(
            f"{path}: it is not clear which of the columns {listed} has the numbers; name that "
            "column tilings"
        )
    if len(date_columns) == 1:
        reveal_columns = date_columns
    elif not date_columns and len(label_columns) == len(own):
        reveal_columns = label_columns
    else:
        wanted = " or ".join(["date", ", ".join(own)] if own else ["tilings"])
        raise FormatError(
            f"{path}: it is not clear which of the columns {listed} name the reveal; name them "
            f"{wanted}"
        )
    (count,) = number_columns
    names = [rows[0][1][at] for at in (*reveal_columns, count)]

    def entries() -> Iterator[_Entry]:
        for line, cells in rows[1:]:
            named = tuple(_label(puzzle, header[at], cells[at]) for at in reveal_columns)
            chosen = cells[reveal_columns[0]] if date_columns else named
            yield _Entry(f"{path}: line {line}", chosen, cells[count])

    return entries(), f"columns {', '.join(names)}"


def _parse_counts(
    entries: Iterator[_Entry], puzzle: Puzzle
) -> tuple[dict[Reveal, int], dict[str, None]]:
    """Return the number of each reveal, and the names of rows that are about the others."""
    counts: dict[Reveal, int] = {}
    left_out: dict[str, None] = {}
    for entry in entries:
        labels = (
            (entry.date_or_labels,)
            if isinstance(entry.date_or_labels, str)
            else entry.date_or_labels
        )
        if sums := [label for label in labels if label.casefold() in SUMMARY_ROWS]:
            left_out[sums[0]] = None
            continue
        if not _COUNT.fullmatch(entry.text):
            raise FormatError(f"{entry.where}: {entry.text!r} is not a number; write digits only")
        count = int(re.sub(r"\D", "", entry.text.removesuffix(".0")))
        try:
            reveal = _reveal(puzzle, entry.date_or_labels)
        except RevealError as error:
            raise FormatError(f"{entry.where}: {error}") from error
        if counts.setdefault(reveal, count) != count:
            raise FormatError(
                f"{entry.where}: {' '.join(reveal)} has {count} here, and {counts[reveal]} above"
            )
    return counts, left_out


def _reveal(puzzle: Puzzle, date_or_labels: str | tuple[str, ...]) -> Reveal:
    """Return the reveal of a date as it is written, or of labels; raise RevealError for neither."""
    if isinstance(date_or_labels, str):
        date_or_labels = re.sub("[ T]00:00:00$", "", date_or_labels)  # as pandas writes dates
        reveal = puzzle.reveal(date_or_labels)
        named = {label.casefold() for label in re.findall(r"\w+", date_or_labels)}
        if "weekday" in puzzle.categories and not _YEAR.search(date_or_labels):
            weekday = reveal[list(puzzle.categories).index("weekday")]
            if weekday.casefold() not in named:
                raise RevealError(f"{date_or_labels!r} has neither a weekday nor a year; add one")
        return reveal
    return puzzle.reveal(date_or_labels)


def _label(puzzle: Puzzle, column: str, text: str) -> str:
    """Return the label that a cell of a column names, in any language, or by its number."""
    parts = puzzle.calendar.parts or {}
    of_category = dict(zip((name.casefold() for name in puzzle.categories), parts, strict=False))
    part = of_category.get(column, column)
    if part == "day" and re.fullmatch(r"\d{1,2}", text):
        return str(int(text))
    if part not in ("month", "weekday") or part not in parts:
        return text
    by_number = part == "month" and re.fullmatch("0?[1-9]|1[0-2]", text)
    if text in puzzle.labels and not by_number:
        return text  # whatever it means elsewhere
    found = [int(text)] if by_number else meanings(part, text)
    return (parts[part][found[0] - 1] or text) if len(found) == 1 else text
