"""``satcal survey``: the number of tilings for every set of cells that may stay uncovered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import cloup

from satcal.analysis.survey import Survey
from satcal.analysis.survey import survey as survey_of
from satcal.cli.output import PICTURES, Writer, writing
from satcal.cli.progress import info, progress
from satcal.cli.words import board_argument, board_name, board_option, placing, read_place
from satcal.errors import OptionError
from satcal.puzzle.loading import load
from satcal.puzzle.model import Puzzle, Reveal, cell_name
from satcal.tabular import NAMED, Record, count_of, some_of

SHOWN = 12
"""Sets without a tiling, and sets with exactly one, that are named or drawn."""
FIELDS = ("cells", "labels", "tilings", "cut_off")


@cloup.command()
@board_argument
@cloup.option_group("Board", board_option, placing)
@cloup.option("--certify", metavar="FOLDER", help="Write a certificate of every number.")
@writing("text", "csv", "json", "ndjson", others=PICTURES)
def survey(
    words: Sequence[str],
    board: str | None,
    place: Sequence[str],
    certify: str | None,
    writer: Writer,
) -> None:
    """Count the tilings for every set of cells that may stay uncovered, dates or not.

    On a board of 43 cells with pieces that cover 41, these sets are the 903 pairs of cells. Sets
    without a tiling, and sets with exactly one, are named; a picture draws them. Tables have a row
    for each set. A part counts as cut off if no pieces add up to its area.
    """
    if certify and place:
        raise OptionError("--place: a certificate begins with an empty board; leave out --place")
    puzzle = load(board_name(words, board))
    placed = read_place(puzzle, place)
    with progress("building the diagram") as step:
        counted = survey_of(puzzle, placed, progress=step)
    if certify:
        write_proof(counted, Path(certify), writer.force)
    with writer:
        if writer.style == "text":
            writer.write(summary(counted))
        elif writer.style in PICTURES:
            from satcal.draw.pictures import survey_picture

            writer.write(survey_picture(counted, limit=SHOWN).encode(writer.style))
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


def summary(counted: Survey) -> str:
    """Return the totals, and the first sets without a tiling and with exactly one."""

    def name_sets(tilings: int, limit: int = NAMED) -> str:
        sets = map(counted.labels, counted.having(tilings))
        return some_of([" ".join(labels) or "no cell" for labels in sets], limit)

    puzzle, counts, empty = counted.puzzle, counted.counts, counted.having(0)
    least, highest = min(counts.values()), max(counts.values())
    cut_off = sum(bool(counted.cut_off(cells)) for cells in empty)
    return (
        f"{puzzle.name}: {count_of(counted.total, 'tiling')} in total, over all choices of "
        f"{count_of(counted.size, 'cell')} out of {len(puzzle.cells)} to leave uncovered\n"
        f"{count_of(len(counts), 'set')} of cells: "
        f"fewest {least:,} ({name_sets(least)}), most {highest:,} ({name_sets(highest)})\n"
        f"{len(empty):,} without a tiling ({cut_off:,} of them cut off a part that no pieces "
        f"fill): {name_sets(0, SHOWN) or '-'}\n"
        f"{len(counted.having(1)):,} with exactly one: {name_sets(1, SHOWN) or '-'}\n"
    )
