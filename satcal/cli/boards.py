"""``satcal boards``: the puzzles of the library."""

from __future__ import annotations

from typing import Any

import click

from satcal.cli.options import Command
from satcal.cli.output import Writer, add_output, info
from satcal.puzzle.description import describe
from satcal.puzzle.loading import ALIASES, library, load
from satcal.puzzle.model import Puzzle
from satcal.tabular import FORMATS


@click.command(cls=Command)
@add_output("text", *FORMATS)
def boards(writer: Writer) -> None:
    """List the puzzles of the library, with their sizes and the names of their pieces."""
    puzzles = [load(name) for name in library()]
    with writer:
        records = list(map(to_record, puzzles))
        fields = list(records[0])
        if writer.style == "text":
            writer.style = "table"
            fields = ["name", "rows", "columns", "cells", "reveals", "pieces", "title"]
            records = [record | {"pieces": " ".join(record["pieces"])} for record in records]
        writer.write_records(records, fields)
    for alias, name in sorted(ALIASES.items()):
        info(f"{alias} is {name}")


def to_record(puzzle: Puzzle) -> dict[str, Any]:
    """Return the record of a puzzle: its names, its sizes and its pieces."""
    return {
        **describe(puzzle),
        "cells": len(puzzle.cells),
        "area": puzzle.area,
        "categories": {name: len(labels) for name, labels in puzzle.categories.items()},
        "reveals": puzzle.number_of_reveals,
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
