"""Records as CSV, JSON, lines of JSON, Markdown, or an aligned table.

A record is a mapping from field names to values. The renderers yield text; all but aligned tables
and Markdown yield it record by record.

>>> record = {"date": "Oct 6", "tilings": 1007}
>>> for style in ("csv", "ndjson", "table"):
...     print("".join(RENDER[style]([record], ["date", "tilings"])), end="")
date,tilings
Oct 6,1007
{"date": "Oct 6", "tilings": 1007}
date   tilings
Oct 6    1,007
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from unicodedata import combining, east_asian_width

FORMATS = ("table", "csv", "json", "ndjson", "markdown")
MAX_NAMED = 3  # names in a list, such as dates with the same count
Record = Mapping[str, object]


def as_csv(records: Iterable[Record], fields: Sequence[str]) -> Iterator[str]:
    """Yield the header and the rows as CSV."""
    lines = io.StringIO()
    writer = csv.DictWriter(lines, fields, restval="", lineterminator="\n")
    writer.writeheader()  # it is yielded with the first record, because that may raise an error
    for record in records:
        row = {name: record.get(name) for name in fields}
        writer.writerow({k: v if isinstance(v, (str, int)) else flatten(v) for k, v in row.items()})
        yield lines.getvalue()
        lines.seek(0)
        lines.truncate()
    yield lines.getvalue()


def as_lines(records: Iterable[Record], fields: Sequence[str]) -> Iterator[str]:
    """Yield a line of JSON for each record."""
    yield from (json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def as_json(records: Iterable[Record], fields: Sequence[str]) -> Iterator[str]:
    """Yield the parts of a JSON list."""
    separator = "["
    for record in records:
        text = json.dumps([record], indent=1, ensure_ascii=False)
        yield separator + text.removeprefix("[").removesuffix("\n]")
        separator = ","
    yield "[]\n" if separator == "[" else "\n]\n"


def as_markdown(records: Iterable[Record], fields: Sequence[str]) -> Iterator[str]:
    """Yield a table in Markdown, with numbers aligned right."""
    rows, numeric = to_cells(list(records), fields)
    head, *lines = ("| " + " | ".join(c.replace("|", r"\|") for c in row) + " |\n" for row in rows)
    rule = "|" + "".join("--:|" if right else "---|" for right in numeric) + "\n"
    yield "".join([head, rule, *lines])


def as_table(records: Iterable[Record], fields: Sequence[str]) -> Iterator[str]:
    """Yield an aligned table, with numbers aligned right."""
    yield align(*to_cells(list(records), fields))


RENDER: Mapping[str, Callable[[Iterable[Record], Sequence[str]], Iterator[str]]] = {
    "table": as_table,
    "csv": as_csv,
    "json": as_json,
    "ndjson": as_lines,
    "markdown": as_markdown,
}
"""The renderers; except in JSON, a list is written as words, and a mapping as JSON."""


def align(rows: Sequence[Sequence[str]], right: Sequence[bool]) -> str:
    """Return rows in aligned columns; ``right`` says which columns are aligned right.

    >>> print(align([["piece", "cells"], ["N", "5"]], [False, True]), end="")
    piece  cells
    N          5
    """
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        line = []
        for cell, column_width, is_right in zip(row, widths, right, strict=True):
            padding = " " * (column_width - width(cell))
            line.append(padding + cell if is_right else cell + padding)
        lines.append("  ".join(line).rstrip() + "\n")
    return "".join(lines)


def width(text: str) -> int:
    """Return the number of columns of a text on a terminal."""
    if text.isascii():
        return len(text)
    return sum(0 if combining(c) else 1 + (east_asian_width(c) in "WF") for c in text)


def to_cells(
    records: Sequence[Record], fields: Sequence[str]
) -> tuple[list[list[str]], list[bool]]:
    """Return the header and the rows as strings, and which columns have numbers."""
    rows = [[format_value(record.get(name)) for name in fields] for record in records]
    numeric = [
        any(is_number(record.get(name)) for record in records)
        and all(is_number(record.get(name)) or record.get(name) is None for record in records)
        for name in fields
    ]
    return [list(fields), *rows], numeric


def is_number(value: object) -> bool:
    """Return whether a value is a number, but not a bool."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def format_value(value: object) -> str:
    """Return a value as text: 1,007, yes, or "" for None."""
    if isinstance(value, bool) or value is None:
        return "" if value is None else "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int) else str(flatten(value))


def flatten(value: object) -> object:
    """Return a value for a cell: a list as words, a mapping as JSON."""
    if isinstance(value, (list, tuple)) and all(isinstance(part, str) for part in value):
        return " ".join(value)
    is_nested = isinstance(value, (list, tuple, Mapping))
    return json.dumps(value, ensure_ascii=False) if is_nested else value


def count_of(number: int, noun: str) -> str:
    """Return a number and its noun: ``1 tiling``, ``2 tilings``, ``1,458 tilings``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def some_of(names: Sequence[str], limit: int = MAX_NAMED) -> str:
    """Return the first names, and the number of other names.

    >>> some_of(["Mon", "Thu"]), some_of(["Mon", "Tue", "Wed", "Thu"])
    ('Mon, Thu', 'Mon, Tue, Wed and 1 more')
    """
    text = ", ".join(names[:limit])
    return f"{text} and {len(names) - limit:,} more" if len(names) > limit else text
