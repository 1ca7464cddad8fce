"""Attacks by strangers on a running service, each on connections of its own to this machine.

``python -m benchmarks.attacks NAME PORT SECONDS`` runs one; :mod:`benchmarks.load` measures what a
polite client notices. Each attack is bounded in time and in its number of connections.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from satcal.puzzle.loading import library_text

TOKEN = "a-token-of-22-letters."
API = "/api/v1"
BOARD = """board = "* * * *\\n* * * *"
[pieces]
L4 = { shape = "###\\n#..", copies = 2 }
"""


def get(path: str, *headers: str) -> bytes:
    """Return a request."""
    return "\r\n".join([f"GET {path} HTTP/1.1", "Host: localhost", *headers, "", ""]).encode()


def post(path: str, body: object, *headers: str) -> bytes:
    """Return a request with a JSON body."""
    data = json.dumps(body).encode()
    lines = [f"POST {path} HTTP/1.1", "Host: localhost", "Content-Type: application/json"]
    head = "\r\n".join([*lines, f"Content-Length: {len(data)}", *headers, "", ""])
    return head.encode() + data


OWNER = f"Authorization: Bearer {TOKEN}"
UPLOAD = (
    f"POST {API}/certificates HTTP/1.1\r\nHost: localhost\r\n"
    "Content-Type: application/octet-stream\r\nContent-Length: 8388608\r\n\r\n"
).encode()
EXPORT = get(f"{API}/puzzles/sh1ura-11/export?open=true&encoding=plain&format=dimacs")
DATES = [f"2025-{1 + n % 12:02d}-{1 + n % 28:02d}" for n in range(336)]
POSTED = "# posted\n" + library_text("weekday")


@dataclass
class Attack:
    """Requests on connections that each send one; with ``stays`` a client reads its answer."""

    connections: int
    make: Callable[[int], bytes]
    stays: bool = True
    first: bytes = b""
    """A request that is answered before the others."""
    limit: int = 10_000
    """Limit on the number of requests."""


ATTACKS = {
    "leave an export": Attack(12, lambda _: EXPORT, stays=False),
    "leave hints": Attack(
        12, lambda n: get(f"{API}/puzzles/rhombus/hint?date={DATES[n % 336]}"), stays=False
    ),
    "wait for an export": Attack(20, lambda _: EXPORT),
    "post boards": Attack(
        12, lambda n: post(f"{API}/puzzles", {"definition": f"# {n}\n{BOARD}"}), limit=1_000
    ),
    "announce uploads": Attack(4, lambda _: UPLOAD),
    "count a posted board": Attack(
        8,
        lambda n: get(f"{API}/puzzles/{posted_name()}/counts?dates={DATES[n % 336]}"),
        first=post(f"{API}/puzzles", {"definition": POSTED}, OWNER),
    ),
    "250 jobs at once": Attack(
        250,
        lambda n: post(f"{API}/jobs", {"kind": "count", "puzzle": "tetromino"}, OWNER),
        limit=250,
    ),
    "first claims at once": Attack(5, lambda _: get(f"{API}/claims", OWNER), limit=5),
}


def posted_name() -> str:
    """Return the name that the service gives to ``POSTED``."""
    from satcal.service.boards import name_posted

    return name_posted(POSTED)


async def send(port: int, data: bytes, stays: bool, seconds: float) -> None:
    """Send a request on a connection of its own, and read the answer for at most ``seconds``."""
    with suppress(OSError, TimeoutError, asyncio.IncompleteReadError):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            writer.write(data)
            if stays:
                async with asyncio.timeout(max(0.1, seconds)):
                    await reader.readuntil(b"\r\n\r\n")
        finally:
            writer.close()


async def attack(kind: Attack, port: int, seconds: float) -> int:
    """Attack until the time is up; return the number of requests."""
    if kind.first:
        await send(port, kind.first, True, 60)
    end, sent = time.monotonic() + seconds, 0

    async def go_on() -> None:
        nonlocal sent
        while time.monotonic() < end and sent < kind.limit:
            sent += 1
            await send(port, kind.make(sent), kind.stays, end - time.monotonic())

    await asyncio.gather(*(go_on() for _ in range(kind.connections)))
    return sent


if __name__ == "__main__":
    os.nice(10)
    print(asyncio.run(attack(ATTACKS[sys.argv[1]], int(sys.argv[2]), float(sys.argv[3]))))
