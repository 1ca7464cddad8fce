"""What strangers send who mean harm: ``python attacks.py NAME SECONDS PORT``."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

API = "/api/v1/puzzles/"
BOARDS = ("rhombus", "weekday", "a-puzzle-a-day", "tetromino", "sh1ura-9", "sh1ura-10", "sh1ura-11")
HOST = b"Host: localhost\r\n"
JSON = b"Content-Type: application/json\r\n"
FLUSH_SECONDS = 10
Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Attack:
    """Connections to one port until some time is up."""

    def __init__(self, port: int, seconds: float) -> None:
        self.port, self.until = port, time.monotonic() + seconds

    @property
    def left(self) -> float:
        """The seconds that are left."""
        return self.until - time.monotonic()

    async def connect(self) -> Stream | None:
        """Return a connection, or None a moment after one is refused."""
        try:
            return await asyncio.wait_for(asyncio.open_connection("127.0.0.1", self.port), 5)
        except (OSError, TimeoutError):
            await asyncio.sleep(0.1)
            return None

    async def many(self, number: int, one: Callable[[int], Coroutine[Any, Any, None]]) -> None:
        """Do something on some connections, each again and again."""

        async def again(index: int) -> None:
            while self.left > 0:
                with suppress(OSError, TimeoutError, asyncio.IncompleteReadError):
                    await one(index)

        await asyncio.gather(*map(again, range(number)))

    async def loop(self, number: int, make: Callable[[int, int], bytes]) -> None:
        """Send requests, each on a connection of its own, and wait for the head of the answer."""
        rounds = [0] * number

        async def one(index: int) -> None:
            if not (stream := await self.connect()):
                return
            reader, writer = stream
            try:
                writer.write(make(index, rounds[index]))
                rounds[index] += 1
                with suppress(OSError, TimeoutError):
                    await asyncio.wait_for(writer.drain(), FLUSH_SECONDS)
                await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), min(15, self.left + 2))
            finally:
                writer.close()

        await self.many(number, one)

    async def hold(self, number: int, first: bytes, drip: bytes = b"", every: float = 0.5) -> None:
        """Hold connections, and send a little now and then."""

        async def one(_: int) -> None:
            if not (stream := await self.connect()):
                return
            reader, writer = stream
            try:
                writer.write(first)
                while self.left > 0:
                    with suppress(TimeoutError):
                        if not await asyncio.wait_for(reader.read(65_536), every):
                            return
                    writer.write(drip)
                    await asyncio.wait_for(writer.drain(), FLUSH_SECONDS)
            finally:
                writer.close()

        await self.many(number, one)

    async def pipeline(self, number: int) -> None:
        """Send requests without waiting for answers."""
        several = get("/health") * 50

        async def one(_: int) -> None:
            if not (stream := await self.connect()):
                return
            reader, writer = stream

            async def send() -> None:
                while self.left > 0:
                    writer.write(several)
                    await writer.drain()

            async def take() -> None:
                while self.left > 0 and await asyncio.wait_for(reader.read(262_144), 20):
                    pass

            tasks = [asyncio.create_task(send()), asyncio.create_task(take())]
            await asyncio.wait(tasks, return_when="FIRST_COMPLETED", timeout=max(0.1, self.left))
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            writer.close()

        await self.many(number, one)

    async def silent(self, number: int, request: bytes) -> None:
        """Ask, and read nothing."""
        lines = []
        for _ in range(number):
            if stream := await self.connect():
                stream[1].transport.pause_reading()  # type: ignore[attr-defined]
                stream[1].write(request)
                lines.append(stream[1])
        await asyncio.sleep(max(0, self.left))
        for writer in lines:
            writer.transport.abort()


def get(path: str, *lines: bytes) -> bytes:
    """Return a request."""
    return b"".join([b"GET ", path.encode(), b" HTTP/1.1\r\n", HOST, *lines, b"\r\n"])


def post(body: bytes, length: int = 0) -> bytes:
    """Return a request with a body, which may say another length."""
    size = b"Content-Length: %d\r\n" % (length or len(body))
    return b"POST /api/v1/jobs HTTP/1.1\r\n" + HOST + JSON + size + b"\r\n" + body


CHUNKED = b"POST /api/v1/jobs HTTP/1.1\r\n" + HOST + JSON + b"Transfer-Encoding: chunked\r\n\r\n"
DEEP = (
    b"[" * 500_000,
    b'{"a":' * 100_000,
    b"[" * 250_000 + b"]" * 250_000,
    b"1" * 500_000,
    b'{"a": 1e' + b"9" * 400_000 + b"}",
    json.dumps({"a": "\ud800" * 40_000}).encode(),
    b"[" * 30_000 + b"]" * 30_000,
    b'{"a":' * 10_000,
)
HUGE = (
    get("/health", b"X: " + b"y" * 60_000 + b"\r\n"),
    get("/health", b"X: " + b"y" * 1_000_000 + b"\r\n"),
    get("/health", b"X: y\r\n" * 10_000),
    get("/" + "a" * 60_000),
    get("/health", b"Cookie: " + b"a=b; " * 12_000 + b"\r\n"),
)
YEARS = ("dates=1583..9999", "dates=1600..1990", "year=1583", "year=9999", "dates=all", "year=0")
BIG = get("/api/v1/puzzles/rhombus/counts?all_reveals=true&format=csv")


def board(index: int, number: int) -> str:
    """Return one board after the other."""
    return BOARDS[(index + number) % len(BOARDS)]


def remaining(index: int, number: int) -> bytes:
    """Return a question for a worker."""
    where = f"date=2025-{1 + number % 12:02d}-{1 + number % 28:02d}"
    return get(f"{API}{BOARDS[(index + number) % 4]}/hint?{where}")


ATTACKS: dict[str, Callable[[Attack], Coroutine[Any, Any, None]]] = {
    "200 idle": lambda a: a.hold(200, b"", every=1),
    "1,500 idle": lambda a: a.hold(1500, b"", every=1),
    "200 slow heads": lambda a: a.hold(200, b"GET /health HTTP/1.1\r\n" + HOST, b"X-A: 1\r\n"),
    "200 slow bodies": lambda a: a.hold(200, post(b"", 60_000), b" "),
    "pipelining, 30": lambda a: a.pipeline(30),
    "pipelining, 100": lambda a: a.pipeline(100),
    "endless trailers": lambda a: a.hold(
        100, CHUNKED + b"1\r\n1\r\n0\r\n", b"X-T: 1\r\n" * 100, 0.05
    ),
    "endless chunks": lambda a: a.hold(100, CHUNKED, b"1\r\n1\r\n" * 1000, 0.05),
    "huge heads": lambda a: a.loop(30, lambda i, k: HUGE[(i + k) % len(HUGE)]),
    "deep JSON": lambda a: a.loop(12, lambda i, k: post(DEEP[(i + k) % len(DEEP)])),
    "bodies of 40 MB": lambda a: a.loop(
        20,
        lambda i, _: post(bytes(40 * 2**20)) if i < 10 else post(bytes(600_000), 10**12),
    ),
    "100 do not read": lambda a: a.silent(100, BIG),
    "100 pipeline and do not read": lambda a: a.silent(100, BIG * 200),
    "all boards": lambda a: a.loop(
        20, lambda i, k: get(f"{API}{board(i, k)}/counts?year={1600 + (k * 7 + i) % 8000}")
    ),
    "years 1583 to 9999": lambda a: a.loop(
        20, lambda i, k: get(f"{API}{BOARDS[i % 7]}/counts?{YEARS[(i + k) % len(YEARS)]}")
    ),
    "20 ask for hints": lambda a: a.loop(20, remaining),
}


async def attack(name: str, seconds: float, port: int) -> None:
    """Attack a port for some seconds."""
    with suppress(TimeoutError):
        await asyncio.wait_for(ATTACKS[name](Attack(port, seconds)), seconds + 20)


if __name__ == "__main__":
    os.nice(10)
    asyncio.run(attack(sys.argv[1], float(sys.argv[2]), int(sys.argv[3])))
