"""``satcal count``: the number of tilings of each date."""

from __future__ import annotations

import sys
import time
from dataclasses import replace

import click

from satcal.cli.counting import (
    Run,
    report_trouble,
    run_counts,
    summary_lines,
    table,
    within_limit,
)
from satcal.cli.options import Selection, counting_options, selecting
from satcal.cli.storing import storing
from satcal.counting.count import SAMPLE, affordable, choose_sample, differences
from satcal.counting.settings import Settings
from satcal.draw.tables import FORMATS, render
from satcal.errors import Disagreement, OptionError, Stopped, exit_code
from satcal.evidence.tables import Tables, results_folder
from satcal.puzzle.model import Puzzle, Reveal
from satcal.store.resuming import Keeper

HEAT_FROM = 28  # dates: a heat map of less than a month shows nothing
VERIFY_TIME = 4.0  # seconds; what is chosen by default needs about two


@click.command()
@selecting
@counting_options()
@storing
@click.option(
    "--verify",
    metavar="N|all|0",
    help="Count that many dates again by sat, the one with fewest tilings first, and that one "
    f"also by search.  [default: up to {SAMPLE} that take a moment; 0 with --method]",
)
@click.option(
    "--verify-time",
    type=click.FloatRange(min=0),
    metavar="SECONDS",
    help=f"Budget of that.  [default: {VERIFY_TIME:g}, none with --verify]",
)
@click.option(
    "--format",
    "style",
    type=click.Choice(FORMATS),
    help="[default: calendar on a terminal, csv elsewhere]",
)
@click.option("--quiet", "-q", is_flag=True, help="No progress and no summary.")
def count(
    selection: Selection, settings: Settings, alone: bool, verify: str | None,
    verify_time: float | None,
    style: str | None, quiet: bool, keeper: Keeper,
) -> int:  # fmt: skip
    """Count the tilings of each date.

    The table goes to stdout; progress goes to stderr, and so does the summary unless the
    format is calendar or table. Then some dates are counted again by other methods. What sat
    and search have finished is stored, and not counted again by the same command.
    """
    puzzle, rows = selection.puzzle, selection.rows
    size = sample_size(verify or ("0" if alone or quiet else str(SAMPLE)), len(rows))
    # one diagram answers faster than a store; then only the sample is stored
    at_once = settings.method == "diagram" and not settings.up_to_symmetry
    keeper.required = not at_once
    reveals = [row.reveal for row in rows]
    begun = time.monotonic()
    run = run_counts(puzzle, reveals, settings, quiet, keeper, lazily=at_once)
    style = style or ("calendar" if sys.stdout.isatty() else "csv")
    counted = table(rows, run.counts, lambda reveal: (run.method,))
    click.echo(render(puzzle, counted, style), nl=False)
    if style == "calendar" and len(counted) >= HEAT_FROM:
        from satcal.draw.terminal import console, heat_map

        screen = console()
        if screen.color_system and not screen.no_color:
            screen.print("\n", heat_map(counted, screen.width), sep="")
    if not quiet:
        for line in summary_lines(puzzle, selection.words, counted):
            click.echo(line, err=style not in ("calendar", "table"))
    sys.stdout.flush()
    again: list[Run] = []
    if size and not run.interrupted:
        sample = choose_sample(puzzle, run.counts, size)
        if verify is None:
            sample = affordable(sample, run.counts)
            verify_time = VERIFY_TIME if verify_time is None else verify_time
        limits = (verify_time, within_limit(settings, begun).time_limit)
        seconds = min((limit for limit in limits if limit is not None), default=None)
        again = count_again(puzzle, run, sample, settings, seconds, quiet, keeper)
    code = conclude(run, again, verify is not None, quiet, bool(size))
    if size:
        code = exit_code([code, compare_with_table(puzzle, run, settings)])
    return exit_code([code, keeper.finish()])


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


def count_again(
    puzzle: Puzzle,
    run: Run,
    sample: list[Reveal],
    settings: Settings,
    seconds: float | None,
    quiet: bool,
    keeper: Keeper,
) -> list[Run]:
    """Count a sample by the other methods: ``search``, which is slow, takes only its first.

    A single date that somebody only looks up is left to ``sat``: ``seconds`` is then a budget.
    """
    plan = {"diagram": ("sat", "search"), "search": ("sat",)}.get(run.method, ("search",))
    deadline = None if seconds is None else time.monotonic() + seconds
    if seconds is not None and len(run.wanted) == 1:
        plan = plan[:1]
    runs: list[Run] = []
    for method in plan if sample else ():
        part = sample[:1] if len(plan) > 1 and method == "search" else sample
        left = None if deadline is None else max(0.0, deadline - time.monotonic())
        again = replace(settings, method=method, time_limit=left, conflicts=None)
        runs.append(run_counts(puzzle, part, again, quiet, keeper))
        if runs[-1].interrupted:
            break
    return runs


def conclude(run: Run, again: list[Run], asked: bool, quiet: bool, verified: bool) -> int:
    """Say what each method counted and whether they agree; return the exit code.

    A sample that was ``asked`` for has to be finished; of the usual one, some of it.
    """
    runs = [run, *again]
    found = differences({each.method: each.counts for each in runs}, run.wanted)
    code = report_trouble(runs, found)
    interrupted = any(each.interrupted for each in runs)
    compared = [each for each in again if each.counts]
    said = [f"{run.method} counted {len(run.counts):,} of {len(run.wanted):,}"]
    said += [f"{each.method} {len(each.counts):,} of these again" for each in compared]
    line = ", ".join(said)
    if compared:
        line += f": they {'DISAGREE' if found else 'agree'}"
    elif verified and run.complete and not again:
        line += ", and no other method: that would take more than a moment; --verify N does it"
    if interrupted:
        line += "; stopped by Ctrl-C"
    elif not run.complete:
        line += "; the rest is UNKNOWN"
    late = [f"{len(each.wanted) - len(each.counts):,} by {each.method}" for each in again
            if not each.complete]  # fmt: skip
    if late:
        line += f"; not counted again: {', '.join(late)}"
        line += "" if interrupted or code else " (--verify-time gives more, --verify 0 asks none)"
    if not quiet or code:
        click.echo(line, err=True)
    stopped = interrupted or not run.complete or (late and (asked or not compared))
    return code or (Stopped.exit_code if stopped else 0)


def compare_with_table(puzzle: Puzzle, run: Run, settings: Settings) -> int:
    """Compare counts with the table that satcal ships of this puzzle, and return the exit code."""
    if settings.demands or settings.up_to_symmetry or not run.counts:
        return 0
    table = Tables(results_folder() / "counts").find(puzzle)
    if table is None:
        return 0
    wrong = [r for r, tilings in run.counts.items() if table.tilings(r) != tilings]
    for reveal in wrong:
        click.echo(
            f"DISAGREEMENT {' '.join(reveal)}: {run.method} counts {run.counts[reveal]:,}, the "
            f"shipped table says {table.tilings(reveal):,}",
            err=True,
        )
    by_sat = sum("sat" in table.rows[frozenset(reveal)].methods for reveal in run.counts)
    number = len(run.counts)
    which = "each" if by_sat == number else f"{by_sat:,}"
    click.echo(
        f"{number - len(wrong):,} of {number:,} as in the shipped table, where sat counted {which}",
        err=True,
    )
    return Disagreement.exit_code if wrong else 0
