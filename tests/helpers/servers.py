"""Servers as a user starts them."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import psutil

from helpers.waiting import PATIENCE, alive, until

if TYPE_CHECKING:
    import httpx

TOKEN = "a-token-of-22-letters."
PLACED = "/api/v1/puzzles/rhombus/counts?date=2025-10-23&place=X:r5c6,r6c5,r6c6,r6c7,r7c6"
"""A question for a worker; its answer has 73 tilings."""


@dataclass
class Server:
    """A process that serves; ``url`` has no slash at its end, ``log`` is what it says."""

    process: subprocess.Popen[str]
    url: str
    log: list[str] = field(default_factory=list)

    def client(self, **options: Any) -> httpx.Client:
        """Return a client of the server."""
        import httpx

        return httpx.Client(base_url=self.url, timeout=PATIENCE, **options)

    def connection(self) -> socket.socket:
        """Return a connection."""
        where = urlsplit(self.url)
        return socket.create_connection((where.hostname, where.port), 240)

    def raw(self, data: bytes) -> bytes:
        """Send bytes as they are, and return what comes back until the server closes."""
        with self.connection() as line:
            with suppress(ConnectionError):
                line.sendall(data)
            return rest_of(line)

    def family(self) -> list[psutil.Process]:
        """Return the processes of the server."""
        first = psutil.Process(self.process.pid)
        return [first, *first.children(recursive=True)]

    def workers(self) -> list[psutil.Process]:
        """Return the processes that count."""
        found = []
        for each in self.family():
            with suppress(psutil.Error):
                if "begin_fresh" in str(each.cmdline()):
                    found.append(each)
        return found

    def costs(self) -> tuple[float, float]:
        """Return the MiB at most, and the CPU seconds, of the server without its workers."""
        family = set(self.family()) - set(self.workers())
        states = [Path(f"/proc/{each.pid}/status").read_text() for each in family]
        kilobytes = sum(int(re.findall(r"VmHWM:\s+(\d+) kB", state)[0]) for state in states)
        return kilobytes / 1024, sum(sum(each.cpu_times()[:2]) for each in family)

    def end(self, number: int = signal.SIGTERM) -> int:
        """End the server by a signal, and return its exit code."""
        family = self.family()
        self.process.send_signal(number)
        code = self.process.wait(240)
        until(lambda: not any(alive(each.pid) for each in family))
        return code


def wait_for(client: Any, job: str) -> dict[str, Any]:
    """Wait for the end of a job, and return the answer about it."""
    path = f"/api/v1/jobs/{job}"
    until(lambda: client.get(path).json()["state"] not in ("queued", "running"))
    ended: dict[str, Any] = client.get(path).json()
    return ended


def rest_of(line: socket.socket) -> bytes:
    """Return what comes until the other side closes a connection."""
    received = b""
    with suppress(ConnectionError):
        while part := line.recv(65_536):
            received += part
    return received


@contextmanager
def started(folder: Path, *options: str, **env: str) -> Iterator[Server]:
    """Run a server with a store in a folder; its log may have no traceback at the end."""
    env = os.environ | {"SATCAL_STORE": str(folder / "store.sqlite")} | env
    command = [sys.executable, "-m", "satcal", "serve", "--port", "0", *options]
    process = subprocess.Popen(command, env=env, cwd=folder, text=True, stderr=subprocess.PIPE)
    stream = process.stderr
    assert stream is not None
    line = stream.readline()
    found = re.search(r"serving (http://\S+)/ ", line)
    assert found, line + stream.read()
    server = Server(process, found[1])
    reader = threading.Thread(target=lambda: server.log.extend(stream), daemon=True)
    reader.start()
    try:
        assert answers(server), "it says that it serves before it does"
        yield server
    finally:
        code = process.poll()
        if code is None:
            code = server.end()
        reader.join(240)
        stream.close()
    assert code in (0, 3, -signal.SIGKILL), server.log
    assert not any("Traceback" in line for line in server.log), server.log


def answers(server: Server) -> bool:
    """Return whether a server answers."""
    import httpx

    assert server.process.poll() is None, server.log
    try:
        return httpx.get(f"{server.url}/health", timeout=PATIENCE).status_code == 200
    except httpx.TransportError:
        return False


class InThreads:
    """Workers that do their tasks in threads of this process."""

    job_slots = 1

    def __init__(self, *settings: object) -> None:
        self.settings = settings

    async def run(self, function: Callable[..., Any], *args: Any, slow: bool = False) -> Any:
        """Return what a function returns."""
        return await asyncio.to_thread(function, *args)

    run_job = run_count = run

    def start(self) -> None:
        """Do nothing."""

    def check(self) -> None:
        """Do nothing: a thread runs always."""

    def close(self) -> None:
        """Do nothing."""
