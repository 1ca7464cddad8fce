"""``satcal store``: list, export, import and clear finished counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import click

from satcal.cli.options import Command
from satcal.cli.output import Writer, add_output, info
from satcal.cli.words import find_board
from satcal.errors import Disagreement, FormatError, OptionError
from satcal.files import read_text
from satcal.published.shipped import shipped_counts
from satcal.puzzle.loading import library, load
from satcal.puzzle.model import Puzzle
from satcal.store.counts import StoredCount, read_export, reveal_key, write_export
from satcal.store.opening import Store, open_store
from satcal.tabular import FORMATS, count_of

MAX_IMPORT = 512 * 1024 * 1024
"""Limit on the bytes of an export; a million rows have fewer."""
NONE = "none"
FIELDS = ("board", "reveal", "place", "tilings", "method", "counted_at")


@click.group()
def store() -> None:
    """List, export, import and clear finished counts.

    `satcal count --store FILE` keeps counts in a SQLite file, or in a PostgreSQL database if FILE
    is a URL such as postgresql://me@host/satcal. It does not count again what it finds there.
    """


store_option = click.option(
    "--store",
    envvar="SATCAL_STORE",
    metavar="FILE|URL",
    help="Default: a file in your data folder.",
)
board_argument = click.argument("board", required=False)


def open_store_at(location: str | None, create: bool = False) -> closing[Store]:
    """Open a store in a context that closes it; it must exist, unless ``create`` is true."""
    if location == NONE:
        raise OptionError("--store none: this command needs a store; name one")
    return closing(open_store(location or "", create))


def load_board(board: str | None) -> Puzzle | None:
    """Load the puzzle with a name or path; return None without a name."""
    return load(find_board(board) or board) if board else None


@store.command("list", cls=Command)
@board_argument
@store_option
@add_output(*FORMATS)
def list_rows(board: str | None, store: str | None, writer: Writer) -> None:
    """List the stored counts, of one BOARD or of all."""
    puzzle = load_board(board)
    with open_store_at(store) as stored:
        rows = stored.list_rows(puzzle.digest if puzzle else "")
    puzzles = {puzzle.digest: puzzle} if puzzle else load_library()
    with writer:
        writer.write_records(to_records(rows, puzzles), FIELDS)
    info(count_of(len(rows), "count"))


@store.command(cls=Command)
@board_argument
@store_option
@add_output("csv")
def export(board: str | None, store: str | None, writer: Writer) -> None:
    """Write the stored counts, of one BOARD or of all.

    The file ends with a digest, with which `satcal store import` notices any change.
    """
    puzzle = load_board(board)
    with open_store_at(store) as stored:
        rows = stored.list_rows(puzzle.digest if puzzle else "")
    with writer:
        writer.write(write_export(rows))
    info(count_of(len(rows), "count"))


@store.command("import", cls=Command)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@store_option
def import_rows(files: Sequence[str], store: str | None) -> None:
    """Store the counts of exported files.

    Either all counts of the FILEs are stored, or none. A file that was changed is refused. A count
    that contradicts a stored one, or satcal's own tables, ends with exit code 1.
    """
    rows = []
    for name in files:
        rows += read_export(read_text(Path(name), "export", MAX_IMPORT), name)
    check_rows(rows)
    with open_store_at(store, create=True) as stored:
        number = stored.import_rows(rows)
    click.echo(f"{number:,} of {count_of(len(rows), 'count')} are new")


@store.command(cls=Command)
@board_argument
@click.option("--all", "clear_all", is_flag=True, help="Remove the counts of all boards.")
@store_option
def clear(board: str | None, clear_all: bool, store: str | None) -> None:
    """Remove the stored counts of a BOARD, or of all boards."""
    puzzle = load_board(board)
    if (puzzle is None) != clear_all:
        raise OptionError("name a board, or pass --all to remove the counts of all boards")
    with open_store_at(store) as stored:
        number = stored.clear(puzzle.digest if puzzle else "")
    click.echo(f"{count_of(number, 'count')} removed")


def load_library() -> dict[str, Puzzle]:
    """Return the puzzles of the library by their digests."""
    return {puzzle.digest: puzzle for puzzle in map(load, library())}


def to_records(rows: Sequence[StoredCount], puzzles: Mapping[str, Puzzle]) -> list[dict[str, Any]]:
    """Return records in the order of boards and reveals; ``puzzles`` are by digest.

    The question of a row is the cells of the pieces already placed.
    """
    orders = {
        digest: {reveal_key(r): (n, r) for n, r in enumerate(puzzles[digest].reveals())}
        for digest in {row.puzzle for row in rows} & puzzles.keys()
    }
    records = []
    for row in rows:
        number, reveal = orders.get(row.puzzle, {}).get(row.reveal, (0, (row.reveal,)))
        name = puzzles[row.puzzle].name if row.puzzle in puzzles else row.puzzle[:12]
        values = (name, " ".join(reveal), row.question, row.tilings, row.method, row.counted_at)
        records.append((name, row.question, number, row, dict(zip(FIELDS, values, strict=True))))
    return [record for *_, record in sorted(records, key=lambda record: record[:4])]


def check_rows(rows: Sequence[StoredCount]) -> None:
    """Compare imported rows with the puzzles of the library and the shipped tables.

    Raises:
        FormatError: the puzzle of a row has no such reveal.
        Disagreement: a shipped table has another count.
    """
    for digest, puzzle in load_library().items():
        puzzle_rows = [row for row in rows if row.puzzle == digest]
        if not puzzle_rows:
            continue
        reveals = {reveal_key(reveal): reveal for reveal in puzzle.reveals()}
        shipped = shipped_counts(puzzle)
        for row in puzzle_rows:
            reveal = reveals.get(row.reveal)
            if reveal is None:
                raise FormatError(
                    f"nothing was imported: {puzzle.name} has no reveal '{row.reveal}'"
                )
            number = row.tilings if row.question else shipped.get(reveal, row.tilings)
            if number != row.tilings:
                raise Disagreement(
                    f"nothing was imported: {puzzle.name} {' '.join(reveal)}: {row.tilings:,} in "
                    f"the file, and {number:,} in the shipped table"
                )
