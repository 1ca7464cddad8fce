"""``satcal survey``: the number of tilings for every set of cells that may stay uncovered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import click
import cloup

from satcal.analysis.survey import CellSet, Survey
from satcal.analysis.survey import survey as survey_of
from satcal.cli.output import Writer, writing
from satcal.cli.progress import info, progress
from satcal.cli.words import board_argument, board_option, placing, read_place, select_board
from satcal.draw.board import draw_uncovered
from satcal.errors import Disagreement, OptionError
from satcal.puzzle.model import cell_name
from satcal.tabular import Record, count_of, some_of

PICTURES = (".png", ".svg", ".pdf")
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
        metavar="FILE",
        type=click.Path(path_type=Path),
        help="Write a certificate of every number.",
    ),
)
@writing("text", "csv", "json", "ndjson", pictures=PICTURES)
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


def write_proof(counted: Survey, path: Path, force: bool) -> None:
    """Write a certificate with a statement for each set: the board without its cells.

    Raises:
        Disagreement: the certificate proves another number than the survey has.
    """
    from satcal.certificates.certify import Planned, normal_form, write_certificate
    from satcal.counting.run import ended_at_once
    from satcal.processes import LocalProcesses, cores, interruptible

    planned = [Planned(normal_form(counted.board_without(cells)), [()]) for cells in counted.counts]
    with (
        interruptible(),
        ended_at_once(LocalProcesses(min(cores(), max(1, len(planned))))) as workers,
        progress("certifying") as step,
    ):
        proved = write_certificate(path, planned, workers, step, force)
    for (cells, tilings), tree in zip(counted.counts.items(), proved, strict=True):
        if tree.tilings != tilings:
            raise Disagreement(
                f"{path}: without {' '.join(counted.labels(cells))} it proves "
                f"{count_of(tree.tilings, 'tiling')}, but the diagram finds {tilings:,}; "
                "please report it"
            )
    info(f"{path}: {count_of(len(proved), 'statement')}, each proved and checked")


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
