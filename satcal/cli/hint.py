"""``satcal hint``: what is left for a partly filled board, without giving all away."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cloup

from satcal.analysis.hint import Hint
from satcal.analysis.hint import hint as hint_of
from satcal.cli.output import Writer, writing
from satcal.cli.progress import progress
from satcal.cli.words import (
    Selection,
    board_option,
    date_option,
    one_of,
    placing,
    reveal_option,
    select,
    words_argument,
)
from satcal.diagram.puzzle import open_diagram
from satcal.errors import NoTiling
from satcal.puzzle.placed import format_placement
from satcal.tabular import count_of


@cloup.command()
@words_argument
@cloup.option_group("Board and date", board_option, date_option, reveal_option, placing)
@one_of("date", "reveal")
@writing("text")
def hint(words: Sequence[str], writer: Writer, **options: Any) -> int:
    """Get help with a partly filled board, given with --place.

    Says whether it can still be solved, how many solutions remain, which piece has the fewest
    places left, and a possible next placement. If it can no longer be solved, says which pieces to
    take back, and exits with code 1.
    """
    selection = select(words, **options)
    reveal = selection.row.reveal
    with progress("building the diagram") as step:
        diagram = open_diagram(selection.puzzle, [reveal], progress=step)
    found = hint_of(diagram, reveal, selection.place)
    with writer:
        write_text(writer, selection, found)
    return 0 if found.tilings else NoTiling.exit_code


def write_text(writer: Writer, selection: Selection, found: Hint) -> None:
    """Write a hint in sentences, then the position, which ``--place`` reads."""
    puzzle, row = selection.puzzle, selection.row
    title = str(row) or puzzle.name
    if not found.tilings:
        writer.write(f"{title}: {found.advice}\n")
        return
    writer.write(f"{title}: it can still be solved, {count_of(found.tilings, 'solution')} left\n")
    tightest, following = found.tightest, found.next()
    if tightest is None or following is None:
        writer.write("every piece is placed\n")
        return
    places = count_of(len(found.places[tightest]), "place")
    writer.write(f"fewest places left: piece {tightest} ({places})\n")
    writer.write(f"a possible next placement: {format_placement(puzzle, following)}\n")
    writer.draw(puzzle, row.reveal, selection.place)
