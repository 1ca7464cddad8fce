"""The poster of a year: a calendar with one tiling a day."""

from __future__ import annotations

import calendar
import datetime
from collections.abc import Iterable, Mapping

from satcal.draw.pictures import name_of, scene
from satcal.draw.svg import Picture, fitting, words
from satcal.draw.theme import Theme
from satcal.errors import OptionError
from satcal.puzzle.calendar import MONTHS, WEEKDAYS
from satcal.puzzle.model import Puzzle, Tiling

UNIT = 8.0  # pixels of a cell
MAX_MONTHS = 24
MONTHS_ACROSS = 4
WEEKS = 6  # that a month can touch


def check_months(dates: Iterable[datetime.date]) -> list[tuple[int, int]]:
    """Return the (year, month) pairs of some dates in order.

    Raises:
        OptionError: none, or more than a poster takes.
    """
    months = sorted({(date.year, date.month) for date in dates})
    if not 1 <= len(months) <= MAX_MONTHS:
        raise OptionError(f"a poster takes 1 to {MAX_MONTHS} months; choose one with --year")
    return months


def year_picture(
    puzzle: Puzzle, tilings: Mapping[datetime.date, Tiling | None], theme: Theme, title: str
) -> Picture:
    """Return a poster with the months of some dates, a tiling on each date.

    Args:
        puzzle: a puzzle with dates.
        tilings: one per date; None where a date has none, which is said.
        theme: the colours.
        title: the headline, such as the year.

    Raises:
        OptionError: no dates, or more months than a poster takes.
    """
    months = check_months(tilings)
    day_wide, day_high = (puzzle.columns + 1.4) * UNIT, (puzzle.rows + 3.2) * UNIT
    wide, high = 7 * day_wide + 4 * UNIT, WEEKS * day_high + 9 * UNIT
    across = min(MONTHS_ACROSS, len(months))
    down = -(-len(months) // across)
    head = 0.035 * across * wide + 6 * UNIT
    text = f"{name_of(puzzle)} {title}".strip()
    picture = Picture(
        across * wide + 4 * UNIT, head + down * high + 2 * UNIT, text,
        f"A tiling of {puzzle.name} for each of {len(tilings)} dates", theme.background,
    )  # fmt: skip
    size = fitting(text, picture.width - 8 * UNIT, 0.55 * head)
    picture.add(words(text, picture.width / 2, head / 2, size, theme.text))
    for number, (year, month) in enumerate(months):
        row, column = divmod(number, across)
        _month(picture, puzzle, theme, (4 * UNIT + column * wide, head + row * high),
               (day_wide, day_high), (year, month), tilings)  # fmt: skip
    return picture


def _month(
    picture: Picture,
    puzzle: Puzzle,
    theme: Theme,
    corner: tuple[float, float],
    day_size: tuple[float, float],
    month: tuple[int, int],
    tilings: Mapping[datetime.date, Tiling | None],
) -> None:
    left, top = corner
    wide, high = day_size
    picture.add(words(MONTHS[month[1] - 1], left, top + 2 * UNIT, 4 * UNIT, theme.text, "start"))
    for number, name in enumerate(WEEKDAYS):
        x = left + number * wide + puzzle.columns * UNIT / 2
        picture.add(words(name, x, top + 5.6 * UNIT, 1.6 * UNIT, theme.text))
    for week, days in enumerate(calendar.Calendar().monthdatescalendar(*month)):
        for weekday, date in enumerate(days):
            if date.month == month[1] and date in tilings:
                at = left + weekday * wide, top + 8 * UNIT + week * high
                _day(picture, puzzle, theme, at, date, tilings[date])


def _day(
    picture: Picture,
    puzzle: Puzzle,
    theme: Theme,
    corner: tuple[float, float],
    date: datetime.date,
    tiling: Tiling | None,
) -> None:
    left, top = corner
    text = str(date.day) if tiling is not None else f"{date.day}: no tiling"
    picture.add(words(text, left, top, 1.5 * UNIT, theme.text, "start"))
    board = scene(puzzle, theme, UNIT, left, top + 1.2 * UNIT, letters=False)
    if tiling is None:
        picture.add(board.outline(puzzle.cells, theme.board, theme.line, 0.09))
    else:
        picture.add(*board.tiling(puzzle.reveal(date), tiling))
