"""Where the facts come from: satcal's tables where there is one, a method otherwise."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import NamedTuple

from satcal.analysis.survey import survey
from satcal.counting.count import exact_counts
from satcal.counting.settings import Assignment, Question, Run, method_of
from satcal.counting.tilings import tilings
from satcal.diagram.puzzle import PuzzleDiagram
from satcal.errors import BudgetExhausted
from satcal.published.own_tables import CountTable, Tables
from satcal.puzzle.model import Placement, Puzzle, Reveal, Tiling


class Sources:
    """Counts from tables, and by a method, in limited time, where there is none.

    Diagrams are built anew: a verdict does not rest on a file of the user's cache.
    ``method`` counts what no table holds, with so many ``jobs`` (None: all cores), in so
    many ``seconds`` (None: no limit) until :meth:`renew` is called. ``used`` are the tables
    that were asked, by digest of their puzzles. ``survey(puzzle)`` and
    ``containing(puzzle)``, the tilings of each placement, are found once.
    """

    def __init__(
        self, tables: Tables, method: str, seconds: float | None, jobs: int | None = None
    ) -> None:
        self._tables, self._method, self._seconds, self._jobs = tables, method, seconds, jobs
        self.used: dict[str, tuple[Puzzle, CountTable]] = {}
        self.survey, self.containing = cache(survey), cache(_containing)
        self.renew()

    def renew(self) -> None:
        """Start the limited time anew."""
        self._deadline = None if self._seconds is None else time.monotonic() + self._seconds

    def look_up_or_count(self, puzzle: Puzzle, reveals: Sequence[Reveal]) -> Mapping[Reveal, int]:
        """The number of tilings of each reveal, from a table where there is one.

        Raises BudgetExhausted when the time is up, and as a table is read.
        """
        table = self._tables.find(puzzle)
        if table is None:
            return dict(self.count(puzzle, reveals))
        self.used.setdefault(puzzle.digest, (puzzle, table))
        return {reveal: table.tilings(reveal) for reveal in reveals}

    def count(self, puzzle: Puzzle, reveals: Iterable[Reveal]) -> Iterator[tuple[Reveal, int]]:
        """Yield what the method counts; raise BudgetExhausted when the time is up."""
        with self._in_time(puzzle) as seconds:
            method = method_of(self._method, use_cache=False)
            run = Run(self._jobs, time_limit=seconds)
            yield from exact_counts(Assignment(Question(puzzle, [*reveals]), method, run))

    def tilings(self, puzzle: Puzzle, reveal: Reveal) -> Iterator[Tiling]:
        """Yield all tilings of a reveal; raise BudgetExhausted when the time is up."""
        with self._in_time(puzzle) as seconds:
            deadline = Run(time_limit=seconds).deadline()
            method = method_of(self._method, use_cache=False)
            yield from tilings(Question(puzzle, [reveal]), method, deadline)

    @contextmanager
    def _in_time(self, puzzle: Puzzle) -> Iterator[float | None]:
        """Context manager for the seconds that are left, None without a limit."""
        try:
            yield None if self._deadline is None else max(0.0, self._deadline - time.monotonic())
        except BudgetExhausted as stop:
            raise BudgetExhausted(
                f"{puzzle.name}: not counted by {self._method} within {self._seconds:g} seconds; "
                "use --recount all"
            ) from stop


def _containing(puzzle: Puzzle) -> dict[Placement, int]:
    return PuzzleDiagram.build(puzzle).containing()


class FactFinder(NamedTuple):
    """A puzzle, and where facts about it come from."""

    puzzle: Puzzle
    sources: Sources

    def counts(self, reveals: Sequence[Reveal]) -> dict[Reveal, int]:
        """The number of tilings of each reveal, in the order of the reveals."""
        distinct = list(dict.fromkeys(reveals))
        counts = self.sources.look_up_or_count(self.puzzle, distinct)
        return {reveal: counts[reveal] for reveal in distinct}

    def total(self, reveals: Sequence[Reveal]) -> int:
        """The sum over the reveals; one that comes twice counts twice."""
        counts = self.counts(reveals)
        return sum(counts[reveal] for reveal in reveals)
