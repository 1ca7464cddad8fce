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
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple, TypeVar, cast

from satcal.errors import BudgetExhausted, SatcalError, Stopped
from satcal.launcher import die_with_parent, limit_resource

Item = TypeVar("Item")

NO_LIMIT = sys.maxsize
LONGEST = 2_000_000  # seconds, three weeks: no system call waits for much more
POLL_SECONDS = 0.2
GRACE = 0.5  # seconds a worker has after the deadline to say how far it came
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
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def memory_to_use() -> int | None:
    """Return three quarters of the bytes that are free here, in this container and process."""
    free = []
    with suppress(OSError, KeyError):
        free.append(read_figures("/proc/meminfo")["MemAvailable:"] * 1024)
    with suppress(OSError, KeyError, ValueError):  # "max" is not a number: no limit
        group = Path("/sys/fs/cgroup")
        limit = int((group / "memory.max").read_text())
        used = int((group / "memory.current").read_text())
        # copies of files count as used, but give way
        free.append(limit - used + read_figures(group / "memory.stat")["inactive_file"])
    with suppress(OSError, ImportError):
        import resource  # of Unix only

        limit, _ = resource.getrlimit(resource.RLIMIT_AS)
        if limit != resource.RLIM_INFINITY:
            pages = int(Path("/proc/self/statm").read_text().split()[0])
            free.append(limit - pages * resource.getpagesize())
    return max(0, min(free) * 3 // 4) if free else None


def read_figures(path: str | Path) -> dict[str, int]:
    """Return the first figure of each line of a file of the system, by its name."""
    lines = Path(path).read_text().splitlines()
    return {name: int(figure) for name, figure, *_ in map(str.split, lines)}


def limit_command(
    command: Sequence[str], memory: int = NO_LIMIT, output: int = NO_LIMIT, seconds: int = NO_LIMIT
) -> list[str]:
    """Return the command that runs a program under limits, and ends it with this thread.

    They are bytes of address space, bytes of a file, and seconds of processor time.
    """
    script = str(Path(__file__).with_name("launcher.py"))
    limits = map(str, (memory, output, seconds, os.getpid()))
    return [sys.executable, "-I", script, *limits, *command]


class LocalProcesses(Executor):
    """An executor of child processes, the only one of this machine.

    ``until`` is a reading of ``time.monotonic()``; a task that still runs ``GRACE`` seconds later
    is ended with its process, and its future raises BudgetExhausted with the number that the task
    told last. Other things that tasks tell are handed to ``on_message`` as arguments. A future
    whose process dies raises Stopped. ``memory`` is as for :class:`Worker`.

    In the ProcessPoolExecutor of the standard library one process that dies takes the tasks of
    all the others with it, and nothing works without a ``/dev/shm`` for semaphores.
    """

    def __init__(
        self,
        jobs: int,
        *,
        until: float | None = None,
        memory: int | None = None,
        on_message: Callable[..., None] | None = None,
    ) -> None:
        self.until, self.memory, self.on_message = until, memory, on_message
        # before there are threads, so that they can be forked
        self.workers = [Worker(memory) for _ in range(jobs)]
        self.idle = deque(self.workers)  # as many as there are threads: none waits for one
        self.threads = ThreadPoolExecutor(jobs)
        self.ended = False

    def submit(self, fn: Callable[..., Item], /, *args: Any, **kwargs: Any) -> Future[Item]:
        """Hand a task to the next process that is idle."""
        return self.threads.submit(self.run, Call(fn, args, kwargs), self.until)

    def run(
        self, call: Call, until: float | None = None, wanted: Callable[[], bool] | None = None
    ) -> Any:
        """Return the value of a call in a process; raise as :func:`answer_of`."""
        late = None if until is None else until + GRACE
        if late is not None and time.monotonic() >= late:
            raise BudgetExhausted("time limit reached before it began")
        worker = self.idle.popleft()
        try:
            return answer_of(worker, call, late, wanted, self.on_message)
        finally:
            if worker.dead and not self.ended:
                with suppress(OSError):  # it is tried again with the next call
                    place = self.workers.index(worker)
                    self.workers[place] = worker = Worker(self.memory)
            self.idle.append(worker)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes when they have done what they were asked, or at once."""
        self.ended = not wait
        self.threads.shutdown(wait, cancel_futures=cancel_futures)
        self.ended = True
        end(self.workers)


def answer_of(
    worker: Worker,
    call: Call,
    until: float | None = None,
    wanted: Callable[[], bool] | None = None,
    on_message: Callable[..., None] | None = None,
    on_found: Callable[[int], object] | None = None,
) -> Any:
    """Return the value of a call in a child process; raise what it raises.

    ``wanted`` says whether the answer is still of use. What the call tells on the way goes to
    ``on_found`` if it is a number, and otherwise to ``on_message``.

    Raises:
        BudgetExhausted: there is no answer at ``until``; ``found`` is what the call told last.
        Stopped: the process died, or the answer is not wanted any more.
        MemoryError: the process has too little memory.
    """
    worker.ask(call)
    found = 0
    while True:
        left = None if until is None else max(0.0, until - time.monotonic())
        if wanted is not None:
            left = POLL_SECONDS if left is None else min(left, POLL_SECONDS)
        if worker.has_answer(left):
            reply = worker.answer()
            if reply.last:
                return reply.value
            if isinstance(reply.value, int):
                found = reply.value
                if on_found is not None:
                    on_found(found)
            elif on_message is not None:
                on_message(*reply.value)
        elif until is not None and time.monotonic() >= until:
            end([worker])
            raise BudgetExhausted(f"time limit reached; found so far: {found:,}", found)
        if wanted is not None and not wanted():
            end([worker])
            raise Stopped("cancelled: the result is not wanted any more")


def iterate_in_child(
    produce: Callable[..., Iterable[Item]], *args: Any, until: float | None = None
) -> Iterator[Item]:
    """Yield what ``produce(*args)`` yields, in a child process, as far ahead as a pipe holds.

    Inside a solver's call Python hears neither Ctrl-C nor its clock; a process can be ended.

    Raises:
        BudgetExhausted: nothing came until ``GRACE`` seconds after ``until``.
        Stopped: the process died.
    """
    worker, number = Worker(), 0
    try:
        worker.ask(Call(tell_each, (produce, args)))
        while True:
            late = None if until is None else max(0.0, until + GRACE - time.monotonic())
            if not worker.has_answer(late):
                raise BudgetExhausted(f"time limit reached; found so far: {number:,}", number)
            answer = worker.answer()
            if answer.last:
                return
            number += 1
            yield answer.value
    finally:
        end([worker])


def tell_each(produce: Callable[..., Iterable[Any]], args: tuple[Any, ...]) -> None:
    """Tell the parent each item."""
    for item in produce(*args):
        tell(item)


def run_bounded(
    fn: Callable[..., Item],
    *args: Any,
    memory: int,
    seconds: float,
    wanted: Callable[[], bool] | None = None,
    on_message: Callable[..., None] | None = None,
    **kwargs: Any,
) -> Item:
    """Return what a function returns in a child process of its own; raise as :func:`answer_of`.

    ``memory`` is in bytes of address space.
    """
    until = time.monotonic() + min(seconds, LONGEST)
    worker = Worker(memory)
    try:
        return cast(Item, answer_of(worker, Call(fn, args, kwargs), until, wanted, on_message))
    finally:
        end([worker])


parents_pipe: list[Connection] = []
"""In a child, the pipe to its parent."""


def tell(value: object) -> None:
    """Tell the parent process something on the way; do nothing in the first process."""
    for pipe in parents_pipe:
        pipe.send((value, None, False))  # a plain tuple is pickled in half the time


class Call(NamedTuple):
    """A call for a child to make."""

    fn: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any] = {}


class Reply(NamedTuple):
    """An answer of a child: something told on the way, and at last the value or the error."""

    value: Any
    error: BaseException | None
    last: bool


class Worker:
    """A child process that does one task after another, until it is ended or its parent dies.

    It is forked where that is safe (no other thread holds a lock), because a fresh interpreter
    needs longer to import than an easy date to be counted. A fresh one is not a child of
    multiprocessing's, which allows none to the workers of Dask. Neither hears Ctrl-C.
    ``memory`` is in bytes of address space, by default as many as its parent has, ``nice`` how
    much later it has its turn; without ``fork`` it inherits no connections of a server.
    """

    def __init__(self, memory: int | None = None, nice: int = 0, fork: bool = True) -> None:
        self.dead = False
        self.pipe, theirs = multiprocessing.Pipe()
        # Linux ties a child to the thread that started it, so only the main thread's may rely on it
        tied = threading.current_thread() is threading.main_thread()
        settings = (os.getpid(), tied, memory, nice)
        fork &= threading.active_count() == 1 and "fork" in multiprocessing.get_all_start_methods()
        self.process: BaseProcess | Fresh
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT, signal.SIGTERM])
        try:
            if fork:
                context = multiprocessing.get_context("fork")
                self.process = context.Process(
                    target=do_tasks, args=(theirs, *settings), daemon=True
                )
                self.process.start()
            else:
                number = theirs.fileno()
                self.process = Fresh(
                    [sys.executable, "-c", FRESH, str(number), *sys.path],
                    pass_fds=[number],
                    env=os.environ | SINGLE_THREADED,
                )
                self.pipe.send(settings)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
            theirs.close()  # its end is the child's alone: when that dies, ours has an end, too

    def ask(self, call: Call) -> None:
        """Send a call; raise Stopped if the process has died."""
        try:
            self.pipe.send(call)
        except ConnectionError as error:
            raise self.death() from error

    def has_answer(self, seconds: float | None) -> bool:
        """Wait for an answer, at most some seconds; return whether it is there."""
        return self.pipe.poll(seconds)

    def answer(self) -> Reply:
        """Return the next answer; raise what the call has raised.

        Raises:
            MemoryError: the process had too little memory even to say so.
            Stopped: it died.
        """
        try:
            answer = Reply(*self.pipe.recv())
        except (EOFError, ConnectionError) as error:
            raise self.death() from error
        if answer.error is not None:
            raise answer.error
        return answer

    def death(self) -> Stopped | MemoryError:
        """Return the error of a process that has died."""
        self.dead = True
        self.process.join(GRACE)
        return MemoryError() if self.process.exitcode == OUT_OF_MEMORY else Stopped(WORKER_DIED)


class Fresh(subprocess.Popen[bytes]):
    """A fresh interpreter, with the methods of a process of multiprocessing."""

    def join(self, timeout: float | None = None) -> None:
        """Wait for the end of the process, at most some seconds."""
        with suppress(subprocess.TimeoutExpired):
            self.wait(timeout)

    def is_alive(self) -> bool:
        """Return whether the process runs."""
        return self.poll() is None

    @property
    def exitcode(self) -> int | None:
        """The exit code, or None while the process runs."""
        return self.poll()


def end(workers: Collection[Worker]) -> None:
    """End processes, also those inside a solver whose signal handlers never get their turn."""
    children = [worker.process for worker in workers]
    for worker in workers:
        worker.dead = True
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
    do_tasks(pipe, *pipe.recv())


def do_tasks(pipe: Connection, parent: int, tied: bool, memory: int | None, nice: int) -> None:
    """Do one task after another, in the child."""
    parents_pipe[:] = [pipe]
    temporary_files.clear()  # they are the parent's
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # a handler of Python's waits for solvers
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTERM])
    if tied:
        die_with_parent()
    # Elsewhere a thread has to look; it gets its turn when the solver's call returns.
    threading.Thread(target=leave_with, args=(parent,), daemon=True).start()
    os.nice(nice)
    if memory is not None:
        limit_resource("AS", memory)
        sys.unraisablehook = lambda unraisable: None  # callbacks that find no memory, either
    try:
        with suppress(EOFError, ConnectionError):  # the parent has gone, and nobody listens
            while True:
                call: Call = pipe.recv()
                error = make_call(call, pipe)
                if error is not None:
                    pipe.send((None, error, True))
    except MemoryError:
        os._exit(OUT_OF_MEMORY)  # not enough is left even for a message


def make_call(call: Call, pipe: Connection) -> BaseException | None:
    """Make a call and send its answer; return what it raises."""
    try:
        pipe.send((call.fn(*call.args, **call.kwargs), None, True))
    except MemoryError:
        return MemoryError()  # the one that was caught holds all that fills the memory
    except BaseException as error:
        if not isinstance(error, SatcalError):
            error.add_note(traceback.format_exc())  # pickled, it has no traceback
        return error
    return None


def leave_with(parent: int) -> None:
    """End this worker when its parent is gone: killed parents cannot say goodbye."""
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)
