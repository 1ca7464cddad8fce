"""``satcal check-design``: a report of a puzzle for who would make it."""

from __future__ import annotations

import click

from satcal.cli import options
from satcal.cli.progress import progress, say
from satcal.counting.count import executing
from satcal.designing.examining import examine
from satcal.draw.report import rendered, report
from satcal.errors import InputError
from satcal.processes import cores
from satcal.puzzle.lint import lint
from satcal.puzzle.loading import load


@options.command()
@options.file_argument
@options.one_board_option
@options.pieces_option
@options.flip_option
@options.jobs_option
@options.tabular("text", "markdown", "html", tables=False)
def check_design(
    file: str | None,
    board: str | None,
    pieces: str | None,
    flip: str | None,
    jobs: int | None,
    style: str,
) -> int:
    """Report all that a maker wants to know of a puzzle before the wood is cut.

    FILE is a puzzle file, or a puzzle of the library. Is every date solvable, and what would
    make it so? Which pieces and labels make it hard, and what changes without flipping, with
    another piece, with labels elsewhere? An .html file has pictures.
    """
    board = options.one_board(file, board)
    findings = lint(board, pieces)
    wrong = [f"{file}: {text}" for file, kind, text, _ in findings if kind == "wrong"]
    if wrong:
        blocks = [f"# {board}", "This is no puzzle yet:", *wrong, "`satcal lint` says more."]
        click.echo(rendered(blocks, style), nl=False)
        say(f"{board} is no puzzle yet; ask `satcal lint {board}`")
        return InputError.exit_code
    puzzle = load(board, pieces, flip)
    with progress("examining", 4) as advance, executing(jobs or cores()) as executor:
        examined = examine(puzzle, executor, advance)
    odd = [finding.text for finding in findings]
    click.echo(rendered(report(examined, odd), style), nl=False)
    return 0
