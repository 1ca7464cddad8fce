"""Colour in the terminal: tilings side by side, and the heat map of a year.

Letters and borders always say everything; colour only adds to them. Each coloured cell has its
own background and an ink that is read on it, so dark and light terminals look alike.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import groupby, product
from operator import itemgetter

from rich.cells import cell_len
from rich.console import Console
from rich.style import Style
from rich.text import Text

from satcal.draw.board import areas_of, draw_tiling, line_runs
from satcal.draw.theme import ink_on, load_theme
from satcal.puzzle.calendar import MONTHS
from satcal.puzzle.model import Placement, Puzzle, Reveal
from satcal.tables import CountedRow

BETWEEN = 3  # columns between boards
NARROWEST = 24  # columns of a board with its title


def console() -> Console:
    """Standard output as a console; it colours nothing by itself and cuts no line."""
    return Console(highlight=False, soft_wrap=True)


def _paint(colour: str) -> Style:
    return Style(color=ink_on(colour), bgcolor=colour)


def coloured(puzzle: Puzzle, reveal: Reveal, tiling: Sequence[Placement]) -> Text:
    """The drawing of :func:`draw_tiling` with a background for each piece."""
    colours = load_theme().piece_colours(puzzle)
    styles = {
        index: _paint(colours[placement.piece])
        for index, placement in enumerate(tiling, len(reveal))
    }
    lines = []
    for line in line_runs(puzzle, areas_of(puzzle, reveal, tiling)):
        text = Text()
        for area, run in groupby(line, key=itemgetter(1)):
            text.append("".join(part for part, _ in run), styles.get(area))
        text.rstrip()
        lines.append(text)
    return Text("\n").join(lines)


def boards_per_line(puzzle: Puzzle, reveal: Reveal, width: int) -> int:
    """The number of boards of a puzzle that a width takes, at least one."""
    wide = max(map(cell_len, draw_tiling(puzzle, reveal, ()).split("\n")))
    return max(1, (width + BETWEEN) // (max(wide, NARROWEST) + BETWEEN))


def beside(titles: Sequence[str], boards: Sequence[Text]) -> Text:
    """Boards of one puzzle beside each other, each below its title."""
    blocks = [[Text(t), *b.split("\n")] for t, b in zip(titles, boards, strict=True)]
    wide = max(line.cell_len for block in blocks for line in block) + BETWEEN
    shown = []
    for *others, last in zip(*blocks, strict=True):
        for line in others:
            line.pad_right(wide - line.cell_len)
        shown.append(Text().join([*others, last]))
    return Text("\n").join(shown)


def heat_map(table: Sequence[CountedRow], width: int = 100) -> Text:
    """Dates as a grid, months downwards and days across, with a legend.

    Ranks are shaded: a few rich dates would leave all other counts in one shade. A month takes
    97 columns, and more than one line where ``width`` has fewer.
    """
    days = {
        (entry.row.date.year, entry.row.date.month, entry.row.date.day): entry.tilings
        for entry in table
        if entry.row.date and entry.tilings is not None
    }
    if not days:
        return Text()
    theme, ordered = load_theme(), sorted(filter(None, days.values()))
    several = len({year for year, _, _ in days}) > 1
    lines_a_month = -(-31 // max(1, (width - (9 if several else 4)) // 3))
    days_per_line = -(-31 // lines_a_month)

    def shade(count: int) -> Style:
        return _paint(theme.heat_colour(bisect_left(ordered, count) / max(1, len(ordered) - 1)))

    lines = []
    months = sorted({(year, month) for year, month, _ in days})
    for (year, month), first in product(months, range(1, 32, days_per_line)):
        line = Text(f"{year:04} " * several + f"{MONTHS[month - 1]} ")
        if first > 1:
            line = Text(" " * len(line))
        for day in range(first, min(32, first + days_per_line)):
            count = days.get((year, month, day))
            if count:
                line.append(f"{day:>2} ", shade(count))
            else:
                line.append("   " if count is None else " 0 ")
        lines.append(line)
    legend = Text("    solutions, fewest to most:" if ordered else "no date has a solution")
    quarters = {ordered[round(n * (len(ordered) - 1) / 4)] for n in range(5)} if ordered else set()
    for count in sorted(quarters):
        text = f" {count:,} "
        if len(legend) + 1 + len(text) > width:
            lines.append(legend)
            legend = Text("   ")
        legend.append(" ").append(text, shade(count))
    return Text("\n").join([*lines, legend])
