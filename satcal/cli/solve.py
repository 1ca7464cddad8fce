"""``satcal solve``, ``hint`` and ``browse``: tilings on the terminal."""

from __future__ import annotations

import os
import random
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice

import click

import satcal.api as api
from satcal.cli import options
from satcal.cli.options import Selection
from satcal.counting.settings import Settings
from satcal.counting.tilings import Source
from satcal.draw.board import draw_tiling
from satcal.draw.tables import count_of, work_table
from satcal.errors import Missing, NoTiling, OptionError
from satcal.puzzle.model import Puzzle, Reveal, Tiling
from satcal.puzzle.ranges import Row


@click.command()
@options.selecting
@options.counting_options(tasks=False)
@click.option("--all", "every", is_flag=True, help="Every tiling instead of one.")
@click.option("--limit", type=options.Limit(min=1), help="At most so many tilings a date.")
@click.option("--random", "at_random", is_flag=True, help="One drawn at random from all.")
@click.option("--seed", type=int, default=0, help="Of --random.")
@click.option("--exists", is_flag=True, help="Say only whether there is one.")
@options.statistics_option
@options.tabular("text", "lines")
def solve(
    selection: Selection, settings: Settings, every: bool, limit: int | None,
    at_random: bool, seed: int, exists: bool, counted: bool, style: str,
) -> None:  # fmt: skip
    """Find a tiling for each date.

    The format text draws tilings, lines has the placements of a tiling in a line. A date without
    one is exit 1, after the others were shown.
    """
    if at_random:
        options.refuse("lists tilings, and --random draws one", "every", "limit")
    else:
        options.refuse("is about --random", "seed")
    if exists:
        options.refuse("shows tilings, and --exists shows none", "every", "limit", "at_random")
    if settings.lemmas == "auto" and not (every or at_random):
        # pair lemmas cost more than the first tiling of an easy date
        settings = replace(settings, lemmas="single")
    options.check(settings)
    work: dict[str, float] | None = {} if counted else None
    began = time.perf_counter()
    source = Source(selection.puzzle, selection.reveals, settings, alone=True, work=work)

    def asked(row: Row) -> Iterator[Tiling]:
        if not at_random:
            return islice(source.tilings(row.reveal), limit or (None if every else 1))
        # dates of a range draw independently of each other
        tiling = source.random(row.reveal, random.Random(f"{seed} {row}"))
        return iter([] if tiling is None else [tiling])

    if exists:
        without = _say_existence(selection, source, style)
    else:
        without = _show_tilings(selection, asked, style)
    if work is not None:
        work["seconds"] = time.perf_counter() - began
        click.echo(work_table({settings.method: work}), nl=False, err=True)
    if without:
        given = " with what is placed" if settings.demands else ""
        titles = [str(row) or selection.puzzle.name for row in without[:10]]
        raise NoTiling(f"no tiling{given} for {', '.join(titles)}")


def _say_existence(selection: Selection, source: Source, style: str) -> list[Row]:
    """Say whether each row has a tiling; return those without."""
    records = []
    for row in selection.rows:
        has_one = source.exists(row.reveal)
        if style in ("text", "lines"):
            answer = "SAT, it has a tiling" if has_one else "UNSAT, it has none"
            click.echo(f"{str(row) or selection.puzzle.name}: {answer}")
        records.append(_record(row, exists=has_one))
    if style not in ("text", "lines"):
        options.echo(records, ("date", "reveal", "exists"), style)
    return [row for row, each in zip(selection.rows, records, strict=True) if not each["exists"]]


def _show_tilings(
    selection: Selection, asked: Callable[[Row], Iterator[Tiling]], style: str
) -> list[Row]:
    """Show the tilings that are asked of each row; return the rows without any."""
    fields = ("date", "reveal", "tiling")
    records, without = [], []
    for row in selection.rows:
        # nothing else holds the iterator, so it ends, and tells its work, when all is shown
        if style == "text":
            title = str(row) or selection.puzzle.name
            number = _draw(selection.puzzle, row.reveal, title, asked(row))
        else:
            number = 0
            for tiling in asked(row):
                number += 1
                record = _record(row, tiling=list(map(str, tiling)))
                if style == "lines":
                    click.echo(" ".join(map(str, tiling)))
                elif style == "ndjson":
                    options.echo([record], fields, style)
                else:
                    records.append(record)
        if not number:
            without.append(row)
    if style not in ("text", "lines", "ndjson"):
        options.echo(records, fields, style)
    return without


def _record(row: Row, **more: object) -> dict[str, object]:
    return {"date": str(row.date or ""), "reveal": row.reveal, **more}


def _draw(puzzle: Puzzle, reveal: Reveal, title: str, tilings: Iterator[Tiling]) -> int:
    """Draw tilings as they come, on a terminal in colours side by side; return how many."""
    number = 0
    if not sys.stdout.isatty() and not os.environ.get("FORCE_COLOR"):
        for number, tiling in enumerate(tilings, start=1):
            click.echo(f"{title}, tiling {number}\n{draw_tiling(puzzle, reveal, tiling)}")
        return number
    from satcal.draw.terminal import across, beside, coloured, console

    screen = console()
    while some := list(islice(tilings, across(puzzle, reveal, screen.width))):
        titles = [f"{title}, tiling {number + k}" for k in range(1, len(some) + 1)]
        number += len(some)
        screen.print(beside(titles, [coloured(puzzle, reveal, each) for each in some]))
    return number


@click.command()
@options.selecting
@click.option(
    "--more", "-m", count=True, show_default=False, help="More help; -mm gives a whole tiling."
)
@options.tabular("text")
def hint(selection: Selection, more: int, style: str) -> None:
    """Help with a partly filled board, which --place describes.

    Says whether it can still be solved, how many tilings remain, which piece has the fewest
    places left, and one next placement. When it cannot be solved any more: which piece to take
    back, and exit 1.
    """
    from satcal.counting.hint import advice

    row, puzzle, demands = selection.one_row("a hint"), selection.puzzle, selection.demands
    left = api.hint(puzzle, row, place=demands)
    if not left.tilings:
        whole = replace(selection, demands=()).diagram()
        raise NoTiling(advice(whole, row.reveal, demands))
    if style != "text":
        options.refuse("draws, which is for the format text", "more")
        places_left = {name: len(each) for name, each in left.places.items()}
        record = _record(
            row, tilings=left.tilings, tightest=left.tightest, places=places_left,
            next=str(left.next() or ""),
        )  # fmt: skip
        options.echo([record], list(record), style)
        return
    tilings = count_of(left.tilings, "tiling")
    click.echo(f"{str(row) or puzzle.name}: it can be solved, {tilings} left")
    tightest, following = left.tightest, left.next()
    if tightest is None or following is None:
        click.echo("every piece is placed")
        return
    places = {name: count_of(len(each), "place") for name, each in left.places.items()}
    click.echo(f"the piece {tightest} has the fewest left: {places[tightest]}")
    click.echo(f"one next placement: {following}")
    if more:
        from satcal.draw.terminal import coloured, console

        for name in sorted(places, key=lambda name: len(left.places[name])):
            click.echo(f"  {name:<4}{places[name]}")
        tiling = (following,) if more == 1 else api.kth_tiling(puzzle, row, place=demands)
        console().print(coloured(puzzle, row.reveal, tiling))


@click.command()
@options.selecting_from("those of this year")
@click.option("--seed", type=int, default=0, help="Of random tilings.")
def browse(selection: Selection, seed: int) -> None:
    """Browse dates and tilings full-screen, by keys and mouse, and play.

    This year's dates unless a range is given, from today on. The key m takes a piece in hand:
    arrows, t and f move, turn and flip it, Enter places it, u takes it back. Needs
    `pip install "satcal[browse]"`.
    """
    try:
        from satcal.draw.browser import Browser
    except ImportError as error:
        raise Missing(f'browse needs {error.name}: pip install "satcal[browse]"') from error
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise OptionError("browse needs a terminal; use solve --all where there is none")
    if selection.puzzle.calendar.parts is not None:
        selection = selection.unless_given(year=selection.now.year)
    elif selection.puzzle.categories:
        selection = selection.unless_given(all_reveals=True)
    rows, diagram = selection.rows, replace(selection, demands=()).diagram()
    # what cannot be placed is said here: inside the full screen nobody could read it
    diagram.count(rows[0].reveal, selection.demands)
    coloured = not os.environ.get("NO_COLOR")
    first = next((n for n, row in enumerate(rows) if row.date == selection.now), 0)
    Browser(diagram, rows, random.Random(seed), coloured, selection.demands, first).run()
