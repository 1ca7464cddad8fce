"""``satcal store``: what was counted and kept, out, in, checked and removed."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from satcal.cli import options
from satcal.cli.progress import note, say
from satcal.counting.settings import METHODS
from satcal.draw.tables import count_of
from satcal.errors import Disagreement, OptionError, StoreDamaged
from satcal.files import read_text
from satcal.puzzle.loading import load
from satcal.puzzle.ranges import labels_in
from satcal.records import STYLES
from satcal.store.checking import check as check_store
from satcal.store.evidence import evidence
from satcal.store.jobs import Jobs
from satcal.store.keys import reveal_key
from satcal.store.location import parse_location
from satcal.store.results import Store
from satcal.store.rows import EVERYTHING, FIELDS, Filter, from_text, to_text
from satcal.store.schema import applied

MAX_IMPORT = 512 * 1024 * 1024  # a million rows are below this


@click.group()
def store() -> None:
    """Look at the finished counts that are kept, move them, check them, remove them."""


def with_store(
    command: Callable[..., Any], create: bool = False, rescue: bool = False
) -> Callable[..., Any]:
    """Add ``--store``; the command takes the open ``store``.

    A misspelt name makes none, unless ``create``; ``rescue`` reads what can be read.
    """

    @options.store_option
    @functools.wraps(command)
    def wrapped(where: str | None, **rest: Any) -> Any:
        location = parse_location(where)
        if location is None:
            raise OptionError("--store none: there is nothing to look at; name a store")
        if location.path is not None and not (create or location.path.exists()):
            raise OptionError(f"store {location}: there is none; name the one you mean by --store")
        with Store(location, rescue=rescue) as opened:
            return command(store=opened, **rest)

    return wrapped


def filtering(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add options that choose rows; the command takes a ``wanted`` filter."""

    @options.only_board_option("Rows of this puzzle, of the library or a path.")
    @click.option("--digest", default="", help="Rows of puzzles whose digest starts so.")
    @options.date_option("all of them")
    @options.reveal_option
    @click.option("--method", type=click.Choice(METHODS), help="Rows of this method.")
    @functools.wraps(command)
    def wrapped(
        store: Store, board: str | None, digest: str, date: str | None, reveal: tuple[str, ...],
        method: str | None, **rest: Any,
    ) -> Any:  # fmt: skip
        if board and digest:
            raise OptionError("--board and --digest both name a puzzle; give one of them")
        puzzle = load(board) if board else None
        key = None
        if date is not None and puzzle is None:
            raise OptionError("--date needs --board, which says what its labels are")
        reveals = options.chosen(puzzle, date, reveal) if puzzle else list(map(labels_in, reveal))
        if len(reveals) > 1:
            raise OptionError(f"rows of one reveal, not of {len(reveals):,}; give one of them")
        if reveals:
            key = reveal_key(reveals[0]) if puzzle else store.reveal_like(reveals[0], digest)
        wanted = Filter(puzzle.digest if puzzle else digest, key, method)
        return command(store=store, wanted=wanted, **rest)

    return wrapped


@store.command()
@with_store
def info(store: Store) -> None:
    """Say where the store is and what it holds."""
    rows = store.rows()
    with store.reading() as connection:
        steps = applied(connection)
    click.echo(f"store: {store.where}{' (read-only)' if store.read_only else ''}")
    click.echo(f"schema: {', '.join(steps)}")
    click.echo(f"results: {len(rows):,}")
    numbers = Counter((row.board, row.puzzle[:12], row.method) for row in rows)
    for (name, digest, method), number in sorted(numbers.items()):
        click.echo(f"  {name} ({digest}) by {method}: {number:,}")
    click.echo(f"evidence: {len(evidence(store)[0]):,} checked certificates")


@store.command("list")
@with_store
@filtering
@click.option("--limit", type=options.Limit(min=1), help="At most so many rows.")
@options.tabular("text")
def list_rows(store: Store, wanted: Filter, limit: int | None, style: str) -> None:
    """List results, one line each."""
    if style != "text":
        options.echo((row._asdict() for row in store.rows(wanted, limit)), FIELDS, style)
        return
    for row in store.rows(wanted, limit):
        given = f"  [{row.conditions}]" if row.conditions else ""
        click.echo(f"{row.board}  {row.reveal}{given}  {row.tilings:,}  {row.by}")


@store.command("evidence")
@with_store
def list_evidence(store: Store) -> None:
    """List the certificates that were checked, by what, and what they prove."""
    rows, broken = evidence(store)
    for row in rows:
        proved = f"{row.name}  {row.reveal}  {row.tilings:,}"
        click.echo(f"{proved}  {row.checked_by}  sha256 {row.sha256[:16]}")
    if broken:
        raise StoreDamaged(f"store {store.where}: {broken:,} rows of evidence with a broken seal")


@store.command()
@functools.partial(with_store, rescue=True)
@filtering
@options.tabular("csv")
def export(store: Store, wanted: Filter, style: str) -> None:
    """Write results; rows that cannot be believed are left out and reported.

    csv, json and ndjson are what `satcal store import` reads.
    """
    good, broken = store.examine(wanted)
    if style in STYLES:
        click.echo(to_text(good.values(), style), nl=False)
    else:
        options.echo((row._asdict() for row in good.values()), FIELDS, style)
    note(count_of(len(good), "result"))
    if broken or store.damage:
        raise StoreDamaged(
            f"store {store.where}: {count_of(len(broken), 'row')} with a broken seal left out; "
            "move the file away, and import what was saved into a new one"
        )


@store.command("import")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@functools.partial(with_store, create=True)
def import_rows(store: Store, files: tuple[str, ...]) -> None:
    """Take in what `satcal store export` wrote elsewhere; all of it or nothing.

    A number that contradicts a stored one is kept beside it, and exit 1.
    """
    rows = []
    for name in files:
        rows += from_text(read_text(Path(name), "results", MAX_IMPORT), name)
    new, contradictions = store.insert(rows)
    click.echo(f"{new:,} of {len(rows):,} results are new")
    _refuse(contradictions)


@store.command()
@functools.partial(with_store, rescue=True)
def check(store: Store) -> None:
    """Check every page and row; contradictions are exit 1, damage is exit 3."""
    report = check_store(store)
    click.echo(f"{report.rows:,} results, {report.counted_again:,} counted more than once")
    for line in report.damage:
        say(f"DAMAGE {line}")
    if report.damage or report.broken:
        rows, complaints = len(report.broken), len(report.damage)
        raise StoreDamaged(
            f"store {store.where}: {count_of(rows, 'row')} with a broken seal, "
            f"{count_of(complaints, 'complaint')} of the database; `satcal store prune --damaged` "
            "removes such rows; if the database complains, `satcal store export`, move the file "
            "away, and import into a new one"
        )
    _refuse(report.contradictions)
    click.echo("nothing is damaged, nothing contradicts")


@store.command()
@with_store
@filtering
@click.option(
    "--damaged", is_flag=True, help="Only rows with a broken seal, and jobs that cannot be read."
)
@click.option("--dry-run", is_flag=True, help="Only say how many.")
def prune(store: Store, wanted: Filter, damaged: bool, dry_run: bool) -> None:
    """Remove results: those that the options choose, never all of them unasked."""
    if wanted == EVERYTHING and not damaged:
        raise OptionError("say which results: --board, --digest, --reveal, --method or --damaged")
    good, broken = store.examine(wanted)
    chosen = broken if damaged else [*good, *broken]
    jobs = Jobs(store).examine()[1] if damaged and wanted == EVERYTHING else []
    if not dry_run:
        store.remove(chosen)
        for name in jobs:
            Jobs(store).forget(name)
    removed = f"{len(chosen):,} results" + (f" and {count_of(len(jobs), 'job')}" if jobs else "")
    click.echo(f"{removed} {'would be' if dry_run else 'are'} removed")


def _refuse(contradictions: list[str]) -> None:
    """Raise a Disagreement that lists contradictions, if there are any."""
    if contradictions:
        raise Disagreement(
            f"{len(contradictions):,} contradictions, both numbers are kept:\n"
            + "\n".join(f"CONTRADICTION {each}" for each in contradictions[:20])
        )
