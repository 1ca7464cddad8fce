"""Going through a space of sets: all of them, or a climb from one set to a better one.

What is tried next never depends on which process was faster. So the answer is the same on one
core and on many, and a run that was stopped goes on from its log to the same end.
"""

from __future__ import annotations

import itertools
import json
import os
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from functools import partial
from pathlib import Path

from satcal.designing.deciding import GOALS, Decision, Requirement, decide
from satcal.designing.space import PieceSet
from satcal.errors import FormatError
from satcal.files import failing
from satcal.puzzle.model import Reveal

SCOUTS = 128  # sets of which all reveals are counted first, to learn which reveals refute most
GENERATION = 1024  # sets submitted at once; the log has the results as they come
TASK = 128  # sets handed to a process at once: those that differ in one piece belong together
FULL_TASK = 4  # sets handed over at once when all their reveals are counted
BROOD = 32  # sets of a climb, which learns after each brood
PATIENCE = 5  # broods without a better set before the climb begins elsewhere

OnDecision = Callable[[int, Decision], None]
"""A function that gets each verdict, with the number of sets decided so far."""


class Log:
    """Verdicts in a file, one line of JSON each, from which a stopped run continues.

    Without a path nothing is kept.

    Raises:
        FileTrouble, FormatError: it cannot be read, or is of another question.
    """

    def __init__(self, path: Path | None, question: str) -> None:
        self.known: dict[PieceSet, Decision] = {}
        with failing(f"log {path}"):
            self._file = (path or Path(os.devnull)).open("a+", encoding="utf-8")
        try:
            self._resume(question)
        except (UnicodeDecodeError, FormatError) as error:
            self.close()
            raise FormatError(f"log {path}: {error}; name another file") from error

    def _resume(self, question: str) -> None:
        self._file.seek(0)
        text = self._file.read()
        complete = text[: text.rfind("\n") + 1]  # a kill may have cut the last line
        first, *lines = complete.splitlines() or [text]
        if first != question and (complete or not question.startswith(text)):
            raise FormatError("it belongs to a search with other options")
        for number, line in enumerate(lines, 2):
            try:
                pieces, reveal, counts, faces = json.loads(line)
                self.known[tuple(pieces)] = Decision(
                    tuple(pieces),
                    None if reveal is None else tuple(reveal),
                    tuple(counts),
                    None if faces is None else tuple(faces),
                )
            except (ValueError, TypeError) as error:
                raise FormatError(f"line {number} is damaged") from error
        if complete != text:
            self._file.truncate(len(complete.encode()))
        if not complete:
            self._file.write(question + "\n")

    def add(self, verdicts: Iterable[Decision]) -> None:
        """Keep verdicts."""
        for verdict in verdicts:
            self.known[verdict.pieces] = verdict
            line = [verdict.pieces, verdict.refuted_by, verdict.counts, verdict.faces]
            self._file.write(json.dumps(line, separators=(",", ":")) + "\n")
        self._file.flush()

    def close(self) -> None:
        """Close the file."""
        self._file.close()


class Explorer:
    """Decides sets on an executor, and remembers the verdicts."""

    def __init__(
        self, question: Requirement, executor: Executor, log: Log, on_decision: OnDecision
    ) -> None:
        self.question, self._executor, self._log, self._on_decision = (
            question,
            executor,
            log,
            on_decision,
        )
        self.verdicts: dict[PieceSet, Decision] = {}

    def decide(
        self, sets: Sequence[PieceSet], killers: Sequence[Reveal] = (), fully: bool = True
    ) -> list[Decision]:
        """Return the verdicts of some sets, in their order; arguments as for :func:`decide`."""
        known = self._log.known
        open_ = [pieces for pieces in dict.fromkeys(sets) if pieces not in known]
        size = FULL_TASK if fully else TASK
        parts = (open_[start : start + size] for start in range(0, len(open_), size))
        tasks = [
            self._executor.submit(decide, self.question, part, killers, fully) for part in parts
        ]
        results = (task.result() for task in tasks)
        for pieces in dict.fromkeys(sets):
            if pieces not in known:
                self._log.add(next(results))
            if pieces not in self.verdicts:
                self.verdicts[pieces] = known[pieces]
                self._on_decision(len(self.verdicts), known[pieces])
        return [known[pieces] for pieces in sets]


def exhaust(explorer: Explorer) -> None:
    """Decide every set of the space.

    A sample is decided fully, to learn which reveals refute most; the others begin with those.
    """
    space = explorer.question.space
    sample = random.Random(0).sample(range(len(space)), min(SCOUTS, len(space)))
    chosen = frozenset(sample)
    scouts = [pieces for index, pieces in enumerate(space) if index in chosen]
    killers = choose_killers(explorer.question, explorer.decide(scouts))
    sets = iter(space)
    while generation := list(itertools.islice(sets, GENERATION)):
        explorer.decide(generation, killers, fully=False)


def choose_killers(question: Requirement, verdicts: Iterable[Decision]) -> list[Reveal]:
    """Choose reveals greedily, each the one that refutes the most sets still left.

    Counting one reveal costs about a thirtieth of counting all, so stop at one that refutes less
    than a thirtieth of them.
    """
    reveals, killers = question.reveals, list[Reveal]()
    failed = [v.counts for v in verdicts if v.refuted_by is not None and v.counts]
    rest = [dict(zip(reveals, counts, strict=True)) for counts in failed]
    while rest:
        refuted = {r: sum(counts[r] < question.at_least for counts in rest) for r in reveals}
        best = max(reveals, key=refuted.__getitem__)
        if 30 * refuted[best] < len(rest):
            break
        killers.append(best)
        rest = [counts for counts in rest if counts[best] >= question.at_least]
    return killers


def climb(explorer: Explorer, goals: Sequence[str], tries: int, seed: int) -> None:
    """Try ``tries`` sets by hill climbing.

    Move from the best of a random brood to better neighbours, and begin again after ``PATIENCE``
    broods without progress.
    """
    generator = random.Random(seed)
    space = explorer.question.space
    ranked = partial(rank, question=explorer.question, goals=goals)
    current: Decision | None = None
    stalled = 0
    for tried in range(0, tries, BROOD):
        size = min(BROOD, tries - tried)
        if current is None or stalled == PATIENCE:
            current, stalled = None, 0
            brood = [space.random_set(generator) for _ in range(size)]
        else:
            brood = [space.random_neighbour(current.pieces, generator) for _ in range(size)]
        best = min(explorer.decide(brood), key=ranked)
        if current and ranked(best) >= ranked(current):
            stalled += 1
        else:
            current, stalled = best, 0


def rank(verdict: Decision, question: Requirement, goals: Sequence[str]) -> tuple[object, ...]:
    """Return the sort key of verdicts with counts, the best first.

    That is the number of reveals that fail, then the goals.
    """
    failures = sum(count < question.at_least for count in verdict.counts)
    return (failures, *(GOALS[goal](verdict) for goal in goals), verdict.pieces)


def best_first(
    verdicts: Iterable[Decision], question: Requirement, goals: Sequence[str]
) -> Iterator[Decision]:
    """Yield the sets that nothing refuted, the best first."""
    left = (verdict for verdict in verdicts if verdict.refuted_by is None)
    yield from sorted(left, key=partial(rank, question=question, goals=goals))
