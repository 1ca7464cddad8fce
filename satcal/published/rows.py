"""The rows of a published table: JSON, a table in Markdown, or lines split by some separator."""

from __future__ import annotations

import csv
import itertools
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from satcal.tabular import count_of

COUNT = "tilings"
MAX_COLUMNS = 40  # one for each day, and a few more
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


Row = tuple[str, list[str]]
"""The place of a row, such as ``line 3``, and its entries."""
Rows = Sequence[Row]
Line = tuple[str, str]
"""The place of a line, and its text."""


class ReadingError(Exception):
    """An entry that does not fit the role of its column.

    Of several errors, the furthest is reported, with the greatest ``rank``: the number of rows
    before it, and whether the header names the role.
    """

    def __init__(self, text: str, rank: tuple[int, bool] = (0, False)) -> None:
        super().__init__(text)
        self.rank = rank

    def __lt__(self, other: ReadingError) -> bool:
        return self.rank < other.rank


def rows_in_json(text: str) -> list[Row]:
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
        if isinstance(value, dict) and COUNT not in value:
            rows = list(list_leaves(value))
            rows[:0] = [[""] * (len(row) - 1) + [COUNT] for row in rows[:1]]
        records = value if isinstance(value, list) else [value]
        if not rows and all(isinstance(record, dict) for record in records):
            names = list(dict.fromkeys(name for record in records for name in record))
            rows = [names, *([str(record.get(name, "")) for name in names] for record in records)]
    if not rows or {*map(len, rows)} != {len(rows[0])} or not 1 < len(rows[0]) <= MAX_COLUMNS:
        raise ReadingError(
            f'it is not JSON of a table; write {{"Oct 6": 7}}, or a list of {{"date": "Oct 6", '
            f'"{COUNT}": 7}}',
            (1, True),
        )
    return [(f"row {number}", row) for number, row in enumerate(rows)]


def list_leaves(value: Any, keys: tuple[str, ...] = ()) -> Iterator[list[str]]:
    """Yield each number of nested objects, below the names that lead to it."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from list_leaves(part, (*keys, key))
    else:
        yield [*keys, str(value)]


def find_markdown_table(lines: Sequence[Line]) -> Sequence[Line]:
    """Return the lines of the only table in Markdown, or else all lines."""
    rules = [n for n, (_, line) in enumerate(lines) if {"|", "-"} <= {*line} <= {*"|-: \t"}]
    if len(rules) != 1 or not rules[0]:
        return lines
    return list(itertools.takewhile(lambda line: "|" in line[1], lines[rules[0] - 1 :]))


def split_lines(lines: Sequence[Line], separator: str) -> list[Row]:
    """Return the entries of lines; raise ReadingError if lines have different numbers of them."""
    lines = find_markdown_table(lines)
    try:
        split = [(where, SEPARATORS[separator](line)) for where, line in lines]
    except csv.Error as error:  # an entry is too long
        raise ReadingError(str(error)) from error
    rows = [(where, [entry.strip() for entry in entries]) for where, entries in split]
    if separator == "blanks":  # a blank entry stands below the end of a name
        ends = [match.end() for match in re.finditer(r"\S+", lines[0][1])]
        for index, (where, line) in enumerate(lines):
            by_end = {match.end(): match[0] for match in re.finditer(r"\S+", line)}
            if len(by_end) < len(ends) and by_end.keys() <= {*ends}:
                rows[index] = where, [by_end.get(end, "") for end in ends]
    # leave out the line of dashes below a Markdown header, and rows of empty entries
    rows = [row for row in rows if not all(re.fullmatch(":?-*:?", entry) for entry in row[1])]
    for index, (where, entries) in enumerate(rows):
        if len(entries) != len(rows[0][1]):
            raise ReadingError(
                f"{where} has {count_of(len(entries), 'column')} between {separator}, "
                f"{rows[0][0]} has {len(rows[0][1])}; a number with a comma in it needs quotation "
                "marks",
                (index if len(rows[0][1]) > 1 else 0, False),
            )
    if not rows or not 1 < len(rows[0][1]) <= MAX_COLUMNS:
        raise ReadingError(f"it has fewer than 2 columns, or more than {MAX_COLUMNS}")
    return rows
