"""The examination of claim files: verdicts, then recounts of the tables that they used."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path

from satcal.counting import run
from satcal.errors import Disagreement
from satcal.published.drawings import Drawing, Finding, check_drawings
from satcal.published.evaluating import Lookup
from satcal.published.reading import make_claims
from satcal.published.sheets import TableReading, ambiguity_error
from satcal.published.shipped import TableRow
from satcal.published.verdicts import ClaimFile, Judgement, Verdict, judge
from satcal.puzzle.model import Puzzle, Reveal
from satcal.tabular import some_of

MAX_TILINGS = 2000  # of a row that `sat` recounts; 2,000 tilings take about 3 s


class Examination:
    """One run over claim files.

    Args:
        recounts: number of rows of each used table that ``sat`` counts again, after a diagram has
            counted them all; None for all.
        folder: satcal's tables; None for those in ``results/counts``.
        jobs: number of processes, None for all cores.
    """

    def __init__(
        self, recounts: int | None = 1, folder: Path | None = None, jobs: int | None = None
    ) -> None:
        self._recounts, self._lookup = recounts, Lookup(jobs, folder)
        self._examples: dict[str, list[Reveal]] = defaultdict(list)

    def verdicts(self, files: Iterable[ClaimFile]) -> Iterator[Verdict]:
        """Yield the verdicts on all statements, in the order of the files.

        Raises:
            Disagreement: satcal's table contradicts the manifest, or counts do not add up.
        """
        for file in files:
            for statement in file.statements:
                verdict = judge(file, statement, self._lookup)
                if verdict.example is not None:
                    self._examples[statement.puzzle.digest].append(verdict.example)
                yield verdict

    def judge_table(
        self, path: Path, readings: Sequence[TableReading], puzzle: Puzzle
    ) -> tuple[TableReading, Verdict]:
        """Return the verdict on a published table, and the reading that it judges.

        Raises:
            FormatError: of several readings, none or more than one has only true numbers.
            Disagreement: as :meth:`verdicts`.
        """
        files = [make_claims(path, reading, puzzle) for reading in readings]
        pairs = list(zip(readings, self.verdicts(files), strict=True))
        confirmed = [pair for pair in pairs if pair[1].judgement is Judgement.CONFIRMED]
        if len(pairs) > 1 and len(confirmed) != 1:
            raise ambiguity_error(path, [reading for reading, _ in confirmed or pairs], puzzle)
        return (confirmed or pairs)[0]

    def check_drawings(self, puzzle: Puzzle, drawings: Sequence[Drawing]) -> list[Finding]:
        """Return what is wrong with drawings, and what is missing, as :func:`check_drawings`."""
        return list(check_drawings(puzzle, drawings, self._lookup))

    def find_counts(self, verdicts: Iterable[Verdict]) -> list[tuple[Puzzle, dict[Reveal, int]]]:
        """Return, for each board, the counts of the reveals that judged statements speak of.

        Statements about sets of cells or placed pieces are left out, as no certificate has them.
        """
        boards: dict[str, tuple[Puzzle, dict[Reveal, int]]] = {}
        for statement in (verdict.statement for verdict in verdicts if verdict.truth):
            puzzle, over = statement.puzzle, statement.over
            if over.kind == "reveals" and not over.place:
                _, counts = boards.setdefault(puzzle.digest, (puzzle, {}))
                found = self._lookup.find_or_count(puzzle, dict.fromkeys(over.items))
                counts.update((reveal, found[reveal]) for reveal in over.items)
        return list(boards.values())

    def recount(self) -> Iterator[tuple[str, str, int]]:
        """Count rows of each table that the verdicts used again; yield board, method, rows.

        Raises:
            Disagreement: a count differs from its table.
        """
        for method, (puzzle, table) in product(("diagram", "sat"), self._lookup.used.values()):
            rows = list(puzzle.reveals())
            if method == "sat" and self._recounts is not None:
                rows = choose_rows(puzzle, self._examples[puzzle.digest], self._recounts, table)
            counts = {method: self._lookup.count(puzzle, rows, method=method)}
            counts["the table"] = {reveal: table[reveal].tilings for reveal in rows}
            if texts := run.differences(counts):
                raise Disagreement(f"{puzzle.name}, {some_of(texts)}")
            yield puzzle.name, method, len(rows)


def choose_rows(
    puzzle: Puzzle, examples: Iterable[Reveal], rows: int, table: Mapping[Reveal, TableRow]
) -> list[Reveal]:
    """Return the reveals to recount: first the examples of verdicts, then a fixed sample.

    Rows with more than ``MAX_TILINGS`` are left out, because ``sat`` lists every tiling, and so is
    the single row of a puzzle without labels, which takes ``sat`` minutes.
    """
    rest = list(puzzle.reveals()) if puzzle.categories else []
    random.Random(puzzle.digest).shuffle(rest)
    ordered = dict.fromkeys([*examples, *rest]) if rest else {}
    return [reveal for reveal in ordered if table[reveal].tilings <= MAX_TILINGS][:rows]
