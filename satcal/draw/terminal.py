"""Colour in the terminal: tilings side by side.

Letters and borders say everything; colour only adds to them. Each coloured cell has its own
background and an ink that is read on it, so dark and light terminals look alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter

from rich.cells import cell_len
from rich.console import Console
from rich.style import Style
from rich.text import Text

from satcal.draw.board import areas_of, draw_tiling, line_runs
from satcal.draw.theme import ink_on, load_theme
from satcal.puzzle.model import Placement, Puzzle, Reveal

BETWEEN = 3  # columns between boards
NARROWEST = 24  # columns of a board with its title


def console() -> Console:
    """Return standard output as a console that colours nothing by itself and cuts no line."""
    return Console(highlight=False, soft_wrap=True)


def _paint(colour: str) -> Style:
    return Style(color=ink_on(colour), bgcolor=colour)


def draw_coloured(puzzle: Puzzle, reveal: Reveal, tiling: Sequence[Placement]) -> Text:
    """Return the drawing of :func:`draw_tiling` with a background for each piece."""
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
    """Return the number of boards of a puzzle that a width takes, at least one."""
    wide = max(map(cell_len, draw_tiling(puzzle, reveal, ()).split("\n")))
    return max(1, (width + BETWEEN) // (max(wide, NARROWEST) + BETWEEN))


def beside(titles: Sequence[str], boards: Sequence[Text]) -> Text:
    """Return boards of one puzzle beside each other, each below its title."""
    blocks = [[Text(t), *b.split("\n")] for t, b in zip(titles, boards, strict=True)]
    wide = max(line.cell_len for block in blocks for line in block) + BETWEEN
    shown = []
    for *others, last in zip(*blocks, strict=True):
        for line in others:
            line.pad_right(wide - line.cell_len)
        shown.append(Text().join([*others, last]))
    return Text("\n").join(shown)
