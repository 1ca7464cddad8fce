"""The server for half an hour, or as many minutes as SATCAL_SOAK_MINUTES says.

Clients ask for everything at random, one attack follows the other, and a polite client gets its
answers all the time.
"""

from __future__ import annotations

import asyncio
import os
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from benchmarks.attacks import CONNECTIONS
from benchmarks.load import POLITE_RATE, ask_politely
from helpers.servers import PLACED, Server, answers, started
from helpers.waiting import PATIENCE
from satcal.puzzle.loading import library, library_text

pytestmark = pytest.mark.long
MINUTES = float(os.environ.get("SATCAL_SOAK_MINUTES", "30"))
PATHS = (
    *("counts?date=2025", "counts.csv", "counts?date=2025-10", "hint"),
    *("tilings?limit=50", "board.svg", "export", "export?open=true&format=dlx", "definition"),
    "hint?date=x",
)
"""What is asked of a puzzle."""
FILES = ("/", "/docs", "/health", "/ready", "/metrics", "/data/rhombus.bin", "/api/v1/claims", "/x")


def asks(url: str, number: int, end: float, statuses: Counter[int]) -> None:
    """Ask for anything until the time is up."""
    source = random.Random(number)
    with httpx.Client(base_url=url, timeout=240) as client:
        while time.monotonic() < end:
            name, kind = source.choice(library()), source.randrange(10)
            with suppress(httpx.TransportError):  # an attack may take all connections
                if kind < 7:
                    said = client.get(f"/api/v1/puzzles/{name}/{source.choice(PATHS)}")
                elif kind < 8:
                    said = client.get(source.choice(FILES))
                elif kind < 9:
                    text = library_text(name).replace("#", source.choice(["#", "##", '"', ""]), 1)
                    said = client.post("/api/v1/puzzles", json={"definition": text})
                else:
                    asked = {"kind": "count", "puzzle": "rhombus", "date": "Oct 23 2025"}
                    said = client.post("/api/v1/jobs", json=asked)
                    if said.status_code == 202 and source.randrange(2):
                        client.delete(said.headers["location"])
                statuses[said.status_code] += 1
                assert said.status_code < 500 or said.status_code == 503, (said.url, said.text)


def test_the_server_for_half_an_hour(tmp_path):
    with started(tmp_path) as server:
        with server.client() as client:
            assert client.get(PLACED).json()["total"] == 73
        end, before = time.monotonic() + 60 * MINUTES, server.costs()[0]
        statuses: Counter[int] = Counter()
        faults: list[BaseException] = []

        def client(number: int) -> None:
            try:
                asks(server.url, number, end, statuses)
            except BaseException as error:  # of a thread, which the test tells
                faults.append(error)

        threads = [threading.Thread(target=client, args=(number,)) for number in range(3)]
        for thread in threads:
            thread.start()
        took, missing, grown = attack_in_turn(server, end, before)
        for thread in threads:
            thread.join()
        took.sort()
        print(
            f"{MINUTES:g} minutes: {sum(statuses.values()):,} answers {dict(statuses)}; polite: "
            f"{len(took):,}, median {took[len(took) // 2]:.0f} ms, "
            f"99 % {took[int(0.99 * (len(took) - 1))]:.0f} ms, slowest {took[-1]:.0f} ms, "
            f"not answered {missing}; grown {grown:.0f} MB"
        )
        assert faults == []
        assert missing == 0
        assert grown < 100
        assert answers(server)


def attack_in_turn(server: Server, end: float, before: float) -> tuple[list[float], int, float]:
    """Attack until the time is up.

    Return a polite client's milliseconds, its requests without an answer, and the MB grown at most.
    """
    took, missing = list[float](), 0
    port, grown, names = str(urlsplit(server.url).port), 0.0, list(CONNECTIONS)
    while time.monotonic() < end:
        name = names.pop(0)
        names.append(name)
        command = [sys.executable, "-m", "benchmarks.attacks", name, port, "6"]
        with subprocess.Popen(command, cwd=Path(__file__).parents[2]) as attacker:
            paths = [PLACED] * POLITE_RATE * 8
            milliseconds, lost = asyncio.run(ask_politely(server.url, paths, PATIENCE))
            attacker.wait(PATIENCE)
        took, missing = took + milliseconds, missing + lost
        grown = max(grown, server.costs()[0] - before)
    return took, missing, grown
