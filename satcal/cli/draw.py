"""``satcal draw``: a tiling, a sheet, a year, the pieces or the board as SVG, PNG or PDF."""

from __future__ import annotations

import contextlib
import datetime
import random
import sys
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import click

from satcal.cli.options import Selection, force_option, selecting
from satcal.errors import NoTiling, OptionError
from satcal.files import check_output, write_bytes
from satcal.puzzle.model import Tiling
from satcal.puzzle.ranges import Row

if TYPE_CHECKING:
    from satcal.draw.svg import Picture
    from satcal.draw.theme import Theme

WHAT = ("tiling", "sheet", "year", "pieces", "board")
MANY_DATES = 40  # from here on the diagram of all reveals is worth building


@click.command()
@selecting
@click.option(
    "--what", type=click.Choice(WHAT), default="tiling", show_default=True,
    help="One tiling, all tilings of a date, a tiling for each date of a year, the piece set, "
    "or the empty board.",
)  # fmt: skip
@click.option(
    "--output", "-o", default="-", metavar="FILE",
    help="Ends in .svg, .png or .pdf.  [default: SVG on standard output]",
)  # fmt: skip
@click.option(
    "--theme", default="light", show_default=True, metavar="NAME|FILE.toml",
    help="light, dark, print, or a file with colours of your own.",
)  # fmt: skip
@click.option("--size", type=int, metavar="PIXELS", help="Longer side.  [default: 1200 for PNG]")
@click.option(
    "--limit", type=click.IntRange(min=1), default=500, show_default=True,
    help="At most so many tilings on a sheet.",
)  # fmt: skip
@click.option("--random", "at_random", is_flag=True, help="A random tiling instead of the first.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of --random and of a year.")
@click.option("--laser", is_flag=True, help="Cut lines of board, tray and pieces in millimetres.")
@click.option("--cell", default=20.0, show_default=True, metavar="MM", help="A cell, with --laser.")
@click.option(
    "--kerf", default=0.15, show_default=True, metavar="MM", help="Width of the burnt line."
)
@click.option(
    "--play", default=0.2, show_default=True, metavar="MM", help="Room between piece and tray."
)
@force_option
def draw(
    selection: Selection, what: str, output: str, theme: str, size: int | None, limit: int,
    at_random: bool, seed: int, laser: bool, cell: float, kerf: float, play: float, force: bool,
) -> None:  # fmt: skip
    """Draw a picture: SVG, PNG or PDF by the file's suffix.

    PNG and PDF need `pip install "satcal[draw]"`.
    """
    from satcal.draw.raster import encode, suffix_of
    from satcal.draw.theme import load_theme

    suffix, colours = suffix_of(output), load_theme(theme)
    if output != "-":
        check_output(Path(output), force)
    if laser:
        from satcal.draw.laser import Measures, laser_picture

        if suffix == ".png":
            raise OptionError("--laser draws lines in millimetres: use a .svg or .pdf file")
        if size is not None:
            raise OptionError("--laser has its sizes in millimetres: use --cell, not --size")
        picture = laser_picture(selection.puzzle, Measures(cell, kerf, play))
    else:
        picture = _picture(selection, what, colours, limit, seed if at_random else None, seed)
    data = encode(picture, suffix, size)
    if output == "-":
        sys.stdout.write(data.decode())
    else:
        write_bytes(Path(output), data, force)
        click.echo(f"{output}: {picture.title}, {len(data):,} bytes", err=True)


def _picture(
    selection: Selection, what: str, theme: Theme, limit: int, seed: int | None, year_seed: int
) -> Picture:
    from satcal.draw import pictures

    puzzle = selection.puzzle
    if what == "board":
        return pictures.board_picture(puzzle, theme)
    if what == "pieces":
        return pictures.pieces_picture(puzzle, theme)
    if what == "year":
        return year(selection, theme, year_seed)
    row = one_row(selection, f"--what {what}")
    if what == "sheet":
        return sheet(selection, row, theme, limit)
    return one(selection, row, theme, seed)


def one_row(selection: Selection, what: str) -> Row:
    """Return the only row of a selection.

    Raises:
        OptionError: it has several.
    """
    if len(selection.rows) > 1:
        raise OptionError(
            f"{what} shows one date, not {len(selection.rows):,}; give --date or --reveal"
        )
    return selection.rows[0]


def one(selection: Selection, row: Row, theme: Theme, seed: int | None) -> Picture:
    """Return the picture of one tiling: the first of the method sat, or a random one."""
    from satcal.counting.settings import Settings
    from satcal.counting.tilings import Source
    from satcal.draw.pictures import tiling_picture

    if seed is None:
        # one tiling is found sooner by the solver than by a diagram that has yet to be built
        settings = Settings(method="sat", lemmas="none", demands=selection.demands)
        source = Source(selection.puzzle, [row.reveal], settings, alone=True)
        tiling = next(source.tilings(row.reveal), None)
    else:
        source = Source(selection.puzzle, [row.reveal], Settings(demands=selection.demands))
        tiling = source.random(row.reveal, random.Random(f"{seed} {row}"))
    if tiling is None:
        raise NoTiling(f"no tiling for {row}, so there is nothing to draw")
    return tiling_picture(selection.puzzle, row.reveal, tiling, theme, str(row))


def sheet(selection: Selection, row: Row, theme: Theme, limit: int) -> Picture:
    """Return the sheet of the tilings of one reveal."""
    import itertools

    from satcal.counting.settings import Settings
    from satcal.counting.tilings import diagram_for
    from satcal.draw.pictures import sheet_picture

    settings = Settings(demands=selection.demands)
    diagram = diagram_for(selection.puzzle, [row.reveal], settings)
    total = diagram.count(row.reveal, selection.demands)
    if not total:
        raise NoTiling(f"no tiling for {row}, so there is nothing to draw")
    found = list(itertools.islice(diagram.tilings(row.reveal, selection.demands), limit))
    return sheet_picture(selection.puzzle, row.reveal, found, total, theme, str(row))


def year(selection: Selection, theme: Theme, seed: int) -> Picture:
    """Return the poster of a year, this year's unless dates are given; each day's is random."""
    from satcal.cli.progress import progress
    from satcal.counting.settings import Settings
    from satcal.counting.tilings import diagram_for
    from satcal.draw.year import check_months, year_picture

    if not selection.wanted.given():
        wanted = replace(selection.wanted, year=selection.now.year)
        selection = replace(selection, wanted=wanted)
    rows = selection.rows
    if not all(row.date for row in rows):
        raise OptionError("--what year draws dates: give --year, --month, or --from and --to")
    check_months(row.date for row in rows if row.date)
    puzzle = selection.puzzle
    reveals = list(puzzle.reveals()) if len(rows) >= MANY_DATES else [row.reveal for row in rows]
    demands = selection.demands
    diagram = diagram_for(puzzle, reveals, Settings(demands=demands))
    tilings: dict[datetime.date, Tiling | None] = {}
    with progress("drawing", len(rows)) as shown:
        for _, month in groupby(rows, key=lambda row: (row.date or datetime.date.min).month):
            dates = list(month)
            # what the dates of a month share makes a diagram that is quicker to ask
            part = diagram.only(set.intersection(*(set(row.reveal) for row in dates)))
            for row in dates:
                assert row.date is not None
                generator = random.Random(f"{seed} {row}")
                # counting first whether there is one would take as long as drawing it
                with contextlib.suppress(NoTiling):
                    tilings[row.date] = part.random(generator, row.reveal, demands)
                tilings.setdefault(row.date)
                shown.advance(str(row))
    if not any(tilings.values()):
        raise NoTiling(f"no tiling on any date of {selection.words}: nothing to draw")
    return year_picture(puzzle, tilings, theme, selection.words)
