"""Themes: the colours of pictures, plots and the page.

The colours of pieces are one family. Any two of the first eight have a distance of at least 15.5 in
CIELAB, any two of all at least 9.6; a tenth darker, as on dark pages, 14.3 and 8.9. The same holds
in Machado's full simulations of three kinds of colour blindness. Lines around pieces have a
contrast of 3:1 with their background. tests/draw/test_theme.py computes this.
"""

from __future__ import annotations

from dataclasses import dataclass

from satcal.errors import unknown
from satcal.puzzle.model import Puzzle

DEFAULT = "light"
TINTS = {
    "blue": "#486eb6",
    "red": "#c05e41",
    "pink": "#f271aa",
    "ochre": "#c9a14e",
    "sky": "#79bdd5",
    "green": "#4f9b75",
    "yellow": "#f2da7c",
    "violet": "#895a78",
    "lavender": "#7288cf",
    "peach": "#f4b1a6",
    "lime": "#86b37d",
    "mint": "#a7cdca",
    "mauve": "#9b7b89",
    "moss": "#5e796a",
}
"""The colours of pieces, in the order of the board's pieces, by the names that hints use."""
PIECES = tuple(TINTS.values())
VIRIDIS = ("#440154", "#3b528b", "#21918c", "#5ec962", "#fde725")
"""The colours of counts, from few to many, even in lightness."""


@dataclass(frozen=True)
class Theme:
    """Colours as ``#rrggbb``."""

    background: str
    board: str  # of cells without a piece
    text: str
    frame: str  # around the board
    line: str  # the frame's edge
    grid: str  # between cells
    revealed: str  # of cells that a reveal leaves uncovered
    revealed_line: str  # around them
    outline_mix: tuple[str, float]  # a colour mixed into a piece's for its outline, and its share
    pieces: tuple[str, ...]  # in the order of the piece set

    def piece_colours(self, puzzle: Puzzle) -> dict[str, str]:
        """Return the colour of each piece; a long set repeats the colours paler."""
        names = [piece.name for piece in puzzle.pieces]
        return dict(zip(names, repeat_colours(self, len(names)), strict=True))

    def outline(self, colour: str) -> str:
        """Return the colour of the outline of a piece with this colour."""
        return mix(colour, *self.outline_mix)


def repeat_colours(theme: Theme, number: int) -> list[str]:
    """Return a number of colours for pieces; after all of them they repeat, paler."""
    colours = []
    for index in range(number):
        repetition, colour_index = divmod(index, len(theme.pieces))
        share = min(0.3 * repetition, 0.6)
        colours.append(mix(theme.pieces[colour_index], theme.background, share))
    return colours


def channels(colour: str) -> tuple[int, int, int]:
    """Return red, green and blue from 0 to 255."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def mix(colour: str, other: str, share: float) -> str:
    """Return a mix of two colours; ``share`` is that of the other, from 0 to 1."""
    pairs = zip(channels(colour), channels(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def heat_colour(share: float) -> str:
    """Return the colour of a share from 0 (few tilings) to 1 (many)."""
    lower, rest = divmod(share * (len(VIRIDIS) - 1), 1)
    colour, next_colour = (*VIRIDIS, VIRIDIS[-1])[int(lower) :][:2]
    return mix(colour, next_colour, rest)


def contrast(colour: str, other: str) -> float:
    """Return the contrast ratio of two colours, from 1 to 21 (WCAG 2.2)."""

    def luminance(colour: str) -> float:
        values = [channel / 255 for channel in channels(colour)]
        red, green, blue = (
            v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in values
        )
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    dark, light = sorted(map(luminance, (colour, other)))
    return (light + 0.05) / (dark + 0.05)


def ink_on(colour: str) -> str:
    """Return black or white, whichever has more contrast with a colour."""
    return max("#000000", "#ffffff", key=lambda ink: contrast(ink, colour))


LIGHT = Theme(
    background="#fbf6ec",
    board="#f1e6d4",
    text="#33291f",
    frame="#c79a62",
    line="#a97c47",
    grid="#d5c09c",
    revealed="#fff6dc",
    revealed_line="#9c6a1b",
    outline_mix=("#000000", 0.45),
    pieces=PIECES,
)
DARK = Theme(
    background="#26221e",
    board="#332e29",
    text="#efe7da",
    frame="#5b4632",
    line="#3c2e21",
    grid="#494139",
    revealed="#4a3a17",
    revealed_line="#e7b659",
    outline_mix=("#ffffff", 0.2),
    pieces=tuple(mix(colour, "#000000", 0.1) for colour in PIECES),
)
THEMES = {DEFAULT: LIGHT, "dark": DARK}


def load_theme(name: str = DEFAULT) -> Theme:
    """Return the theme with this name; raise UnknownName if there is no such theme."""
    if name not in THEMES:
        raise unknown("theme", name, THEMES)
    return THEMES[name]
