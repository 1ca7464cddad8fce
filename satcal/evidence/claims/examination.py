"""One run over claim files: verdicts as they come, then recounts of the tables it used."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from satcal.evidence.claims.evaluate import judge
from satcal.evidence.claims.model import ClaimFile, Verdict
from satcal.evidence.claims.sources import (
    UNBOUNDED,
    Bounds,
    ByMethod,
    Counts,
    Recount,
    Sources,
    TablesFirst,
    chosen_small_rows,
    default_bounds,
    recount,
)
from satcal.evidence.tables import Tables, results_folder
from satcal.puzzle.model import Puzzle, Reveal

if TYPE_CHECKING:
    from satcal.counting.survey import Survey

MakeSources = Callable[[str, Bounds, int | None], Sources]


class Examination:
    """One run over claim files: verdicts as they come, then recounts of the tables it used.

    Args:
        method: counts what no table holds, and the rows that are counted again. A diagram
            counts all rows of each used table again, and ``sat`` those of ``recounts``.
        recounts: rows of each used table to count again; None for all, which also lifts
            the bounds on what a statement without a table may cost.
        bounds: what one statement may cost where there is no table; None for those that
            suit the method.
        tables: satcal's tables; None for those in ``results/counts``.
        jobs: number of processes, None for all cores.
        make_sources: makes what counts where there is no table, for tests.
    """

    def __init__(
        self,
        method: str = "diagram",
        *,
        recounts: int | None = 1,
        bounds: Bounds | None = None,
        tables: Tables | None = None,
        jobs: int | None = None,
        make_sources: MakeSources | None = None,
    ) -> None:
        self._method = method
        self._recounts = recounts
        self._bounds = UNBOUNDED if recounts is None else bounds or default_bounds(method)
        self._jobs = jobs
        self._make_sources = make_sources or _by_method
        self._tables = TablesFirst(tables or Tables(results_folder() / "counts"))
        self._deciding: dict[str, list[Reveal]] = {}
        self._surveys: dict[str, Survey] = {}

    def verdicts(self, files: Iterable[ClaimFile]) -> Iterator[Verdict]:
        """Yield the verdicts on all statements, in the order of the files.

        Raises:
            Disagreement: a table or a count contradicts itself.
            FormatError, FileTrouble: a table is damaged.
        """
        for file in files:
            for statement in file.statements:
                verdict = judge(file, statement, self._sources())
                if verdict.finding and verdict.finding.example is not None:
                    digest = statement.puzzle.digest
                    self._deciding.setdefault(digest, []).append(verdict.finding.example)
                yield verdict

    def _sources(self) -> Sources:
        """Return fresh sources: the bounds are for one statement."""
        method = self._make_sources(self._method, self._bounds, self._jobs)

        def counts(puzzle: Puzzle, reveals: Iterable[Reveal]) -> Mapping[Reveal, int]:
            return self._tables.counts(puzzle, list(reveals), method.counts)

        def survey(puzzle: Puzzle) -> Survey:
            if puzzle.digest not in self._surveys:
                self._surveys[puzzle.digest] = method.survey(puzzle)
            return self._surveys[puzzle.digest]

        return Sources(counts, method.tilings, survey)

    def recounted(self) -> Iterator[Recount]:
        """Yield the rows that are counted again, of each table that the verdicts used.

        Raises:
            Disagreement: after the rows of a table of which one differs.
            BudgetExhausted: rows took longer than the bounds allow.
        """
        if self._method == "diagram":
            for puzzle, table in self._tables.used.values():
                rows = list(puzzle.reveals())
                yield from recount(puzzle, table, rows, self._fresh("diagram"), "diagram")
        method = "sat" if self._method == "diagram" else self._method
        for digest, (puzzle, table) in self._tables.used.items():
            deciding = self._deciding.get(digest, [])
            rows = chosen_small_rows(puzzle, table, deciding, self._recounts)
            yield from recount(puzzle, table, rows, self._fresh(method), method)

    def _fresh(self, method: str) -> Counts:
        bounds = self._bounds if method == self._method else default_bounds(method)
        bounds = UNBOUNDED if self._recounts is None else bounds
        return self._make_sources(method, bounds, self._jobs).counts


def _by_method(method: str, bounds: Bounds, jobs: int | None) -> Sources:
    source = ByMethod(method, bounds, jobs)
    return Sources(source.counts, source.tilings, source.survey)
