"""``satcal count`` and ``verify``: how many tilings each date has."""

from __future__ import annotations

import functools
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import click

from satcal.cli import options
from satcal.cli.progress import Pace, layers, progress, quiet, say
from satcal.counting.count import (
    affordable,
    choose_sample,
    count_one,
    count_reveals,
    differences,
    new_executor,
)
from satcal.counting.settings import METHODS, Outcome, Settings, Status, add_work
from satcal.draw.tables import Counted, count_of, render, work_table
from satcal.errors import Disagreement, InputError, OptionError, SatcalError, Stopped, exit_code
from satcal.evidence.tables import Tables, results_folder
from satcal.processes import Call, Worker, end
from satcal.puzzle.model import Puzzle, Reveal
from satcal.puzzle.ranges import Row
from satcal.store.location import parse_location
from satcal.store.resuming import Keeper

SAMPLE = 4  # dates of a range that are counted again unless asked otherwise
HEAT_FROM = 28  # dates: a heat map of less than a month shows nothing
VERIFY_TIME = 4.0  # seconds; what is chosen by default needs about two
PATIENCE = 0.1  # seconds until the first row of a table is counted apart
NAMED = 3  # dates that a summary names


@dataclass
class Run:
    """What one method counted, as far as it came."""

    method: str
    wanted: list[Reveal]
    outcomes: dict[Reveal, Outcome] = field(default_factory=dict)
    interrupted: bool = False

    @property
    def counts(self) -> dict[Reveal, int]:
        """The exact counts."""
        return {r: o.tilings for r, o in self.outcomes.items() if o.status is Status.EXACT}

    @property
    def work(self) -> dict[str, float]:
        """What it took; what the store knew took nothing."""
        total: dict[str, float] = {}
        for outcome in self.outcomes.values():
            add_work(total, outcome.work)
        return total

    @property
    def missing(self) -> int:
        """How many of the wanted reveals have no exact count."""
        return len(self.wanted) - len(self.counts)


def storing(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--store`` and ``--fresh``; the command takes a ``keeper`` instead."""

    @options.store_option
    @click.option("--fresh", is_flag=True, help="Count again what the store knows already.")
    @functools.wraps(command)
    def wrapped(selection: options.Selection, where: str | None, fresh: bool, **rest: Any) -> Any:
        location = parse_location(where)
        if fresh and location is None:
            raise OptionError("--fresh is about the store, and --store none has none")
        with closing(Keeper(location, selection.origin, fresh, quiet=quiet())) as keeper:
            return command(selection=selection, keeper=keeper, **rest)

    return wrapped


@click.command()
@options.selecting
@options.counting_options()
@storing
@click.option(
    "--verify", type=options.some, metavar="N|all|0",
    help="Count that many dates again by sat, the one with fewest tilings first, and that one "
    f"also by search.  [default: up to {SAMPLE} that take a moment; 0 with --method]",
)  # fmt: skip
@click.option(
    "--verify-time", type=options.seconds, metavar="SECONDS",
    help=f"Budget of that.  [default: {VERIFY_TIME:g}, none with --verify]",
)  # fmt: skip
@options.statistics_option
@click.option(
    "--fewer-than", "fewer", type=click.IntRange(min=1), metavar="N",
    help="Show only dates with fewer tilings.",
)  # fmt: skip
@click.option(
    "--difficulty", "hard", is_flag=True,
    help="Add measures of how hard each date is, see docs/difficulty.md.",
)  # fmt: skip
@options.tabular("calendar")
def count(
    selection: options.Selection, settings: Settings, verify: int | None, verify_time: float | None,
    counted: bool, fewer: int | None, hard: bool, style: str, keeper: Keeper,
) -> int:  # fmt: skip
    """Count the tilings of each date.

    The table goes to stdout; progress goes to stderr, and so does the summary unless the
    format is calendar or table. Then some dates are counted again by other methods. What sat
    and search have finished is stored, and not counted again by the same command.
    """
    if hard and settings.up_to_symmetry:
        raise OptionError("--difficulty is about all tilings; leave out --up-to-symmetry")
    puzzle, rows, began = selection.puzzle, selection.rows, time.monotonic()
    size = SAMPLE if verify is None else verify
    if verify is None and (quiet() or options.given("method")):
        size = 0
    if not size:
        options.refuse("is about dates that are counted again, and none is", "verify_time")
    # one diagram answers faster than a store; then only the sample is stored
    keeper.required = not settings.at_once
    early: dict[Reveal, Outcome] = {}
    by_row = style in ("csv", "ndjson") and len(rows) > 1 and fewer is None and not hard
    by_row = by_row and not options.given("output")  # a file is written when all is counted
    first = first_row(puzzle, rows[0], settings, style, early) if by_row else None
    run = run_counts(puzzle, selection.reveals, settings, keeper, settings.at_once, first)
    run.outcomes |= {reveal: each for reveal, each in early.items() if reveal not in run.counts}
    counts = run.counts
    table = [Counted(row, counts.get(row.reveal), (run.method,)) for row in rows]
    if hard and not run.interrupted:
        table = _measured(table, selection, settings, _left(settings.time_limit, began))
    unmeasured = hard and not all(each.measures for each in table)
    _print(selection, table, style, early.get(rows[0].reveal), fewer)
    again: list[Run] = []
    if size and not run.interrupted and not unmeasured:
        sample = choose_sample(puzzle, counts, size)
        if verify is None:
            sample = affordable(sample, counts)
            verify_time = VERIFY_TIME if verify_time is None else verify_time
        limits = (verify_time, _left(settings.time_limit, began))
        seconds = min((limit for limit in limits if limit is not None), default=None)
        again = _count_again(puzzle, run, sample, settings, seconds, keeper)
    codes = [_conclude(run, again, verify is not None, bool(size))]
    if unmeasured:
        codes.append(Stopped.exit_code)
    if counted:
        did = {each.method: each.work for each in (run, *again)}
        click.echo(work_table(did), nl=False, err=True)
    if size and counts and not (settings.demands or settings.up_to_symmetry):
        codes.append(_compare_with_table(puzzle, run.method, counts))
    return exit_code([*codes, keeper.finish()])


def _measured(
    table: list[Counted], selection: options.Selection, settings: Settings, limit: float | None
) -> list[Counted]:
    """Return the rows with their measures of difficulty, as far as the limit lets it come."""
    from satcal.cli.measuring import measured

    known = measured(selection, settings, limit)
    measures = {each.reveal: each.record() for each in known}
    return [replace(each, measures=measures.get(each.row.reveal, {})) for each in table]


def _print(
    selection: options.Selection, table: list[Counted], style: str,
    early: Outcome | None, fewer: int | None,
) -> None:  # fmt: skip
    """Print the rows, those with ``fewer`` tilings if that is asked, and what sums them up.

    The first row, if it was printed ``early``, has to be the same now.
    """
    puzzle, shown = selection.puzzle, table
    if fewer is not None:
        shown = [each for each in table if each.tilings is not None and each.tilings < fewer]
    text = render(puzzle, shown, style)
    if early is not None:
        if early.tilings != table[0].tilings:
            each = f"{count_of(early.tilings, 'tiling')} by its own diagram, {table[0].number}"
            raise Disagreement(f"{table[0].row}: {each} by that of all rows")
        text = text.removeprefix(render(puzzle, table[:1], style))
    click.echo(text, nl=False)
    if style == "calendar" and len(table) >= HEAT_FROM:
        from satcal.draw.terminal import console, heat_map

        screen = console()
        if screen.color_system and not screen.no_color:
            screen.print("\n", heat_map(table, screen.width), sep="")
    if not quiet():
        _summarise(selection, table, style)
        if fewer is not None:
            less = f"{len(shown):,} of {count_of(len(table), 'row')} with fewer than {fewer:,}"
            click.echo(less, err=style not in ("calendar", "table"))
    sys.stdout.flush()


@click.command()
@options.selecting
@options.counting_options(methods=())
@storing
@click.option(
    "--methods", default="diagram,sat", metavar="diagram,sat,...",
    help=f"Two or more of {', '.join(METHODS)}.",
)  # fmt: skip
@options.tabular("calendar")
def verify(
    selection: options.Selection, settings: Settings, methods: str, style: str, keeper: Keeper
) -> int:
    """Count each date by several methods and compare.

    A difference is exit 1; the table holds what all methods agree on. What is finished is
    stored: the same command again goes on where it stopped.
    """
    names = list(dict.fromkeys(methods.split(",")))
    if len(names) < 2:
        raise OptionError(f"--methods {methods}: give at least two of {','.join(METHODS)}")
    puzzle, reveals = selection.puzzle, selection.reveals
    runs = _runs(puzzle, dict.fromkeys(names, reveals), settings, keeper)
    counts = {run.method: run.counts for run in runs}
    differing = differences(counts, reveals)
    agreed: dict[Reveal, int] = {}
    table = []
    for row in selection.rows:
        by = tuple(name for name, exact in counts.items() if row.reveal in exact)
        if len(by) > 1 and len({counts[name][row.reveal] for name in by}) == 1:
            agreed[row.reveal] = counts[by[0]][row.reveal]
        table.append(Counted(row, agreed.get(row.reveal), by))
    click.echo(render(puzzle, table, style), nl=False)
    code = _report_trouble(runs, differing)
    if code or not quiet():
        _summarise(selection, table, style)
        line = ", ".join(f"{name} counted {len(known):,}" for name, known in counts.items())
        line += f" of {len(reveals):,}; "
        if compared := len(agreed) + len(differing):
            line += f"on {compared:,} they {'DISAGREE' if differing else 'agree'}"
        say(line if compared else line + "none is compared")
    if runs[-1].interrupted:
        say("stopped by Ctrl-C")
    code = code or (0 if len(agreed) == len(reveals) else Stopped.exit_code)
    return exit_code([code, keeper.finish()])


def run_counts(
    puzzle: Puzzle,
    reveals: list[Reveal],
    settings: Settings,
    keeper: Keeper,
    lazily: bool = False,
    meanwhile: Generator[None, None, None] | None = None,
) -> Run:
    """Count reveals and show progress; Ctrl-C ends the run, what is counted stays.

    What the store knows is not counted again; what is finished is stored at once.
    ``lazily`` asks the store only if one diagram does not do, which answers faster.
    ``meanwhile`` goes on with each layer of a diagram.
    """
    options.check(settings)
    run = Run(settings.method, reveals)
    try:
        if not lazily:
            recalled = keeper.recall(puzzle, reveals, settings)
            run.outcomes |= {reveal: Outcome(Status.EXACT, n) for reveal, n in recalled.items()}
        todo = [reveal for reveal in reveals if reveal not in run.outcomes]
        if todo:
            _run(run, puzzle, todo, settings, keeper, lazily, meanwhile)
    except KeyboardInterrupt:
        run.interrupted = True
    return run


def _run(
    run: Run, puzzle: Puzzle, todo: list[Reveal], settings: Settings, keeper: Keeper,
    lazily: bool, meanwhile: Generator[None, None, None] | None,
) -> None:  # fmt: skip
    """Count what a run has to do; arguments as for :func:`run_counts`."""
    known: dict[Reveal, int] = {}
    unsaved: dict[Reveal, int] = {}
    pace = Pace(None, "dates")

    def recall(reveals: Sequence[Reveal]) -> Mapping[Reveal, int]:
        known.update(keeper.recall(puzzle, reveals, settings))
        return known

    def save() -> None:
        keeper.record(puzzle, settings, unsaved)
        unsaved.clear()

    def make_executor(jobs: int) -> Executor:
        nonlocal pace
        executor = new_executor(jobs, settings.cluster)
        pace = Pace(executor, "dates")
        return executor

    def on_layer(*layer: Any) -> None:
        save()  # a diagram's counts come all at once, and then perhaps the next diagram
        show_layer(*layer)
        if meanwhile:
            next(meanwhile, None)

    at_once, asked = settings.at_once, recall if lazily else None
    with ExitStack() as ends:
        ends.callback(save)
        if meanwhile:
            ends.callback(meanwhile.close)
        total = 0 if at_once else len(todo)
        advance = ends.enter_context(progress(f"counting by {settings.method}", total))
        show_layer = ends.enter_context(layers())
        results = count_reveals(puzzle, todo, settings, make_executor, on_layer, asked)
        for reveal, outcome in ends.enter_context(closing(results)):
            if outcome.exit_code == InputError.exit_code:
                outcome.require(reveal)
            run.outcomes[reveal] = outcome
            exact = outcome.status is Status.EXACT
            if exact and reveal not in known:
                unsaved[reveal] = outcome.tilings
            if not at_once:
                save()
            state = f"has {outcome.tilings:,}" if exact else f"is {outcome.status.name}"
            advance(pace.after(f"{' '.join(reveal)} {state}"))


def first_row(
    puzzle: Puzzle, row: Row, settings: Settings, style: str, outcomes: dict[Reveal, Outcome]
) -> Generator[None, None, None]:
    """Count the first row's reveal in a process of its own, and print the row; note its outcome.

    So whoever reads along has an answer while the diagram of all is built, on another core.
    """
    begun = time.monotonic()
    while time.monotonic() - begun < PATIENCE:
        yield
    worker = Worker()
    try:
        worker.ask(Call(count_one, (puzzle, row.reveal, settings)))
        while not worker.has_answer(0):
            yield
        outcome = worker.answer().value
        if outcome.status is Status.EXACT:
            counted = Counted(row, outcome.tilings, (settings.method,))
            click.echo(render(puzzle, [counted], style), nl=False)
            outcomes[row.reveal] = outcome
    except SatcalError:
        pass  # nobody has asked for it: the diagram of all says what is wrong
    finally:
        end([worker])


def _runs(
    puzzle: Puzzle, asked: Mapping[str, list[Reveal]], settings: Settings, keeper: Keeper
) -> list[Run]:
    """Count reveals by several methods, one after the other, within one time limit."""
    began = time.monotonic()
    runs: list[Run] = []
    for each in [replace(settings, method=method) for method in asked]:
        limited = replace(each, time_limit=_left(settings.time_limit, began))
        runs.append(run_counts(puzzle, asked[each.method], limited, keeper))
        if runs[-1].interrupted:
            break
    return runs


def _left(limit: float | None, began: float) -> float | None:
    """Return what is left of a time limit, in seconds."""
    return None if limit is None else max(0.0, limit - (time.monotonic() - began))


def _summarise(selection: options.Selection, table: Sequence[Counted], style: str) -> None:
    """Print total, fewest, most, mean, median, and how many rows have no tiling."""
    known = [(each.tilings, each.row) for each in table if each.tilings is not None]
    noun = "date" if any(each.row.date for each in table) else "reveal"
    text = f"{selection.puzzle.name}, {selection.words}: "
    if not known:
        text += f"partial, none of {count_of(len(table), noun)} counted"
    elif len(known) < len(table):
        text += f"partial, {len(known):,} of {count_of(len(table), noun)} counted: "
    if known and len(table) == 1:
        text += count_of(known[0][0], "tiling")
    elif known:
        counts = sorted(tilings for tilings, _ in known)
        total, number, middle = sum(counts), len(counts), len(counts) // 2
        median = Fraction(counts[middle] + counts[-middle - 1], 2)
        least, most = (_some([row for n, row in known if n == counts[at]]) for at in (0, -1))
        text += (
            f"{count_of(total, 'tiling')} on {count_of(number, noun)}\n"
            f"fewest {counts[0]:,} ({least}), most {counts[-1]:,} ({most}), "
            f"mean {_decimal(Fraction(total, number), 2)}, median {_decimal(median, 1)}, "
            f"without a tiling {counts.count(0):,}"
        )
    click.echo(text, err=style not in ("calendar", "table"))


def _decimal(value: Fraction, places: int) -> str:
    """Return a fraction rounded half up to decimal places."""
    whole, rest = divmod((value * 10**places * 2 + 1) // 2, 10**places)
    return f"{whole:,}.{rest:0{places}d}"


def _some(rows: Sequence[Row]) -> str:
    listed = ", ".join(map(str, rows[:NAMED]))
    return f"{listed} and {len(rows) - NAMED} more" if len(rows) > NAMED else listed


def _count_again(
    puzzle: Puzzle, run: Run, sample: list[Reveal], settings: Settings, seconds: float | None,
    keeper: Keeper,
) -> list[Run]:  # fmt: skip
    """Count a sample by the other methods; ``search``, which is slow, takes only its first.

    A single date that somebody only looks up, within ``seconds``, is left to ``sat``.
    """
    others = {"diagram": ("sat", "search"), "search": ("sat",)}.get(run.method, ("search",))
    if seconds is not None and len(run.wanted) == 1:
        others = others[:1]
    parts = {method: sample for method in others if sample}
    if len(parts) > 1:
        parts["search"] = sample[:1]
    budget = replace(settings, time_limit=seconds, conflicts=None)
    return _runs(puzzle, parts, budget, keeper)


def _conclude(run: Run, again: list[Run], asked: bool, verified: bool) -> int:
    """Say what each method counted and whether they agree; return the exit code.

    A sample that was ``asked`` for has to be finished, the usual one only in part.
    """
    runs = [run, *again]
    differing = differences({each.method: each.counts for each in runs}, run.wanted)
    code = _report_trouble(runs, differing)
    interrupted = runs[-1].interrupted
    compared = [each for each in again if each.counts]
    late = [f"{each.missing:,} by {each.method}" for each in again if each.missing]
    line = f"{run.method} counted {len(run.counts):,} of {len(run.wanted):,}"
    for each in compared:
        line += f", {each.method} {len(each.counts):,} of these again"
    if compared:
        line += f": they {'DISAGREE' if differing else 'agree'}"
    elif verified and not run.missing and not again:
        line += ", and no other method: that would take more than a moment; --verify N does it"
    if interrupted:
        line += "; stopped by Ctrl-C"
    elif run.missing:
        line += "; the rest is UNKNOWN"
    if late:
        line += f"; not counted again: {', '.join(late)}"
        line += "" if interrupted or code else " (--verify-time gives more, --verify 0 asks none)"
    if code or not quiet():
        say(line)
    stopped = interrupted or run.missing or (late and (asked or not compared))
    return code or (Stopped.exit_code if stopped else 0)


def _report_trouble(runs: Sequence[Run], differing: Sequence[str]) -> int:
    """Say what differs or failed; return the exit code."""
    for difference in differing:
        say(f"DISAGREEMENT {difference}")
    codes = [Disagreement.exit_code] if differing else []
    alike: defaultdict[str, list[Reveal]] = defaultdict(list)
    for run in runs:
        for reveal, outcome in run.outcomes.items():
            if outcome.status is Status.ERROR:
                codes.append(outcome.exit_code)
                alike[f"by {run.method}: {outcome.message}"].append(reveal)
    for message, reveals in list(alike.items())[:10]:
        more = f" and {len(reveals) - 1:,} more" if len(reveals) > 1 else ""
        say(f"ERROR {' '.join(reveals[0])}{more} {message}")
    return exit_code(codes)


def _compare_with_table(puzzle: Puzzle, method: str, counts: Mapping[Reveal, int]) -> int:
    """Compare counts with the shipped table of the puzzle; return the exit code."""
    table = Tables(results_folder() / "counts").find(puzzle)
    if table is None:
        return 0
    shipped = {reveal: table.tilings(reveal) for reveal in counts}
    differing = differences({method: counts, "the shipped table": shipped}, counts)
    code = _report_trouble((), differing)
    by_sat = sum("sat" in table.rows[frozenset(reveal)].methods for reveal in counts)
    total = len(counts)
    which = "each" if by_sat == total else f"{by_sat:,}"
    equal = f"{total - len(differing):,} of {total:,}"
    say(f"{equal} as in the shipped table, where sat counted {which}")
    return code
