"""``satcal solve``: tilings of each date, drawn or as placements."""

from __future__ import annotations

import itertools
import json
import random
import sys
from collections.abc import Iterator
from dataclasses import replace

import click

from satcal.cli.counting import check
from satcal.cli.options import Selection, counting_options, selecting
from satcal.counting.settings import Settings
from satcal.counting.tilings import Source
from satcal.draw.board import draw_tiling
from satcal.draw.terminal import (
    boards_across,
    colours_wanted,
    draw_coloured,
    side_by_side,
    terminal_width,
)
from satcal.errors import NoTiling, OptionError
from satcal.puzzle.model import Puzzle, Tiling
from satcal.puzzle.ranges import Row

FORMATS = ("board", "lines", "json")


@click.command()
@selecting
@counting_options(tasks=False)
@click.option("--all", "every", is_flag=True, help="Every tiling instead of one.")
@click.option("--limit", type=click.IntRange(min=1), help="At most so many tilings a date.")
@click.option("--random", "at_random", is_flag=True, help="One drawn uniformly from all.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of --random.")
@click.option("--exists", is_flag=True, help="Say only whether there is one.")
@click.option(
    "--format", "style", type=click.Choice(FORMATS), default="board", show_default=True,
    help="Drawn, one line of placements a tiling, or JSON.",
)  # fmt: skip
def solve(
    selection: Selection, settings: Settings, alone: bool, every: bool, limit: int | None,
    at_random: bool, seed: int, exists: bool, style: str,
) -> None:  # fmt: skip
    """Find a tiling for each date.

    A date without one is exit 1, after the others were shown.
    """
    if at_random and (every or limit):
        raise OptionError("--random draws one tiling; leave out --all and --limit")
    if settings.lemmas == "auto" and not (every or at_random):
        # pair lemmas cost more than the first tiling of an easy date
        settings = replace(settings, lemmas="single")
    check(settings)
    reveals = list(dict.fromkeys(row.reveal for row in selection.rows))
    source = Source(selection.puzzle, reveals, settings, alone=True)
    stop = limit or (None if every else 1)
    without = []
    for row in selection.rows:
        if at_random:
            # dates of a range draw independently of each other
            drawn = source.random(row.reveal, random.Random(f"{seed} {row}"))
            found = iter([drawn] if drawn is not None else [])
        else:
            found = itertools.islice(source.tilings(row.reveal), stop)
        if exists:
            has = next(found, None) is not None
            said = "SAT, it has a tiling" if has else "UNSAT, it has none"
            click.echo(f"{_title(row, selection)}: {said}")
        else:
            has = _show(selection.puzzle, row, _title(row, selection), found, style)
        if not has:
            without.append(_title(row, selection))
    if without:
        given = " with what is placed" if settings.demands else ""
        raise NoTiling(f"no tiling{given} for {', '.join(without[:10])}")


def _title(row: Row, selection: Selection) -> str:
    return str(row) or selection.puzzle.name


def _show(puzzle: Puzzle, row: Row, title: str, found: Iterator[Tiling], style: str) -> bool:
    """Print tilings as they come, and return whether there was one."""
    if style == "board":
        return _show_boards(puzzle, row, title, found)
    has = False
    for tiling in found:
        has = True
        if style == "json":
            record = {
                "date": row.date.isoformat() if row.date else "",
                "reveal": list(row.reveal),
                "tiling": [str(placement) for placement in tiling],
            }
            click.echo(json.dumps(record))
        else:
            click.echo(" ".join(map(str, tiling)))
    return has


def _show_boards(puzzle: Puzzle, row: Row, title: str, found: Iterator[Tiling]) -> bool:
    """Draw tilings as they come, as many beside each other as a terminal takes."""
    on_terminal = sys.stdout.isatty() or colours_wanted()
    draw = draw_coloured if colours_wanted() else draw_tiling
    across = boards_across(puzzle, row.reveal, terminal_width()) if on_terminal else 1
    number = 0
    while some := list(itertools.islice(found, across)):
        boards = [draw(puzzle, row.reveal, tiling) for tiling in some]
        titles = [f"{title}, tiling {number + each}" for each in range(1, len(some) + 1)]
        number += len(some)
        for block in side_by_side(boards, titles, terminal_width() if on_terminal else 1):
            click.echo(block, color=True)
    return number > 0
