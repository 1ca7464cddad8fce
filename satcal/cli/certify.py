"""``satcal certify`` and ``check``: counts with proofs that anybody can replay."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import click

import satcal.api as api
from satcal.cli import options
from satcal.cli.progress import Pace, note, progress, quiet, say
from satcal.errors import (
    CertificateRefused,
    OptionError,
    RevealError,
    SatcalError,
    StoreError,
    exit_code,
)
from satcal.evidence import checking, opinions
from satcal.evidence.checking import Report, same_puzzle
from satcal.files import check_folder, check_output, name_of_file, write_bytes
from satcal.processes import cores
from satcal.puzzle.loading import load
from satcal.puzzle.model import Puzzle, Reveal
from satcal.puzzle.ranges import Row, labels_in
from satcal.store.location import Location, parse_location


@click.command()
@options.selecting
@click.option(
    "--output", "-o", type=click.Path(path_type=Path), metavar="FILE|FOLDER",
    help="A file for one date or with --together, else a folder.  [default: here]",
)  # fmt: skip
@click.option("--together", is_flag=True, help="One certificate of all dates.")
@options.force_option
@options.jobs_option
@options.cluster_option
@options.quiet_option
@options.store_option
def certify(
    selection: options.Selection, output: Path | None, together: bool, force: bool,
    jobs: int | None, cluster: str | None, where: str | None,
) -> int:  # fmt: skip
    """Write certificates: each holds the tilings of a date and a proof that there are no more.

    Each is checked before it gets its name, and noted in the store. Whoever interrupts it and
    calls it again goes on where it was: a file that is there already is checked, and kept if it
    proves just this. Any other file is kept too, and named, unless --force is given.
    """
    location, puzzle = parse_location(where), selection.puzzle
    options.refuse("means nothing here: certify proves all tilings of a date", "place")
    targets = _targets(selection, output, together)
    # a device, such as /dev/stdout, holds nothing
    there = [path for path in targets if path.is_file() and not force]
    faults = {path: _fault(path, puzzle, targets[path]) for path in there}
    for path, fault in faults.items():
        if fault:
            say(f"{path} is kept: {fault}; pass --force to replace it")
    if kept := list(faults.values()).count(None):
        say(f"{kept} of {len(targets)} certificates are there already, and were checked")
    codes = {OptionError.exit_code} if len(faults) > kept else set()
    todo = {path: reveals for path, reveals in targets.items() if path not in there}
    for path, data in _made(puzzle, todo, jobs, cluster):
        try:
            report = checking.check(data)
        except CertificateRefused as error:
            say(f"{path}: not written, as it is refused: {error}; please report it")
            codes.add(error.exit_code)
            continue
        write_bytes(path, data, force)
        click.echo(path)
        note("\n".join(f"  {line}" for line in report.lines()[1:]))
        codes.add(_note(report, data, location))
    return exit_code(codes)


def _targets(
    selection: options.Selection, output: Path | None, together: bool
) -> dict[Path, list[Reveal]]:
    """Return each file to be written with the reveals that it is to prove."""

    def name(*rows: Row) -> str:
        words: list[str] = []
        for row in rows:
            words += ["to"] if words else []
            words += str(row.date).split("-") if row.date else row.reveal
        return f"{name_of_file(selection.puzzle.name, words)}.satcert"

    rows = list({row.reveal: row for row in selection.rows}.values())
    path = output or Path()
    if together or len(rows) == 1:
        if path.is_dir():
            path /= name(rows[0], *rows[1:][-1:])
        check_output(path, force=True)  # what is there is looked at before it is replaced
        return {path: [row.reveal for row in rows]}
    check_folder(path, f"{len(rows)} certificates: ")
    return {path / name(row): [row.reveal] for row in rows}


def _fault(path: Path, puzzle: Puzzle, reveals: list[Reveal]) -> str | None:
    """Return why a file does not prove just these reveals; None if it does."""
    try:
        report = checking.check_within(checking.read(path))
    except SatcalError as error:
        return str(error)
    if not same_puzzle(report.puzzle, puzzle):
        return "it is a certificate of another puzzle"
    other = [each.reveal for each in report.proved] != reveals
    return "it is a certificate of another date" if other else None


def _made(
    puzzle: Puzzle, todo: dict[Path, list[Reveal]], jobs: int | None, cluster: str | None
) -> Iterator[tuple[Path, bytes]]:
    """Yield each file's certificate when it is made."""
    from satcal.counting.count import executing
    from satcal.counting.cubes import plans
    from satcal.evidence.certify import CUT_ABOVE, sealed, sections

    if not todo:
        return
    planned = plans(puzzle, [each for reveals in todo.values() for each in reveals], CUT_ABOVE)
    proofs = sum(len(cubes) for _, cubes in planned)
    with (
        executing(max(1, min(jobs or cores(), proofs)), cluster) as executor,
        progress("proofs", proofs) as advance,
    ):
        pace = Pace(executor, "proofs")
        proved = sections(puzzle, planned, executor, lambda _, __, text: advance(pace.after(text)))
        for path, reveals in todo.items():
            yield path, sealed(puzzle, list(islice(proved, len(reveals))))


def _note(report: Report, data: bytes, location: Location | None) -> int:
    """Note checked evidence in the store; return the exit code."""
    if location is None:
        return 0
    from satcal.store.evidence import record_evidence
    from satcal.store.results import Store

    proved = {each.reveal: each.tilings for each in report.proved}
    try:
        with Store(location) as store:
            record_evidence(store, report.puzzle, proved, data, ", ".join(report.checkers))
    except StoreError as error:
        say(f"the certificate is written, but not noted: {error}")
        return error.exit_code
    return 0


@click.command()
@click.argument(
    "files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE..."
)
@click.option(
    "--checker", "checkers", multiple=True, metavar="NAME",
    help="A second opinion besides satcal's own replay: cake_lpr, lrat-check, lrat-trim or "
    "drat-trim of the PATH, cdclkit, dratify, verified (proved in Coq); may be repeated, and all "
    "must accept.",
)  # fmt: skip
@click.option(
    "--export", type=click.Path(path_type=Path), metavar="FOLDER",
    help="Write each formula and proof as DIMACS, LRAT and DRUP files.",
)  # fmt: skip
@click.option("--store", "where", metavar="URL|FILE", help="Note what is accepted in this store.")
@options.only_board_option("Refuse certificates of another puzzle.")
@options.date_option("any that a certificate is of")
@options.reveal_option
@click.option(
    "--max-size", type=options.size, default="2G",
    help="Of all parts together, decompressed.",
)  # fmt: skip
@options.memory_option("Of the process that checks.", "4G")
@click.option(
    "--time-limit", type=options.seconds, default=3600.0,
    metavar="SECONDS", help="For each file.",
)  # fmt: skip
@options.tabular("text")
def check(
    files: tuple[Path, ...], checkers: tuple[str, ...], export: Path | None, where: str | None,
    board: str | None, date: str | None, reveal: tuple[str, ...], max_size: int,
    memory_limit: int, time_limit: float, style: str,
) -> int:  # fmt: skip
    """Check certificates: rebuild the formula, verify each tiling, replay each proof.

    What is accepted is proved, whoever made the file; what is not is refused with the reason
    (exit 1). A file for which memory or time do not suffice is neither (exit 3), and one that
    is too large is not checked (exit 2).
    """
    if export and len(files) > 1:
        raise OptionError("--export writes the proofs of one certificate; name one file")
    if export:
        check_folder(export, "--export: ")
    names = opinions.chosen(checkers)
    puzzle = load(board) if board else None
    if puzzle:
        options.chosen(puzzle, date, reveal)  # typos are reported before files are read
    location = parse_location(where) if where else None
    codes = set()
    answers = []
    for path in files:
        try:
            data = checking.read(path)
            report = api.check(
                data, names, limit=max_size, memory=memory_limit, seconds=time_limit, export=export
            )
            _check_wanted(report, puzzle, date, reveal)
            codes.add(_note(report, data, location))
            answer = {"accepted": True} | report.as_dict()
            lines = ["accepted", *report.lines()]
        except SatcalError as error:
            refused = isinstance(error, CertificateRefused)
            if len(files) == 1 and not refused:
                raise
            codes.add(error.exit_code)
            answer = {"accepted": False, "reason": str(error)}
            lines = [f"{'refused' if refused else 'not checked'}: {error}"]
        answers.append({"file": str(path)} | answer)
        if style == "text":
            click.echo(f"{path}: " + "\n  ".join(lines[:1] if quiet() else lines))
    if style != "text":
        options.echo(answers, list(dict.fromkeys(key for each in answers for key in each)), style)
    return exit_code(codes)


def _check_wanted(
    report: Report, puzzle: Puzzle | None, date: str | None, reveals: tuple[str, ...]
) -> None:
    """Refuse a certificate of another puzzle or reveal than was named."""
    if puzzle and not same_puzzle(puzzle, report.puzzle):
        raise CertificateRefused(f"it is of another puzzle than {puzzle.name}")
    if date is None and not reveals:
        return
    named = "; ".join(" ".join(labels_in(each)) or "none" for each in reveals)
    other = f"it is of another reveal than {date or named}"
    try:
        wanted = options.chosen(report.puzzle, date, reveals)
    except RevealError as error:
        raise CertificateRefused(f"{other} ({error})") from error
    if [each.reveal for each in report.proved] != wanted:
        raise CertificateRefused(other)
