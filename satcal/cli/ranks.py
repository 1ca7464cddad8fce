"""``--rank``: the solution with a given number, in the diagram's order."""

from __future__ import annotations

import click

from satcal.cli import options
from satcal.cli.options import Selection
from satcal.errors import NoTiling
from satcal.published.own_tables import confirm
from satcal.puzzle.model import Tiling
from satcal.puzzle.ranges import Row
from satcal.tables import count_of

rank_option = click.option(
    "--rank",
    type=options.Limit(min=1),
    metavar="N",
    help="Solution number N in canonical order, counting from 1.",
)


def tiling_of_rank(selection: Selection, row: Row, rank: int) -> tuple[Tiling, int]:
    """The tiling of a rank, from 1, and how many there are."""
    diagram = selection.diagram([row.reveal])
    number = diagram.count(row.reveal, selection.demands)
    if not selection.demands:
        confirm(selection.puzzle, {row.reveal: number})
    name = str(row) or selection.puzzle.name
    if rank > number:
        ranks = f"; use --rank 1 to {number:,}" if number else ""
        raise NoTiling(f"{name} has {count_of(number, 'solution')}{ranks}")
    return diagram.tiling(rank - 1, row.reveal, selection.demands), number
