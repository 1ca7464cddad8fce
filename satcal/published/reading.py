"""Reading claim files: TOML, one file per source."""

from __future__ import annotations

import datetime
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from decimal import Decimal
from itertools import combinations
from pathlib import Path
from typing import Any, Literal

from satcal.errors import FormatError, SatcalError, did_you_mean
from satcal.files import read_toml
from satcal.published.evaluating import NUMBERS
from satcal.published.sheets import Sheet, read_sheet
from satcal.published.shipped import results_folder
from satcal.published.statements import (
    FOLDS,
    RELATIONS,
    WHOLE_BOARD,
    Bound,
    Item,
    Range,
    Statement,
)
from satcal.published.verdicts import ClaimFile
from satcal.puzzle import when
from satcal.puzzle.calendar import Calendar
from satcal.puzzle.loading import ALIASES, library, load
from satcal.puzzle.model import Puzzle, labels_in
from satcal.puzzle.placed import parse_place

MAX_WORDS = 25  # a quotation, not a copy
MAX_STATEMENTS = 1000
FILE_KEYS = ("source", "where", "year", "statement")  # where and year are for readers
TEXTS = ("quotation", "says", "also", "note", "hedge", "needs")
FACTS = ("board", "quantity", "over", "place", "fold", "relation", "value", "at", "rounding")
KEYS = ("id", *TEXTS, "see", *FACTS)
ROUNDING = ("nearest", "down")
NOT_DEFINED = Puzzle("a board not defined", (), {}, {}, (), Calendar())
"""The board of a statement with ``needs`` that names none, as it is not written down anywhere."""
NO_DAY = datetime.date(2000, 1, 1)  # ranges are always given, so that today plays no part
DATES = re.compile(r"\d{4}(-\d\d)?|.+ to .+")
HOW_MANY = re.compile(r"how-many (==|>=|<=) (\d{1,60})")


def claim_files() -> list[Path]:
    """Return the claim files that come with satcal, sorted by name."""
    return sorted((results_folder() / "published").glob("*.toml"))


def load_claims(path: Path) -> ClaimFile:
    """Return the claims of a file.

    Raises:
        FileTrouble, TooLarge: the file cannot be read.
        FormatError: it is wrong; the text names the statement and the way out.
    """
    table = read_toml(path, "claims", parse_float=Decimal)
    with _at(str(path)):
        check_known("key", table, FILE_KEYS)
        listed = table.get("statement")
        if not isinstance(listed, list) or not 0 < len(listed) <= MAX_STATEMENTS:
            raise FormatError("it has no statement; write a [[statement]] for each")
        if type(year := table.get("year", 0)) is not int:
            raise FormatError(f"year = {year!r} is not a year; write year = 2022")
        statements: dict[str, Statement] = {}
        for number, value in enumerate(listed, start=1):
            with _at(f"statement {number}"):
                if not isinstance(value, dict):
                    raise FormatError("not a table; write it under [[statement]]")
                name = read_text_of(value, "id")
            if name in statements:
                raise FormatError(f"statement {name} is listed twice; rename one of them")
            with _at(f"statement {name}"):
                statements[name] = read_statement(value, path.parent)
        return ClaimFile(str(path), read_text_of(table, "source"), tuple(statements.values()))


def as_claims(path: Path, sheet: Sheet, puzzle: Puzzle) -> ClaimFile:
    """Return the claim that each number of a published table is right."""
    over = Range("reveals", path.name, tuple(sheet.counts))
    says = f"each number of {path.name}"
    statement = Statement("table", puzzle, over=over, value=sheet.counts, says=says)
    return ClaimFile(str(path), path.name, (statement,))


@contextmanager
def _at(where: str) -> Iterator[None]:
    """Name the place in every error."""
    try:
        yield
    except SatcalError as error:
        raise type(error)(f"{where}: {error}") from error


def check_known(noun: str, names: Iterable[str], known: Collection[str]) -> None:
    """Raise FormatError for a name that is not known, with the one that may be meant."""
    for name in names:
        if name not in known:
            hint = did_you_mean(name, known) or f"; the {noun}s are {', '.join(known)}"
            raise FormatError(f"unknown {noun} '{name}'{hint}")


def read_text_of(table: Mapping[str, Any], key: str, default: str | None = None) -> str:
    """Return the text of a key; one without a default must have a text that is not blank."""
    value = table.get(key, default)
    if not isinstance(value, str) or (default is None and not value.strip()):
        missing = "is missing" if value is None else "is not a string"
        raise FormatError(f'{key} {missing}; write {key} = "…"')
    return value


def read_statement(table: Mapping[str, Any], folder: Path) -> Statement:
    """Return a statement; paths are seen from the folder of its file."""
    check_known("key", table, KEYS)
    texts: dict[str, Any] = {key: read_text_of(table, key, "") for key in TEXTS}
    if not texts["quotation"]:
        read_text_of(table, "says")
    for key in ("says", "quotation"):
        if (number := len(texts[key].split())) > MAX_WORDS:
            raise FormatError(f"{key} has {number} words, more than {MAX_WORDS}; shorten it")
    see = tuple(list_of_texts(table, "see", "files"))
    if texts["needs"]:
        board = load(board_path(table["board"], folder)) if "board" in table else NOT_DEFINED
        return Statement(table["id"], board, see=see, **texts)
    board = load(board_path(read_text_of(table, "board"), folder))
    return Statement(table["id"], board, see=see, **texts, **read_fact(table, board, folder))


def read_fact(table: Mapping[str, Any], puzzle: Puzzle, folder: Path) -> dict[str, Any]:
    """Return the fields of a statement that satcal evaluates."""
    quantity = read_text_of(table, "quantity", "tilings")
    check_known("quantity", [quantity], list(dict.fromkeys(name for name, _ in NUMBERS)))
    with _at("value"):
        value = read_value(table.get("value"), puzzle, folder)
    with _at("over"):
        if isinstance(value, Mapping):
            over = range_of_table(table, value)
        else:
            over = read_range(table.get("over", ""), quantity, puzzle)
    kinds = [kind for name, kind in NUMBERS if name == quantity]
    if over.kind not in kinds:
        raise FormatError(f"{quantity} are counted over {' or '.join(kinds)}, not {over.kind}")
    with _at("place"):
        place = parse_place(puzzle, *list_of_texts(table, "place", "placements"))
    if place and (over.kind != "reveals" or quantity == "placements"):
        raise FormatError("place: only tilings and classes are counted with pieces placed")
    fold, having = read_text_of(table, "fold", "each"), None
    if match := HOW_MANY.fullmatch(fold):
        fold, having = "how-many", Bound(match[1], int(match[2]))
    elif fold == "how-many":
        raise FormatError('fold: write which are counted, such as "how-many >= 1"')
    check_known("fold", [fold], FOLDS)
    relation = read_text_of(table, "relation", "==")
    check_known("relation", [relation], RELATIONS)
    check_known("rounding", [rounding := read_text_of(table, "rounding", "nearest")], ROUNDING)
    if isinstance(value, Mapping) and (fold, relation) != ("each", "=="):
        raise FormatError("value: the numbers of a table are claimed one by one; leave out fold")
    at = None
    if "at" in table:
        with _at("at"):
            at = puzzle.check_reveal(labels_in(read_text_of(table, "at")))
        if fold not in ("fewest", "most"):
            raise FormatError("at: only the fewest or the most are at a reveal; leave it out")
    if value is None and at is None and "hedge" not in table:
        raise FormatError("it claims nothing; write value = 7")
    return {
        "quantity": quantity,
        "over": over._replace(place=place),
        "fold": fold,
        "having": having,
        "relation": relation,
        "value": value,
        "at": at,
        "rounding": rounding,
    }


def list_of_texts(table: Mapping[str, Any], key: str, noun: str) -> list[str]:
    """Return the texts of a list, which may be left out."""
    texts = table.get(key, [])
    if not isinstance(texts, list) or not all(isinstance(text, str) and text for text in texts):
        raise FormatError(f'{key} is not a list of {noun}; write {key} = ["…"]')
    return texts


def read_value(
    value: Any, puzzle: Puzzle, folder: Path
) -> int | Decimal | Mapping[Item, int] | None:
    """Return a number, or a table: the name of a file of counts, or a number for each piece."""
    if isinstance(value, str):
        return read_sheet(folder / value, puzzle).counts
    if isinstance(value, dict) and value:
        return {(puzzle.piece(name).name,): natural(number) for name, number in value.items()}
    if isinstance(value, Decimal):
        # a mean of counts has some digits: 1e±999999 would keep the machine busy
        short = value.is_finite() and len(f"{value}") <= 40 and abs(value.adjusted()) <= 40
        if not short or value < 0:
            raise FormatError(f"{value} is not a non-negative number; write one such as 67.3")
        return value
    return None if value is None else natural(value)


def natural(value: Any) -> int:
    """Return a whole number of at least 0."""
    if type(value) is not int or value < 0:
        raise FormatError(f"{value!r} is not a non-negative number; write digits only")
    return value


def range_of_table(table: Mapping[str, Any], claimed: Mapping[Item, int]) -> Range:
    """Return what a claimed table is about: the reveals of a file, or the pieces named."""
    if table.get("over"):
        raise FormatError("the table says what its numbers are about; leave it out")
    kind: Literal["reveals", "pieces"] = "reveals" if isinstance(table["value"], str) else "pieces"
    return Range(kind, "its rows", tuple(claimed))


def read_range(value: Any, quantity: str, puzzle: Puzzle) -> Range:
    """Return what a statement is about."""
    if type(value) in (int, datetime.date):  # a year or a date without quotation marks
        value = str(value)
    if not isinstance(value, str):
        raise FormatError(f'{value!r} is not a range; write it as "all-dates"')
    words = value.strip()
    if words in ("cells", "cells-not-cut-off"):
        return Range("cells", words)
    if words == "placements":
        return Range("placements", words)
    if re.fullmatch(r"pairs|pieces( \S+)*", words):
        return Range("pieces", words, pieces_in(puzzle, words))
    if not words and (quantity, "board") in NUMBERS:
        return WHOLE_BOARD
    if words == "all-reveals":
        return Range("reveals", words, tuple(puzzle.reveals()))
    if words == "all-dates" or DATES.fullmatch(words):
        dates = when.ALL if words == "all-dates" else words
        items = tuple(row.reveal for row in when.rows(puzzle, dates, NO_DAY))
        return Range("reveals", words, items)
    if re.fullmatch(r"\d{4}-\d\d-\d\d", words):
        return Range("reveals", words, (puzzle.reveal(words),))
    return Range("reveals", words, tuple(puzzle.reveals_with(labels_in(words))))


def pieces_in(puzzle: Puzzle, words: str) -> tuple[Item, ...]:
    """Return the items of ``pieces``, ``pairs`` or ``pieces F P``."""
    named = tuple(puzzle.piece(name).name for name in words.split()[1:])
    if len({*named}) < len(named):
        raise FormatError(f"'{words}' names a piece twice; name each once")
    names = [piece.name for piece in puzzle.pieces]
    return (named,) if named else tuple(combinations(names, 2 if words == "pairs" else 1))


def board_path(words: Any, folder: Path) -> str:
    """Return a board; a path is seen from the claim file."""
    if not isinstance(words, str):
        raise FormatError('board is not a string; write board = "…"')
    return words if words in library() or words in ALIASES else str(folder / words)
