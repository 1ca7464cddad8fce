"""What ``satcal count`` shows of its answers: rows as they come, a calendar, a summary."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from satcal.cli.output import Writer
from satcal.cli.progress import info, quiet, warn
from satcal.cli.words import Selection
from satcal.counting import run
from satcal.counting.run import Counted
from satcal.draw.board import screen_width
from satcal.errors import BudgetExhausted, Disagreement, Stopped
from satcal.processes import LocalProcesses
from satcal.puzzle.calendar import days_of
from satcal.puzzle.model import Placement, Puzzle, Reveal
from satcal.puzzle.when import Row
from satcal.store.session import StoreSession
from satcal.tabular import RENDER, align, count_of, some_of, width

SHIPPED = "satcal's own table"
VERIFY_SECONDS = 2.0
"""The time for a check that was not asked for."""
LISTED = 10  # failures that are told apart
Days = Mapping[tuple[int, int, int], str]
"""The numbers of days by year (0 without one), month and day."""


class Facts(NamedTuple):
    """What is known of rows before they are counted.

    ``shipped`` are the counts of the shipped table; for one date ``rank`` says where it stands
    among those of its year, and ``hard`` how hard it is to find a solution.
    """

    shipped: Mapping[Reveal, int]
    rank: str = ""
    hard: str | None = None


@dataclass
class Answers:
    """What each method says of the reveals of a selection, as far as it came.

    ``asked`` are the methods whose numbers are shown; the others only check them.
    """

    selection: Selection
    asked: Sequence[str]
    up_to_symmetry: bool = False
    by_method: dict[str, dict[Reveal, Counted]] = field(default_factory=dict)
    interrupted: bool = False

    def counts(self) -> dict[str, dict[Reveal, int]]:
        """Return the exact counts of each method."""
        return {
            name: {reveal: c.tilings for reveal, c in answers.items() if c.complete}
            for name, answers in self.by_method.items()
        }

    def agreement(self, reveal: Reveal) -> tuple[int | None, str]:
        """Return the number on which the methods agree, or None, and who counted it."""
        answers = [self.by_method.get(name, {}).get(reveal) for name in self.asked]
        exact = [counted for counted in answers if counted and counted.complete]
        if len({counted.tilings for counted in exact}) != 1 or len(exact) < min(2, len(answers)):
            return None, ""
        return exact[0].tilings, "+".join(counted.method for counted in exact)

    def numbers(self) -> list[tuple[Row, int | None]]:
        """Return the rows with the numbers that are agreed on."""
        return [(row, self.agreement(row.reveal)[0]) for row in self.selection.rows]

    @cached_property
    def facts(self) -> Facts:
        """What is known of the rows, looked up by a child, which Ctrl-C can end."""
        selection = self.selection
        if selection.place or self.up_to_symmetry:
            return Facts({})
        with LocalProcesses(1) as worker:
            return worker.submit(facts_about, selection.puzzle, selection.rows).result()


def facts_about(puzzle: Puzzle, rows: Sequence[Row]) -> Facts:
    """Return what the shipped tables know of rows; this runs in a child."""
    from satcal.published.shipped import rank_in_words, shipped_counts

    counts = shipped_counts(puzzle)
    known = {row.reveal: counts[row.reveal] for row in rows if row.reveal in counts}
    row, calendar = rows[0], puzzle.calendar
    if len(rows) > 1 or not known or not calendar.parts or not calendar.is_date(row.reveal):
        return Facts(known)
    if row.date is None:
        ranked = {reveal: n for reveal, n in counts.items() if calendar.is_date(reveal)}
    else:
        days = map(calendar.labels, days_of(row.date.year))
        ranked = {labels: counts[labels] for labels in days}
    word, mean = measure(puzzle, [row.reveal], ())[row.reveal].values()
    hard = word and f"{word}: after {mean:.1f} guesses the rest follows"
    return Facts(known, rank_in_words(ranked, row.reveal), hard)


@dataclass(frozen=True)
class View:
    """Which rows are shown, and how."""

    fewer_than: int | None = None
    difficulty: bool = False
    plot: str | None = None


def write_answers(
    answers: Answers, counting: Iterator[Counted], view: View, writer: Writer
) -> None:
    """Take the answers from a running count, and write them: a table row by row."""
    puzzle, rows = answers.selection.puzzle, answers.selection.rows
    style, text = writer.style, ""
    if style.startswith("."):
        deque(counting, maxlen=0)
        writer.write(picture(answers, view, style))
    elif style == "calendar":
        deque(counting, maxlen=0)
        text = in_calendar(answers) if view == View() else ""
        style = "table"
    if not text and style in RENDER:
        fields = ["date", *puzzle.categories, "tilings"]
        fields += ["difficulty", "guesses_mean"] if view.difficulty else []
        if style in ("table", "markdown"):
            fields = fields[not any(row.date for row in rows) :]
        else:
            fields.append("methods")
        writer.style = style
        writer.records(records(answers, counting, view, fields), fields)
    about = in_a_sentence(answers) if len(rows) == 1 else summarise(answers)
    if style != "table":
        info(about)
    else:
        writer.write(text if quiet() or about in text else f"{text}{about}\n")


def picture(answers: Answers, view: View, suffix: str) -> bytes:
    """Return a picture of the counts."""
    from satcal.draw.counts import calendar_picture, histogram_picture

    draw = histogram_picture if view.plot == "histogram" else calendar_picture
    return draw(answers.selection.puzzle, answers.numbers()).encode(suffix)


def records(
    answers: Answers, counting: Iterator[Counted], view: View, fields: Sequence[str]
) -> Iterator[dict[str, Any]]:
    """Yield the record of each row as soon as it and those before it are counted."""
    selection, measures = answers.selection, dict[Reveal, dict[str, Any]]()
    if view.difficulty:
        deque(counting, maxlen=0)
        with LocalProcesses(1) as worker:  # which Ctrl-C can end
            asked = (selection.puzzle, selection.reveals, selection.place)
            measures = worker.submit(measure, *asked).result()
    for row in selection.rows:
        while row.reveal not in answers.by_method.get(answers.asked[-1], {}):
            if next(counting, None) is None:
                break
        number, methods = answers.agreement(row.reveal)
        if view.fewer_than is None or (number is not None and number < view.fewer_than):
            record = {
                "date": str(row.date or ""),
                **dict(zip(selection.puzzle.categories, row.reveal, strict=True)),
                "tilings": number,
                **measures.get(row.reveal, {}),
                "methods": methods,
            }
            yield {name: record.get(name) for name in fields}
    deque(counting, maxlen=0)


def measure(
    puzzle: Puzzle, reveals: Sequence[Reveal], place: Sequence[Placement]
) -> dict[Reveal, dict[str, Any]]:
    """Return the word and the mean of guesses of each reveal; this runs in a child."""
    from satcal.analysis.difficulty import difficulties

    return {
        found.reveal: {
            "difficulty": found.rating,
            "guesses_mean": found.guesses and round(found.guesses.mean, 4),
        }
        for found in difficulties(puzzle, reveals, place)
    }


def in_a_sentence(answers: Answers) -> str:
    """Return the answer for one row: ``rhombus, 2025-10-06: 868 solutions, the 41st most of 365``.

    The rank, and the word for how hard it is, are of dates of the shipped tables.
    """
    selection = answers.selection
    puzzle, (row,) = selection.puzzle, selection.rows
    title = f"{puzzle.name}, {row}" if row.reveal else puzzle.name
    number, _ = answers.agreement(row.reveal)
    if number is None:
        return f"{title}: not counted"
    text = f"{title}: {number:,} solution{'' if number == 1 else 's'}"
    if answers.up_to_symmetry:
        text += " up to symmetry"
    if selection.place:
        return f"{text} with these pieces on the board"
    parts = [text, answers.facts.rank]
    return "; ".join(filter(None, [", ".join(filter(None, parts)), answers.facts.hard]))


def summarise(answers: Answers) -> str:
    """Return total, fewest, most, mean and median, and how many rows have no tiling."""
    selection = answers.selection
    known = [(number, row) for row, number in answers.numbers() if number is not None]
    noun = "date" if any(row.date for row in selection.rows) else "reveal"
    text = f"{selection.puzzle.name}, {span_of(selection)}: "
    if len(known) < len(selection.rows):
        text += f"partial, {len(known):,} of {count_of(len(selection.rows), noun)} counted"
    if not known:
        return text
    counts = sorted(number for number, _ in known)
    total, number, middle = sum(counts), len(counts), len(counts) // 2
    median = Fraction(counts[middle] + counts[-middle - 1], 2)
    least, most = (some_of([str(row) for n, row in known if n == counts[at]]) for at in (0, -1))
    alike = " up to symmetry" if answers.up_to_symmetry else ""
    text += ": " if len(known) < len(selection.rows) else ""
    return (
        f"{text}{count_of(total, 'solution')}{alike} on {count_of(number, noun)}\n"
        f"fewest {counts[0]:,} ({least}), most {counts[-1]:,} ({most}), "
        f"mean {decimal(Fraction(total, number), 2)}, median {decimal(median, 1)}, "
        f"without a solution {counts.count(0):,}"
    )


def decimal(value: Fraction, places: int) -> str:
    """Return a fraction rounded half up to decimal places.

    >>> decimal(Fraction(23, 2), 1), decimal(Fraction(2, 3), 2)
    ('11.5', '0.67')
    """
    units, rest = divmod((value * 10**places * 2 + 1) // 2, 10**places)
    return f"{units:,}.{rest:0{places}d}"


def span_of(selection: Selection) -> str:
    """Return the rows in words: a year, or the first and the last."""
    first, last = selection.rows[0], selection.rows[-1]
    ends = [row.date.timetuple()[:3] for row in (first, last) if row.date]
    if [day[1:] for day in ends] == [(1, 1), (12, 31)]:
        return " to ".join(dict.fromkeys(str(day[0]) for day in ends))
    return f"{first} to {last}"


def in_calendar(answers: Answers) -> str:
    """Return one sentence for one row, a calendar for days, or nothing for other rows."""
    from satcal.draw.counts import counts_of_days  # with what draws pictures

    puzzle, rows = answers.selection.puzzle, answers.selection.rows
    parts, dated = puzzle.calendar.parts, all(row.date for row in rows)
    if len(rows) == 1:
        return f"{in_a_sentence(answers)}\n"
    if parts is None or ("weekday" in parts and not dated):
        return ""
    counts = counts_of_days(puzzle, answers.numbers())
    days = {day: "?" if number is None else f"{number:,}" for day, number in counts.items()}
    return "\n".join(
        as_grid(year, days, parts["month"]) for year in sorted({day[0] for day in days})
    )


def as_grid(year: int, days: Days, names: Sequence[str]) -> str:
    """Return the days of a year down and its months across, as many as the terminal is wide."""
    months = sorted({month for its_year, month, _ in days if its_year == year})
    widest = max(map(width, [*names, *days.values()]))
    across = max(1, (screen_width() - 4) // (widest + 2))
    parts = (months[at : at + across] for at in range(0, len(months), across))
    grids = []
    for part in parts:
        down = sorted({day for y, month, day in days if y == year and month in part})
        rows = [[str(d), *(days.get((year, m, d), "") for m in part)] for d in down]
        head = [str(year or ""), *(names[month - 1] for month in part)]
        grids.append(align([head, *rows], [True] * len(head)))
    return "\n".join(grids)


def conclude(
    answers: Answers, store: StoreSession | None, verify: bool | None, named: bool, missing: bool
) -> int:
    """Print what the numbers were compared with, and what failed; return the exit code.

    ``verify`` is what the option says, ``named`` whether a method was named, and ``missing``
    whether a row was not counted.
    """
    counts, first = answers.counts(), answers.asked[0]
    mine, total = counts.get(first, {}), len(answers.selection.reveals)
    shipped = {r: n for r, n in answers.facts.shipped.items() if r in mine}
    other_counts = {name: by for name, by in counts.items() if name != first} | {SHIPPED: shipped}
    differing = run.differences({first: mine, **other_counts})
    lost = store.finish() if store else 0
    differing += store.contradictions if store else []
    codes = [Disagreement.exit_code] * bool(differing)
    for sentence in differing:
        warn(f"DISAGREEMENT {sentence}")
    if any(counted.error for by in answers.by_method.values() for counted in by.values()):
        codes += say_errors(answers, verify)
    if not codes and (missing or lost or answers.interrupted):
        codes = [Stopped.exit_code]
    recalled = sum(c.method == run.STORED for c in answers.by_method.get(first, {}).values())
    alone = not (any(other_counts.values()) or named or missing) and verify is None
    agreeing = [
        name if len(by) == total else f"{name} on {len(by):,}"
        for name, by in other_counts.items()
        if by and not differing
    ]
    clauses = [
        f"{len(mine):,} of {total:,} counted" if missing else "",
        f"agrees with {', '.join(agreeing)}" if agreeing else "",
        "--verify counts again by other methods (slower)" if alone else "",
        f"{recalled:,} recalled from the store" if recalled else "",
        f"{lost:,} not stored" if lost else "",
    ]
    if text := "; ".join(filter(None, clauses)):
        (warn if codes else info)(text)
    return min(codes, default=0)


def say_errors(answers: Answers, verify: bool | None) -> list[int]:
    """Print what went wrong, once for each error; return the exit codes.

    A check that was not asked for may be late.
    """
    failed: dict[str, list[Counted]] = {}
    for name, by in answers.by_method.items():
        for counted in by.values():
            unasked = name not in answers.asked and not verify
            if counted.error and not (unasked and isinstance(counted.error, BudgetExhausted)):
                failed.setdefault(str(counted.error), []).append(counted)
    for text, failures in list(failed.items())[:LISTED]:
        rest = f" and {len(failures) - 1:,} more" if len(failures) > 1 else ""
        reveal = f"{' '.join(failures[0].reveal)}{rest}: " if failures[0].reveal else ""
        warn(f"satcal: error: {reveal}{text}")
    return [failures[0].error.exit_code for failures in failed.values() if failures[0].error]
