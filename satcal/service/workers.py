"""The worker processes, which count under limits of memory and time.

They are those of :mod:`satcal.processes`, as on the command line. Requests about the same board and
date go to the same worker, which probably has the diagram in its cache, unless its queue is long.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from threading import Event
from typing import Any, TypeVar

from satcal.errors import BudgetExhausted, Stopped, TooLarge
from satcal.processes import Call, Worker, end, run_call

T = TypeVar("T")
Report = Callable[[int], object] | None
"""A function that is called with the number of tilings found so far."""
REQUEST_SECONDS = 120
"""Limit on the work for a request."""
JOB_LOAD = 1_000
"""The load of a task of a job; that of a request is 1, so that no request waits behind a job."""
NICE = 5
"""Niceness of the workers: the server has priority."""
SLACK = 3
"""How much longer the queue of the worker with the diagram may be than the shortest one."""


class Workers:
    """A pool of processes; a process that dies is replaced.

    The counts of jobs go to ``executor`` if there is one, such as a cluster.
    """

    def __init__(
        self, number: int, memory: int, seconds: float, executor: Executor | None = None
    ) -> None:
        self.number, self._seconds, self._executor = number, seconds, executor
        self._queues = [Queue(memory) for _ in range(number)]

    @property
    def has_cluster(self) -> bool:
        """Whether the counts of jobs go to a cluster."""
        return self._executor is not None

    async def run(self, function: Callable[..., T], *args: Any) -> T:
        """Return the result of a function for a request.

        A hash of the first two arguments, usually a board and a reveal, selects the worker. If its
        load is more than ``SLACK`` above the least, the least loaded worker is used.

        Raises:
            BudgetExhausted: the function took longer than ``REQUEST_SECONDS``.
            TooLarge: the function needs more memory than a worker may use.
            Stopped: the process died.
        """
        queue = self._queues[hash(args[:2]) % self.number]
        if queue.load > self._shortest_queue().load + SLACK:
            queue = self._shortest_queue()
        value: T = await queue.run(1, REQUEST_SECONDS, Call(function, args))
        return value

    async def run_job(self, function: Callable[..., T], *args: Any, report: Report = None) -> T:
        """Return the result of a function for a job; raise as :meth:`run`.

        Cancelling it ends the process. ``report`` is called in another thread.
        """
        queue = self._shortest_queue()
        value: T = await queue.run(JOB_LOAD, self._seconds, Call(function, args), report)
        return value

    async def run_count(self, report: Report, function: Callable[..., T], *args: Any) -> T:
        """Return the result of a counting function for a job, on the cluster if there is one."""
        if self._executor is None:
            return await self.run_job(function, *args, report=report)
        try:
            async with asyncio.timeout(self._seconds):
                return await asyncio.wrap_future(self._executor.submit(function, *args))
        except TimeoutError:
            raise BudgetExhausted(f"stopped after {self._seconds:g} seconds") from None

    def _shortest_queue(self) -> Queue:
        return min(self._queues, key=lambda queue: queue.load)

    def close(self) -> None:
        """End all processes at once."""
        for queue in self._queues:
            queue.close()
        if self._executor is not None:
            self._executor.shutdown(wait=False, cancel_futures=True)


class Queue:
    """The tasks for one worker; a thread passes them on one by one."""

    def __init__(self, memory: int) -> None:
        self.load, self._memory = 0, memory
        self._worker: Worker | None = None
        self._thread = ThreadPoolExecutor(1)

    async def run(self, load: int, seconds: float, call: Call, report: Report = None) -> Any:
        """Return the result of a call; raise as :meth:`Workers.run`."""
        cancelled = Event()
        self.load += load
        future = self._thread.submit(self._call, seconds, call, cancelled, report)
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
            raise BudgetExhausted(f"stopped after {seconds:g} seconds") from None
        finally:
            cancelled.set()
            self.load -= load

    def _call(self, seconds: float, call: Call, cancelled: Event, report: Report) -> Any:
        """Let the worker make a call; this runs in the thread."""
        if self._worker is None or self._worker.dead:
            self._worker = Worker(self._memory, NICE, fork=False)
        until = time.monotonic() + seconds
        return run_call(self._worker, call, until, lambda: not cancelled.is_set(), on_found=report)

    def close(self) -> None:
        """End the process, and cancel the waiting tasks."""
        self._thread.shutdown(wait=False, cancel_futures=True)
        if self._worker is not None:
            end([self._worker])
