"""``satcal survey``: the number of tilings for every set of cells that may stay uncovered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from satcal.analysis.survey import Survey, count_sets
from satcal.cli.options import Command, add_section, board_argument, board_option, place_option
from satcal.cli.output import Writer, add_output, info, progress
from satcal.cli.words import load_board, read_placements
from satcal.errors import OptionError
from satcal.puzzle.model import Puzzle, Reveal, cell_name
from satcal.tabular import MAX_NAMED, Record, count_of, some_of

MAX_EXAMPLES = 12
"""Limit on the sets without a tiling, and on those with exactly one, that are named."""
FIELDS = ("cells", "labels", "tilings", "cut_off")


@click.command(cls=Command)
@board_argument
@add_section("Board", board_option, place_option)
@click.option("--certify", metavar="FOLDER", help="Write a certificate of every count.")
@add_output("text", "csv", "json", "ndjson")
def survey(
    words: Sequence[str],
    board: str | None,
    place: Sequence[str],
    certify: str | None,
    writer: Writer,
) -> None:
    """Count the tilings for every set of cells that may stay uncovered, dates or not.

    On a board of 43 cells with pieces that cover 41, these sets are the 903 pairs of cells. Sets
    without a tiling, and sets with exactly one, are named. Tables have a row for each set, which
    says whether the set cuts off a part of the board that no pieces can fill, because none add up
    to its area.
    """
    if certify and place:
        raise OptionError("--place: a certificate begins with an empty board; leave out --place")
    puzzle = load_board(words, board)
    placements = read_placements(puzzle, place)
    with progress("building the diagram") as step:
        result = count_sets(puzzle, placements, progress=step)
    if certify:
        write_certificates(result, Path(certify), writer.force)
    with writer:
        if writer.style == "text":
            writer.write(format_summary(result))
        else:
            writer.write_records(to_records(result), FIELDS)


def to_records(result: Survey) -> Iterator[Record]:
    """Yield a record for each set of cells."""
    for cells, tilings in result.counts.items():
        yield {
            "cells": " ".join(map(cell_name, cells)),
            "labels": " ".join(result.labels(cells)),
            "tilings": tilings,
            # a set with a tiling cuts off no part
            "cut_off": "yes" if not tilings and result.cuts_off(cells) else "no",
        }


def write_certificates(result: Survey, folder: Path, force: bool) -> None:
    """Write a certificate for each set of cells: the count of the board without them.

    Raises:
        Disagreement: a certificate contradicts the survey.
    """
    from satcal.certificates.certify import MANIFEST, write_folder
    from satcal.processes import LocalProcesses, interruptible

    certificates: list[tuple[str, Puzzle, Reveal, range]] = []
    for cells, tilings in result.counts.items():
        name, board = "-".join(map(cell_name, cells)) or "board", result.board_without(cells)
        certificates.append((name, board, (), range(tilings, tilings + 1)))
    with (
        interruptible(),
        LocalProcesses(tasks=len(certificates)) as workers,
        progress("certifying") as step,
    ):
        number = write_folder(folder, certificates, workers, step, force)
    info(f"{folder}: {count_of(number, 'certificate')}, each made and checked, and {MANIFEST}")


def format_summary(result: Survey) -> str:
    """Return the totals, and name the first sets without a tiling and with exactly one."""

    def name_sets(tilings: int, limit: int = MAX_NAMED) -> str:
        sets = map(result.labels, result.having(tilings))
        return some_of([" ".join(labels) or "no cell" for labels in sets], limit)

    puzzle, counts, empty = result.puzzle, result.counts, result.having(0)
    fewest, most = min(counts.values()), max(counts.values())
    cut_off = sum(result.cuts_off(cells) for cells in empty)
    return (
        f"{puzzle.name}: {count_of(result.total, 'tiling')} in total, over all choices of "
        f"{count_of(result.size, 'cell')} out of {len(puzzle.cells)} to leave uncovered\n"
        f"{count_of(len(counts), 'set')} of cells: "
        f"fewest {fewest:,} ({name_sets(fewest)}), most {most:,} ({name_sets(most)})\n"
        f"{len(empty):,} without a tiling ({cut_off:,} of them cut off a part that no pieces "
        f"fill): {name_sets(0, MAX_EXAMPLES) or '-'}\n"
        f"{len(result.having(1)):,} with exactly one: {name_sets(1, MAX_EXAMPLES) or '-'}\n"
    )
