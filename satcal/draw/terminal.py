"""Colour in the terminal: tilings side by side, and the heat map of a year's counts.

Letters and borders always say everything; colour only adds to them. Each coloured cell has its
own background and an ink that is read on it, so dark and light terminals look alike.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import TextIO

from satcal.draw.board import draw_tiling
from satcal.draw.tables import Counted
from satcal.draw.theme import Theme, channels, ink_on, load_theme
from satcal.puzzle.calendar import MONTHS
from satcal.puzzle.model import Placement, Puzzle, Reveal

PLAIN_WIDTH = 80  # columns where nothing tells how many there are
BETWEEN = 3  # columns between boards
_RESET = "\x1b[0m"


def colours_wanted(stream: TextIO | None = None) -> bool:
    """Return whether a stream takes colours: a terminal, without NO_COLOR; FORCE_COLOR forces."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    where = stream or sys.stdout
    return where.isatty() and os.environ.get("TERM", "") != "dumb"


def terminal_width() -> int:
    """Return the number of columns, ``COLUMNS`` first."""
    text = os.environ.get("COLUMNS", "")
    if text.isdecimal() and int(text):
        return int(text)
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns
    except (OSError, ValueError):
        return PLAIN_WIDTH


def painted(text: str, colour: str, depth: str | None = None) -> str:
    """Return text on a background; ``COLORTERM`` tells whether 24 bits are understood."""
    ink = ink_on(colour)
    depth = os.environ.get("COLORTERM", "") if depth is None else depth
    if depth in ("truecolor", "24bit"):
        back = ";".join(map(str, channels(colour)))
        return f"\x1b[48;2;{back};38;2;{';'.join(map(str, channels(ink)))}m{text}{_RESET}"
    return f"\x1b[48;5;{_of_256(colour)};38;5;{_of_256(ink)}m{text}{_RESET}"


def _of_256(colour: str) -> int:
    """Return the number of the nearest colour of the 6 x 6 x 6 cube of 256-colour terminals."""
    levels = (0, 95, 135, 175, 215, 255)
    red, green, blue = (
        min(range(6), key=lambda level: abs(levels[level] - channel))
        for channel in channels(colour)
    )
    return 16 + 36 * red + 6 * green + blue


def draw_coloured(
    puzzle: Puzzle, reveal: Reveal, tiling: Sequence[Placement], theme: Theme | None = None
) -> str:
    """Return the drawing of :func:`draw_tiling` with a background for each piece."""
    lines = draw_tiling(puzzle, reveal, tiling).split("\n")
    colours = (theme or load_theme()).piece_colours(puzzle)
    owner = {cell: placed for placed in tiling for cell in placed.cells}
    step = (max(map(len, lines)) - 1) // puzzle.columns
    return "\n".join(_painted_line(line, y, step, owner, colours) for y, line in enumerate(lines))


def _painted_line(
    line: str, y: int, step: int, owner: Mapping[tuple[int, int], Placement],
    colours: Mapping[str, str],
) -> str:  # fmt: skip
    """Paint what is inside a piece: its cells, and the gaps between cells of the same piece."""

    def inside(x: int) -> Placement | None:
        rows = [y // 2] if y % 2 else [y // 2 - 1, y // 2]
        columns = [x // step] if x % step else [x // step - 1, x // step]
        owners = [owner.get((row, column)) for row in rows for column in columns]
        return owners[0] if all(each is owners[0] for each in owners) else None

    parts = []
    for placed, run in groupby(range(len(line)), inside):
        text = "".join(line[x] for x in run)
        parts.append(text if placed is None else painted(text, colours[placed.piece]))
    return "".join(parts)


def side_by_side(boards: Sequence[str], titles: Sequence[str], width: int) -> list[str]:
    """Return blocks of lines with as many boards beside each other as a width takes."""
    wide = max(max(map(_shown, [*board.split("\n"), title]))
               for board, title in zip(boards, titles, strict=True))  # fmt: skip
    across = max(1, (width + BETWEEN) // (wide + BETWEEN))
    blocks = []
    for first in range(0, len(boards), across):
        columns = [
            [title, *board.split("\n")]
            for board, title in zip(boards[first : first + across],
                                    titles[first : first + across], strict=True)
        ]  # fmt: skip
        lines = []
        for number in range(max(map(len, columns))):
            cells = [column[number] if number < len(column) else "" for column in columns]
            padded = [cell + " " * (wide + BETWEEN - _shown(cell)) for cell in cells[:-1]]
            lines.append("".join([*padded, cells[-1]]).rstrip())
        blocks.append("\n".join(lines))
    return blocks


def boards_across(puzzle: Puzzle, reveal: Reveal, width: int) -> int:
    """Return how many boards of a puzzle a width takes, at least one."""
    wide = max(map(len, draw_tiling(puzzle, reveal, ()).split("\n")))
    return max(1, (width + BETWEEN) // (max(wide, 24) + BETWEEN))


def _shown(text: str) -> int:
    """Return how many columns a text takes, its colours left out."""
    shown, rest = 0, text
    while rest:
        before, escape, rest = rest.partition("\x1b[")
        shown += len(before)
        if escape:
            rest = rest.partition("m")[2]
    return shown


def heat_map(table: Sequence[Counted], width: int = 100, theme: Theme | None = None) -> str:
    """Return dates as a grid, months downwards and days across, shaded by rank, with a legend.

    Ranks and not counts are shaded: a few rich dates would leave all others in one shade. The
    grid takes 97 columns, or 66 where ``width`` has no more, and five more for the years where
    there are several; a date without a tiling is ``0`` on no background.
    """
    colours = theme or load_theme()
    known = {each.row.date: each.tilings for each in table
             if each.row.date is not None and each.tilings is not None}  # fmt: skip
    ordered = sorted(count for count in known.values() if count)
    of_day = {(date.year, date.month, date.day): count for date, count in known.items()}
    several = len({date.year for date in known}) > 1
    wide = 3 if width >= (9 if several else 4) + 3 * 31 else 2
    lines = []
    for year, month in sorted({(date.year, date.month) for date in known}):
        line = f"{year:04} {MONTHS[month - 1]} " if several else f"{MONTHS[month - 1]} "
        for day in range(1, 32):
            here = of_day.get((year, month, day))
            line += " " * wide if here is None else _shaded(here, day, ordered, colours, wide)
        lines.append(line.rstrip())
    return "\n".join([*lines, _legend(ordered, colours)]) + "\n" if lines else ""


def _shaded(count: int, day: int, ordered: Sequence[int], theme: Theme, wide: int) -> str:
    if not count:
        return f"{0:>2}".ljust(wide)
    return painted(f"{day:>2}".ljust(wide), theme.heat_colour(_share(count, ordered)))


def _share(count: int, ordered: Sequence[int]) -> float:
    """Return the rank of a count among all, from 0 to 1, equal counts alike."""
    from bisect import bisect_left

    return bisect_left(ordered, count) / max(1, len(ordered) - 1)


def _legend(ordered: Sequence[int], theme: Theme) -> str:
    if not ordered:
        return "no date has a tiling"
    steps = sorted({ordered[round(share * (len(ordered) - 1) / 4)] for share in range(5)})
    shades = [painted(f" {c:,} ", theme.heat_colour(_share(c, ordered))) for c in steps]
    return f"    tilings, fewest to most: {' '.join(shades)}"
