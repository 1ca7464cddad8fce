"""``satcal new`` and ``satcal lint``: puzzle files, started and checked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import click

from satcal.cli import options
from satcal.cli.progress import note
from satcal.errors import InputError, OptionError
from satcal.files import read_text, write_bytes
from satcal.puzzle import lint as linting
from satcal.puzzle.faults import MOST, Finding
from satcal.puzzle.loading import MAX_FILE, find, template
from satcal.tables import count_of


@options.command()
@click.argument(
    "names", nargs=-1, metavar="[BOARD] [FILE.toml]", shell_complete=options.complete_board
)
@click.option(
    "--output",
    "-o",
    default="-",
    show_default=False,
    metavar="FILE",
    help="Where to write it.  [default: standard output]",
)
@options.force_option
@options.quiet_option
def new(names: tuple[str, ...], output: str, force: bool) -> None:
    """Write a puzzle file to start from, with each key explained.

    BOARD is a library puzzle, or a TOML file of your own that has no comments yet; without it, the
    puzzle is a small one with four seasons. If only one name is given and no such file exists, it
    is taken as FILE.toml.
    """
    board, output = _from_and_to(names, output)
    text = template()
    if board:  # with the comments of the template
        comments = {key: note for note, key in re.findall(r"((?:^#.*\n)+)(\[?\w+)", text, re.M)}
        begins = re.compile(rf"^(?:{'|'.join(map(re.escape, comments))})(?=\]| *=)", re.M)
        text = read_text(find(board, "board"), "puzzle", MAX_FILE)
        text = begins.sub(lambda key: f"{comments[key[0]]}{key[0]}", text)
    if output == "-":
        options.refuse("needs --output", "force")
        click.echo(text, nl=False)
        return
    write_bytes(Path(output), text.encode(), force)
    note(f"{output} written; edit it, then check it with `satcal lint {output}`")


def _from_and_to(names: Sequence[str], output: str) -> tuple[str | None, str]:
    """The board to begin with, and the file to write, of one or two names."""
    *boards, last = names or ("",)
    known = not last or last in options.boards() or Path(last).exists()
    if boards or not (known or ("." not in last and "/" not in last)):
        if boards[1:] or output != "-":
            raise OptionError(f"{last!r} is one name too many; write one file at a time")
        return (boards[0] if boards else None), last
    return last or None, output


@options.command()
@options.file_argument
@options.one_board_option
@options.pieces_option
@options.tabular("text")
def lint(file: str | None, board: str | None, pieces: str | None, style: str) -> int:
    """List everything that is wrong or odd in a puzzle file.

    FILE is a TOML file, a puzzle.txt with a shapes.txt next to it, or the folder that holds both.
    The exit code is 2 if anything is wrong; odd things are legal.
    """
    board = options.one_board(file, board)
    findings = linting.lint(board, pieces)
    if style == "text":
        for file, kind, text, see in findings:
            mark = "odd, but legal: " if kind == "odd" else ""
            click.echo(f"{file}: {mark}{text} (satcal manual {see})")
    else:
        options.echo((finding._asdict() for finding in findings), Finding._fields, style)
    wrong = sum(finding.kind == "wrong" for finding in findings)
    more = ", and maybe more" if len(findings) == MOST else ""
    mistakes = count_of(wrong, "mistake") if wrong else "no mistakes"
    odd = f", {len(findings) - wrong} odd but legal" if len(findings) > wrong else ""
    note(f"{board}: {mistakes}{odd}{more}")
    return InputError.exit_code if wrong else 0
