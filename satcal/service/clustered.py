"""Jobs on a cluster: workers do their tasks, the job's own process alone knows the store."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar, cast

from satcal.counting.count import count_reveals, executing
from satcal.counting.settings import Outcome, Settings, Status
from satcal.errors import TooLarge
from satcal.processes import GRACE, bounded
from satcal.puzzle.model import Puzzle, Reveal
from satcal.service.config import TOO_MUCH_MEMORY, Means

if TYPE_CHECKING:
    from satcal.counting.cluster import Cluster

Answer = TypeVar("Answer")


class Bounded(Executor):
    """A cluster whose tasks have the limits of their job: see :func:`in_child`."""

    def __init__(self, cluster: Cluster, means: Means) -> None:
        self.cluster, self._memory = cluster, means.memory
        self._until = time.time() + means.seconds  # the clock that other machines have too

    def submit(self, fn: Callable[..., Answer], /, *args: Any, **kwargs: Any) -> Future[Answer]:
        """Hand a task to the scheduler."""
        return self.cluster.submit(in_child, self._memory, self._until, fn, args, kwargs)


def in_child(
    memory: int, until: float, fn: Callable[..., Answer], args: tuple[Any, ...], kwargs: Any
) -> Answer:
    """Return what a function returns; this runs on a worker, in a thread, which nobody can stop.

    So a child does the work, with bytes of ``memory``, ``until`` a reading of the wall clock.
    """
    from distributed import get_worker

    worker: Any = get_worker()
    key = worker.get_current_task()

    def wanted() -> bool:
        known = worker.state.tasks.get(key)
        return known is not None and known.state != "cancelled"

    seconds = until + GRACE - time.time()
    try:
        return bounded(fn, *args, memory=memory, seconds=seconds, wanted=wanted, **kwargs)
    except MemoryError as error:
        raise TooLarge(TOO_MUCH_MEMORY) from error


@contextmanager
def lent(means: Means) -> Iterator[Bounded | None]:
    """Lend the cluster; None where there is none."""
    if means.cluster is None:
        yield None
        return
    with executing(1, means.cluster) as executor:
        yield Bounded(cast("Cluster", executor), means)


def counts(
    puzzle: Puzzle, reveals: Sequence[Reveal], settings: Settings, means: Means
) -> Iterator[tuple[Reveal, int]]:
    """Yield each reveal with its count as they come home; then raise if some have none."""
    asked = replace(settings, cluster=means.cluster, time_limit=means.seconds)
    failed: dict[Reveal, Outcome] = {}
    workers = 0
    with lent(means) as executor:
        assert executor is not None
        for reveal, outcome in count_reveals(puzzle, reveals, asked, lambda _: executor):
            if outcome.status is Status.EXACT:
                yield reveal, outcome.tilings
                continue
            workers = workers if failed else executor.cluster.workers()
            failed[reveal] = outcome
    if failed:
        (reveal, outcome), *others = failed.items()
        if outcome.status is Status.UNKNOWN and not workers:
            outcome = replace(outcome, message=f"{outcome.message}; the cluster has no workers")
        outcome.require((*reveal, f"and {len(others):,} more") if others else reveal)
