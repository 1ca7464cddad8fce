"""``satcal count``: the number of tilings of each date."""

from __future__ import annotations

import random
import sys
import time
from dataclasses import replace

import click

from satcal.cli.counting import Run, report_trouble, run_counts, summary_lines, table
from satcal.cli.options import Selection, counting_options, selecting
from satcal.cli.storing import storing
from satcal.counting.compare import differences
from satcal.counting.methods import Settings
from satcal.draw.tables import FORMATS, render
from satcal.draw.terminal import colours_wanted, heat_map, terminal_width
from satcal.errors import OptionError, exit_code
from satcal.puzzle.model import Puzzle, Reveal
from satcal.store.resuming import Keeper

SAMPLE = 4  # dates counted again unless told otherwise
HEAT_FROM = 28  # dates: a heat map of less than a month shows nothing
VERIFY_TIME = 20.0  # seconds: about what `search` needs for an easy date of a 50-cell board


@click.command()
@selecting
@counting_options()
@storing
@click.option(
    "--verify",
    metavar="N|all|0",
    help="Count that many dates again by sat, the one with fewest tilings first, and that one "
    f"also by search.  [default: {SAMPLE}; 0 with --method]",
)
@click.option(
    "--verify-time",
    default=VERIFY_TIME,
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
    selection: Selection, settings: Settings, alone: bool, verify: str | None, verify_time: float,
    style: str | None, quiet: bool, keeper: Keeper,
) -> int:  # fmt: skip
    """Count the tilings of each date.

    The table goes to stdout; progress goes to stderr, and so does the summary unless the
    format is calendar or table. Then some dates are counted again by other methods. What sat
    and search have finished is stored, and not counted again by the same command.
    """
    puzzle, rows = selection.puzzle, selection.rows
    size = sample_size(verify or ("0" if alone else str(SAMPLE)), len(rows))
    # one diagram answers faster than a store; then only the sample is stored
    at_once = settings.method == "diagram" and not settings.up_to_symmetry
    keeper.required = not at_once
    reveals = [row.reveal for row in rows]
    run = run_counts(puzzle, reveals, settings, quiet, keeper, lazily=at_once)
    style = style or ("calendar" if sys.stdout.isatty() else "csv")
    counted = table(rows, run.counts, lambda reveal: (run.method,))
    click.echo(render(puzzle, counted, style), nl=False)
    if style == "calendar" and colours_wanted() and len(counted) >= HEAT_FROM:
        click.echo("\n" + heat_map(counted, terminal_width()), nl=False, color=True)
    if not quiet:
        for line in summary_lines(puzzle, selection.words, counted):
            click.echo(line, err=style not in ("calendar", "table"))
    sys.stdout.flush()
    again: list[Run] = []
    if not run.interrupted:
        again = count_again(
            puzzle, run, choose_sample(puzzle, run, size), settings, verify_time, quiet, keeper
        )
    code = conclude(run, again, quiet)
    return exit_code([code, keeper.exit_code])


def sample_size(verify: str, rows: int) -> int:
    """Return how many dates to count again.

    Raises:
        OptionError: neither a number nor ``all``.
    """
    if verify == "all":
        return rows
    if not verify.isdecimal():
        raise OptionError(f"--verify '{verify}': use a number of dates, all, or 0")
    return int(verify)


def choose_sample(puzzle: Puzzle, run: Run, size: int) -> list[Reveal]:
    """Return the reveal with the fewest tilings and others drawn without a clock.

    The seed comes from the puzzle and the range, so the same command checks the same dates.
    """
    counts = run.counts
    known = [reveal for reveal in run.wanted if reveal in counts]
    if not known or not size:
        return []
    fewest = min(known, key=lambda reveal: counts[reveal])
    rest = [reveal for reveal in known if reveal != fewest]
    random.Random(f"{puzzle.digest} {run.wanted[0]} {run.wanted[-1]} {len(run.wanted)}").shuffle(
        rest
    )
    return [fewest, *rest[: size - 1]]


def count_again(
    puzzle: Puzzle,
    run: Run,
    sample: list[Reveal],
    settings: Settings,
    seconds: float,
    quiet: bool,
    keeper: Keeper,
) -> list[Run]:
    """Count a sample by the other methods: ``search``, which is slow, takes only its first."""
    plan = {"diagram": ("sat", "search"), "search": ("sat",)}.get(run.method, ("search",))
    deadline = time.monotonic() + seconds
    runs: list[Run] = []
    for method in plan if sample else ():
        part = sample[:1] if len(plan) > 1 and method == "search" else sample
        left = max(0.0, deadline - time.monotonic())
        again = replace(settings, method=method, time_limit=left, conflicts=None)
        runs.append(run_counts(puzzle, part, again, quiet, keeper))
        if runs[-1].interrupted:
            break
    return runs


def conclude(run: Run, again: list[Run], quiet: bool) -> int:
    """Say what each method counted and whether they agree; return the exit code."""
    runs = [run, *again]
    found = differences({each.method: each.counts for each in runs}, run.wanted)
    code = report_trouble(runs, found)
    said = [f"{run.method} counted {len(run.counts):,} of {len(run.wanted):,}"]
    for each in again:
        unfinished = len(each.wanted) - len(each.counts)
        note = f" ({unfinished:,} more not finished in time)" if unfinished else ""
        said.append(f"{each.method} {len(each.counts):,} of these again{note}")
    line = ", ".join(said)
    if any(each.counts for each in again):
        line += f": they {'DISAGREE' if found else 'agree'}"
    interrupted = any(each.interrupted for each in runs)
    if interrupted:
        line += "; stopped by Ctrl-C"
    elif not run.complete:
        line += "; the rest is UNKNOWN"
    if not quiet or code:
        click.echo(line, err=True)
    return code or (3 if interrupted or not run.complete else 0)
