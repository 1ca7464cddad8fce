"""The reader of claim files, which are TOML, one file per source."""

from __future__ import annotations

import csv
import datetime
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

from satcal.errors import FormatError, SatcalError, did_you_mean, quote
from satcal.files import read_text, read_toml
from satcal.published.evaluating import COUNTERS
from satcal.published.sheets import MAX_BYTES, ambiguity_error, parse_readings
from satcal.published.shipped import results_folder
from satcal.published.statements import FOLDS, RELATIONS, WHOLE_BOARD, Bound, Item, Range, Statement
from satcal.puzzle.calendar import Calendar
from satcal.puzzle.loading import ALIASES, library, load
from satcal.puzzle.model import Puzzle, labels_in
from satcal.puzzle.normal import find_invisible
from satcal.puzzle.placed import parse_place
from satcal.puzzle.rows import ALL, list_rows

MAX_DIGITS = 40  # of a number
FILE_KEYS = ("source", "where", "year", "statement")  # where and year are for people
TEXTS = ("quotation", "says", "also", "note", "hedge", "needs")
RANGE_KEYS = ("over", "reveal", "date")  # one key by the names that people guess
FACTS = ("board", "quantity", "place", "fold", "relation", "value", "at", "rounding")
KEYS = ("id", *TEXTS, "see", *RANGE_KEYS, *FACTS)
FOLD_NAMES = {"min": "fewest", "max": "most", "average": "mean"}
ROUNDING = ("nearest", "down")
UNDEFINED_BOARD = Puzzle("a board not defined", (), {}, {}, (), Calendar())
"""The board of a statement with ``needs`` that names no board."""
ANY_DAY = datetime.date(2000, 1, 1)  # gives dates without a year one; DATES demands the year
DATES = re.compile(r"\d{4}(-\d\d){0,2}( to \d{4}(-\d\d){0,2})?")
HOW_MANY = re.compile(r"how-many (==|>=|<=) (\d{1,60})")


def claim_files() -> list[Path]:
    """Return the claim files that come with satcal, sorted by name."""
    return sorted((results_folder() / "published").glob("*.toml"))


def recorded_verdicts() -> dict[str, str]:
    """Return the verdicts that are recorded for the statements that come with satcal, by id."""
    text = read_text(results_folder() / "published" / "verdicts.csv", "verdicts")
    return {row["id"]: row["verdict"] for row in csv.DictReader(text.splitlines())}


def load_claims(paths: Iterable[Path]) -> list[Statement]:
    """Return the statements of claim files.

    Raises:
        FileTrouble, TooLarge: a file cannot be read.
        FormatError: a file is not a claim file; the text names the statement and the fault.
    """
    statements: list[Statement] = []
    for path in paths:
        with _locate_errors(str(path)):
            statements += read_claims(path, read_toml(path, "claims", parse_float=Decimal))
    return statements


def read_claims(path: Path, table: Mapping[str, Any]) -> Iterator[Statement]:
    """Yield the statements of a claim file."""
    check_names("key", table, FILE_KEYS)
    source, entries = read_string(table, "source"), table.get("statement")
    if not isinstance(entries, list) or not entries:
        raise FormatError("it has no statement; write a [[statement]] for each")
    names: set[str] = set()
    for number, entry in enumerate(entries, start=1):
        with _locate_errors(f"statement {number}"):
            if not isinstance(entry, dict):
                raise FormatError("not a table; write it under [[statement]]")
            name = read_string(entry, "id")
        with _locate_errors(f"statement {name}"):
            if name in names:
                raise FormatError("its id is listed twice; rename one of them")
            names.add(name)
            yield replace(read_statement(entry, path.parent), source=source, file=path.name)


@contextmanager
def _locate_errors(location: str) -> Iterator[None]:
    """Put the location in the file in front of every error."""
    try:
        yield
    except SatcalError as error:
        raise type(error)(f"{location}: {error}") from error


def check_names(noun: str, names: Iterable[str], known: Collection[str]) -> None:
    """Raise FormatError for an unknown name, with a suggestion."""
    for name in names:
        if name not in known:
            hint = did_you_mean(name, known) or f"; the {noun}s are {', '.join(known)}"
            raise FormatError(f"unknown {noun} '{name}'{hint}")


def read_string(table: Mapping[str, Any], key: str, default: str | None = None) -> str:
    """Return the string of a key; without a default, it must exist and not be blank.

    It has no invisible character, which could change the lines of a report around it.
    """
    value = table.get(key, default)
    if not isinstance(value, str) or (default is None and not value.strip()):
        problem = "is missing" if value is None else "is not a string"
        raise FormatError(f'{key} {problem}; write {key} = "…"')
    if name := find_invisible(value):
        raise FormatError(f"{quote(value)} has the invisible character {name}; delete it")
    return value


def read_statement(entry: Mapping[str, Any], folder: Path) -> Statement:
    """Return a statement; paths are relative to the folder of its file."""
    check_names("key", entry, KEYS)
    texts: dict[str, Any] = {key: read_string(entry, key, "") for key in TEXTS}
    if not texts["quotation"]:
        read_string(entry, "says")
    texts["see"] = tuple(read_strings(entry, "see", "files"))
    if texts["needs"] and "board" not in entry:
        return Statement(entry["id"], UNDEFINED_BOARD, **texts)
    board = read_string(entry, "board")
    puzzle = load(board if board in library() or board in ALIASES else str(folder / board))
    fact = {} if texts["needs"] else read_fact(entry, puzzle, folder)
    return Statement(entry["id"], puzzle, **texts, **fact)


def read_fact(entry: Mapping[str, Any], puzzle: Puzzle, folder: Path) -> dict[str, Any]:
    """Return the fields that satcal evaluates."""
    quantity = read_string(entry, "quantity", "tilings")
    check_names("quantity", [quantity], list(dict.fromkeys(name for name, _ in COUNTERS)))
    with _locate_errors("value"):
        value = read_value(entry.get("value"), puzzle, folder)
    over = read_range(entry, value, puzzle)
    with _locate_errors("place"):
        place = parse_place(puzzle, *read_strings(entry, "place", "placements"))
    if (quantity, over.kind) not in COUNTERS or (place and over.kind == "cells"):
        raise FormatError('over: only tilings are counted over "cells", and without placed pieces')
    if place and quantity == "reveals":
        raise FormatError("place: only tilings and classes are counted with pieces placed")
    fold, having = read_string(entry, "fold", "each"), None
    if match := HOW_MANY.fullmatch(fold):
        fold, having = "how-many", Bound(match[1], int(match[2]))
    elif fold == "how-many":
        raise FormatError('fold: write which are counted, such as "how-many >= 1"')
    words = {
        "fold": FOLD_NAMES.get(fold, fold),
        "relation": read_string(entry, "relation", "=="),
        "rounding": read_string(entry, "rounding", "nearest"),
    }
    for key, known in (("fold", FOLDS), ("relation", RELATIONS), ("rounding", ROUNDING)):
        check_names(key, [words[key]], known)
    is_table = isinstance(value, Mapping)
    is_one = quantity == "reveals" or (over.kind == "reveals" and len(over.items) == 1)
    if words["fold"] == "each" and not (is_one or is_table):
        raise FormatError(f'fold is missing for the numbers of {over}; write fold = "fewest"')
    if is_table and (words["fold"], words["relation"]) != ("each", "=="):
        raise FormatError("value: a table claims each of its numbers; leave out fold and relation")
    at = None
    if "at" in entry:
        with _locate_errors("at"):
            at = puzzle.check_reveal(labels_in(read_string(entry, "at")))
        if words["fold"] not in ("fewest", "most"):
            raise FormatError("at: only the fewest or the most are at a reveal; leave it out")
    if value is None and at is None and "hedge" not in entry:
        raise FormatError("value is missing; write value = 7")
    fact = {"quantity": quantity, "over": over._replace(place=place), "having": having}
    return {**fact, **words, "value": value, "at": at}


def read_strings(table: Mapping[str, Any], key: str, noun: str) -> list[str]:
    """Return the strings of a key, or an empty list without the key."""
    texts = table.get(key, [])
    if not isinstance(texts, list):
        raise FormatError(f'{key} is not a list of {noun}; write {key} = ["…"]')
    return [read_string({key: text}, key) for text in texts]


def read_value(
    value: Any, puzzle: Puzzle, folder: Path
) -> int | Decimal | Mapping[Item, int] | None:
    """Return a number, or the counts of a named file."""
    if isinstance(value, str):
        path = folder / value
        readings = parse_readings(read_text(path, "table", MAX_BYTES), path, puzzle)
        if len(readings) > 1:
            raise ambiguity_error(path, readings, puzzle)
        return readings[0].counts
    # a mean of counts has few digits; 1e±999999 would take too much time
    is_number = type(value) is int or (
        isinstance(value, Decimal)
        and value.is_finite()
        and max(len(f"{value}"), abs(value.adjusted())) <= MAX_DIGITS
    )
    if value is None or (is_number and value >= 0):
        number: int | Decimal | None = value
        return number
    raise FormatError(f"{value} is not a non-negative number; write one such as 7 or 67.3")


def read_range(
    entry: Mapping[str, Any], claimed: int | Decimal | Mapping[Item, int] | None, puzzle: Puzzle
) -> Range:
    """Return the range that a statement is about: that of its key, or the rows of its table."""
    keys = [key for key in RANGE_KEYS if key in entry]
    if isinstance(claimed, Mapping):
        if keys:
            raise FormatError(f"a table itself says what its rows are; leave out {keys[0]}")
        return Range("reveals", "each of its rows", tuple(claimed))
    if len(keys) > 1:
        raise FormatError(f"{keys[0]} and {keys[1]} are one key; leave one out")
    if not keys and puzzle.categories:
        raise FormatError('over is missing; write over = "Oct 6" or over = "all-dates"')
    if not keys:
        return WHOLE_BOARD
    value = entry[keys[0]]
    if type(value) in (int, datetime.date):  # a year or a date without quotation marks
        value = str(value)
    words = read_string({keys[0]: value}, keys[0])
    with _locate_errors(keys[0]):
        return parse_range(words.strip(), puzzle)


def parse_range(words: str, puzzle: Puzzle) -> Range:
    """Return the range that some words name."""
    if words == "cells":
        return Range("cells", words)
    if words == "all-reveals":
        items = tuple(puzzle.reveals())
    elif words == "all-dates" or DATES.fullmatch(words):
        dates = ALL if words == "all-dates" else words
        items = tuple(row.reveal for row in list_rows(puzzle, dates, ANY_DAY))
    else:
        items = tuple(puzzle.reveals_with(labels_in(words)))
    return Range("reveals", words, items)
