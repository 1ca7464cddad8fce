"""Records as CSV, JSON or lines of JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence

from satcal.errors import FormatError

STYLES = ("csv", "json", "ndjson")


def written(records: Iterable[Mapping[str, object]], fields: Sequence[str], style: str) -> str:
    """Records, whose keys are ``fields``, in one of ``STYLES``.

    >>> print(written([{"date": "Oct 6", "tilings": 7}], ["date", "tilings"], "csv"), end="")
    date,tilings
    Oct 6,7
    """
    return "".join(writing(records, fields, style))


def writing(
    records: Iterable[Mapping[str, object]], fields: Sequence[str], style: str
) -> Iterator[str]:
    """Yield the parts of :func:`written`, the first no sooner than the first record comes."""
    if style == "ndjson":
        yield from (json.dumps(record, ensure_ascii=False) + "\n" for record in records)
    elif style == "json":
        before = "["
        for record in records:
            text = json.dumps([record], indent=1, ensure_ascii=False)
            yield before + text.removeprefix("[").removesuffix("\n]")
            before = ","
        yield "[]\n" if before == "[" else "\n]\n"
    else:
        lines = io.StringIO()
        writer = csv.DictWriter(lines, fields, lineterminator="\n")
        writer.writeheader()
        for record in records:
            writer.writerow(record)
            yield _taken(lines)
        yield _taken(lines)


def _taken(lines: io.StringIO) -> str:
    """The text that was written since the last time."""
    text = lines.getvalue()
    lines.seek(0)
    lines.truncate()
    return text


def csv_rows(text: str, where: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a CSV text with their first lines' numbers; or FormatError."""
    lines, number = csv.reader(io.StringIO(text)), 1
    try:
        for row in lines:
            yield number, row
            number = lines.line_num + 1
    except csv.Error as error:
        hint = "is a quotation mark missing, or one too many?"
        raise FormatError(f"{where}: line {number}: not CSV: {error}; {hint}") from error
