"""Plots of statistics by matplotlib, without its global state."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from satcal.counting.statistics import Table
from satcal.draw.theme import Theme, ink_on
from satcal.errors import Missing, OptionError
from satcal.puzzle.calendar import MONTHS, WEEKDAYS
from satcal.puzzle.model import Puzzle
from satcal.puzzle.place import parse_cell

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INCHES = (10.0, 6.0)
DPI = 100
RANKED = 15  # dates shown at each end of a ranking
LEAST, GREATEST = 200, 8000  # pixels of a plot's longer side

# A plot is drawn into a figure from its table.
Draw = Callable[["Figure", Table, Theme, Puzzle], None]


def plot(table: Table, what: str, puzzle: Puzzle, theme: Theme, suffix: str, size: int) -> bytes:
    """Return a plot of a table as the bytes of a PNG, SVG or PDF, the same for the same table.

    Raises:
        Missing: no matplotlib.
        OptionError: a size out of range.
    """
    if not LEAST <= size <= GREATEST:
        raise OptionError(f"--size {size}: use {LEAST} to {GREATEST:,} pixels")
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError as error:
        raise Missing(f'plots need {error.name}: pip install "satcal[draw]"') from error
    look: Any = {
        "svg.hashsalt": "satcal", "font.family": "DejaVu Sans", "axes.facecolor": theme.board,
        "figure.facecolor": theme.background, "savefig.facecolor": theme.background,
        "text.color": theme.text, "axes.labelcolor": theme.text, "xtick.color": theme.text,
        "ytick.color": theme.text, "axes.edgecolor": theme.grid, "axes.axisbelow": True,
    }  # fmt: skip
    with matplotlib.rc_context(look):
        figure = Figure(figsize=INCHES, dpi=DPI, layout="constrained")
        PLOTS[what](figure, table, theme, puzzle)
        figure.suptitle(table.title, parse_math=False)
        out = io.BytesIO()
        undated = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(suffix)
        figure.savefig(out, format=suffix[1:], dpi=size / INCHES[0], metadata=undated)
    return out.getvalue()


def _histogram(figure: Figure, table: Table, theme: Theme, puzzle: Puzzle) -> None:
    axes = figure.subplots()
    starts = [int(row[0]) for row in table.rows]
    width = int(table.rows[0][1]) + 1
    heights = [int(row[2]) for row in table.rows]
    axes.bar(starts, heights, width, align="edge", color=theme.pieces[4], edgecolor=theme.board)
    axes.set(xlabel="tilings", ylabel="dates")
    axes.locator_params(axis="y", integer=True)
    axes.grid(axis="y", color=theme.grid)


def _heat(
    axes: Axes, theme: Theme, values: list[list[float | None]], down: list[str], across: list[str],
    label: str,
) -> None:  # fmt: skip
    """Draw a grid of values, white where there is none, with a scale."""
    from matplotlib.colors import LinearSegmentedColormap, PowerNorm

    numbers = [[float("nan") if each is None else each for each in row] for row in values]
    known = [each for row in values for each in row if each is not None]
    # the square root: a few rich dates would leave all others in one shade
    norm = PowerNorm(0.5, 0, max([1.0, *known]))
    colours = LinearSegmentedColormap.from_list("heat", theme.heat)
    image = axes.imshow(numbers, cmap=colours, norm=norm, aspect="auto")
    axes.set_xticks(range(len(across)), across)
    axes.set_yticks(range(len(down)), down)
    axes.tick_params(length=0)
    figure: Any = axes.figure
    figure.colorbar(image, ax=axes, label=label, shrink=0.8)


def _month_day(figure: Figure, table: Table, theme: Theme, puzzle: Puzzle) -> None:
    found = {(str(month), int(day)): float(count) for month, day, count in table.rows}
    months = [month for month in MONTHS if any(name == month for name, _ in found)]
    values = [[found.get((month, day)) for day in range(1, 32)] for month in months]
    _heat(figure.subplots(), theme, values, months, [str(day) for day in range(1, 32)], "tilings")


def _weekday(figure: Figure, table: Table, theme: Theme, puzzle: Puzzle) -> None:
    found = {(str(day), str(month)): float(count) for day, month, count in table.rows}
    months = [month for month in MONTHS if any(name == month for _, name in found)]
    values = [[found.get((day, month)) for month in months] for day in WEEKDAYS]
    _heat(figure.subplots(), theme, values, list(WEEKDAYS), months, "mean tilings a date")


def _ranking(figure: Figure, table: Table, theme: Theme, puzzle: Puzzle) -> None:
    rows = list(table.rows)
    parts = [("hardest", rows[:RANKED]), ("easiest", rows[: -RANKED - 1 : -1])]
    for axes, (name, part) in zip(figure.subplots(1, 2), parts, strict=True):
        places, counts = list(range(len(part))), [int(row[2]) for row in part]
        bars = axes.barh(places, counts, color=theme.pieces[1])
        axes.bar_label(bars, [f"{count:,}" for count in counts], padding=3, color=theme.text)
        axes.set_yticks(places, [str(row[1]) for row in part])
        axes.invert_yaxis()
        axes.set_xlim(0, 1.25 * max([1, *counts]))  # room for the numbers
        axes.set_title(name)
        axes.set_xlabel("tilings")


def _cover(figure: Figure, table: Table, theme: Theme, puzzle: Puzzle) -> None:
    from matplotlib.colors import LinearSegmentedColormap

    names = [piece.name for piece in puzzle.pieces]
    found = {(parse_cell(str(c), ""), str(piece)): int(n) for c, piece, n in table.rows}
    across = min(5, len(names))
    grid = figure.subplots(-(-len(names) // across), across, squeeze=False)
    colours = LinearSegmentedColormap.from_list("heat", theme.heat)
    for axes in grid.flat:
        axes.axis("off")
    # tilings may be more than a float holds: shares are divided before they are floats
    total = max(1, *(sum(found[cell, name] for name in names) for cell in puzzle.cells))
    greatest = max(found.values()) / total or 1.0
    image = None
    for axes, name in zip(grid.flat, names, strict=False):
        shares = [[found[(r, c), name] / total if (r, c) in puzzle.cells else float("nan")
                   for c in range(puzzle.columns)] for r in range(puzzle.rows)]  # fmt: skip
        image = axes.imshow(shares, cmap=colours, vmin=0, vmax=greatest)
        for cell, label in puzzle.label_at.items():
            ink = ink_on(theme.heat_colour(found[cell, name] / total / greatest))
            axes.text(cell[1], cell[0], label.text, ha="center", va="center", fontsize=5,
                      color=ink, parse_math=False)  # fmt: skip
        axes.set_title(name)
    if image is not None:
        figure.colorbar(image, ax=grid, label="share of tilings", shrink=0.6)


def _compared(figure: Figure, table: Table, theme: Theme, puzzle: Puzzle) -> None:
    axes = figure.subplots()
    boxes = [
        {"label": str(name), "whislo": low, "q1": q1, "med": middle, "q3": q3, "whishi": high}
        for name, _, low, q1, middle, q3, high in table.rows
    ]
    drawn = axes.bxp(boxes, showfliers=False, patch_artist=True,
                     medianprops={"color": theme.text, "linewidth": 2})  # fmt: skip
    for number, box in enumerate(drawn["boxes"]):
        box.set_facecolor(theme.pieces[number % len(theme.pieces)])
    axes.set_yscale("symlog", linthresh=10)
    axes.set_ylim(bottom=0)
    axes.set_ylabel("tilings a date (box: middle half; whiskers: fewest and most)")
    axes.grid(axis="y", color=theme.grid)


PLOTS: dict[str, Draw] = {
    "histogram": _histogram,
    "month-day": _month_day,
    "weekday": _weekday,
    "ranking": _ranking,
    "cover": _cover,
    "compare": _compared,
}
