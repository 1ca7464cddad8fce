"""The process pool for everything that counts: limits of memory and time, and an end with us.

Each worker is a pool of one process, so that a question goes to the worker that was asked about
the same date before and still has its diagram.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any, TypeVar

import pebble

from satcal.errors import BudgetExhausted, Stopped, TooLarge
from satcal.launcher import bound, die_with_parent

T = TypeVar("T")
REQUEST_SECONDS = 120
"""For what a client waits for."""
LONG = 1_000
"""The load of a job's task, beside 1 of a question: no question waits behind it."""
SLACK = 3
"""How many more questions may wait for the worker that has the diagram than for another."""


class Workers:
    """Processes that do one task each at a time, and are replaced when one dies.

    Counts of jobs go to ``executor`` if there is one, such as a cluster's.
    """

    def __init__(
        self, number: int, memory: int, seconds: float, executor: Executor | None = None
    ) -> None:
        self.number, self._memory, self._seconds = number, memory, seconds
        self._executor = executor
        self._pools = [self._new_pool() for _ in range(number)]
        self._loads = [0] * number

    def _new_pool(self) -> pebble.ProcessPool:
        context = multiprocessing.get_context("forkserver")  # it holds none of our connections
        context.set_forkserver_preload(["satcal.service.work"])
        return pebble.ProcessPool(
            1, initializer=begin_worker, initargs=(self._memory,), context=context
        )

    @property
    def has_cluster(self) -> bool:
        """Whether the counts of jobs go elsewhere."""
        return self._executor is not None

    async def run(self, function: Callable[..., T], *args: Any) -> T:
        """Return what a function returns while a client waits.

        The first two arguments, a board and a reveal, choose the worker, unless it is busy.

        Raises:
            BudgetExhausted: it took too long.
            TooLarge: it needs more memory than a worker may use.
            Stopped: its process died.
        """
        least = min(self._loads)
        chosen = hash(args[:2]) % self.number
        if self._loads[chosen] > least + SLACK:
            chosen = self._loads.index(least)
        with self._loaded(chosen, 1):
            return await self._within(chosen, REQUEST_SECONDS, function, *args)

    async def work(self, function: Callable[..., T], *args: Any) -> T:
        """Return what a function of a job returns; cancelling kills the worker."""
        chosen = self._loads.index(min(self._loads))
        with self._loaded(chosen, LONG):
            return await self._within(chosen, self._seconds, function, *args)

    async def count(self, function: Callable[..., T], *args: Any) -> T:
        """Return what a count of a job returns, on the cluster if there is one."""
        if self._executor is None:
            return await self.work(function, *args)
        try:
            async with asyncio.timeout(self._seconds):
                return await asyncio.wrap_future(self._executor.submit(function, *args))
        except TimeoutError:
            raise BudgetExhausted(f"stopped after {self._seconds:g} seconds") from None

    @contextmanager
    def _loaded(self, chosen: int, load: int) -> Iterator[None]:
        self._loads[chosen] += load
        try:
            yield
        finally:
            self._loads[chosen] -= load

    async def _within(
        self, chosen: int, seconds: float, function: Callable[..., T], *args: Any
    ) -> T:
        if not self._pools[chosen].active:  # its process died between two tasks
            self._pools[chosen] = self._new_pool()
        future = self._pools[chosen].submit(function, seconds, *args)
        try:
            return await asyncio.wrap_future(future)
        except TimeoutError:
            raise BudgetExhausted(f"stopped after {seconds:g} seconds") from None
        except MemoryError:
            raise TooLarge("this needs more memory than the service allows") from None
        except (pebble.ProcessExpired, BrokenProcessPool) as error:
            raise Stopped(f"the worker died ({error}); is memory short?") from None

    def close(self) -> None:
        """End all processes at once."""
        for pool in self._pools:
            pool.stop()  # type: ignore[no-untyped-call]
        for pool in self._pools:
            pool.join()
        if self._executor is not None:
            self._executor.shutdown(wait=False, cancel_futures=True)


def begin_worker(memory: int) -> None:
    """Bound the memory of a new worker, leave Ctrl-C to its parent, and end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    die_with_parent()
    bound("AS", memory)
