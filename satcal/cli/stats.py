"""``satcal stats``: the counts of many dates as plots, CSV or JSON."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from satcal.cli.options import Selection, force_option, selecting, theme_option
from satcal.errors import FormatError, OptionError
from satcal.files import check_output, write_bytes
from satcal.puzzle.loading import load
from satcal.puzzle.ranges import Row

if TYPE_CHECKING:
    from satcal.counting.statistics import Table

SUFFIXES = (".png", ".svg", ".pdf", ".csv", ".json")


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
        return statistics.by_day(puzzle, counts, title)
    if what == "weekday":
        return statistics.by_weekday(puzzle, counts, title)
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
