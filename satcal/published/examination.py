"""The examination of claims: verdicts, then recounts of the shipped tables that they used."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path

from satcal.counting import run
from satcal.errors import Disagreement
from satcal.progress import Progress, ignore
from satcal.published.evaluating import Lookup
from satcal.published.sheets import ambiguity_error, parse_readings
from satcal.published.statements import Range, Statement
from satcal.published.verdicts import Judgement, Verdict, judge
from satcal.puzzle.model import Puzzle, Reveal
from satcal.tabular import some_of

MAX_TILINGS = 2000  # of a row that `sat` recounts; 2,000 tilings take about 3 s


def judge_all(
    statements: Sequence[Statement], lookup: Lookup, progress: Progress = ignore
) -> list[Verdict]:
    """Return the verdicts on statements; raise Disagreement if a shipped table is wrong."""
    verdicts: list[Verdict] = []
    for statement in statements:
        verdicts.append(judge(statement, lookup))
        progress(len(verdicts), len(statements), statement.id)
    return verdicts


def judge_table(path: Path, text: str, puzzle: Puzzle, lookup: Lookup) -> Verdict:
    """Return the verdict on the text of a published table; its note says how it was read.

    The table is one statement: every number of it is true.

    Raises:
        FormatError: it has no reading, or of several, not exactly one has only true numbers.
        Disagreement: a shipped table is wrong.
    """
    pairs = []
    for reading in parse_readings(text, path, puzzle):
        says = f"each number of {path.name}"
        statement = Statement(
            "table",
            puzzle,
            over=Range("reveals", says, tuple(reading.counts)),
            value=reading.counts,
            says=says,
            note=reading.description,
            source=path.name,
            file=path.name,
        )
        pairs.append((reading, judge(statement, lookup)))
    right = [pair for pair in pairs if pair[1].judgement is Judgement.CONFIRMED] or pairs
    if len(right) > 1:
        raise ambiguity_error(path, [reading for reading, _ in right], puzzle)
    return right[0][1]


def find_counts(
    verdicts: Iterable[Verdict], lookup: Lookup
) -> list[tuple[Puzzle, dict[Reveal, int]]]:
    """Return, for each board, the counts of the reveals that judged statements speak of.

    Statements about sets of cells or placed pieces are left out, as no certificate has them.
    """
    boards: dict[str, tuple[Puzzle, dict[Reveal, int]]] = {}
    for statement in (verdict.statement for verdict in verdicts if verdict.truth):
        puzzle, over = statement.puzzle, statement.over
        if over.kind == "reveals" and not over.place:
            _, counts = boards.setdefault(puzzle.digest, (puzzle, {}))
            found = lookup.find_or_count(puzzle, dict.fromkeys(over.items))
            counts.update((reveal, found[reveal]) for reveal in over.items)
    return list(boards.values())


def recount(verdicts: Collection[Verdict], lookup: Lookup) -> Iterator[tuple[str, str, int]]:
    """Recount each shipped table that the verdicts used: all rows by diagram, one by sat.

    Yield board, method and number of rows.

    Raises:
        Disagreement: a count differs from its table.
    """
    for method, puzzle in product(("diagram", "sat"), lookup.shipped.values()):
        rows = list(puzzle.reveals())
        table = lookup.find_or_count(puzzle, rows)
        if method == "sat":
            examples = (
                each.example
                for each in verdicts  # without an example, it may be about no board at all
                if each.example and each.statement.puzzle.digest == puzzle.digest
            )
            rows = choose_row(puzzle, examples, table)
        counts = {method: lookup.count(puzzle, rows, method=method)}
        counts["the table"] = {reveal: table[reveal] for reveal in rows}
        if texts := run.differences(counts):
            raise Disagreement(f"{puzzle.name}, {some_of(texts)}")
        yield puzzle.name, method, len(rows)


def choose_row(
    puzzle: Puzzle, examples: Iterable[Reveal], table: Mapping[Reveal, int]
) -> list[Reveal]:
    """Return a reveal for `sat` to recount: the first example of a verdict, or else the first one.

    Return none with more than ``MAX_TILINGS``, because `sat` lists every tiling, nor the single row
    of a puzzle without labels, which takes `sat` minutes.
    """
    others = puzzle.reveals() if puzzle.categories else ()
    return [reveal for reveal in (*examples, *others) if table[reveal] <= MAX_TILINGS][:1]
