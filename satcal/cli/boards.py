"""``satcal boards``: the puzzles of the library, and what can be said of any puzzle in figures."""

from __future__ import annotations

import math

from cloup import command

from satcal.cli.output import Writer, writing
from satcal.cli.progress import info
from satcal.puzzle.loading import ALIASES, library, load
from satcal.puzzle.model import Puzzle
from satcal.tabular import FORMATS, render


@command()
@writing("text", *FORMATS)
def boards(writer: Writer) -> None:
    """List the puzzles of the library."""
    puzzles = [load(name) for name in library()]
    with writer:
        if writer.style == "text":
            fields = ("board", "cells", "pieces", "reveals", "digest", "title")
            writer.write("".join(render(map(line, puzzles), fields, "table")))
        else:
            records = list(map(facts, puzzles))
            writer.records(records, list(records[0]))
    for alias, name in sorted(ALIASES.items()):
        info(f"{alias} is {name}")


def line(puzzle: Puzzle) -> dict[str, object]:
    """Return what the list says of a puzzle."""
    return {
        "board": puzzle.name,
        "cells": len(puzzle.cells),
        "pieces": number_of_pieces(puzzle),
        "reveals": number_of_reveals(puzzle),
        "digest": puzzle.digest[:16],
        "title": puzzle.title,
    }


def facts(puzzle: Puzzle) -> dict[str, object]:
    """Return all that can be said of a puzzle without counting tilings."""
    return {
        "name": puzzle.name,
        "title": puzzle.title,
        "designer": puzzle.designer,
        "source": puzzle.source,
        "digest": puzzle.digest,
        "cells": len(puzzle.cells),
        "area": puzzle.area,
        "categories": {name: len(labels) for name, labels in puzzle.categories.items()},
        "reveals": number_of_reveals(puzzle),
        "dates": puzzle.calendar.number_of_dates(),
        "pieces": {
            piece.name: {
                "area": piece.area,
                "copies": piece.copies,
                "orientations": len(piece.orientations),
                "flip": piece.flip,
            }
            for piece in puzzle.pieces
        },
    }


def number_of_pieces(puzzle: Puzzle) -> int:
    """Return the number of pieces, each copy counted."""
    return sum(piece.copies for piece in puzzle.pieces)


def number_of_reveals(puzzle: Puzzle) -> int:
    """Return the number of reveals."""
    return math.prod(map(len, puzzle.categories.values()))
