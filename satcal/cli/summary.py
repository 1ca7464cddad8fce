"""The output of ``satcal count``: a table, a calendar or a picture, and a summary."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from satcal.cli.output import Writer
from satcal.cli.progress import info, is_quiet, warn
from satcal.counting import run
from satcal.counting.run import Counted
from satcal.draw.board import screen_width
from satcal.errors import BudgetExhausted, Disagreement, Stopped
from satcal.processes import LocalProcesses
from satcal.puzzle.calendar import list_days
from satcal.puzzle.model import Placement, Puzzle, Reveal
from satcal.puzzle.rows import Row, Selection
from satcal.store.session import StoreSession
from satcal.tabular import RENDER, align, count_of, some_of, width

SHIPPED = "satcal's own table"
MAX_ERRORS = 10  # that are printed
Days = Mapping[tuple[int, int, int], str]
"""The text of each day, by year (0 without one), month and day."""


class Facts(NamedTuple):
    """Facts about rows that need no counting.

    ``shipped`` has the counts of the shipped table. For a single date, ``rank`` is its rank in its
    year, and ``difficulty`` says how hard it is to find a solution.
    """

    shipped: Mapping[Reveal, int]
    rank: str = ""
    difficulty: str | None = None


@dataclass
class Answers:
    """The answers of each method for the reveals of a selection, complete or not.

    ``methods`` are those whose numbers are shown; other methods only check them.
    """

    selection: Selection
    methods: Sequence[str]
    up_to_symmetry: bool = False
    by_method: dict[str, dict[Reveal, Counted]] = field(default_factory=dict)
    interrupted: bool = False

    def counts(self) -> dict[str, dict[Reveal, int]]:
        """Return the exact counts of each method."""
        return {
            name: {reveal: c.tilings for reveal, c in answers.items() if c.complete}
            for name, answers in self.by_method.items()
        }

    def agreed_count(self, reveal: Reveal) -> tuple[int | None, str]:
        """Return the count on which the methods agree, or None, and the names of the methods."""
        answers = [self.by_method.get(name, {}).get(reveal) for name in self.methods]
        exact = [counted for counted in answers if counted and counted.complete]
        if len({counted.tilings for counted in exact}) != 1 or len(exact) < min(2, len(answers)):
            return None, ""
        return exact[0].tilings, "+".join(counted.method for counted in exact)

    def rows(self) -> list[tuple[Row, int | None]]:
        """Return the rows with their agreed counts."""
        return [(row, self.agreed_count(row.reveal)[0]) for row in self.selection.rows]

    @cached_property
    def facts(self) -> Facts:
        """The facts about the rows, computed by a child process, which Ctrl-C can end."""
        selection = self.selection
        if selection.place or self.up_to_symmetry:
            return Facts({})
        with LocalProcesses(1) as worker:
            return worker.submit(collect_facts, selection.puzzle, selection.rows).result()


def collect_facts(puzzle: Puzzle, rows: Sequence[Row]) -> Facts:
    """Return the facts about rows; this runs in a child process."""
    from satcal.published.shipped import format_rank, shipped_counts

    counts = shipped_counts(puzzle)
    shipped = {row.reveal: counts[row.reveal] for row in rows if row.reveal in counts}
    row, calendar = rows[0], puzzle.calendar
    if len(rows) > 1 or not shipped or not calendar.parts or not calendar.is_date(row.reveal):
        return Facts(shipped)
    if row.date is None:
        of_dates = {reveal: n for reveal, n in counts.items() if calendar.is_date(reveal)}
    else:
        days = map(calendar.labels, list_days(row.date.year))
        of_dates = {labels: counts[labels] for labels in days}
    rating, guesses = rate_difficulty(puzzle, [row.reveal], ())[row.reveal].values()
    place = {"Easy": "first", "Fair": "second", "Hard": "third"}.get(rating)
    words = f"{rating}, the {place} of three: with {guesses:.1f} pieces guessed the rest follows"
    difficulty = rating and words
    return Facts(shipped, format_rank(of_dates, row.reveal), difficulty)


@dataclass(frozen=True)
class View:
    """The options that say which rows are shown, and how."""

    fewer_than: int | None = None
    difficulty: bool = False
    plot: str | None = None


def write_answers(answers: Answers, results: Iterator[Counted], view: View, writer: Writer) -> None:
    """Run the count, and write its answers; a table is written row by row."""
    puzzle, rows = answers.selection.puzzle, answers.selection.rows
    style, text = writer.style, ""
    if style.startswith("."):
        deque(results, maxlen=0)
        writer.write(draw_counts(answers, view, style))
    elif style == "calendar":
        deque(results, maxlen=0)
        text = format_calendar(answers) if view == View() else ""
        style = "table"
    if not text and style in RENDER:
        fields = ["date", *puzzle.categories, "tilings"]
        fields += ["difficulty", "guesses_mean"] if view.difficulty else []
        if style in ("table", "markdown"):
            fields = fields[not any(row.date for row in rows) :]
        else:
            fields.append("methods")
        writer.style = style
        writer.write_records(to_records(answers, results, view, fields), fields)
    summary = format_answer(answers) if len(rows) == 1 else summarise(answers)
    if style != "table":
        info(summary)
    else:
        writer.write(text if is_quiet() or summary in text else f"{text}{summary}\n")


def draw_counts(answers: Answers, view: View, suffix: str) -> bytes:
    """Return a picture of the counts."""
    from satcal.draw.counts import calendar_picture, histogram_picture

    draw = histogram_picture if view.plot == "histogram" else calendar_picture
    return draw(answers.selection.puzzle, answers.rows()).encode(suffix)


def to_records(
    answers: Answers, results: Iterator[Counted], view: View, fields: Sequence[str]
) -> Iterator[dict[str, Any]]:
    """Yield the record of each row as soon as all rows up to it are counted."""
    selection, ratings = answers.selection, dict[Reveal, dict[str, Any]]()
    if view.difficulty:
        deque(results, maxlen=0)
        with LocalProcesses(1) as worker:  # Ctrl-C can end it
            arguments = (selection.puzzle, selection.reveals, selection.place)
            ratings = worker.submit(rate_difficulty, *arguments).result()
    for row in selection.rows:
        while row.reveal not in answers.by_method.get(answers.methods[-1], {}):
            if next(results, None) is None:
                break
        number, methods = answers.agreed_count(row.reveal)
        if view.fewer_than is None or (number is not None and number < view.fewer_than):
            more = ratings.get(row.reveal, {})
            record = row.record(selection.puzzle, tilings=number, methods=methods, **more)
            yield {name: record.get(name) for name in fields}
    deque(results, maxlen=0)


def rate_difficulty(
    puzzle: Puzzle, reveals: Sequence[Reveal], placements: Sequence[Placement]
) -> dict[Reveal, dict[str, Any]]:
    """Return the rating and the mean guesses of each reveal; this runs in a child process."""
    from satcal.analysis.difficulty import difficulties

    return {
        result.reveal: {
            "difficulty": result.rating,
            "guesses_mean": result.guesses and round(result.guesses.mean, 4),
        }
        for result in difficulties(puzzle, reveals, placements)
    }


def format_answer(answers: Answers) -> str:
    """Return the answer for one row: ``rhombus, 2025-10-06: 868 solutions, the 41st most of 365``.

    A date of a shipped table has a rank and a difficulty.
    """
    selection = answers.selection
    puzzle, (row,) = selection.puzzle, selection.rows
    title = f"{puzzle.name}, {row}" if row.reveal else puzzle.name
    number, _ = answers.agreed_count(row.reveal)
    if number is None:
        return f"{title}: not counted"
    text = f"{title}: {number:,} solution{'' if number == 1 else 's'}"
    if answers.up_to_symmetry:
        text += " up to symmetry"
    if selection.place:
        return f"{text} with these pieces on the board"
    ranked_text = ", ".join(filter(None, [text, answers.facts.rank]))
    return "; ".join(filter(None, [ranked_text, answers.facts.difficulty]))


def summarise(answers: Answers) -> str:
    """Return the total, fewest, most, mean and median, and the number of rows without a tiling."""
    selection = answers.selection
    counted = [(number, row) for row, number in answers.rows() if number is not None]
    noun = "date" if any(row.date for row in selection.rows) else "reveal"
    text = f"{selection.puzzle.name}, {format_span(selection)}: "
    if len(counted) < len(selection.rows):
        text += f"partial, {len(counted):,} of {count_of(len(selection.rows), noun)} counted"
    if not counted:
        return text
    counts = sorted(number for number, _ in counted)
    total, number, middle = sum(counts), len(counts), len(counts) // 2
    median = Fraction(counts[middle] + counts[-middle - 1], 2)
    fewest, most = (some_of([str(row) for n, row in counted if n == counts[i]]) for i in (0, -1))
    symmetry = " up to symmetry" if answers.up_to_symmetry else ""
    is_own = selection.puzzle.calendar.parts and not (answers.facts.shipped or selection.place)
    way = "; satcal design finds pieces that solve all" if is_own and not counts[0] else ""
    text += ": " if len(counted) < len(selection.rows) else ""
    return (
        f"{text}{count_of(total, 'solution')}{symmetry} on {count_of(number, noun)}\n"
        f"fewest {counts[0]:,} ({fewest}), most {counts[-1]:,} ({most}), "
        f"mean {format_decimal(Fraction(total, number), 2)}, median {format_decimal(median, 1)}, "
        f"without a solution {counts.count(0):,}{way}"
    )


def format_decimal(value: Fraction, places: int) -> str:
    """Return a fraction as a decimal, rounded half up.

    >>> format_decimal(Fraction(23, 2), 1), format_decimal(Fraction(2, 3), 2)
    ('11.5', '0.67')
    """
    units, remainder = divmod((value * 10**places * 2 + 1) // 2, 10**places)
    return f"{units:,}.{remainder:0{places}d}"


def format_span(selection: Selection) -> str:
    """Return the years of the rows, or the first and the last row."""
    first, last = selection.rows[0], selection.rows[-1]
    ends = [row.date.timetuple()[:3] for row in (first, last) if row.date]
    if [day[1:] for day in ends] == [(1, 1), (12, 31)]:
        return " to ".join(dict.fromkeys(str(day[0]) for day in ends))
    return f"{first} to {last}"


def format_calendar(answers: Answers) -> str:
    """Return a sentence for a single row, a calendar for dates, or nothing for other rows."""
    from satcal.draw.counts import counts_of_days  # imports the drawing of pictures

    puzzle, rows = answers.selection.puzzle, answers.selection.rows
    parts, have_years = puzzle.calendar.parts, all(row.date for row in rows)
    if len(rows) == 1:
        return f"{format_answer(answers)}\n"
    if parts is None or ("weekday" in parts and not have_years):
        return ""
    counts = counts_of_days(puzzle, answers.rows())
    days = {day: "?" if number is None else f"{number:,}" for day, number in counts.items()}
    return "\n".join(
        format_year(year, days, parts["month"]) for year in sorted({day[0] for day in days})
    )


def format_year(year: int, days: Days, names: Sequence[str]) -> str:
    """Return grids with a row per day and a column per month, no wider than the terminal."""
    months = sorted({month for its_year, month, _ in days if its_year == year})
    widest = max(map(width, [*names, *days.values()]))
    columns = max(1, (screen_width() - 4) // (widest + 2))
    parts = (months[start : start + columns] for start in range(0, len(months), columns))
    grids = []
    for part in parts:
        day_numbers = sorted({day for y, month, day in days if y == year and month in part})
        rows = [[str(d), *(days.get((year, m, d), "") for m in part)] for d in day_numbers]
        head = [str(year or ""), *(names[month - 1] for month in part)]
        grids.append(align([head, *rows], [True] * len(head)))
    return "\n".join(grids)


def conclude(
    answers: Answers, store: StoreSession | None, verify: bool | None, named: bool, partial: bool
) -> int:
    """Print the results of the comparison and the errors; return the exit code.

    ``named`` says whether the user named a method, and ``partial`` whether a count is missing.
    """
    counts, first = answers.counts(), answers.methods[0]
    first_counts, total = counts.get(first, {}), len(answers.selection.reveals)
    shipped = {r: n for r, n in answers.facts.shipped.items() if r in first_counts}
    other_counts = {k: numbers for k, numbers in counts.items() if k != first} | {SHIPPED: shipped}
    disagreements = run.differences({first: first_counts, **other_counts})
    unsaved = store.finish() if store else 0
    disagreements += store.contradictions if store else []
    codes = [Disagreement.exit_code] * bool(disagreements)
    for sentence in disagreements:
        warn(f"DISAGREEMENT {sentence}")
    if any(counted.error for results in answers.by_method.values() for counted in results.values()):
        codes += print_errors(answers, verify)
    lost = unsaved or (store and store.was_damaged)
    if not codes and (partial or lost or answers.interrupted):
        codes = [Stopped.exit_code]
    recalled = sum(c.method == run.STORED for c in answers.by_method.get(first, {}).values())
    is_unchecked = verify is None and not (any(other_counts.values()) or named or partial)
    is_listed = total > 1 and len(other_counts.get("listing", ())) == total and not disagreements
    agreeing = [
        name if len(numbers) == total else f"{name} on {len(numbers):,}"
        for name, numbers in other_counts.items()
        if numbers and not disagreements and not (is_listed and name == "listing")
    ]
    clauses = [
        f"{len(first_counts):,} of {total:,} counted" if partial else "",
        f"agrees with {', '.join(agreeing)}" if agreeing else "",
        f"all {total:,} listed one by one" if is_listed else "",
        "--verify counts again by other methods (slower)" if is_unchecked else "",
        f"{recalled:,} recalled from the store" if recalled else "",
        f"{unsaved:,} not stored" if unsaved else "",
    ]
    if text := "; ".join(filter(None, clauses)):
        (warn if codes else info)(text)
    return min(codes, default=0)


def print_errors(answers: Answers, verify: bool | None) -> list[int]:
    """Print each error once; return the exit codes.

    A check without ``--verify`` may exceed its time limit.
    """
    by_text: dict[str, list[Counted]] = {}
    for name, results in answers.by_method.items():
        for counted in results.values():
            is_default_check = name not in answers.methods and not verify
            is_ignored = is_default_check and isinstance(counted.error, BudgetExhausted)
            if counted.error and not is_ignored:
                by_text.setdefault(str(counted.error), []).append(counted)
    for text, failures in list(by_text.items())[:MAX_ERRORS]:
        others = f" and {len(failures) - 1:,} more" if len(failures) > 1 else ""
        reveal = f"{' '.join(failures[0].reveal)}{others}: " if failures[0].reveal else ""
        warn(f"satcal: error: {reveal}{text}")
    return [failures[0].error.exit_code for failures in by_text.values() if failures[0].error]
