"""The process pool for everything that counts: limits of memory and time, and an end with us."""

from __future__ import annotations

import asyncio
import multiprocessing
import signal
from collections.abc import Callable
from concurrent.futures import Executor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

import pebble

from satcal.errors import BudgetExhausted, Stopped, TooLarge
from satcal.launcher import bound, die_with_parent

T = TypeVar("T")
REQUEST_SECONDS = 120
"""For what a client waits for."""


class Workers:
    """Processes that do one task each at a time, and are replaced when one dies.

    Counts of jobs go to ``executor`` if there is one, such as a cluster's.
    """

    def __init__(
        self, number: int, memory: int, seconds: float, executor: Executor | None = None
    ) -> None:
        self.number, self._memory, self._seconds = number, memory, seconds
        self._executor = executor
        self._pool = self._new_pool()

    def _new_pool(self) -> pebble.ProcessPool:
        context = multiprocessing.get_context("forkserver")  # it holds none of our connections
        context.set_forkserver_preload(["satcal.service.work"])
        return pebble.ProcessPool(
            self.number, initializer=begin_worker, initargs=(self._memory,), context=context
        )

    async def run(self, function: Callable[..., T], *args: Any) -> T:
        """Return what a function returns while a client waits.

        Raises:
            BudgetExhausted: it took too long.
            TooLarge: it needs more memory than a worker may use.
            Stopped: its process died.
        """
        return await self._within(REQUEST_SECONDS, function, *args)

    async def work(self, function: Callable[..., T], *args: Any) -> T:
        """Return what a function of a job returns; cancelling kills the worker."""
        return await self._within(self._seconds, function, *args)

    async def count(self, function: Callable[..., T], *args: Any) -> T:
        """Return what a count of a job returns, on the cluster if there is one."""
        if self._executor is None:
            return await self.work(function, *args)
        try:
            async with asyncio.timeout(self._seconds):
                return await asyncio.wrap_future(self._executor.submit(function, *args))
        except TimeoutError:
            raise BudgetExhausted(f"stopped after {self._seconds:g} seconds") from None

    async def _within(self, seconds: float, function: Callable[..., T], *args: Any) -> T:
        if not self._pool.active:  # all its processes died at once
            self._pool = self._new_pool()
        future = self._pool.submit(function, seconds, *args)
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
        self._pool.stop()  # type: ignore[no-untyped-call]
        self._pool.join()
        if self._executor is not None:
            self._executor.shutdown(wait=False, cancel_futures=True)


def begin_worker(memory: int) -> None:
    """Bound the memory of a new worker, leave Ctrl-C to its parent, and end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    die_with_parent()
    bound("AS", memory)
