"""Tilings in the colours of a terminal.

Letters and borders say everything; colour only adds to them. Each coloured cell has its own
background and an ink that is read on it, so dark and light terminals look alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter

from rich.console import Console
from rich.style import Style
from rich.text import Text

from satcal.draw.board import areas_of, line_runs
from satcal.draw.theme import ink_on, load_theme
from satcal.puzzle.model import Placement, Puzzle, Reveal


def in_colours(puzzle: Puzzle, reveal: Reveal, tiling: Sequence[Placement]) -> str:
    """Return the drawing of placed pieces with the colours that standard output can show."""
    screen = Console(highlight=False, soft_wrap=True)
    with screen.capture() as captured:
        screen.print(draw_coloured(puzzle, reveal, tiling), end="")
    return captured.get()


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
