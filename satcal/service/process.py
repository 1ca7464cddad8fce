"""A computation in a process of its own: it speaks lines, and can be killed at any time.

The child (:mod:`.child`) reads lines of JSON and answers each with lines whose first byte says
what they are: ``P`` progress, ``K`` an answer, ``E`` an error of ours. Nothing is pickled.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from typing import Any

from satcal import errors
from satcal.errors import SatcalError, Stopped, TooLarge
from satcal.processes import SINGLE_THREADED

LONGEST_LINE = 32 * 2**20  # of an answer: a table has 1 MiB, a certificate or an export 10
NICE = 5  # what is computed waits for the server, and not the server for it
Progress = Callable[[dict[str, Any]], None]
_log = logging.getLogger(__name__)


def error_of(data: bytes) -> SatcalError:
    """Return the error of ours that a child tells of."""
    said = json.loads(data)
    return getattr(errors, said["kind"])(said["detail"])  # type: ignore[no-any-return]


class Child:
    """A running process of satcal; see :meth:`start`."""

    def __init__(self, process: Process) -> None:
        self._process = process

    @classmethod
    async def start(cls, module: str, memory: int, nice: int = NICE) -> Child:
        """Start ``python -m module`` with an address space of ``memory`` bytes.

        Raises:
            Stopped: the system has no room for another process.
        """
        try:
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", module, str(memory), str(nice),
                stdin=PIPE, stdout=PIPE, limit=LONGEST_LINE, start_new_session=True,
                env=os.environ | SINGLE_THREADED,
            )  # fmt: skip
        except OSError as error:
            _log.warning("%s cannot be started: %s", module, error)
            raise Stopped(
                f"its process cannot be started ({error.strerror or error}); "
                "are too many running, or is memory short?"
            ) from error
        return cls(process)

    def send(self, message: dict[str, Any]) -> None:
        """Send a line; one that is dead already says so when it is asked for its answer."""
        assert self._process.stdin is not None
        with contextlib.suppress(ConnectionError, RuntimeError):
            self._process.stdin.write(json.dumps(message).encode() + b"\n")

    async def receive(self, progress: Progress | None = None) -> bytes:
        """Return the next answer, a JSON text.

        Raises:
            Stopped: it died, and there will be none.
            SatcalError: the error that is the answer.
        """
        assert self._process.stdout is not None
        while True:
            try:
                line = await self._process.stdout.readline()
            except ValueError as error:
                raise TooLarge("the answer is too large to be sent") from error
            if not line.endswith(b"\n"):
                code = await self._process.wait()
                raise Stopped(
                    f"its process ended ({-code if code < 0 else code}); is memory short?"
                )
            if line[:1] == b"P":
                if progress is not None:
                    progress(json.loads(line[1:]))
            elif line[:1] == b"E":
                raise error_of(line[1:])
            else:
                return line[1:-1]

    @property
    def alive(self) -> bool:
        """Whether it runs."""
        return self._process.returncode is None

    def kill(self) -> None:
        """End the process and those that it started, whatever they do at the moment."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)

    async def close(self) -> None:
        """Kill it and wait for its end."""
        self.kill()
        await self._process.wait()
