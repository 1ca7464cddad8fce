"""What a supervisor sees of a server, whatever others do to it meanwhile."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field

import psutil
from serving import Server

SLOWEST = 0.5  # seconds that /health may take, whatever happens
LARGEST = 100 * 2**20  # bytes by which the server's own process may grow


@dataclass
class Watch:
    """What a supervisor sees of a server meanwhile: seconds of /health, bytes of memory."""

    server: Server
    before: int = 0
    slowest: dict[str, float] = field(default_factory=dict)
    largest: dict[str, int] = field(default_factory=dict)
    attack: str = "before"

    def look(self, ended: threading.Event) -> None:
        process = psutil.Process(self.server.process.pid)
        with self.server.client() as client:
            client.get("/health")
            self.before = process.memory_info().rss
            while not ended.wait(0.02):
                attack, begun = self.attack, time.monotonic()
                alive = client.get("/health").status_code == 200
                seconds = time.monotonic() - begun if alive else float("inf")
                grown = process.memory_info().rss - self.before
                self.slowest[attack] = max(seconds, self.slowest.get(attack, 0))
                self.largest[attack] = max(grown, self.largest.get(attack, 0))


@contextmanager
def watched(server: Server) -> Iterator[Watch]:
    watch, ended = Watch(server), threading.Event()
    with ThreadPoolExecutor(1) as thread:
        looking = thread.submit(watch.look, ended)
        try:
            yield watch
        finally:
            ended.set()
            looking.result()
