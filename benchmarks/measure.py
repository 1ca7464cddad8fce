"""One measurement: a fresh process, its wall and CPU time, its peak memory, its answer.

The process that measures imports nothing heavy: Linux counts the memory of the process that
starts a program as the program's own, until it has more. No peak below ``FLOOR`` means much.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.suites import Case

ROOT = Path(__file__).resolve().parents[1]
FLOOR = 30_000_000  # bytes; a Python process without numpy
ENVIRONMENT = {"PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


class Failed(Exception):
    """A peer ended with an error."""


@dataclass(frozen=True)
class Ended:
    """A process that ended by itself, or at the time limit (``code`` is None)."""

    code: int | None
    wall: float
    cpu: float
    peak: int
    output: str
    errors: str


def run(command: list[str], limit: float, stdin: Path | None = None) -> Ended:
    """Run a command, at most ``limit`` seconds, and measure it with all its children."""
    with (
        tempfile.TemporaryFile() as output,
        tempfile.TemporaryFile() as errors,
        open(stdin or os.devnull, "rb") as source,
    ):
        started = time.perf_counter()
        process = subprocess.Popen(
            command,
            stdin=source,
            stdout=output,
            stderr=errors,
            cwd=ROOT,
            env=os.environ | ENVIRONMENT,
            start_new_session=True,
        )
        late = threading.Event()

        def stop() -> None:
            with contextlib.suppress(ProcessLookupError):  # it ended this very moment
                os.killpg(process.pid, signal.SIGKILL)
                late.set()

        timer = threading.Timer(limit, stop)
        timer.start()
        try:
            _, status, usage = os.wait4(process.pid, 0)
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise
        finally:
            timer.cancel()
        wall = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        return Ended(
            None if late.is_set() else process.returncode,
            wall,
            usage.ru_utime + usage.ru_stime,
            usage.ru_maxrss * 1024,
            output.read().decode(errors="replace"),
            errors.read().decode(errors="replace"),
        )


def ask(*arguments: str, limit: float = 600) -> tuple[Ended, dict[str, Any]]:
    """Run the worker; return how it ended and what it said, nothing if it ran out of time.

    Raises:
        Failed: it ended with an error.
    """
    ended = run([sys.executable, "-m", "benchmarks.worker", *arguments], limit)
    if ended.code is None:
        return ended, {}
    if ended.code:
        raise Failed(f"{' '.join(arguments)}: exit {ended.code}\n{ended.errors[-2000:]}")
    return ended, json.loads(ended.output.splitlines()[-1])


def measure(peer: str, program: bool, case: Case, limit: float) -> dict[str, Any]:
    """Return one measurement, with ``status`` ok, late or unsuitable.

    ``wall``, ``cpu`` (seconds) and ``peak`` (bytes) are of the whole process, ``seconds`` and
    ``busy`` (CPU) of the count alone, from the loaded puzzle to the answer; for a program, or
    one that was late, both are the same.

    Raises:
        Failed: the peer ended with an error.
    """
    reveal = case.reveal or "-"
    if program:
        return _measure_program(peer, case.board, reveal, limit)
    ended, said = ask("count", peer, case.board, reveal, limit=limit)
    return _figures(ended, said)


def _measure_program(peer: str, board: str, reveal: str, limit: float) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        _, said = ask("prepare", peer, board, reveal, folder)
        if "unsuitable" in said:
            return {"status": "unsuitable", "why": said["unsuitable"]}
        ended = run(said["command"], limit, said["stdin"] and Path(said["stdin"]))
        if ended.code is None:
            return _figures(ended, {})
        path = Path(folder, "output.txt")
        path.write_text(ended.output)
        _, read = ask("read", peer, str(path))
        return _figures(ended, read)


def _figures(ended: Ended, said: dict[str, Any]) -> dict[str, Any]:
    if "unsuitable" in said:
        return {"status": "unsuitable", "why": said["unsuitable"]}
    figures = {"wall": ended.wall, "cpu": ended.cpu, "peak": ended.peak}
    figures |= {"seconds": ended.wall, "busy": ended.cpu}
    return {"status": "late" if ended.code is None else "ok", **figures, **said}
