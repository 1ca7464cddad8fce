"""The processes for everything that counts: limits of memory and time, and an end with us.

They are the workers of :mod:`satcal.processes`, as on the command line. Questions
about the same board and date go to the same worker, which probably has the diagram, unless too
many wait there.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from threading import Event
from typing import Any, TypeVar

from satcal.errors import BudgetExhausted, Stopped, TooLarge
from satcal.processes import Call, Worker, answer_of, end

T = TypeVar("T")
Tell = Callable[[int], object]
REQUEST_SECONDS = 120
"""The limit of what a client waits for."""
LONG = 1_000
"""The load of a job's task, beside 1 of a question: no question waits behind it."""
NICE = 5
"""Niceness of the workers: the server takes precedence."""
SLACK = 3
"""How many more questions may wait for the worker that has the diagram than for another."""


class Workers:
    """Processes that do one task each at a time, and are replaced when one dies.

    Counts of jobs go to ``executor`` if there is one, such as a cluster's.
    """

    def __init__(
        self, number: int, memory: int, seconds: float, executor: Executor | None = None
    ) -> None:
        self.number, self._seconds, self._executor = number, seconds, executor
        self._queues = [Queue(memory) for _ in range(number)]

    @property
    def has_cluster(self) -> bool:
        """Whether the counts of jobs go elsewhere."""
        return self._executor is not None

    async def run(self, function: Callable[..., T], *args: Any) -> T:
        """Return what a function returns while a client waits.

        A hash of the first two arguments, usually a board and a reveal, chooses the worker. If its
        load is more than ``SLACK`` above the least, the least loaded worker does it.

        Raises:
            BudgetExhausted: it took too long.
            TooLarge: it needs more memory than a worker may use.
            Stopped: its process died.
        """
        chosen = self._queues[hash(args[:2]) % self.number]
        if chosen.load > self._least().load + SLACK:
            chosen = self._least()
        value: T = await chosen.run(1, REQUEST_SECONDS, Call(function, args))
        return value

    async def work(self, function: Callable[..., T], *args: Any, tell: Tell | None = None) -> T:
        """Return what a function of a job returns; cancelling ends the worker.

        ``tell`` gets the numbers that it tells on the way, in another thread.
        """
        value: T = await self._least().run(LONG, self._seconds, Call(function, args), tell)
        return value

    async def count(self, tell: Tell | None, function: Callable[..., T], *args: Any) -> T:
        """Return what a count of a job returns, on the cluster if there is one."""
        if self._executor is None:
            return await self.work(function, *args, tell=tell)
        try:
            async with asyncio.timeout(self._seconds):
                return await asyncio.wrap_future(self._executor.submit(function, *args))
        except TimeoutError:
            raise stopped_after(self._seconds) from None

    def _least(self) -> Queue:
        return min(self._queues, key=lambda queue: queue.load)

    def close(self) -> None:
        """End all processes at once."""
        for queue in self._queues:
            queue.close()
        if self._executor is not None:
            self._executor.shutdown(wait=False, cancel_futures=True)


class Queue:
    """Tasks that wait for one worker; a thread hands them over."""

    def __init__(self, memory: int) -> None:
        self.load, self._memory = 0, memory
        self._worker: Worker | None = None
        self._thread = ThreadPoolExecutor(1)

    async def run(self, load: int, seconds: float, call: Call, tell: Tell | None = None) -> Any:
        """Return what a call returns; raise as :meth:`Workers.run`."""
        left = Event()
        self.load += load
        future = self._thread.submit(self._ask, seconds, call, left, tell)
        try:
            return await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is not None and not task.cancelling():  # the queue was closed
                raise Stopped("the server is shutting down; try again later") from None
            raise
        except MemoryError:
            raise TooLarge("this needs more memory than the service allows") from None
        except BudgetExhausted:
            raise stopped_after(seconds) from None
        finally:
            left.set()
            self.load -= load

    def _ask(self, seconds: float, call: Call, left: Event, tell: Tell | None) -> Any:
        """Have the worker make a call; this runs in the thread."""
        if self._worker is None or self._worker.dead:
            self._worker = Worker(self._memory, NICE, fork=False)
        until = time.monotonic() + seconds
        return answer_of(self._worker, call, until, lambda: not left.is_set(), on_found=tell)

    def close(self) -> None:
        """End the process, and let nothing wait."""
        self._thread.shutdown(wait=False, cancel_futures=True)
        if self._worker is not None:
            end([self._worker])


def stopped_after(seconds: float) -> BudgetExhausted:
    """Return the error for a task that took too long."""
    return BudgetExhausted(f"stopped after {seconds:g} seconds")
