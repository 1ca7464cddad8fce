"""``satcal survey``: the number of tilings for every set of cells that may stay uncovered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import click
import cloup

from satcal.analysis.survey import CellSet, Survey
from satcal.analysis.survey import survey as survey_of
from satcal.cli.output import PICTURES, Writer, writing
from satcal.cli.progress import info, progress
from satcal.cli.words import board_argument, board_option, placing, read_place, select_board
from satcal.draw.board import draw_uncovered
from satcal.errors import OptionError
from satcal.puzzle.model import Puzzle, Reveal, cell_name
from satcal.tabular import Record, count_of, some_of

SHOWN = 12
"""Sets that are drawn of each list: what a reader scrolls through."""
FIELDS = ("cells", "labels", "tilings", "cut_off")


@cloup.command()
@board_argument
@cloup.option_group("Board", board_option, placing)
@cloup.option_group(
    "What to show",
    cloup.option(
        "--limit", type=click.IntRange(0), default=SHOWN, help="Sets that are drawn of each kind."
    ),
    cloup.option(
        "--certify",
        metavar="FOLDER",
        type=click.Path(path_type=Path, file_okay=False),
        help="Write a certificate of every number.",
    ),
)
@writing("text", "csv", "json", "ndjson", pictures=PICTURES, also=["certify"])
def survey(
    words: Sequence[str],
    board: str | None,
    place: Sequence[str],
    limit: int,
    certify: Path | None,
    writer: Writer,
) -> None:
    """Count the tilings for every set of cells that may stay uncovered, dates or not.

    On a board of 43 cells with pieces that cover 41, these sets are the 903 pairs of cells. Sets
    with no tiling, and sets with exactly one, are listed and drawn. Tables have a row for each
    set. A part counts as cut off if no pieces add up to its area.
    """
    if certify and place:
        raise OptionError("--place: a certificate has no pieces on the table; leave out one")
    puzzle = select_board(words, board)
    placed = read_place(puzzle, place)
    with progress("building the diagram") as step:
        counted = survey_of(puzzle, placed, progress=step)
    if certify:
        write_proof(counted, certify, writer.force)
    with writer:
        if writer.style == "text":
            writer.write("\n".join(sentences(counted, limit)) + "\n")
        elif writer.style in PICTURES:
            from satcal.draw.pictures import survey_picture

            writer.write(survey_picture(counted, limit=limit).encode(writer.style))
        else:
            writer.records(records(counted), FIELDS)


def records(counted: Survey) -> Iterator[Record]:
    """Yield a record for each set of cells."""
    for cells, tilings in counted.counts.items():
        yield {
            "cells": " ".join(map(cell_name, cells)),
            "labels": " ".join(counted.labels(cells)),
            "tilings": tilings,
            # no part is cut off where there is a tiling
            "cut_off": "yes" if not tilings and counted.cut_off(cells) else "no",
        }


def write_proof(counted: Survey, folder: Path, force: bool) -> None:
    """Write a certificate for each set: the board without its cells.

    Raises:
        Disagreement: a certificate proves another number than the survey has.
    """
    from satcal.certificates.certify import MANIFEST, write_folder
    from satcal.counting.run import ended_at_once
    from satcal.processes import LocalProcesses, cores, interruptible

    asked: list[tuple[str, Puzzle, Reveal, range]] = []
    for cells, tilings in counted.counts.items():
        name, board = "-".join(map(cell_name, cells)) or "board", counted.board_without(cells)
        asked.append((name, board, (), range(tilings, tilings + 1)))
    with (
        interruptible(),
        ended_at_once(LocalProcesses(min(cores(), max(1, len(asked))))) as workers,
        progress("certifying") as step,
    ):
        number = write_folder(folder, asked, workers, step, force)
    info(f"{folder}: {count_of(number, 'certificate')}, each proved and checked, and {MANIFEST}")


def sentences(counted: Survey, limit: int) -> Iterator[str]:
    """Yield the summary, then the sets without a tiling and those with exactly one, drawn."""
    puzzle, counts, size = counted.puzzle, counted.counts, counted.size
    empty, unique = counted.having(0), counted.having(1)
    apart = [cells for cells in empty if counted.cut_off(cells)]
    least, most = (
        f"{number:,} ({some_of([name_of(counted, cells) for cells in counted.having(number)])})"
        for number in (min(counts.values()), max(counts.values()))
    )
    sets = count_of(len(counts), "cell" if size == 1 else "set")
    yield (
        f"{puzzle.name}: {count_of(counted.total, 'tiling')} in total, over all choices of "
        f"{count_of(size, 'cell')} out of {len(puzzle.cells)} to leave uncovered\n"
        f"{sets}{'' if size == 1 else ' of cells'}: fewest {least}, most {most}\n"
        f"{len(empty):,} without a tiling ({len(apart):,} of them cut off a part that no pieces "
        f"fill), {len(unique):,} with exactly one"
    )
    for listed, kind, which in (
        (empty, "no tiling", "without a tiling"),
        (unique, "exactly one tiling", "with exactly one tiling"),
    ):
        for cells in listed[:limit]:
            tiling, cut_off = next(counted.tilings(cells), ()), sorted(counted.cut_off(cells))
            reason = "" if counts[cells] else ", and nothing is cut off"
            if len(cut_off) > 4:
                reason = f", {len(cut_off)} cells cut off (x)"
            elif cut_off:
                reason = f", cut off: {' '.join(map(cell_name, cut_off))}"
            yield f"\n{name_of(counted, cells)}: {kind}{reason}"
            yield draw_uncovered(puzzle, cells, tiling, cut_off)
        if len(listed) > limit:
            more = f"{len(listed) - limit:,} more {which}"
            yield f"\n{more}; --limit draws more, --format csv lists all"


def name_of(counted: Survey, cells: CellSet) -> str:
    """Return the labels of a set, or the names of its cells."""
    return " ".join(counted.labels(cells)) or "no cell"
