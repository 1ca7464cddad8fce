"""A task of a job on a worker of a cluster: in a process of its own, with the limits of the job.

A worker runs its tasks in threads, which nobody can stop: a board of some client's that is too
hard would keep the worker for ever, whoever cancels the job. A process can be killed, when the
time is up or nobody waits for its answer any more, and bounded in its memory.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from satcal.errors import BudgetExhausted, Stopped, TooLarge
from satcal.processes import GRACE
from satcal.service.process import SINGLE_THREADED

Answer = TypeVar("Answer")
INTERVAL = 0.5  # seconds between two looks whether the answer is still wanted


def bounded(
    memory: int,
    until: float,
    fn: Callable[..., Answer],
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
) -> Answer:
    """Return what a function returns; this runs on a worker, in a thread of Dask's.

    Args:
        memory: bytes of address space.
        until: a reading of the wall clock.
        fn, args, kwargs: what can be pickled.

    Raises:
        BudgetExhausted: the time is up.
        Stopped: its process died, or nobody wants the answer any more.
        TooLarge: the memory does not suffice.
        What the function raises.
    """
    with subprocess.Popen(
        [sys.executable, "-m", __name__, str(memory), "0"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=os.environ | SINGLE_THREADED,
    ) as process:  # fmt: skip
        try:
            said = _answer(process, pickle.dumps((fn, args, kwargs)), until)
        finally:
            process.kill()
    if not said:
        code = process.returncode
        raise Stopped(
            f"its process on a worker ended ({-code if code < 0 else code}); is memory short?"
        )
    error, found = pickle.loads(said)
    if error is not None:
        raise error
    answer: Answer = found
    return answer


def _answer(process: subprocess.Popen[bytes], task: bytes, until: float) -> bytes:
    """Return what the process says; nothing if it dies.

    Raises:
        BudgetExhausted, Stopped: see :func:`bounded`.
    """
    wanted, message = _wanted(), task
    while True:
        try:
            return process.communicate(message, INTERVAL)[0]
        except subprocess.TimeoutExpired:
            message = b""  # it is on its way
        if time.time() > until + GRACE:
            raise BudgetExhausted("stopped by the time limit")
        if not wanted():
            raise Stopped("its job has ended")


def _wanted() -> Callable[[], bool]:
    """Return what says whether somebody still waits for the task that this thread runs."""
    from distributed import get_worker

    worker: Any = get_worker()
    key = worker.get_current_task()

    def wanted() -> bool:
        task = worker.state.tasks.get(key)
        return task is not None and task.state != "cancelled"

    return wanted


def main() -> None:
    """Do the task on stdin; its answer goes to stdout, whatever else is printed to stderr."""
    from satcal.service.child import TOO_MUCH_MEMORY, begin

    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    begin()
    said: tuple[Exception | None, Any]
    try:
        fn, args, kwargs = pickle.load(sys.stdin.buffer)
        said = None, fn(*args, **kwargs)
    except MemoryError:
        said = TooLarge(TOO_MUCH_MEMORY), None
    except Exception as error:
        said = error, None
    out.write(pickle.dumps(said))
    out.flush()


if __name__ == "__main__":
    main()
