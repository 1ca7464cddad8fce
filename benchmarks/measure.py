"""A fresh process for each measurement, and how figures are written.

The process that measures imports nothing heavy: Linux counts the memory of the process that
starts a program as the program's own, until it has more.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "results" / "benchmarks"
ENVIRONMENT = {"PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


@dataclass(frozen=True)
class Ended:
    """A process that ended by itself, or at the time limit (``code`` is None)."""

    code: int | None
    wall: float
    cpu: float
    peak: int
    output: str
    errors: str


def run(command: list[str], limit: float, stdin: str | None = None) -> Ended:
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


def measure(name: str, board: str, reveal: str, limit: float) -> dict[str, Any]:
    """Return one measurement, with ``status`` ok, late, unsuitable, or failed and ``why``.

    ``wall``, ``cpu`` (seconds) and ``peak`` (bytes) are of the whole process, ``seconds`` and
    ``busy`` (CPU) from the loaded puzzle to the answer. For a program both are its own.
    """
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "benchmarks.peers", name, board, reveal, folder]
        ended = run(command, limit)
        if ended.code == 0:
            said: dict[str, Any] = json.loads(ended.output.splitlines()[-1])
            if "command" not in said:
                return _figures(ended) | said
            ended = run(said["command"], limit, said["stdin"])
            if ended.code == 0:
                counts = [int(number, said["base"]) for number in ended.output.split()]
                return _figures(ended) | {"tilings": sum(counts), "counts": counts}
    if ended.code is None:
        return _figures(ended) | {"status": "late"}
    return {"status": "failed", "why": ended.errors[-2000:]}


def _figures(ended: Ended) -> dict[str, Any]:
    own = {"wall": ended.wall, "cpu": ended.cpu, "peak": ended.peak}
    return {"status": "ok", **own, "seconds": ended.wall, "busy": ended.cpu}


def cpu_seconds() -> float:
    """Return the CPU seconds of this process and of its children that have ended."""
    used = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in used)


def machine() -> str:
    """Return the processor's name and the number of cores."""
    rows = (line.partition(":") for line in Path("/proc/cpuinfo").read_text().splitlines())
    models = [value.strip() for key, _, value in rows if key.strip() == "model name"]
    return f"{models[0] if models else 'unknown'}, {os.cpu_count()} cores"


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a Markdown table whose first column is text and whose others are numbers."""
    names = list(head)
    lines = [names, ["---"] + ["---:"] * (len(names) - 1), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def seconds(value: float) -> str:
    """Return seconds with three significant digits."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
