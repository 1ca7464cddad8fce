"""Plots of statistics by matplotlib, without its global state."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from satcal.counting.statistics import MEASURES, Table
from satcal.draw.theme import Theme, ink_on
from satcal.errors import Missing
from satcal.puzzle.calendar import MONTHS, WEEKDAYS
from satcal.puzzle.demands import parse_cell
from satcal.puzzle.model import Puzzle

if TYPE_CHECKING:
    from matplotlib.figure import Figure

INCHES = (10.0, 6.0)
DPI = 100
RANKED = 15  # dates shown at each end of a ranking


def plot(table: Table, what: str, puzzle: Puzzle, theme: Theme, suffix: str, size: int) -> bytes:
    """Return a plot of a table as the bytes of a PNG, SVG or PDF.

    Its longer side has ``size`` pixels. Raises Missing without matplotlib.
    """
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError as error:
        raise Missing(f'plots need {error.name}: pip install "satcal[draw]"') from error
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


def _histogram(figure: Figure, table: Table, theme: Theme, puzzle: Puzzle) -> None:
    axes = figure.subplots()
    starts, ends, heights = ([int(row[column]) for row in table.rows] for column in range(3))
    colour = theme.pieces[4 % len(theme.pieces)]
    axes.bar(starts, heights, ends[0] + 1, align="edge", color=colour, edgecolor=theme.board)
    axes.set(xlabel="tilings", ylabel="dates")
    axes.locator_params(axis="y", integer=True)
    axes.grid(axis="y", color=theme.grid)


def _colour_map(theme: Theme) -> Any:
    from matplotlib.colors import LinearSegmentedColormap

    colours = theme.heat if len(theme.heat) > 1 else theme.heat * 2
    return LinearSegmentedColormap.from_list("heat", colours)


def _heat(figure: Figure, table: Table, theme: Theme, puzzle: Puzzle) -> None:
    """Draw months by days, or weekdays by months, white where there is none."""
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


def _ranking(figure: Figure, table: Table, theme: Theme, puzzle: Puzzle) -> None:
    rows = list(table.rows)
    parts = [("hardest", rows[:RANKED]), ("easiest", rows[: -RANKED - 1 : -1])]
    for axes, (name, part) in zip(figure.subplots(1, 2), parts, strict=True):
        places, counts = list(range(len(part))), [int(row[2]) for row in part]
        bars = axes.barh(places, counts, color=theme.pieces[1 % len(theme.pieces)])
        axes.bar_label(bars, [f"{count:,}" for count in counts], padding=3, color=theme.text)
        axes.set_yticks(places, [str(row[1]) for row in part])
        axes.invert_yaxis()
        axes.set_xlim(0, 1.25 * max([1, *counts]))  # room for the numbers
        axes.set_title(name)
        axes.set_xlabel("tilings")


def _cover(figure: Figure, table: Table, theme: Theme, puzzle: Puzzle) -> None:
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


def _compared(figure: Figure, table: Table, theme: Theme, puzzle: Puzzle) -> None:
    axes = figure.subplots()
    boxes = [
        {"label": str(name), "whislo": low, "q1": q1, "med": middle, "q3": q3, "whishi": high}
        for name, _, low, q1, middle, q3, high in table.rows
    ]
    median = {"color": theme.text, "linewidth": 2}
    drawn = axes.bxp(boxes, showfliers=False, patch_artist=True, medianprops=median)
    for number, box in enumerate(drawn["boxes"]):
        box.set_facecolor(theme.pieces[number % len(theme.pieces)])
    axes.set_yscale("symlog", linthresh=10)
    axes.set_ylim(bottom=0)
    axes.set_ylabel("tilings a date (box: middle half; whiskers: fewest and most)")
    axes.grid(axis="y", color=theme.grid)


def _correlated(figure: Figure, table: Table, theme: Theme, puzzle: Puzzle) -> None:
    names = MEASURES
    grid = [[float(each or "nan") for each in row[-len(names) :]] for row in table.rows]
    axes = figure.subplots()
    axes.imshow(grid, cmap=_colour_map(theme), vmin=-1, vmax=1)
    axes.set_xticks(range(len(names)), names)
    axes.set_yticks(range(len(names)), names)
    for row, numbers in enumerate(grid):
        for column, number in enumerate(numbers):
            ink = ink_on(theme.heat_colour((number + 1) / 2))
            axes.text(column, row, f"{number:.2f}", color=ink, ha="center", va="center")


PLOTS: dict[str, Callable[[Figure, Table, Theme, Puzzle], None]] = {
    "histogram": _histogram,
    "month-day": _heat,
    "weekday": _heat,
    "ranking": _ranking,
    "cover": _cover,
    "compare": _compared,
    "difficulty": _correlated,
}
