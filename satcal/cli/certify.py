"""``satcal certify`` and ``satcal check``: counts with proofs that anybody can replay."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from satcal.cli.options import MemorySize, Selection, cluster_option, selecting
from satcal.cli.progress import Pace, progress
from satcal.cli.storing import store_option
from satcal.errors import (
    CertificateRefused,
    OptionError,
    RevealError,
    SatcalError,
    Stopped,
    StoreError,
    exit_code,
)
from satcal.files import make_folder, write_bytes
from satcal.puzzle.loading import load
from satcal.puzzle.model import Puzzle, Reveal
from satcal.puzzle.ranges import Row, labels_in
from satcal.store.location import Location, parse_location

if TYPE_CHECKING:
    from satcal.evidence.checker import Report

ENDING = ".satcert"


@click.command()
@selecting
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path),
    metavar="FILE|FOLDER",
    help="A file for one date or with --together, else a folder.  [default: here]",
)
@click.option("--together", is_flag=True, help="One certificate of all dates.")
@click.option("--fresh", is_flag=True, help="Make again what is there already.")
@click.option(
    "--check/--no-check",
    "replays",
    default=True,
    show_default=True,
    help="Check each certificate after it is written, where a checker is installed.",
)
@click.option(
    "--jobs", "-j", type=click.IntRange(min=1, max=1024), help="Processes.  [default: all cores]"
)
@cluster_option
@click.option("--quiet", "-q", is_flag=True, help="No progress.")
@store_option
def certify(
    selection: Selection, output: Path | None, together: bool, fresh: bool, replays: bool,
    jobs: int | None, cluster: str | None, quiet: bool, where: str | None,
) -> int:  # fmt: skip
    """Write certificates: each holds the tilings of a date and a proof that there are no more.

    Whoever interrupts it and calls it again goes on where it was: a certificate that is there
    already, of the same puzzle and date, is kept. What was checked is noted in the store.
    """
    location = parse_location(where)
    if selection.demands:
        raise OptionError("certify proves all tilings of a date; leave --place out")
    rows = list({row.reveal: row for row in selection.rows}.values())
    targets = _targets(selection.puzzle, rows, output, together)
    kept = (
        [] if fresh else [path for path, its in targets.items() if _is_there(path, its, selection)]
    )
    if kept:
        click.echo(f"{len(kept)} of {len(targets)} certificates are there already", err=True)
    todo = {path: reveals for path, reveals in targets.items() if path not in kept}
    codes = set()
    for path, data in _made(selection.puzzle, todo, jobs, cluster, quiet):
        write_bytes(path, data)
        click.echo(path)
        if replays:
            codes.add(_replayed(path, data, location))
    return exit_code(codes)


def _targets(
    puzzle: Puzzle, rows: list[Row], output: Path | None, together: bool
) -> dict[Path, list[Reveal]]:
    """Return each file to be written with the reveals that it is to prove."""
    if together or len(rows) == 1:
        name = _name(puzzle, rows[0]) + (f"-to-{_day(rows[-1])}" if len(rows) > 1 else "")
        path = output or Path(name + ENDING)
        path = path / (name + ENDING) if path.is_dir() else path
        return {path: [row.reveal for row in rows]}
    folder = output or Path()
    if folder.is_file():
        raise OptionError(f"{folder} is a file; {len(rows)} certificates need a folder")
    make_folder(folder)
    return {folder / (_name(puzzle, row) + ENDING): [row.reveal] for row in rows}


def _day(row: Row) -> str:
    return row.date.isoformat() if row.date else "-".join(row.reveal)


def _name(puzzle: Puzzle, row: Row) -> str:
    said = "-".join(filter(None, (puzzle.name, _day(row))))
    return re.sub(r"[^A-Za-z0-9._+-]+", "_", said)


def _is_there(path: Path, reveals: list[Reveal], selection: Selection) -> bool:
    """Return whether a whole certificate of just these reveals is there; others are replaced."""
    from satcal.evidence.checker import statement
    from satcal.evidence.limits import read

    if not path.exists():
        return False
    try:
        puzzle, stated = statement(read(path))
    except SatcalError as error:
        click.echo(f"{path} is made again: {error}", err=True)
        return False
    if (puzzle.digest, stated) != (selection.puzzle.digest, reveals):
        click.echo(f"{path} is made again: it is of another puzzle or date", err=True)
        return False
    return True


def _made(
    puzzle: Puzzle,
    todo: dict[Path, list[Reveal]],
    jobs: int | None,
    cluster: str | None,
    quiet: bool,
) -> Iterator[tuple[Path, bytes]]:
    """Yield each file's certificate when it is made; Ctrl-C ends the workers at once."""
    from satcal.counting.cubes import plans
    from satcal.evidence.certify import CUT_ABOVE, sealed, sections
    from satcal.processes import cores, executing

    if not todo:
        return
    planned = plans(puzzle, [each for reveals in todo.values() for each in reveals], CUT_ABOVE)
    proofs = sum(len(cubes) for _, cubes in planned)
    with (
        executing(max(1, min(jobs or cores(), proofs)), cluster) as executor,
        progress("proofs", proofs, quiet) as shown,
    ):
        pace = Pace(executor, "proofs")
        found = sections(
            puzzle, planned, executor=executor,
            progress=lambda said: shown.advance(pace.after(said)),
        )  # fmt: skip
        for path, reveals in todo.items():
            yield path, sealed(puzzle, [next(found) for _ in reveals])


def _replayed(path: Path, data: bytes, location: Location | None) -> int:
    """Check what was written, and note it in the store; return the exit code."""
    from satcal.evidence.checker import check as replay
    from satcal.evidence.replay import CHECKERS, HOW_TO_GET, is_there

    if not any(map(is_there, CHECKERS)):
        click.echo(f"{path}: no checker available, so it was not replayed; {HOW_TO_GET}", err=True)
        return 0
    try:
        report = replay(data)
    except CertificateRefused as error:
        click.echo(f"{path}: refused: {error}; please report it", err=True)
        return error.exit_code
    except Stopped as error:
        click.echo(f"{path}: not checked: {error}", err=True)
        return error.exit_code
    for line in report.lines()[1:]:
        click.echo(f"  {line}", err=True)
    return _noted(report, data, location)


def _noted(report: Report, data: bytes, location: Location | None) -> int:
    """Note checked evidence in the store; return the exit code."""
    if location is None:
        return 0
    from satcal.store.evidence import record_evidence
    from satcal.store.results import Store

    try:
        with Store(location) as store:
            proved = {each.reveal: each.tilings for each in report.proved}
            record_evidence(store, report.puzzle, proved, data, ", ".join(report.checkers))
    except StoreError as error:
        click.echo(f"the certificate is written, but not noted: {error}", err=True)
        return error.exit_code
    return 0


@click.command()
@click.argument(
    "files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE..."
)
@click.option(
    "--checker",
    "checkers",
    multiple=True,
    metavar="NAME",
    help="cdclkit, drat-trim or dratify; may be repeated.  [default: the first that is there]",
)
@click.option("--store", "where", metavar="URL|FILE", help="Note what is accepted in this store.")
@click.option("--board", "-b", help="Refuse certificates of another puzzle than this one.")
@click.option("--reveal", metavar="Thu,Oct,23", help="Refuse certificates of another reveal.")
@click.option(
    "--max-size",
    type=MemorySize(),
    default="2G",
    show_default=True,
    help="Of all parts together, decompressed.",
)
@click.option(
    "--memory-limit",
    type=MemorySize(),
    default="4G",
    show_default=True,
    help="Of the process that checks.",
)
@click.option(
    "--time-limit",
    type=click.FloatRange(min=0, min_open=True),
    default=3600.0,
    show_default=True,
    metavar="SECONDS",
    help="For each file.",
)
@click.option("--format", "style", type=click.Choice(["text", "json"]), default="text",
              show_default=True, help="JSON is a line for each file.")  # fmt: skip
def check(
    files: tuple[Path, ...], checkers: tuple[str, ...], where: str | None,
    board: str | None, reveal: str | None, max_size: int, memory_limit: int,
    time_limit: float, style: str,
) -> int:  # fmt: skip
    """Check certificates: rebuild the formula, verify each tiling, replay each proof.

    What is accepted is proved, whoever made the file; what is not is refused with the reason
    (exit 1). A file for which memory or time do not suffice is neither (exit 3), and one that
    is too large is not checked (exit 2).
    """
    from satcal.evidence.limits import check_within, read
    from satcal.evidence.replay import chosen_checkers

    chosen = chosen_checkers(checkers)
    puzzle = load(board) if board else None
    wanted = None if reveal is None else labels_in(reveal)
    if puzzle and wanted is not None:
        puzzle.check_reveal(wanted)  # a slip is told before a file is checked
    location = parse_location(where) if where else None
    codes = set()
    for path in files:
        try:
            data = read(path)
            report = check_within(
                data, chosen, limit=max_size, memory=memory_limit, seconds=time_limit
            )
            _check_wanted(report, puzzle, wanted)
            codes.add(_noted(report, data, location))
        except SatcalError as error:
            if len(files) == 1 and not isinstance(error, CertificateRefused):
                raise
            _say_refused(path, error, style)
            codes.add(error.exit_code)
            continue
        if style == "json":
            click.echo(json.dumps({"file": str(path), "accepted": True} | report.as_dict()))
        else:
            click.echo("\n  ".join([f"{path}: accepted", *report.lines()]))
    return exit_code(codes)


def _check_wanted(report: Report, puzzle: Puzzle | None, wanted: Reveal | None) -> None:
    from satcal.evidence.checker import same_puzzle

    if puzzle and not same_puzzle(puzzle, report.puzzle):
        raise CertificateRefused(f"it is of another puzzle than {puzzle.name}")
    if wanted is None:
        return
    other = f"it is of another reveal than {' '.join(wanted) or 'none'}"
    try:
        its = report.puzzle.check_reveal(wanted)
    except RevealError as error:
        raise CertificateRefused(f"{other} ({error})") from error
    if [each.reveal for each in report.proved] != [its]:
        raise CertificateRefused(other)


def _say_refused(path: Path, error: SatcalError, style: str) -> None:
    if style == "json":
        refused = {"file": str(path), "accepted": False, "reason": str(error)}
        click.echo(json.dumps(refused))
    else:
        word = "refused" if isinstance(error, CertificateRefused) else "not checked"
        click.echo(f"{path}: {word}: {error}")
