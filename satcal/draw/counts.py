"""Pictures of counts: the calendar of a year, and how many dates have each number of solutions.

>>> import datetime
>>> from satcal.puzzle.loading import load
>>> row = Row(("Oct", "6"), datetime.date(2025, 10, 6))
>>> calendar_picture(load("a-puzzle-a-day"), [(row, 7)])
<Picture A-Puzzle-A-Day, Oct 2025: 7 solutions on 1 date>
>>> bins([0, 3, 3, 41])
(3, [1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])
"""

from __future__ import annotations

import math
from bisect import bisect_left
from calendar import monthrange
from collections.abc import Iterable, Mapping, Sequence

from satcal.draw.pictures import number_of, title_of
from satcal.draw.svg import Picture, element, font_size_for, text_element
from satcal.draw.theme import LIGHT, Theme, ink_on
from satcal.errors import OptionError
from satcal.puzzle.calendar import WEEKDAYS
from satcal.puzzle.model import Puzzle
from satcal.puzzle.when import Row

DAY = 56.0, 40.0  # pixels of a day: its width and height
MONTHS_ACROSS = 3
MAX_MONTHS = 240
BINS = 20
Counts = Sequence[tuple[Row, int | None]]
"""Rows with their counts; None is a date that was not counted."""
Month = tuple[int, int]
"""A year and a month; year 0 where the dates have none."""


def calendar_picture(puzzle: Puzzle, counts: Counts, theme: Theme = LIGHT) -> Picture:
    """Return a calendar of counts, each day coloured by the rank of its count.

    Its words are those of the board. Dates without a year have no weekdays.

    Raises:
        OptionError: the rows are not days of a calendar, or of too many months.
    """
    days = counts_of_days(puzzle, counts)
    months = sorted({(year, month) for year, month, _ in days})
    if len(months) > MAX_MONTHS:
        raise OptionError(f"a picture takes at most {MAX_MONTHS} months; choose fewer years")
    names = puzzle.calendar.require()["month"]
    known = sorted(count for count in days.values() if count is not None)
    across = min(MONTHS_ACROSS, len(months))
    wide, high = 7.6 * DAY[0], 8.2 * DAY[1]
    head = 2.2 * DAY[1]
    width, height = across * wide + DAY[0], head + math.ceil(len(months) / across) * high
    span = " to ".join(dict.fromkeys(month_name(names, month) for month in (months[0], months[-1])))
    if len(months) == 12 and months[0][0] == months[-1][0]:
        span = str(months[0][0] or "")
    total = f"{number_of(sum(known), 'solution')} on {number_of(len(known), 'date')}"
    description = f"From {known[0]:,} to {known[-1]:,} solutions a date" if known else "No counts"
    title = f"{title_of(puzzle, span)}: {total}"
    picture = Picture(width, height + 1.2 * DAY[1], title, description, theme.background)
    picture.headline(DAY[1], 0.55 * DAY[1], 2 * DAY[0], theme.text)
    for index, month in enumerate(months):
        down, right = divmod(index, across)
        left, top = 0.8 * DAY[0] + right * wide, head + down * high
        picture.add(*month_drawn(puzzle, month, days, known, theme, left, top))
    picture.add(*legend(known, theme, 0.8 * DAY[0], height))
    return picture


def month_name(names: Sequence[str], month: Month) -> str:
    """Return a month in the words of a board, with its year."""
    year, number = month
    return f"{names[number - 1]} {year}" if year else names[number - 1]


def counts_of_days(puzzle: Puzzle, counts: Counts) -> Mapping[tuple[int, int, int], int | None]:
    """Return the counts by year, month and day; the year is 0 where the rows have none."""
    found: dict[tuple[int, int, int], int | None] = {}
    for row, count in counts:
        if row.date:
            day = row.date.year, row.date.month, row.date.day
        else:
            at = puzzle.calendar.indices(row.reveal)
            day = 0, at["month"] + 1, at["day"] + 1
        if day in found:
            raise OptionError(
                f"{' '.join(row.reveal)} is a date of several weekdays; a calendar needs a year, "
                "such as 2026"
            )
        found[day] = count
    return found


def month_drawn(
    puzzle: Puzzle,
    month: Month,
    days: Mapping[tuple[int, int, int], int | None],
    known: Sequence[int],
    theme: Theme,
    left: float,
    top: float,
) -> Iterable[str]:
    """Yield a month: its name, the weekdays, and its days with their counts."""
    (wide, high), (year, number), parts = DAY, month, puzzle.calendar.require()
    name = month_name(parts["month"], month)
    yield text_element(name, left, top + 0.5 * high, 0.5 * high, theme.text, "start")
    before, length = monthrange(year, number) if year else (0, 31)
    for column, weekday in enumerate(parts.get("weekday", WEEKDAYS) if year else ()):
        x = left + (column + 0.5) * wide
        yield text_element(weekday, x, top + 1.3 * high, 0.3 * high, theme.text)
    for day in range(1, length + 1):
        if (year, number, day) not in days:
            continue
        row, column = divmod(before + day - 1, 7)
        x, y = left + column * wide, top + (1.7 + row) * high
        count = days[year, number, day]
        colour = theme.board if count is None else heat(count, known, theme)
        size = {"width": 0.94 * wide, "height": 0.92 * high}
        yield element("rect", x=x, y=y, **size, rx=4, fill=colour)
        ink, text = ink_on(colour), "?" if count is None else f"{count:,}"
        yield text_element(str(day), x + 4, y + 0.22 * high, 0.24 * high, ink, "start")
        size_of_count = font_size_for(text, 0.86 * wide, 0.38 * high)
        yield text_element(text, x + 0.47 * wide, y + 0.58 * high, size_of_count, ink)


def heat(count: int, known: Sequence[int], theme: Theme) -> str:
    """Return the colour of a count by its rank; a few rich dates leave the others their shades."""
    return theme.heat_colour(bisect_left(known, count) / max(1, len(known) - 1))


def legend(known: Sequence[int], theme: Theme, left: float, top: float) -> Iterable[str]:
    """Yield the counts at the quarters of the ranks, each on its colour."""
    wide, high = DAY
    quarters = {known[round(n * (len(known) - 1) / 4)] for n in range(5)} if known else set()
    for index, count in enumerate(sorted(quarters)):
        colour, x = heat(count, known, theme), left + index * 1.4 * wide
        yield element("rect", x=x, y=top, width=1.34 * wide, height=0.7 * high, rx=4, fill=colour)
        text, size = f"{count:,}", 0.38 * high
        yield text_element(text, x + 0.67 * wide, top + 0.35 * high, size, ink_on(colour))


def bins(numbers: Sequence[int]) -> tuple[int, list[int]]:
    """Return a width, and how many of the numbers are in each range of this width from 0 on."""
    width = -(-(max(numbers) + 1) // BINS)
    heights = [0] * (max(numbers) // width + 1)
    for number in numbers:
        heights[number // width] += 1
    return width, heights


def histogram_picture(puzzle: Puzzle, counts: Counts, theme: Theme = LIGHT) -> Picture:
    """Return a picture of how many dates have how many solutions.

    Raises:
        OptionError: no row has a count.
    """
    numbers = [count for _, count in counts if count is not None]
    if not numbers:
        raise OptionError("a histogram needs at least one count")
    noun = "date" if puzzle.calendar.parts else "reveal"
    title = f"{title_of(puzzle)}: solutions of {number_of(len(numbers), noun)}"
    step, heights = bins(numbers)
    described = (f"{n * step:,} to {(n + 1) * step - 1:,}: {h}" for n, h in enumerate(heights))
    picture = Picture(1000, 600, title, "; ".join(described), theme.background)
    picture.headline(40, 24, 100, theme.text)
    left, bottom, wide, high = 80.0, 520.0, 880.0, 430.0
    highest = max(heights)
    for value in range(0, highest + 1, max(1, round(highest // 5, 1 - len(str(highest // 5))))):
        y = bottom - high * value / highest
        picture.add(element("rect", x=left, y=y, width=wide, height=1, fill=theme.grid))
        picture.add(text_element(f"{value:,}", left - 10, y, 16, theme.text, "end"))
    for n, height in enumerate(heights):
        x, tall = left + wide * n / len(heights), high * height / highest
        each = {"x": x + 1, "y": bottom - tall, "width": wide / len(heights) - 2, "height": tall}
        picture.add(element("rect", **each, fill=theme.pieces[0]))
        if n % 4 == 0:
            picture.add(text_element(f"{n * step:,}", x, bottom + 18, 16, theme.text))
    picture.add(text_element("solutions", left + wide / 2, 570, 18, theme.text))
    picture.add(text_element(f"{noun}s", left, 72, 18, theme.text, "end"))
    return picture
