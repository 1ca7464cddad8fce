"""``satcal hint``: help with a partly filled board, without showing a solution."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from satcal.analysis.hint import Hint, make_hint
from satcal.cli.options import (
    Command,
    add_section,
    board_option,
    date_option,
    place_option,
    reveal_option,
    words_argument,
)
from satcal.cli.output import Writer, add_output, info, progress
from satcal.cli.words import select
from satcal.diagram.puzzle import open_diagram
from satcal.errors import NoTiling
from satcal.puzzle.model import cell_name
from satcal.puzzle.placed import format_placement
from satcal.puzzle.rows import Selection
from satcal.tabular import count_of

HOW_TO_PLACE = (
    "no piece is on the board; give the placed ones, such as --place 'O: 1 2 3 8 9 10', a "
    "file with a drawing, or - for standard input"
)


@click.command(cls=Command)
@words_argument
@add_section("Board and date", board_option, date_option, reveal_option, place_option)
@add_output("text")
def hint(words: Sequence[str], writer: Writer, **options: Any) -> int:
    """Get help with a partly filled board, given with --place.

    Says whether it can still be solved, how many solutions remain, at which cell to start, and a
    possible next placement there. If it can no longer be solved, says which pieces to take back,
    and exits with code 1. The pieces may also be a drawing in a file: satcal hint Oct 6 today.txt.
    For a plain number: satcal count --place.
    """
    selection = select(words, **options)
    reveal = selection.row.reveal
    with progress("building the diagram") as step:
        diagram = open_diagram(selection.puzzle, [reveal], progress=step)
    result = make_hint(diagram, reveal, selection.place)
    if not selection.place:
        info(HOW_TO_PLACE)
    with writer:
        write_text(writer, selection, result)
    return 0 if result.tilings else NoTiling.exit_code


def write_text(writer: Writer, selection: Selection, result: Hint) -> None:
    """Write a hint, then a drawing of the position, which ``--place`` can read."""
    puzzle, row = selection.puzzle, selection.row
    title = str(row) or puzzle.name
    if not result.tilings:
        writer.write(f"{title}: {result.advice}\n")
        return
    writer.write(f"{title}: it can still be solved, {count_of(result.tilings, 'solution')} left\n")
    cell, next_placement = result.cell, result.next()
    if cell is None or next_placement is None:
        writer.write("every piece is placed\n")
        return
    label = puzzle.label_at.get(cell)
    writer.write(f"start at {label.text if label else cell_name(cell)}\n")
    writer.write(f"a possible next placement: {format_placement(puzzle, next_placement)}\n")
    writer.write_drawing(puzzle, row.reveal, selection.place)
