"""The map of a year: months by days, each number coloured by its rank."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Iterator, Mapping

from satcal.puzzle.calendar import MONTHS, WEEKDAYS
from tools.count_pages.book import LEAP, SHADES, Book, Ranking, number

YEAR = 2026  # whose dates stand for all years on boards with weekdays
FULL = tuple(datetime.date(YEAR, month, 1).strftime("%B") for month in range(1, 13))
LONG = tuple(datetime.date(2024, 1, day).strftime("%A") for day in range(1, 8))  # from Monday
LEGEND = "".join(f'<span class="shade-{shade}"></span>' for shade in range(SHADES))


def section(book: Book) -> Iterator[str]:
    """The maps of a puzzle, with what the numbers come to."""
    counts = book.year(YEAR if book.weekdays else LEAP)
    ranking = Ranking(counts.values())
    every, quarter = ranking.every, len(counts) // 4
    of = f" of {YEAR}" if book.weekdays else ""
    yield "## Each date\n"
    yield f"Solutions for each date{of}. A quarter of the dates have at most"
    yield f"{every[quarter - 1]:,}, a quarter at least {every[-quarter]:,}. Point at a number, or"
    yield "tap it, to see its rank; [satcal birthday](../how-to/ask.md) has it for all puzzles.\n"
    yield '<p class="swipe">Swipe the table for later months.</p>\n'
    texts = {date: date_in_full(date, book.weekdays) for date in counts}
    yield from year_map(counts, texts, ranking)
    yield from sums(book, counts)
    if book.weekdays:
        yield from by_weekday(book)


def date_in_full(date: datetime.date, weekday: bool) -> str:
    """A date of the map, such as ``14 July`` or ``Tue 14 July 2026``."""
    text = f"{date.day} {FULL[date.month - 1]}"
    return f"{WEEKDAYS[date.weekday()]} {text} {date.year}" if weekday else text


def year_map(
    counts: Mapping[datetime.date, int], texts: Mapping[datetime.date, str], ranking: Ranking
) -> Iterator[str]:
    """One map; its year.js says below it what a tap asks for."""
    at = {(date.month, date.day): date for date in counts}
    heads = "\n".join(f"<th>{month}</th>" for month in ["", *MONTHS])
    yield f'<div class="year-map"><p class="legend">fewest {LEGEND} most</p>'
    yield '<div class="year-scroll"><table class="year">'
    yield f"<thead><tr>{heads}</tr></thead><tbody>"
    for day in range(1, 32):
        yield f"<tr><th>{day}</th>"
        for month in range(1, 13):
            if (month, day) not in at:
                yield "<td></td>"
                continue
            date = at[month, day]
            count = counts[date]
            told = f"{texts[date]}: {number(count, 'solution')}, {ranking.words(count)}"
            yield f'<td class="shade-{ranking.shade(count)}" title="{told}">{count:,}</td>'
        yield "</tr>"
    yield '</tbody></table></div><p class="told" role="status"></p></div>\n'


def sums(book: Book, counts: Mapping[datetime.date, int]) -> Iterator[str]:
    """The sums of the months, and what of all reveals the map shows."""
    months = Counter[int]()
    for date, count in counts.items():
        months[date.month] += count
    told = ", ".join(f"{name} {months[number]:,}" for number, name in enumerate(FULL, 1))
    yield f"By month: {told}. These {len(counts)} dates together have {sum(counts.values()):,}"
    if book.weekdays:
        yield "solutions; in other years the weekdays differ.\n"
    elif len(counts) < len(book.rows):
        yield f"solutions. The other {len(book.rows) - len(counts)} of all {len(book.rows)} reveals"
        yield "are days that no year has, such as 30 February.\n"
    else:
        yield "solutions.\n"


def by_weekday(book: Book) -> Iterator[str]:
    """A folded map for each weekday: what the dates have if they fall on it."""
    maps = {weekday: book.on(weekday) for weekday in WEEKDAYS}
    ranking = Ranking(count for counts in maps.values() for count in counts.values())
    yield f"Other years: each date by its weekday, ranked among all {len(ranking.every):,}.\n"
    for weekday, counts in maps.items():
        yield f"<details><summary>{LONG[WEEKDAYS.index(weekday)]}s</summary>"
        texts = {date: f"{weekday} {date_in_full(date, False)}" for date in counts}
        yield from year_map(counts, texts, ranking)
        yield "</details>\n"
