"""Plots of statistics by matplotlib, without its global state."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from satcal.analysis.statistics import StatisticsTable
from satcal.draw.theme import Theme, ink_on
from satcal.errors import Missing
from satcal.parts import command_for
from satcal.puzzle.calendar import MONTHS, WEEKDAYS
from satcal.puzzle.demands import parse_cell
from satcal.puzzle.model import Puzzle

if TYPE_CHECKING:
    from matplotlib.figure import Figure

INCHES = (10.0, 6.0)
DPI = 100


def plot(
    table: StatisticsTable, what: str, puzzle: Puzzle, theme: Theme, suffix: str, size: int
) -> bytes:
    """A plot of a table as the bytes of a PNG, SVG or PDF.

    Its longer side has ``size`` pixels. Raises Missing without matplotlib.
    """
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError as error:
        raise Missing(f"plots need {error.name}: {command_for('draw')}") from error
    look: dict[Any, Any] = {"svg.hashsalt": "satcal", "font.family": "DejaVu Sans"}
    look |= dict.fromkeys(("figure.facecolor", "savefig.facecolor"), theme.background)
    look |= {"axes.facecolor": theme.board, "axes.edgecolor": theme.grid, "axes.axisbelow": True}
    inks = ("text.color", "axes.labelcolor", "xtick.color", "ytick.color")
    with matplotlib.rc_context(look | dict.fromkeys(inks, theme.text)):
        figure = Figure(figsize=INCHES, dpi=DPI, layout="constrained")
        PLOTS[what](figure, table, theme, puzzle)
        figure.suptitle(table.title, parse_math=False)
        out = io.BytesIO()
        undated = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(suffix)
        figure.savefig(out, format=suffix[1:], dpi=size / INCHES[0], metadata=undated)
    return out.getvalue()


def _histogram(figure: Figure, table: StatisticsTable, theme: Theme, puzzle: Puzzle) -> None:
    axes = figure.subplots()
    starts, ends, heights = ([int(row[column]) for row in table.rows] for column in range(3))
    colour = theme.pieces[0]
    axes.bar(starts, heights, ends[0] + 1, align="edge", color=colour, edgecolor=theme.board)
    axes.set(xlabel="tilings", ylabel="dates")
    axes.locator_params(axis="y", integer=True)
    axes.grid(axis="y", color=theme.grid)


def _colour_map(theme: Theme) -> Any:
    from matplotlib.colors import LinearSegmentedColormap

    colours = theme.heat if len(theme.heat) > 1 else theme.heat * 2
    return LinearSegmentedColormap.from_list("heat", colours)


def _heat(figure: Figure, table: StatisticsTable, theme: Theme, puzzle: Puzzle) -> None:
    """Draw months by days, or weekdays by months; where there is none the board's colour shows."""
    from matplotlib.colors import PowerNorm

    by_day = table.fields[0] == "month"
    known = {row[0 if by_day else 1] for row in table.rows}
    months = [month for month in MONTHS if month in known]
    down: Sequence[Any] = months if by_day else WEEKDAYS
    across: Sequence[Any] = range(1, 32) if by_day else months
    values = {(row, column): float(value) for row, column, value in table.rows}
    grid = [[values.get((row, column), float("nan")) for column in across] for row in down]
    axes = figure.subplots()
    # the square root: a few rich dates would leave all others in one shade
    norm = PowerNorm(0.5, 0, max([1.0, *values.values()]))
    image = axes.imshow(grid, cmap=_colour_map(theme), norm=norm, aspect="auto")
    axes.set_xticks(range(len(across)), list(map(str, across)))
    axes.set_yticks(range(len(down)), list(map(str, down)))
    axes.tick_params(length=0)
    label = "tilings" if by_day else "mean tilings a date"
    figure.colorbar(image, ax=axes, label=label, shrink=0.8)


def _cover(figure: Figure, table: StatisticsTable, theme: Theme, puzzle: Puzzle) -> None:
    names = [piece.name for piece in puzzle.pieces]
    counts = {(parse_cell(str(c), ""), str(piece)): int(n) for c, piece, n in table.rows}
    across = min(5, len(names))
    grid = figure.subplots(-(-len(names) // across), across, squeeze=False)
    for axes in grid.flat:
        axes.axis("off")
    # tilings may be more than a float holds: shares are divided before they are floats
    total = max(1, *(sum(counts[cell, name] for name in names) for cell in puzzle.cells))
    greatest = max(counts.values()) / total or 1.0
    rows, columns = range(puzzle.rows), range(puzzle.columns)
    for axes, name in zip(grid.flat, names, strict=False):
        share = {cell: counts[cell, name] / total for cell in puzzle.cells}
        shares = [[share.get((r, c), float("nan")) for c in columns] for r in rows]
        image = axes.imshow(shares, cmap=_colour_map(theme), vmin=0, vmax=greatest)
        for (row, column), label in puzzle.label_at.items():
            ink = ink_on(theme.heat_colour(share[row, column] / greatest))
            place: Any = {"ha": "center", "va": "center", "fontsize": 5}
            axes.text(column, row, label.text, color=ink, parse_math=False, **place)
        axes.set_title(name)
    figure.colorbar(image, ax=grid, label="share of tilings", shrink=0.6)


PLOTS: dict[str, Callable[[Figure, StatisticsTable, Theme, Puzzle], None]] = {
    "histogram": _histogram,
    "month-day": _heat,
    "weekday": _heat,
    "cover": _cover,
}
