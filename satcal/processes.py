"""Local worker processes: how they are made, and how they end with the one who made them."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from multiprocessing.process import BaseProcess
from pathlib import Path

from satcal.errors import Stopped

PR_SET_PDEATHSIG = 1  # of prctl(2): the signal to get when the parent dies
GRACE = 1.0  # seconds a worker has after the deadline to say how far it came
WORKER_DIED = "its worker process died; is memory short?"


def cores() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def memory_to_use() -> int | None:
    """Return three quarters of the bytes that are free; None if unknown.

    Heeds the limits of a container, and of this process.
    """
    free = []
    with suppress(OSError, ValueError):
        lines = Path("/proc/meminfo").read_text().splitlines()
        (line,) = (line for line in lines if line.startswith("MemAvailable:"))
        free.append(int(line.split()[1]) * 1024)
    with suppress(OSError, ValueError):  # "max" is no number: no limit
        group = Path("/sys/fs/cgroup")
        limit = int((group / "memory.max").read_text())
        used = int((group / "memory.current").read_text())
        # copies of files count as used, but give way
        lines = (group / "memory.stat").read_text().splitlines()
        (line,) = (line for line in lines if line.startswith("inactive_file "))
        free.append(limit - used + int(line.split()[1]))
    with suppress(OSError, ImportError):
        import resource  # of Unix only

        limit, _ = resource.getrlimit(resource.RLIMIT_AS)
        if limit != resource.RLIM_INFINITY:
            pages = int(Path("/proc/self/statm").read_text().split()[0])
            free.append(limit - pages * resource.getpagesize())
    return max(0, min(free) * 3 // 4) if free else None


def limit_address_space(memory: int) -> None:
    """Bound this process's address space to so many bytes, or to fewer where its user may less."""
    import resource  # POSIX only

    _, most = resource.getrlimit(resource.RLIMIT_AS)
    allowed = memory if most == resource.RLIM_INFINITY else min(memory, most)
    resource.setrlimit(resource.RLIMIT_AS, (allowed, allowed))


@contextmanager
def executing(jobs: int, cluster: str | None = None) -> Iterator[Executor]:
    """Lend an executor of local processes, or of a cluster; an exception, such as Ctrl-C, ends it.

    Raises:
        Stopped: a worker died.
        As :func:`satcal.cluster.connect`.
    """
    if cluster is None:
        executor = local_processes(jobs)
    else:
        from satcal.cluster import connect

        executor = connect(cluster, jobs)
    finished = False
    try:
        yield executor
        finished = True
    except BrokenProcessPool as error:
        raise Stopped(f"a task cannot be finished: {WORKER_DIED}") from error
    finally:
        shut_down(executor, finished)


def shut_down(executor: Executor, finished: bool) -> None:
    """Shut an executor down, and end its processes if they have not finished."""
    # its own processes, and not all children: another run in this process has workers too
    workers = list((getattr(executor, "_processes", None) or {}).values())
    manager = getattr(executor, "_executor_manager_thread", None)
    executor.shutdown(wait=finished, cancel_futures=True)
    if not finished:
        _end(workers)
        if manager is not None:
            # at exit Python wakes it by a pipe that it may be closing just then
            manager.join(GRACE)


def _end(workers: Sequence[BaseProcess]) -> None:
    """End processes, also those inside a solver whose signal handlers never get their turn."""
    for worker in workers:
        worker.terminate()
    for worker in workers:
        worker.join(GRACE)
        if worker.is_alive():
            worker.kill()
            worker.join()


def local_processes(jobs: int) -> Executor:
    """Return an executor of ``jobs`` local processes.

    They are forked where that is safe (no other thread holds a lock), because a fresh
    interpreter would need longer to import than an easy date needs to be counted.
    """
    forkable = "fork" in multiprocessing.get_all_start_methods() and threading.active_count() == 1
    context = multiprocessing.get_context("fork" if forkable else "spawn")
    # Linux ties a child to the thread that started it, so only the main thread's may rely on it
    main = threading.current_thread() is threading.main_thread()
    return ProcessPoolExecutor(
        jobs, mp_context=context, initializer=_start_worker, initargs=(os.getpid(), main)
    )


def _start_worker(parent: int, from_main_thread: bool) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what Ctrl-C means
    if from_main_thread and sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    # Elsewhere a thread has to look; it gets its turn when the solver's call returns.
    threading.Thread(target=_leave_with, args=(parent,), daemon=True).start()


def _leave_with(parent: int) -> None:
    """End this worker when its parent is gone: killed parents cannot say goodbye."""
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)
