"""``satcal store``: list, export, import and clear finished counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import click
import cloup

from satcal.cli.output import Writer, writing
from satcal.cli.progress import info
from satcal.cli.words import CommandGroup, board_named
from satcal.errors import Disagreement, FormatError, OptionError
from satcal.files import read_text
from satcal.published.shipped import shipped_counts
from satcal.puzzle.loading import library, load
from satcal.puzzle.model import Puzzle, Reveal
from satcal.store.database import (
    Store,
    StoredCount,
    open_store,
    read_export,
    reveal_key,
    write_export,
)

MAX_IMPORT = 512 * 1024 * 1024
"""Bytes of an export: a million rows are below this."""
NONE = "none"
FIELDS = ("board", "reveal", "place", "tilings", "method", "counted_at")


@cloup.group(cls=CommandGroup)
def store() -> None:
    """List, export, import and clear finished counts.

    `satcal count --store FILE` keeps counts in a SQLite file, or in a PostgreSQL database if FILE
    is a URL such as postgresql://me@host/satcal. It does not count again what it finds there.
    """


store_option = cloup.option(
    "--store",
    "where",
    envvar="SATCAL_STORE",
    default="",
    metavar="FILE|URL",
    show_default=False,
    help="The store; default: $SATCAL_STORE, or a file in your data folder.",
)
board_argument = click.argument("board", required=False)


def open_store_at(where: str, create: bool = False) -> closing[Store]:
    """Return the store in a context that closes it; a misspelt name makes none."""
    if where == NONE:
        raise OptionError("--store none: this command needs a store; name one")
    return closing(open_store(where, create))


def puzzle_named(board: str | None) -> Puzzle | None:
    """Return the puzzle that a word names, or None without a word."""
    return load(board_named(board) or board) if board else None


@store.command("list")
@board_argument
@store_option
@writing("table", "csv", "json", "ndjson", "markdown")
def list_rows(board: str | None, where: str, writer: Writer) -> None:
    """List the stored counts by date, of one BOARD or of all."""
    puzzle = puzzle_named(board)
    with open_store_at(where) as stored:
        rows = stored.list_rows(puzzle.digest if puzzle else "")
    known = {puzzle.digest: puzzle} if puzzle else library_by_digest()
    records = as_records(rows, known)
    with writer:
        writer.records(records, FIELDS)
    info(f"{len(rows):,} counts")


@store.command()
@board_argument
@store_option
@writing("csv")
def export(board: str | None, where: str, writer: Writer) -> None:
    """Write the stored counts, of one BOARD or of all, sealed for `satcal store import`."""
    puzzle = puzzle_named(board)
    with open_store_at(where) as stored:
        rows = stored.list_rows(puzzle.digest if puzzle else "")
    with writer:
        writer.write(write_export(rows))
    info(f"{len(rows):,} counts")


@store.command("import")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@store_option
def import_rows(files: Sequence[str], where: str) -> None:
    """Store the counts of FILEs that `satcal store export` wrote: all of them, or none.

    A file that was changed is refused. A count that contradicts a stored one, or satcal's own
    tables, ends with exit code 1.
    """
    rows = []
    for name in files:
        rows += read_export(read_text(Path(name), "export", MAX_IMPORT), name)
    check_rows(rows)
    with open_store_at(where, create=True) as stored:
        new = stored.import_rows(rows)
    click.echo(f"{new:,} of {len(rows):,} counts are new")


@store.command()
@board_argument
@cloup.option("--all", "clear_all", is_flag=True, help="Remove the counts of all boards.")
@store_option
def clear(board: str | None, clear_all: bool, where: str) -> None:
    """Remove the stored counts of a BOARD, or of all boards."""
    puzzle = puzzle_named(board)
    if (puzzle is None) != clear_all:
        raise OptionError("name a board, or pass --all to remove the counts of all boards")
    with open_store_at(where) as stored:
        click.echo(f"{stored.clear(puzzle.digest if puzzle else ''):,} counts removed")


def library_by_digest() -> dict[str, Puzzle]:
    """Return the puzzles of the library by their digests."""
    return {puzzle.digest: puzzle for puzzle in map(load, library())}


def as_records(rows: Sequence[StoredCount], known: Mapping[str, Puzzle]) -> list[dict[str, Any]]:
    """Return rows in the order of boards and dates, with labels in the order of the board."""
    reveals = {
        digest: {reveal_key(reveal): reveal for reveal in puzzle.reveals()}
        for digest, puzzle in known.items()
        if digest in {row.puzzle for row in rows}
    }
    places = {digest: date_order(known[digest]) for digest in reveals}
    records = []
    for row in rows:
        reveal = reveals.get(row.puzzle, {}).get(row.reveal)
        name = known[row.puzzle].name if row.puzzle in known else row.puzzle[:12]
        text = row.reveal if reveal is None else " ".join(reveal)
        values = (name, text, row.question, row.tilings, row.method, row.counted_at)
        order = () if reveal is None else places[row.puzzle](reveal)
        records.append((name, row.question, order, row, dict(zip(FIELDS, values, strict=True))))
    return [record for *_, record in sorted(records, key=lambda record: record[:4])]


def date_order(puzzle: Puzzle) -> Callable[[Reveal], tuple[int, ...]]:
    """Return a function that gives a reveal's place in the calendar, or else on the board."""
    parts = puzzle.calendar.parts
    if parts is None:
        numbers = {reveal: number for number, reveal in enumerate(puzzle.reveals())}
        return lambda reveal: (numbers[reveal],)
    names = list(parts)

    def order(reveal: Reveal) -> tuple[int, ...]:
        index = {name: parts[name].index(label) for name, label in zip(names, reveal, strict=True)}
        return index["month"], index["day"], index.get("weekday", 0)

    return order


def check_rows(rows: Sequence[StoredCount]) -> None:
    """Compare the rows of an export with the library's puzzles and the shipped tables.

    Raises:
        FormatError: a puzzle has no such reveal.
        Disagreement: a shipped table has another number.
    """
    digests = {row.puzzle for row in rows}
    for digest, puzzle in library_by_digest().items():
        if digest not in digests:
            continue
        reveals = {reveal_key(reveal): reveal for reveal in puzzle.reveals()}
        shipped = shipped_counts(puzzle)
        for row in rows:
            if row.puzzle != digest:
                continue
            reveal = reveals.get(row.reveal)
            if reveal is None:
                raise FormatError(f"nothing was imported; {puzzle.name} has no '{row.reveal}'")
            number = row.tilings if row.question else shipped.get(reveal, row.tilings)
            if number != row.tilings:
                raise Disagreement(
                    f"nothing was imported; {puzzle.name} {' '.join(reveal)}: {row.tilings:,} in "
                    f"the file, and {number:,} in the shipped table"
                )
