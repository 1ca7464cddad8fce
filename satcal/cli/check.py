"""``satcal check``: check certificates, and name or draw their puzzles."""

from __future__ import annotations

import shlex
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from satcal.certificates import checking
from satcal.certificates.checking import Report
from satcal.certificates.second_opinions import CHECKERS, PROOF_FORMATS, parse_checkers
from satcal.certificates.sources import format_reveal
from satcal.cli.options import (
    SECONDS,
    Command,
    add_section,
    date_option,
    memory_option,
    reveal_option,
)
from satcal.cli.output import COMPRESSED, Writer, add_output, info, is_quiet, progress
from satcal.cli.words import load_board, select
from satcal.errors import CertificateRefused, FileTrouble, OptionError, SatcalError, printable
from satcal.files import drafting
from satcal.processes import Call, interruptible, tell_each
from satcal.puzzle.model import Reveal

CHECKER_HELP = f"Also run {', '.join(CHECKERS)}; may be repeated."


@click.command(cls=Command)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@add_section(
    "Which puzzle and dates",
    click.option("-b", "--board", metavar="NAME|FILE", help="The puzzle they must be about."),
    date_option,
    reveal_option,
)
@add_section(
    "Other checkers",
    click.option("--checker", "checkers", multiple=True, metavar="NAME", help=CHECKER_HELP),
    click.option(
        "--proof",
        type=click.Choice([*PROOF_FORMATS]),
        help="Write a formula and its proof.",
    ),
)
@add_section(
    "Limits",
    memory_option(4, "For the checker."),
    click.option("--time-limit", type=SECONDS, default=3600.0, metavar="SECONDS", help="Per file."),
)
@add_output("text")
def check(
    files: tuple[str, ...],
    board: str | None,
    date: Sequence[str],
    reveal: Sequence[str],
    checkers: tuple[str, ...],
    proof: str | None,
    memory_limit: int,
    time_limit: float,
    writer: Writer,
) -> int:
    """Check certificates, or all certificates of a folder.

    With --date or --reveal, the report is about these, and a file that lacks one is refused.
    An accepted certificate proves its numbers, whoever made it; a refused one proves nothing
    (exit 1), and one beyond the format's bounds is not checked (exit 2).

    The report names the puzzle if --board names it or the library has it; any other puzzle is
    drawn, board and pieces.
    """
    paths = list(find_certificates(files))
    checker_names = parse_checkers(checkers)
    puzzle = load_board(board=board) if board else None
    if proof and len(paths) > 1:
        raise OptionError(f"--proof is for one certificate, not {len(paths)}; give one FILE")
    codes = set[int]()
    with interruptible(), writer:
        for path in paths:
            end = time.monotonic() + time_limit
            verdict = "not checked"
            try:
                with progress(f"checking {path.name}") as step:
                    report = checking.check_within(
                        path,
                        checker_names,
                        board=puzzle,
                        memory=memory_limit,
                        seconds=time_limit,
                        step=step,
                    )
                verdict = "accepted"  # what fails below is only the question or the --proof
                reveals = select_reveals(report, board, date, reveal)
                if proof:
                    limits = {"memory": memory_limit, "seconds": max(0.0, end - time.monotonic())}
                    write_proof(path, only_reveal(report, reveals), proof, writer.force, **limits)
            except SatcalError as error:
                is_refused = isinstance(error, CertificateRefused)
                if len(paths) == 1 and not is_refused:
                    raise type(error)(f"{printable(path)}: {verdict}: {error}") from error
                verdict = "refused" if is_refused else verdict
                codes.add(error.exit_code)
                lines = [f"{verdict}: {error}"]
            else:
                # quiet: only the numbers that --date or --reveal asks for
                text = report.numbers(reveals) if is_quiet() else report.lines(reveals)
                lines = [f"accepted: {report.summary()}", *text]
            writer.write(f"{printable(path)}: " + "\n  ".join(lines) + "\n")
    return min(codes, default=0)


def find_certificates(files: Iterable[str]) -> Iterator[Path]:
    """Yield the files, and all certificates in the folders among them."""
    for path in map(Path, files):
        if path.suffix in COMPRESSED:
            raise OptionError(f"{printable(path)} is compressed; give the certificate in it")
        if path.is_dir():
            certificates = sorted(path.glob("*.satcert"))
            if not certificates:
                raise FileTrouble(f"{printable(path)}: no file in it ends in .satcert")
            yield from certificates
        else:
            yield path


def select_reveals(
    report: Report, board: str | None, date: Sequence[str], reveal: Sequence[str]
) -> Sequence[Reveal]:
    """Return the reveals that the options name; refuse a certificate that lacks one of them."""
    if not (date or reveal):
        return []
    if not (board or report.name):
        raise OptionError("this puzzle is not in the library; name it with --board FILE.toml")
    reveals = select([], board=board or report.name, date=date, reveal=reveal).reveals
    for labels in reveals:
        if labels not in report.tilings:
            raise CertificateRefused(f"it has no count of {format_reveal(labels)}")
    return reveals


def only_reveal(report: Report, selected: Sequence[Reveal]) -> Reveal:
    """Return the only selected reveal, or the only one of the certificate."""
    reveals = selected or list(report.tilings)
    if len(reveals) != 1:
        raise OptionError(
            f"--proof writes one date or reveal, not {len(reveals):,}; add --date or --reveal"
        )
    return reveals[0]


def write_proof(path: Path, reveal: Reveal, format: str, force: bool, **limits: Any) -> None:
    """Write the formula and the proof of a reveal into the working folder, for other checkers.

    A process with ``limits`` makes them, as for :func:`satcal.certificates.checking.check_within`.
    """
    names = [path.stem + suffix for suffix in PROOF_FORMATS[format]]
    with drafting(Path(names[0]), force) as formula, drafting(Path(names[1]), force) as proof:
        files = (formula, proof)
        checking.run_within(
            "--proof: not fully written",
            Call(tell_each, (checking.proof_parts, (path, reveal, format))),
            on_message=lambda message: files[message[0]].write(message[1].encode()),
            **limits,
        )
    checker = {"drup": "drat-trim", "lrat": "cake_lpr", "veripb": "veripb"}[format]
    info(f"{format_reveal(reveal)}: check it with {checker} {shlex.join(names)}")
