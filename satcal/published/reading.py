"""Reading claim files: TOML, one file per source."""

from __future__ import annotations

import datetime
import inspect
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from decimal import Decimal
from itertools import chain
from pathlib import Path
from typing import Any

from satcal.errors import FormatError, SatcalError, did_you_mean
from satcal.files import read_toml
from satcal.published.kinds import KINDS, Bound
from satcal.published.tables import read_rows, results_folder
from satcal.published.verdicts import ClaimFile, PublishedStatement, claimed_by
from satcal.puzzle.calendar import connect
from satcal.puzzle.loading import ALIASES, library, load
from satcal.puzzle.model import Puzzle
from satcal.puzzle.ranges import Range, labels_in, select

MAX_WORDS = 25  # a quotation, not a copy
MAX_STATEMENTS = 1000
_FILE_KEYS = ("source", "where", "year", "statement")
_TEXTS = ("quotation", "also", "note", "hedge", "certificate")
_KEYS = ("id", "kind", "says", *_TEXTS, "see", "board", "pieces", "flip")
NOT_DEFINED = Puzzle("a board not defined", (), {}, {}, (), connect({}, None))
"""What an open statement is about that names no board: nobody has written it down."""
_NO_DAY = datetime.date(2000, 1, 1)  # ranges are always given, so that today plays no part


def published() -> list[Path]:
    """Return the claim files that come with satcal, sorted by name."""
    return sorted((results_folder() / "published").glob("*.toml"))


def load_claims(path: Path) -> ClaimFile:
    """Return the claims of a file.

    Raises FileTrouble, TooLarge, or FormatError, which says what is wrong, in which
    statement, and how to mend it.
    """
    table = read_toml(path, "claims", parse_float=Decimal)
    with _at(str(path)):
        _check_known("key", table, _FILE_KEYS)
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
                raise FormatError(f"statement {name} comes twice; rename one of them")
            with _at(f"statement {name}"):
                statements[name] = _statement(value, path.parent)
        return ClaimFile(str(path), _text(table, "source"), tuple(statements.values()))


@contextmanager
def _at(where: str) -> Iterator[None]:
    """Say in every error where it is."""
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
        missing = "is missing" if value is None else "is not a text"
        raise FormatError(f'{key} {missing}; write {key} = "…"')
    return value


def _statement(table: Mapping[str, Any], folder: Path) -> PublishedStatement:
    kind = _text(table, "kind")
    _check_known("kind", [kind], KINDS)
    needed, optional = _arguments(kind)
    _check_known("key", table, [*_KEYS, *chain.from_iterable(needed), *optional])
    texts = {"says": _text(table, "says")} | {key: _text(table, key, "") for key in _TEXTS}
    for key in ("says", "quotation"):
        if (number := len(texts[key].split())) > MAX_WORDS:
            raise FormatError(f"{key} has {number} words, more than {MAX_WORDS}; shorten it")
    see = table.get("see", [])
    if not isinstance(see, list) or not all(isinstance(file, str) and file for file in see):
        raise FormatError('see is not a list of files; write see = ["claims/8a.svg"]')
    pieces, flip = (_text(table, key) if key in table else None for key in ("pieces", "flip"))
    puzzle = NOT_DEFINED
    if "board" in table or kind != "open":
        board = _board_path(_text(table, "board"), folder)
        puzzle = load(board, pieces and _board_path(pieces, folder), flip)
    fields = _fields(table, kind, puzzle, folder)
    return PublishedStatement(
        table["id"], kind, puzzle=puzzle, fields=fields, see=tuple(see), **texts
    )


def _board_path(text: str, folder: Path) -> str:
    """Return a board or piece set; a path is seen from the claim file."""
    return text if text in library() or text in ALIASES else str(folder / text)


def _arguments(kind: str) -> tuple[list[tuple[str, ...]], list[str]]:
    """Return the fields of a kind: of each tuple exactly one is needed; those that are optional.

    They are the parameters of its function; a bound is one of three fields, and the reveal of
    ``count`` may be a date.
    """
    needed: list[tuple[str, ...]] = []
    optional = ["date"] if kind == "count" else []
    for name, each in list(inspect.signature(KINDS[kind]).parameters.items())[1:]:
        if name == "bound":
            needed.append(("tilings" if kind == "count" else "exactly", "at_least", "at_most"))
        elif each.default is each.empty:
            needed.append((name,))
        else:
            optional.append(name)
    return needed, optional


def _fields(table: Mapping[str, Any], kind: str, puzzle: Puzzle, folder: Path) -> dict[str, Any]:
    """Return the arguments for the function of a kind."""
    needed, optional = _arguments(kind)
    fields: dict[str, Any] = {}
    for names in [*needed, *((name,) for name in optional if name in table)]:
        given = [name for name in names if name in table]
        if not given:
            missing = names[0] if len(names) == 1 else f"one of {', '.join(names)}"
            raise FormatError(f"{missing} is missing")
        if len(given) > 1:
            raise FormatError(f"{given[0]} and {given[1]} exclude each other; give one of them")
        (name,) = given
        with _at(name):
            asked = "mean" if (kind, name) == ("mean", "tilings") else name
            value = _value(asked, table[name], puzzle, folder)
        fields |= {name: value} if len(names) == 1 else {"bound": Bound(name, value)}
    claimed = claimed_by(kind)
    if "hedge" not in table and not any(name in fields for name in claimed):
        raise FormatError(f"it claims nothing; give one of {', '.join(claimed)}")
    if "date" in fields:
        if "reveal" in fields:
            raise FormatError("reveal and date exclude each other; give one of them")
        fields["reveal"] = fields.pop("date")
    if kind in ("count", "up-to-symmetry") and puzzle.categories and "reveal" not in fields:
        raise FormatError("reveal is missing: this board leaves labels uncovered")
    if fields.get("placements", 0) % fields.get("unit", 1):
        raise FormatError(
            f"placements = {fields['placements']} is no multiple of the unit {fields['unit']}; "
            "write the number as it was rounded"
        )
    if "boards" in fields and fields["winner"] not in fields["boards"]:
        raise FormatError(f"winner '{fields['winner']}' is not one of boards; add it")
    return fields


def _value(name: str, value: Any, puzzle: Puzzle, folder: Path) -> Any:
    """Return the value of a field as the functions of the kinds want it."""
    match name:
        case "boards":
            texts = value if isinstance(value, list) else []
            if len(texts) < 2 or not all(isinstance(text, str) for text in texts):
                raise FormatError('write at least two boards, such as ["rhombus", "weekday"]')
            return {text: load(_board_path(text, folder)) for text in texts}
        case "cut_off":
            if isinstance(value, bool):
                return value
            raise FormatError(f"{value!r} is neither true nor false; write one of them")
        case "date":
            if type(value) not in (str, datetime.date):
                raise FormatError(f"{value!r} is not a date; write it as 2025-12-25")
            return puzzle.reveal(value)
        case "file":
            if not isinstance(value, str):
                raise FormatError(f'{value!r} is not a file name; write it as "counts.csv"')
            rows = read_rows(folder / value, puzzle)
            counts = {reveal: tilings for _, reveal, tilings, _ in rows}
            if not counts:
                raise FormatError(f"{folder / value}: it has no row")
            return counts
        case "mean":
            return _decimal(value)
        case "named":
            if not isinstance(value, list) or len({*map(str, value)}) != len(value) or not value:
                raise FormatError(f'{value!r} is no list of pieces; write such as ["F", "P"]')
            return tuple(puzzle.piece(str(each)).name for each in value)
        case "needs" | "winner" | "reveal":
            if not isinstance(value, str) or not value.strip():
                raise FormatError(f"{value!r} is not a text; write one in quotation marks")
            return puzzle.check_reveal(labels_in(value)) if name == "reveal" else value
        case "per_piece":
            if not isinstance(value, dict) or not value:
                raise FormatError("write a number for each piece, such as { O = 48, P = 196 }")
            return {puzzle.piece(piece).name: _whole(each) for piece, each in value.items()}
        case "range":
            if type(value) is int:  # a year without quotation marks
                value = str(value)
            if not isinstance(value, str):
                raise FormatError(f'{value!r} is not a range; write it as "all-dates"')
            return tuple(row.reveal for row in select(puzzle, _range(value.strip()), _NO_DAY))
        case "rounding":
            if value in ("nearest", "down"):
                return value
            raise FormatError(f"{value!r} is no way to round; use nearest or down")
        case "together":
            if value not in (1, 2):
                raise FormatError(f"{value!r} is not 1 or 2 pieces; name those of more by named")
        case "unit":
            if _whole(value) == 0:
                raise FormatError("0 is no unit; write 100 for a number in hundreds")
    return _whole(value)


def _whole(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise FormatError(f"{value!r} is not a whole number of at least 0; write digits only")
    return value


def _decimal(value: Any) -> Decimal:
    decimal = Decimal(value) if type(value) in (int, Decimal) else Decimal("nan")
    # a mean of counts has some digits: 1e±999999 would keep the machine busy
    short = decimal.is_finite() and len(f"{value}") <= 40 and abs(decimal.adjusted()) <= 40
    if not short or decimal < 0:
        raise FormatError(f"{value} is not a number of at least 0; write it as 67.3")
    return decimal


def _range(text: str) -> Range:
    first, separator, last = text.partition(" to ")
    if separator:
        return Range(start=first, end=last)
    if text in ("all-reveals", "all-dates"):
        return Range(all_reveals=text == "all-reveals", all_dates=text == "all-dates")
    if re.fullmatch(r"\d{4}(-\d\d)?", text):
        return Range(date=text)
    raise FormatError(
        f"'{text}' is not a range; use all-reveals, all-dates, a year as 2025, a month as 2025-02, "
        "or 2025-07-25 to 2025-12-25"
    )
