"""``satcal boards``: the puzzles of the library."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from satcal.cli.options import Command
from satcal.cli.output import Writer, add_output, info
from satcal.puzzle.description import describe, measure
from satcal.puzzle.loading import ALIASES, library, load
from satcal.puzzle.model import Puzzle
from satcal.tabular import FORMATS

COLUMNS = ("name", "rows", "columns", "cells", "reveals", "pieces", "title")
"""The columns of the text; the other formats have all fields."""


@click.command(cls=Command)
@add_output("text", *FORMATS)
def boards(writer: Writer) -> None:
    """List the puzzles of the library, with their sizes and the names of their pieces."""
    records = [to_record(load(name)) for name in library()]
    fields: Sequence[str] = list(records[0])
    if writer.style == "text":
        writer.style, fields = "table", COLUMNS
    with writer:
        writer.write_records(records, fields)
    for alias, name in sorted(ALIASES.items()):
        info(f"{alias} is {name}")


def to_record(puzzle: Puzzle) -> dict[str, Any]:
    """Return the record of a puzzle: its names, its sizes and the names of its pieces."""
    return {
        **describe(puzzle),
        **measure(puzzle),
        "area": puzzle.area,
        "dates": puzzle.calendar.number_of_dates(),
        "categories": {name: len(labels) for name, labels in puzzle.categories.items()},
        "pieces": [piece.name for piece in puzzle.pieces],
    }
