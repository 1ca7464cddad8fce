"""What a supervisor sees of a server, whatever others do to it meanwhile."""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path

import httpx
import psutil
from serving import Server

SLOWEST = 0.5  # seconds that /health may take, whatever happens, but for a busy machine
LARGEST = 100 * 2**20  # bytes by which the server's own process may grow


@contextmanager
def watched(server: Server) -> Iterator[Callable[[], None]]:
    """Ask a server for its health all the time, in a process that does nothing else.

    Lends a check that it was quick since the last one, and has not grown too large.
    """
    pipe, theirs = multiprocessing.Pipe()
    asked = (server.url, server.process.pid, theirs)
    looking = multiprocessing.get_context("spawn").Process(target=_look, args=asked, daemon=True)
    looking.start()
    assert pipe.recv() == "begun"

    def check() -> None:
        pipe.send(None)
        assert pipe.poll(120), "who looks at the server has ended, or waits for it"
        slowest, grown = pipe.recv()
        print(f"/health {slowest:.3f} s, {grown / 2**20:.0f} MiB more")
        assert slowest < SLOWEST
        assert grown < LARGEST

    try:
        yield check
    finally:
        looking.terminate()
        looking.join()
        pipe.close()
        theirs.close()


def _look(url: str, pid: int, pipe: Connection) -> None:
    process = psutil.Process(pid)

    def now() -> float:
        """Return seconds in which neither process waited for a processor that others had."""
        return time.monotonic() - sum(map(_waited, (pid, os.getpid())))

    with httpx.Client(base_url=url, timeout=60) as client:
        client.get("/health")
        before, slowest, largest = process.memory_info().rss, 0.0, 0
        pipe.send("begun")
        while True:
            begun = now()
            try:
                alive = client.get("/health").status_code == 200
            except httpx.TransportError:  # connections that idle give way to new ones
                alive = client.get("/health").status_code == 200
            slowest = max(slowest, now() - begun if alive else float("inf"))
            largest = max(largest, process.memory_info().rss - before)
            if pipe.poll(0.02):
                pipe.recv()
                pipe.send((slowest, largest))
                slowest, largest = 0.0, 0


def _waited(pid: int) -> float:
    """Return how many seconds the first thread of a process could have run, and did not."""
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[1]) / 1e9
