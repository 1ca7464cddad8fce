"""The worker processes, which count under limits of memory and time.

They are those of :mod:`satcal.processes`, as on the command line. There are three kinds of tasks:

- A quick task reads the diagram of a board of the library. It goes to any worker, by preference to
  the one that answered about the same date.
- A slow task may take minutes: a formula, or work on a posted board. It never goes to the first
  worker.
- A task of a job may take an hour. It never goes to the first two workers.

So no quick task waits behind a slow one, and no request behind a job. Equal tasks of requests that
wait or run at the same time are one task. A task whose last client has left is dropped from its
queue. If it already runs, a slow one is ended after a moment, in which another client may ask for
it, and a quick one, which takes less time than a new process, is finished.
"""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from satcal.errors import BudgetExhausted, Stopped, TooLarge
from satcal.processes import Call, LocalProcesses

T = TypeVar("T")
REQUEST_SECONDS = 120
"""Limit on the work for a request."""
JOB_SECONDS = 3_600
"""Limit on each task of a job."""
MAX_WAITING = 64
"""Limit on the slow tasks of requests that wait or run."""
SLOW_LOAD = 1_000
"""The load of a slow task or a job's; that of a quick one is 1, so that it avoids their workers."""
NICE, SLOW_NICE = 5, 15
"""Niceness of the first worker, after the server, and of those that take slow tasks."""
ABANDONED_SECONDS = 1
"""How long a slow task runs after its last client has left; a new process costs about as much."""
CLUSTER_TASKS = 256
"""Limit on the tasks of a job that a cluster has at a time, whatever its number of workers."""
SLACK = 3
"""How much longer the queue of the worker with the diagram may be than the shortest one."""


@dataclass
class SharedTask:
    """A task, its call, and the number of requests that wait for it."""

    call: Call
    task: asyncio.Task[Any]
    waiting: int = 0


class Workers:
    """A pool of three processes or more; a process that dies is replaced.

    The counts of jobs go to ``executor`` if there is one, such as a cluster.
    """

    def __init__(self, number: int, memory: int, executor: Executor | None = None) -> None:
        self._executor = executor
        self._queues = [Queue(memory, SLOW_NICE if index else NICE) for index in range(number)]
        self._shared: dict[tuple[Any, ...], SharedTask] = {}
        self._slow_tasks = 0

    @property
    def job_slots(self) -> int:
        """The number of counts that a job may have under way."""
        return len(self._queues) - 2 if self._executor is None else CLUSTER_TASKS

    def start(self) -> None:
        """Start the worker for quick tasks."""
        self._queues[0].start()

    def check(self) -> None:
        """Start the worker for quick tasks again if it died; raise Stopped if it does not run."""
        if not self._queues[0].is_alive():
            self._queues[0].start()
            raise Stopped("no worker process runs; one is being started, try again in a moment")

    async def run(self, function: Callable[..., T], *args: Any, slow: bool = False) -> T:
        """Return the result of a function for a request; equal calls at the same time share it.

        A hash of the first two arguments, usually a board and a reveal, selects the worker. If its
        load is more than ``SLACK`` above the least, the least loaded worker is used.

        Raises:
            BudgetExhausted: the function took longer than ``REQUEST_SECONDS``.
            TooLarge: the function needs more memory than a worker may use.
            Stopped: the process died twice, or too many slow tasks wait.
        """
        key = (function, args)
        shared = self._shared.get(key)
        if shared is None or shared.task.done():
            call = Call(function, args)
            shared = SharedTask(call, asyncio.create_task(self._run(slow, call)))
            # asyncio reports an error that was not retrieved
            shared.task.add_done_callback(lambda task: task.cancelled() or task.exception())
            self._shared[key] = shared
        shared.waiting += 1
        try:
            await asyncio.wait([shared.task])  # a request that ends does not cancel it
        finally:
            shared.waiting -= 1
            runs = any(queue.running is shared.call for queue in self._queues)
            seconds = ABANDONED_SECONDS if runs else 0
            asyncio.get_running_loop().call_later(seconds, self._end_abandoned, key, shared)
        value: T = shared.task.result()
        return value

    def _end_abandoned(self, key: tuple[Any, ...], shared: SharedTask) -> None:
        if not shared.waiting and self._shared.get(key) is shared:
            del self._shared[key]
            shared.task.cancel()

    async def _run(self, slow: bool, call: Call) -> Any:
        if not slow:
            ready = [queue for queue in self._queues[1:] if queue.is_alive()]
            queue = self._select([self._queues[0], *ready], call.args)
            return await queue.run(1, REQUEST_SECONDS, call, is_ended=False)
        if self._slow_tasks >= MAX_WAITING:
            raise Stopped("too many slow questions wait; try again later")
        self._slow_tasks += 1
        try:
            queue = self._select(self._queues[1:], call.args)
            return await queue.run(SLOW_LOAD, REQUEST_SECONDS, call)
        finally:
            self._slow_tasks -= 1

    async def run_job(self, function: Callable[..., T], *args: Any) -> T:
        """Return the result of a function for a job; raise as :meth:`run`.

        Cancelling it ends the process.
        """
        queue = min(self._queues[2:], key=lambda queue: queue.load)
        value: T = await queue.run(SLOW_LOAD, JOB_SECONDS, Call(function, args))
        return value

    async def run_count(self, function: Callable[..., T], *args: Any) -> T:
        """Return the result of a counting function for a job, on the cluster if there is one."""
        if self._executor is None:
            return await self.run_job(function, *args)
        try:
            async with asyncio.timeout(JOB_SECONDS):
                return await asyncio.wrap_future(self._executor.submit(function, *args))
        except TimeoutError:
            raise BudgetExhausted(f"stopped after {JOB_SECONDS:g} seconds") from None

    def _select(self, queues: list[Queue], args: tuple[Any, ...]) -> Queue:
        queue, shortest = queues[hash(args[:2]) % len(queues)], min(queues, key=lambda q: q.load)
        return queue if queue.load <= shortest.load + SLACK else shortest

    def close(self) -> None:
        """End all processes at once."""
        for queue in self._queues:
            queue.close()
        if self._executor is not None:
            self._executor.shutdown(wait=False, cancel_futures=True)


class Queue:
    """The tasks for one worker; a thread passes them on one by one."""

    def __init__(self, memory: int, nice: int) -> None:
        self.load = 0
        self.running: Call | None = None
        # used in the thread, beside which nothing is forked: so no process inherits a connection
        self._processes = LocalProcesses(1, memory=memory, nice=nice)
        self._thread = ThreadPoolExecutor(1)

    def start(self) -> None:
        """Start the process in the thread."""
        self._thread.submit(self._call, REQUEST_SECONDS, Call(os.getpid, ()), threading.Event())

    def is_alive(self) -> bool:
        """Return whether the process runs."""
        return any(worker.process.is_alive() for worker in [*self._processes.workers])

    async def run(self, load: int, seconds: float, call: Call, is_ended: bool = True) -> Any:
        """Return the result of a call; raise as :meth:`Workers.run`.

        Cancelling it drops the call. If it already runs, its process is ended if ``is_ended``.
        """
        dropped = threading.Event()
        self.load += load
        try:
            future = self._thread.submit(self._call, seconds, call, dropped)
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
            self.load -= load
            if is_ended:
                dropped.set()

    def _call(self, seconds: float, call: Call, dropped: threading.Event) -> Any:
        """Let the process make a call, again if it is killed; this runs in the thread."""
        run = partial(
            self._processes.run,
            call,
            until=time.monotonic() + seconds,
            wanted=lambda: not dropped.is_set(),
        )
        self.running = call
        try:
            return run()
        except BudgetExhausted:
            raise
        except Stopped:
            if self.is_alive() or dropped.is_set():
                raise
            return run()
        finally:
            self.running = None

    def close(self) -> None:
        """End the process, and cancel the waiting tasks."""
        self._thread.shutdown(wait=False, cancel_futures=True)
        self._processes.shutdown()
