"""``satcal stats`` and ``satcal survey``: figures of many dates, and of all sets of cells."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from satcal.cli.options import (
    Selection,
    board_options,
    force_option,
    format_option,
    memory_option,
    place_option,
    quiet_option,
    selecting,
    theme_option,
)
from satcal.cli.progress import layers
from satcal.draw.board import draw_uncovered
from satcal.draw.tables import count_of
from satcal.errors import FormatError, OptionError
from satcal.files import check_output, write_bytes
from satcal.puzzle.demands import parse_demands
from satcal.puzzle.loading import load
from satcal.puzzle.model import cell_name
from satcal.puzzle.ranges import Row
from satcal.records import written

if TYPE_CHECKING:
    from satcal.counting.statistics import Table
    from satcal.counting.survey import CellSet, Survey

SUFFIXES = (".png", ".svg", ".pdf", ".csv", ".json")
FIELDS = ("cells", "labels", "tilings", "cut_off")
DRAWN = 12  # of each list: what a reader scrolls through


@click.command()
@selecting
@click.option(
    "--what", default="histogram", show_default=True,
    type=click.Choice(["histogram", "month-day", "weekday", "ranking", "cover", "compare"]),
    help="How many dates have how many tilings; a heat map by month and day, or by weekday; the "
    "hardest and easiest dates; which piece covers which cell; several boards side by side.",
)  # fmt: skip
@click.option(
    "--with", "others", multiple=True, metavar="BOARD",
    help="Another board, for --what compare. May be repeated.",
)  # fmt: skip
@click.option(
    "--output", "-o", metavar="FILE",
    help="Ends in .png, .svg, .pdf, .csv or .json.  [default: CSV on standard output]",
)  # fmt: skip
@theme_option
@click.option("--size", type=int, default=1000, show_default=True, help="Width in pixels.")
@force_option
def stats(
    selection: Selection, what: str, others: tuple[str, ...], output: str | None, theme: str,
    size: int, force: bool,
) -> None:  # fmt: skip
    """Plot the counts of many dates, or write their numbers.

    All dates, or all reveals of a puzzle without dates, unless a range is given. Plots need
    `pip install "satcal[draw]"`.
    """
    from satcal.draw.theme import load_theme

    suffix = Path(output).suffix.lower() if output else ".csv"
    if suffix not in SUFFIXES:
        raise FormatError(f"{output}: end the file's name with {', '.join(SUFFIXES)}")
    if output:
        check_output(Path(output), force)
    if others and what != "compare":
        raise OptionError("--with belongs to --what compare")
    colours = load_theme(theme)
    table = _table(selection, what, others)
    if suffix == ".csv":
        data = table.csv().encode()
    elif suffix == ".json":
        data = table.json().encode()
    else:
        from satcal.draw.plots import plot

        data = plot(table, what, selection.puzzle, colours, suffix, size)
    if output is None:
        click.echo(data.decode(), nl=False)
    else:
        write_bytes(Path(output), data, force)
        click.echo(f"{output}: {table.title}, {len(data):,} bytes", err=True)


def _table(selection: Selection, what: str, others: tuple[str, ...]) -> Table:
    from satcal.counting import statistics
    from satcal.counting.settings import Settings
    from satcal.counting.tilings import diagram_for

    selection = _all_unless_given(selection)
    puzzle, rows, demands = selection.puzzle, selection.rows, selection.demands
    title = f"{puzzle.name}, {selection.words}"
    if what == "cover":
        single = rows[0].reveal if len(rows) == 1 else None
        reveals = list(puzzle.reveals()) if single is None else [single]
        containing = diagram_for(puzzle, reveals, Settings(demands=demands)).containing(
            single, demands
        )
        named = f"{puzzle.name}, all reveals" if single is None else title
        return statistics.covered(puzzle, containing, named)
    counts = _counts(selection)
    if what == "compare":
        boards = {puzzle.name: counts}
        for name in others:
            other = replace(selection, puzzle=load(name), demands=())
            boards[other.puzzle.name] = _counts(_all_unless_given(other))
        return statistics.compared(boards)
    if what == "month-day":
        return statistics.means(puzzle, counts, title, "month", "day")
    if what == "weekday":
        return statistics.means(puzzle, counts, title, "weekday", "month")
    if what == "ranking":
        return statistics.ranking(counts, title)
    return statistics.histogram(counts, title)


def _all_unless_given(selection: Selection) -> Selection:
    dated = selection.puzzle.calendar.parts is not None
    return selection.unless_given(all_dates=dated, all_reveals=not dated)


def _counts(selection: Selection) -> list[tuple[Row, int]]:
    from satcal.counting.settings import Settings
    from satcal.counting.tilings import diagram_for

    rows, demands = selection.rows, selection.demands
    reveals = [row.reveal for row in rows]
    counts = diagram_for(selection.puzzle, reveals, Settings(demands=demands)).counts(demands)
    return [(row, counts[row.reveal]) for row in rows]


@click.command()
@board_options
@place_option
@click.option(
    "--limit", type=click.IntRange(min=0), default=DRAWN, show_default=True,
    help="Sets drawn in each list of the format text.",
)  # fmt: skip
@memory_option("Of the diagram; a larger one is refused.", "4G")
@format_option(["text", "csv", "json"], "text", "A summary with drawings, or a row for each set.")
@quiet_option
def survey(
    board: str, pieces: str | None, flip: str | None, place: tuple[str, ...], limit: int,
    memory_limit: int, style: str, quiet: bool,
) -> None:  # fmt: skip
    """Count the tilings for every set of cells that may stay uncovered, dates or not.

    On a board of 43 cells whose pieces cover 41 these are its 903 pairs of cells. Sets
    without a tiling and with exactly one are listed and drawn. A part is cut off if its area
    is no sum of areas of pieces.
    """
    from satcal.counting.survey import survey as survey_of

    puzzle = load(board, pieces, flip)
    demands = parse_demands(puzzle, place)
    with layers(quiet) as on_layer:
        counted = survey_of(puzzle, demands, memory_limit, on_layer)
    if style == "text":
        click.echo("\n".join(_text(counted, limit)))
    else:
        click.echo(written(_records(counted), FIELDS, style), nl=False)


def _records(counted: Survey) -> Iterator[dict[str, str | int]]:
    """Yield a row for each set: its cells, their labels, tilings, whether a part is cut off."""
    for cells, tilings in counted.counts.items():
        # the pruner forbids no set that has a tiling, so it need not be asked
        cut_off = not tilings and bool(counted.cut_off(cells))
        yield {
            "cells": " ".join(map(cell_name, cells)),
            "labels": " ".join(counted.labels(cells)),
            "tilings": tilings,
            "cut_off": "yes" if cut_off else "no",
        }


def _text(counted: Survey, limit: int) -> Iterator[str]:
    """Yield the summary of a survey, then the sets without a tiling and with exactly one."""

    def name(cells: CellSet) -> str:
        return " ".join(counted.labels(cells)) or "no cell"

    puzzle, counts = counted.puzzle, counted.counts
    empty, unique = counted.having(0), counted.having(1)
    apart = [cells for cells in empty if counted.cut_off(cells)]
    least, most = min(counts, key=counts.__getitem__), max(counts, key=counts.__getitem__)
    yield (
        f"{puzzle.name}: {count_of(counted.total, 'tiling')}, whichever "
        f"{count_of(counted.size, 'cell')} of {len(puzzle.cells)} "
        f"{'stays' if counted.size == 1 else 'stay'} uncovered"
    )
    yield (
        f"{count_of(len(counts), 'set')} of cells: fewest {counts[least]:,} ({name(least)}), "
        f"most {counts[most]:,} ({name(most)})"
    )
    yield (
        f"{len(empty):,} without a tiling ({len(apart):,} of them cut off a part that no pieces "
        f"fill), {len(unique):,} with exactly one"
    )
    for cells in empty[:limit]:
        cut_off = sorted(counted.cut_off(cells))
        reason = "and nothing is cut off"
        if len(cut_off) > 4:
            reason = f"cut off are {len(cut_off)} cells (x)"
        elif cut_off:
            reason = f"cut off is {' '.join(map(cell_name, cut_off))}"
        yield f"\n{name(cells)}: no tiling, {reason}"
        yield draw_uncovered(puzzle, cells, (), cut_off)
    yield from _more(empty, limit, "without a tiling")
    for cells in unique[:limit]:
        yield f"\n{name(cells)}: exactly one tiling"
        yield draw_uncovered(puzzle, cells, next(counted.tilings(cells)))
    yield from _more(unique, limit, "with exactly one tiling")


def _more(listed: list[CellSet], limit: int, which: str) -> Iterator[str]:
    if len(listed) > limit:
        yield f"\n{len(listed) - limit:,} more {which}; --limit draws more, --format csv lists all"
