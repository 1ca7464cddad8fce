"""A real server under attack, and for half an hour: it answers throughout, stays small, works on.

The half hour may be as many minutes as SATCAL_SOAK_MINUTES says: clients ask for everything at
random, one attack follows the other, and a polite client gets its answers all the time.
"""

from __future__ import annotations

import asyncio
import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import cycle
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from benchmarks.attacks import CONNECTIONS
from benchmarks.load import POLITE_RATE, ask_politely
from helpers.servers import PLACED, Server, answers, started
from helpers.waiting import PATIENCE, until
from satcal.puzzle.loading import library, library_text

pytestmark = pytest.mark.long
MINUTES = float(os.environ.get("SATCAL_SOAK_MINUTES", "30"))
SECONDS = 6
MAX_GROWTH = 100  # MiB
PATHS = (
    *("counts?date=2025", "counts.csv", "counts?date=2025-10", "hint", "hint?date=x", "definition"),
    *("tilings?limit=50", "board.svg", "export", "export?open=true&format=dlx"),
)
"""What is asked of a puzzle."""
FILES = ("/", "/docs", "/health", "/ready", "/metrics", "/data/rhombus.bin", "/api/v1/claims", "/x")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """Return a new server that has answered a question."""
    with started(tmp_path) as running:
        with running.client() as client:
            assert client.get(PLACED).json()["total"] == 73
        yield running


def attack(server: Server, name: str) -> tuple[list[float], int]:
    """Attack a server while a polite client asks.

    Return the milliseconds of its answers, and the number of those that did not come.
    """
    port = str(urlsplit(server.url).port)
    command = [sys.executable, "-m", "benchmarks.attacks", name, port, str(SECONDS)]
    with subprocess.Popen(command, cwd=Path(__file__).parents[2]):
        paths = [PLACED] * POLITE_RATE * (SECONDS - 1)
        return asyncio.run(ask_politely(server.url, paths, PATIENCE))


def describe(took: list[float]) -> str:
    """Return the median and the 99th percentile of milliseconds."""
    took = sorted(took)
    return f"median {took[len(took) // 2]:.0f} ms, 99 % {took[int(0.99 * (len(took) - 1))]:.0f} ms"


@pytest.mark.parametrize("name", CONNECTIONS)
def test_an_attack(server, name):
    before, _ = server.costs()
    took, missing = attack(server, name)
    peak, cpu = server.costs()
    until(lambda: answers(server))
    after = server.costs()[1] - cpu
    print(f"{name}: {describe(took)}, {missing} missing, {peak - before:.0f} MiB, {after:.2f} s")
    assert missing == 0
    assert peak - before < MAX_GROWTH
    assert after < 0.5


def ask_anything(url: str, number: int, end: float) -> Counter[int]:
    """Ask for anything until the time is up; return the number of answers by status."""
    source, statuses = random.Random(number), Counter[int]()
    with httpx.Client(base_url=url, timeout=240) as client:
        while time.monotonic() < end:
            name, kind = source.choice(library()), source.randrange(10)
            with suppress(httpx.TransportError):  # an attack may take all connections
                if kind < 7:
                    answer = client.get(f"/api/v1/puzzles/{name}/{source.choice(PATHS)}")
                elif kind < 8:
                    answer = client.get(source.choice(FILES))
                elif kind < 9:
                    text = library_text(name).replace("#", source.choice(["#", "##", '"', ""]), 1)
                    answer = client.post("/api/v1/puzzles", json={"definition": text})
                else:
                    job = {"kind": "count", "puzzle": "rhombus", "date": "Oct 23 2025"}
                    answer = client.post("/api/v1/jobs", json=job)
                    if answer.status_code == 202 and source.randrange(2):
                        client.delete(answer.headers["location"])
                statuses[answer.status_code] += 1
                assert answer.status_code < 500 or answer.status_code == 503, answer.text
    return statuses


def test_the_server_for_half_an_hour(server):
    end, before = time.monotonic() + 60 * MINUTES, server.costs()[0]
    took, missing, names = list[float](), 0, cycle(CONNECTIONS)
    with ThreadPoolExecutor(3) as pool:
        asking = [pool.submit(ask_anything, server.url, number, end) for number in range(3)]
        while time.monotonic() < end:
            milliseconds, lost = attack(server, next(names))
            took, missing = took + milliseconds, missing + lost
        statuses = sum((each.result() for each in asking), Counter[int]())
    peak, _ = server.costs()
    print(
        f"{MINUTES:g} minutes: {dict(statuses)}; polite: {len(took):,}, {describe(took)}, "
        f"{missing} missing; {peak - before:.0f} MiB"
    )
    assert missing == 0
    assert peak - before < MAX_GROWTH
    assert answers(server)
