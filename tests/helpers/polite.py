"""A polite client, and what a server takes while others attack it."""

from __future__ import annotations

import asyncio
import time

from helpers.servers import Server

POLITE = (
    b"GET /api/v1/puzzles/rhombus/remaining?date=2025-10-23 HTTP/1.1\r\n"
    b"Host: localhost\r\nConnection: close\r\n\r\n"
)
HEALTH = b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
MIB = 2**20


def own(server: Server) -> tuple[float, float]:
    """Return the MiB and the CPU seconds of the server without its workers."""
    family = [each for each in server.family() if "begin_fresh" not in str(each.cmdline())]
    memory = sum(each.memory_info().rss for each in family) / MIB
    return memory, sum(sum(each.cpu_times()[:2]) for each in family)


async def ask_politely(port: int, seconds: float, patience: float = 10) -> tuple[list[float], int]:
    """Return the seconds that 20 requests a second took, and how many were not answered right."""
    took, wrong = [], []

    async def one() -> None:
        began = time.perf_counter()
        try:
            async with asyncio.timeout(patience):
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
