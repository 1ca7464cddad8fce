"""What is said at the end of a count: in a sentence, in figures, and what was compared."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

import click

from satcal.cli import options
from satcal.cli.progress import quiet, say
from satcal.counting.count import Comparison, Tally
from satcal.errors import Stopped
from satcal.published.conclusions import SHIPPED, Conclusion
from satcal.published.own_tables import rank_among_dates
from satcal.puzzle.dates import in_full, reveal_in_full
from satcal.tables import CountedRow, count_of, some_of

LISTED = 10  # failures that are told apart


def in_a_sentence(selection: options.Selection, counted: CountedRow, up_to_symmetry: bool) -> str:
    """The answer for one row: ``6 October has 7 solutions, the fewest of 366``."""
    puzzle, row = selection.puzzle, counted.row
    if row.date:
        text = in_full(row.date, "weekday" in puzzle.categories)
    else:
        text = reveal_in_full(puzzle.calendar, row.reveal)
    if counted.tilings is None:
        return f"{text or puzzle.name}: not counted"
    number = count_of(counted.tilings, "solution") if counted.tilings else "no solution"
    text = f"{text or puzzle.name} has {number}"
    if selection.demands:
        return f"{text} with these pieces placed"
    if up_to_symmetry:
        return f"{text} up to symmetry"
    rank = rank_among_dates(puzzle, row.reveal)
    return f"{text}, {rank}" if rank else text


def summarise(
    selection: options.Selection, table: Sequence[CountedRow], style: str, up_to_symmetry: bool
) -> None:
    """Print total, fewest, most, mean, median, and how many rows have no tiling."""
    known = [(entry.tilings, entry.row) for entry in table if entry.tilings is not None]
    noun = selection.noun
    alike = " up to symmetry" if up_to_symmetry else ""
    text = f"{selection.puzzle.name}, {selection.words}: "
    if not known:
        text += f"partial, 0 of {count_of(len(table), noun)} counted"
    elif len(known) < len(table):
        text += f"partial, {len(known):,} of {count_of(len(table), noun)} counted: "
    if known and len(table) == 1:
        text += count_of(known[0][0], "solution") + alike
    elif known:
        counts = sorted(tilings for tilings, _ in known)
        total, number, middle = sum(counts), len(counts), len(counts) // 2
        median = Fraction(counts[middle] + counts[-middle - 1], 2)
        least, most = (some_of([str(row) for n, row in known if n == counts[at]]) for at in (0, -1))
        text += (
            f"{count_of(total, 'solution')}{alike} on {count_of(number, noun)}\n"
            f"fewest {counts[0]:,} ({least}), most {counts[-1]:,} ({most}), "
            f"mean {_decimal(Fraction(total, number), 2)}, median {_decimal(median, 1)}, "
            f"without a solution {counts.count(0):,}"
        )
    click.echo(text, err=style not in ("calendar", "table"))


def _decimal(value: Fraction, places: int) -> str:
    """A fraction rounded half up to decimal places."""
    units, rest = divmod((value * 10**places * 2 + 1) // 2, 10**places)
    return f"{units:,}.{rest:0{places}d}"


def say_conclusion(conclusion: Conclusion, noun: str, asked: int | None) -> int:
    """Say how far a run came, what its numbers were compared with, and what differs.

    ``asked`` is how many reveals had to be counted again; None for the usual sample. Returns the
    exit code.
    """
    tally, again, code = conclusion.tally, conclusion.again, conclusion.code
    _say_trouble(conclusion)
    late = [
        f"{late_tally.missing:,} by {late_tally.method}" for late_tally in conclusion.unfinished
    ]
    if code or not quiet():
        lacking = []
        if not (again or asked or tally.missing or quiet()) and not options.given("method"):
            slow = "" if asked == 0 else " (slow)"
            lacking.append(f"not cross-checked{slow}; use --verify N")
        if late:
            more = " (allow more with --verify-time, or skip it with --verify 0)"
            more = "" if conclusion.interrupted or code else more
            lacking.append(f"not cross-checked in time: {', '.join(late)}{more}")
        checked = _checked(conclusion.compared, len(conclusion.fresh), noun)
        if not checked and conclusion.fresh and not lacking:
            checked = "not checked"
        clauses = [
            *_how_far(tally, conclusion.interrupted),
            checked,
            *lacking,
            _recalled(conclusion),
        ]
        say("; ".join(filter(None, clauses)))
    unfinished = late and asked is not None  # a sample of our own choice has no claim on time
    stopped = conclusion.interrupted or tally.missing or unfinished
    return code or (Stopped.exit_code if stopped else 0)


def _say_trouble(conclusion: Conclusion) -> None:
    """Say what differs, and what failed."""
    for difference in conclusion.differences:
        say(f"DISAGREEMENT {difference}")
    for message, reveals in list(conclusion.failures.items())[:LISTED]:
        more = f" and {len(reveals) - 1:,} more" if len(reveals) > 1 else ""
        say(f"ERROR {' '.join(reveals[0])}{more} {message}")


def _how_far(tally: Tally, interrupted: bool) -> list[str]:
    """What is missing from a run, in words."""
    clauses = []
    if tally.missing:
        counted = len(tally.counts) - len(tally.recalled)
        clauses.append(f"{tally.method} counted {counted:,} of {len(tally.wanted):,}")
    if interrupted:
        clauses.append("stopped by Ctrl-C")
    elif tally.missing:
        clauses.append("the rest is UNKNOWN")
    return clauses


def _checked(compared: Iterable[Comparison], total: int, noun: str) -> str:
    """What was compared with the counts, and how it ended.

    >>> _checked([Comparison("sat", 2, 0), Comparison("search", 1, 0)], 31, "date")
    'checked: sat agrees on 2 dates, search on 1'
    """
    parts: list[str] = []
    before = ""
    for comparison in compared:
        verb = "DISAGREES" if comparison.differing else "agrees"
        number = (
            f"{comparison.differing:,} of {comparison.common:,}"
            if comparison.differing
            else f"{comparison.common:,}"
        )
        if total > 1 and comparison.common == total and not comparison.differing:
            number = f"all {number}"
        if not parts:
            number += f" {noun}" if comparison.common == 1 else f" {noun}s"
        parts.append(f"{comparison.source} {'on' if verb == before else verb + ' on'} {number}")
        before = verb
    return f"checked: {', '.join(parts)}" if parts else ""


def _recalled(conclusion: Conclusion) -> str:
    """How many numbers are from the store, and whether the shipped table has the same."""
    beside = conclusion.recalled_comparison
    if not conclusion.tally.recalled:
        return ""
    text = f"{len(conclusion.tally.recalled):,} recalled from the store"
    if beside.differing:
        return f"{text}, where {SHIPPED} DIFFERS on {beside.differing:,}"
    return f"{text}, as in {SHIPPED}" if beside.common else text
