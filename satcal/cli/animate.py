"""``satcal animate``: a search, the SAT loop, or a year, as GIF or WebP."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from satcal.cli.draw import one_row
from satcal.cli.options import Selection, force_option, selecting
from satcal.cli.progress import Progress, progress
from satcal.errors import NoTiling, OptionError
from satcal.files import check_output, write_bytes

if TYPE_CHECKING:
    from satcal.draw.animation import Frame

WHAT = ("search", "sat", "dates")


@click.command()
@selecting
@click.option(
    "--what", type=click.Choice(WHAT), default="search", show_default=True,
    help="The method search up to its first tiling, the successive tilings of the SAT loop, or "
    "a tiling for each date of a range.",
)  # fmt: skip
@click.option("--output", "-o", required=True, metavar="FILE", help="Ends in .gif or .webp.")
@click.option("--frames", type=int, default=120, show_default=True, help="At most so many.")
@click.option("--size", type=int, default=400, show_default=True, help="Longer side in pixels.")
@click.option("--pace", type=int, default=150, show_default=True, help="Milliseconds a frame.")
@click.option("--theme", default="light", show_default=True, help="As for draw.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the tilings of dates.")
@force_option
@click.option("--quiet", "-q", is_flag=True, help="No progress.")
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
    with progress("drawing", len(shown), quiet) as told:
        data = animation.animate(
            selection.puzzle, _telling(shown, told), colours, suffix, size, pace
        )
    write_bytes(Path(output), data, force)
    click.echo(f"{output}: {len(data):,} bytes", err=True)


def _telling(frames: Iterable[Frame], told: Progress) -> Iterator[Frame]:
    for frame in frames:
        yield frame
        told.advance(frame.text)


def _frames(selection: Selection, what: str, limit: int, seed: int) -> list[Frame]:
    from satcal.counting.settings import Settings
    from satcal.counting.tilings import Source
    from satcal.draw.animation import Frame, search_frames, tiling_frames

    puzzle = selection.puzzle
    if what == "dates":
        rows = selection.rows[:limit]
        source = Source(puzzle, [row.reveal for row in rows], Settings(demands=selection.demands))
        drawn = [(row, source.random(row.reveal, random.Random(f"{seed} {row}"))) for row in rows]
        found = [Frame(row.reveal, tiling, str(row)) for row, tiling in drawn if tiling is not None]
    else:
        row = one_row(selection, f"--what {what}")
        if what == "search":
            return search_frames(puzzle, row.reveal, limit, str(row))
        source = Source(
            puzzle, [row.reveal], Settings(method="sat", demands=selection.demands), alone=True
        )
        tilings = itertools.islice(source.tilings(row.reveal), limit)
        found = list(tiling_frames(row.reveal, tilings, str(row)))
    if not found:
        raise NoTiling(f"no tiling for {selection.words}, so there is nothing to show")
    return found
