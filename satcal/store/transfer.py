"""Rows as CSV or JSON, out of a store and into another one."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Mapping

from satcal.errors import FormatError
from satcal.records import written
from satcal.store.keys import Method
from satcal.store.results import StoredResult

FIELDS = (
    "puzzle", "board", "reveal", "conditions", "method", "encoding", "solver", "options",
    "versions", "tilings", "times", "counted_at",
)  # fmt: skip
_FORMS = {
    "puzzle": re.compile(r"[0-9a-f]{64}"),
    "method": re.compile(r"[a-z]+"),
    "tilings": re.compile(r"0|[1-9]\d{0,59}"),
    "times": re.compile(r"[1-9]\d{0,8}"),
}


def texts(row: StoredResult) -> tuple[str, ...]:
    """Return a row as texts in the order of ``FIELDS``."""
    return (
        row.puzzle, row.name, row.reveal, row.conditions, *row.method.parts,
        str(row.tilings), str(row.times), row.counted_at,
    )  # fmt: skip


def to_text(rows: Iterable[StoredResult], style: str) -> str:
    """Return rows as ``csv``, ``json`` or ``ndjson``; numbers are texts, they have no bound."""
    records = (dict(zip(FIELDS, texts(row), strict=True)) for row in rows)
    return written(records, FIELDS, style)


def from_text(text: str, where: str) -> list[StoredResult]:
    """Return the rows of an exported text, CSV or JSON.

    Raises:
        FormatError: where it is not what an export writes.
    """
    if text.lstrip().startswith("["):
        try:
            records = json.loads(text)
        except json.JSONDecodeError as error:
            raise FormatError(f"{where}: line {error.lineno}: not JSON: {error.msg}") from error
        return [_row(each, f"{where}: entry {n}") for n, each in enumerate(records, start=1)]
    if text.lstrip().startswith("{"):
        found = []
        for number, line in enumerate(text.splitlines(), start=1):
            try:
                found.append(_row(json.loads(line), f"{where}: line {number}"))
            except json.JSONDecodeError as error:
                raise FormatError(f"{where}: line {number}: not JSON: {error.msg}") from error
        return found
    lines = csv.DictReader(io.StringIO(text))
    return [_row(each, f"{where}: line {lines.line_num}") for each in lines]


def _row(given: object, where: str) -> StoredResult:
    if not isinstance(given, Mapping) or set(given) != set(FIELDS):
        raise FormatError(f"{where}: its fields are not {','.join(FIELDS)}; export it anew")
    for name in FIELDS:
        value = given[name]
        if not isinstance(value, str) or "\0" in value:
            raise FormatError(f"{where}: {name} is no text; export it anew")
        if name in _FORMS and not _FORMS[name].fullmatch(value):
            raise FormatError(f"{where}: {name} '{value}' is not as an export writes it")
    method = Method(
        given["method"], given["encoding"], given["solver"], given["options"], given["versions"]
    )
    return StoredResult(
        given["puzzle"], given["board"], given["reveal"], given["conditions"], method,
        int(given["tilings"]), int(given["times"]), given["counted_at"],
    )  # fmt: skip
