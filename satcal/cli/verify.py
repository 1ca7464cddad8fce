"""``satcal verify``: count by several methods and compare."""

from __future__ import annotations

import sys
import time
from dataclasses import replace

import click

from satcal.cli.counting import report_trouble, run_counts, summary_lines, table, within_limit
from satcal.cli.options import Selection, counting_options, selecting
from satcal.cli.storing import storing
from satcal.counting.count import differences
from satcal.counting.settings import METHODS, Settings
from satcal.draw.tables import FORMATS, render
from satcal.errors import OptionError, exit_code
from satcal.puzzle.model import Reveal
from satcal.store.resuming import Keeper


@click.command()
@selecting
@counting_options()
@storing
@click.option(
    "--methods", default="diagram,sat", show_default=True, help="Which methods, by commas."
)
@click.option(
    "--format", "style", type=click.Choice(FORMATS),
    help="[default: calendar on a terminal, csv elsewhere]",
)  # fmt: skip
@click.option("--quiet", "-q", is_flag=True, help="No progress and no summary.")
def verify(
    selection: Selection, settings: Settings, alone: bool, methods: str, style: str | None,
    quiet: bool, keeper: Keeper,
) -> int:  # fmt: skip
    """Count each date by several methods and compare.

    A difference is exit 1; the table holds what all methods agree on. What is finished is
    stored: the same command again goes on where it stopped.
    """
    if alone:
        raise OptionError("verify compares methods: use --methods with at least two of them")
    names = list(dict.fromkeys(methods.split(",")))
    if len(names) < 2:
        raise OptionError(f"--methods {methods}: give at least two of {','.join(METHODS)}")
    puzzle, reveals = selection.puzzle, [row.reveal for row in selection.rows]
    begun = time.monotonic()
    settled = [replace(settings, method=name) for name in names]
    runs = []
    for one in settled:
        runs.append(run_counts(puzzle, reveals, within_limit(one, begun), quiet, keeper))
        if runs[-1].interrupted:
            break
    counts = {run.method: run.counts for run in runs}
    found = differences(counts, reveals)
    differing = {difference.reveal for difference in found}

    def counted_by(reveal: Reveal) -> tuple[str, ...]:
        return tuple(name for name, mine in counts.items() if reveal in mine)

    agreed = {
        reveal: counts[name][reveal]
        for reveal in reveals
        if reveal not in differing and len(counted_by(reveal)) > 1
        for name in counted_by(reveal)
    }
    style = style or ("calendar" if sys.stdout.isatty() else "csv")
    rows = table(selection.rows, agreed, counted_by)
    click.echo(render(puzzle, rows, style), nl=False)
    code = report_trouble(runs, found)
    total = len(set(reveals))
    if not quiet or code:
        for line in summary_lines(puzzle, selection.words, rows):
            click.echo(line, err=style not in ("calendar", "table"))
        each = ", ".join(f"{run.method} counted {len(run.counts):,}" for run in runs)
        compared = len(agreed) + len(found)
        verdict = f"on {compared:,} they {'DISAGREE' if found else 'agree'}"
        click.echo(f"{each} of {total:,}; {verdict if compared else 'none is compared'}", err=True)
    if any(run.interrupted for run in runs):
        click.echo("stopped by Ctrl-C", err=True)
    code = code or (0 if len(agreed) == total else 3)
    return exit_code([code, keeper.finish()])
