"""Where the facts come from: satcal's tables where there is one, a method otherwise."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import NamedTuple

from satcal.analysis.survey import survey
from satcal.counting import run
from satcal.counting.methods import method_named
from satcal.diagram.puzzle import PuzzleDiagram
from satcal.errors import BudgetExhausted
from satcal.published.shipped import TableRow, shipped_table
from satcal.puzzle.calendar import IN_FULL
from satcal.puzzle.model import Placement, Puzzle, Reveal, Tiling


class Sources:
    """Counts from tables, and by a method, in limited time, where there is none.

    ``method`` counts what no table in ``folder`` holds, with so many ``jobs`` (None: all cores), in
    so many ``seconds`` (None: no limit) until :meth:`renew` is called. ``used`` are the tables that
    were asked, by digest of their puzzles. ``survey(puzzle)`` and ``containing(puzzle)``, the
    tilings of each placement, are found once.
    """

    def __init__(
        self,
        method: str = "diagram",
        seconds: float | None = None,
        jobs: int | None = None,
        folder: Path | None = None,
    ) -> None:
        self.method, self._seconds, self._jobs, self._folder = method, seconds, jobs, folder
        self._tables: dict[str, dict[Reveal, TableRow]] = {}
        self.used: dict[str, tuple[Puzzle, Mapping[Reveal, TableRow]]] = {}
        self.survey, self.containing = cache(survey), cache(containing)
        self.renew()

    def renew(self) -> None:
        """Start the limited time anew."""
        self._until = None if self._seconds is None else time.monotonic() + self._seconds

    def look_up_or_count(self, puzzle: Puzzle, reveals: Sequence[Reveal]) -> Mapping[Reveal, int]:
        """Return the number of tilings of each reveal, from a table where there is one.

        Raises:
            BudgetExhausted: the time is up.
            Disagreement: the table is not the one that the manifest describes.
        """
        if puzzle.digest not in self._tables:
            self._tables[puzzle.digest] = shipped_table(puzzle, self._folder)
        table = self._tables[puzzle.digest]
        if not table:
            return dict(self.count(puzzle, reveals))
        self.used[puzzle.digest] = puzzle, table
        return {reveal: table[reveal].tilings for reveal in reveals}

    def count(self, puzzle: Puzzle, reveals: Iterable[Reveal]) -> Iterator[tuple[Reveal, int]]:
        """Yield what the method counts; raise BudgetExhausted when the time is up."""
        method = method_named(self.method)
        with self._in_time(puzzle):
            for counted in run.count(
                puzzle, [*reveals], method, jobs=self._jobs, until=self._until
            ):
                if counted.error:
                    raise counted.error
                yield counted.reveal, counted.tilings

    def tilings(self, puzzle: Puzzle, reveal: Reveal) -> Iterator[Tiling]:
        """Yield all tilings of a reveal; raise BudgetExhausted when the time is up."""
        with self._in_time(puzzle):
            yield from run.tilings(puzzle, reveal, method_named(self.method), until=self._until)

    @contextmanager
    def _in_time(self, puzzle: Puzzle) -> Iterator[None]:
        """Say what ran out of time, and the way out."""
        try:
            yield
        except BudgetExhausted as stop:
            raise BudgetExhausted(
                f"{puzzle.name}: not counted by {self.method} within {self._seconds:g} seconds; "
                "use --recount all"
            ) from stop


def containing(puzzle: Puzzle) -> dict[Placement, int]:
    """Return the number of tilings that each placement is in."""
    return PuzzleDiagram.build(puzzle).containing()


class FactFinder(NamedTuple):
    """A puzzle, and where facts about it come from."""

    puzzle: Puzzle
    sources: Sources

    def counts(self, reveals: Sequence[Reveal]) -> dict[Reveal, int]:
        """Return the number of tilings of each reveal, in the order of the reveals."""
        distinct = list(dict.fromkeys(reveals))
        counts = self.sources.look_up_or_count(self.puzzle, distinct)
        return {reveal: counts[reveal] for reveal in distinct}

    def total(self, reveals: Sequence[Reveal]) -> int:
        """Return the sum over the reveals; one that comes twice counts twice."""
        counts = self.counts(reveals)
        return sum(counts[reveal] for reveal in reveals)


def reveal_in_full(puzzle: Puzzle, reveal: Reveal) -> str:
    """Return a reveal in words: ``6 October``, ``Monday, 6 October``; its labels if not a date.

    >>> from satcal.puzzle.loading import load
    >>> reveal_in_full(load("rhombus"), ("Mon", "Oct", "6"))
    'Monday, 6 October'
    """
    parts = puzzle.calendar.parts
    if parts is None or not puzzle.calendar.is_date(reveal):
        return " ".join(reveal)
    words = {
        part: IN_FULL[part][labels.index(label)].capitalize()
        for (part, labels), label in zip(parts.items(), reveal, strict=True)
    }
    weekday = f"{words['weekday']}, " if "weekday" in words else ""
    return f"{weekday}{words['day']} {words['month']}"
