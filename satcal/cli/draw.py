"""``satcal draw`` and ``animate``: pictures and films."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache, wraps
from itertools import islice
from pathlib import Path
from typing import Any

import click

import satcal.api as api
from satcal.cli import options
from satcal.cli.options import Selection
from satcal.cli.progress import note, progress
from satcal.cli.ranks import rank_option, tiling_of_rank
from satcal.counting.by_date import random_tilings_by_date
from satcal.counting.settings import BySat, Question
from satcal.counting.tilings import Source
from satcal.draw import animation, pictures
from satcal.draw import booklet as booklets
from satcal.draw.animation import Frame
from satcal.draw.explanations import matrix_picture, parts_picture
from satcal.draw.svg import Picture, pdf_of, suffix_of
from satcal.draw.theme import load_theme
from satcal.errors import NoTiling, OptionError
from satcal.files import check_output, write_bytes
from satcal.puzzle.demands import parse_cells
from satcal.puzzle.loading import load
from satcal.puzzle.shapes import Cell

seed_option = click.option(
    "--seed", type=int, default=0, help="Seed for choosing solutions at random."
)


@click.group(cls=options.Group)
def draw() -> None:
    """Draw a picture: SVG, PNG or PDF, by the file's suffix.

    PNG and PDF need cairosvg. For laser cutters and 3D printers, use `satcal fabricate`.
    """


def pictured(command: Callable[..., Picture]) -> Callable[..., None]:
    """Add ``--output``, ``--theme``, ``--size``, ``--force`` and ``--quiet``.

    The command takes the name of a ``theme`` and returns the picture, which is written.
    """

    @click.option(
        "--output",
        "-o",
        default="-",
        show_default=False,
        metavar="FILE",
        help="Ends in .svg, .png or .pdf.  [default: SVG on standard output]",
    )
    @options.theme_option
    @click.option(
        "--size",
        type=int,
        metavar="PIXELS",
        help="Length of the longer side.  [default: 1200 for PNG]",
    )
    @options.force_option
    @options.quiet_option
    @wraps(command)
    def wrapped(output: str, theme: str, size: int | None, force: bool, **rest: Any) -> None:
        suffix = suffix_of(output)
        if output == "-":
            options.refuse("needs --output", "force")
        else:
            check_output(Path(output), force)
        picture = command(theme=theme, **rest)
        data = picture.encode(suffix, size)
        if output == "-":
            sys.stdout.write(data.decode())
        else:
            write_bytes(Path(output), data, force)
            note(f"{output}: {picture.title}, {len(data):,} bytes")

    return wrapped


@draw.command()
@options.selecting
@click.option("--random", "at_random", is_flag=True, help="One solution, chosen at random.")
@seed_option
@rank_option
@pictured
def tiling(
    selection: Selection, at_random: bool, seed: int, rank: int | None, theme: str
) -> Picture:
    """Draw a solution of a date."""
    if not at_random:
        options.refuse("needs --random", "seed")
    row = selection.one_row("draw tiling")
    if rank is not None:
        options.refuse("cannot be combined with --rank; drop one", "at_random")
        some, total = tiling_of_rank(selection, row, rank)
        caption = ", ".join(filter(None, (str(row), f"solution {rank:,} of {total:,}")))
        colours = load_theme(theme)
        return pictures.tiling_picture(selection.puzzle, row.reveal, some, colours, caption)
    chosen = seed if at_random else None
    return api.picture(
        selection.puzzle, "tiling", row, theme=theme, place=selection.demands, seed=chosen
    )


@draw.command()
@options.selecting
@click.option(
    "--limit", type=options.Limit(min=1), default=500, help="Draw at most this many tilings."
)
@pictured
def sheet(selection: Selection, limit: int, theme: str) -> Picture:
    """Draw all solutions of a date."""
    row = selection.one_row("draw sheet")
    return api.picture(
        selection.puzzle, "sheet", row, theme=theme, place=selection.demands, limit=limit
    )


@draw.command()
@options.selecting_from("this year")
@seed_option
@pictured
def year(selection: Selection, seed: int, theme: str) -> Picture:
    """Draw a solution for each date of a year or a range."""
    selection = selection.unless_given(year=selection.now.year)
    rows = selection.rows
    with ExitStack() as ends:
        # nothing is said before the first is drawn: an error comes earlier
        advance = cache(lambda: ends.enter_context(progress("drawing", len(rows))))
        return api.picture(
            selection.puzzle,
            "year",
            rows,
            theme=theme,
            place=selection.demands,
            seed=seed,
            title=selection.words,
            progress=lambda done, total, text: advance()(text),
        )


@draw.command()
@options.selecting_from("this year")
@click.option("--paper", type=click.Choice(list(booklets.PAPERS)), default="a5", help="Paper size.")
@seed_option
@options.theme_option
@click.option("--output", "-o", required=True, metavar="FILE", help="Ends in .pdf.")
@options.force_option
@options.quiet_option
def booklet(
    selection: Selection, paper: str, seed: int, theme: str, output: str, force: bool
) -> None:
    """Draw a booklet to play on paper: a week to a page, solutions at the back."""
    if suffix_of(output) != ".pdf":
        raise OptionError(f"{output}: a booklet is a PDF; end the file's name with .pdf")
    check_output(Path(output), force)
    selection = selection.unless_given(year=selection.now.year)
    puzzle, rows = selection.puzzle, selection.rows
    with progress("drawing", len(rows)) as advance:
        dated = pictures.dated_rows(rows)
        tilings = random_tilings_by_date(
            puzzle, dated, selection.demands, seed, lambda done, total, text: advance(text)
        )
    pages = list(booklets.booklet(puzzle, tilings, load_theme(theme), paper))
    data = pdf_of(pages)
    write_bytes(Path(output), data, force)
    note(f"{output}: {len(pages)} pages, {len(data):,} bytes")


@draw.command()
@options.selecting_from(options.NO_DATE)
@click.option(
    "--cells",
    metavar="6,12 | r0c5,r1c5",
    help="Mark these cells as uncovered instead of those of a date.",
)
@click.option(
    "--with-pieces",
    is_flag=True,
    help="Draw the pieces below the board: a sheet to print and cut out.",
)
@pictured
def board(selection: Selection, cells: str | None, with_pieces: bool, theme: str) -> Picture:
    """Draw the empty board with its labels, and mark the cells that a date leaves uncovered.

    Holes inside the board are hatched.
    """
    puzzle, given = selection.puzzle, selection.wanted.given()
    uncovered: tuple[Cell, ...] = ()
    caption = ""
    if cells is not None:
        options.refuse("cannot be combined with --cells; drop one", *options.DATES)
        uncovered = parse_cells(puzzle, cells)
        caption = ", ".join(pictures.name_of_cell(puzzle, cell) for cell in uncovered)
    elif given:
        row = selection.one_row("draw board")
        uncovered, caption = tuple(sorted(puzzle.uncovered(row.reveal))), str(row)
    if selection.demands:
        raise OptionError("--place: draw board shows the empty board; leave it out")
    colours = load_theme(theme)
    return pictures.uncovered_picture(puzzle, uncovered, colours, caption, with_pieces)


@draw.command()
@options.only_board_argument
@options.board_options
@pictured
def pieces(
    words: tuple[str, ...], board: str, pieces: str | None, flip: str | None, theme: str
) -> Picture:
    """Draw the piece set, each piece in all its orientations."""
    board = options.only_board(words, board)
    return pictures.pieces_picture(load(board, pieces, flip), load_theme(theme))


@draw.command()
@options.selecting
@pictured
def cover(selection: Selection, theme: str) -> Picture:
    """Draw the exact cover: placements as rows of a matrix, cells and pieces as columns.

    On a small board each entry is a square; on a large one each point stands for many entries, and
    its colour for the share that is set.
    """
    row = selection.one_row("draw cover")
    return matrix_picture(
        selection.puzzle, row.reveal, selection.demands, load_theme(theme), str(row)
    )


@draw.command()
@options.selecting
@pictured
def parts(selection: Selection, theme: str) -> Picture:
    """Draw the cells that --place leaves uncovered, each connected part in its own colour.

    A part that the remaining pieces cannot fill is hatched and labelled with its area.
    """
    row = selection.one_row("draw parts")
    return parts_picture(
        selection.puzzle, row.reveal, selection.demands, load_theme(theme), str(row)
    )


@options.command()
@options.selecting
@click.option(
    "--what",
    type=click.Choice(["search", "prunings", "sat", "dates"]),
    default="search",
    help="search: the search until its first solution; prunings: the three prunings of a search "
    "side by side; sat: the solutions that the SAT loop finds, one after another; dates: a "
    "solution for each date.",
)
@click.option("--output", "-o", required=True, metavar="FILE", help="Ends in .gif.")
@click.option(
    "--frames", type=click.IntRange(1, 2000), default=120, help="Maximum number of frames."
)
@click.option(
    "--size",
    type=click.IntRange(80, 2000),
    default=400,
    help="Length of the longer side, in pixels.",
)
@click.option(
    "--pace", type=click.IntRange(20, 60_000), default=150, help="Milliseconds per frame."
)
@options.theme_option
@click.option(
    "--seed",
    type=int,
    help="For dates: seed for choosing the solutions. For search: try the pieces in a random order "
    "with this seed.",
)
@options.force_option
@options.quiet_option
def animate(
    selection: Selection,
    what: str,
    output: str,
    frames: int,
    size: int,
    pace: int,
    theme: str,
    seed: int | None,
    force: bool,
) -> None:
    """Write a GIF of a search, of prunings, the SAT loop, or a solution for each date.

    Needs Pillow.
    """
    suffix, colours = Path(output).suffix.lower(), load_theme(theme)
    if suffix != animation.SUFFIX:
        raise OptionError(f"{output}: the file's name must end in {animation.SUFFIX}")
    animation.check_pixels(frames, size)
    check_output(Path(output), force)
    if what in ("search", "prunings"):
        options.refuse(f"cannot be combined with --what {what}; drop one", "place")
    if what == "sat":
        options.refuse("does not apply to --what sat", "seed")
    shown = _frames(selection, what, frames, seed)

    def drawn() -> Iterator[Frame]:
        for frame in shown:
            yield frame
            advance(frame.text)

    with progress("drawing", len(shown)) as advance:
        data = animation.animate(selection.puzzle, drawn(), colours, size, pace)
    write_bytes(Path(output), data, force)
    note(f"{output}: {len(data):,} bytes")


def _frames(selection: Selection, what: str, limit: int, seed: int | None) -> list[Frame]:
    puzzle, demands = selection.puzzle, selection.demands
    frames = []
    if what == "dates":
        rows = selection.rows[:limit]
        source = Source(Question(puzzle, [row.reveal for row in rows], demands))
        for row in rows:
            tiling = source.random(row.reveal, random.Random(f"{seed or 0} {row}"))
            if tiling is not None:
                frames.append(Frame(row.reveal, tiling, str(row)))
    else:
        row = selection.one_row(f"--what {what}")
        if what == "search":
            return animation.search_frames(puzzle, row.reveal, limit, str(row), seed)
        if what == "prunings":
            return animation.pruning_frames(puzzle, row.reveal, limit, seed)
        source = Source(Question(puzzle, [row.reveal], demands), BySat(), alone=True)
        tilings = islice(source.tilings(row.reveal), limit)
        for number, tiling in enumerate(tilings, start=1):
            frames.append(Frame(row.reveal, tiling, f"{row}  tiling {number:,}"))
    if not frames:
        raise NoTiling(f"no solution for {selection.words}, so there is nothing to show")
    return frames
