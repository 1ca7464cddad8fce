"""Counting by the diagram within a memory limit: all reveals at once, or in parts.

Where the diagram of all reveals does not fit, half of them are tried; where that of one does
not, it is counted layer by layer without being kept, over the workers of a cluster or on the
disk of this machine.
"""

from __future__ import annotations

import time
from collections.abc import Generator
from concurrent.futures import wait

from satcal.counting.diagram.build import may_have_tilings, reduced
from satcal.counting.diagram.layered import Cut, Layered
from satcal.counting.diagram.model import DiagramError, Problem, Progress, Watch
from satcal.counting.diagram.puzzle import options_for, problem_of
from satcal.counting.methods import Settings, diagram_for, minding
from satcal.errors import TooLarge
from satcal.processes import cores, executing, memory_to_use
from satcal.puzzle.model import Puzzle, Reveal
from satcal.puzzle.placements import cover

CUT_AT = 10_000  # states: enough for even shares, few enough to send
SHARES = 32  # tasks of a cut; more need less memory each, and more time together


def counts_in_parts(
    puzzle: Puzzle,
    reveals: list[Reveal],
    settings: Settings,
    deadline: float | None = None,
    progress: Progress | None = None,
) -> Generator[dict[Reveal, int], None, None]:
    """Yield the counts of reveals, as many at once as fit into the memory limit.

    Raises:
        BudgetExhausted: the deadline passed.
        TooLarge: the limit is too small even for one layer of one reveal at a time.
        PlacementError: something is placed on a cell that a reveal leaves uncovered.
    """
    counts = _at_once(puzzle, reveals, settings, deadline, progress)
    if counts is not None:
        yield counts
    elif len(reveals) == 1:
        yield {reveals[0]: _layered(puzzle, reveals[0], settings, deadline, progress)}
    else:
        half = len(reveals) // 2
        for part in (reveals[:half], reveals[half:]):
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
    until = time.time() + deadline - time.monotonic() if deadline is not None else None
    whole = cover(puzzle, None)
    problem, _ = reduced(problem_of(whole), options_for(whole, [reveal], settings.demands))
    if not may_have_tilings(problem):
        return 0
    limit = settings.memory_limit
    try:
        layered = Layered(problem, Watch(problem.cells + 1, limit or memory_to_use(), told))
        if settings.cluster is None:
            return layered.count(layered.start())
        shares = shared(layered.cut(CUT_AT), SHARES)
    except DiagramError as error:
        where = " ".join(reveal) or "the board"
        raise TooLarge(
            f"diagram of {puzzle.name}, {where}: {error}; raise --memory-limit, or use --method sat"
        ) from error
    with executing(settings.jobs or cores(), settings.cluster) as executor:
        pending = {executor.submit(count_share, problem, share, limit, until) for share in shares}
        total = 0
        while pending:
            # short waits: between them the deadline is minded, and Ctrl-C
            done, pending = wait(pending, timeout=0.2, return_when="FIRST_COMPLETED")
            total += sum(future.result() for future in done)
            told("shares", len(shares) - len(pending), len(shares), len(pending))
    return total


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
