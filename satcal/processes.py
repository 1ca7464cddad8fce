"""Local worker processes, which end with the process that started them."""

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
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing import connection
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from types import FrameType
from typing import Any, NamedTuple, NoReturn, TypeVar

from satcal.errors import BudgetExhausted, SatcalError, Stopped
from satcal.launcher import die_with_parent, limit_resource
from satcal.resources import NO_LIMIT, cores

Item = TypeVar("Item")

MAX_SECONDS = 2_000_000  # three weeks: no system call waits much longer
POLL_SECONDS = 0.2
GRACE_SECONDS = 0.5  # the time of a worker after its deadline, to report its progress
OUT_OF_MEMORY = 9  # the exit code of a child without memory
WORKER_DIED = "its worker process died; is memory short?"
# threads of an unused linear algebra library would take address space, and 50 ms to start
SINGLE_THREADED = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
FRESH_COMMAND = (
    "import sys; sys.path[:] = sys.argv[2:]; from satcal.processes import begin_fresh; "
    "begin_fresh(int(sys.argv[1]))"
)
STOP_SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
temporary_files: set[str] = set()
"""The drafts and locks that this process removes when it exits at once."""
CLEANUP_SECONDS = 1.5
"""The time of interrupted work to write its finished part and to remove its drafts."""


def leave(number: int, frame: FrameType | None) -> None:
    """End the process at once; worker processes end with their parent."""
    if not parents_pipe:
        with suppress(OSError):  # the terminal may be gone
            os.write(2, b"satcal: stopped\n")
    exit_at_once(Stopped.exit_code)


def exit_at_once(code: int) -> NoReturn:
    """Remove the temporary files and exit; wait for no thread."""
    for name in temporary_files:
        with suppress(OSError):
            os.unlink(name)
    os._exit(code)


def interrupt(number: int, frame: FrameType | None) -> None:
    """Raise KeyboardInterrupt; ignore further signals, and exit after ``CLEANUP_SECONDS``."""
    for other in STOP_SIGNALS:
        signal.signal(other, signal.SIG_IGN)
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, leave)
        signal.setitimer(signal.ITIMER_REAL, CLEANUP_SECONDS)
    raise KeyboardInterrupt


@contextmanager
def interruptible() -> Iterator[None]:
    """Let Ctrl-C raise KeyboardInterrupt in a block that must save or remove files.

    Elsewhere the command line exits at once, because Python loses an exception that a signal raises
    during an import or during its exit. Without :func:`leave` as the handler, such as in a
    notebook, this changes nothing.
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


class LocalProcesses(Executor):
    """An executor that runs calls in child processes, which are started when they are needed.

    A call that runs ``GRACE_SECONDS`` longer than its deadline is ended with its process, and so is
    a call whose result is not wanted any more. A process that dies costs only its own call.
    There are ``jobs`` processes, by default one per core, but no more than ``tasks``. ``until`` and
    ``on_message`` are for submitted calls; ``memory`` and ``nice`` are as in :class:`Worker`.
    ``kept`` has the idle processes of an earlier executor, and gets those of this one at its end;
    its owner ends them.

    In the ProcessPoolExecutor of the standard library, a process that dies ends the tasks of all
    others, and nothing works without a ``/dev/shm`` for semaphores.
    """

    def __init__(
        self,
        jobs: int | None = None,
        *,
        tasks: int = NO_LIMIT,
        until: float | None = None,
        memory: int | None = None,
        nice: int = 0,
        on_message: Callable[[Any], object] | None = None,
        kept: list[Worker] | None = None,
    ) -> None:
        self.jobs = max(1, min(jobs or cores(), tasks)) if tasks > 1 else 1
        self.until, self.on_message = until, on_message
        self.settings = (memory, nice)
        self.kept = kept
        self.workers: list[Worker] = [*kept] if kept else []
        self.idle = deque(self.workers)
        self.threads: ThreadPoolExecutor | None = None
        self.lock, self.ended = threading.Lock(), False

    def submit(self, fn: Callable[..., Item], /, *args: Any, **kwargs: Any) -> Future[Item]:
        """Pass a call to the next idle process."""
        if self.threads is None:
            # started before the threads, so that they can be forked
            more = [Worker(*self.settings) for _ in range(self.jobs - len(self.workers))]
            self.workers += more
            self.idle.extend(more)
            self.threads = ThreadPoolExecutor(self.jobs)
        call = Call(fn, args, kwargs)
        return self.threads.submit(self.run, call, until=self.until, on_message=self.on_message)

    def run(
        self,
        call: Call,
        *,
        until: float | None = None,
        wanted: Callable[[], bool] | None = None,
        on_message: Callable[[Any], object] | None = None,
    ) -> Any:
        """Return the result of a call in a process; raise its exception.

        ``until`` is a reading of ``time.monotonic()``, and ``wanted`` returns whether the result is
        still needed. ``on_message`` gets what the call sends by :func:`tell`.

        Raises:
            BudgetExhausted: the time is up; ``found`` is the last number that the call sent.
            Stopped: the process died, or the result is not needed any more.
            MemoryError: the process has too little memory.
        """
        if until is not None and time.monotonic() >= until + GRACE_SECONDS:
            raise BudgetExhausted("time limit reached before it began")
        found = 0
        for reply in self.replies(call, until, wanted):
            if reply.last:
                return reply.value
            if isinstance(reply.value, int):
                found = reply.value
            if on_message is not None:
                on_message(reply.value)
        raise BudgetExhausted(f"time limit reached; found so far: {found:,}", found)

    def iterate(self, produce: Callable[..., Iterable[Item]], *args: Any) -> Iterator[Item]:
        """Yield the items of ``produce(*args)`` in a process; raise as :meth:`run`.

        During a call of a solver, Python handles neither signals nor timers, but a process can be
        ended. The process runs ahead until the pipe is full.
        """
        for reply in self.replies(Call(tell_each, (produce, args))):
            if not reply.last:
                yield reply.value

    def replies(
        self, call: Call, until: float | None = None, wanted: Callable[[], bool] | None = None
    ) -> Iterator[Reply]:
        """Yield the replies to a call; there is no last one if the time is up."""
        worker, is_free = self.take(), False
        try:
            worker.ask(call)
            while not is_free:
                timeout = None if until is None else until + GRACE_SECONDS - time.monotonic()
                pause = timeout if wanted is None else min(timeout or POLL_SECONDS, POLL_SECONDS)
                if worker.pipe.poll(pause and max(0.0, pause)):
                    reply = worker.answer()
                    is_free = reply.last
                    if reply.error is not None:
                        raise reply.error
                    yield reply
                elif timeout is not None and timeout <= 0:
                    return
                if wanted is not None and not is_free and not wanted():
                    raise Stopped("cancelled: the result is not wanted any more")
        finally:
            if not is_free:
                end([worker])
                self.workers.remove(worker)
            else:
                self.idle.append(worker)

    def take(self) -> Worker:
        """Return an idle process, or a new one."""
        with suppress(IndexError):  # another thread may take the last one
            return self.idle.popleft()
        with self.lock:  # a process that starts is ended as well
            if self.ended:
                raise Stopped("cancelled: the processes are ended")
            self.workers.append(worker := Worker(*self.settings))
        return worker

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes at once: a result that is still to come is not wanted any more."""
        with self.lock:
            self.ended = True
        busy = [worker for worker in self.workers if worker not in self.idle]
        if self.threads is not None:
            self.threads.shutdown(wait=not busy, cancel_futures=True)
        if self.kept is None:
            end([*self.workers])
        else:
            self.kept[:] = self.idle
            end(busy)


def tell_each(produce: Callable[..., Iterable[Any]], args: tuple[Any, ...]) -> None:
    """Send each item to the parent."""
    for item in produce(*args):
        tell(item)


parents_pipe: list[Connection] = []
"""In a child, the pipe to its parent."""


def tell(value: object) -> None:
    """Send a message to the parent process; do nothing in the main process."""
    for pipe in parents_pipe:
        pipe.send((value, None, False))  # a plain tuple is pickled in half the time


class Call(NamedTuple):
    """A call that a child executes."""

    fn: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any] = {}


class Reply(NamedTuple):
    """A reply of a child: a message, or (``last``) the result or the error."""

    value: Any
    error: BaseException | None
    last: bool


class Worker:
    """A child process that runs one task after another, until it is ended or its parent dies.

    It is forked if that is safe (no other thread holds a lock, no framework of macOS is used),
    because the imports of a fresh interpreter take longer than counting an easy date. Otherwise it
    is a fresh interpreter: of :mod:`subprocess`, because a worker of Dask may not have children of
    multiprocessing, which would also run the user's script again.

    The child ignores Ctrl-C and the end of the terminal, which its parent handles. ``memory`` is in
    bytes of address space, by default the limit of the parent, and ``nice`` is the niceness.
    """

    def __init__(self, memory: int | None = None, nice: int = 0) -> None:
        self.pipe, child_pipe = multiprocessing.Pipe()
        # Linux ends a child with the thread, not the process, that started it
        is_tied = threading.current_thread() is threading.main_thread()
        settings = (os.getpid(), is_tied, memory, nice)
        can_fork = hasattr(os, "fork") and sys.platform != "darwin"
        self.process: BaseProcess | FreshInterpreter
        masked = hasattr(signal, "pthread_sigmask")  # not on Windows
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS) if masked else None
        try:
            if can_fork and threading.active_count() == 1:
                context = multiprocessing.get_context("fork")
                self.process = context.Process(
                    target=do_tasks, args=(child_pipe, *settings), daemon=True
                )
                self.process.start()
            else:
                self.process = FreshInterpreter(child_pipe)
                self.pipe.send(settings)
        finally:
            if mask is not None:
                signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        child_pipe.close()  # then the pipe ends when the child dies

    def ask(self, call: Call) -> None:
        """Send a call; raise Stopped if the process has died."""
        try:
            self.pipe.send(call)
        except ConnectionError as error:
            raise self.death() from error

    def answer(self) -> Reply:
        """Return the next reply.

        Raises:
            MemoryError: the process had too little memory even for a reply.
            Stopped: the process died.
        """
        try:
            return Reply(*self.pipe.recv())
        except (EOFError, ConnectionError) as error:
            raise self.death() from error

    def death(self) -> Stopped | MemoryError:
        """Return the error for a dead process."""
        self.process.join(GRACE_SECONDS)  # it has closed its pipe, and says why by its exit code
        end([self])
        return MemoryError() if self.process.exitcode == OUT_OF_MEMORY else Stopped(WORKER_DIED)


class FreshInterpreter(subprocess.Popen[bytes]):
    """A fresh interpreter that inherits a pipe; its interface is that of multiprocessing."""

    def __init__(self, pipe: Connection) -> None:
        number = pipe.fileno()
        options: dict[str, Any] = {"pass_fds": [number]}
        if sys.platform == "win32":
            os.set_handle_inheritable(number, True)
            startup = subprocess.STARTUPINFO(lpAttributeList={"handle_list": [number]})
            options = {"startupinfo": startup}
        command = [sys.executable, "-c", FRESH_COMMAND, str(number), *sys.path]
        super().__init__(command, **options)

    def join(self, timeout: float | None = None) -> None:
        """Wait for the end of the process, at most ``timeout`` seconds."""
        with suppress(subprocess.TimeoutExpired):
            self.wait(timeout)

    def is_alive(self) -> bool:
        """Return whether the process runs."""
        return self.poll() is None

    exitcode = property(subprocess.Popen.poll)
    """The exit code, or None while the process runs."""


def end(workers: Collection[Worker]) -> None:
    """End processes; kill those that ignore a signal, such as during a call of a solver."""
    children = [worker.process for worker in workers]
    for child in children:
        child.terminate()
    for child in children:
        child.join(GRACE_SECONDS)
        if child.is_alive():
            child.kill()
            child.join()


def begin_fresh(number: int) -> None:
    """Run tasks in a fresh interpreter; ``number`` is the descriptor of the inherited pipe."""
    pipe: Connection = getattr(connection, "PipeConnection", Connection)(number)  # of Windows
    do_tasks(pipe, *pipe.recv())


def do_tasks(pipe: Connection, parent: int, is_tied: bool, memory: int | None, nice: int) -> None:
    """Run one task after another, in the child."""
    parents_pipe[:] = [pipe]
    os.environ.update(SINGLE_THREADED)
    temporary_files.clear()  # they belong to the parent
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # a handler in Python would wait for the solver
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTERM])
    else:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    if is_tied:
        die_with_parent("SIGTERM")
    # without that, only this thread ends the child, and only when a call of the solver returns
    threading.Thread(target=leave_with, args=(parent,), daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(nice)
    if memory is not None:
        limit_resource("AS", memory)
        sys.unraisablehook = lambda unraisable: None  # no message if a callback lacks memory
    try:
        with suppress(EOFError, ConnectionError):  # the parent has died
            while True:
                call: Call = pipe.recv()
                error = make_call(call, pipe)
                if error is not None:
                    pipe.send((None, error, True))
    except MemoryError:
        os._exit(OUT_OF_MEMORY)  # not enough is left even for a message


def make_call(call: Call, pipe: Connection) -> BaseException | None:
    """Execute a call and send its result; return its exception."""
    try:
        pipe.send((call.fn(*call.args, **call.kwargs), None, True))
    except MemoryError:
        return MemoryError()  # the original error references what fills the memory
    except BaseException as error:
        if not isinstance(error, SatcalError):
            error.add_note(traceback.format_exc())  # pickling removes the traceback
        return error
    return None


def leave_with(parent: int) -> None:
    """End this worker when its parent has died, because a killed parent sends no signal."""
    while os.getppid() == parent:
        time.sleep(0.5)
    exit_at_once(Stopped.exit_code)
