"""``satcal draw`` and ``animate``: pictures and films."""

from __future__ import annotations

import contextlib
import datetime
import random
import sys
from collections.abc import Iterator
from itertools import groupby, islice
from pathlib import Path

import click

from satcal.cli import options
from satcal.cli.options import Selection
from satcal.cli.progress import progress, say
from satcal.counting.settings import Settings
from satcal.counting.tilings import Source
from satcal.draw import animation, pictures
from satcal.draw.animation import Frame
from satcal.draw.laser import Measures, laser_picture
from satcal.draw.svg import Picture, suffix_of
from satcal.draw.theme import Theme, load_theme
from satcal.errors import NoTiling, OptionError
from satcal.files import check_output, write_bytes
from satcal.puzzle.model import Tiling

MANY_DATES = 40  # from here on the diagram of all reveals is worth building


@click.command()
@options.selecting
@click.option(
    "--what", type=click.Choice(["tiling", "sheet", "year", "pieces", "board"]), default="tiling",
    help="One tiling, all tilings of a date, a tiling for each date of a year, the piece set, "
    "or the empty board.",
)  # fmt: skip
@click.option(
    "--output", "-o", default="-", show_default=False, metavar="FILE",
    help="Ends in .svg, .png or .pdf.  [default: SVG on standard output]",
)  # fmt: skip
@options.theme_option
@click.option("--size", type=int, metavar="PIXELS", help="Longer side.  [default: 1200 for PNG]")
@click.option(
    "--limit", type=click.IntRange(min=1), default=500,
    help="At most so many tilings on a sheet.",
)  # fmt: skip
@click.option("--random", "at_random", is_flag=True, help="A random tiling instead of the first.")
@click.option("--seed", type=int, default=0, help="Of --random and of a year.")
@click.option("--laser", is_flag=True, help="Cut lines of board, tray and pieces in millimetres.")
@click.option("--cell", default=20.0, metavar="MM", help="A cell, with --laser.")
@click.option("--kerf", default=0.15, metavar="MM", help="Width of the burnt line.")
@click.option("--play", default=0.2, metavar="MM", help="Room between piece and tray.")
@options.force_option
def draw(
    selection: Selection, what: str, output: str, theme: str, size: int | None, limit: int,
    at_random: bool, seed: int, laser: bool, cell: float, kerf: float, play: float, force: bool,
) -> None:  # fmt: skip
    """Draw a picture: SVG, PNG or PDF by the file's suffix.

    PNG and PDF need `pip install "satcal[draw]"`.
    """
    puzzle, suffix, colours = selection.puzzle, suffix_of(output), load_theme(theme)
    if output != "-":
        check_output(Path(output), force)
    if laser:
        if suffix == ".png":
            raise OptionError("--laser draws lines in millimetres: use a .svg or .pdf file")
        if size is not None:
            raise OptionError("--laser has its sizes in millimetres: use --cell, not --size")
        picture = laser_picture(puzzle, Measures(cell, kerf, play))
    elif what == "board":
        picture = pictures.board_picture(puzzle, colours)
    elif what == "pieces":
        picture = pictures.pieces_picture(puzzle, colours)
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
        say(f"{output}: {picture.title}, {len(data):,} bytes")


def _tiling(selection: Selection, theme: Theme, seed: int | None) -> Picture:
    """Return the picture of the first tiling by sat, or of a random one."""
    row, puzzle, demands = selection.one_row("--what tiling"), selection.puzzle, selection.demands
    if seed is None:
        # one tiling is found sooner by the solver than by a diagram that has yet to be built
        settings = Settings(method="sat", lemmas="none", demands=demands)
        source = Source(puzzle, [row.reveal], settings, alone=True)
        tiling = next(source.tilings(row.reveal), None)
    else:
        source = Source(puzzle, [row.reveal], Settings(demands=demands))
        tiling = source.random(row.reveal, random.Random(f"{seed} {row}"))
    if tiling is None:
        raise NoTiling(f"no tiling for {row}, so there is nothing to draw")
    return pictures.tiling_picture(puzzle, row.reveal, tiling, theme, str(row))


def _sheet(selection: Selection, theme: Theme, limit: int) -> Picture:
    row, demands = selection.one_row("--what sheet"), selection.demands
    diagram = selection.diagram()
    total = diagram.count(row.reveal, demands)
    if not total:
        raise NoTiling(f"no tiling for {row}, so there is nothing to draw")
    tilings = list(islice(diagram.tilings(row.reveal, demands), limit))
    return pictures.sheet_picture(selection.puzzle, row.reveal, tilings, total, theme, str(row))


def _year(selection: Selection, theme: Theme, seed: int) -> Picture:
    """Return a poster of random tilings, of this year unless dates are given."""
    selection = selection.unless_given(year=selection.now.year)
    puzzle, rows, demands = selection.puzzle, selection.rows, selection.demands
    dated = [(row.date, row) for row in rows if row.date]
    if len(dated) < len(rows):
        raise OptionError("--what year draws dates: give --year, --month, or --from and --to")
    pictures.check_months(date for date, _ in dated)
    diagram = selection.diagram(list(puzzle.reveals()) if len(rows) >= MANY_DATES else None)
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
    return pictures.year_picture(puzzle, tilings, theme, selection.words)


@click.command()
@options.selecting
@click.option(
    "--what", type=click.Choice(["search", "sat", "dates"]), default="search",
    help="The method search up to its first tiling, the successive tilings of the SAT loop, or "
    "a tiling for each date of a range.",
)  # fmt: skip
@click.option("--output", "-o", required=True, metavar="FILE", help="Ends in .gif or .webp.")
@click.option("--frames", type=int, default=120, help="At most so many.")
@click.option("--size", type=int, default=400, help="Longer side in pixels.")
@click.option("--pace", type=int, default=150, help="Milliseconds a frame.")
@options.theme_option
@click.option("--seed", type=int, default=0, help="Of the tilings of dates.")
@options.force_option
@options.quiet_option
def animate(
    selection: Selection, what: str, output: str, frames: int, size: int, pace: int, theme: str,
    seed: int, force: bool, quiet: bool,
) -> None:  # fmt: skip
    """Animate a search, the SAT loop, or the tilings of many dates.

    Needs `pip install "satcal[draw]"`.
    """
    suffix, colours = Path(output).suffix.lower(), load_theme(theme)
    animation.check(suffix, frames, size, pace)
    check_output(Path(output), force)
    if selection.demands and what == "search":
        raise OptionError("--what search shows the whole search; leave out --place")
    shown = _frames(selection, what, frames, seed)

    def drawn() -> Iterator[Frame]:
        for frame in shown:
            yield frame
            advance(frame.text)

    with progress("drawing", len(shown), quiet) as advance:
        data = animation.animate(selection.puzzle, drawn(), colours, suffix, size, pace)
    write_bytes(Path(output), data, force)
    say(f"{output}: {len(data):,} bytes")


def _frames(selection: Selection, what: str, limit: int, seed: int) -> list[Frame]:
    puzzle, demands = selection.puzzle, selection.demands
    frames = []
    if what == "dates":
        rows = selection.rows[:limit]
        source = Source(puzzle, [row.reveal for row in rows], Settings(demands=demands))
        for row in rows:
            tiling = source.random(row.reveal, random.Random(f"{seed} {row}"))
            if tiling is not None:
                frames.append(Frame(row.reveal, tiling, str(row)))
    else:
        row = selection.one_row(f"--what {what}")
        if what == "search":
            return animation.search_frames(puzzle, row.reveal, limit, str(row))
        source = Source(puzzle, [row.reveal], Settings(method="sat", demands=demands), alone=True)
        tilings = islice(source.tilings(row.reveal), limit)
        frames = list(animation.tiling_frames(row.reveal, tilings, str(row)))
    if not frames:
        raise NoTiling(f"no tiling for {selection.words}, so there is nothing to show")
    return frames
