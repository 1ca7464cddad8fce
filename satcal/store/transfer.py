"""Rows as CSV or JSON, out of a store and into another one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from satcal.errors import FormatError
from satcal.records import csv_rows, written
from satcal.store.keys import Method
from satcal.store.results import StoredResult

FIELDS = (
    "puzzle", "board", "reveal", "conditions", "method", "encoding", "solver", "options",
    "versions", "tilings", "times", "counted_at",
)  # fmt: skip
_NOT_KEPT = re.compile("[\0\ud800-\udfff]")  # by any database
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
    first = text.lstrip()[:1]
    if first == "[":
        entries = enumerate(_json(text, where, 1), start=1)
        return [_row(each, f"{where}: entry {number}") for number, each in entries]
    if first == "{":
        lines = enumerate(text.splitlines(), start=1)
        return [_row(_json(line, where, n), f"{where}: line {n}") for n, line in lines]
    rows = ((n, cells) for n, cells in csv_rows(text, where) if cells)  # no empty lines
    _, header = next(rows, (1, []))
    return [_row(_named(header, cells), f"{where}: line {n}") for n, cells in rows]


def _named(header: Sequence[str], cells: Sequence[str]) -> dict[str, str]:
    """Return a line's fields by name; none where they are too few or too many."""
    return dict(zip(header, cells, strict=True)) if len(header) == len(cells) else {}


def _json(text: str, where: str, first: int) -> Any:
    """Return what a JSON text says; ``first`` is the number of its first line."""
    try:
        # an export writes numbers as texts: here they are refused, however many digits they have
        return json.loads(text, parse_int=float)
    except json.JSONDecodeError as error:
        line = first + error.lineno - 1
        raise FormatError(f"{where}: line {line}: not JSON: {error.msg}") from error
    except RecursionError as error:
        raise FormatError(
            f"{where}: from line {first} on: not JSON: nested too deeply; export it anew"
        ) from error


def _row(given: object, where: str) -> StoredResult:
    if not isinstance(given, Mapping) or set(given) != set(FIELDS):
        raise FormatError(f"{where}: its fields are not {','.join(FIELDS)}; export it anew")
    for name in FIELDS:
        value = given[name]
        if not isinstance(value, str) or _NOT_KEPT.search(value):
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
