"""Attacks on a real server: it answers throughout, stays small, and works on."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from benchmarks.attacks import CONNECTIONS
from benchmarks.load import POLITE_RATE, ask_politely
from helpers.servers import PLACED, Server, answers, started
from helpers.waiting import until

pytestmark = pytest.mark.long
SECONDS = 6


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """Return a new server for each attack."""
    with started(tmp_path) as running:
        with running.client() as client:
            assert client.get(PLACED).json()["total"] == 73
        yield running


@pytest.mark.parametrize("name", CONNECTIONS)
def test_an_attack(server, name):
    (before, _), peak, over = server.costs(), [0.0], threading.Event()

    def watch() -> None:
        while not over.wait(0.2):
            peak[0] = max(peak[0], server.costs()[0])

    watcher = threading.Thread(target=watch)
    watcher.start()
    port = str(urlsplit(server.url).port)
    command = [sys.executable, "-m", "benchmarks.attacks", name, port, str(SECONDS)]
    with subprocess.Popen(command, cwd=Path(__file__).parents[2]) as attacker:
        paths = [PLACED] * POLITE_RATE * (SECONDS - 1)
        took, missing = asyncio.run(ask_politely(server.url, paths))
        attacker.wait(60)
    over.set()
    watcher.join()
    _, cpu = server.costs()
    until(lambda: answers(server))
    after = server.costs()[1] - cpu
    late = took[int(0.99 * (len(took) - 1))]
    grown = peak[0] - before
    print(
        f"| {name} | {took[len(took) // 2]:.0f} | {late:.0f} | {missing} | "
        f"{grown:.0f} | {after:.2f} |"
    )
    assert missing == 0
    assert grown < 100
    assert after < 0.5
