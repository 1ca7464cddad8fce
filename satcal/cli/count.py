"""``satcal count``: the number of tilings of each date."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace

import click

from satcal.cli.counting import Run, report_trouble, run_counts, summary_lines, table
from satcal.cli.options import Selection, counting_options, selecting
from satcal.counting.compare import differences
from satcal.counting.methods import Settings
from satcal.draw.tables import FORMATS, render
from satcal.errors import OptionError
from satcal.puzzle.model import Reveal

OTHER = {"sat": "search", "search": "sat"}


@click.command()
@selecting
@counting_options(default="sat")
@click.option(
    "--verify",
    default="1",
    show_default=True,
    metavar="N|all|0",
    help="Count that many dates, the first ones, again by another method.",
)
@click.option(
    "--verify-time",
    default=60.0,
    show_default=True,
    type=click.FloatRange(min=0),
    metavar="SECONDS",
    help="Budget of that.",
)
@click.option(
    "--format",
    "style",
    type=click.Choice(FORMATS),
    help="[default: calendar on a terminal, csv elsewhere]",
)
@click.option("--quiet", "-q", is_flag=True, help="No progress and no summary.")
def count(
    selection: Selection, settings: Settings, verify: str, verify_time: float,
    style: str | None, quiet: bool,
) -> int:  # fmt: skip
    """Count the tilings of each date.

    The table goes to stdout; progress goes to stderr, and so does the summary unless the
    format is calendar or table.
    """
    puzzle, rows = selection.puzzle, selection.rows
    reveals = [row.reveal for row in rows]
    sample = choose_sample(reveals, verify)
    run = run_counts(puzzle, reveals, settings, quiet)
    style = style or ("calendar" if sys.stdout.isatty() else "csv")
    again = None
    counted = table(rows, run.counts, lambda reveal: (run.method,))
    click.echo(render(puzzle, counted, style), nl=False)
    if not quiet:
        for line in summary_lines(puzzle, selection.words, counted):
            click.echo(line, err=style not in ("calendar", "table"))
    if sample and run.counts and not run.interrupted:
        again = run_counts(
            puzzle,
            [reveal for reveal in sample if reveal in run.counts],
            replace(settings, method=OTHER[run.method], time_limit=verify_time, conflicts=None),
            quiet,
        )
    return conclude(run, again, quiet)


def choose_sample(reveals: Sequence[Reveal], verify: str) -> list[Reveal]:
    """Return the first N distinct reveals, or all of them.

    Raises:
        OptionError: neither a number nor ``all``.
    """
    distinct = list(dict.fromkeys(reveals))
    if verify == "all":
        return distinct
    if not verify.isdecimal():
        raise OptionError(f"--verify '{verify}': use a number of dates, all, or 0")
    return distinct[: int(verify)]


def conclude(run: Run, again: Run | None, quiet: bool) -> int:
    """Say what each method counted and whether they agree; return the exit code."""
    runs = [run, again] if again else [run]
    found = differences({each.method: each.counts for each in runs}, run.wanted)
    code = report_trouble(runs, found)
    said = f"{run.method} counted {len(run.counts):,} of {len(run.wanted):,}"
    if again:
        said += f", {again.method} {len(again.counts):,} of these again"
        unfinished = len(again.wanted) - len(again.counts)
        if unfinished:
            said += f" ({unfinished:,} not finished in time)"
        if again.counts:
            said += f": they {'DISAGREE' if found else 'agree'}"
    if run.interrupted or (again and again.interrupted):
        said += "; stopped by Ctrl-C"
    elif not run.complete:
        said += "; the rest is UNKNOWN"
    if not quiet or code:
        click.echo(said, err=True)
    interrupted = run.interrupted or (again is not None and again.interrupted)
    return code or (3 if interrupted or not run.complete else 0)
