"""``satcal draw`` and ``satcal animate``: pictures as SVG, PNG or PDF, films as GIF or WebP."""

from __future__ import annotations

import contextlib
import datetime
import random
import sys
from collections.abc import Callable, Iterator
from itertools import groupby, islice
from pathlib import Path
from typing import TYPE_CHECKING

import click

from satcal.cli.options import Selection, force_option, quiet_option, selecting, theme_option
from satcal.cli.progress import progress
from satcal.errors import NoTiling, OptionError
from satcal.files import check_output, write_bytes
from satcal.puzzle.model import Tiling

if TYPE_CHECKING:
    from satcal.draw.animation import Frame
    from satcal.draw.svg import Picture
    from satcal.draw.theme import Theme

MANY_DATES = 40  # from here on the diagram of all reveals is worth building


@click.command()
@selecting
@click.option(
    "--what", type=click.Choice(["tiling", "sheet", "year", "pieces", "board"]), default="tiling",
    show_default=True,
    help="One tiling, all tilings of a date, a tiling for each date of a year, the piece set, "
    "or the empty board.",
)  # fmt: skip
@click.option(
    "--output", "-o", default="-", metavar="FILE",
    help="Ends in .svg, .png or .pdf.  [default: SVG on standard output]",
)  # fmt: skip
@theme_option
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
    from satcal.draw import pictures
    from satcal.draw.svg import suffix_of
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
    elif what == "board":
        picture = pictures.board_picture(selection.puzzle, colours)
    elif what == "pieces":
        picture = pictures.pieces_picture(selection.puzzle, colours)
    elif what == "year":
        picture = _year(selection, colours, seed)
    elif what == "sheet":
        picture = _sheet(selection, colours, limit)
    else:
        picture = _tiling(selection, colours, seed if at_random else None)
    data = picture.encode(suffix, size)
    if output == "-":
        sys.stdout.write(data.decode())
    else:
        write_bytes(Path(output), data, force)
        click.echo(f"{output}: {picture.title}, {len(data):,} bytes", err=True)


def _tiling(selection: Selection, theme: Theme, seed: int | None) -> Picture:
    """Return the picture of one tiling: the first of the method sat, or a random one."""
    from satcal.counting.settings import Settings
    from satcal.counting.tilings import Source
    from satcal.draw.pictures import tiling_picture

    row = selection.one_row("--what tiling")
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


def _sheet(selection: Selection, theme: Theme, limit: int) -> Picture:
    """Return the sheet of the tilings of one reveal."""
    from satcal.counting.settings import Settings
    from satcal.counting.tilings import diagram_for
    from satcal.draw.pictures import sheet_picture

    row, demands = selection.one_row("--what sheet"), selection.demands
    diagram = diagram_for(selection.puzzle, [row.reveal], Settings(demands=demands))
    total = diagram.count(row.reveal, demands)
    if not total:
        raise NoTiling(f"no tiling for {row}, so there is nothing to draw")
    tilings = list(islice(diagram.tilings(row.reveal, demands), limit))
    return sheet_picture(selection.puzzle, row.reveal, tilings, total, theme, str(row))


def _year(selection: Selection, theme: Theme, seed: int) -> Picture:
    """Return the poster of a year, this year's unless dates are given; each day's is random."""
    from satcal.counting.settings import Settings
    from satcal.counting.tilings import diagram_for
    from satcal.draw.pictures import check_months, year_picture

    selection = selection.unless_given(year=selection.now.year)
    puzzle, rows, demands = selection.puzzle, selection.rows, selection.demands
    dated = [(row.date, row) for row in rows if row.date]
    if len(dated) < len(rows):
        raise OptionError("--what year draws dates: give --year, --month, or --from and --to")
    check_months(date for date, _ in dated)
    reveals = list(puzzle.reveals()) if len(rows) >= MANY_DATES else [row.reveal for row in rows]
    diagram = diagram_for(puzzle, reveals, Settings(demands=demands))
    tilings: dict[datetime.date, Tiling | None] = {date: None for date, _ in dated}
    with progress("drawing", len(rows)) as advance:
        for _, month in groupby(dated, key=lambda pair: pair[0].month):
            days = list(month)
            # what the dates of a month share makes a diagram that is quicker to ask
            part = diagram.only(set.intersection(*(set(row.reveal) for _, row in days)))
            for date, row in days:
                generator = random.Random(f"{seed} {row}")
                # counting first whether there is one would take as long as drawing it
                with contextlib.suppress(NoTiling):
                    tilings[date] = part.random(generator, row.reveal, demands)
                advance(str(row))
    if not any(tilings.values()):
        raise NoTiling(f"no tiling on any date of {selection.words}: nothing to draw")
    return year_picture(puzzle, tilings, theme, selection.words)


@click.command()
@selecting
@click.option(
    "--what", type=click.Choice(["search", "sat", "dates"]), default="search", show_default=True,
    help="The method search up to its first tiling, the successive tilings of the SAT loop, or "
    "a tiling for each date of a range.",
)  # fmt: skip
@click.option("--output", "-o", required=True, metavar="FILE", help="Ends in .gif or .webp.")
@click.option("--frames", type=int, default=120, show_default=True, help="At most so many.")
@click.option("--size", type=int, default=400, show_default=True, help="Longer side in pixels.")
@click.option("--pace", type=int, default=150, show_default=True, help="Milliseconds a frame.")
@theme_option
@click.option("--seed", type=int, default=0, show_default=True, help="Of the tilings of dates.")
@force_option
@quiet_option
def animate(
    selection: Selection, what: str, output: str, frames: int, size: int, pace: int, theme: str,
    seed: int, force: bool, quiet: bool,
) -> None:  # fmt: skip
    """Animate a search, the SAT loop, or the tilings of many dates.

    Needs `pip install "satcal[draw]"`.
    """
    from satcal.draw import animation
    from satcal.draw.theme import load_theme

    suffix, colours = Path(output).suffix.lower(), load_theme(theme)
    animation.check(suffix, frames, size, pace)
    check_output(Path(output), force)
    if selection.demands and what == "search":
        raise OptionError("--what search shows the whole search; leave out --place")
    shown = _frames(selection, what, frames, seed)
    with progress("drawing", len(shown), quiet) as advance:
        data = animation.animate(
            selection.puzzle, _told(shown, advance), colours, suffix, size, pace
        )
    write_bytes(Path(output), data, force)
    click.echo(f"{output}: {len(data):,} bytes", err=True)


def _told(frames: list[Frame], advance: Callable[[str], None]) -> Iterator[Frame]:
    for frame in frames:
        yield frame
        advance(frame.text)


def _frames(selection: Selection, what: str, limit: int, seed: int) -> list[Frame]:
    from satcal.counting.settings import Settings
    from satcal.counting.tilings import Source
    from satcal.draw.animation import Frame, search_frames, tiling_frames

    puzzle, demands = selection.puzzle, selection.demands
    if what == "dates":
        rows = selection.rows[:limit]
        source = Source(puzzle, [row.reveal for row in rows], Settings(demands=demands))
        drawn = [(row, source.random(row.reveal, random.Random(f"{seed} {row}"))) for row in rows]
        frames = [
            Frame(row.reveal, tiling, str(row)) for row, tiling in drawn if tiling is not None
        ]
    else:
        row = selection.one_row(f"--what {what}")
        if what == "search":
            return search_frames(puzzle, row.reveal, limit, str(row))
        source = Source(puzzle, [row.reveal], Settings(method="sat", demands=demands), alone=True)
        tilings = islice(source.tilings(row.reveal), limit)
        frames = list(tiling_frames(row.reveal, tilings, str(row)))
    if not frames:
        raise NoTiling(f"no tiling for {selection.words}, so there is nothing to show")
    return frames
