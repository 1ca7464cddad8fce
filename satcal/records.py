"""Records as CSV, JSON or lines of JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence

from satcal.errors import FormatError

STYLES = ("csv", "json", "ndjson")


def written(records: Iterable[Mapping[str, object]], fields: Sequence[str], style: str) -> str:
    """Return records, whose keys are ``fields``, in one of ``STYLES``.

    >>> print(written([{"date": "Oct 6", "tilings": 7}], ["date", "tilings"], "csv"), end="")
    date,tilings
    Oct 6,7
    """
    if style == "json":
        return json.dumps(list(records), indent=1, ensure_ascii=False) + "\n"
    if style == "ndjson":
        return "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in records)
    text = io.StringIO()
    writer = csv.DictWriter(text, fields, lineterminator="\n")
    writer.writeheader()
    writer.writerows(records)
    return text.getvalue()


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
