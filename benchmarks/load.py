"""Load on a running service: ``python -m benchmarks.load``, requests for counts.

Requests are due at fixed times, whether or not the answers before have come; a latency runs from
the time at which a request was due. Then as many as possible are sent. At the end, a polite client
asks with and without attacks of :mod:`benchmarks.attacks`.
"""

from __future__ import annotations

import argparse
import asyncio
import datetime
import json
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

from benchmarks.attacks import TOKEN, WORK
from benchmarks.measure import RESULTS, ROOT, machine, table
from satcal.diagram.puzzle import open_diagram
from satcal.puzzle.loading import load
from satcal.service.boards import name_posted

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
ATTACK_COLUMNS = (
    "attack",
    "its requests",
    "polite requests",
    "unanswered",
    "99 % ms without",
    "99 % ms with",
    "lost by the owner",
)
ATTACK_SECONDS = 6
PATIENCE = 20  # seconds after which a polite request counts as unanswered
POLITE_RATE = 10  # requests a second
ATTACK_HEAD = f"""
## Under attack

A polite client asks {POLITE_RATE} times a second, {ATTACK_SECONDS} s without and then
{ATTACK_SECONDS} s with each attack (`benchmarks/attacks.py`), each on a new server with `--public`.
A request is unanswered after {PATIENCE} s. *Lost by the owner*: posted boards and jobs that the
attack removed or failed.

"""
HEAD = """\
# The service under load

Written by `python -m benchmarks.load`: counts of mixed dates of {boards} with placed pieces, {rate}
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
        paths.append(f"/api/v1/puzzles/{board}/counts?date={day}{where}")
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


async def ask(url: str, path: str, method: str = "GET", body: str = "") -> bytes:
    """Return the answer to a request of the owner, or of anyone, on a connection of its own."""
    address = urlsplit(url)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    head += f"Authorization: Bearer {TOKEN}\r\nContent-Type: application/json\r\n"
    writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n{body}".encode())
    try:
        return await reader.read()
    finally:
        writer.close()


async def ask_politely(
    url: str, paths: list[str], patience: float = PATIENCE
) -> tuple[list[float], int]:
    """Return the milliseconds that the answers took, in order, and the number of missing ones."""
    took, missing = list[float](), 0

    async def one(path: str) -> None:
        nonlocal missing
        begun = time.perf_counter()
        try:
            async with asyncio.timeout(patience):
                missing += not (await ask(url, path)).startswith(b"HTTP/1.1 200 ")
        except (OSError, TimeoutError):
            missing += 1
        took.append((time.perf_counter() - begun) * 1000)

    tasks = []
    for path in paths:
        tasks.append(asyncio.create_task(one(path)))
        await asyncio.sleep(1 / POLITE_RATE)
    await asyncio.gather(*tasks)
    return sorted(took), missing


async def measure_attack(server: Measured, name: str) -> list[str]:
    """Return the row of an attack."""
    definition = 'board = "* * * *"\n[pieces]\nI4 = "####"'
    await ask(server.url, "/api/v1/puzzles", "POST", json.dumps({"definition": definition}))
    board = name_posted(definition)
    job = {"kind": "count", "puzzle": board, "method": "sat"}
    await ask(server.url, "/api/v1/jobs", "POST", json.dumps(job))
    paths = requests(POLITE_RATE * ATTACK_SECONDS, 0)
    for path in paths:  # every worker reads the diagrams once
        await ask(server.url, path)
    calm, _ = await ask_politely(server.url, paths)
    port, module = urlsplit(server.url).port, "benchmarks.attacks"
    attacker = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", module, name, str(port), str(ATTACK_SECONDS)),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
    )
    took, missing = await ask_politely(server.url, paths)
    sent, _ = await attacker.communicate()
    lost = int(b" 404 " in (await ask(server.url, f"/api/v1/puzzles/{board}"))[:20])
    lost += (await ask(server.url, "/api/v1/jobs")).count(b'"state":"failed"')
    late = [f"{each[int(0.99 * len(each))]:.0f}" for each in (calm, took)]
    return [name, f"{int(sent):,}", f"{len(took)}", f"{missing}", *late, f"{lost}"]


def report_attacks() -> str:
    """Measure all attacks; return the figures as Markdown."""
    rows = []
    for name in WORK:
        options = "--public", "--token", TOKEN
        with tempfile.TemporaryDirectory() as folder, serving(Path(folder), *options) as server:
            rows.append(asyncio.run(measure_attack(server, name)))
            print(*rows[-1], sep=" | ", file=sys.stderr)
    return ATTACK_HEAD + table(ATTACK_COLUMNS, rows)


@contextmanager
def serving(folder: Path, *options: str) -> Iterator[Measured]:
    """Run a server."""
    command = [sys.executable, "-m", "satcal", "serve", "--port", "0", "--store", "store.sqlite"]
    command += options
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
    parser.add_argument("--attacks", action="store_true", help="only print the attacks")
    parser.add_argument("--output", type=Path, default=RESULTS, help="folder for load.md")
    chosen = parser.parse_args()
    if chosen.attacks:
        print(report_attacks())
        return
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as server:
        asyncio.run(measure(server, chosen.rounds, chosen.seconds, chosen.rate))
        text = report(server, chosen.rate)
    text += report_attacks()
    for error in server.errors[:5]:
        print(error, file=sys.stderr)
    (chosen.output / "load.md").write_text(text)


if __name__ == "__main__":
    main()
