"""``satcal birthday``: one day on every calendar of the library."""

from __future__ import annotations

from typing import NamedTuple

import click

from satcal import api
from satcal.cli import options
from satcal.draw.pictures import Panel, panels_picture
from satcal.draw.svg import SUFFIXES
from satcal.draw.theme import load_theme
from satcal.published.own_tables import rank_among_dates
from satcal.puzzle.dates import in_full, parse_date, reveal_in_full
from satcal.puzzle.loading import library, load
from satcal.puzzle.model import Puzzle
from satcal.puzzle.ranges import Range, Row, select
from satcal.tables import count_of

FIELDS = ("board", "date", "reveal", "tilings", "rank")


class _Answer(NamedTuple):
    """The day on one calendar, and where its number stands among those of all dates."""

    puzzle: Puzzle
    row: Row
    tilings: int
    rank: str

    def words(self, dated: bool = True) -> str:
        """The number and its rank; ``dated``, with the whole date where its weekday matters."""
        text = count_of(self.tilings, "solution")
        if dated and self.row.date and "weekday" in self.puzzle.categories:
            text += f" on {in_full(self.row.date, weekday=True)}"
        return ", ".join(filter(None, (text, self.rank)))


@options.command()
@click.argument("words", nargs=-1, required=True, metavar="DATE...")
@options.theme_option
@options.tabular("text", pictures=SUFFIXES)
def birthday(words: tuple[str, ...], theme: str, style: str) -> None:
    """Count the solutions of a date on every calendar in the library.

    The rank compares the date with all other dates of the same calendar. The year matters only on
    calendars with weekdays; the default is this year. With -o FILE.svg, .png or .pdf, draw a
    solution on each calendar instead.
    """
    if style not in SUFFIXES:
        options.refuse("only applies to pictures; drop it, or give -o FILE.svg", "theme")
    today = options.today(click.get_current_context())
    text = " ".join(words)
    parse_date(text, "birthday", today)  # a month has many days
    puzzles = [puzzle for puzzle in map(load, library()) if puzzle.calendar.parts]
    answers = []
    for puzzle in puzzles:
        (row,) = select(puzzle, Range(date=text), today)
        rank = rank_among_dates(puzzle, row.reveal)
        answers.append(_Answer(puzzle, row, api.count(puzzle, row), rank))
    if style in SUFFIXES:
        click.echo(_picture(answers, theme, style), nl=False)
    elif style == "text":
        click.echo(f"{_day(answers)}\n{_lines(answers)}")
    else:
        options.echo(map(_record, answers), FIELDS, style)


def _day(answers: list[_Answer]) -> str:
    """The day in words, as a calendar without weekdays has it."""
    plain = min(answers, key=lambda answer: len(answer.row.reveal))
    return reveal_in_full(plain.puzzle.calendar, plain.row.reveal)


def _lines(answers: list[_Answer]) -> str:
    """A line for each calendar, with the numbers below each other."""
    widest = max(len(answer.puzzle.name) for answer in answers)
    figures = [len(f"{answer.tilings:,}") for answer in answers]
    return "\n".join(
        f"  {answer.puzzle.name:<{widest}}  {' ' * (max(figures) - wide)}{answer.words()}"
        for answer, wide in zip(answers, figures, strict=True)
    )


def _record(answer: _Answer) -> dict[str, object]:
    return {
        "board": answer.puzzle.name,
        "date": str(answer.row.date or ""),
        "reveal": answer.row.reveal,
        "tilings": answer.tilings,
        "rank": answer.rank,
    }


def _picture(answers: list[_Answer], theme: str, suffix: str) -> bytes:
    """A picture with a solution on each calendar."""
    panels = [
        Panel(
            answer.puzzle,
            answer.row.reveal,
            api.kth_tiling(answer.puzzle, answer.row) if answer.tilings else (),
            answer.words(dated=False),
        )
        for answer in answers
    ]
    title = f"{_day(answers)} on {count_of(len(panels), 'calendar')}"
    return panels_picture(panels, load_theme(theme), title).encode(suffix)
