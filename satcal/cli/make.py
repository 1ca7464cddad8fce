"""``satcal new`` and ``satcal lint``: puzzle files, started and checked."""

from __future__ import annotations

from dataclasses import asdict, fields
from pathlib import Path

import click

from satcal.cli import options
from satcal.draw.tables import count_of
from satcal.errors import InputError
from satcal.files import check_output, write_bytes
from satcal.puzzle import lint as linting
from satcal.puzzle.faults import MOST, Finding
from satcal.puzzle.loading import load
from satcal.puzzle.writing import TEMPLATE, to_start_from
from satcal.records import STYLES, written


@click.command()
@click.argument("board", required=False, shell_complete=options.complete_board)
@options.pieces_option
@options.flip_option
@click.option("--output", "-o", metavar="FILE", help="Where to write it.  [default: stdout]")
@options.force_option
def new(
    board: str | None, pieces: str | None, flip: str | None, output: str | None, force: bool
) -> None:  # fmt: skip
    """Write a puzzle file to start from, with each key explained.

    BOARD is a library name or a file, also in the plain form; without it, a small template.
    """
    if board is None and (pieces or flip):
        raise InputError("--pieces and --flip change a puzzle: name a BOARD, such as rhombus")
    path = Path(output) if output and output != "-" else None
    if path:
        check_output(path, force)
    text = TEMPLATE if board is None else to_start_from(load(board, pieces, flip))
    if path is None:
        click.echo(text, nl=False)
        return
    write_bytes(path, text.encode(), force)
    click.echo(f"{path}: `satcal lint {path}` says what is wrong after a change", err=True)


@click.command()
@click.argument("board", metavar="FILE", shell_complete=options.complete_board)
@options.pieces_option
@options.format_option(["lines", *STYLES], "lines", "A line for each finding, or records.")
@click.option("--quiet", "-q", is_flag=True, help="No summary.")
def lint(board: str, pieces: str | None, style: str, quiet: bool) -> int:
    """Say all that is wrong with a puzzle file, and what is odd, with lines and remedies.

    FILE is a TOML file, or a puzzle.txt with its shapes.txt or their folder. Exit code 2 if
    something is wrong; what is only odd is not.
    """
    findings = linting.lint(board, pieces)
    if style == "lines":
        for finding in findings:
            click.echo(str(finding))
    else:
        records = map(asdict, findings)
        click.echo(written(records, [field.name for field in fields(Finding)], style), nl=False)
    wrong = sum(finding.kind == "wrong" for finding in findings)
    if not quiet:
        more = " (there may be more)" if len(findings) == MOST else ""
        odd = len(findings) - wrong
        click.echo(f"{board}: {count_of(wrong, 'mistake')}, {odd} odd{more}", err=True)
    return InputError.exit_code if wrong else 0
