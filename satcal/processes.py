"""Local worker processes: how they are made, and how they end with the one who made them."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple, TypeVar, cast

from satcal.errors import BudgetExhausted, SatcalError, Stopped
from satcal.launcher import bound, die_with_parent

Item = TypeVar("Item")

NO_LIMIT = sys.maxsize
LONGEST = 2_000_000  # seconds, three weeks: no system call waits for much more
GRACE = 1.0  # seconds a worker has after the deadline to say how far it came
OUT_OF_MEMORY = 9  # the exit code of a child that has none left
WORKER_DIED = "its worker process died; is memory short?"
# threads of a linear algebra library that is not used would take address space
SINGLE_THREADED = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
FRESH = (
    "import sys; sys.path[:] = sys.argv[2:]; from satcal.processes import begin_fresh; "
    "begin_fresh(int(sys.argv[1]))"
)


STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM)
temporary_files: set[str] = set()
"""What this process removes when it leaves at once: its drafts and locks."""
CLEANUP_SECONDS = 1.5
"""The time that interrupted work has to show what is finished and to remove its drafts."""


def leave(number: int, frame: FrameType | None) -> None:
    """End the process at once; worker processes end with their parent."""
    os.write(2, b"satcal: stopped\n")
    for name in temporary_files:
        with suppress(OSError):
            os.unlink(name)
    os._exit(Stopped.exit_code)


def interrupt(number: int, frame: FrameType | None) -> None:
    """Raise KeyboardInterrupt; ignore further signals, and leave in any case a moment later."""
    for other in STOP_SIGNALS:
        signal.signal(other, signal.SIG_IGN)
    signal.signal(signal.SIGALRM, leave)
    signal.setitimer(signal.ITIMER_REAL, CLEANUP_SECONDS)
    raise KeyboardInterrupt


@contextmanager
def interruptible() -> Iterator[None]:
    """Let Ctrl-C raise KeyboardInterrupt in a block that has something to keep or to remove.

    Everywhere else the command line leaves at once: Python loses an exception that a signal raises
    in the middle of an import, or in its own exit. Where :func:`leave` is not installed, such as in
    a notebook, this changes nothing.
    """
    signals = [number for number in STOP_SIGNALS if signal.getsignal(number) is leave]
    for number in signals:
        signal.signal(number, interrupt)
    try:
        yield
    finally:
        for number in signals:
            if signal.getsignal(number) is interrupt:
                signal.signal(number, leave)


def cores() -> int:
    """The number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def memory_to_use() -> int | None:
    """Three quarters of the bytes that are free here, in this container and process."""
    free = []
    with suppress(OSError, KeyError):
        free.append(_figures("/proc/meminfo")["MemAvailable:"] * 1024)
    with suppress(OSError, KeyError, ValueError):  # "max" is no number: no limit
        group = Path("/sys/fs/cgroup")
        limit = int((group / "memory.max").read_text())
        used = int((group / "memory.current").read_text())
        # copies of files count as used, but give way
        free.append(limit - used + _figures(group / "memory.stat")["inactive_file"])
    with suppress(OSError, ImportError):
        import resource  # of Unix only

        limit, _ = resource.getrlimit(resource.RLIMIT_AS)
        if limit != resource.RLIM_INFINITY:
            pages = int(Path("/proc/self/statm").read_text().split()[0])
            free.append(limit - pages * resource.getpagesize())
    return max(0, min(free) * 3 // 4) if free else None


def _figures(path: str | Path) -> dict[str, int]:
    lines = Path(path).read_text().splitlines()
    return {name: int(figure) for name, figure, *_ in map(str.split, lines)}


def limited(
    command: Sequence[str], memory: int = NO_LIMIT, output: int = NO_LIMIT, seconds: int = NO_LIMIT
) -> list[str]:
    """The command that runs a program under limits, and ends it with this thread.

    They are bytes of address space, bytes of a file, and seconds of processor time.
    """
    script = str(Path(__file__).with_name("launcher.py"))
    limits = map(str, (memory, output, seconds, os.getpid()))
    return [sys.executable, "-I", script, *limits, *command]


class LocalProcesses(ThreadPoolExecutor):
    """An executor of child processes; a future whose process dies raises Stopped.

    In the ProcessPoolExecutor of the standard library one process that dies takes the tasks of
    all the others with it, and nothing works without a ``/dev/shm`` for semaphores.
    """

    def __init__(self, jobs: int) -> None:
        super().__init__(jobs)
        self._workers = [Worker() for _ in range(jobs)]
        self._idle = deque(self._workers)  # as many as there are threads: none waits for one
        self._ended = False

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Hand a task to the next process that is idle."""
        return super().submit(self._ask, Call(fn, args, kwargs))

    def _ask(self, call: Call) -> Any:
        worker = self._idle.popleft()
        try:
            worker.ask(call)
            return worker.answer().value
        finally:
            if worker.dead and not self._ended:
                with suppress(OSError):  # it is tried again with the next call
                    self._workers[self._workers.index(worker)] = worker = Worker()
            self._idle.append(worker)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes when they have done what they were asked, or at once."""
        super().shutdown(wait, cancel_futures=cancel_futures)
        self._ended = True
        end(self._workers)


def iterate_in_child(
    produce: Callable[..., Iterable[Item]], *args: Any, deadline: float | None = None
) -> Iterator[Item]:
    """Yield what ``produce(*args)`` yields, in a child process, as far ahead as a pipe holds.

    Inside a solver's call Python hears neither Ctrl-C nor its clock; a process can be ended.
    Raises BudgetExhausted if the deadline, of ``time.monotonic()``, passed some time ago, and
    Stopped if the process died.
    """
    worker, number = Worker(), 0
    try:
        worker.ask(Call(_each, (produce, args), tells=True))
        while True:
            late = None if deadline is None else max(0.0, deadline + GRACE - time.monotonic())
            if not worker.has_answer(late):
                raise BudgetExhausted(f"budget exhausted; tilings found so far: {number:,}", number)
            answer = worker.answer()
            if answer.last:
                return
            number += 1
            yield answer.value
    finally:
        end([worker])


def _each(
    produce: Callable[..., Iterable[Any]], args: tuple[Any, ...], tell: Callable[[Any], None]
) -> None:
    for item in produce(*args):
        tell(item)


def bounded(
    fn: Callable[..., Item],
    *args: Any,
    memory: int,
    seconds: float,
    wanted: Callable[[], bool] = lambda: True,
    on_message: Callable[[Any], None] | None = None,
    **kwargs: Any,
) -> Item:
    """The value that a function returns in a child process; raises what it raises.

    ``memory`` is in bytes of address space; ``wanted`` says whether somebody still waits. With
    ``on_message`` the function gets a function ``tell``, and ``on_message`` is called with what it
    tells. Raises BudgetExhausted or MemoryError where these do not suffice, and Stopped if the
    process died or nobody waits for it any more.
    """
    until = time.monotonic() + seconds
    worker = Worker(memory)
    try:
        worker.ask(Call(fn, args, kwargs, tells=on_message is not None))
        while True:
            if worker.has_answer(max(0.0, min(GRACE / 2, until - time.monotonic()))):
                answer = worker.answer()
                if answer.last or on_message is None:
                    return cast(Item, answer.value)
                on_message(answer.value)
            if time.monotonic() > until:
                raise BudgetExhausted("stopped by the time limit")
            if not wanted():
                raise Stopped("cancelled: nobody is waiting for the result")
    finally:
        end([worker])


class Call(NamedTuple):
    """What a child is asked: to call a function; one that ``tells`` gets a function ``tell``."""

    fn: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any] = {}
    tells: bool = False


class Reply(NamedTuple):
    """What a child says of a call: something on the way, and at last its value or its error."""

    value: Any
    error: BaseException | None
    last: bool


class Worker:
    """A child process that does one task after another, until it is ended or its parent dies.

    It is forked where that is safe (no other thread holds a lock), because a fresh interpreter
    needs longer to import than an easy date to be counted. A fresh one is no child of
    multiprocessing's, which allows none to the workers of Dask. Neither hears Ctrl-C.
    ``memory`` is in bytes of address space, by default as many as its parent has, ``nice`` how
    much later it has its turn; without ``fork`` it inherits no connections of a server.
    """

    def __init__(self, memory: int | None = None, nice: int = 0, fork: bool = True) -> None:
        self.dead = False
        self._pipe, theirs = multiprocessing.Pipe()
        # Linux ties a child to the thread that started it, so only the main thread's may rely on it
        tied = threading.current_thread() is threading.main_thread()
        settings = (os.getpid(), tied, memory, nice)
        fork &= threading.active_count() == 1 and "fork" in multiprocessing.get_all_start_methods()
        self.process: BaseProcess | _Fresh
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT, signal.SIGTERM])
        try:
            if fork:
                context = multiprocessing.get_context("fork")
                self.process = context.Process(target=_work, args=(theirs, *settings), daemon=True)
                self.process.start()
            else:
                number = theirs.fileno()
                self.process = _Fresh(
                    [sys.executable, "-c", FRESH, str(number), *sys.path],
                    pass_fds=[number],
                    env=os.environ | SINGLE_THREADED,
                )
                self._pipe.send(settings)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
            theirs.close()  # its end is the child's alone: when that dies, ours has an end, too

    def ask(self, call: Call) -> None:
        """Send a call; raises Stopped if the process has died."""
        try:
            self._pipe.send(call)
        except ConnectionError as error:
            raise self._death() from error

    def has_answer(self, seconds: float | None) -> bool:
        """Wait for an answer, so many seconds or for ever; return whether it is there."""
        return self._pipe.poll(seconds)

    def answer(self) -> Reply:
        """The next answer; raises what the call has raised.

        Raises MemoryError if its memory was too little even to say so, and Stopped if it died.
        """
        try:
            answer = Reply(*self._pipe.recv())
        except (EOFError, ConnectionError) as error:
            raise self._death() from error
        if answer.error is not None:
            raise answer.error
        return answer

    def _death(self) -> Stopped | MemoryError:
        self.dead = True
        self.process.join(GRACE)
        return MemoryError() if self.process.exitcode == OUT_OF_MEMORY else Stopped(WORKER_DIED)


class _Fresh(subprocess.Popen[bytes]):
    """A fresh interpreter, with the methods of a process of multiprocessing's."""

    def join(self, timeout: float | None = None) -> None:
        with suppress(subprocess.TimeoutExpired):
            self.wait(timeout)

    def is_alive(self) -> bool:
        return self.poll() is None

    @property
    def exitcode(self) -> int | None:
        return self.poll()


def end(workers: Iterable[Worker]) -> None:
    """End processes, also those inside a solver whose signal handlers never get their turn."""
    children = [worker.process for worker in workers]
    for child in children:
        child.terminate()
    for child in children:
        child.join(GRACE)
        if child.is_alive():
            child.kill()
            child.join()


def begin_fresh(number: int) -> None:
    """Work as a fresh interpreter; ``number`` is that of the pipe it has inherited."""
    pipe = Connection(number)
    _work(pipe, *pipe.recv())


def _work(pipe: Connection, parent: int, tied: bool, memory: int | None, nice: int) -> None:
    """Do one task after another, in the child."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # a handler of Python's waits for solvers
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTERM])
    if tied:
        die_with_parent()
    # Elsewhere a thread has to look; it gets its turn when the solver's call returns.
    threading.Thread(target=_leave_with, args=(parent,), daemon=True).start()
    os.nice(nice)
    if memory is not None:
        bound("AS", memory)
        sys.unraisablehook = lambda unraisable: None  # callbacks that find no memory, either
    try:
        with suppress(EOFError, ConnectionError):  # the parent has gone, and nobody listens
            while True:
                call: Call = pipe.recv()
                error = _call(call, pipe)
                if error is not None:
                    pipe.send((None, error, True))
    except MemoryError:
        os._exit(OUT_OF_MEMORY)  # there is none for a word, either


def _call(call: Call, pipe: Connection) -> BaseException | None:
    """Make a call and send its answer; return what it raises."""
    # plain tuples are pickled in half the time
    telling = {"tell": lambda value: pipe.send((value, None, False))}
    try:
        value = call.fn(*call.args, **call.kwargs, **(telling if call.tells else {}))
        pipe.send((value, None, True))
    except MemoryError:
        return MemoryError()  # the one that was caught holds all that fills the memory
    except BaseException as error:
        if not isinstance(error, SatcalError):
            error.add_note(traceback.format_exc())  # pickled, it has no traceback
        return error
    return None


def _leave_with(parent: int) -> None:
    """End this worker when its parent is gone: killed parents cannot say goodbye."""
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)
