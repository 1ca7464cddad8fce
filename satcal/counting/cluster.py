"""Tasks for the workers of a Dask scheduler.

Dask decides where and how often a task runs: one whose worker is lost runs again elsewhere,
and only one of its results is delivered. Slurm, PBS, Kubernetes and ssh are the business of
whoever starts scheduler and workers (docs/how-to/cluster.md). Only this process knows the store.
"""

from __future__ import annotations

import logging
import signal
import time
import warnings
from collections.abc import Callable, Mapping
from concurrent.futures import CancelledError, Executor, Future, ThreadPoolExecutor
from concurrent.futures import wait as wait_for
from contextlib import suppress
from functools import cache
from typing import Any, TypeVar

from satcal.errors import InputError, Missing, OptionError, SatcalError, Stopped, TooLarge
from satcal.parts import command_for
from satcal.processes import GRACE, WORKER_DIED, bounded
from satcal.version import __version__

Answer = TypeVar("Answer")
LOCAL = "local"
EXAMPLE = "tcp://10.0.0.1:8786"
KNOCK = 1.5  # seconds for a scheduler to shake hands
PATIENCE = 10.0  # seconds for a scheduler to answer, or to be found again
SAME = ("python", "satcal", "python-sat", "distributed")
"""What must have one version everywhere: a count belongs to its versions."""


def check_address(address: str) -> None:
    """Raise Missing without Dask, OptionError if that is no scheduler's address."""
    _dask()
    from distributed.comm.addressing import parse_address, parse_host_port
    from distributed.comm.registry import get_backend

    try:
        scheme, place = parse_address(address)
        get_backend(scheme)
        parse_host_port(place)
    except ValueError as error:
        raise OptionError(f"--cluster '{address}': give a scheduler such as {EXAMPLE}") from error


def connect(address: str, jobs: int) -> Cluster:
    """An executor on a cluster; ``local`` starts one of ``jobs`` workers.

    Raises:
        Missing: distributed is not installed.
        OptionError: that is no address.
        Stopped: no scheduler answers there.
    """
    dask, distributed = _dask()
    _silence()
    nobody = Stopped(f"no scheduler answers at {address}: start one with `dask scheduler`")
    local = None
    if address != LOCAL:  # a client of Dask's that fails would go on for half a minute
        check_address(address)
        try:
            _shake_hands(distributed, address)
        except Exception as error:  # whoever is there may say anything
            raise nobody from error
    # a solver may hold the interpreter's lock, and no heartbeat leaves, for longer than 5 minutes
    with warnings.catch_warnings(), dask.config.set({"distributed.scheduler.worker-ttl": None}):
        warnings.simplefilter("ignore")  # of versions: each task compares those that matter
        try:
            if address == LOCAL:
                local = distributed.LocalCluster(
                    n_workers=jobs,
                    threads_per_worker=1,
                    processes=True,
                    memory_limit=0,
                    dashboard_address=None,
                    silence_logs=logging.CRITICAL,
                    preload=[__name__],
                )
            client = distributed.Client(local or address, timeout=PATIENCE, set_as_default=False)
        except (OSError, RuntimeError) as error:
            if address != LOCAL:
                raise nobody from error
            _close(local)
            raise Stopped(f"no cluster can be started here: {error}") from error
    return Cluster(client, local, address)


def _shake_hands(distributed: Any, address: str) -> None:
    import asyncio

    async def knock() -> None:
        arguments = distributed.Security().get_connection_args("client")
        asked = distributed.comm.connect(address, timeout=KNOCK, **arguments)
        (await asyncio.wait_for(asked, KNOCK)).abort()

    with ThreadPoolExecutor(1) as thread:  # the caller's may run a loop, as a notebook's does
        thread.submit(asyncio.run, knock()).result()


def _dask() -> tuple[Any, Any]:
    """The modules dask and distributed, which ship half their types."""
    try:
        import dask
        import distributed
    except ImportError as error:
        raise Missing(f"--cluster needs {error.name}: {command_for('cluster')}") from error
    return dask, distributed


def _silence() -> None:
    """Keep Dask's loggers from the user: what matters comes home as an error."""
    for name in ["distributed", *logging.root.manager.loggerDict]:
        if name.split(".")[0] == "distributed":
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)


class Cluster(Executor):
    """An executor over a client of Dask's; ``local`` is a cluster that ends with it."""

    def __init__(self, client: Any, local: Any, address: str) -> None:
        self._client, self._local, self._address = client, local, address
        self._open: dict[Future[Any], Any] = {}  # our future of each task, and Dask's
        self._closed = False

    def workers(self) -> int:
        """The number of workers now; 0 if the scheduler does not say."""
        try:
            return len(self._client.nthreads())
        except (OSError, ValueError, AttributeError):  # the connection is gone, or going
            return 0

    def submit(self, fn: Callable[..., Answer], /, *args: Any, **kwargs: Any) -> Future[Answer]:
        """Hand a task to the scheduler; workers take them in order.

        The future raises InputError if its worker has other versions than this process.
        """
        future: Future[Answer] = Future()
        try:
            # pure=False: the same question twice is two tasks. A task that fails stays
            # failed; one whose worker is lost is handed out again, `allowed-failures` times.
            remote = self._client.submit(
                _answer, _own_versions(), fn, args, kwargs, pure=False, retries=0
            )
        except Exception as error:
            future.set_exception(self._trouble(error))
            return future
        self._open[future] = remote
        self._client.loop.add_callback(self._deliver, remote, future)
        return future

    async def _deliver(self, remote: Any, future: Future[Any]) -> None:
        """Bring an answer home; Dask fetches it again if its worker is lost."""
        answer, trouble = None, None
        try:
            answer = await self._client.gather(remote, asynchronous=True)
        except BaseException as error:
            trouble = self._trouble(error)
        self._open.pop(future, None)
        if not future.set_running_or_notify_cancel():
            return
        if trouble is None:
            future.set_result(answer)
        else:
            future.set_exception(trouble)

    def _trouble(self, error: BaseException) -> BaseException:
        """The error of a task in satcal's words."""
        from asyncio import CancelledError as Cancelled

        from distributed.client import FutureCancelledError
        from distributed.scheduler import KilledWorker

        if isinstance(error, SatcalError):
            return error
        if isinstance(error, KilledWorker):
            return Stopped(f"{WORKER_DIED} it happened on every worker that tried")
        if isinstance(error, ModuleNotFoundError):
            return InputError(f"a worker of {self._address} has no {error.name}: install it there")
        lost = FutureCancelledError | Cancelled | CancelledError | OSError
        if isinstance(error, lost) or self._client.status not in ("running", "closing"):
            return Stopped(f"the scheduler at {self._address} is lost; what it finished is kept")
        return error

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave the cluster; a local one ends. What runs elsewhere is not heard."""
        if self._closed:
            return
        self._closed = True
        left = dict(self._open)
        if cancel_futures:
            for future in left:
                future.cancel()
            with suppress(Exception):  # a scheduler that is gone has cancelled them
                self._client.cancel(list(left.values()), force=True)
        elif wait:
            wait_for(left)
        with suppress(Exception):
            self._client.close(timeout=PATIENCE)
        _close(self._local)


class Bounded(Executor):
    """A cluster whose tasks have bytes of ``memory`` each, and all of them these seconds."""

    def __init__(self, cluster: Cluster, memory: int, seconds: float) -> None:
        self.cluster, self._memory = cluster, memory
        self._until = time.time() + seconds  # the clock that other machines have too

    def submit(self, fn: Callable[..., Answer], /, *args: Any, **kwargs: Any) -> Future[Answer]:
        """Hand a task to the scheduler; the future raises TooLarge, or as :func:`bounded`."""
        return self.cluster.submit(_in_child, self._memory, self._until, fn, args, kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave the cluster."""
        self.cluster.shutdown(wait, cancel_futures=cancel_futures)


def unmanned(executor: Executor) -> str:
    """What is to be added to the message of a time limit: a cluster may have no workers."""
    cluster = executor.cluster if isinstance(executor, Bounded) else executor
    nobody = isinstance(cluster, Cluster) and not cluster.workers()
    return "; the cluster has no workers" if nobody else ""


def _in_child(
    memory: int, until: float, fn: Callable[..., Answer], args: tuple[Any, ...], kwargs: Any
) -> Answer:
    """Have a child of a worker do a task: nobody can stop a worker's thread."""
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
        raise TooLarge("this takes more memory than a task may have") from error


def _close(local: Any) -> None:
    """End the cluster that was started here, if one was."""
    if local is not None:
        with suppress(Exception):
            local.close(timeout=PATIENCE)


def _answer(
    expected: Mapping[str, str], fn: Callable[..., Answer], args: Any, kwargs: Any
) -> Answer:
    """Run a task on a worker that has the expected versions."""
    from distributed import get_worker

    for name, version in _own_versions().items():
        if version != expected[name]:
            raise InputError(
                f"worker {get_worker().address} has {name} {version}, this process "
                f"{expected[name]}: a cluster counts with one version; install the same on both"
            )
    return fn(*args, **kwargs)


@cache
def _own_versions() -> dict[str, str]:
    """The versions of this process; satcal's own by its sources, not by its metadata."""
    from distributed.versions import get_package_info

    packages = get_package_info(name for name in SAME if name not in ("python", "satcal"))
    packages["satcal"] = __version__
    return {name: packages[name] or "missing" for name in SAME}


def dask_setup(worker: object) -> None:
    """Leave Ctrl-C to who submits; Dask calls this in each worker of ``local``."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
