"""``satcal solve`` and ``hint``: tilings on the terminal."""

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
from satcal.cli.methods import CountOptions, counting_options
from satcal.cli.options import Selection
from satcal.cli.ranks import rank_option, tiling_of_rank
from satcal.counting.settings import BySat
from satcal.counting.tilings import Source
from satcal.draw.board import draw_tiling
from satcal.draw.notebook import placed
from satcal.errors import NoTiling
from satcal.puzzle.demands import written
from satcal.puzzle.model import Placement, Puzzle, Tiling
from satcal.puzzle.ranges import Row
from satcal.tables import count_of, work_table


@options.command()
@options.selecting
@counting_options(tasks=False)
@click.option("--all", "every", is_flag=True, help="Show every solution, not just one.")
@click.option("--limit", type=options.Limit(min=1), help="At most this many solutions per date.")
@click.option("--random", "at_random", is_flag=True, help="One solution, chosen at random.")
@click.option("--seed", type=int, default=0, help="Seed for --random.")
@rank_option
@click.option("--exists", is_flag=True, help="Only say whether there is a solution.")
@options.statistics_option
@options.tabular("text", "lines")
def solve(
    selection: Selection,
    count_options: CountOptions,
    every: bool,
    limit: int | None,
    at_random: bool,
    seed: int,
    rank: int | None,
    exists: bool,
    with_statistics: bool,
    style: str,
) -> None:
    """Find a solution for each date.

    The format text draws each solution; lines writes the placements of each on one line. If a date
    has no solution, the others are still shown and the exit code is 1.
    """
    if at_random:
        options.refuse("cannot be combined with --random; drop one", "every", "limit")
    else:
        options.refuse("needs --random", "seed")
    if exists:
        options.refuse("cannot be combined with --exists; drop one", "every", "limit", "at_random")
    if rank is not None:
        options.refuse(
            "cannot be combined with --rank; drop one", "every", "limit", "at_random", "exists"
        )
        options.refuse(
            "does not apply: --rank always uses the diagram", "method", "with_statistics"
        )
        totals: dict[Row, int] = {}

        def of_rank(row: Row) -> Iterator[Tiling]:
            tiling, totals[row] = tiling_of_rank(selection, row, rank)
            return iter([tiling])

        _show_tilings(selection, of_rank, style, lambda row, _: f"{rank:,} of {totals[row]:,}")
        return
    question, method = (
        count_options.question,
        count_options.assignment_to(count_options.name).method,
    )
    if isinstance(method, BySat) and method.lemmas == "auto" and not (every or at_random):
        # pair lemmas cost more than the first tiling of an easy date
        method = replace(method, lemmas="single")
    work: dict[str, float] | None = {} if with_statistics else None
    began = time.perf_counter()
    source = Source(question, method, count_options.run.deadline(), alone=True, work=work)

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
        click.echo(work_table({method.name: work}), nl=False, err=True)
    if without:
        given = " with these pieces placed" if question.demands else ""
        titles = [str(row) or selection.puzzle.name for row in without[:10]]
        raise NoTiling(f"no solution{given} for {', '.join(titles)}")


def _say_existence(selection: Selection, source: Source, style: str) -> list[Row]:
    """Say whether each row has a tiling; return those without."""
    records = []
    for row in selection.rows:
        has_one = source.exists(row.reveal)
        if style in ("text", "lines"):
            answer = "SAT, it has a solution" if has_one else "UNSAT, it has none"
            click.echo(f"{str(row) or selection.puzzle.name}: {answer}")
        records.append(_record(row, exists=has_one))
    if style not in ("text", "lines"):
        options.echo(records, ("date", "reveal", "exists"), style)
    return [
        row for row, record in zip(selection.rows, records, strict=True) if not record["exists"]
    ]


def _show_tilings(
    selection: Selection,
    asked: Callable[[Row], Iterator[Tiling]],
    style: str,
    numbered: Callable[[Row, int], str] = lambda _, number: f"{number}",
) -> list[Row]:
    """Show the tilings that are asked of each row; return the rows without any.

    ``numbered`` says which solution the first, second, ... of a row is.
    """
    fields = ("date", "reveal", "tiling")
    puzzle = selection.puzzle
    if style == "text":
        return [row for row in selection.rows if not _draw(puzzle, row, asked(row), numbered)]
    without = []

    def found() -> Iterator[tuple[Row, Tiling]]:
        for row in selection.rows:
            has_one = False
            # nothing else holds the iterator, so it ends, and tells its work, when all is shown
            for tiling in asked(row):
                has_one = True
                yield row, tiling
            if not has_one:
                without.append(row)

    if style == "lines":
        for _, tiling in found():
            click.echo(" ".join(map(str, tiling)))
    else:
        records = (
            _record(row, tiling=list(map(str, tiling)), placements=placed(puzzle, tiling))
            for row, tiling in found()
        )
        options.echo(records, fields, style)
    return without


def _record(row: Row, **more: object) -> dict[str, object]:
    return {"date": str(row.date or ""), "reveal": row.reveal, **more}


def _draw(
    puzzle: Puzzle, row: Row, tilings: Iterator[Tiling], numbered: Callable[[Row, int], str]
) -> int:
    """Draw tilings as they come, on a terminal in colours side by side; return how many."""

    def title(number: int) -> str:
        return f"{str(row) or puzzle.name}, solution {numbered(row, number)}"

    number, reveal = 0, row.reveal
    if not sys.stdout.isatty() and not os.environ.get("FORCE_COLOR"):
        for number, tiling in enumerate(tilings, start=1):
            click.echo(f"{title(number)}\n{draw_tiling(puzzle, reveal, tiling)}")
        return number
    from satcal.draw.terminal import beside, boards_per_line, coloured, console

    screen = console()
    while some := list(islice(tilings, boards_per_line(puzzle, reveal, screen.width))):
        titles = [title(number + k) for k in range(1, len(some) + 1)]
        number += len(some)
        screen.print(beside(titles, [coloured(puzzle, reveal, tiling) for tiling in some]))
    return number


@options.command()
@options.selecting
@click.option(
    "--more",
    "-m",
    count=True,
    show_default=False,
    help="List the places left for each piece; -mm shows a whole solution.",
)
@options.tabular("text")
def hint(selection: Selection, more: int, style: str) -> int:
    """Get help with a partly filled board, given with --place.

    Says whether it can still be solved, how many solutions remain, which piece has the fewest
    places left, and a possible next placement. If it can no longer be solved, says which pieces to
    take back, and exits with code 1.
    """
    row, puzzle, demands = selection.one_row("a hint"), selection.puzzle, selection.demands
    left = api.hint(puzzle, row, place=demands)
    if not left.tilings and style == "text":
        click.echo(left.advice)
        return NoTiling.exit_code
    if style != "text":
        options.refuse("needs --format text", "more")
        places_left = {name: len(places) for name, places in left.places.items()}
        record = _record(
            row,
            tilings=left.tilings,
            tightest=left.tightest,
            places=places_left,
            next=str(left.next() or ""),
            advice=left.advice,
        )
        options.echo([record], list(record), style)
        return 0 if left.tilings else NoTiling.exit_code
    solutions = count_of(left.tilings, "solution")
    click.echo(f"{str(row) or puzzle.name}: it can be solved, {solutions} left")
    tightest, following = left.tightest, left.next()
    if tightest is None or following is None:
        click.echo("every piece is placed")
        return 0
    places = {name: count_of(len(places), "place") for name, places in left.places.items()}
    click.echo(f"fewest places left: piece {tightest} ({places[tightest]})")
    click.echo(f"a possible next placement: {written(puzzle, following)}")
    from satcal.draw.terminal import coloured, console

    if more:
        for name in sorted(places, key=lambda name: len(left.places[name])):
            click.echo(f"  {name:<4}{places[name]}")
    placed = [Placement(demand.piece, demand.cells) for demand in demands if demand.whole]
    tiling = (*placed, following) if more < 2 else api.kth_tiling(puzzle, row, place=demands)
    console().print(coloured(puzzle, row.reveal, tiling))
    return 0
