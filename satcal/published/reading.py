"""Reading claim files: TOML, one file per source."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import MISSING, fields
from decimal import Decimal
from itertools import chain
from pathlib import Path
from typing import Any

from satcal.errors import FormatError, SatcalError, did_you_mean
from satcal.files import read_toml
from satcal.published.fields import Context, board_path, readers_of
from satcal.published.kinds import KINDS, Claim, TableClaim
from satcal.published.sheets import Sheet
from satcal.published.shipped import results_folder
from satcal.published.verdicts import ClaimFile, PublishedStatement
from satcal.puzzle.calendar import Calendar
from satcal.puzzle.loading import load
from satcal.puzzle.model import Puzzle

MAX_WORDS = 25  # a quotation, not a copy
MAX_STATEMENTS = 1000
FILE_KEYS = ("source", "where", "year", "statement")  # where and year are for readers
_TEXTS = ("quotation", "also", "note", "hedge", "certificate")
KEYS = ("id", "kind", "says", *_TEXTS, "see", "board")
NOT_DEFINED = Puzzle("a board not defined", (), {}, {}, (), Calendar())
"""The board of an open statement that names none, because it is not written down anywhere."""


def published() -> list[Path]:
    """Return the claim files that come with satcal, sorted by name."""
    return sorted((results_folder() / "published").glob("*.toml"))


def load_claims(path: Path) -> ClaimFile:
    """Return the claims of a file.

    Raises:
        FileTrouble, TooLarge: the file cannot be read.
        FormatError: it is wrong; the text names the statement and the way out.
    """
    try:
        table = read_toml(path, "claims", parse_float=Decimal)
    except FormatError as error:
        if path.suffix == ".toml":
            raise
        way_out = "a table is FILE.csv, a claim file FILE.toml"
        raise FormatError(f"{error}; {way_out}") from error
    with _at(str(path)):
        _check_known("key", table, FILE_KEYS)
        listed = table.get("statement")
        if not isinstance(listed, list) or not 0 < len(listed) <= MAX_STATEMENTS:
            raise FormatError("it has no statement; write a [[statement]] for each")
        if type(year := table.get("year", 0)) is not int:
            raise FormatError(f"year = {year!r} is not a year; write year = 2022")
        statements: dict[str, PublishedStatement] = {}
        for number, value in enumerate(listed, start=1):
            with _at(f"statement {number}"):
                if not isinstance(value, dict):
                    raise FormatError("not a table; write it under [[statement]]")
                name = _text(value, "id")
            if name in statements:
                raise FormatError(f"statement {name} is listed twice; rename one of them")
            with _at(f"statement {name}"):
                statements[name] = _statement(value, path.parent)
        return ClaimFile(str(path), _text(table, "source"), tuple(statements.values()))


def as_claims(path: Path, sheet: Sheet, puzzle: Puzzle) -> ClaimFile:
    """Return the claim that each number of a published table is right."""
    says = f"each number of {path.name}"
    statement = PublishedStatement("table", says, puzzle, TableClaim(file=sheet.counts))
    return ClaimFile(str(path), path.name, (statement,))


@contextmanager
def _at(where: str) -> Iterator[None]:
    """Name the place in every error."""
    try:
        yield
    except SatcalError as error:
        raise type(error)(f"{where}: {error}") from error


def _check_known(noun: str, names: Iterable[str], known: Collection[str]) -> None:
    for name in names:
        if name not in known:
            hint = did_you_mean(name, known) or f"; the {noun}s are {', '.join(known)}"
            raise FormatError(f"unknown {noun} '{name}'{hint}")


def _text(table: Mapping[str, Any], key: str, default: str | None = None) -> str:
    value = table.get(key, default)
    if not isinstance(value, str) or (default is None and not value.strip()):
        missing = "is missing" if value is None else "is not a string"
        raise FormatError(f'{key} {missing}; write {key} = "…"')
    return value


def _statement(table: Mapping[str, Any], folder: Path) -> PublishedStatement:
    kind = _text(table, "kind")
    _check_known("kind", [kind], KINDS)
    words = chain.from_iterable(map(readers_of, fields(KINDS[kind])))
    _check_known("key", table, [*KEYS, *words])
    texts = {"says": _text(table, "says")} | {key: _text(table, key, "") for key in _TEXTS}
    for key in ("says", "quotation"):
        if (number := len(texts[key].split())) > MAX_WORDS:
            raise FormatError(f"{key} has {number} words, more than {MAX_WORDS}; shorten it")
    see = table.get("see", [])
    if not isinstance(see, list) or not all(isinstance(file, str) and file for file in see):
        raise FormatError('see is not a list of files; write see = ["claims/8a.svg"]')
    puzzle = NOT_DEFINED
    if "board" in table or kind != "open":
        puzzle = load(board_path(_text(table, "board"), folder))
    claim = _claim(table, KINDS[kind], Context(puzzle, folder))
    return PublishedStatement(table["id"], puzzle=puzzle, claim=claim, see=tuple(see), **texts)


def _claim(table: Mapping[str, Any], kind: type[Claim], context: Context) -> Claim:
    """Return the claim of a statement of a kind."""
    values: dict[str, Any] = {}
    for field in fields(kind):
        readers = readers_of(field)
        match [name for name in readers if name in table]:
            case []:
                if field.default is MISSING:
                    one_of = "" if len(readers) == 1 else "one of "
                    raise FormatError(f"{one_of}{', '.join(readers)} is missing")
            case [name]:
                with _at(name):
                    values[field.name] = readers[name](table[name], context)
            case [first, second, *_]:
                raise FormatError(f"{first} and {second} exclude each other; give one of them")
    claimable = kind.claim_field_names()
    if "hedge" not in table and values.keys().isdisjoint(claimable):
        raise FormatError(f"it claims nothing; give one of {', '.join(claimable)}")
    claim = kind(**values)
    claim.check_fields(context.puzzle)
    return claim
