"""An executor that runs tasks on the workers of a Dask scheduler.

Dask chooses the worker of a task, and runs the task again if the worker is lost. Scheduler and
workers are started by other means, such as Slurm, Kubernetes or ssh (docs/how-to/cluster.md).
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from concurrent.futures import CancelledError, Executor, Future
from contextlib import suppress
from functools import cache, partial
from typing import Any, TypeVar

from satcal.counting.method import Deadline
from satcal.errors import InputError, Missing, OptionError, Stopped
from satcal.parts import command_for
from satcal.processes import Call, LocalProcesses
from satcal.version import sources_digest

Answer = TypeVar("Answer")
ADDRESS = re.compile(r"(?:tcp|tls)://\S+:[0-9]{1,5}")
CONNECT_SECONDS = 5.0
DASK = ("distributed", "asyncio", "concurrent")
"""Packages whose errors mean that a worker or the scheduler is lost."""


class Cluster(Executor):
    """An executor on the scheduler at an address.

    ``until`` is a reading of ``time.monotonic()`` after which tasks end, ``memory`` the limit of a
    task in bytes.

    Raises:
        Missing: distributed is not installed.
        OptionError: the address is not valid.
        Stopped: no scheduler answers at the address.
    """

    def __init__(
        self, address: str, *, until: float | None = None, memory: int | None = None
    ) -> None:
        if not ADDRESS.fullmatch(address):
            raise OptionError(f"--cluster {address}: give one such as tcp://10.0.0.1:8786")
        try:
            import distributed
        except ImportError as error:
            raise Missing(f"--cluster needs {error.name}: {command_for('cluster')}") from error

        # errors reach the caller, so Dask need not log them
        for name in ("distributed", "distributed.client"):  # each has a handler of its own
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
        self.address, self.memory, self.was_left = address, memory, False
        self.until = None if until is None else Deadline(until)
        connect: Any = distributed.Client
        try:
            self.client: Any = connect(address, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, RuntimeError) as error:
            hint = "start one with `dask scheduler`"
            raise Stopped(f"no scheduler answers at {address}; {hint}") from error
        self.executor = self.client.get_executor(pure=False, retries=0)

    def submit(self, fn: Callable[..., Answer], /, *args: Any, **kwargs: Any) -> Future[Answer]:
        """Submit a task to the scheduler.

        The future raises InputError if its worker has other sources than this process, Stopped if
        the worker or the scheduler is lost, or the errors of :meth:`LocalProcesses.run`.
        """
        call = Call(fn, args, kwargs)
        task = self.executor.submit(answer, sources_digest(), call, self.until, self.memory)
        future: Future[Answer] = Future()
        # who cancels the future frees the worker, too
        future.add_done_callback(lambda ended: ended.cancelled() and task.cancel())
        task.add_done_callback(partial(self.deliver, future))
        return future

    def deliver(self, future: Future[Any], task: Future[Any]) -> None:
        """Set the result of a future from that of a Dask task, with satcal's errors."""
        if task.cancelled() and self.was_left:
            future.cancel()
        if not future.set_running_or_notify_cancel():
            return
        error = CancelledError() if task.cancelled() else task.exception()
        if error is None:
            future.set_result(task.result())
        elif isinstance(error, ImportError | AttributeError):
            text = f"a worker of {self.address} has another satcal, or none; install the same there"
            future.set_exception(InputError(text))
        elif isinstance(error, OSError) or type(error).__module__.startswith(DASK):
            text = f"the cluster at {self.address} lost a task ({type(error).__name__})"
            future.set_exception(Stopped(f"{text}; what it finished is kept"))
        else:
            future.set_exception(error)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave the cluster; wait for tasks with ``wait``, else cancel them."""
        self.was_left = True
        with suppress(Exception):  # the scheduler may be gone
            self.executor.shutdown(wait=wait, cancel_futures=cancel_futures)
        with suppress(Exception):
            self.client.close(timeout=CONNECT_SECONDS)


def answer(digest: str, call: Call, until: Deadline | None, memory: int | None) -> Any:
    """Return the value of a call; this runs on a worker, whose sources must have the digest.

    The call runs in a child process: a thread of the worker can neither be stopped nor limited.
    """
    from distributed import get_worker

    worker = get_worker()
    if sources_digest() != digest:
        raise InputError(
            f"the worker {worker.address} has other sources of satcal than this process, so its "
            "numbers may differ; install the same on both"
        )
    key = worker.get_current_task()

    def is_wanted() -> bool:
        task = worker.state.tasks.get(key)
        return task is not None and task.state != "cancelled"

    return children(worker.state.nthreads, memory).run(call, until=until, wanted=is_wanted)


@cache
def children(jobs: int, memory: int | None) -> LocalProcesses:
    """Return the child processes of a worker, kept from task to task."""
    return LocalProcesses(jobs, memory=memory)
