"""A scheduler and workers on this machine, each a process that a test may kill."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
from collections.abc import Callable
from functools import cached_property
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

import satcal.counting.cluster as cluster

# who works is a fork of a process that has imported what takes a second
FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["distributed", "satcal.counting.run"])


class Farm:
    """A scheduler and its workers."""

    def __init__(self) -> None:
        self.workers: dict[str, BaseProcess] = {}
        self.scheduler, self.address = begun(work)

    def add(self, sources: str = "") -> str:
        """Add a worker, maybe with other sources of satcal; return its address."""
        process, address = begun(work, self.address, sources)
        self.workers[address] = process
        return address

    def ask(self, question: Callable[[Any], Any]) -> Any:
        """Return what a question finds in the scheduler; Dask wants the name of its parameter."""
        return self._client.run_on_scheduler(question)

    def finished(self) -> int:
        """Return the number of tasks that the scheduler has seen finish."""
        log = self.ask(
            lambda dask_scheduler: [entry[1:3] for entry in dask_scheduler.transition_log]
        )
        return [tuple(entry) for entry in log].count(("processing", "memory"))

    def known(self) -> int:
        """Return the number of tasks that the scheduler knows."""
        return self.ask(lambda dask_scheduler: len(dask_scheduler.tasks))

    def is_busy(self, address: str) -> bool:
        """Return whether a worker has a task."""
        return self.ask(lambda dask_scheduler: bool(dask_scheduler.workers[address].processing))

    def cancel(self) -> None:
        """Cancel all tasks, as another client may."""
        from distributed import Future

        keys = self.ask(lambda dask_scheduler: list(dask_scheduler.tasks))
        self._client.cancel([Future(key, self._client) for key in keys], force=True)

    @cached_property
    def _client(self) -> Any:
        from distributed import Client  # which takes a second to import

        return Client(self.address, set_as_default=False)

    def end(self) -> None:
        if "_client" in vars(self):
            self._client.close()
        for process in [*self.workers.values(), self.scheduler]:
            process.kill()
            process.join()


def begun(target: Callable[..., None], *arguments: str) -> tuple[BaseProcess, str]:
    here, there = FORKS.Pipe()
    process = FORKS.Process(target=target, args=(there, *arguments))
    process.start()
    there.close()  # so that the end of the process is the end of the pipe
    return process, here.recv()


def work(pipe: Connection, scheduler: str = "", sources: str = "") -> None:
    """Be a scheduler, or a worker of one: tell the address, and work until killed."""
    import dask
    from distributed import Scheduler, Worker

    if sources:
        cluster.sources_digest = lambda: sources
    logging.disable()
    # of what `finished` counts nothing is forgotten
    dask.config.set({"distributed.admin.low-level-log-length": 1_000_000})

    async def main() -> None:
        made: Any
        if scheduler:
            made = Worker(scheduler, nthreads=1, memory_limit=0, dashboard=False)
        else:
            made = Scheduler(host="127.0.0.1", port=0, dashboard_address=":0")
        async with made:
            pipe.send(made.address)
            await made.finished()

    asyncio.run(main())
