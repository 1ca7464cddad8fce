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
    """What one run may cost: ``seconds`` of wall time, bytes of ``memory`` and of ``output``.

    An approximate count may be wrong by a factor of 1 + ``tolerance``.
    """

    seconds: float = 60.0
    memory: int = 8 * 2**30  # of addresses: d4 reserves 4 GB at once, and uses little of them
    output: int = 64 * 2**20
    tolerance: float = 0.8  # what ApproxMC's authors take where they measure it


def run(command: Sequence[str], limits: Limits, endings: Sequence[int]) -> tuple[int, str]:
    """Run a program to its end; return its exit code and what it printed.

    Args:
        command: the program and its arguments.
        limits: what it may cost.
        endings: the exit codes by which it tells that it has done what it was asked.

    Raises:
        BudgetExhausted: it took longer than the limit.
        FormatError: another exit code, a signal, more output than the limit; or it cannot start.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        # processor time too: it ends what outlives a satcal that was killed
        bounded = limited(command, limits.memory, limits.output, ceil(limits.seconds) + 1)
        process = subprocess.Popen(
            bounded, stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True
        )
        try:
            code = process.wait(limits.seconds)
        except subprocess.TimeoutExpired as late:
            raise BudgetExhausted(f"stopped after {limits.seconds:g} s") from late
        finally:  # whatever ends the wait, the whole process group ends with it
            if process.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        texts = []
        for stream in (out, err):
            stream.seek(0)
            # garbage is for its reader to refuse; the limit bounds how much there is
            texts.append(stream.read().decode("utf-8", "replace"))
    if code not in endings:
        how = f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
        lines = [line.strip() for text in texts for line in text.splitlines() if line.strip()]
        told = f": {lines[-1][:TOLD]}" if lines else ""
        raise FormatError(f"{Path(command[0]).name} ended with {how}{told}")
    return code, texts[0]
