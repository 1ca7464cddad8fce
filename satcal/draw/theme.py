"""Themes: the colours of pictures, from a TOML file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

import satcal.toml as toml
from satcal.errors import FileTrouble, FormatError, UnknownName, did_you_mean
from satcal.files import read_text
from satcal.puzzle.model import Puzzle

FOLDER = Path(__file__).parent / "themes"
DEFAULT = "light"
MAX_COLOURS = 64  # a list longer than that is some other file


@dataclass(frozen=True)
class Theme:
    """Colours as ``#rrggbb``."""

    name: str
    background: str
    board: str  # of cells that nothing covers
    text: str
    line: str  # around pieces
    grid: str  # between cells
    revealed: str  # of cells that a reveal leaves uncovered
    pieces: tuple[str, ...]  # in the order of the piece set
    heat: tuple[str, ...]  # from few tilings to many

    def piece_colours(self, puzzle: Puzzle) -> dict[str, str]:
        """Return the colour of each piece; a long set repeats them paler."""
        colours = {}
        for number, piece in enumerate(puzzle.pieces):
            turn, index = divmod(number, len(self.pieces))
            colours[piece.name] = mix(self.pieces[index], self.background, min(0.3 * turn, 0.6))
        return colours

    def heat_colour(self, share: float) -> str:
        """Return the colour of a share from 0 (few) to 1 (many)."""
        lower, rest = divmod(min(max(share, 0.0), 1.0) * (len(self.heat) - 1), 1)
        near, far = (*self.heat, self.heat[-1])[int(lower) :][:2]
        return mix(near, far, rest)


def channels(colour: str) -> tuple[int, int, int]:
    """Return red, green and blue from 0 to 255."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def mix(colour: str, other: str, share: float) -> str:
    """Return a colour with a share of another one in it."""
    pairs = zip(channels(colour), channels(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


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
    """Return black or white, whichever is read better on a colour."""
    return max("#000000", "#ffffff", key=lambda ink: contrast(ink, colour))


@cache
def themes() -> tuple[str, ...]:
    """Return the names of satcal's own themes."""
    return tuple(sorted(path.stem for path in FOLDER.iterdir()))


def load_theme(name: str = DEFAULT) -> Theme:
    """Return a theme by name, or from a file, which may leave out what is the default's.

    Raises UnknownName for neither, FormatError or FileTrouble for a wrong file.
    """
    if name in themes():
        return _parse((FOLDER / f"{name}.toml").read_text("utf-8"), name, name, {})
    path = Path(name)
    if path.suffix == ".toml" or len(path.parts) > 1:
        base = vars(load_theme(DEFAULT))
        return _parse(read_text(path, "theme"), path.stem, f"theme {name}", base)
    if not name or "\0" in name:
        raise FileTrouble("--theme: give a theme's name or the path of a .toml file")
    raise UnknownName(
        f"no theme '{name}'; the themes are {', '.join(themes())}, or give the path of a "
        f".toml file{did_you_mean(name, themes())}"
    )


def _parse(text: str, name: str, where: str, base: Mapping[str, Any]) -> Theme:
    colours = {**base, "name": name}
    known = [each.name for each in fields(Theme) if each.name != "name"]
    for key, value in toml.parse(text, where).items():
        if key not in known:
            raise FormatError(f"{where}: a theme has no '{key}'" + did_you_mean(key, known))
        if key not in ("pieces", "heat"):
            colours[key] = _colour(value, f"{where}: {key}")
        elif isinstance(value, list) and 1 <= len(value) <= MAX_COLOURS:
            colours[key] = tuple(_colour(each, f"{where}: {key}") for each in value)
        else:
            raise FormatError(f"{where}: {key}: give a list of 1 to {MAX_COLOURS} colours")
    return Theme(**colours)


def _colour(value: object, where: str) -> str:
    if not isinstance(value, str) or not re.fullmatch("#[0-9a-fA-F]{6}", value):
        raise FormatError(f"{where}: {value!r} is no colour; write it as #0072B2")
    return value.lower()
