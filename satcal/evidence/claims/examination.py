"""One run over claim files: verdicts as they come, then recounts of the tables it used."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from satcal.evidence.claims.evaluate import judge
from satcal.evidence.claims.model import ClaimFile, Verdict
from satcal.evidence.claims.sources import (
    DEFAULT_BOUNDS,
    Bounds,
    ByMethod,
    Recount,
    Sources,
    TablesFirst,
    recount,
)
from satcal.evidence.folder import results_folder
from satcal.evidence.tables import Tables
from satcal.puzzle.model import Puzzle, Reveal

MakeSources = Callable[[str, Bounds, int | None], Sources]


class Examination:
    """One run over claim files: verdicts as they come, then recounts of the tables it used.

    Args:
        method: counts what no table holds, and the rows that are counted again.
        recounts: rows of each used table to count again; None for all, which also lifts
            the bounds on what a statement without a table may cost.
        bounds: what one statement may cost where there is no table.
        tables: satcal's tables; None for those in ``results/counts``.
        jobs: number of processes, None for all cores.
        make_sources: makes what counts where there is no table, for tests.
    """

    def __init__(
        self,
        method: str = "sat",
        *,
        recounts: int | None = 1,
        bounds: Bounds = DEFAULT_BOUNDS,
        tables: Tables | None = None,
        jobs: int | None = None,
        make_sources: MakeSources | None = None,
    ) -> None:
        self._method = method
        self._recounts = recounts
        self._bounds = Bounds(None, None) if recounts is None else bounds
        self._jobs = jobs
        self._make_sources = make_sources or _by_method
        self._tables = TablesFirst(tables or Tables(results_folder() / "counts"))
        self._deciding: dict[str, list[Reveal]] = {}

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

        return Sources(counts, method.tilings)

    def recounted(self) -> Iterator[Recount]:
        """Yield the rows that are counted again, of each table that the verdicts used.

        Raises:
            Disagreement: after the rows of a table of which one differs.
            BudgetExhausted: rows took longer than the bounds allow.
        """
        for digest, (puzzle, table) in self._tables.used.items():
            fresh = self._make_sources(self._method, self._bounds, self._jobs).counts
            deciding = self._deciding.get(digest, [])
            yield from recount(puzzle, table, deciding, self._recounts, fresh, self._method)


def _by_method(method: str, bounds: Bounds, jobs: int | None) -> Sources:
    source = ByMethod(method, bounds, jobs)
    return Sources(source.counts, source.tilings)
