"""``satcal hint``: what is left for a partly filled board, without giving all away."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import cloup

from satcal.analysis.hint import Hint
from satcal.analysis.hint import hint as hint_of
from satcal.cli.output import Writer, writing
from satcal.cli.progress import progress
from satcal.cli.words import Selection, placing, select, selecting_one
from satcal.diagram.puzzle import PuzzleDiagram, open_diagram
from satcal.draw.board import draw_tiling
from satcal.errors import NoTiling
from satcal.puzzle.model import Placement
from satcal.puzzle.placed import format_placement
from satcal.tabular import count_of


@cloup.command()
@selecting_one
@placing
@cloup.option(
    "-m",
    "--more",
    count=True,
    show_default=False,
    help="List the places left for each piece; -mm shows a whole solution.",
)
@writing("text", "csv", "json", "ndjson")
def hint(words: Sequence[str], more: int, writer: Writer, **options: Any) -> int:
    """Get help with a partly filled board, given with --place.

    Says whether it can still be solved, how many solutions remain, which piece has the fewest
    places left, and a possible next placement. If it can no longer be solved, says which pieces to
    take back, and exits with code 1.
    """
    selection = select(words, **options)
    reveal, placed = selection.row.reveal, selection.place
    with progress("building the diagram") as step:
        diagram = open_diagram(selection.puzzle, [reveal], progress=step)
    found = hint_of(diagram, reveal, placed)
    with writer:
        if writer.style == "text":
            write_text(writer, selection, diagram, found, more)
        else:
            record = as_record(selection, found)
            writer.records([record], list(record))
    return 0 if found.tilings else NoTiling.exit_code


def as_record(selection: Selection, found: Hint) -> dict[str, object]:
    """Return a hint as the record of a table."""
    following = found.next()
    return {
        "date": str(selection.row.date or ""),
        "reveal": selection.row.reveal,
        "tilings": found.tilings,
        "tightest": found.tightest,
        "places": {name: len(places) for name, places in found.places.items()},
        "next": "" if following is None else str(following),
        "advice": found.advice,
    }


def write_text(
    writer: Writer, selection: Selection, diagram: PuzzleDiagram, found: Hint, more: int
) -> None:
    """Write a hint in sentences, then the position, which ``--place`` reads."""
    puzzle, row, placed = selection.puzzle, selection.row, selection.place
    title = str(row) or puzzle.name
    if not found.tilings:
        writer.write(f"{title}: {found.advice}\n")
        return
    left = count_of(found.tilings, "solution")
    writer.write(f"{title}: it can still be solved, {left} left\n")
    tightest, following = found.tightest, found.next()
    if tightest is None or following is None:
        writer.write("every piece is placed\n")
        return
    places = {name: count_of(len(left), "place") for name, left in found.places.items()}
    writer.write(f"fewest places left: piece {tightest} ({places[tightest]})\n")
    writer.write(f"a possible next placement: {format_placement(puzzle, following)}\n")
    for name in sorted(places, key=lambda name: len(found.places[name])) if more else ():
        writer.write(f"  {name:<4}{places[name]}\n")
    shown = placed if more < 2 else diagram.tiling(0, row.reveal, placed)
    writer.write(drawing(writer, selection, shown))


def drawing(writer: Writer, selection: Selection, tiling: Sequence[Placement]) -> str:
    """Return the drawing of placed pieces, in colours on a terminal."""
    puzzle, reveal = selection.puzzle, selection.row.reveal
    if writer.path is not None or not sys.stdout.isatty():
        return f"{draw_tiling(puzzle, reveal, tiling)}\n"
    from satcal.draw.terminal import console, draw_coloured  # rich takes 0.1 s to import

    screen = console()
    with screen.capture() as captured:
        screen.print(draw_coloured(puzzle, reveal, tiling))
    return captured.get()
