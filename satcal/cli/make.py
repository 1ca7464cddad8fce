"""``satcal new`` and ``satcal lint``: puzzle files, started and checked."""

from __future__ import annotations

import re
from pathlib import Path

import click

from satcal.cli import options
from satcal.cli.progress import note
from satcal.draw.tables import count_of
from satcal.errors import InputError
from satcal.files import read_text, write_bytes
from satcal.puzzle import lint as linting
from satcal.puzzle.faults import MOST, Finding
from satcal.puzzle.loading import MAX_FILE, find, template


@click.command()
@click.argument("board", required=False, shell_complete=options.complete_board)
@click.option(
    "--output", "-o", default="-", show_default=False, metavar="FILE",
    help="Where to write it.  [default: standard output]",
)  # fmt: skip
@options.force_option
@options.quiet_option
def new(board: str | None, output: str, force: bool) -> None:
    """Write a puzzle file to start from, with each key explained.

    BOARD is a puzzle of the library, or a TOML file of yours that has no comments yet; without
    it, a small puzzle of four seasons is written.
    """
    text = template()
    if board:  # with the comments of the template
        comments = {key: note for note, key in re.findall(r"((?:^#.*\n)+)(\[?\w+)", text, re.M)}
        begins = re.compile(rf"^(?:{'|'.join(map(re.escape, comments))})(?=\]| *=)", re.M)
        text = read_text(find(board, "board"), "puzzle", MAX_FILE)
        text = begins.sub(lambda key: f"{comments[key[0]]}{key[0]}", text)
    if output == "-":
        options.refuse("is about the file that --output names", "force")
        click.echo(text, nl=False)
        return
    write_bytes(Path(output), text.encode(), force)
    note(f"{output}: when you have changed it, ask `satcal lint {output}`")


@click.command()
@click.argument("board", metavar="FILE", shell_complete=options.complete_board)
@options.pieces_option
@options.tabular("text")
def lint(board: str, pieces: str | None, style: str) -> int:
    """Say all that is wrong with a puzzle file, and what is odd, line by line.

    FILE is a TOML file, or a puzzle.txt with its shapes.txt, or their folder. The exit code
    is 2 if something is wrong; what is only odd is legal.
    """
    findings = linting.lint(board, pieces)
    if style == "text":
        for file, line, kind, text, see in findings:
            mark = "odd, but legal: " if kind == "odd" else ""
            click.echo(f"{file}:{line}: {mark}{text} (see {see})")
    else:
        options.echo((each._asdict() for each in findings), Finding._fields, style)
    wrong = sum(finding.kind == "wrong" for finding in findings)
    more = ", and maybe more" if len(findings) == MOST else ""
    odd = len(findings) - wrong
    note(f"{board}: {count_of(wrong, 'mistake')}, {odd} odd{more}")
    return InputError.exit_code if wrong else 0
