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

from helpers import attacks
from helpers.polite import HEALTH, POLITE, ask_politely, own
from helpers.servers import Server, started
from helpers.waiting import until

pytestmark = pytest.mark.long
SECONDS = 6


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """Return a new server for each attack."""
    with started(tmp_path) as running:
        assert b'"tilings":201' in running.raw(POLITE)
        yield running


@pytest.mark.parametrize("name", attacks.ATTACKS)
def test_an_attack(server, name):
    port = urlsplit(server.url).port or 0
    (before, _), peak, over = own(server), [0.0], threading.Event()

    def watch() -> None:
        while not over.wait(0.2):
            peak[0] = max(peak[0], own(server)[0])

    watcher = threading.Thread(target=watch)
    watcher.start()
    command = [sys.executable, attacks.__file__, name, str(SECONDS), str(port)]
    with subprocess.Popen(command) as attacker:
        took, wrong = asyncio.run(ask_politely(port, SECONDS - 1))
        attacker.wait(60)
    over.set()
    watcher.join()
    _, cpu = own(server)
    until(lambda: b"alive" in server.raw(HEALTH))
    after = own(server)[1] - cpu
    late = took[int(0.99 * (len(took) - 1))]
    grown = peak[0] - before
    print(
        f"| {name} | {1000 * took[len(took) // 2]:.0f} | {1000 * late:.0f} | {wrong} | "
        f"{grown:.0f} | {after:.2f} |"
    )
    assert wrong == 0
    assert grown < 100
    assert after < 0.5
