"""Load on a running service: ``python -m benchmarks.load``, requests for ``remaining`` counts.

Requests are due at fixed times, whether or not the answers before have come; a latency runs from
the time at which a request was due. Then as many as possible are sent.
"""

from __future__ import annotations

import argparse
import asyncio
import datetime
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote, urlsplit

import psutil

from benchmarks.measure import RESULTS, ROOT, machine, table
from satcal.diagram.puzzle import open_diagram
from satcal.puzzle.loading import load

BOARDS = ("rhombus", "a-puzzle-a-day")
YEAR = 2025
COLUMNS = (
    "",
    "requests",
    "errors",
    "median ms",
    "99 % ms",
    "slowest ms",
    "a second",
    "MiB at rest",
    "MiB at the end",
)
HEAD = """\
# The service under load

Written by `python -m benchmarks.load`: `remaining` counts of mixed dates of {boards}, {rate}
requests a second from 50 connections on loopback, each due at its time; then as many as are
answered, from 20. Memory is the proportional set of all processes, before the first request and at
the end. Load generator and server share the cores with other work.

- date: {date}
- machine: {machine}; load average: {load}

"""


@dataclass
class Measured:
    """A server, and what its requests took in milliseconds."""

    url: str
    process: psutil.Process
    latencies: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    rates: list[float] = field(default_factory=list)
    at_rest: float = 0

    def memory(self) -> float:
        """Return the resident memory of the server and its children in MiB."""
        family = [self.process, *self.process.children(recursive=True)]
        return float(sum(each.memory_full_info().pss for each in family)) / 2**20


def requests(number: int, seed: int) -> list[str]:
    """Return paths of mixed dates and boards, on which some pieces of a solution lie."""
    generator = random.Random(seed)
    days = [datetime.date(YEAR, 1, 1) + datetime.timedelta(n) for n in range(365)]
    found = []
    for board in BOARDS:
        puzzle = load(board)
        diagram = open_diagram(puzzle, list(puzzle.reveals()))
        for day in generator.sample(days, 60):
            reveal = puzzle.calendar.reveal(day)
            total = diagram.count(reveal)
            found.append((board, day, diagram.tiling(generator.randrange(total), reveal)))
    paths = []
    for _ in range(number):
        board, day, tiling = generator.choice(found)
        placed = generator.sample(list(tiling), generator.randrange(1, 4))
        where = "".join(f"&place={quote(str(each))}" for each in placed)
        paths.append(f"/api/v1/puzzles/{board}/remaining?date={day}{where}")
    return paths


async def connection(
    server: Measured, due: asyncio.Queue[tuple[float, str] | None], keep: bool
) -> None:
    """Send what is due on one connection, and note what it took."""
    address = urlsplit(server.url)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    while (item := await due.get()) is not None:
        when, path = item
        writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        head = await reader.readuntil(b"\r\n\r\n")
        length = re.search(rb"content-length: (\d+)", head)
        await reader.readexactly(int(length[1]) if length else 0)
        if keep:
            server.latencies.append((time.perf_counter() - when) * 1000)
        if not head.startswith(b"HTTP/1.1 200 "):
            server.errors.append(f"{head.split(b' ')[1].decode()} {path}")
    writer.close()


async def fire(server: Measured, paths: list[str], rate: float, connections: int) -> None:
    """Send requests at a rate, or for a rate of 0 as fast as they are answered."""
    due: asyncio.Queue[tuple[float, str] | None] = asyncio.Queue()
    workers = [
        asyncio.create_task(connection(server, due, keep=rate > 0)) for _ in range(connections)
    ]
    begun = time.perf_counter()
    for number, path in enumerate(paths):
        when = begun + (number / rate if rate else 0)
        if rate:
            await asyncio.sleep(max(0.0, when - time.perf_counter()))
        due.put_nowait((when, path))
    for _ in workers:
        due.put_nowait(None)
    await asyncio.gather(*workers)
    if not rate:
        server.rates.append(len(paths) / (time.perf_counter() - begun))


@contextmanager
def serving(folder: Path) -> Iterator[Measured]:
    """Run a server."""
    command = [sys.executable, "-m", "satcal", "serve", "--port", "0", "--store", "store.sqlite"]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "SATCAL_CACHE": str(folder / "cache")}
    process = subprocess.Popen(
        command, cwd=folder, env=environment, text=True, stderr=subprocess.PIPE
    )
    assert process.stderr is not None
    found = re.search(r"http://\S+?(?=/ )", process.stderr.readline())
    assert found is not None
    try:
        yield Measured(found[0], psutil.Process(process.pid))
    finally:
        process.terminate()
        process.wait(30)


async def measure(server: Measured, rounds: int, seconds: float, rate: float) -> None:
    """Measure a server that has built what it needs."""
    server.at_rest = server.memory()
    await fire(server, requests(round(3 * rate), 0), 0, 10)
    server.rates.clear()
    for number in range(rounds):
        paths = requests(round(seconds * rate), 1 + number)
        await fire(server, paths, rate, 50)
        await fire(server, paths[: round(3 * rate)], 0, 20)


def report(server: Measured, rate: float) -> str:
    """Return the figures as Markdown."""
    ordered = sorted(server.latencies)
    late = ordered[int(0.99 * len(ordered))]
    cells = [
        f"{len(ordered):,}",
        f"{len(server.errors)}",
        f"{statistics.median(ordered):.2f}",
        f"{late:.1f}",
        f"{ordered[-1]:.0f}",
        f"{statistics.median(server.rates):.0f}",
        f"{server.at_rest:.0f}",
        f"{server.memory():.0f}",
    ]
    return HEAD.format(
        boards=" and ".join(BOARDS),
        rate=f"{rate:g}",
        date=datetime.date.today(),
        machine=machine(),
        load=f"{os.getloadavg()[2]:.0f}",
    ) + table(COLUMNS, [["", *cells]])


def main() -> None:
    """Measure, and write the figures."""
    parser = argparse.ArgumentParser(prog="benchmarks.load", description=__doc__)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--seconds", type=float, default=10, help="of each round")
    parser.add_argument("--rate", type=float, default=100)
    parser.add_argument("--output", type=Path, default=RESULTS, help="folder for load.md")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as server:
        asyncio.run(measure(server, chosen.rounds, chosen.seconds, chosen.rate))
        text = report(server, chosen.rate)
    for error in server.errors[:5]:
        print(error, file=sys.stderr)
    (chosen.output / "load.md").write_text(text)


if __name__ == "__main__":
    main()
