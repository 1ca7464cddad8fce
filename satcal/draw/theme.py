"""Themes: the colours of pictures, from a TOML file of satcal's own or of the user's."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from satcal import toml
from satcal.errors import FileTrouble, FormatError, UnknownName, did_you_mean
from satcal.files import read_text
from satcal.puzzle.model import Puzzle

DEFAULT = "light"
MAX_COLOURS = 64  # a list longer than that is some other file
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
_LISTS = ("pieces", "heat")


@dataclass(frozen=True)
class Theme:
    """Colours as ``#rrggbb``.

    ``board`` fills cells that nothing covers, ``revealed`` those that a reveal leaves
    uncovered; ``line`` borders pieces, ``grid`` separates cells; ``pieces`` are taken in the
    order of the piece set; ``heat`` runs from few tilings to many.
    """

    name: str
    background: str
    board: str
    text: str
    line: str
    grid: str
    revealed: str
    pieces: tuple[str, ...]
    heat: tuple[str, ...]

    def piece_colours(self, puzzle: Puzzle) -> dict[str, str]:
        """Return the colour of each piece; copies share one, a long set repeats them paler."""
        found = {}
        for number, piece in enumerate(puzzle.pieces):
            turn, index = divmod(number, len(self.pieces))
            found[piece.name] = mix(self.pieces[index], self.background, min(0.3 * turn, 0.6))
        return found

    def heat_colour(self, share: float) -> str:
        """Return the colour of a share from 0 (few) to 1 (many)."""
        steps = len(self.heat) - 1
        if not steps:
            return self.heat[0]
        position = min(max(share, 0.0), 1.0) * steps
        lower = min(int(position), steps - 1)
        return mix(self.heat[lower], self.heat[lower + 1], position - lower)


def channels(colour: str) -> tuple[int, int, int]:
    """Return red, green and blue from 0 to 255."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def mix(colour: str, other: str, share: float) -> str:
    """Return a colour with a share of another one in it."""
    pairs = zip(channels(colour), channels(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def contrast(colour: str, other: str) -> float:
    """Return the contrast ratio of two colours, from 1 to 21 (WCAG 2.2)."""
    light, dark = sorted((_luminance(colour), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    linear = [
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        for value in (channel / 255 for channel in channels(colour))
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def ink_on(colour: str, choices: Sequence[str] = ("#000000", "#ffffff")) -> str:
    """Return which of some colours is read best on a colour."""
    return max(choices, key=lambda choice: contrast(colour, choice))


@cache
def themes() -> tuple[str, ...]:
    """Return the names of satcal's own themes."""
    folder = resources.files("satcal.draw") / "themes"
    return tuple(sorted(f.name.removesuffix(".toml") for f in folder.iterdir()))


def load_theme(name: str = DEFAULT) -> Theme:
    """Return a theme by name, or from the path of a file; what it leaves out is the default's.

    Raises:
        UnknownName: neither a theme nor a file.
        FormatError, FileTrouble: what is wrong with the file.
    """
    if name in themes():
        text = (resources.files("satcal.draw") / "themes" / f"{name}.toml").read_text("utf-8")
        return _parse(text, name, name, {})
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
    found = toml.parse(text, where)
    known = [each.name for each in fields(Theme) if each.name != "name"]
    colours: dict[str, str] = {}
    lists: dict[str, tuple[str, ...]] = {}
    for key, value in found.items():
        if key not in known:
            raise FormatError(f"{where}: a theme has no '{key}'" + did_you_mean(key, known))
        if key in _LISTS:
            if not isinstance(value, list) or not 1 <= len(value) <= MAX_COLOURS:
                raise FormatError(f"{where}: {key}: give a list of 1 to {MAX_COLOURS} colours")
            lists[key] = tuple(_colour(each, f"{where}: {key}") for each in value)
        else:
            colours[key] = _colour(value, f"{where}: {key}")
    return Theme(**{**base, **colours, **lists, "name": name})


def _colour(value: object, where: str) -> str:
    if not isinstance(value, str) or not _COLOUR.fullmatch(value):
        raise FormatError(f"{where}: {value!r} is no colour; write it as #0072B2")
    return value.lower()
