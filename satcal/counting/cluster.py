"""The workers of a Dask scheduler, as an executor like the processes of this machine.

Dask decides where a task runs; one whose worker is lost runs again elsewhere. Slurm, Kubernetes and
ssh are the business of those who start scheduler and workers (docs/how-to/cluster.md).
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextlib import suppress
from functools import cache, partial
from typing import Any, TypeVar

from satcal.counting.method import Deadline
from satcal.errors import InputError, Missing, OptionError, Stopped
from satcal.parts import command_for
from satcal.processes import Call, LocalProcesses
from satcal.version import sources_digest

Answer = TypeVar("Answer")
CONNECT_SECONDS = 5.0
DASK = ("distributed", "asyncio", "concurrent")
"""Where the errors of a lost worker or scheduler are from."""


class Cluster(Executor):
    """An executor on the scheduler at an address; ``until`` and ``memory`` are as elsewhere.

    Raises:
        Missing: distributed is not installed.
        OptionError: that is not an address.
        Stopped: no scheduler answers there.
    """

    def __init__(
        self, address: str, *, until: float | None = None, memory: int | None = None
    ) -> None:
        check_address(address)
        import distributed

        logging.getLogger("distributed").setLevel(logging.CRITICAL + 1)  # errors come home
        self.address, self.memory = address, memory
        self.until = None if until is None else Deadline(until)
        connect: Any = distributed.Client
        try:
            self.client: Any = connect(address, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, RuntimeError, ValueError) as error:
            how = "start one with `dask scheduler`"
            raise Stopped(f"no scheduler answers at {address}; {how}") from error
        self.executor = self.client.get_executor(pure=False, retries=0)

    def submit(self, fn: Callable[..., Answer], /, *args: Any, **kwargs: Any) -> Future[Answer]:
        """Hand a task to the scheduler.

        The future raises InputError if its worker has other sources than this process, Stopped if
        the worker or the scheduler is lost, or as :meth:`LocalProcesses.run`.
        """
        call = Call(fn, args, kwargs)
        theirs = self.executor.submit(answer, sources_digest(), call, self.until, self.memory)
        ours: Future[Answer] = Future()
        theirs.add_done_callback(partial(self.deliver, ours))
        return ours

    def deliver(self, ours: Future[Any], theirs: Future[Any]) -> None:
        """Pass an answer or an error on, in satcal's words."""
        if theirs.cancelled() or not ours.set_running_or_notify_cancel():
            ours.cancel()
            return
        error = theirs.exception()
        if error is None:
            ours.set_result(theirs.result())
        elif isinstance(error, ImportError | AttributeError):
            text = f"a worker of {self.address} has another satcal, or none; install the same there"
            ours.set_exception(InputError(text))
        elif isinstance(error, OSError) or type(error).__module__.startswith(DASK):
            text = f"the cluster at {self.address} lost a task ({type(error).__name__})"
            ours.set_exception(Stopped(f"{text}; what it finished is kept"))
        else:
            ours.set_exception(error)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave the cluster; what it still does for us is cancelled, unless we wait for it."""
        with suppress(Exception):  # the scheduler may be gone
            self.executor.shutdown(wait=wait, cancel_futures=cancel_futures)
        with suppress(Exception):
            self.client.close(timeout=CONNECT_SECONDS)


def check_address(address: str) -> None:
    """Raise Missing without Dask, OptionError if that is not the address of a scheduler."""
    try:
        from distributed.comm.addressing import parse_address, parse_host_port
        from distributed.comm.registry import get_backend
    except ImportError as error:
        raise Missing(f"--cluster needs {error.name}: {command_for('cluster')}") from error
    try:
        scheme, place = parse_address(address)
        get_backend(scheme)
        parse_host_port(place)
    except ValueError as error:
        raise OptionError(f"--cluster {address}: give one such as tcp://10.0.0.1:8786") from error


def answer(digest: str, call: Call, until: Deadline | None, memory: int | None) -> Any:
    """Return the value of a call on a worker whose sources have the digest.

    A child does it: a thread of the worker can neither be stopped nor keep a limit.
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

    return children(worker.state.nthreads, memory).run(call, until, is_wanted)


@cache
def children(jobs: int, memory: int | None) -> LocalProcesses:
    """Return the child processes of a worker, kept from task to task."""
    return LocalProcesses(jobs, memory=memory)
