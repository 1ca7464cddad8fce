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
    """Report everything a maker wants to know about a puzzle before cutting the wood.

    FILE is a puzzle file or a library name. The report says whether every date has a solution
    and, if not, which changes would help; which pieces and labels make the puzzle hard; and what
    changes without flipping, with another piece, or with labels moved. With -o FILE.html it has
    pictures.
    """
    board = options.one_board(file, board)
    findings = lint(board, pieces)
    wrong = [f"{file}: {text}" for file, kind, text, _ in findings if kind == "wrong"]
    if wrong:
        blocks = [
            f"# {board}",
            "This is not a valid puzzle yet:",
            *wrong,
            "`satcal lint` says more.",
        ]
        click.echo(rendered(blocks, style), nl=False)
        say(f"{board}: not a valid puzzle yet; `satcal lint {board}` lists the mistakes")
        return InputError.exit_code
    puzzle = load(board, pieces, flip)
    with progress("examining", 4) as advance, executing(jobs or cores()) as executor:
        examined = examine(puzzle, executor, advance)
    odd = [finding.text for finding in findings]
    click.echo(rendered(report(examined, odd), style), nl=False)
    return 0
