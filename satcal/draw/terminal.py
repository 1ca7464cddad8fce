"""Tilings in the colours of a terminal.

Letters and borders suffice without colour. Each coloured cell has a background and black or white
text, so dark and light terminals look alike.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.style import Style
from rich.text import Text

from satcal.draw.board import line_runs, list_areas
from satcal.draw.theme import ink_on, load_theme
from satcal.puzzle.model import Placement, Puzzle, Reveal


def in_colours(puzzle: Puzzle, reveal: Reveal, tiling: Sequence[Placement]) -> str:
    """Return the drawing of a tiling with the colours that standard output supports."""
    screen = Console(highlight=False, soft_wrap=True)
    with screen.capture() as capture:
        screen.print(draw_coloured(puzzle, reveal, tiling), end="")
    return capture.get()


def draw_coloured(puzzle: Puzzle, reveal: Reveal, tiling: Sequence[Placement]) -> Text:
    """Return the drawing of :func:`draw_tiling` with a background for each piece."""
    colours = load_theme().piece_colours(puzzle)
    styles: dict[int | None, Style] = {}
    for index, placement in enumerate(tiling, len(reveal)):
        colour = colours[placement.piece]
        styles[index] = Style(color=ink_on(colour), bgcolor=colour)
    lines = []
    for line in line_runs(puzzle, list_areas(puzzle, reveal, tiling)):
        text = Text()
        for part, area in line:
            text.append(part, styles.get(area))
        text.rstrip()
        lines.append(text)
    return Text("\n").join(lines)
