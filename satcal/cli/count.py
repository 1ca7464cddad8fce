"""``satcal count``: the number of tilings of each date, by one method or by several.

:func:`select` reads the words, and :class:`Counting` yields an answer for each row, which it
recalls from a store or gets from :func:`satcal.counting.run.count`. :mod:`satcal.cli.summary` turns
answers into text.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import closing, nullcontext, suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

import click

from satcal.cli.options import (
    JOBS,
    SECONDS,
    Command,
    add_section,
    add_selection,
    memory_option,
    place_option,
)
from satcal.cli.output import PICTURES, Writer, add_output, info, is_quiet, progress, warn
from satcal.cli.summary import Answer, Outcome, has_calendar, write_rows, write_summary
from satcal.cli.words import select
from satcal.counting import run
from satcal.counting.method import Method
from satcal.counting.methods import (
    COMPARED,
    NAMES,
    QUICK_ROWS,
    SETTINGS,
    method_named,
    methods_named,
)
from satcal.counting.run import Counted
from satcal.errors import BudgetExhausted, Disagreement, InputError, OptionError, Stopped, TooLarge
from satcal.processes import LocalProcesses, Worker, end, interruptible
from satcal.published.shipped import look_up
from satcal.puzzle.model import Placement, Puzzle, Reveal
from satcal.puzzle.rows import Selection
from satcal.tabular import FORMATS

if TYPE_CHECKING:
    from satcal.store.session import StoreSession

METHOD_HELP = f"{', '.join(NAMES)}; several are compared."
SAMPLE_DATES = 4
"""Limit on the dates of the sample that is checked without ``--verify``."""
SAMPLE_SECONDS = 2.0
"""The time limit of that check."""
SAMPLE_TILINGS = 500
"""Limit on the tilings of the sample, so that its check fits into ``SAMPLE_SECONDS``."""
SHIPPED = "satcal's own table"
MAX_ERRORS = 10  # that are printed
T = TypeVar("T")


@dataclass
class Counting:
    """The counts of a selection by each method, as far as they are finished.

    ``is_comparison`` says whether several methods count each date. After Ctrl-C, nothing more is
    counted, and what is finished stays.
    """

    selection: Selection
    limits: run.Limits
    store: StoreSession | None
    up_to_symmetry: bool
    is_comparison: bool
    finished: dict[str, dict[Reveal, Counted]] = field(default_factory=dict)
    is_interrupted: bool = False

    def rows(self, methods: Sequence[Method]) -> Iterator[Answer]:
        """Yield the answer for each row as soon as all methods have counted it."""
        results = (each for method in methods for each in self.count(method, self.selection))
        self.finished = {method.name: {} for method in methods}
        last = self.finished[methods[-1].name]
        for row in self.selection.rows:
            while row.reveal not in last and next(results, None):
                pass
            counted = [counts.get(row.reveal) for counts in self.finished.values()]
            yield Answer(row, *agree(counted))
        deque(results, maxlen=0)

    def count(
        self, method: Method, selection: Selection, limits: run.Limits | None = None
    ) -> Iterator[Counted]:
        """Yield and keep the answer for each reveal by one method.

        With ``limits``, this is a check. A check or a comparison recalls nothing from the store; if
        its method lists tilings, it finds out whether the search would prune one of them.
        """
        if self.is_interrupted:
            return
        is_comparison = self.is_comparison or limits is not None
        method = run.with_checks(method) if is_comparison else method
        if self.up_to_symmetry:
            from satcal.counting.classes import up_to_symmetry  # imports numpy

            method = up_to_symmetry(method)
        store = self.store
        key = store.make_key(selection, method.key()) if store else None
        known = store.recall(key, selection.reveals) if store and key and not is_comparison else {}
        finished = self.finished.setdefault(method.name, {})
        is_single = method.one_by_one and len(selection.reveals) == 1  # it has no progress
        with nullcontext() if is_single else progress(f"counting by {method.name}") as step:
            results = run.count(
                selection, method, limits or self.limits, known=known, progress=step
            )
            try:
                with closing(results):
                    for counted in results:
                        if isinstance(counted.error, InputError):  # it is so for every row
                            raise counted.error
                        finished[counted.reveal] = counted
                        if store and key and counted.complete and counted.method != run.STORED:
                            store.put(key, counted.reveal, counted.tilings)
                        yield counted
            except KeyboardInterrupt:
                self.is_interrupted = True

    def ask(self, function: Callable[..., T], *args: Any) -> T:
        """Return what a function says of the puzzle, in a process that Ctrl-C can end."""
        with LocalProcesses(1, kept=self.limits.workers) as processes:
            return processes.submit(function, self.selection.puzzle, *args).result()

    def check(self, settings: dict[str, Any], full: bool) -> None:
        """Count again by other methods: all dates if ``full`` or if listing is quick, and a sample.

        A lone date that is listed needs no sample: that would load a solver.
        """
        counts = exact(next(iter(self.finished.values())))
        others = [name for name in COMPARED if name not in self.finished] if counts else []
        sample = run.fewest_first(counts, SAMPLE_DATES)
        while sample and sum(counts[reveal] for reveal in sample) > SAMPLE_TILINGS:
            sample.pop()
        if "listing" in others:
            with suppress(TooLarge):  # then sat lists all, if that is asked for
                self.count_again("listing", list(counts), settings, full)
        is_listed = len(exact(self.finished.get("listing", {}))) == len(counts)
        if is_listed and len(counts) == 1 and not full:
            return
        if full and "diagram" in others:
            self.count_again("diagram", list(counts), settings, full)
        if not is_listed and not full and len(sample) < len(counts):
            self.count_again("listing", sample, settings, full)
        if "sat" in others:
            again = list(counts) if full and not is_listed else sample
            self.count_again("sat", again, settings, full)

    def count_again(
        self, name: str, reveals: Sequence[Reveal], settings: dict[str, Any], full: bool
    ) -> None:
        """Count reveals by another method, within ``SAMPLE_SECONDS`` unless ``full``."""
        options = {key: value for key in SETTINGS[name] if (value := settings.get(key))}
        if name == "listing" and not full:
            options["max_rows"] = QUICK_ROWS
        deadline = time.monotonic() + SAMPLE_SECONDS
        until = self.limits.until if full else min(self.limits.until or deadline, deadline)
        limits = replace(self.limits, until=until)
        selection = Selection.of(self.selection.puzzle, reveals, self.selection.place)
        for counted in self.count(method_named(name, **options), selection, limits):
            if not full and isinstance(counted.error, BudgetExhausted):
                del self.finished[name][counted.reveal]  # it need not be checked


@click.command(cls=Command)
@add_selection
@place_option
@add_section(
    "How to count",
    click.option("-m", "--method", "names", multiple=True, metavar="NAME,...", help=METHOD_HELP),
    click.option("--verify/--no-verify", default=None, help="Count again by other methods."),
    click.option("--up-to-symmetry", is_flag=True, help="Count rotations and reflections once."),
    click.option("--encoding", metavar="NAME", help="For sat: ladder, plain, owner, ..."),
    click.option("--solver", metavar="NAME", help="For sat: cadical195, glucose4, ..."),
    click.option("--lemmas", metavar="closed|none", help="For sat: closed adds more clauses."),
    click.option("--pruning", metavar="none|components", help="For search: how to cut branches."),
)
@add_section(
    "Limits and storage",
    click.option("-j", "--jobs", type=JOBS, metavar="N", help="Processes; default: all cores."),
    click.option("--cluster", metavar="tcp://HOST:PORT", help="Count on a Dask cluster."),
    click.option("--time-limit", type=SECONDS, metavar="SECONDS", help="Stop after this time."),
    memory_option(None, "For diagram and listing."),
    click.option("--store", envvar="SATCAL_STORE", metavar="FILE|URL", help="Store of counts."),
)
@add_section(
    "What to show",
    click.option("--difficulty", is_flag=True, help="Add how hard each date is."),
)
@add_output("calendar", *FORMATS, *PICTURES)
def count(
    words: Sequence[str],
    names: Sequence[str],
    verify: bool | None,
    up_to_symmetry: bool,
    jobs: int | None,
    cluster: str | None,
    time_limit: float | None,
    store: str | None,
    difficulty: bool,
    writer: Writer,
    **options: Any,
) -> int:
    """Count the solutions of each date; satcal hint helps to find one."""
    start_time = time.monotonic()
    settings = {name: options.pop(name) for name in (*SETTINGS["sat"], "pruning", "memory_limit")}
    selection = select(words, **options)
    if difficulty and up_to_symmetry:
        raise OptionError("--difficulty counts all solutions; leave out --up-to-symmetry")
    method_names = ",".join(names or NAMES[:1]).split(",")
    if programs := set(method_names) - set(NAMES):
        refuse_programs(programs)
    methods = methods_named(method_names, **settings)
    # by default, store the counts of a method that lists tilings, which may take hours
    is_long = len(selection.rows) > 1 and any(method.one_by_one for method in methods)
    session = None
    if store != "none" and (store or is_long):
        from satcal.store.session import StoreSession  # it imports databases

        session = StoreSession(store or "", warn)
    until = None if time_limit is None else start_time + time_limit
    workers: list[Worker] = []  # kept from one run to the next
    limits = run.Limits(until, jobs, settings["memory_limit"], cluster, workers)
    counting = Counting(
        selection, limits, session, up_to_symmetry, len(methods) > 1 or bool(verify)
    )
    if writer.style == "calendar" and (difficulty or not has_calendar(selection)):
        writer.style = "table"
    with interruptible():
        with writer:
            rows, ratings = counting.rows(methods), dict[Reveal, dict[str, Any]]()
            if difficulty:
                rows = iter(list(rows))  # only the counts have a time limit
                ratings = counting.ask(rate_difficulty, selection.reveals, selection.place)
            answers = write_rows(selection, rows, ratings, writer)
            facts = counting.ask(look_up, selection.rows)
            write_summary(Outcome(selection, answers, facts, up_to_symmetry), writer)
            finished = min(len(exact(counted)) for counted in counting.finished.values())
            is_partial = finished < len(selection.reveals)
            if is_partial:
                writer.mark_partial()
        is_default = verify is None and not names
        if verify or (is_default and not is_quiet()):
            counting.check(settings, full=bool(verify))
    end(workers)
    shipped = {} if selection.place or up_to_symmetry else facts.shipped
    return conclude(counting, shipped, is_partial, is_default)


def refuse_programs(names: Collection[str]) -> None:
    """Raise OptionError if a name is that of an external program."""
    from satcal.external.programs import PROGRAMS

    for name in PROGRAMS.keys() & names:
        way = f"satcal cross-check --with {name}"
        raise OptionError(f"{name} is an external program, not a method; write {way}")


def rate_difficulty(
    puzzle: Puzzle, reveals: Sequence[Reveal], place: Sequence[Placement]
) -> dict[Reveal, dict[str, Any]]:
    """Return the fields of the difficulty of each reveal."""
    from satcal.analysis.difficulty import difficulties  # imports numpy

    return {each.reveal: each.as_fields() for each in difficulties(puzzle, reveals, place)}


def agree(counted: Sequence[Counted | None]) -> tuple[int | None, str]:
    """Return the count on which methods agree, or None, and the names of these methods.

    Where several were asked, two have to finish.
    """
    finished = [each for each in counted if each and each.complete]
    numbers = {each.tilings for each in finished}
    if len(numbers) != 1 or len(finished) < min(2, len(counted)):
        return None, ""
    return numbers.pop(), "+".join(each.method for each in finished)


def exact(counted: Mapping[Reveal, Counted]) -> dict[Reveal, int]:
    """Return the exact counts among answers."""
    return {reveal: each.tilings for reveal, each in counted.items() if each.complete}


def conclude(
    counting: Counting, shipped: Mapping[Reveal, int], is_partial: bool, is_default: bool
) -> int:
    """Print the results of the comparison and the errors; return the exit code.

    ``is_partial`` says whether a count in the table is missing, ``is_default`` whether the user
    asked for no method and no check.
    """
    (first, first_counts), *others = [(k, exact(c)) for k, c in counting.finished.items()]
    total, store = len(counting.selection.reveals), counting.store
    shipped = {reveal: n for reveal, n in shipped.items() if reveal in first_counts}
    other_counts = dict(others) | {SHIPPED: shipped}
    disagreements = run.differences({first: first_counts, **other_counts})
    unsaved = store.finish() if store else 0
    disagreements += store.contradictions if store else []
    for sentence in disagreements:
        warn(f"DISAGREEMENT {sentence}")
    codes = [Disagreement.exit_code] * bool(disagreements)
    if any(each.error for counted in counting.finished.values() for each in counted.values()):
        codes += print_errors(counting)
    lost = unsaved or (store and store.was_damaged)
    if not codes and (is_partial or lost or counting.is_interrupted):
        codes = [Stopped.exit_code]
    recalled = sum(each.method == run.STORED for each in counting.finished[first].values())
    is_unchecked = is_default and not (any(other_counts.values()) or is_partial)
    is_listed = total > 1 and len(other_counts.get("listing", ())) == total and not disagreements
    agreeing = [
        name if len(numbers) == total else f"{name} on {len(numbers):,}"
        for name, numbers in other_counts.items()
        if numbers and not disagreements and not (is_listed and name == "listing")
    ]
    clauses = [
        f"{len(first_counts):,} of {total:,} counted" if is_partial else "",
        f"agrees with {', '.join(agreeing)}" if agreeing else "",
        f"all {total:,} listed one by one" if is_listed else "",
        "--verify counts again by other methods (slower)" if is_unchecked else "",
        f"{recalled:,} recalled from the store" if recalled else "",
        f"{unsaved:,} not stored" if unsaved else "",
    ]
    if text := "; ".join(filter(None, clauses)):
        (warn if codes else info)(text)
    return min(codes, default=0)


def print_errors(counting: Counting) -> list[int]:
    """Print each error once; return the exit codes."""
    by_text: dict[str, list[Counted]] = {}
    for counted in (each for results in counting.finished.values() for each in results.values()):
        if counted.error:
            by_text.setdefault(str(counted.error), []).append(counted)
    for text, failures in list(by_text.items())[:MAX_ERRORS]:
        others = f" and {len(failures) - 1:,} more" if len(failures) > 1 else ""
        reveal = f"{' '.join(failures[0].reveal)}{others}: " if failures[0].reveal else ""
        warn(f"satcal: error: {reveal}{text}")
    return [failures[0].error.exit_code for failures in by_text.values() if failures[0].error]
