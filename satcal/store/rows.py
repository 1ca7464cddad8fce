"""Rows of results: seals, contradictions, and texts out of a store and into it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Row, Select, func, select

from satcal.errors import FormatError
from satcal.records import csv_rows, written
from satcal.store import schema
from satcal.store.keys import MethodKey

_NOT_KEPT = re.compile("[\0\ud800-\udfff]")  # by any database
_FORMS = {
    "puzzle": re.compile(r"[0-9a-f]{64}"),
    "method": re.compile(r"[a-z]+"),
    "tilings": re.compile(r"0|[1-9]\d{0,59}"),
    "times": re.compile(r"[1-9]\d{0,8}"),
}
DIGITS = 64  # of a digest
_R, _M, _P = schema.result.c, schema.method.c, schema.puzzle.c


class StoredResult(NamedTuple):
    """One row: a number of tilings, of what, by whom, how often and when it was counted."""

    puzzle: str
    board: str
    reveal: str
    conditions: str
    method: str
    encoding: str
    solver: str
    options: str
    versions: str
    tilings: int
    times: int
    counted_at: str

    @property
    def question(self) -> tuple[str, str, str]:
        """What was counted, whoever did it."""
        return self.puzzle, self.conditions, self.reveal

    @property
    def by(self) -> MethodKey:
        """Who counted."""
        return MethodKey._make(self[4:9])

    def seal(self) -> str:
        """The seal that proves this row undamaged."""
        return schema.seal(*self.question, *self.by, self.tilings)


FIELDS = StoredResult._fields


def contradictions(rows: Iterable[StoredResult]) -> list[str]:
    """Where rows have different numbers for one question, in words."""
    answers: dict[tuple[str, str, str], list[StoredResult]] = {}
    for row in rows:
        answers.setdefault(row.question, []).append(row)
    listed = []
    for same in answers.values():
        if len({row.tilings for row in same}) > 1:
            first = same[0]
            what = f"{first.board or first.puzzle[:12]} {first.reveal or 'the board'}"
            given = f" with {first.conditions}" if first.conditions else ""
            numbers = ", ".join(f"{row.tilings:,} by {row.by}" for row in same)
            listed.append(f"{what}{given}: {numbers}")
    return listed


@dataclass(frozen=True)
class Filter:
    """Which rows: a digest or its start, a reveal's key, a method or its name, conditions."""

    puzzle: str = ""
    reveal: str | None = None
    method: MethodKey | str | None = None
    conditions: str | None = None

    def clauses(self) -> list[ColumnElement[bool]]:
        """The conditions on the tables of results and methods."""
        equal: dict[Any, str | None] = {_R.reveal: self.reveal, _R.conditions: self.conditions}
        if isinstance(self.method, MethodKey):
            equal |= {_M[name]: text for name, text in self.method._asdict().items()}
        else:
            equal[_M.name] = self.method
        start = []
        if len(self.puzzle) == DIGITS:  # only an equal text is looked up in the index
            equal[_R.puzzle] = self.puzzle
        elif self.puzzle:
            start = [_R.puzzle.startswith(self.puzzle, autoescape=True)]
        return start + [column == text for column, text in equal.items() if text is not None]


EVERYTHING = Filter()
JOINED: Select[Any] = (
    select(
        *(_R.id, _R.seal, _R.puzzle, func.coalesce(_P.name, ""), _R.reveal, _R.conditions),
        *(_M[name] for name in MethodKey._fields),
        *(_R.tilings, _R.times, _R.counted_at),
    )
    .join(schema.method, _R.method == _M.id)
    .outerjoin(schema.puzzle, _R.puzzle == _P.digest)
    .order_by(_R.puzzle, _R.conditions, _R.reveal, _M.name, _R.id)
)


def believed(rows: Iterable[Row[Any]]) -> tuple[dict[int, StoredResult], list[int]]:
    """The rows of ``JOINED`` that can be believed, by number, and the others' numbers."""
    good: dict[int, StoredResult] = {}
    bad: list[int] = []
    for number, seal, *fields in map(tuple, rows):
        row = StoredResult._make(fields)  # whose tilings are digits
        if seal == row.seal() and isinstance(row.times, int):
            good[number] = row._replace(tilings=int(row.tilings))
        else:
            bad.append(number)
    return good, bad


def to_text(rows: Iterable[StoredResult], style: str) -> str:
    """Rows as ``csv``, ``json`` or ``ndjson``, with numbers as texts."""
    return written((dict(zip(FIELDS, map(str, row), strict=True)) for row in rows), FIELDS, style)


def from_text(text: str, where: str) -> list[StoredResult]:
    """The rows of an exported text; raises FormatError for any other."""
    rows = [_row(record, f"{where}: {place}") for place, record in _records(text, where)]
    if not rows and text.strip() not in ("", "[]", ",".join(FIELDS)):
        raise FormatError(
            f"{where}: not an export of a satcal store; write one with satcal store export"
        )
    return rows


def _records(text: str, where: str) -> Iterator[tuple[str, Any]]:
    """Yield the records of a text, each with its place."""
    first = text.lstrip()[:1]
    if first == "[":
        for number, record in enumerate(_json(text, where, 1), start=1):
            yield f"entry {number}", record
    elif first == "{":
        for number, line in enumerate(text.rstrip("\n").split("\n"), start=1):
            yield f"line {number}", _json(line, where, number)
    else:
        rows = ((number, cells) for number, cells in csv_rows(text, where) if cells)
        _, header = next(rows, (1, []))
        for number, cells in rows:
            fits = len(cells) == len(header)
            yield f"line {number}", dict(zip(header, cells, strict=True)) if fits else {}


def _json(text: str, where: str, first: int) -> Any:
    """The value of a JSON text; ``first`` is the number of its first line."""
    try:
        # numbers are refused later, however many digits they have: an export writes texts
        return json.loads(text, parse_int=float)
    except json.JSONDecodeError as error:
        line = first + error.lineno - 1
        raise FormatError(f"{where}: line {line}: not JSON: {error.msg}") from error
    except RecursionError as error:
        raise FormatError(
            f"{where}: from line {first} on: not JSON: nested too deeply; export it again"
        ) from error


def _row(record: Any, where: str) -> StoredResult:
    if not isinstance(record, dict) or set(record) != set(FIELDS):
        raise FormatError(f"{where}: its fields are not {','.join(FIELDS)}; export it again")
    for field in FIELDS:
        value = record[field]
        if not isinstance(value, str) or _NOT_KEPT.search(value):
            raise FormatError(f"{where}: {field} is not a string; export it again")
        if field in _FORMS and not _FORMS[field].fullmatch(value):
            raise FormatError(f"{where}: {field} '{value}' is not as an export writes it")
    return StoredResult(**record | {name: int(record[name]) for name in ("tilings", "times")})
