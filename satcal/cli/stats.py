"""``satcal stats`` and ``survey``: figures of dates, and of sets of cells."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import click

from satcal import api
from satcal.cli import options
from satcal.cli.options import Selection
from satcal.cli.progress import layers
from satcal.counting import statistics
from satcal.counting.settings import Settings
from satcal.counting.survey import CellSet, Survey
from satcal.counting.survey import survey as survey_of
from satcal.draw.board import draw_uncovered
from satcal.draw.tables import count_of
from satcal.draw.theme import load_theme
from satcal.errors import OptionError, Stopped
from satcal.puzzle.demands import parse_demands
from satcal.puzzle.loading import load
from satcal.puzzle.model import cell_name
from satcal.puzzle.ranges import Row

PLOTS = (".png", ".svg", ".pdf")
DRAWN = 12  # of each list: what a reader scrolls through


@click.command()
@options.selecting_from("all dates")
@click.option(
    "--what", default="histogram",
    type=click.Choice(
        ["histogram", "month-day", "weekday", "ranking", "cover", "compare", "difficulty"]
    ),
    help="How many dates have how many tilings; a heat map by month and day, or by weekday; the "
    "hardest and easiest dates; which piece covers which cell; several boards side by side; "
    "measures of difficulty, and how alike they rank the dates.",
)  # fmt: skip
@click.option(
    "--with", "others", multiple=True, metavar="BOARD",
    help="Another board, for --what compare. May be repeated.",
)  # fmt: skip
@options.theme_option
@click.option("--size", type=click.IntRange(200, 8000), default=1000, help="Width in pixels.")
@options.tabular("table", pictures=PLOTS)
def stats(
    selection: Selection, what: str, others: tuple[str, ...], theme: str, size: int, style: str
) -> int:
    """Plot the counts of many dates, or write their numbers.

    All dates, or all reveals of a puzzle without dates, unless a range is given. A plot is a file
    whose name ends in .png, .svg or .pdf, and needs `pip install "satcal[draw]"`.
    """
    if style not in PLOTS:
        options.refuse(
            "is about plots: name a file that ends in .png, .svg or .pdf", "theme", "size"
        )
    if others and what != "compare":
        raise OptionError("--with belongs to --what compare")
    colours = load_theme(theme)
    selection, missing = _all_unless_given(selection), 0
    if what == "difficulty":
        from satcal.cli.measuring import measured

        known = measured(selection, Settings(demands=selection.demands))
        missing = len(selection.reveals) - len(known)
        table = statistics.correlated(known, f"{selection.puzzle.name}, {selection.words}")
    else:
        table = _table(selection, what, others)
    if style in PLOTS:
        from satcal.draw.plots import plot

        click.echo(plot(table, what, selection.puzzle, colours, style, size), nl=False)
    else:
        options.echo(table.records(), table.fields, style)
    return Stopped.exit_code if missing else 0


def _table(selection: Selection, what: str, others: tuple[str, ...]) -> statistics.Table:
    puzzle, rows, demands = selection.puzzle, selection.rows, selection.demands
    title = f"{puzzle.name}, {selection.words}"
    if what == "cover":
        single = rows[0].reveal if len(rows) == 1 else None
        if single is None:
            title = f"{puzzle.name}, all reveals"
        diagram = selection.diagram(list(puzzle.reveals()) if single is None else None)
        return statistics.covered(puzzle, diagram.containing(single, demands), title)
    counts = _counts(selection)
    if what == "compare":
        boards = [(puzzle.name, counts)]
        for name in others:
            other = _all_unless_given(replace(selection, puzzle=load(name), demands=()))
            boards.append((other.puzzle.name, _counts(other)))
        return statistics.compared(boards)
    if what in ("month-day", "weekday"):
        parts = ("month", "day") if what == "month-day" else ("weekday", "month")
        return statistics.means(puzzle, counts, title, *parts)
    return (statistics.ranking if what == "ranking" else statistics.histogram)(counts, title)


def _all_unless_given(selection: Selection) -> Selection:
    dated = selection.puzzle.calendar.parts is not None
    return selection.unless_given(all_dates=dated, all_reveals=not dated)


def _counts(selection: Selection) -> list[tuple[Row, int]]:
    counts = api.count_all(selection.puzzle, selection.rows, place=selection.demands)
    return [(row, counts[row.reveal]) for row in selection.rows]


@click.command()
@options.board_options
@options.place_option
@click.option(
    "--limit", type=options.Limit(min=0), default=DRAWN,
    help="Sets drawn in each list of the format text.",
)  # fmt: skip
@options.memory_option("Of the diagram; a larger one is refused.", "4G")
@options.tabular("text")
def survey(
    board: str, pieces: str | None, flip: str | None, place: tuple[str, ...], limit: int,
    memory_limit: int, style: str,
) -> None:  # fmt: skip
    """Count the tilings for every set of cells that may stay uncovered, dates or not.

    On a board of 43 cells whose pieces cover 41 these are its 903 pairs of cells. Sets
    without a tiling and with exactly one are listed and drawn; tables have a row for each set.
    A part is cut off if its area is no sum of areas of pieces.
    """
    if style != "text":
        options.refuse("is about the drawings of the format text", "limit")
    puzzle = load(board, pieces, flip)
    with layers() as on_layer:
        counted = survey_of(puzzle, parse_demands(puzzle, place), memory_limit, on_layer)
    if style == "text":
        click.echo("\n".join(_text(counted, limit)))
        return
    records = [
        {
            "cells": " ".join(map(cell_name, cells)),
            "labels": " ".join(counted.labels(cells)),
            "tilings": tilings,
            # the pruner forbids no set that has a tiling, so it need not be asked
            "cut_off": "yes" if not tilings and counted.cut_off(cells) else "no",
        }
        for cells, tilings in counted.counts.items()
    ]
    options.echo(records, list(records[0]), style)


def _text(counted: Survey, limit: int) -> Iterator[str]:
    """Yield the summary, then the sets without a tiling and with exactly one."""

    def name(cells: CellSet) -> str:
        return " ".join(counted.labels(cells)) or "no cell"

    puzzle, counts, size = counted.puzzle, counted.counts, counted.size
    empty, unique = counted.having(0), counted.having(1)
    apart = [cells for cells in empty if counted.cut_off(cells)]
    least, most = min(counts, key=counts.__getitem__), max(counts, key=counts.__getitem__)
    yield (
        f"{puzzle.name}: {count_of(counted.total, 'tiling')}, whichever {count_of(size, 'cell')} "
        f"of {len(puzzle.cells)} {'stays' if size == 1 else 'stay'} uncovered\n"
        f"{count_of(len(counts), 'set')} of cells: fewest {counts[least]:,} ({name(least)}), "
        f"most {counts[most]:,} ({name(most)})\n"
        f"{len(empty):,} without a tiling ({len(apart):,} of them cut off a part that no pieces "
        f"fill), {len(unique):,} with exactly one"
    )
    for listed, kind, which in (
        (empty, "no tiling", "without a tiling"),
        (unique, "exactly one tiling", "with exactly one tiling"),
    ):
        for cells in listed[:limit]:
            tiling, cut_off = next(counted.tilings(cells), ()), sorted(counted.cut_off(cells))
            reason = "" if counts[cells] else ", and nothing is cut off"
            if len(cut_off) > 4:
                reason = f", cut off are {len(cut_off)} cells (x)"
            elif cut_off:
                reason = f", cut off is {' '.join(map(cell_name, cut_off))}"
            yield f"\n{name(cells)}: {kind}{reason}"
            yield draw_uncovered(puzzle, cells, tiling, cut_off)
        if len(listed) > limit:
            more = f"{len(listed) - limit:,} more {which}"
            yield f"\n{more}; --limit draws more, --format csv lists all"
