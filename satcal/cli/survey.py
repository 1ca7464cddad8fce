"""``satcal survey``: the tilings for every set of cells that may stay uncovered."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from satcal.cli.options import MemorySize, board_options, place_option
from satcal.cli.progress import layers
from satcal.puzzle.loading import load
from satcal.puzzle.model import cell_name
from satcal.puzzle.place import parse_demands
from satcal.records import written

if TYPE_CHECKING:
    from satcal.counting.survey import CellSet, Survey

FORMATS = ("text", "csv", "json")
FIELDS = ("cells", "labels", "tilings", "cut_off")
DRAWN = 12  # of each list: what a reader scrolls through


@click.command()
@board_options
@place_option
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    default=DRAWN,
    show_default=True,
    help="Sets drawn in each list of the format text.",
)
@click.option(
    "--memory-limit",
    type=MemorySize(),
    default="4G",
    show_default=True,
    metavar="500M|2G",
    help="Of the diagram; a larger one is refused.",
)
@click.option(
    "--format",
    "style",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    help="A summary with drawings, or a row for each set.",
)
@click.option("--quiet", "-q", is_flag=True, help="No progress.")
def survey(
    board: str, pieces: str | None, flip: str | None, place: tuple[str, ...], limit: int,
    memory_limit: int, style: str, quiet: bool,
) -> None:  # fmt: skip
    """Count the tilings for every set of cells that may stay uncovered, dates or not.

    On a board of 43 cells whose pieces cover 41 these are its 903 pairs of cells. Sets
    without a tiling and with exactly one are listed and drawn. A part is cut off if its area
    is no sum of areas of pieces.
    """
    from satcal.counting.survey import survey as survey_of

    puzzle = load(board, pieces, flip)
    demands = parse_demands(puzzle, place)
    with layers(quiet) as on_layer:
        found = survey_of(puzzle, demands, memory_limit, on_layer)
    if style == "text":
        click.echo("\n".join(text_lines(found, limit)))
    else:
        click.echo(written(records(found), FIELDS, style), nl=False)


def records(found: Survey) -> Iterator[dict[str, str | int]]:
    """Yield a row for each set: its cells, their labels, tilings, whether a part is cut off."""
    for cells, tilings in found.counts.items():
        # the pruner forbids no set that has a tiling, so it need not be asked
        cut_off = not tilings and bool(found.cut_off(cells))
        yield {
            "cells": " ".join(map(cell_name, cells)),
            "labels": " ".join(found.labels(cells)),
            "tilings": tilings,
            "cut_off": "yes" if cut_off else "no",
        }


def text_lines(found: Survey, limit: int) -> Iterator[str]:
    """Yield the summary of a survey, then the sets without a tiling and with exactly one."""
    from satcal.draw.words import count_of

    empty, unique = found.having(0), found.having(1)
    apart = [cells for cells in empty if found.cut_off(cells)]
    yield (
        f"{found.puzzle.name}: {count_of(found.total, 'tiling')}, whichever "
        f"{count_of(found.size, 'cell')} of {len(found.puzzle.cells)} "
        f"{'stays' if found.size == 1 else 'stay'} uncovered"
    )
    least, most = (choose(found.counts, key=found.counts.__getitem__) for choose in (min, max))
    yield (
        f"{count_of(len(found.counts), 'set')} of cells: fewest {found.counts[least]:,} "
        f"({_name(found, least)}), most {found.counts[most]:,} ({_name(found, most)})"
    )
    yield (
        f"{len(empty):,} without a tiling ({len(apart):,} of them cut off a part that no pieces "
        f"fill), {len(unique):,} with exactly one"
    )
    for cells in empty[:limit]:
        yield from ("", *_empty(found, cells))
    yield from _more(empty, limit, "without a tiling")
    for cells in unique[:limit]:
        yield from ("", *_unique(found, cells))
    yield from _more(unique, limit, "with exactly one tiling")


def _name(found: Survey, cells: CellSet) -> str:
    return " ".join(found.labels(cells)) or "no cell"


def _empty(found: Survey, cells: CellSet) -> Iterator[str]:
    from satcal.draw.board import draw_uncovered

    cut_off = sorted(found.cut_off(cells))
    part = " ".join(map(cell_name, cut_off))
    said = f"cut off is {part}" if len(cut_off) <= 4 else f"cut off are {len(cut_off)} cells (x)"
    yield f"{_name(found, cells)}: no tiling, {said if cut_off else 'and nothing is cut off'}"
    yield draw_uncovered(found.puzzle, cells, (), cut_off)


def _unique(found: Survey, cells: CellSet) -> Iterator[str]:
    from satcal.draw.board import draw_uncovered

    yield f"{_name(found, cells)}: exactly one tiling"
    yield draw_uncovered(found.puzzle, cells, next(found.tilings(cells)))


def _more(listed: list[CellSet], limit: int, which: str) -> Iterator[str]:
    if len(listed) > limit:
        yield f"\n{len(listed) - limit:,} more {which}; --limit draws more, --format csv lists all"
