"""Pictures of a puzzle that a request describes; SVG here, PNG in a process of its own."""

from __future__ import annotations

from typing import Any

from satcal.draw.pictures import board_picture, pieces_picture, tiling_picture
from satcal.draw.svg import Picture
from satcal.draw.theme import load_theme
from satcal.puzzle.model import Puzzle
from satcal.puzzle.place import parse_placement


def draw(puzzle: Puzzle, request: dict[str, Any]) -> Picture:
    """Return the picture: ``what`` is board, pieces or tiling, in one of satcal's own themes."""
    theme = load_theme(request["theme"])
    if request["what"] == "board":
        return board_picture(puzzle, theme)
    if request["what"] == "pieces":
        return pieces_picture(puzzle, theme)
    placements = [parse_placement(puzzle, text) for text in request["placements"]]
    reveal = puzzle.check_reveal(tuple(request["reveal"]))
    return tiling_picture(puzzle, reveal, placements, theme, " ".join(reveal))
