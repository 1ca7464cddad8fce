"""``satcal check``: replay certificates, and say which puzzles they are about."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import click
import cloup

from satcal.certificates import checking, opinions
from satcal.certificates.checking import Report, format_reveal
from satcal.certificates.lrat import FORMS
from satcal.cli.output import Writer, writing
from satcal.cli.progress import info, progress, quiet
from satcal.cli.words import SECONDS, board_name, memory_option, select
from satcal.errors import (
    CertificateRefused,
    FileTrouble,
    OptionError,
    SatcalError,
    printable,
)
from satcal.files import drafting
from satcal.processes import interruptible
from satcal.puzzle.loading import load
from satcal.puzzle.model import Reveal
from satcal.tabular import FORMATS

CHECKERS = f"Also run {', '.join(opinions.CHECKERS)}; may be repeated."
FIELDS = ("file", "verdict", "puzzle", "digest", "reveal", "tilings", "reason")


@cloup.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@cloup.option_group(
    "Which puzzle and dates",
    cloup.option("-b", "--board", metavar="NAME|FILE", help="The puzzle that was proved."),
    cloup.option("--date", metavar="WORDS", help="These dates; refuse a file that lacks one."),
    cloup.option("--reveal", metavar="LABELS", help="This reveal only, such as Thu,Oct,23."),
)
@cloup.option_group(
    "Other checkers",
    cloup.option("--checker", "checkers", multiple=True, metavar="NAME", help=CHECKERS),
    cloup.option("--proof", "form", type=click.Choice(FORMS), help="Write FILE.cnf and its proof."),
)
@cloup.option_group(
    "Limits",
    memory_option(4, "For the checker."),
    cloup.option("--time-limit", type=SECONDS, default=3600.0, metavar="SECONDS", help="Per file."),
)
@writing("text", *FORMATS)
def check(
    files: tuple[str, ...],
    board: str | None,
    date: str | None,
    reveal: str | None,
    checkers: tuple[str, ...],
    form: str | None,
    memory_limit: int,
    time_limit: float,
    writer: Writer,
) -> int:
    """Check certificates, or all certificates of a folder.

    An accepted certificate proves its numbers, whoever made it; a refused one proves nothing
    (exit 1), and one beyond the format's bounds is not checked (exit 2).

    The report names the puzzle: the one that --board names, or the same one in the library. Any
    other puzzle is drawn, board and pieces.
    """
    paths = list(paths_of(files))
    names = opinions.parse_checkers(checkers)
    puzzle = load(board_name([], board)) if board else None
    if form and len(paths) > 1:
        raise OptionError(f"--proof is for one certificate, not {len(paths)}; give one FILE")
    codes, rows = set[int](), list[dict[str, object]]()
    with interruptible(), writer:
        for path in paths:
            try:
                with progress(f"checking {path.name}") as step:
                    report = checking.check_within(
                        path,
                        names,
                        board=puzzle,
                        memory=memory_limit,
                        seconds=time_limit,
                        step=step,
                    )
                wanted = wanted_reveals(report, board, date, reveal)
                if form:
                    write_proof(path, only(report, wanted), form, writer.force)
            except SatcalError as error:
                refused = isinstance(error, CertificateRefused)
                if len(paths) == 1 and not refused:
                    raise type(error)(f"{printable(path)}: not checked: {error}") from error
                verdict = "refused" if refused else "not checked"
                codes.add(error.exit_code)
                rows.append({"file": str(path), "verdict": verdict, "reason": str(error)})
                lines = [f"{verdict}: {error}"]
            else:
                accepted = {"file": str(path), "verdict": "accepted", "reason": ""}
                rows += [{**accepted, **row} for row in report.rows(wanted)]
                text = report.numbers(wanted) if quiet() else report.lines(wanted)
                lines = [f"accepted: {report.summary()}", *text]
            if writer.style == "text":
                writer.write(f"{printable(path)}: " + "\n  ".join(lines) + "\n")
        if writer.style != "text":
            fields = dict.fromkeys(FIELDS, "")
            writer.records(({**fields, **row} for row in rows), FIELDS)
    return min(codes, default=0)


def paths_of(files: Iterable[str]) -> Iterator[Path]:
    """Yield the files; of a folder, all certificates in it."""
    for path in map(Path, files):
        if path.is_dir():
            found = sorted(path.glob("*.satcert"))
            if not found:
                raise FileTrouble(f"{printable(path)}: no file in it ends in .satcert")
            yield from found
        else:
            yield path


def wanted_reveals(
    report: Report, board: str | None, date: str | None, reveal: str | None
) -> Sequence[Reveal]:
    """Return the reveals that were named; refuse a certificate that does not prove them all."""
    if date is None and reveal is None:
        return []
    if not (board or report.name):
        raise OptionError("this puzzle is not in the library; name it with --board FILE.toml")
    named = [reveal] if reveal else []
    wanted = select([], board=board or report.name, date=date, reveal=named).reveals
    for each in wanted:
        if each not in report.tilings:
            raise CertificateRefused(f"it says nothing about {format_reveal(each)}")
    return wanted


def only(report: Report, wanted: Sequence[Reveal]) -> Reveal:
    """Return the one reveal of which a proof is to be written."""
    chosen = wanted or list(report.tilings)
    if len(chosen) != 1:
        raise OptionError(
            f"--proof writes one date or reveal, not {len(chosen):,}; add --date or --reveal"
        )
    return chosen[0]


def write_proof(path: Path, reveal: Reveal, form: str, force: bool) -> None:
    """Write formula and proof of one reveal into the working folder, for SAT checkers."""
    names = [f"{path.stem}.cnf", f"{path.stem}.{form}"]
    proof = checking.read_proof(path, reveal)
    for name, lines in zip(names, (proof.dimacs(), proof.lines(form)), strict=True):
        with drafting(Path(name), force) as file:
            file.writelines(line.encode() for line in lines)
    checker = "cake_lpr" if form == "lrat" else "drat-trim"
    info(f"{format_reveal(reveal)}: check it with {checker} {shlex.join(names)}")
