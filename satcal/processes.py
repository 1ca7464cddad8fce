"""Local worker processes: how they are made, and how they end with the one who made them."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, TypeVar

from satcal.errors import BudgetExhausted, Stopped

Item = TypeVar("Item")

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


class LocalProcesses(ThreadPoolExecutor):
    """An executor of child processes, each asked by a thread through a pipe.

    Not the ProcessPoolExecutor of the standard library: there one process that dies takes the
    tasks of all the others with it, and nothing works without a ``/dev/shm`` for semaphores.

    A future whose process dies raises Stopped.
    """

    def __init__(self, jobs: int) -> None:
        super().__init__(jobs)
        self._idle: queue.SimpleQueue[_Worker] = queue.SimpleQueue()
        self._workers = [_Worker() for _ in range(jobs)]
        self._ended = False
        for worker in self._workers:
            self._idle.put(worker)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Hand a task to the next process that is idle."""
        return super().submit(self._ask, fn, args, kwargs)

    def _ask(self, fn: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        worker = self._idle.get()
        try:
            return worker.ask(fn, args, kwargs)
        except (EOFError, ConnectionError) as error:
            if not self._ended:
                self._workers[self._workers.index(worker)] = worker = _Worker()
            raise Stopped(WORKER_DIED) from error
        finally:
            self._idle.put(worker)

    def end(self) -> None:
        """End every process at once, also one inside a solver's call."""
        self._ended = True
        _end([worker.process for worker in self._workers])

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let the processes go when they have done what they were asked."""
        super().shutdown(wait, cancel_futures=cancel_futures)
        if wait:
            self.end()

    def pids(self) -> list[int]:
        """Return the numbers of the processes."""
        return [worker.process.pid or 0 for worker in self._workers]


class _Worker:
    """A child process that does one task after another."""

    def __init__(self) -> None:
        self.process, self._pipe = _child(_work)

    def ask(self, fn: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        self._pipe.send((fn, args, kwargs))
        return _opened(self._pipe.recv())


def _work(pipe: Connection) -> None:
    while True:
        fn, args, kwargs = pipe.recv()
        answer: tuple[Any, BaseException | None]
        try:
            answer = (fn(*args, **kwargs), None)
        except BaseException as error:
            answer = (None, error)
        pipe.send(answer)


def apart(
    produce: Callable[..., Iterable[Item]], *args: Any, deadline: float | None = None
) -> Iterator[Item]:
    """Yield what ``produce(*args)`` yields, in a child process.

    Inside a solver's call Python hears neither Ctrl-C nor its clock; a process can be ended all
    the same. It works no further ahead than a pipe holds.

    Raises:
        BudgetExhausted: the deadline, of ``time.monotonic()``, passed some time ago.
        Stopped: the process died.
    """
    process, pipe = _child(_produce, produce, args)
    number = 0
    try:
        while True:
            late = None if deadline is None else max(0.0, deadline + GRACE - time.monotonic())
            if not pipe.poll(late):
                raise BudgetExhausted(f"stopped by its budget after {number} tilings", number)
            item = _opened(pipe.recv())
            if item is None:
                return
            number += 1
            yield item
    except EOFError as error:
        raise Stopped(WORKER_DIED) from error
    finally:
        _end([process])


def _produce(pipe: Connection, produce: Callable[..., Iterable[Any]], args: Any) -> None:
    try:
        for item in produce(*args):
            pipe.send((item, None))
        pipe.send((None, None))
    except BaseException as error:
        pipe.send((None, error))


def _opened(answer: tuple[Any, BaseException | None]) -> Any:
    found, error = answer
    if error is not None:
        raise error
    return found


def _child(target: Callable[..., None], *args: Any) -> tuple[BaseProcess, Connection]:
    """Start a child that runs ``target(pipe, *args)``; return it with our end of the pipe.

    It is forked where that is safe (no other thread holds a lock), because a fresh interpreter
    would need longer to import than an easy date needs to be counted. It never hears Ctrl-C:
    the parent decides what that means.
    """
    forkable = "fork" in multiprocessing.get_all_start_methods() and threading.active_count() == 1
    context = multiprocessing.get_context("fork" if forkable else "spawn")
    # Linux ties a child to the thread that started it, so only the main thread's may rely on it
    main = threading.current_thread() is threading.main_thread()
    ours, theirs = context.Pipe()
    made = context.Process(  # type: ignore[attr-defined]  # every context has it
        target=_begin, args=(os.getpid(), main, target, theirs, *args), daemon=True
    )
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        made.start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    theirs.close()  # its end is the child's alone: when that dies, ours has an end, too
    return made, ours


def _begin(parent: int, from_main_thread: bool, target: Callable[..., None], *args: Any) -> None:
    if from_main_thread and sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    # Elsewhere a thread has to look; it gets its turn when the solver's call returns.
    threading.Thread(target=_leave_with, args=(parent,), daemon=True).start()
    with suppress(EOFError, ConnectionError):  # the parent has gone, and nobody listens
        target(*args)


def _end(children: Sequence[BaseProcess]) -> None:
    """End processes, also those inside a solver whose signal handlers never get their turn."""
    for child in children:
        child.terminate()
    for child in children:
        child.join(GRACE)
        if child.is_alive():
            child.kill()
            child.join()


def _leave_with(parent: int) -> None:
    """End this worker when its parent is gone: killed parents cannot say goodbye."""
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)
