"""Pictures by what they show, and a tiling that a notebook shows as one."""

from __future__ import annotations

import contextlib
import datetime
import random
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from satcal.counting.settings import Settings
from satcal.counting.tilings import diagram_for
from satcal.draw import pictures
from satcal.draw.svg import Picture
from satcal.draw.tables import count_of
from satcal.draw.theme import DEFAULT, load_theme
from satcal.errors import Missing, NoTiling, OptionError
from satcal.puzzle.calendar import MONTHS
from satcal.puzzle.demands import Demand
from satcal.puzzle.model import Placement, Puzzle, Reveal
from satcal.puzzle.model import Tiling as Placements
from satcal.puzzle.ranges import Row

if TYPE_CHECKING:
    from pandas import DataFrame

MANY_DATES = 40  # from here on the diagram of all reveals is worth building
Progress = Callable[[int, int, str], None]
"""Told of how many steps are done, of how many, and of which was the last."""


class Tiling(tuple[Placement, ...]):
    """The placements of a tiling, which knows its puzzle and reveal; a notebook draws it."""

    puzzle: Puzzle
    reveal: Reveal

    def __new__(cls, placements: Iterable[Placement], puzzle: Puzzle, reveal: Reveal) -> Tiling:
        """Return the tiling of a reveal."""
        tiling = super().__new__(cls, placements)
        tiling.puzzle, tiling.reveal = puzzle, reveal
        return tiling

    def __getnewargs__(self) -> tuple[Placements, Puzzle, Reveal]:
        return tuple(self), self.puzzle, self.reveal

    def __str__(self) -> str:
        return " ".join(map(str, self))

    def __repr__(self) -> str:
        return f"<Tiling of {' '.join((self.puzzle.name, *self.reveal))}: {self}>"

    def _repr_svg_(self) -> str:
        return tiling_picture(self).svg()


class Table(list[dict[str, Any]]):
    """Counts as records, with the fields of ``satcal count``; a notebook shows a calendar."""

    def __repr__(self) -> str:
        return f"<Table of {count_of(len(self), 'row')}>"

    def frame(self) -> DataFrame:
        """Return a frame of pandas; raise Missing where that is not installed."""
        try:
            from pandas import DataFrame
        except ImportError as error:
            raise Missing("a frame needs pandas: pip install pandas") from error
        return DataFrame(list(self))

    def _repr_html_(self) -> str | None:
        """Return the days of each month, shaded by their counts; None for rows without dates."""
        if not all(record["date"] for record in self):
            return None
        counts = {tuple(map(int, each["date"].split("-"))): each["tilings"] for each in self}
        most, lines = max(counts.values(), default=0) or 1, []

        def cell(*day: int) -> str:
            if day not in counts:
                return "<td>"
            shade = 0.7 * counts[day] / most  # so that black on it is read
            return f'<td style="background:rgba(86,180,233,{shade:.2f})">{counts[day]:,}'

        for year in sorted({year for year, _, _ in counts}):
            months, days = (sorted({d[part] for d in counts if d[0] == year}) for part in (1, 2))
            lines.append(f"<table><tr><th>{year}")
            lines += [f"<th>{MONTHS[month - 1]}" for month in months]
            for day in days:
                lines += [f"<tr><th>{day}", *(cell(year, month, day) for month in months)]
            lines.append("</table>")
        return "\n".join(lines)


def tiling_picture(tiling: Tiling, theme: str = DEFAULT) -> Picture:
    """Return the picture of a tiling; ``theme`` is a name or a file."""
    puzzle, reveal, colours = tiling.puzzle, tiling.reveal, load_theme(theme)
    return pictures.tiling_picture(puzzle, reveal, tiling, colours, " ".join(reveal))


def one_a_day(
    puzzle: Puzzle, rows: Sequence[Row], demands: tuple[Demand, ...], seed: int,
    progress: Progress | None,
) -> dict[datetime.date, Placements | None]:  # fmt: skip
    """Return a random tiling of each date, None where there is none."""
    dated = [(row.date, row) for row in rows if row.date]
    if len(dated) < len(rows):
        raise OptionError("--what year draws dates: give --year, --month, or --from and --to")
    pictures.check_months(date for date, _ in dated)
    asked = list(puzzle.reveals()) if len(rows) >= MANY_DATES else [row.reveal for row in rows]
    diagram = diagram_for(puzzle, asked, Settings(demands=demands))
    tilings: dict[datetime.date, Placements | None] = {date: None for date, _ in dated}
    done = 0
    for _, month in groupby(dated, key=lambda pair: pair[0].month):
        days = list(month)
        # what the dates of a month share makes a diagram that is quicker to ask
        part = diagram.only(set.intersection(*(set(row.reveal) for _, row in days)))
        for date, row in days:
            generator = random.Random(f"{seed} {row}")
            # counting first whether there is one would take as long as drawing it
            with contextlib.suppress(NoTiling):
                tilings[date] = part.random(generator, row.reveal, demands)
            done += 1
            if progress:
                progress(done, len(rows), str(row))
    return tilings


Puzzle._repr_svg_ = lambda puzzle: pictures.board_picture(puzzle, load_theme()).svg()
