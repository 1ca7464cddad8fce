"""``satcal count``: how many tilings each date has, by one method or by several compared.

The path of a count: :func:`select` reads the words, :func:`satcal.counting.run.count` counts,
:class:`satcal.cli.output.Writer` writes. Counts are recalled from a store, and kept there, in this
file; for ``satcal serve``, in :mod:`satcal.service.jobs`.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass
from typing import Any

import click
import cloup

from satcal.cli.output import PICTURES, Writer, writing
from satcal.cli.progress import progress, quiet, warn
from satcal.cli.summary import VERIFY_SECONDS, Answers, View, conclude, write_answers
from satcal.cli.words import BOUNDED, SECONDS, memory_option, placing, select, selecting
from satcal.counting import run
from satcal.counting.method import Method
from satcal.counting.methods import COMPARED, NAMES, SETTINGS, methods_named
from satcal.counting.run import Counted
from satcal.errors import InputError, OptionError
from satcal.processes import interruptible
from satcal.progress import ignore
from satcal.puzzle.model import Reveal
from satcal.store.database import Key, question_key
from satcal.store.session import StoreSession

METHODS = f"{', '.join(NAMES)}; several are compared."
QUICK = 500
"""Tilings that the other methods list, and the pruner checks, in less than VERIFY_SECONDS."""
SAMPLE = 4
"""Dates of a range that are checked by default."""
SECONDS_PER_ROW = 30e-6  # to write it, which a time limit includes


@dataclass(frozen=True)
class Limits:
    """What a run may use, where it counts, and the store that keeps its counts."""

    until: float | None
    jobs: int | None
    memory: int | None
    cluster: str | None
    store: StoreSession | None


@cloup.command()
@selecting
@placing
@cloup.option_group(
    "How to count",
    cloup.option("-m", "--method", "names", multiple=True, metavar="NAME,...", help=METHODS),
    cloup.option("--verify/--no-verify", default=None, help="Count again by other methods."),
    cloup.option("--up-to-symmetry", is_flag=True, help="Count rotations and reflections once."),
    cloup.option("--encoding", metavar="NAME", help="For sat: ladder, plain, owner, ..."),
    cloup.option("--solver", metavar="NAME", help="For sat: cadical195, glucose4, ..."),
    cloup.option("--lemmas", metavar="closed|none", help="For sat: clauses that save search."),
    cloup.option("--pruning", metavar="none|components", help="For search: how to cut branches."),
)
@cloup.option_group(
    "Limits and storage",
    cloup.option("-j", "--jobs", type=BOUNDED, metavar="N", help="Processes; default: all cores."),
    cloup.option("--cluster", metavar="tcp://HOST:PORT", help="Count on a Dask cluster."),
    cloup.option("--time-limit", type=SECONDS, metavar="SECONDS", help="Stop after this time."),
    memory_option(None, "For the diagram."),
    cloup.option("--store", envvar="SATCAL_STORE", metavar="FILE|URL", help="Keep the counts."),
)
@cloup.option_group(
    "What to show",
    cloup.option(
        "--fewer-than", type=click.IntRange(1), metavar="N", help="Only dates with fewer solutions."
    ),
    cloup.option("--difficulty", is_flag=True, help="Add how hard each date is."),
    cloup.option("--plot", type=click.Choice(["calendar", "histogram"]), help="The picture of -o."),
)
@writing("calendar", "table", "csv", "json", "ndjson", "markdown", others=PICTURES)
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
    """Count the solutions of each date."""
    started = time.monotonic()
    settings = {name: options.pop(name) for name in (*SETTINGS["sat"], "pruning", "memory_limit")}
    selection = select(words, **options)
    if plot and writer.style not in PICTURES:
        raise OptionError("--plot needs a picture; add -o FILE.svg")
    if difficulty and up_to_symmetry:
        raise OptionError("--difficulty is of all solutions; leave out --up-to-symmetry")
    methods = methods_named(",".join(names or NAMES[:1]).split(","), **settings)
    comparing = len(methods) > 1 or bool(verify)
    # many counts by listing may take hours, and are kept by default
    long = len(selection.rows) > 1 and any(each.one_by_one for each in methods)
    kept = None
    if store != "none" and (store or long):
        kept = StoreSession(store or "", warn)
    until = None
    if time_limit is not None:
        writing_time = min(time_limit / 2, SECONDS_PER_ROW * len(selection.rows))
        until = started + time_limit - writing_time
    limits = Limits(until, jobs, settings["memory_limit"], cluster, kept)
    answers = Answers(selection, [each.name for each in methods], up_to_symmetry)
    counting = (
        counted
        for each in methods
        for counted in count_rows(each, selection.reveals, answers, limits, comparing)
    )
    with interruptible(), writer:
        write_answers(answers, counting, View(fewer_than, difficulty, plot), writer)
        counts, total = answers.counts(), len(selection.reveals)
        missing = any(len(counts.get(name, ())) < total for name in answers.asked)
        if missing:
            writer.mark_partial()
    by_default = verify is None and not names and not quiet()
    if verify or by_default:
        check_sample(answers, limits, settings, wanted=bool(verify))
    return conclude(answers, kept, verify, bool(names), missing)


def count_rows(
    method: Method,
    reveals: Sequence[Reveal],
    answers: Answers,
    limits: Limits,
    comparing: bool,
) -> Iterator[Counted]:
    """Recall, count and keep reveals by one method; yield each answer, and add it to ``answers``.

    In a comparison nothing is recalled, and the pruner checks a method that lists tilings. Ctrl-C
    ends the counting, and what is finished stays.
    """
    if answers.interrupted:
        return
    puzzle, place, store = answers.selection.puzzle, answers.selection.place, limits.store
    method = run.with_checks(method) if comparing else method
    if answers.up_to_symmetry:
        from satcal.counting.classes import up_to_symmetry  # with all of the diagram

        method = up_to_symmetry(method, limits.memory)
    executor = None
    if limits.cluster is not None:
        from satcal.counting.cluster import Cluster  # dask takes a second to import

        executor = Cluster(limits.cluster, until=limits.until, memory=limits.memory)
    key = Key(puzzle.digest, question_key(puzzle, place), method.key()) if store else None
    known = store.recall(key, reveals) if store and key and not comparing else {}
    found = answers.by_method.setdefault(method.name, {})
    lone = method.one_by_one and len(reveals) == 1  # it has no progress
    what = "counting" if method.name in answers.asked else f"checking {len(reveals):,} dates"
    with nullcontext(ignore) if lone else progress(f"{what} by {method.name}") as step:
        counting = run.count(
            puzzle,
            reveals,
            method,
            place=place,
            jobs=limits.jobs,
            until=limits.until,
            known=known,
            executor=executor,
            progress=None if method.one_by_one else step,
        )
        with closing(counting):
            while counted := next_of(counting, answers):
                if isinstance(counted.error, InputError):  # the question is wrong, for every row
                    raise counted.error
                found[counted.reveal] = counted
                if store and key and counted.complete and counted.method != run.STORED:
                    store.put(key, counted.reveal, counted.tilings)
                if method.one_by_one and not lone:
                    step(len(found), len(reveals), f"{' '.join(counted.reveal)} is counted")
                yield counted


def next_of(counting: Iterator[Counted], answers: Answers) -> Counted | None:
    """Wait for the next answer; return None after the last, or if Ctrl-C comes."""
    try:
        with interruptible():
            return next(counting, None)
    except KeyboardInterrupt:
        answers.interrupted = True
        return None


def check_sample(answers: Answers, limits: Limits, settings: dict[str, Any], wanted: bool) -> None:
    """Count again by the other methods: all if that is ``wanted``, else a few quick dates."""
    first = answers.asked[0]
    counts = answers.counts()[first]
    sample = run.fewest_first(counts, len(counts) if wanted else SAMPLE)
    if not wanted:
        while sample and sum(counts[reveal] for reveal in sample) > QUICK:
            sample.pop()
    deadline = time.monotonic() + VERIFY_SECONDS
    until = limits.until if wanted else min(limits.until or deadline, deadline)
    sample_limits = Limits(until, limits.jobs, limits.memory, limits.cluster, limits.store)
    unused = [name for name in COMPARED if name not in answers.asked] if sample else []
    own = {key: value for name in unused for key in SETTINGS[name] if (value := settings.get(key))}
    for method in methods_named(unused, **own):
        deque(count_rows(method, sample, answers, sample_limits, comparing=True), maxlen=0)
