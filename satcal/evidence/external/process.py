"""One run of somebody else's program: no input, little time and memory, and no children left."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path

from satcal.errors import BudgetExhausted, FormatError
from satcal.processes import limited

TOLD = 300  # characters of a program's complaint that are worth repeating


@dataclass(frozen=True)
class Limits:
    """What one run may cost: ``seconds`` of wall time, bytes of ``memory`` and of ``output``."""

    seconds: float = 60.0
    memory: int = 8 * 2**30  # of addresses: d4 reserves 4 GB at once, and uses little of them
    output: int = 64 * 2**20


@dataclass(frozen=True)
class Finished:
    """How a program ended: its exit code and what it printed."""

    code: int
    said: str


def run(command: Sequence[str], limits: Limits, endings: Sequence[int]) -> Finished:
    """Run a program to its end and return what it said.

    Args:
        command: the program and its arguments.
        limits: what it may cost.
        endings: the exit codes by which it tells that it has done what it was asked.

    Raises:
        BudgetExhausted: it took longer than the limit.
        FormatError: another exit code, a signal, more output than the limit; or it cannot start.
    """
    with tempfile.TemporaryDirectory(prefix="satcal-") as folder:
        out, err = Path(folder, "stdout"), Path(folder, "stderr")
        code = _wait(_start(command, limits, out, err), limits)
        name = Path(command[0]).name
        if code not in endings:
            how = f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
            told = _tail(err) or _tail(out)
            raise FormatError(f"{name} ended with {how}" + (f": {told}" if told else ""))
        # garbage is for its reader to refuse; the limit bounds how much there is
        return Finished(code, out.read_text("utf-8", "replace"))


def _start(command: Sequence[str], limits: Limits, out: Path, err: Path) -> subprocess.Popen[bytes]:
    # processor time too: it ends what outlives a satcal that was killed
    bounded = limited(command, limits.memory, limits.output, ceil(limits.seconds) + 1)
    with open(out, "wb") as stdout, open(err, "wb") as stderr:
        return subprocess.Popen(
            bounded, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr, start_new_session=True,
        )  # fmt: skip


def _wait(process: subprocess.Popen[bytes], limits: Limits) -> int:
    """Return the exit code; whatever ends the wait, the whole process group ends with it."""
    try:
        return process.wait(limits.seconds)
    except subprocess.TimeoutExpired as late:
        raise BudgetExhausted(f"stopped after {limits.seconds:g} s") from late
    finally:
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _tail(path: Path) -> str:
    """Return the last line of a file that says something."""
    with open(path, "rb") as stream:
        stream.seek(max(0, path.stat().st_size - 4096))
        lines = stream.read().decode("utf-8", "replace").split("\n")
    return next((line.strip()[:TOLD] for line in reversed(lines) if line.strip()), "")
