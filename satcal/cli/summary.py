"""The output of ``satcal count``: a table, a calendar or a picture, and a summary."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import tee
from typing import Any, NamedTuple

from satcal.cli.output import PICTURES, Writer, info, is_quiet
from satcal.published.shipped import Facts
from satcal.puzzle.model import Reveal
from satcal.puzzle.rows import Row, Selection
from satcal.tabular import RENDER, align, count_of, some_of, width

Days = Mapping[tuple[int, int, int], str]
"""The text of each day, by year (0 without one), month and day."""


class Answer(NamedTuple):
    """The answer for a row: the number on which the methods agree, or None, and their names."""

    row: Row
    tilings: int | None
    methods: str


@dataclass(frozen=True)
class Outcome:
    """The answers for all rows of a selection, and the facts about them that are shipped."""

    selection: Selection
    answers: Sequence[Answer]
    facts: Facts
    up_to_symmetry: bool = False

    @property
    def counts(self) -> list[tuple[Row, int | None]]:
        """The rows with their counts."""
        return [(answer.row, answer.tilings) for answer in self.answers]


def has_calendar(selection: Selection) -> bool:
    """Return whether a calendar, or the sentence for a single row, shows all rows."""
    parts, have_years = selection.puzzle.calendar.parts, all(row.date for row in selection.rows)
    is_calendar = parts is not None and ("weekday" not in parts or have_years)
    return is_calendar or len(selection.rows) == 1


def write_rows(
    selection: Selection,
    answers: Iterator[Answer],
    ratings: Mapping[Reveal, Mapping[str, Any]],
    writer: Writer,
) -> list[Answer]:
    """Write each answer as it comes, if the format is a table; return all answers."""
    shown, kept = tee(answers)
    if writer.style in RENDER:
        puzzle = selection.puzzle
        fields = ["date", *puzzle.categories, "tilings"]
        fields += ["difficulty", "guesses_mean"] if ratings else []
        if writer.style in ("table", "markdown"):
            fields = fields[not any(row.date for row in selection.rows) :]
        else:
            fields.append("methods")
        records = (
            row.record(puzzle, tilings=number, methods=names, **ratings.get(row.reveal, {}))
            for row, number, names in shown
        )
        writer.write_records(
            ({name: record.get(name) for name in fields} for record in records), fields
        )
    return list(kept)


def write_summary(outcome: Outcome, writer: Writer) -> None:
    """Write a picture or a calendar of the answers, and their summary."""
    is_single, text = len(outcome.answers) == 1, ""
    summary = format_answer(outcome) if is_single else summarise(outcome)
    if writer.style in PICTURES:
        from satcal.draw.counts import calendar_picture  # other output draws nothing

        picture = calendar_picture(outcome.selection.puzzle, outcome.counts)
        writer.write(picture.encode(f".{writer.style}"))
    elif writer.style == "calendar":
        text = f"{summary}\n" if is_single else format_calendar(outcome)
    if writer.style not in ("table", "calendar"):
        info(summary)
    else:
        writer.write(text if is_quiet() or summary in text else f"{text}{summary}\n")


def format_answer(outcome: Outcome) -> str:
    """Return the answer for one row: ``rhombus, 2025-10-06: 868 solutions, the 41st most of 365``.

    A date of a shipped table has a rank and a rating.
    """
    puzzle, facts = outcome.selection.puzzle, outcome.facts
    ((row, number, _),) = outcome.answers
    title = f"{puzzle.name}, {row}" if row.reveal else puzzle.name
    if number is None:
        return f"{title}: not counted"
    text = f"{title}: {count_of(number, 'solution')}"
    if outcome.up_to_symmetry:
        text += " up to symmetry"
    if outcome.selection.place:
        return f"{text} with these pieces on the board"
    if outcome.up_to_symmetry:
        return text
    return "; ".join(filter(None, [", ".join(filter(None, [text, facts.rank])), facts.rating]))


def summarise(outcome: Outcome) -> str:
    """Return the total, fewest, most, mean and median, and the number of rows without a tiling."""
    selection = outcome.selection
    counted = [(number, row) for row, number in outcome.counts if number is not None]
    noun = "date" if any(row.date for row in selection.rows) else "reveal"
    text = f"{selection.puzzle.name}, {format_span(selection)}: "
    if len(counted) < len(selection.rows):
        text += f"partial, {len(counted):,} of {count_of(len(selection.rows), noun)} counted"
    if not counted:
        return text
    counts = sorted(number for number, _ in counted)
    total, number, middle = sum(counts), len(counts), len(counts) // 2
    median = counts[middle] + counts[-middle - 1]  # twice
    fewest, most = (some_of([str(row) for n, row in counted if n == counts[i]]) for i in (0, -1))
    symmetry = " up to symmetry" if outcome.up_to_symmetry else ""
    is_own = selection.puzzle.calendar.parts and not (outcome.facts.shipped or selection.place)
    way = "; satcal design finds pieces that solve all" if is_own and not counts[0] else ""
    text += ": " if len(counted) < len(selection.rows) else ""
    return (
        f"{text}{count_of(total, 'solution')}{symmetry} on {count_of(number, noun)}\n"
        f"fewest {counts[0]:,} ({fewest}), most {counts[-1]:,} ({most}), "
        f"mean {divide(total, number, 2)}, median {divide(median, 2, 1)}, "
        f"without a solution {counts.count(0):,}{way}"
    )


def divide(number: int, divisor: int, places: int) -> str:
    """Return a quotient as a decimal, rounded half up.

    >>> divide(23, 2, 1), divide(2, 3, 2)
    ('11.5', '0.67')
    """
    units, remainder = divmod((2 * number * 10**places + divisor) // (2 * divisor), 10**places)
    return f"{units:,}.{remainder:0{places}d}"


def format_span(selection: Selection) -> str:
    """Return the years of the rows, or the first and the last row."""
    first, last = selection.rows[0], selection.rows[-1]
    ends = [row.date.timetuple()[:3] for row in (first, last) if row.date]
    if [day[1:] for day in ends] == [(1, 1), (12, 31)]:
        return " to ".join(dict.fromkeys(str(day[0]) for day in ends))
    return f"{first} to {last}"


def format_calendar(outcome: Outcome) -> str:
    """Return a calendar of dates."""
    from satcal.draw.counts import counts_of_days  # it imports the drawing of pictures

    puzzle = outcome.selection.puzzle
    counts = counts_of_days(puzzle, outcome.counts)
    days = {day: "?" if number is None else f"{number:,}" for day, number in counts.items()}
    names = puzzle.calendar.require()["month"]
    return "\n".join(format_year(year, days, names) for year in sorted({day[0] for day in days}))


def format_year(year: int, days: Days, names: Sequence[str]) -> str:
    """Return grids with a row per day and a column per month, no wider than the terminal."""
    from satcal.draw.board import screen_width

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
