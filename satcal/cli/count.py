"""``satcal count``: how many tilings each date has, by one method or by several compared.

The path of every number: :func:`select` reads the words, :func:`satcal.counting.run.count` counts,
:class:`satcal.cli.output.Writer` prints. A store is asked before and told after, here and
nowhere else.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any

import click
import cloup

from satcal.cli.output import Writer, writing
from satcal.cli.progress import warn
from satcal.cli.words import Selection, placing, select, selecting
from satcal.counting import run
from satcal.counting.method import COMPARED, NAMES, Method, method_named
from satcal.counting.run import Counted
from satcal.errors import Disagreement, InputError, Stopped, exit_code
from satcal.processes import interruptible
from satcal.published.shipped import rank_in_words, shipped_counts
from satcal.puzzle.calendar import MONTHS
from satcal.puzzle.model import Reveal
from satcal.puzzle.when import Row
from satcal.store.database import Key, question_key
from satcal.store.session import StoreSession
from satcal.tabular import aligned

QUICK = 250
"""Tilings that the other methods list in less than a second: such dates are verified unasked."""
SAMPLE = 4
"""Dates of a range that are verified unless asked otherwise."""


@dataclass
class Answers:
    """What each method says of the reveals, as far as it came.

    ``asked`` are the methods whose numbers are printed; the others only verify.
    """

    asked: Sequence[str]
    by_method: dict[str, dict[Reveal, Counted]] = field(default_factory=dict)
    interrupted: bool = False

    def counts(self) -> dict[str, dict[Reveal, int]]:
        """Return the exact counts of each method."""
        return {
            name: {reveal: c.tilings for reveal, c in answers.items() if c.complete}
            for name, answers in self.by_method.items()
        }


@cloup.command()
@selecting
@placing
@cloup.option_group(
    "How to count",
    cloup.option("-m", "--method", metavar="NAME,...", help=f"One or more of {','.join(NAMES)}."),
    cloup.option("--encoding", help="For sat: ladder, plain, owner, ..."),
    cloup.option("--solver", help="For sat: a solver of PySAT."),
    cloup.option("--lemmas", help="For sat: closed or none."),
    cloup.option("--pruning", help="For search: none or components."),
    cloup.option("--verify/--no-verify", default=None, help="Count again by the other methods."),
    cloup.option("-j", "--jobs", type=click.IntRange(1), help="Processes; default: one per core."),
    cloup.option("--time-limit", type=float, metavar="SECONDS", help="Stop after this time."),
    cloup.option("--store", envvar="SATCAL_STORE", metavar="FILE", help="Keep finished counts."),
    cloup.option("--fresh", is_flag=True, help="Count again what the store knows."),
)
@writing("calendar", "table", "csv", "json", "ndjson", "markdown")
def count(
    words: Sequence[str],
    method: str | None,
    verify: bool | None,
    jobs: int | None,
    time_limit: float | None,
    store: str | None,
    fresh: bool,
    writer: Writer,
    **options: Any,
) -> int:
    """Count the solutions of each date."""
    settings = {name: options.pop(name) for name in ("encoding", "solver", "lemmas", "pruning")}
    selection = select(words, **options)
    until = None if time_limit is None else time.monotonic() + time_limit
    session = None if store in (None, "none") else StoreSession(store, warn)
    names = list(dict.fromkeys((method or NAMES[0]).split(",")))
    answers = Answers(names)
    for name in names:
        if answers.interrupted:
            break
        chosen = method_named(name, **(settings if len(names) == 1 else {}))
        if len(names) > 1:
            chosen = run.checked(chosen)
        count_rows(selection, chosen, answers, session, fresh, jobs, until)
    if verify or (verify is None and method is None):
        verify_rows(selection, names[0], answers, jobs, wanted=bool(verify))
    shipped = {} if selection.place else shipped_counts(selection.puzzle)
    text = summary(selection, answers.counts()[names[0]], shipped)
    with writer:
        write_answers(selection, answers, text, writer)
    if writer.style != "calendar":
        click.echo(text, err=True)
    code = conclude(selection, answers, names[0], shipped)
    return exit_code([code, conclude_store(session)])


def count_rows(
    selection: Selection,
    method: Method,
    answers: Answers,
    session: StoreSession | None,
    fresh: bool,
    jobs: int | None,
    until: float | None,
) -> None:
    """Recall, count and keep the rows by one method; add what it says to the answers."""
    puzzle, reveals, place = selection.puzzle, selection.reveals, selection.place
    key = Key(puzzle.digest, question_key(puzzle, place), method.key())
    known = session.known(key, reveals) if session and not fresh else {}
    found = answers.by_method.setdefault(method.name, {})
    counting = run.count(puzzle, reveals, method, place=place, jobs=jobs, until=until, known=known)
    try:
        with interruptible(), closing(counting):
            for counted in counting:
                if isinstance(counted.error, InputError):  # the question is wrong, for every row
                    raise counted.error
                found[counted.reveal] = counted
                if session and counted.complete and counted.method != run.STORED:
                    session.put(key, counted.reveal, counted.tilings)
    except KeyboardInterrupt:  # what is finished is shown
        answers.interrupted = True


def verify_rows(
    selection: Selection, first: str, answers: Answers, jobs: int | None, wanted: bool
) -> None:
    """Count the rows with the fewest tilings again by the other methods.

    Without being asked, only what is quick, and at most ``SAMPLE`` rows.
    """
    counts = answers.counts()[first]
    quick = {reveal: number for reveal, number in counts.items() if wanted or number <= QUICK}
    sample = run.fewest_first(quick, len(quick) if wanted else SAMPLE)
    for name in COMPARED if sample and not answers.interrupted else ():
        if name != first:
            part = Selection(selection.puzzle, [Row(reveal) for reveal in sample], selection.place)
            method = run.checked(method_named(name))
            count_rows(part, method, answers, session=None, fresh=True, jobs=jobs, until=None)


def write_answers(selection: Selection, answers: Answers, text: str, writer: Writer) -> None:
    """Write a row for each date: in text as a calendar above the summary, else as records."""
    counts, rows = answers.counts(), selection.rows
    said = [{counts[n][row.reveal] for n in counts if row.reveal in counts[n]} for row in rows]
    numbers = [numbers.pop() if len(numbers) == 1 else None for numbers in said]
    days = {
        (row.date.year, row.date.month, row.date.day): "?" if number is None else f"{number:,}"
        for row, number in zip(rows, numbers, strict=True)
        if row.date
    }
    if writer.style == "calendar" and (len(rows) == 1 or len(days) == len(rows)):
        grid = as_calendar(days, MONTHS) if len(rows) > 1 else ""
        writer.write(f"{grid}{text}\n")
        return
    records = [
        {
            "date": str(row.date or ""),
            **dict(zip(selection.puzzle.categories, row.reveal, strict=True)),
            "tilings": number,
            "methods": "+".join(
                answers.by_method[name][row.reveal].method
                for name in answers.asked
                if row.reveal in counts.get(name, ())
            ),
        }
        for row, number in zip(rows, numbers, strict=True)
    ]
    writer.records(records, list(records[0]))


def conclude(
    selection: Selection, answers: Answers, main: str, shipped: Mapping[Reveal, int]
) -> int:
    """Say to stderr what the numbers were compared with, and what failed; return the exit code."""
    counts = answers.counts()
    known = {reveal: shipped[reveal] for reveal in counts[main] if reveal in shipped}
    sources = {**counts, "the shipped table": known}
    if agreeing := [f"{name} {len(by)}" for name, by in sources.items() if by]:
        click.echo(f"counts compared: {', '.join(agreeing)}", err=True)
    differing = run.differences(sources)
    for sentence in differing:
        click.echo(f"DISAGREEMENT {sentence}", err=True)
    every = [counted for by in answers.by_method.values() for counted in by.values()]
    if recalled := sum(counted.method == run.STORED for counted in every):
        click.echo(f"from the store, not counted now: {recalled}", err=True)
    errors = {str(counted.error): counted.error for counted in every if counted.error}
    for text in errors:
        click.echo(f"satcal: error: {text}", err=True)
    if differing or any(isinstance(error, Disagreement) for error in errors.values()):
        return Disagreement.exit_code
    if errors:
        return min(error.exit_code for error in errors.values())
    missing = len(counts[main]) < len(selection.reveals)
    return Stopped.exit_code if answers.interrupted or missing else 0


def conclude_store(session: StoreSession | None) -> int:
    """Say to stderr what the store contradicts and what it lacks; return the exit code."""
    lost = session.finish() if session else 0
    contradictions = session.contradictions if session else []
    for sentence in contradictions:
        warn(f"DISAGREEMENT {sentence}")
    if lost:
        warn(f"not stored: {lost:,}")
    return exit_code(
        [Disagreement.exit_code * bool(contradictions), Stopped.exit_code * bool(lost)]
    )


def summary(
    selection: Selection, counts: Mapping[Reveal, int], shipped: Mapping[Reveal, int]
) -> str:
    """Return the counts in a sentence."""
    puzzle, rows = selection.puzzle, selection.rows
    known = [(counts[row.reveal], row) for row in rows if row.reveal in counts]
    if len(rows) == 1 and known:
        ((number, row),) = known
        title = f"{puzzle.name}, {row}" if row.reveal else puzzle.name
        text = f"{title}: {number:,} solution{'s' * (number != 1)}"
        if shipped and puzzle.calendar.parts and puzzle.calendar.is_date(row.reveal):
            dates = {r: n for r, n in shipped.items() if puzzle.calendar.is_date(r)}
            text += f", {rank_in_words(dates, row.reveal)}"
        return text
    partial = "" if len(known) == len(rows) else f"partial, {len(known)} of {len(rows)} counted: "
    text = f"{puzzle.name}: {partial}{sum(n for n, _ in known):,} solutions on {len(known)} rows"
    if known:
        (least, at_least), (most, at_most) = (
            min(known, key=itemgetter(0)),
            max(known, key=itemgetter(0)),
        )
        text += f"; fewest {least:,} ({at_least}), most {most:,} ({at_most})"
    return text


def as_calendar(numbers: Mapping[tuple[int, int, int], str], months: Sequence[str]) -> str:
    """Return the numbers of days as a grid per year: days down, months across."""
    grids = []
    for year in sorted({year for year, _, _ in numbers}):
        across = sorted({month for its_year, month, _ in numbers if its_year == year})
        days = sorted({day for its_year, _, day in numbers if its_year == year})
        head = [str(year), *(months[month - 1] for month in across)]
        rows = [[str(d), *(numbers.get((year, m, d), "") for m in across)] for d in days]
        grids.append(aligned([head, *rows], [True] * len(head)))
    return "\n".join(grids)
