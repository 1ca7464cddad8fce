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
from satcal.diagram.cache import cache_folder, cached_at
from satcal.diagram.puzzle import problem_of
from satcal.errors import Disagreement, OptionError, StoreDamaged
from satcal.files import failing, read_text
from satcal.puzzle.loading import library, load
from satcal.puzzle.placements import cover_of
from satcal.puzzle.ranges import labels_in
from satcal.records import STYLES
from satcal.store.checking import check_store
from satcal.store.evidence import evidence
from satcal.store.faults import trouble
from satcal.store.keys import reveal_key
from satcal.store.location import parse_location
from satcal.store.results import Store
from satcal.store.rows import EVERYTHING, FIELDS, Filter, contradictions, from_text, to_text
from satcal.store.shipped import shipped
from satcal.tables import aligned, count_of

MAX_IMPORT = 512 * 1024 * 1024  # a million rows are below this


@click.group(cls=options.Group)
def store() -> None:
    """Inspect and clean the store of finished counts and the cached diagrams.

    Diagrams are kept in SATCAL_CACHE, or else in the user's cache directory, so that later
    questions are answered at once. A missing diagram is built again.
    """


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
            raise OptionError("--store none: this command needs a store; name one with --store")
        if location.path is not None and not (create or location.path.exists()):
            raise OptionError(f"store {location}: no such file; give an existing one with --store")
        with Store(location, rescue=rescue) as opened:
            return command(store=opened, **rest)

    return wrapped


def filtering(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add options that choose rows; the command takes a ``wanted`` filter."""

    @options.only_board_option("Only rows of this puzzle (library name or path).")
    @click.option(
        "--digest", default="", help="Only rows of puzzles whose digest starts with this text."
    )
    @options.date_option("all of them")
    @options.reveal_option
    @click.option("--method", type=click.Choice(METHODS), help="Only rows counted by this method.")
    @functools.wraps(command)
    def wrapped(
        board: str | None,
        digest: str,
        date: tuple[str, ...],
        reveal: tuple[str, ...],
        method: str | None,
        **rest: Any,
    ) -> Any:
        if board and digest:
            raise OptionError("--board and --digest both name a puzzle; give one of them")
        puzzle = load(board) if board else None
        key = None
        if date and puzzle is None:
            raise OptionError("--date needs --board, to know the labels; add --board")
        reveals = options.chosen(puzzle, date, reveal) if puzzle else list(map(labels_in, reveal))
        if len(reveals) > 1:
            raise OptionError(f"choose one date or reveal, not {len(reveals):,}")
        if reveals:
            key = reveal_key(reveals[0])
        wanted = Filter(puzzle.digest if puzzle else digest, key, method)
        return command(wanted=wanted, **rest)

    return wrapped


@store.command()
@with_store
def info(store: Store) -> None:
    """Say where the store is and what it holds."""
    rows = store.rows()
    click.echo(f"store: {store.where}{' (read-only)' if store.read_only else ''}")
    click.echo(f"results: {len(rows):,}")
    numbers = Counter((row.board, row.puzzle[:12], row.method) for row in rows)
    for (name, digest, method), number in sorted(numbers.items()):
        click.echo(f"  {name} ({digest}) by {method}: {number:,}")
    # a row is what one checker said of one file
    certified = {(row.puzzle, row.reveal) for row in evidence(store)[0]}
    click.echo(f"evidence: {count_of(len(certified), 'certified count')}")


@store.command("diagrams")
@click.option("--remove", is_flag=True, help="Remove all of them.")
@options.tabular("text")
def list_diagrams(remove: bool, style: str) -> None:
    """List the cached diagrams with their boards and sizes, or remove them."""
    folder = cache_folder()
    files = sorted(folder.glob("diagram-*.zip"))
    boards = {cached_at(problem_of(cover_of(load(name), None))): name for name in library()}
    # a puzzle file's, or one with other pieces, or of another version has no board
    fields = ("board", "bytes", "file")
    kept = [(boards.get(path, ""), path.stat().st_size, path.name) for path in files]
    for path in files if remove else ():
        with failing(f"{path}: cannot be removed"):
            path.unlink(missing_ok=True)
    if style != "text":
        options.echo([dict(zip(fields, row, strict=True)) for row in kept], fields, style)
        return
    size = sum(size for _, size, _ in kept)
    what = f"{count_of(len(kept), 'diagram')}, {size:,} bytes"
    click.echo(f"{folder}: {what}{' removed' if remove else ''}")
    if kept:
        lines = [(board or "-", f"{size:,}", name) for board, size, name in kept]
        click.echo(aligned(fields, lines, right=[1]), nl=False)


@store.command("list")
@with_store
@filtering
@click.option("--limit", type=options.Limit(min=1), help="At most this many rows.")
@options.tabular("text")
def list_rows(store: Store, wanted: Filter, limit: int | None, style: str) -> None:
    """List results, one line each."""
    if style != "text":
        options.echo((row._asdict() for row in store.rows(wanted, limit)), FIELDS, style)
        return
    rows = store.rows(wanted, limit)
    if not rows:
        note("no results" + (f" for reveal '{wanted.reveal}'" if wanted.reveal else ""))
    for row in rows:
        given = f"  [{row.conditions}]" if row.conditions else ""
        click.echo(f"{row.board}  {row.reveal}{given}  {row.tilings:,}  {row.by}")


@store.command("evidence")
@with_store
def list_evidence(store: Store) -> None:
    """List the checked certificates: what each proves, and which checker accepted it."""
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
    """Write the stored results. Damaged rows are left out and reported.

    `satcal store import` reads the formats csv, json and ndjson.
    """
    good, broken = store.examine(wanted)
    if style in STYLES:
        click.echo(to_text(good.values(), style), nl=False)
    else:
        options.echo((row._asdict() for row in good.values()), FIELDS, style)
    note(count_of(len(good), "result"))
    _report_damage(store, [*store.damage], len(broken))


@store.command("import")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@functools.partial(with_store, create=True)
def import_rows(store: Store, files: tuple[str, ...]) -> None:
    """Import files that `satcal store export` wrote: all rows or none.

    If a number contradicts a stored one, or satcal's own tables, both are kept and the exit code
    is 1.
    """
    rows = []
    for name in files:
        rows += from_text(read_text(Path(name), "results", MAX_IMPORT), name)
    new, contradicted = store.insert(rows)
    click.echo(f"{new:,} of {len(rows):,} results are new")
    _refuse([*contradicted, *contradictions([*shipped(rows), *rows])])


@store.command()
@functools.partial(with_store, rescue=True)
def check(store: Store) -> None:
    """Check every page and row. The exit code is 1 for contradictions and 3 for damage."""
    report = check_store(store)
    results = count_of(report.rows, "result")
    click.echo(f"{results}, {report.counted_again:,} counted more than once")
    _report_damage(store, report.damage, len(report.broken))
    _refuse(report.contradictions)
    click.echo("no damage, no contradictions")


@store.command()
@with_store
@filtering
@click.option("--dry-run", is_flag=True, help="Only show how many rows would be removed.")
def prune(store: Store, wanted: Filter, dry_run: bool) -> None:
    """Remove the results that the options select; at least one filter is required."""
    if wanted == EVERYTHING:
        raise OptionError("at least one filter is required: --board, --digest, --reveal, --method")
    good, broken = store.examine(wanted)
    chosen = [*good, *broken]
    if not dry_run:
        store.remove(chosen)
    click.echo(f"{count_of(len(chosen), 'result')} {'to remove' if dry_run else 'removed'}")


def _report_damage(store: Store, damage: list[str], broken: int) -> None:
    """Say what is damaged, and raise StoreDamaged, if anything is."""
    for line in damage:
        say(f"DAMAGE {line}")
    if broken:
        say(f"DAMAGE {count_of(broken, 'row')} of results with a broken seal")
    if damage or broken:
        raise trouble(StoreDamaged, store.where)


def _refuse(contradictions: list[str]) -> None:
    """Raise a Disagreement that lists contradictions, if there are any."""
    if contradictions:
        raise Disagreement(
            f"{count_of(len(contradictions), 'contradiction')}; both numbers are kept:\n"
            + "\n".join(f"CONTRADICTION {contradiction}" for contradiction in contradictions[:20])
        )
