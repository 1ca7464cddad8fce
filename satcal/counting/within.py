"""Counting by the diagram within a memory limit: all reveals at once, or in parts.

Where the diagram of all reveals does not fit, half of them are tried; where that of one does
not, it is counted layer by layer without being kept, over the workers of a cluster or on the
disk of this machine.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import wait

from satcal.counting.diagram.build import may_have_tilings, reduced
from satcal.counting.diagram.checkpoint import Checkpoint, Tally
from satcal.counting.diagram.layered import Cut, Layered
from satcal.counting.diagram.model import DiagramError, Problem, Progress, Watch
from satcal.counting.diagram.puzzle import options_for, problem_of
from satcal.counting.methods import Settings, diagram_for, minding
from satcal.errors import TooLarge
from satcal.processes import cores, executing, memory_to_use
from satcal.puzzle.model import Puzzle, Reveal
from satcal.puzzle.placements import cover

Recall = Callable[[Sequence[Reveal]], Mapping[Reveal, int]]
"""Returns the counts that are known of some reveals."""
CUT_AT = 10_000  # states: enough for even shares, few enough to send
SHARES = 32  # tasks of a cut; more need less memory each, and more time together


def counts_in_parts(
    puzzle: Puzzle,
    reveals: list[Reveal],
    settings: Settings,
    deadline: float | None = None,
    progress: Progress | None = None,
    recall: Recall | None = None,
) -> Generator[dict[Reveal, int], None, None]:
    """Yield the counts of reveals, as many at once as fit into the memory limit.

    ``recall`` is asked for what is known already, if one diagram does not do for all.

    Raises:
        BudgetExhausted: the deadline passed.
        TooLarge: the limit is too small even for one layer of one reveal at a time.
        PlacementError: something is placed on a cell that a reveal leaves uncovered.
    """
    counts = _at_once(puzzle, reveals, settings, deadline, progress)
    if counts is not None:
        yield counts
        return
    known = recall(reveals) if recall else {}
    if known:
        yield dict(known)
    left = [reveal for reveal in reveals if reveal not in known]
    if known:
        parts = [left] if left else []
    elif len(left) == 1:
        yield {left[0]: _layered(puzzle, left[0], settings, deadline, progress)}
        return
    else:
        parts = [left[: len(left) // 2], left[len(left) // 2 :]]
    for part in parts:
        yield from counts_in_parts(puzzle, part, settings, deadline, progress)


def _at_once(
    puzzle: Puzzle,
    reveals: list[Reveal],
    settings: Settings,
    deadline: float | None,
    progress: Progress | None,
) -> dict[Reveal, int] | None:
    """Return the counts from one diagram; None if it is too large."""
    try:
        diagram = diagram_for(puzzle, reveals, settings, deadline, progress)
    except TooLarge:  # its traceback holds what was built, so nothing may happen here
        return None
    if len(reveals) == 1:
        return {reveals[0]: diagram.count(reveals[0], settings.demands)}
    counts = diagram.counts(settings.demands)
    return {reveal: counts[reveal] for reveal in reveals}


def _layered(
    puzzle: Puzzle,
    reveal: Reveal,
    settings: Settings,
    deadline: float | None,
    progress: Progress | None,
) -> int:
    """Return the count of one reveal whose diagram is too large."""
    told = minding(deadline, progress)
    whole = cover(puzzle, None)
    problem, _ = reduced(problem_of(whole), options_for(whole, [reveal], settings.demands))
    if not may_have_tilings(problem):
        return 0
    limit = settings.memory_limit or memory_to_use()
    try:
        layered = Layered(problem, Watch(problem.cells + 1, limit, told))
        if settings.cluster is None:
            checkpoint = Checkpoint(layered.name) if settings.use_cache else None
            return layered.count(layered.start(), checkpoint)
        shares = shared(layered.cut(CUT_AT), SHARES)
    except DiagramError as error:
        where = " ".join(reveal) or "the board"
        raise TooLarge(
            f"diagram of {puzzle.name}, {where}: {error}; raise --memory-limit, or use --method sat"
        ) from error
    tally = Tally(layered.name if settings.use_cache else None)
    total = sum(_share_counts(problem, shares, tally, settings, deadline, told))
    tally.forget()
    return total


def _share_counts(
    problem: Problem,
    shares: list[Cut],
    tally: Tally,
    settings: Settings,
    deadline: float | None,
    told: Progress,
) -> Iterator[int]:
    """Yield the number of each share: known, or from the workers of the cluster."""
    known = [tally.recall(share) for share in shares]
    yield from (tilings for tilings in known if tilings is not None)
    left = [share for share, tilings in zip(shares, known, strict=True) if tilings is None]
    until = time.time() + deadline - time.monotonic() if deadline is not None else None
    limit = settings.memory_limit
    with executing(settings.jobs or cores(), settings.cluster) as executor:
        pending = {
            executor.submit(count_share, problem, share, limit, until): share for share in left
        }
        while pending:
            # short waits: between them the deadline is minded, and Ctrl-C
            done, _ = wait(pending, timeout=0.2, return_when="FIRST_COMPLETED")
            for future in done:
                tilings = future.result()
                tally.keep(pending.pop(future), tilings)
                yield tilings
            told("shares", len(shares) - len(pending), len(shares), len(pending))


def shared(cut: Cut, shares: int) -> list[Cut]:
    """Return a cut in so many parts, states of each layer in turn: no part is the hard one."""
    parts = [
        {layer: states.at(slice(number, None, shares)) for layer, states in cut.items()}
        for number in range(shares)
    ]
    return [part for part in parts if any(len(states.bits) for states in part.values())]


def count_share(problem: Problem, share: Cut, limit: int | None, until: float | None) -> int:
    """Return the number of tilings that pass through a share; this runs in the workers.

    Args:
        problem: that all shares belong to.
        share: of its cut.
        limit: in bytes; None for this worker's part of what its machine has free.
        until: a reading of the wall clock, at which it ends; None for never.

    Raises:
        BudgetExhausted: the time is up.
        TooLarge: it needs more memory than the limit, or more disk than there is.
    """
    free = memory_to_use()
    if limit is None and free is not None:
        limit = free // cores()  # a machine has at most so many workers
    deadline = time.monotonic() + until - time.time() if until is not None else None
    watch = Watch(problem.cells + 1, limit, minding(deadline, None))
    try:
        return Layered(problem, watch).count(share)
    except DiagramError as error:
        raise TooLarge(f"{error}; raise --memory-limit, or use --method sat") from error
