"""``satcal store``: list, export, import and clear finished counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import click
import cloup

from satcal.cli.output import Writer, writing
from satcal.cli.progress import info
from satcal.cli.words import board_named
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


@cloup.group()
def store() -> None:
    """List, export, import and clear finished counts.

    `satcal count --store FILE` keeps counts in a SQLite file, or in a PostgreSQL database if FILE
    is a URL such as postgresql://me@host/satcal. It does not count again what it finds there.
    """


store_option = cloup.option(
    "--store",
    envvar="SATCAL_STORE",
    metavar="FILE|URL",
    help="Default: a file in your data folder.",
)
board_argument = click.argument("board", required=False)


def open_store_at(where: str | None, create: bool = False) -> closing[Store]:
    """Return the store in a context that closes it; a misspelt name makes none."""
    if where == NONE:
        raise OptionError("--store none: this command needs a store; name one")
    return closing(open_store(where or "", create))


def puzzle_named(board: str | None) -> Puzzle | None:
    """Return the puzzle that a word names, or None without a word."""
    return load(board_named(board) or board) if board else None


@store.command("list")
@board_argument
@store_option
@writing("table", "csv", "json", "ndjson", "markdown")
def list_rows(board: str | None, store: str | None, writer: Writer) -> None:
    """List the stored counts by date, of one BOARD or of all."""
    puzzle = puzzle_named(board)
    with open_store_at(store) as stored:
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
def export(board: str | None, store: str | None, writer: Writer) -> None:
    """Write the stored counts, of one BOARD or of all, sealed for `satcal store import`."""
    puzzle = puzzle_named(board)
    with open_store_at(store) as stored:
        rows = stored.list_rows(puzzle.digest if puzzle else "")
    with writer:
        writer.write(write_export(rows))
    info(f"{len(rows):,} counts")


@store.command("import")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@store_option
def import_rows(files: Sequence[str], store: str | None) -> None:
    """Store the counts of FILEs that `satcal store export` wrote: all of them, or none.

    A file that was changed is refused. A count that contradicts a stored one, or satcal's own
    tables, ends with exit code 1.
    """
    rows = []
    for name in files:
        rows += read_export(read_text(Path(name), "export", MAX_IMPORT), name)
    check_rows(rows)
    with open_store_at(store, create=True) as stored:
        new = stored.import_rows(rows)
    click.echo(f"{new:,} of {len(rows):,} counts are new")


@store.command()
@board_argument
@cloup.option("--all", "clear_all", is_flag=True, help="Remove the counts of all boards.")
@store_option
def clear(board: str | None, clear_all: bool, store: str | None) -> None:
    """Remove the stored counts of a BOARD, or of all boards."""
    puzzle = puzzle_named(board)
    if (puzzle is None) != clear_all:
        raise OptionError("name a board, or pass --all to remove the counts of all boards")
    with open_store_at(store) as stored:
        click.echo(f"{stored.clear(puzzle.digest if puzzle else ''):,} counts removed")


def library_by_digest() -> dict[str, Puzzle]:
    """Return the puzzles of the library by their digests."""
    return {puzzle.digest: puzzle for puzzle in map(load, library())}


def as_records(rows: Sequence[StoredCount], known: Mapping[str, Puzzle]) -> list[dict[str, Any]]:
    """Return rows in the order of boards and dates, with labels in the order of the board."""
    orders = {
        digest: {reveal_key(each): (n, each) for n, each in enumerate(by_date(known[digest]))}
        for digest in {row.puzzle for row in rows} & known.keys()
    }
    records = []
    for row in rows:
        number, reveal = orders.get(row.puzzle, {}).get(row.reveal, (0, (row.reveal,)))
        name = known[row.puzzle].name if row.puzzle in known else row.puzzle[:12]
        values = (name, " ".join(reveal), row.question, row.tilings, row.method, row.counted_at)
        records.append((name, row.question, number, row, dict(zip(FIELDS, values, strict=True))))
    return [record for *_, record in sorted(records, key=lambda record: record[:4])]


def by_date(puzzle: Puzzle) -> list[Reveal]:
    """Return the reveals of a puzzle in the order of the calendar, if it has dates."""
    reveals = list(puzzle.reveals())

    def date(reveal: Reveal) -> tuple[int, ...]:
        at = puzzle.calendar.indices(reveal)
        return at["month"], at["day"], at.get("weekday", 0)

    return reveals if puzzle.calendar.parts is None else sorted(reveals, key=date)


def check_rows(rows: Sequence[StoredCount]) -> None:
    """Compare the rows of an export with the library's puzzles and the shipped tables.

    Raises:
        FormatError: a puzzle has no such reveal.
        Disagreement: a shipped table has another number.
    """
    for digest, puzzle in library_by_digest().items():
        own = [row for row in rows if row.puzzle == digest]
        reveals = {reveal_key(reveal): reveal for reveal in puzzle.reveals()} if own else {}
        shipped = shipped_counts(puzzle) if own else {}
        for row in own:
            reveal = reveals.get(row.reveal)
            if reveal is None:
                raise FormatError(f"nothing was imported; {puzzle.name} has no '{row.reveal}'")
            number = row.tilings if row.question else shipped.get(reveal, row.tilings)
            if number != row.tilings:
                raise Disagreement(
                    f"nothing was imported; {puzzle.name} {' '.join(reveal)}: {row.tilings:,} in "
                    f"the file, and {number:,} in the shipped table"
                )
