"""Random tilings of many dates, such as those of a year."""

from __future__ import annotations

import contextlib
import datetime
import random
from collections.abc import Sequence
from itertools import groupby

from satcal.counting.settings import Question
from satcal.counting.tilings import diagram_for
from satcal.errors import NoTiling
from satcal.progress import Progress
from satcal.puzzle.demands import Demand
from satcal.puzzle.model import Puzzle, Tiling
from satcal.puzzle.ranges import Row

MANY_DATES = 40  # from here on the diagram of all reveals is worth building


def random_tilings_by_date(
    puzzle: Puzzle,
    dated: Sequence[tuple[datetime.date, Row]],
    demands: tuple[Demand, ...],
    seed: int,
    progress: Progress | None,
) -> dict[datetime.date, Tiling | None]:
    """A random tiling of each date, None where there is none; a seed always draws the same."""
    reveals = [row.reveal for _, row in dated]
    diagram = diagram_for(
        Question(puzzle, list(puzzle.reveals()) if len(dated) >= MANY_DATES else reveals, demands)
    )
    tilings: dict[datetime.date, Tiling | None] = {date: None for date, _ in dated}
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
                progress(done, len(dated), str(row))
    return tilings
