"""Pictures of counts: calendars.

>>> import datetime
>>> from satcal.puzzle.loading import load
>>> row = Row(("Oct", "6"), datetime.date(2025, 10, 6))
>>> calendar_picture(load("a-puzzle-a-day"), [(row, 7)])
<Picture A-Puzzle-A-Day, Oct 2025: 7 solutions on 1 date>
"""

from __future__ import annotations

import math
from bisect import bisect_left
from calendar import monthrange
from collections.abc import Iterable, Mapping, Sequence

from satcal.draw.pictures import title_of
from satcal.draw.svg import Picture, element, font_size_for, text_element
from satcal.draw.theme import LIGHT, heat_colour, ink_on
from satcal.errors import OptionError
from satcal.puzzle.calendar import WEEKDAYS
from satcal.puzzle.model import Puzzle
from satcal.puzzle.rows import Row
from satcal.tabular import count_of

DAY = 56.0, 40.0  # pixels of a day: its width and height
MONTHS_ACROSS = 3
MAX_MONTHS = 240
Counts = Sequence[tuple[Row, int | None]]
"""Rows with their counts, or None for a row that was not counted."""
Month = tuple[int, int]
"""A year and a month; the year is 0 if the dates have none."""


def calendar_picture(puzzle: Puzzle, counts: Counts) -> Picture:
    """Return a calendar of counts, each day coloured by the rank of its count.

    Its words are those of the board. Dates without a year have no weekdays.

    Raises:
        OptionError: the rows are not days of a calendar, or have too many months.
    """
    days = counts_of_days(puzzle, counts)
    months = sorted({(year, month) for year, month, _ in days})
    if len(months) > MAX_MONTHS:
        raise OptionError(f"a picture takes at most {MAX_MONTHS} months; choose fewer years")
    names = puzzle.calendar.require()["month"]
    numbers = sorted(count for count in days.values() if count is not None)
    columns = min(MONTHS_ACROSS, len(months))
    month_width, month_height = 7.6 * DAY[0], 8.2 * DAY[1]
    head = 2.2 * DAY[1]
    width = columns * month_width + DAY[0]
    height = head + math.ceil(len(months) / columns) * month_height
    span = " to ".join(dict.fromkeys(month_name(names, month) for month in (months[0], months[-1])))
    if len(months) == 12 and months[0][0] == months[-1][0]:
        span = str(months[0][0] or "")
    total = f"{count_of(sum(numbers), 'solution')} on {count_of(len(numbers), 'date')}"
    description = "No counts"
    if numbers:
        description = f"From {numbers[0]:,} to {numbers[-1]:,} solutions a date"
    title = f"{title_of(puzzle, span)}: {total}"
    picture = Picture(width, height + 1.2 * DAY[1], title, description, LIGHT.background)
    picture.headline(DAY[1], 0.55 * DAY[1], 2 * DAY[0], LIGHT.text)
    for index, month in enumerate(months):
        row, column = divmod(index, columns)
        left, top = 0.8 * DAY[0] + column * month_width, head + row * month_height
        picture.add(*draw_month(puzzle, month, days, numbers, left, top))
    picture.add(*legend(numbers, 0.8 * DAY[0], height))
    return picture


def month_name(names: Sequence[str], month: Month) -> str:
    """Return a month in the words of a board, with its year."""
    year, number = month
    return f"{names[number - 1]} {year}" if year else names[number - 1]


def counts_of_days(puzzle: Puzzle, counts: Counts) -> Mapping[tuple[int, int, int], int | None]:
    """Return the counts by year, month and day; the year is 0 if the rows have none."""
    days: dict[tuple[int, int, int], int | None] = {}
    for row, count in counts:
        if row.date:
            day = row.date.year, row.date.month, row.date.day
        else:
            indices = puzzle.calendar.indices(row.reveal)
            day = 0, indices["month"] + 1, indices["day"] + 1
        if day in days:
            raise OptionError(
                f"{' '.join(row.reveal)} is a date of several weekdays; a calendar needs a year, "
                "such as 2026"
            )
        days[day] = count
    return days


def draw_month(
    puzzle: Puzzle,
    month: Month,
    days: Mapping[tuple[int, int, int], int | None],
    numbers: Sequence[int],
    left: float,
    top: float,
) -> Iterable[str]:
    """Yield the elements of a month: its name, the weekdays, and its days with their counts."""
    (width, height), (year, month_number), parts = DAY, month, puzzle.calendar.require()
    name = month_name(parts["month"], month)
    yield text_element(name, left, top + 0.5 * height, 0.5 * height, LIGHT.text, "start")
    first_column, length = monthrange(year, month_number) if year else (0, 31)
    for column, weekday in enumerate(parts.get("weekday", WEEKDAYS) if year else ()):
        x = left + (column + 0.5) * width
        yield text_element(weekday, x, top + 1.3 * height, 0.3 * height, LIGHT.text)
    for day in range(1, length + 1):
        if (year, month_number, day) not in days:
            continue
        row, column = divmod(first_column + day - 1, 7)
        x, y = left + column * width, top + (1.7 + row) * height
        count = days[year, month_number, day]
        colour = LIGHT.board if count is None else heat(count, numbers)
        size = {"width": 0.94 * width, "height": 0.92 * height}
        yield element("rect", x=x, y=y, **size, rx=4, fill=colour)
        ink, text = ink_on(colour), "?" if count is None else f"{count:,}"
        yield text_element(str(day), x + 4, y + 0.22 * height, 0.24 * height, ink, "start")
        font_size = font_size_for(text, 0.86 * width, 0.38 * height)
        yield text_element(text, x + 0.47 * width, y + 0.58 * height, font_size, ink)


def heat(count: int, numbers: Sequence[int]) -> str:
    """Return the colour of a count by its rank, so that a few large counts do not matter."""
    return heat_colour(bisect_left(numbers, count) / max(1, len(numbers) - 1))


def legend(numbers: Sequence[int], left: float, top: float) -> Iterable[str]:
    """Yield the elements of a legend: the quartiles of the counts, each on its colour."""
    width, height = DAY
    ranks = [round(n * (len(numbers) - 1) / 4) for n in range(5)] if numbers else []
    for index, count in enumerate(sorted({numbers[rank] for rank in ranks})):
        colour, x = heat(count, numbers), left + index * 1.4 * width
        size = {"width": 1.34 * width, "height": 0.7 * height}
        yield element("rect", x=x, y=top, **size, rx=4, fill=colour)
        y, font_size = top + 0.35 * height, 0.38 * height
        yield text_element(f"{count:,}", x + 0.67 * width, y, font_size, ink_on(colour))
