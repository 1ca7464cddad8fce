"""Attacks on a real server: it answers throughout, stays small, and works on."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from helpers import attacks
from helpers.servers import Server, started
from helpers.waiting import until

pytestmark = pytest.mark.long
SECONDS = 6
POLITE = (
    b"GET /api/v1/puzzles/rhombus/remaining?date=2025-10-23 HTTP/1.1\r\n"
    b"Host: localhost\r\nConnection: close\r\n\r\n"
)
HEALTH = b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
MIB = 2**20


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """Return a new server for each attack."""
    with started(tmp_path) as running:
        assert b'"tilings":201' in running.raw(POLITE)
        yield running


def own(server: Server) -> tuple[float, float]:
    """Return the MiB and the CPU seconds of the server without its workers."""
    family = [each for each in server.family() if "begin_fresh" not in str(each.cmdline())]
    memory = sum(each.memory_info().rss for each in family) / MIB
    return memory, sum(sum(each.cpu_times()[:2]) for each in family)


async def ask_politely(port: int, seconds: float) -> tuple[list[float], int]:
    """Return the seconds that 20 requests a second took, and how many were not answered right."""
    took, wrong = [], []

    async def one() -> None:
        began = time.perf_counter()
        try:
            async with asyncio.timeout(10):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.write(POLITE)
                if b'"tilings":201' not in await reader.read():
                    wrong.append(1)
                writer.close()
        except (OSError, TimeoutError):
            wrong.append(1)
        took.append(time.perf_counter() - began)

    tasks = []
    for number in range(int(20 * seconds)):
        tasks.append(asyncio.create_task(one()))
        del number
        await asyncio.sleep(0.05)
    await asyncio.gather(*tasks)
    return sorted(took), len(wrong)


@pytest.mark.promise("strangers who attack the server")
@pytest.mark.parametrize("name", attacks.ATTACKS)
def test_an_attack(server: Server, name: str) -> None:
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
    assert not any("Traceback" in line for line in server.log)
