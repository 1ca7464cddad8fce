"""Attacks by strangers on a running service, each on connections to this machine.

``python -m benchmarks.attacks NAME PORT SECONDS`` runs one and prints the number of its requests.
:mod:`benchmarks.load` measures what a polite client notices of ``WORK``; the long tests run
``CONNECTIONS``. Each attack is bounded in time and in its number of connections.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress

from satcal.puzzle.loading import library_text

TOKEN = "a-token-of-22-letters."
API = "/api/v1"
FLUSH_SECONDS = 10
ANSWER_SECONDS = 15
Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Attack:
    """Connections to one port until some time is up, or ``limit`` requests are ``sent``."""

    def __init__(self, port: int, seconds: float) -> None:
        self.port, self.until = port, time.monotonic() + seconds
        self.sent, self.limit = 0, 10_000

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

    async def repeat(self, number: int, one: Callable[[int, Stream], Awaitable[None]]) -> None:
        """Do something with new connections, ``number`` at a time, again and again."""

        async def go_on(index: int) -> None:
            while self.left > 0 and self.sent < self.limit:
                with suppress(OSError, TimeoutError, asyncio.IncompleteReadError):
                    if stream := await self.connect():
                        try:
                            await one(index, stream)
                        finally:
                            stream[1].close()

        await asyncio.gather(*map(go_on, range(number)))

    async def ask(
        self, number: int, make: Callable[[int], bytes], stays: bool = True, limit: int = 10_000
    ) -> None:
        """Send requests, each on a connection of its own; with ``stays`` wait for their answers."""
        self.limit = limit

        async def one(_: int, stream: Stream) -> None:
            reader, writer = stream
            self.sent += 1
            writer.write(make(self.sent))
            with suppress(OSError, TimeoutError):
                await asyncio.wait_for(writer.drain(), FLUSH_SECONDS)
            if stays:
                await asyncio.wait_for(
                    reader.readuntil(b"\r\n\r\n"), min(ANSWER_SECONDS, self.left + 2)
                )

        await self.repeat(number, one)

    async def hold(self, number: int, first: bytes, drip: bytes = b"", every: float = 0.5) -> None:
        """Hold connections, and send a little now and then."""

        async def one(_: int, stream: Stream) -> None:
            reader, writer = stream
            writer.write(first)
            while self.left > 0:
                with suppress(TimeoutError):
                    if not await asyncio.wait_for(reader.read(65_536), every):
                        return
                writer.write(drip)
                await asyncio.wait_for(writer.drain(), FLUSH_SECONDS)

        await self.repeat(number, one)

    async def pipeline(self, number: int) -> None:
        """Send requests without waiting for answers."""
        several = get("/health") * 50

        async def one(_: int, stream: Stream) -> None:
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

        await self.repeat(number, one)

    async def read_nothing(self, number: int, request: bytes) -> None:
        """Ask, and read no answer."""
        lines = []
        for _ in range(number):
            if stream := await self.connect():
                stream[1].transport.pause_reading()  # type: ignore[attr-defined]
                stream[1].write(request)
                lines.append(stream[1])
        await asyncio.sleep(max(0, self.left))
        for writer in lines:
            writer.transport.abort()


def get(path: str, *headers: str) -> bytes:
    """Return a request."""
    return "\r\n".join([f"GET {path} HTTP/1.1", "Host: localhost", *headers, "", ""]).encode()


def post(path: str, body: bytes, *headers: str, length: int | None = None) -> bytes:
    """Return a request with a JSON body, which may announce another length."""
    size = len(body) if length is None else length
    lines = [f"POST {path} HTTP/1.1", "Host: localhost", "Content-Type: application/json"]
    return "\r\n".join([*lines, f"Content-Length: {size}", *headers, "", ""]).encode() + body


def post_object(path: str, body: object, *headers: str) -> bytes:
    """Return a request with an object as JSON."""
    return post(path, json.dumps(body).encode(), *headers)


OWNER = f"Authorization: Bearer {TOKEN}"
BOARD = """board = "* * * *\\n* * * *"
[pieces]
L4 = { shape = "###\\n#..", copies = 2 }
"""
UPLOAD = post(f"{API}/puzzles", b"", length=524_288)
EXPORT = get(f"{API}/puzzles/sh1ura-11/export?open=true&encoding=plain&format=dimacs")
DATES = [f"2025-{1 + n % 12:02d}-{1 + n % 28:02d}" for n in range(336)]
POSTED = "# posted\n" + library_text("weekday")


BOARDS = ("rhombus", "weekday", "a-puzzle-a-day", "tetromino", "sh1ura-9", "sh1ura-10", "sh1ura-11")
JOBS = f"{API}/jobs"
CHUNKED = (
    f"POST {JOBS} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    "Transfer-Encoding: chunked\r\n\r\n"
).encode()
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
    get("/health", "X: " + "y" * 60_000),
    get("/health", "X: " + "y" * 1_000_000),
    get("/health", *["X: y"] * 10_000),
    get("/" + "a" * 60_000),
    get("/health", "Cookie: " + "a=b; " * 12_000),
)
YEARS = ("1583..9999", "1600..1990", "1583", "9999", "all", "0")
LARGE = get(f"{API}/puzzles/rhombus/counts.csv")


def hint(board: str, number: int) -> bytes:
    """Return a question for a worker."""
    return get(f"{API}/puzzles/{board}/hint?date={DATES[number % len(DATES)]}")


def count(board: str, dates: str) -> bytes:
    """Return a request for counts."""
    return get(f"{API}/puzzles/{board}/counts?date={dates}")


async def count_posted(attack: Attack) -> None:
    """Count the dates of a board that the owner has posted."""
    from satcal.service.boards import name_posted

    await Attack(attack.port, 60).ask(
        1, lambda _: post_object(f"{API}/puzzles", {"definition": POSTED}, OWNER), limit=1
    )
    name = name_posted(POSTED)
    await attack.ask(8, lambda n: count(name, DATES[n % len(DATES)]))


Kind = Callable[[Attack], Awaitable[None]]
WORK: dict[str, Kind] = {
    "leave an export": lambda a: a.ask(12, lambda _: EXPORT, stays=False),
    "leave hints": lambda a: a.ask(12, lambda n: hint("rhombus", n), stays=False),
    "wait for an export": lambda a: a.ask(20, lambda _: EXPORT),
    "post boards": lambda a: a.ask(
        12,
        lambda n: post_object(f"{API}/puzzles", {"definition": f"# {n}\n{BOARD}"}),
        limit=1_000,
    ),
    "announce uploads": lambda a: a.ask(4, lambda _: UPLOAD),
    "count a posted board": count_posted,
    "250 jobs at once": lambda a: a.ask(
        250, lambda _: post_object(JOBS, {"kind": "count", "puzzle": "tetromino"}, OWNER), limit=250
    ),
    "first claims at once": lambda a: a.ask(5, lambda _: get(f"{API}/claims", OWNER), limit=5),
}
"""What costs the server work."""
CONNECTIONS: dict[str, Kind] = {
    "200 idle": lambda a: a.hold(200, b"", every=1),
    "1,500 idle": lambda a: a.hold(1500, b"", every=1),
    "200 slow heads": lambda a: a.hold(
        200, b"GET /health HTTP/1.1\r\nHost: localhost\r\n", b"X-A: 1\r\n"
    ),
    "200 slow bodies": lambda a: a.hold(200, post(JOBS, b"", length=60_000), b" "),
    "pipelining, 30": lambda a: a.pipeline(30),
    "pipelining, 100": lambda a: a.pipeline(100),
    "endless trailers": lambda a: a.hold(
        100, CHUNKED + b"1\r\n1\r\n0\r\n", b"X-T: 1\r\n" * 100, 0.05
    ),
    "endless chunks": lambda a: a.hold(100, CHUNKED, b"1\r\n1\r\n" * 1000, 0.05),
    "huge heads": lambda a: a.ask(30, lambda n: HUGE[n % len(HUGE)]),
    "deep JSON": lambda a: a.ask(12, lambda n: post(JOBS, DEEP[n % len(DEEP)])),
    "bodies of 40 MB": lambda a: a.ask(
        20,
        lambda n: (
            post(JOBS, bytes(40 * 2**20)) if n % 2 else post(JOBS, bytes(600_000), length=10**12)
        ),
    ),
    "100 do not read": lambda a: a.read_nothing(100, LARGE),
    "100 pipeline and do not read": lambda a: a.read_nothing(100, LARGE * 200),
    "all boards": lambda a: a.ask(
        20, lambda n: count(BOARDS[n % len(BOARDS)], f"{1600 + 7 * n % 8000}")
    ),
    "years 1583 to 9999": lambda a: a.ask(
        20, lambda n: count(BOARDS[n % len(BOARDS)], YEARS[n % len(YEARS)])
    ),
    "20 ask for hints": lambda a: a.ask(20, lambda n: hint(BOARDS[n % 4], n)),
}
"""What takes connections, memory or time before a request is understood."""
ATTACKS = WORK | CONNECTIONS


async def main(name: str, port: int, seconds: float) -> None:
    """Attack a port for some seconds; print the number of requests."""
    attack = Attack(port, seconds)
    with suppress(TimeoutError):
        await asyncio.wait_for(ATTACKS[name](attack), seconds + 20)
    print(attack.sent)


if __name__ == "__main__":
    os.nice(10)
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3])))
