"""``satcal draw`` and ``animate``: pictures and films."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from functools import cache
from itertools import islice
from pathlib import Path

import click

import satcal.api as api
from satcal.cli import options
from satcal.cli.options import Selection
from satcal.cli.progress import note, progress
from satcal.counting.settings import Settings
from satcal.counting.tilings import Source
from satcal.draw import animation, solid
from satcal.draw.animation import Frame
from satcal.draw.laser import Measures, laser_dxf, laser_picture
from satcal.draw.pictures import name_of
from satcal.draw.svg import suffix_of
from satcal.draw.theme import load_theme
from satcal.errors import NoTiling, OptionError
from satcal.files import check_output, write_bytes
from satcal.puzzle.model import Puzzle


@click.command()
@options.selecting_from("today; with --what year this year")
@click.option(
    "--what", type=click.Choice(["tiling", "sheet", "year", "pieces", "board", "labels"]),
    default="tiling", show_default=False,
    help="One tiling, all tilings of a date, a tiling for each date of a year, the piece set, "
    "the empty board, or in .stl what fills its engraving.  [default: tiling, in .stl all parts]",
)  # fmt: skip
@click.option(
    "--output", "-o", default="-", show_default=False, metavar="FILE",
    help="Ends in .svg, .png or .pdf; with --laser in .svg, .pdf or .dxf; for printers in .stl or "
    ".scad.  [default: SVG on standard output]",
)  # fmt: skip
@options.theme_option
@click.option("--size", type=int, metavar="PIXELS", help="Longer side.  [default: 1200 for PNG]")
@click.option(
    "--limit", type=options.Limit(min=1), default=500,
    help="At most so many tilings on a sheet.",
)  # fmt: skip
@click.option("--random", "at_random", is_flag=True, help="One drawn at random from all.")
@click.option("--seed", type=int, default=0, help="Of --random and of a year.")
@click.option("--laser", is_flag=True, help="Cut lines of board, tray and pieces in millimetres.")
@click.option("--cell", default=20.0, metavar="MM", help="A cell, for machines.")
@click.option("--kerf", default=0.15, metavar="MM", help="Width of the burnt line.")
@click.option(
    "--play", type=float, metavar="MM",
    help="Room between two pieces, half of it beside the wall.  [default: 0.2, printed 0.4]",
)  # fmt: skip
@options.force_option
@options.quiet_option
def draw(
    selection: Selection, what: str, output: str, theme: str, size: int | None, limit: int,
    at_random: bool, seed: int, laser: bool, cell: float, kerf: float, play: float | None,
    force: bool,
) -> None:  # fmt: skip
    """Draw a picture, or what machines cut and print, by the file's suffix.

    PNG and PDF need `pip install "satcal[draw]"`, DXF and STL `pip install "satcal[machines]"`.
    """
    puzzle, suffix = selection.puzzle, suffix_of(output, ".dxf", *solid.SUFFIXES)
    if output != "-":
        check_output(Path(output), force)
    _refuse_idle(what, laser, at_random, output, suffix)
    if laser or suffix in solid.SUFFIXES:
        title, data = _for_machines(puzzle, what, suffix, cell, kerf, play)
    else:
        if what == "year":
            selection = selection.unless_given(year=selection.now.year)
        rows = selection.rows if what == "year" else []
        when = selection.one_row(f"--what {what}") if what in ("tiling", "sheet") else rows
        with ExitStack() as ends:
            # nothing is said before the first is drawn: an error comes earlier
            advance = cache(lambda: ends.enter_context(progress("drawing", len(rows))))
            picture = api.picture(
                puzzle, what, when, theme=theme, place=selection.demands, limit=limit,
                seed=seed if at_random or what == "year" else None, title=selection.words,
                progress=lambda done, total, text: advance()(text),
            )  # fmt: skip
        title, data = picture.title, picture.encode(suffix, size)
    if output == "-":
        sys.stdout.write(data.decode())
    else:
        write_bytes(Path(output), data, force)
        note(f"{output}: {title}, {len(data):,} bytes")


def _for_machines(
    puzzle: Puzzle, what: str, suffix: str, cell: float, kerf: float, play: float | None
) -> tuple[str, bytes]:
    """Return the title and the bytes of a file for a laser or a printer."""
    if suffix in solid.SUFFIXES:
        measures = Measures(cell, 0, solid.PLAY if play is None else play)
        part = what if what in solid.PARTS else "all"
        data = (
            solid.stl(puzzle, measures, part) if suffix == ".stl" else solid.scad(puzzle, measures)
        )
        return f"{name_of(puzzle)}: {'all parts' if part == 'all' else part}", data
    measures = Measures(cell, kerf, Measures.play if play is None else play)
    if suffix == ".dxf":
        return f"{name_of(puzzle)}: cut lines", laser_dxf(puzzle, measures)
    picture = laser_picture(puzzle, measures)
    return picture.title, picture.encode(suffix)


def _refuse_idle(what: str, laser: bool, at_random: bool, output: str, suffix: str) -> None:
    """Raise OptionError for options that the picture asked for does not heed."""
    pictured = ("size", "theme", "limit", "at_random", "seed", "place", *options.DATES)
    if suffix in solid.SUFFIXES:
        options.refuse("is about a laser; printers use .stl and .scad", "laser", "kerf")
        if suffix == ".scad":
            options.refuse("means nothing in .scad, which has all parts", "what")
        elif what not in solid.PARTS:
            options.refuse(f"{what} is no part of .stl: board, pieces, labels", "what")
        options.refuse(f"means nothing in {suffix}, which has board and pieces", *pictured)
    elif laser:
        if suffix == ".png":
            raise OptionError("--laser draws lines in millimetres: use a .svg, .pdf or .dxf file")
        reason = "means nothing with --laser, which draws board, tray and pieces in millimetres"
        options.refuse(reason, "what", *pictured)
    else:
        if suffix == ".dxf":
            raise OptionError(f"{output}: a .dxf file has lines to cut; add --laser")
        options.refuse("is about --laser, .stl and .scad", "cell", "play")
        options.refuse("is about --laser", "kerf")
        if what == "labels":
            raise OptionError("--what labels is about .stl files; --what board shows them")
    if what in ("board", "pieces"):
        options.refuse(f"means nothing with --what {what}", "place", *options.DATES)
    if what != "sheet":
        options.refuse("is about --what sheet", "limit")
    if what != "tiling":
        options.refuse("is about --what tiling", "at_random")
    if not at_random and what != "year":
        options.refuse("is about --random and --what year", "seed")
    if output == "-":
        options.refuse("is about the file that --output names", "force")


@click.command()
@options.selecting
@click.option(
    "--what", type=click.Choice(["search", "sat", "dates"]), default="search",
    help="The method search up to its first tiling, the successive tilings of the SAT loop, or "
    "a tiling for each date of a range.",
)  # fmt: skip
@click.option("--output", "-o", required=True, metavar="FILE", help="Ends in .gif or .webp.")
@click.option("--frames", type=click.IntRange(1, 2000), default=120, help="At most so many.")
@click.option("--size", type=click.IntRange(80, 2000), default=400, help="Longer side in pixels.")
@click.option("--pace", type=click.IntRange(20, 60_000), default=150, help="Milliseconds a frame.")
@options.theme_option
@click.option("--seed", type=int, default=0, help="Of the tilings of dates.")
@options.force_option
@options.quiet_option
def animate(
    selection: Selection, what: str, output: str, frames: int, size: int, pace: int, theme: str,
    seed: int, force: bool,
) -> None:  # fmt: skip
    """Animate a search, the SAT loop, or the tilings of many dates.

    Needs `pip install "satcal[draw]"`.
    """
    suffix, colours = Path(output).suffix.lower(), load_theme(theme)
    animation.check(suffix, frames, size)
    check_output(Path(output), force)
    if what == "search":
        options.refuse("means nothing with --what search, which shows all of it", "place")
    if what != "dates":
        options.refuse("is about --what dates", "seed")
    shown = _frames(selection, what, frames, seed)

    def drawn() -> Iterator[Frame]:
        for frame in shown:
            yield frame
            advance(frame.text)

    with progress("drawing", len(shown)) as advance:
        data = animation.animate(selection.puzzle, drawn(), colours, suffix, size, pace)
    write_bytes(Path(output), data, force)
    note(f"{output}: {len(data):,} bytes")


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
        for number, tiling in enumerate(tilings, start=1):
            frames.append(Frame(row.reveal, tiling, f"{row}  tiling {number:,}"))
    if not frames:
        raise NoTiling(f"no tiling for {selection.words}, so there is nothing to show")
    return frames
