"""``satcal count`` and ``verify``: how many tilings each date has."""

from __future__ import annotations

import functools
import math
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import replace
from typing import Any

import click

from satcal.cli import options
from satcal.cli.methods import CountOptions, counting_options
from satcal.cli.progress import Pace, layers, note, progress, quiet, say
from satcal.cli.summary import in_a_sentence, say_conclusion, summarise
from satcal.counting.count import Tally, affordable, choose_sample
from satcal.counting.outcomes import Outcome, Status
from satcal.counting.settings import METHODS, Assignment, ByDiagram, BySat
from satcal.errors import OptionError, Stopped, exit_code
from satcal.published.conclusions import conclude
from satcal.puzzle.model import Reveal
from satcal.puzzle.ranges import Row
from satcal.store.location import parse_location
from satcal.store.resuming import Keeper
from satcal.store.runs import Audience, count_and_keep, count_in_turn, left_of
from satcal.tables import CountedRow, count_of, render, work_table

SAMPLE = 4  # dates of a range that are counted again unless asked otherwise
HEAT_FROM = 28  # dates: a heat map of less than a month shows nothing
VERIFY_TIME = 4.0  # seconds; what is chosen by default needs about two
UNFINISHED = {Status.UNKNOWN: "is not finished within the limits", Status.ERROR: "failed"}
STORED = "store"  # in the column of methods: a number that nothing counted in this run


def storing(recalling: bool = True) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add ``--store``; the command takes a ``keeper`` instead.

    One that is ``recalling`` what the store knows has ``--fresh`` to count it again.
    """

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @options.store_option
        @functools.wraps(command)
        def wrapped(
            selection: options.Selection,
            where: str | None,
            fresh: bool = not recalling,
            **rest: Any,
        ) -> Any:
            location = parse_location(where)
            if fresh and recalling and location is None:
                raise OptionError("--fresh needs a store; drop it or --store none")
            with closing(Keeper(location, selection.origin, fresh, say=say, note=note)) as keeper:
                return command(selection=selection, keeper=keeper, **rest)

        if not recalling:
            return wrapped
        option = click.option(
            "--fresh", is_flag=True, help="Count again even what is already in the store."
        )
        return option(wrapped)

    return decorate


@options.command()
@options.selecting
@counting_options()
@storing()
@click.option(
    "--verify",
    type=options.some,
    metavar="N|all|0",
    help="Recount N dates with sat, starting with the one with the fewest solutions; search "
    f"recounts that one too.  [default: up to {SAMPLE} quick ones; 0 with --method]",
)
@click.option(
    "--verify-time",
    type=options.seconds,
    metavar="SECONDS",
    help=f"Time for the recount of --verify.  [default: {VERIFY_TIME:g}; no limit if --verify is "
    "given]",
)
@options.statistics_option
@click.option(
    "--fewer-than",
    "fewer",
    type=click.IntRange(min=1),
    metavar="N",
    help="Show only dates with fewer solutions.",
)
@click.option(
    "--sort",
    type=click.Choice(["date", "tilings", "guesses"]),
    default="date",
    help="Order of the rows: by date, fewest solutions first, or with --difficulty the most "
    "guesses on average first.",
)
@click.option(
    "--difficulty",
    "hard",
    is_flag=True,
    help="Add measures of how hard each date is (see `satcal manual difficulty`).",
)
@options.tabular("calendar")
def count(
    selection: options.Selection,
    count_options: CountOptions,
    verify: int | None,
    verify_time: float | None,
    with_statistics: bool,
    fewer: int | None,
    sort: str,
    hard: bool,
    style: str,
    keeper: Keeper,
) -> int:
    """Count the solutions of each date.

    The table goes to stdout. Progress goes to stderr, and so does the summary, except in the
    formats calendar and table. At the end, a few dates are recounted by other methods. Finished
    counts by sat and search are stored, and the same command does not count them again.
    """
    if hard and count_options.question.up_to_symmetry:
        raise OptionError("--difficulty cannot be combined with --up-to-symmetry; drop one")
    if sort == "guesses" and not hard:
        raise OptionError("--sort guesses needs --difficulty, which measures them")
    assignment, began = count_options.assignment_to(count_options.name), time.monotonic()
    size = SAMPLE if verify is None else verify
    if verify is None and (quiet() or options.given("method")):
        size = 0
    if not size:
        options.refuse("needs --verify", "verify_time")
    # one diagram answers faster than a store; then only the sample is stored
    keeper.required = not assignment.by_one_diagram
    tally = count_and_keep(
        assignment, keeper, show_progress, diagram_first=assignment.by_one_diagram
    )
    counts, limit = tally.counts, count_options.run.time_limit
    table = [_counted_row(row, tally, counts) for row in selection.rows]
    if hard and not tally.interrupted:
        some = _with_fewer(table, fewer)
        table = _measured(some, table, count_options, left_of(limit, began))
    unmeasured = hard and not all(entry.measures for entry in _with_fewer(table, fewer))
    if sort == "tilings":
        table.sort(key=lambda entry: math.inf if entry.tilings is None else entry.tilings)
    if sort == "guesses":
        table.sort(key=_most_guesses)
    if sort != "date":
        style = "table" if style == "calendar" else style
    up_to_symmetry = count_options.question.up_to_symmetry
    _print(selection, table, style, up_to_symmetry, fewer)
    again: list[Tally] = []
    if size and not tally.interrupted and not unmeasured:
        sample = choose_sample(selection.puzzle, counts, size)
        if verify is None:
            sample = affordable(sample, counts)
            verify_time = VERIFY_TIME if verify_time is None else verify_time
        limits = (verify_time, left_of(limit, began))
        seconds = min((limit for limit in limits if limit is not None), default=None)
        again = _count_again(count_options, tally, sample, seconds, keeper)
    conclusion = conclude(count_options.question, tally, again)
    codes = [say_conclusion(conclusion, selection.noun, verify)]
    if unmeasured:
        codes.append(Stopped.exit_code)
    if with_statistics:
        did = {finished.method: finished.work for finished in (tally, *again)}
        click.echo(work_table(did), nl=False, err=True)
    return exit_code([*codes, keeper.finish()])


def _counted_row(row: Row, tally: Tally, counts: Mapping[Reveal, int]) -> CountedRow:
    """The row of a table: its number, and by what it was counted unless it was recalled."""
    method = STORED if row.reveal in tally.recalled else tally.method
    return CountedRow(row, counts.get(row.reveal), (method,))


def _measured(
    some: list[CountedRow],
    table: list[CountedRow],
    count_options: CountOptions,
    limit: float | None,
) -> list[CountedRow]:
    """The rows, ``some`` with their measures of difficulty, as far as the limit lets it come."""
    from satcal.cli.measuring import measured

    reveals = list(dict.fromkeys(entry.row.reveal for entry in some))
    diagram = count_options.methods[ByDiagram.name]
    assert isinstance(diagram, ByDiagram)
    known = measured(count_options.question.about(*reveals), diagram, limit) if reveals else []
    measures = {difficulty.reveal: difficulty.record() for difficulty in known}
    return [replace(entry, measures=measures.get(entry.row.reveal, {})) for entry in table]


def _most_guesses(entry: CountedRow) -> float:
    """What rows are sorted by so that the hardest is first; those without a measure are last."""
    guesses = entry.measures.get("guesses_mean")
    return -float(str(guesses)) if guesses is not None else math.inf


def _with_fewer(table: list[CountedRow], fewer: int | None) -> list[CountedRow]:
    """The rows that have fewer tilings than was asked, or all."""
    if fewer is None:
        return table
    return [entry for entry in table if entry.tilings is not None and entry.tilings < fewer]


def _print(
    selection: options.Selection,
    table: list[CountedRow],
    style: str,
    up_to_symmetry: bool,
    fewer: int | None = None,
) -> None:
    """Print the rows, those with ``fewer`` tilings if that is asked, and what sums them up."""
    puzzle, listed = selection.puzzle, _with_fewer(table, fewer)
    if style == "calendar" and fewer is None and len(table) == 1 and not table[0].measures:
        click.echo(in_a_sentence(selection, table[0], up_to_symmetry))
        sys.stdout.flush()
        return
    click.echo(render(puzzle, listed, style), nl=False)
    if style == "calendar" and len(listed) >= HEAT_FROM:
        from satcal.draw.terminal import console, heat_map

        screen = console()
        if screen.color_system and not screen.no_color:
            screen.print("\n", heat_map(listed, screen.width), sep="")
    if not quiet():
        summarise(selection, table, style, up_to_symmetry)
        if fewer is not None:
            rows, bound = count_of(len(table), "row"), count_of(fewer, "solution")
            less = f"{len(listed):,} of {rows}: fewer than {bound}"
            click.echo(less, err=style not in ("calendar", "table"))
    sys.stdout.flush()


@options.command()
@options.selecting
@counting_options(choose=False)
@storing(recalling=False)
@click.option(
    "--methods",
    default="diagram,sat",
    metavar="diagram,sat,...",
    help=f"Two or more of {', '.join(METHODS)}.",
)
@options.tabular("calendar")
def verify(
    selection: options.Selection,
    count_options: CountOptions,
    methods: str,
    style: str,
    keeper: Keeper,
) -> int:
    """Count each date by several methods and compare.

    Nothing is taken from the store. The table shows the counts on which all methods agree; if any
    differ, the exit code is 1.
    """
    names = list(dict.fromkeys(methods.split(",")))
    if len(names) < 2:
        raise OptionError(f"--methods {methods}: give at least two of {','.join(METHODS)}")
    asked = [count_options.assignment_to(name) for name in names]
    tallies = count_in_turn(asked, count_options.run.time_limit, keeper, show_progress)
    counts = {tally.method: tally.counts for tally in tallies}
    table = [_agreed(row, counts) for row in selection.rows]
    _print(selection, table, style, count_options.question.up_to_symmetry)
    conclusion = conclude(count_options.question, tallies[0], tallies[1:])
    code = say_conclusion(conclusion, selection.noun, len(selection.reveals))
    if len(tallies) < len(names):
        code = code or Stopped.exit_code
    return exit_code([code, keeper.finish()])


def _agreed(row: Row, counts: Mapping[str, Mapping[Reveal, int]]) -> CountedRow:
    """The row of a table of what several methods say, with a number if it is one."""
    by = tuple(method for method, known in counts.items() if row.reveal in known)
    numbers = {counts[method][row.reveal] for method in by}
    agreed = len(by) > 1 and len(numbers) == 1
    return CountedRow(row, numbers.pop() if agreed else None, by)


@contextmanager
def show_progress(assignment: Assignment) -> Iterator[Audience]:
    """Show how far a count is; where one diagram counts all, how far that is built."""
    question, pace = assignment.question, Pace(None, "dates")

    def begin(executor: Any) -> None:
        nonlocal pace
        pace = Pace(executor, "dates")

    def done(reveal: Reveal, outcome: Outcome) -> None:
        exact = outcome.status is Status.EXACT
        state = f"has {outcome.tilings:,}" if exact else UNFINISHED[outcome.status]
        advance(pace.after(f"{' '.join(reveal)} {state}"))

    total = 0 if assignment.by_one_diagram else len(question.reveals)
    with (
        progress(f"counting by {assignment.method.name}", total) as advance,
        layers() as show_layer,
    ):
        yield Audience(done, show_layer, begin)


def _count_again(
    count_options: CountOptions,
    tally: Tally,
    sample: list[Reveal],
    seconds: float | None,
    keeper: Keeper,
) -> list[Tally]:
    """Count a sample afresh by the other methods; ``search``, which is slow, takes only its first.

    A single date that somebody only looks up, within ``seconds``, is left to ``sat``. What the
    run has recalled of the sample is counted by its own method, too.
    """
    others = {"diagram": ("sat", "search"), "search": ("sat",)}.get(tally.method, ("search",))
    if seconds is not None and len(tally.wanted) == 1:
        others = others[:1]
    parts = {method: sample for method in others if sample}
    if len(parts) > 1:
        parts["search"] = sample[:1]
    if recalled := [reveal for reveal in sample if reveal in tally.recalled]:
        parts = {tally.method: recalled, **parts}
    assignments = []
    for name, reveals in parts.items():
        asked = count_options.assignment_to(name).about(*reveals)
        if isinstance(asked.method, BySat):  # whose budget is the run's
            asked = replace(asked, method=replace(asked.method, conflicts=None))
        assignments.append(asked)
    keeper.fresh = True  # what was recalled would compare nothing
    return count_in_turn(assignments, seconds, keeper, show_progress)
