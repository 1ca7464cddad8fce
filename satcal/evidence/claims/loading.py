"""Reading claim files: TOML, one file per source; every error names file, statement, way out."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

from satcal.errors import FormatError, SatcalError, did_you_mean
from satcal.evidence.claims.fields import Context, board_path
from satcal.evidence.claims.kinds import KINDS, Kind
from satcal.evidence.claims.model import ClaimFile, Statement
from satcal.evidence.tables import results_folder
from satcal.files import read_toml
from satcal.puzzle.loading import load
from satcal.puzzle.model import Puzzle

MAX_WORDS = 25  # a quotation, not a copy
MAX_STATEMENTS = 1000
_FILE_KEYS = ("source", "where", "year", "statement")
_TEXTS = ("id", "kind", "says", "quotation", "also", "note", "certificate", "see")
_VARIANT = ("board", "pieces", "flip", "faces")


def published() -> list[Path]:
    """Return the claim files that come with satcal, sorted by name."""
    return sorted((results_folder() / "published").glob("*.toml"))


def load_claims(path: Path) -> ClaimFile:
    """Return the claims of a file.

    Raises:
        FormatError: what is wrong, in which statement, and how to mend it.
        FileTrouble, TooLarge: it cannot be read.
    """
    table = read_toml(path, "claims", parse_float=Decimal)
    _known(table, _FILE_KEYS, str(path))
    statements = table.get("statement")
    if not isinstance(statements, list) or not 0 < len(statements) <= MAX_STATEMENTS:
        raise FormatError(f"{path}: it has no statement; write a [[statement]] for each")
    year = table.get("year")
    if year is not None and (isinstance(year, bool) or not isinstance(year, int)):
        raise FormatError(f"{path}: year = {year!r} is not a year; write year = 2022")
    found: dict[str, Statement] = {}
    for number, value in enumerate(statements, start=1):
        statement = _statement(value, number, path)
        if statement.id in found:
            raise FormatError(f"{path}: statement {statement.id} comes twice; rename one of them")
        found[statement.id] = statement
    source = _text(table, "source", str(path))
    where = _text(table, "where", str(path), "")
    return ClaimFile(str(path), source, tuple(found.values()), year, where)


def _known(table: Mapping[str, Any], keys: tuple[str, ...], where: str) -> None:
    for key in table:
        if key not in keys:
            raise FormatError(
                f"{where}: unknown key '{key}'"
                + (did_you_mean(key, keys) or f"; the keys are {', '.join(keys)}")
            )


def _text(table: Mapping[str, Any], key: str, where: str, default: str | None = None) -> str:
    value = table.get(key, default)
    if not isinstance(value, str) or (default is None and not value.strip()):
        missing = "is missing" if value is None else "is not a text"
        raise FormatError(f'{where}: {key} {missing}; write {key} = "…"')
    return value


def _statement(value: Any, number: int, path: Path) -> Statement:
    where = f"{path}: statement {number}"
    if not isinstance(value, dict):
        raise FormatError(f"{where}: not a table; write it under [[statement]]")
    where = f"{path}: statement {_text(value, 'id', where)}"
    name = _text(value, "kind", where)
    kind = KINDS.get(name)
    if kind is None:
        raise FormatError(
            f"{where}: there is no kind '{name}'"
            + (did_you_mean(name, KINDS) or f"; the kinds are {', '.join(KINDS)}")
        )
    _known(value, (*_TEXTS, *_VARIANT, *kind.about, *kind.claimed), where)
    says = _text(value, "says", where)
    quotation = _text(value, "quotation", where, "")
    for key, text in (("says", says), ("quotation", quotation)):
        if len(text.split()) > MAX_WORDS:
            raise FormatError(f"{where}: {key} has more than {MAX_WORDS} words; shorten it")
    puzzle = _puzzle(value, where, path.parent)
    return Statement(
        id=value["id"],
        kind=name,
        says=says,
        puzzle=puzzle,
        fields=_fields(value, kind, Context(puzzle, path.parent), where),
        quotation=quotation,
        also=_text(value, "also", where, ""),
        note=_text(value, "note", where, ""),
        certificate=_text(value, "certificate", where, ""),
        see=_files(value, where),
        faces_unsaid="faces" in value,
    )


def _files(value: Mapping[str, Any], where: str) -> tuple[str, ...]:
    files = value.get("see", [])
    if not isinstance(files, list) or not all(isinstance(file, str) and file for file in files):
        raise FormatError(f'{where}: see is not a list of files; write see = ["claims/8a.svg"]')
    return tuple(files)


def _puzzle(value: Mapping[str, Any], where: str, folder: Path) -> Puzzle:
    board = _text(value, "board", where)
    pieces = _text(value, "pieces", where) if "pieces" in value else None
    flip = _text(value, "flip", where) if "flip" in value else None
    if "faces" in value and (value["faces"] != "unsaid" or flip != "none"):
        raise FormatError(
            f"{where}: faces says that the source does not name the faces of pieces that may not "
            'be turned over; write flip = "none" and faces = "unsaid"'
        )
    try:
        return load(board_path(board, folder), pieces and board_path(pieces, folder), flip)
    except SatcalError as error:
        raise type(error)(f"{where}: {error}") from error


def _fields(
    value: Mapping[str, Any], kind: Kind, context: Context, where: str
) -> Mapping[str, Any]:
    readers = {**kind.about, **kind.claimed}
    for group in kind.needed:
        given = [name for name in group if name in value]
        if not given:
            names = group[0] if len(group) == 1 else f"one of {', '.join(group)}"
            raise FormatError(f"{where}: {names} is missing")
        if len(given) > 1:
            raise FormatError(
                f"{where}: {given[0]} and {given[1]} exclude each other; give one of them"
            )
    found = dict(kind.defaults)
    for name in [name for name in readers if name in value]:
        try:
            found[name] = readers[name](value[name], context)
        except SatcalError as error:
            raise type(error)(f"{where}: {name}: {error}") from error
    return _consistent(found, kind, context, where)


def _consistent(
    found: dict[str, Any], kind: Kind, context: Context, where: str
) -> Mapping[str, Any]:
    """Return the fields; raise FormatError for those that do not go together."""
    if not any(name in found for name in kind.claimed):
        raise FormatError(f"{where}: it claims nothing; give one of {', '.join(kind.claimed)}")
    about = [name for name in ("reveal", "date") if name in found and name in kind.about]
    if len(about) > 1:
        raise FormatError(f"{where}: reveal and date exclude each other; give one of them")
    if "reveal" in kind.about and not about and context.puzzle.categories:
        raise FormatError(f"{where}: reveal is missing: this board leaves labels uncovered")
    if "unit" in found and found["placements"] % found["unit"]:
        raise FormatError(
            f"{where}: placements = {found['placements']} is no multiple of the unit "
            f"{found['unit']}; write the number as it was rounded"
        )
    if "boards" in found and found["winner"] not in found["boards"]:
        raise FormatError(f"{where}: winner '{found['winner']}' is not one of boards; add it")
    return found
