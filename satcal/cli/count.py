"""``satcal count``: the number of tilings of each date, by one method or by several.

:func:`select` reads the words, :func:`satcal.counting.run.count` counts, and
:class:`satcal.cli.output.Writer` writes. This file recalls counts from a store and stores new ones;
:mod:`satcal.service.jobs` does the same for ``satcal serve``.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import closing, nullcontext, suppress
from dataclasses import replace
from typing import Any

import click
import cloup

from satcal.cli.output import PICTURES, Writer, add_output
from satcal.cli.progress import is_quiet, progress, warn
from satcal.cli.summary import Answers, View, conclude, write_answers
from satcal.cli.words import (
    JOBS,
    SECONDS,
    Command,
    add_selection,
    memory_option,
    place_option,
    select,
)
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
from satcal.errors import InputError, OptionError, TooLarge
from satcal.processes import interruptible
from satcal.progress import ignore
from satcal.puzzle.model import Reveal
from satcal.puzzle.rows import Selection
from satcal.store.counts import Key, question_key
from satcal.store.session import StoreSession
from satcal.tabular import FORMATS

METHOD_HELP = f"{', '.join(NAMES)}; several are compared."
SAMPLE_DATES = 4
"""Limit on the dates of the sample that is checked without ``--verify``."""
SAMPLE_SECONDS = 2.0
"""The time limit of that check."""
SAMPLE_TILINGS = 500
"""Limit on the tilings of the sample, so that its check fits into ``SAMPLE_SECONDS``."""
WRITING_SECONDS = 30e-6  # per row; a time limit includes them


@cloup.command(cls=Command)
@add_selection
@place_option
@cloup.option_group(
    "How to count",
    cloup.option("-m", "--method", "names", multiple=True, metavar="NAME,...", help=METHOD_HELP),
    cloup.option("--verify/--no-verify", default=None, help="Count again by other methods."),
    cloup.option("--up-to-symmetry", is_flag=True, help="Count rotations and reflections once."),
    cloup.option("--encoding", metavar="NAME", help="For sat: ladder, plain, owner, ..."),
    cloup.option("--solver", metavar="NAME", help="For sat: cadical195, glucose4, ..."),
    cloup.option("--lemmas", metavar="closed|none", help="For sat: closed adds more clauses."),
    cloup.option("--pruning", metavar="none|components", help="For search: how to cut branches."),
)
@cloup.option_group(
    "Limits and storage",
    cloup.option("-j", "--jobs", type=JOBS, metavar="N", help="Processes; default: all cores."),
    cloup.option("--cluster", metavar="tcp://HOST:PORT", help="Count on a Dask cluster."),
    cloup.option("--time-limit", type=SECONDS, metavar="SECONDS", help="Stop after this time."),
    memory_option(None, "For diagram and listing."),
    cloup.option("--store", envvar="SATCAL_STORE", metavar="FILE|URL", help="Keep the counts."),
)
@cloup.option_group(
    "What to show",
    cloup.option(
        "--fewer-than", type=click.IntRange(1), metavar="N", help="Only dates with fewer solutions."
    ),
    cloup.option("--difficulty", is_flag=True, help="Add how hard each date is."),
    cloup.option("--plot", type=click.Choice(["calendar", "histogram"]), help="What -o draws."),
)
@add_output("calendar", *FORMATS, extra=PICTURES)
def count(
    words: Sequence[str],
    names: Sequence[str],
    verify: bool | None,
    up_to_symmetry: bool,
    jobs: int | None,
    cluster: str | None,
    time_limit: float | None,
    store: str | None,
    fewer_than: int | None,
    difficulty: bool,
    plot: str | None,
    writer: Writer,
    **options: Any,
) -> int:
    """Count the solutions of each date; satcal hint helps to find one."""
    start_time = time.monotonic()
    settings = {name: options.pop(name) for name in (*SETTINGS["sat"], "pruning", "memory_limit")}
    selection = select(words, **options)
    if plot and writer.style not in PICTURES:
        raise OptionError("--plot needs a picture; add -o FILE.svg")
    if difficulty and up_to_symmetry:
        raise OptionError("--difficulty is of all solutions; leave out --up-to-symmetry")
    methods = methods_named(",".join(names or NAMES[:1]).split(","), **settings)
    is_comparison = len(methods) > 1 or bool(verify)
    # by default, store the counts of a method that lists tilings, which may take hours
    is_long = len(selection.rows) > 1 and any(method.one_by_one for method in methods)
    store_session = None
    if store != "none" and (store or is_long):
        store_session = StoreSession(store or "", warn)
    until = None
    if time_limit is not None:
        writing_time = min(time_limit / 2, WRITING_SECONDS * len(selection.rows))
        until = start_time + time_limit - writing_time
    limits = run.Limits(until, jobs, settings["memory_limit"], cluster)
    answers = Answers(selection, [method.name for method in methods], up_to_symmetry)
    results = (
        counted
        for method in methods
        for counted in count_rows(method, selection, answers, limits, store_session, is_comparison)
    )
    with interruptible(), writer:
        write_answers(answers, results, View(fewer_than, difficulty, plot), writer)
        counts, total = answers.counts(), len(selection.reveals)
        is_partial = any(len(counts.get(name, ())) < total for name in answers.methods)
        if is_partial:
            writer.mark_partial()
    checks_by_default = verify is None and not names and not is_quiet()
    if verify or checks_by_default:
        check_counts(answers, limits, settings, full=bool(verify))
    return conclude(answers, store_session, verify, bool(names), is_partial)


def count_rows(
    method: Method,
    selection: Selection,
    answers: Answers,
    limits: run.Limits,
    store: StoreSession | None,
    is_comparison: bool,
) -> Iterator[Counted]:
    """Recall or count reveals by one method; yield each answer, and add it to ``answers``.

    A comparison recalls nothing; if its method lists tilings, it also checks that the search would
    prune none of them. After Ctrl-C, the finished answers stay.
    """
    if answers.interrupted:
        return
    reveals = selection.reveals
    method = run.with_checks(method) if is_comparison else method
    if answers.up_to_symmetry:
        from satcal.counting.classes import up_to_symmetry  # imports numpy

        method = up_to_symmetry(method)
    key = None
    if store:
        question = question_key(selection.puzzle, selection.place)
        key = Key(selection.puzzle.digest, question, method.key())
    stored = store.recall(key, reveals) if store and key and not is_comparison else {}
    finished = answers.by_method.setdefault(method.name, {})
    is_single = method.one_by_one and len(reveals) == 1  # a single count has no progress
    title = "counting" if method.name in answers.methods else f"checking {len(reveals):,} dates"
    with nullcontext(ignore) if is_single else progress(f"{title} by {method.name}") as step:
        results = run.count(selection, method, limits, known=stored, progress=step)
        with closing(results):
            while counted := wait_for_next(results, answers):
                if isinstance(counted.error, InputError):  # the input is wrong for every row
                    raise counted.error
                finished[counted.reveal] = counted
                if store and key and counted.complete and counted.method != run.STORED:
                    store.put(key, counted.reveal, counted.tilings)
                yield counted


def wait_for_next(results: Iterator[Counted], answers: Answers) -> Counted | None:
    """Return the next answer, or None after the last one or after Ctrl-C."""
    try:
        with interruptible():
            return next(results, None)
    except KeyboardInterrupt:
        answers.interrupted = True
        return None


def check_counts(
    answers: Answers, limits: run.Limits, settings: dict[str, Any], full: bool
) -> None:
    """Count again by other methods: all dates if ``full`` or if listing is quick, and a sample.

    A lone date that is listed needs no sample: that would load a solver.
    """
    counts = answers.counts()[answers.methods[0]]
    others = [name for name in COMPARED if name not in answers.methods] if counts else []
    sample = run.fewest_first(counts, SAMPLE_DATES)
    while sample and sum(counts[reveal] for reveal in sample) > SAMPLE_TILINGS:
        sample.pop()

    def count_again(name: str, reveals: Sequence[Reveal]) -> None:
        if not reveals:
            return
        options = {key: value for key in SETTINGS[name] if (value := settings.get(key))}
        if name == "listing" and not full:
            options["max_rows"] = QUICK_ROWS
        deadline = time.monotonic() + SAMPLE_SECONDS
        until = limits.until if full else min(limits.until or deadline, deadline)
        its_limits, method = replace(limits, until=until), method_named(name, **options)
        some = Selection.of(answers.selection.puzzle, reveals, answers.selection.place)
        deque(count_rows(method, some, answers, its_limits, None, is_comparison=True), maxlen=0)

    is_listed = "listing" in answers.methods
    if "listing" in others:
        with suppress(TooLarge):  # then sat lists all, if that is asked for
            count_again("listing", list(counts))
            is_listed = len(answers.counts().get("listing", {})) == len(counts)
    if is_listed and len(counts) == 1 and not full:
        return
    if full and "diagram" in others:
        count_again("diagram", list(counts))
    if not is_listed and not full and len(sample) < len(counts):
        count_again("listing", sample)
    if "sat" in others:
        count_again("sat", list(counts) if full and not is_listed else sample)
