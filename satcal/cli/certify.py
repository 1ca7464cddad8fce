"""``satcal certify`` and ``check``: counts with proofs that anybody can follow."""

from __future__ import annotations

import re
import shlex
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import click

import satcal.api as api
from satcal.certificates import checking, opinions
from satcal.certificates.certify import Planned, normal_form, plan, stated, write_certificate
from satcal.certificates.checking import Report, said, same_puzzle
from satcal.certificates.lrat import FORMS
from satcal.cli import options
from satcal.cli.progress import Pace, note, now_and_then, progress, quiet, say
from satcal.errors import (
    CertificateRefused,
    Disagreement,
    OptionError,
    SatcalError,
    StoreError,
    exit_code,
)
from satcal.files import check_output, failing, name_of_file
from satcal.processes import NO_LIMIT, cores
from satcal.proof.check import MAX_NODES
from satcal.puzzle import dates
from satcal.puzzle.loading import load
from satcal.puzzle.model import Puzzle, Reveal
from satcal.store.location import Location, parse_location
from satcal.tables import TABULAR, count_of

SAMPLE = 2  # reveals that sat counts, too
SAMPLE_TIME = 4.0  # seconds for that
FIELDS = ("file", "accepted", "reason", "library", "puzzle", "digest")


@options.command()
@options.selecting
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The certificate file. Give a folder to have the file named after its board and dates.  "
    "[default: the current folder]",
)
@options.force_option
@options.jobs_option
@options.cluster_option
@options.quiet_option
@options.store_option
def certify(
    selection: options.Selection,
    output: Path | None,
    force: bool,
    jobs: int | None,
    cluster: str | None,
    where: str | None,
) -> int:
    """Write one certificate for all the dates: the number of tilings of each, with a proof.

    The certificate is checked before it is written, and recorded in the store. To continue an
    interrupted run, repeat the command. A file that already exists is checked first: if it proves
    exactly these dates, nothing is done; otherwise it is an error unless you pass --force.
    """
    location, puzzle = parse_location(where), selection.puzzle
    options.refuse("cannot be combined with certify, which proves all tilings of a date", "place")
    reveals, path = selection.reveals, _target(selection, output)
    if path.is_file() and not force:
        fault = _fault(path, puzzle, reveals)
        if fault:
            raise OptionError(f"{path} already exists: {fault}; name another file, or pass --force")
        say(f"{path} already exists and proves exactly this: nothing to do")
        return 0
    make(path, plan(puzzle, reveals), jobs, cluster)
    click.echo(path)
    if not path.is_file():  # a device, such as /dev/stdout, holds nothing
        return 0
    report = checking.check(path, max_nodes=NO_LIMIT)
    note("\n".join(f"  {line}" for line in report.lines()))
    compared = _compare(puzzle, {tree.reveal: tree.tilings for tree in report.proved})
    return exit_code([compared, _note(report, location)])


def _target(selection: options.Selection, output: Path | None) -> Path:
    """The file to be written."""
    path = output or Path()
    if path.is_dir():
        rows = selection.rows
        words: list[str] = []
        for row in (rows[0], *rows[1:][-1:]):
            words += ["and" if len(rows) == 2 else "to"] if words else []
            words += str(row.date).split("-") if row.date else row.reveal
        path /= f"{name_of_file(selection.puzzle.name, words)}.satcert"
    check_output(path, force=True)  # what is there is looked at before it is replaced
    return path


def _fault(path: Path, puzzle: Puzzle, reveals: Sequence[Reveal]) -> str | None:
    """Why a file does not prove just these reveals; None if it does."""
    try:
        report = checking.check_within(path, max_nodes=NO_LIMIT)
    except SatcalError as error:
        return str(error)
    if len(report.parts) > 1 or not same_puzzle(report.puzzle, puzzle):
        return "it is a certificate for another puzzle"
    other = [tree.reveal for tree in report.proved] != list(reveals)
    return "it is a certificate for other reveals" if other else None


def make(
    path: Path, planned: Sequence[Planned], jobs: int | None = None, cluster: str | None = None
) -> None:
    """Write the certificate of what is planned, going on with what an earlier run has made."""
    from satcal.counting.count import executing

    number = len(planned)
    with (
        executing(max(1, min(jobs or cores(), number)), cluster) as executor,
        progress("statements", number) as advance,
    ):
        pace = Pace(executor, "statements")
        kept = write_certificate(
            path, planned, executor, lambda _, __, text: advance(pace.after(text))
        )
    if kept:
        were = f"{count_of(kept, 'statement')} {'was' if kept == 1 else 'were'}"
        note(f"continued: {were} already there and passed the check")


def make_of_each(
    path: Path,
    puzzles: Iterable[tuple[Puzzle, Reveal, range]],
    jobs: int | None = None,
    cluster: str | None = None,
) -> None:
    """Write one certificate of many puzzles, with one reveal each.

    What is proved of each must lie in its range: it was counted in another way before.
    """
    asked = list(puzzles)
    if not asked:
        note(f"{path}: not written, as there is nothing to prove")
        return
    make(
        path, [Planned(normal_form(puzzle), [reveal]) for puzzle, reveal, _ in asked], jobs, cluster
    )
    if not path.is_file():  # a device holds nothing that could be compared
        return
    nodes = tilings = 0
    for statement, (puzzle, reveal, allowed) in zip(stated(path), asked, strict=True):
        (tree,) = statement.stated
        if tree.tilings not in allowed:
            raise Disagreement(
                f"{puzzle.name}, {said(reveal)}: the certificate proves "
                f"{count_of(tree.tilings, 'tiling')}, but the diagram finds a different number; "
                "please report it"
            )
        nodes, tilings = nodes + tree.nodes, tilings + tree.tilings
    note(
        f"{path}: {count_of(len(asked), 'statement')}, each proved and checked; "
        f"{count_of(tilings, 'tiling')}, {count_of(nodes, 'node')}, "
        f"{count_of(path.stat().st_size, 'byte')}"
    )


def _compare(puzzle: Puzzle, proved: Mapping[Reveal, int]) -> int:
    """Count a sample by sat, which shares nothing with the trees; return the exit code."""
    from satcal.counting.count import affordable, choose_sample, count_one
    from satcal.counting.outcomes import Status
    from satcal.counting.settings import BySat, Question

    sample = affordable(choose_sample(puzzle, proved, SAMPLE), proved)
    deadline = time.monotonic() + SAMPLE_TIME
    done = []
    for reveal in sample:
        outcome = count_one(Question(puzzle, [reveal]), BySat(), deadline)
        if outcome.status is not Status.EXACT:
            break
        if outcome.tilings != proved[reveal]:
            say(
                f"{said(reveal)}: the certificate proves {count_of(proved[reveal], 'tiling')}, "
                f"but sat finds {outcome.tilings:,}; please report it"
            )
            return Disagreement.exit_code
        done.append(reveal)
    if done:
        note(f"sat finds the same numbers for {', '.join(map(said, done))}")
    else:
        note("not cross-checked with sat (slow); use satcal count --method sat")
    return 0


def _note(report: Report, location: Location | None) -> int:
    """Record checked evidence in the store; return the exit code."""
    if location is None:
        return 0
    from satcal.store.evidence import record_evidence
    from satcal.store.results import Store

    checkers = ", ".join(report.checkers)
    try:
        with Store(location) as store:
            for part in report.parts:
                proved = {tree.reveal: tree.tilings for tree in part.proved}
                record_evidence(store, part.puzzle, proved, report.sha256, report.bytes, checkers)
    except StoreError as error:
        say(f"the certificate is accepted, but could not be recorded in the store: {error}")
        return error.exit_code
    return 0


@options.command()
@click.argument(
    "files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE..."
)
@click.option(
    "--checker",
    "checkers",
    multiple=True,
    metavar="NAME",
    help=f"A second opinion besides satcal's own: {', '.join(opinions.CHECKERS)}; may be repeated, "
    "and all must accept.",
)
@click.option(
    "--proof",
    "form",
    type=click.Choice(FORMS),
    help="Write the formula and the proof for one reveal, for SAT checkers: PREFIX.cnf and "
    "PREFIX.drup or PREFIX.lrat.",
)
@click.option(
    "--output",
    "-o",
    "prefix",
    metavar="PREFIX",
    help="Path and first part of the names of the files that --proof writes.  [default: as FILE]",
)
@click.option(
    "--store", "where", metavar="URL|FILE", help="Record accepted certificates in this store."
)
@options.only_board_option("Refuse certificates of another puzzle.")
@options.date_option("every date in the certificate")
@options.reveal_option
@click.option(
    "--max-nodes",
    type=click.IntRange(0),
    default=MAX_NODES,
    show_default=True,
    help="Do not check a certificate whose trees have more nodes in total.",
)
@click.option(
    "--max-size",
    type=options.size,
    default="1G",
    help="Largest formula and proof to write for SAT checkers.",
)
@options.memory_option("Memory for the process that checks.", "4G")
@click.option(
    "--time-limit",
    type=options.seconds,
    default=3600.0,
    metavar="SECONDS",
    help="Time for each file.",
)
@options.force_option
@options.quiet_option
@click.option(
    "--format",
    "style",
    type=click.Choice(("text", *TABULAR)),
    default="text",
    help="Tables have a row for each reveal.",
)
def check(
    files: tuple[Path, ...],
    checkers: tuple[str, ...],
    form: str | None,
    prefix: str | None,
    where: str | None,
    board: str | None,
    date: tuple[str, ...],
    reveal: tuple[str, ...],
    max_nodes: int,
    max_size: int,
    memory_limit: int,
    time_limit: float,
    force: bool,
    style: str,
) -> int:
    """Check certificates: replay each search tree on the puzzle as it is drawn.

    If a certificate is accepted, its counts are proved, whoever made it. If not, it is refused
    with the reason (exit code 1). If memory or time runs out, it is neither accepted nor refused
    (exit code 3). A file that is too large is not checked (exit code 2).
    """
    if form and len(files) > 1:
        raise OptionError(f"--proof is for one certificate, not {len(files)}; give one FILE")
    if prefix and not form:
        raise OptionError("-o PREFIX is where --proof lrat or drup writes; give both")
    prefix = prefix or Path(files[0].name).stem
    read, _ = dates.split([str(path) for path in files if not path.exists()])
    if read:
        raise OptionError(f"{read[0]}: no such file; write a date as --date {shlex.quote(read[0])}")
    names = opinions.chosen(checkers)
    puzzle = load(board) if board else None
    if puzzle:
        options.chosen(puzzle, date, reveal)  # typos are reported before files are read
    location = parse_location(where) if where else None
    codes = set()
    rows: list[Mapping[str, object]] = []
    for path in files:
        try:
            with now_and_then(_how_far) as watch:
                report = api.check(
                    path,
                    names,
                    max_nodes=max_nodes,
                    max_size=max_size,
                    memory=memory_limit,
                    seconds=time_limit,
                    progress=watch,
                )
            wanted = _wanted(report, puzzle, date, reveal)
            if form:
                _write_proof(
                    path, _only(report, wanted), form, prefix, (max_nodes, max_size), force
                )
            codes.add(_note(report, location))
            rows += _rows(path, report, wanted)
            accepted = f"accepted: {report.summary()}"
            named = [line for part in report.parts for line in part.named(wanted)]
            lines = [accepted, *(named if quiet() else report.lines(wanted))]
        except SatcalError as error:
            refused = isinstance(error, CertificateRefused)
            if len(files) == 1 and not refused:
                if str(path) in str(error):
                    raise
                raise type(error)(f"{_shown(path)}: {error}") from error
            codes.add(error.exit_code)
            rows.append({"file": str(path), "accepted": False, "reason": str(error)})
            lines = [f"{'refused' if refused else 'not checked'}: {error}"]
        if style == "text":
            click.echo(f"{_shown(path)}: " + "\n  ".join(lines))
    if style != "text":
        options.echo(rows, list(dict.fromkeys(key for row in rows for key in row)), style)
    return exit_code(codes)


def _how_far(done: int, total: int, what: str) -> str:
    return f"checking: {done:,} of {total:,} {what}"


def _shown(path: Path) -> str:
    """A file's name, quoted where it could imitate a report."""
    return str(path) if re.fullmatch(r"[\w./+@%~=,-]+", str(path)) else repr(str(path))


def _rows(path: Path, report: Report, wanted: set[Reveal]) -> Iterator[Mapping[str, object]]:
    """Yield a record for each reveal that is proved."""
    for part in report.parts:
        for tree in part.proved:
            if not wanted or tree.reveal in wanted:
                yield {
                    "file": str(path),
                    "accepted": True,
                    "library": part.library or "",
                    "puzzle": part.puzzle.name,
                    "digest": part.puzzle.digest,
                    **tree._asdict(),
                }


def _wanted(
    report: Report, puzzle: Puzzle | None, dates: tuple[str, ...], reveals: tuple[str, ...]
) -> set[Reveal]:
    """The reveals that were named; refuses a certificate that does not prove them all."""
    if puzzle and not all(same_puzzle(puzzle, part.puzzle) for part in report.parts):
        raise CertificateRefused(f"this certificate is not for {puzzle.name}")
    if not (dates or reveals):
        return set()
    # a board of the library knows its dates, also those in other languages
    known = puzzle or (load(report.library) if report.library else report.puzzle)
    wanted = options.chosen(known, dates, reveals)
    proved = {tree.reveal for part in report.parts for tree in part.proved}
    for reveal in wanted:
        if reveal not in proved:
            raise CertificateRefused(f"it says nothing about {said(reveal)}")
    return set(wanted)


def _only(report: Report, wanted: set[Reveal]) -> Reveal:
    """The one reveal of which a proof is to be written."""
    stated = [tree.reveal for part in report.parts for tree in part.proved]
    chosen = list(wanted) or stated
    if len(chosen) != 1:
        raise OptionError(
            f"--proof writes one date or reveal, not {len(chosen):,}; name it with --date or "
            "--reveal"
        )
    return chosen[0]


def _write_proof(
    path: Path, reveal: Reveal, form: str, prefix: str, most: tuple[int, int], force: bool
) -> None:
    """Write formula and proof of one reveal, within so many nodes and bytes."""
    names = f"{prefix}.cnf", f"{prefix}.{form}"
    for name in names:
        check_output(Path(name), force)
    note(f"{', '.join(names)}: being written, which may take minutes")
    proof = checking.proof_of(path, reveal, *most)
    _write(names[0], proof.dimacs(), force)
    _write(names[1], proof.lines(form), force)
    checker = "cake_lpr" if form == "lrat" else "drat-trim"
    note(f"{said(reveal)}: written; check it with {checker} {shlex.join(names)}")


def _write(name: str, lines: Iterable[str], force: bool) -> None:
    """Write a file for SAT checkers, line by line; one that is not finished is removed."""
    path = Path(name)
    check_output(path, force)
    with (
        failing(f"{path}: cannot be written"),
        open(path, "w", encoding="ascii") as file,
        now_and_then(lambda n, *_: f"{path}: {n:,} lines are written") as written,
    ):
        try:
            for number, line in enumerate(lines, start=1):
                file.write(line)
                written(number, 0, "lines")
        except BaseException:
            path.unlink()
            raise
