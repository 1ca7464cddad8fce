"""Where the counts come from: satcal's tables where there is one, a method otherwise."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from satcal.errors import BudgetExhausted, Disagreement
from satcal.evidence.tables import Table, Tables
from satcal.puzzle.model import Puzzle, Reveal, Tiling

if TYPE_CHECKING:
    from satcal.counting.survey import Survey

Counts = Callable[[Puzzle, Sequence[Reveal]], Mapping[Reveal, int]]
"""The number of tilings of each of some reveals; BudgetExhausted where that is too much work."""

Enumerate = Callable[[Puzzle, Reveal], Iterable[Tiling]]
"""All tilings of a reveal; BudgetExhausted where that is too much work."""

Surveys = Callable[[Puzzle], "Survey"]
"""The tilings for every set of uncovered cells; TooLarge where those are too many."""

CHUNK = 32  # rows recounted between two reports: enough to keep the cores busy
MOST_TILINGS = 2000  # of a row recounted by `sat`, which takes about 3 s for so many


def no_survey(puzzle: Puzzle) -> Survey:
    """Raise BudgetExhausted: these sources know nothing of sets of uncovered cells."""
    raise BudgetExhausted(f"{puzzle.name}: not surveyed here")


@dataclass(frozen=True)
class Sources:
    """The questions that evaluating a statement may ask."""

    counts: Counts
    tilings: Enumerate
    survey: Surveys = no_survey


@dataclass(frozen=True)
class Bounds:
    """How much one statement may cost: counts by a method, and seconds; None is no bound."""

    counts: int | None = 400
    seconds: float | None = 30.0


UNBOUNDED = Bounds(None, None)


def default_bounds(method: str) -> Bounds:
    """Return the bounds that keep a run over all published statements within minutes.

    A diagram counts all reveals of a puzzle in seconds, so that it needs none.
    """
    return UNBOUNDED if method == "diagram" else Bounds()


class ByMethod:
    """Counts and enumerates by one of satcal's methods, within bounds for all its calls.

    Diagrams are built anew: a verdict does not rest on a file of the user's cache.
    """

    def __init__(self, method: str, bounds: Bounds, jobs: int | None = None) -> None:
        self._method = method
        self._bounds = bounds
        self._jobs = jobs
        self._counted = 0
        self._deadline = None if bounds.seconds is None else time.monotonic() + bounds.seconds

    def counts(self, puzzle: Puzzle, reveals: Sequence[Reveal]) -> Mapping[Reveal, int]:
        """Return the counts; raise BudgetExhausted if that goes beyond the bounds."""
        from satcal.api import count_all

        self._counted += len(reveals)
        if self._bounds.counts is not None and self._counted > self._bounds.counts:
            raise BudgetExhausted(
                f"needs {self._counted:,} counts of {puzzle.name} by {self._method}, more than "
                f"{self._bounds.counts}, and there is no table; use --recount all"
            )
        try:
            return count_all(
                puzzle, reveals, method=self._method, jobs=self._jobs, time_limit=self._left(),
                use_cache=False,
            )  # fmt: skip
        except BudgetExhausted as stop:
            raise self._out_of_time(puzzle) from stop

    def tilings(self, puzzle: Puzzle, reveal: Reveal) -> Iterator[Tiling]:
        """Yield all tilings of a reveal; raise BudgetExhausted when the time is up."""
        from satcal.counting.settings import Settings
        from satcal.counting.tilings import tilings

        try:
            settings = Settings(self._method, time_limit=self._left(), use_cache=False)
            yield from tilings(puzzle, reveal, settings)
        except BudgetExhausted as stop:
            raise self._out_of_time(puzzle) from stop

    def survey(self, puzzle: Puzzle) -> Survey:
        """Return the survey of a puzzle, which only a diagram can make."""
        from satcal.counting.survey import survey

        return survey(puzzle)

    def _left(self) -> float | None:
        return None if self._deadline is None else max(0.0, self._deadline - time.monotonic())

    def _out_of_time(self, puzzle: Puzzle) -> BudgetExhausted:
        return BudgetExhausted(
            f"{puzzle.name}: not counted by {self._method} within {self._bounds.seconds:g} "
            "seconds; use --recount all"
        )


class TablesFirst:
    """Counts from tables, from another source where there is none; remembers what it used."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self.used: dict[str, tuple[Puzzle, Table]] = {}

    def counts(
        self, puzzle: Puzzle, reveals: Sequence[Reveal], otherwise: Counts
    ) -> Mapping[Reveal, int]:
        """Return the counts of the puzzle's table, or of ``otherwise``."""
        table = self._tables.find(puzzle)
        if table is None:
            return otherwise(puzzle, reveals)
        self.used.setdefault(puzzle.digest, (puzzle, table))
        return {reveal: table.tilings(reveal) for reveal in reveals}


@dataclass(frozen=True)
class Recount:
    """One row of a table, counted again."""

    board: str
    reveal: Reveal
    table: int
    fresh: int
    method: str

    def __str__(self) -> str:
        return (
            f"{self.board} {' '.join(self.reveal)}: the table says {self.table}, "
            f"{self.method} counts {self.fresh}"
        )


def recount(
    puzzle: Puzzle, table: Table, chosen: Sequence[Reveal], count: Counts, method: str
) -> Iterator[Recount]:
    """Yield rows of a table with a fresh count of each.

    Args:
        puzzle: the puzzle of the table.
        table: what is checked.
        chosen: the reveals of the rows.
        count: the source of the fresh counts, asked for some rows at a time, or for all of
            them if it is a diagram.
        method: its name.

    Raises:
        Disagreement: at the end, if a fresh count differs from the table.
        BudgetExhausted: the source's budget ran out.
    """
    wrong = []
    size = len(chosen) or 1 if method == "diagram" else CHUNK
    for start in range(0, len(chosen), size):
        part = chosen[start : start + size]
        fresh = count(puzzle, part)
        for reveal in part:
            row = Recount(table.board, reveal, table.tilings(reveal), fresh[reveal], method)
            if row.fresh != row.table:
                wrong.append(row)
            yield row
    if wrong:
        raise Disagreement("; ".join(map(str, wrong[:5])) + ("; …" if wrong[5:] else ""))


def chosen_rows(puzzle: Puzzle, deciding: Iterable[Reveal], rows: int | None) -> list[Reveal]:
    """Return the reveals to recount: those that decide first, then a sample without a clock."""
    everything = list(puzzle.reveals())
    first = list(dict.fromkeys(deciding))
    if rows is None:
        return everything
    rest = [reveal for reveal in everything if reveal not in set(first)]
    random.Random(puzzle.digest).shuffle(rest)
    return [*first, *rest][:rows]


def chosen_small_rows(
    puzzle: Puzzle, table: Table, deciding: Iterable[Reveal], rows: int | None
) -> list[Reveal]:
    """Return the reveals to recount by a method that finds every tiling.

    As :func:`chosen_rows`, but unless all are asked for no row of more than ``MOST_TILINGS``
    tilings, and none of a puzzle without labels: its one row takes ``sat`` minutes.
    """
    if rows is None:
        return list(puzzle.reveals())
    if not puzzle.categories:
        return []
    ordered = chosen_rows(puzzle, deciding, len(table.rows))
    return [reveal for reveal in ordered if table.tilings(reveal) <= MOST_TILINGS][:rows]
