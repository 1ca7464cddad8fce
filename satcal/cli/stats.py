"""``satcal stats`` and ``survey``: figures of dates, and of sets of cells."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from satcal import api
from satcal.analysis import statistics
from satcal.analysis.survey import CellSet, Survey
from satcal.analysis.survey import survey as survey_of
from satcal.cli import options
from satcal.cli.certify import make_of_each
from satcal.cli.options import Selection
from satcal.cli.progress import layers
from satcal.draw.board import draw_uncovered
from satcal.draw.survey_picture import survey_picture
from satcal.draw.theme import load_theme
from satcal.files import check_output
from satcal.puzzle.demands import parse_demands
from satcal.puzzle.loading import load
from satcal.puzzle.model import cell_name
from satcal.puzzle.ranges import Row
from satcal.tables import count_of, some_of

PLOTS = (".png", ".svg", ".pdf")
DRAWN = 12  # of each list: what a reader scrolls through


@options.command()
@options.selecting_from("all dates")
@click.option(
    "--what",
    default="histogram",
    type=click.Choice(["histogram", "month-day", "weekday", "cover"]),
    help="histogram: how many dates have each number of tilings; month-day, weekday: a heat map; "
    "cover: how often each piece covers each cell.",
)
@options.theme_option
@click.option("--size", type=click.IntRange(200, 8000), default=1000, help="Width in pixels.")
@options.tabular("table", pictures=PLOTS)
def stats(selection: Selection, what: str, theme: str, size: int, style: str) -> None:
    """Plot the counts of many dates, or write them as a table.

    Without a range: all dates, or all reveals if the puzzle has no dates. To plot, give -o
    FILE.png, .svg or .pdf; this needs matplotlib.
    """
    if style not in PLOTS:
        options.refuse(
            "only applies to plots; drop it, or give -o FILE.png, .svg or .pdf", "theme", "size"
        )
    colours = load_theme(theme)
    selection = _all_unless_given(selection)
    table = _table(selection, what)
    if style in PLOTS:
        from satcal.draw.plots import plot

        click.echo(plot(table, what, selection.puzzle, colours, style, size), nl=False)
    else:
        options.echo(table.records(), table.fields, style)


def _table(selection: Selection, what: str) -> statistics.StatisticsTable:
    puzzle, rows, demands = selection.puzzle, selection.rows, selection.demands
    title = f"{puzzle.name}, {selection.words}"
    if what == "cover":
        single = rows[0].reveal if len(rows) == 1 else None
        if single is None:
            title = f"{puzzle.name}, all reveals"
        diagram = selection.diagram(list(puzzle.reveals()) if single is None else None)
        return statistics.cover_counts(puzzle, diagram.containing(single, demands), title)
    counts = _counts(selection)
    if what in ("month-day", "weekday"):
        parts = ("month", "day") if what == "month-day" else ("weekday", "month")
        return statistics.means(puzzle, counts, title, *parts)
    return statistics.histogram(counts, title)


def _all_unless_given(selection: Selection) -> Selection:
    dated = selection.puzzle.calendar.parts is not None
    return selection.unless_given(all_dates=dated, all_reveals=not dated)


def _counts(selection: Selection) -> list[tuple[Row, int]]:
    counts = api.count_all(selection.puzzle, selection.rows, place=selection.demands)
    return [(row, counts[row.reveal]) for row in selection.rows]


@options.command()
@options.only_board_argument
@options.board_options
@options.place_option
@click.option(
    "--limit",
    type=options.Limit(min=0),
    default=DRAWN,
    help="How many sets to draw in each list (format text, and pictures).",
)
@options.memory_option("Memory for the diagram; if it needs more, the survey is refused.", "4G")
@options.certify_option
@options.theme_option
@options.tabular("text", pictures=PLOTS, writes=True)
def survey(
    words: tuple[str, ...],
    board: str,
    pieces: str | None,
    flip: str | None,
    place: tuple[str, ...],
    limit: int,
    memory_limit: int,
    certify: Path | None,
    theme: str,
    style: str,
    force: bool,
) -> None:
    """Count the tilings for every set of cells that may stay uncovered, dates or not.

    On a board of 43 cells with pieces that cover 41, these sets are the 903 pairs of cells. Sets
    with no tiling, and sets with exactly one, are listed and drawn; with -o FILE.svg, .png or
    .pdf, in a picture. Tables have a row for each set.
    A part counts as cut off if no pieces add up to its area. --certify proves the number for each
    set: in the certificate, the board lacks these cells.
    """
    if certify:
        check_output(certify, force)
        options.refuse("cannot be combined with --certify", "place")
    if style not in ("text", *PLOTS):
        options.refuse("only applies to --format text and to pictures", "limit")
    if style not in PLOTS:
        options.refuse(
            "only applies to pictures; drop it, or give -o FILE.svg, .png or .pdf", "theme"
        )
    puzzle = load(options.only_board(words, board), pieces, flip)
    with layers() as on_layer:
        counted = survey_of(puzzle, parse_demands(puzzle, place), memory_limit, on_layer)
    if certify:
        make_of_each(
            certify,
            (
                (counted.board_without(cells), (), range(tilings, tilings + 1))
                for cells, tilings in counted.counts.items()
            ),
        )
    if style == "text":
        click.echo("\n".join(_text(counted, limit)))
        return
    if style in PLOTS:
        click.echo(survey_picture(counted, limit, load_theme(theme)).encode(style), nl=False)
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
    least, most = (
        f"{number:,} ({some_of([name(cells) for cells in counted.having(number)])})"
        for number in (min(counts.values()), max(counts.values()))
    )
    sets = count_of(len(counts), "cell" if size == 1 else "set")
    yield (
        f"{puzzle.name}: {count_of(counted.total, 'tiling')} in total, over all choices of "
        f"{count_of(size, 'cell')} out of {len(puzzle.cells)} to leave uncovered\n"
        f"{sets}{'' if size == 1 else ' of cells'}: fewest {least}, most {most}\n"
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
                reason = f", {len(cut_off)} cells cut off (x)"
            elif cut_off:
                reason = f", cut off: {' '.join(map(cell_name, cut_off))}"
            yield f"\n{name(cells)}: {kind}{reason}"
            yield draw_uncovered(puzzle, cells, tiling, cut_off)
        if len(listed) > limit:
            more = f"{len(listed) - limit:,} more {which}"
            yield f"\n{more}; --limit draws more, --format csv lists all"
