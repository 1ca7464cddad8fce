"""Load on a running service: 300 requests a second from 50 connections, without and with a SAT job.

Requests are due at fixed times, whether or not the answers before have come; a latency runs
from the time at which a request was due. Run it with

    python -m benchmarks.load --seconds 60 --output results/benchmarks

The target, 99 % of the remaining counts within 50 ms, wants an idle machine and

    python -m benchmarks.load --only remaining --output results/benchmarks
"""

from __future__ import annotations

import argparse
import asyncio
import datetime
import json
import os
import platform
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import psutil

import satcal
from satcal.diagram.puzzle import open_diagram
from satcal.service.queue import NICE

BOARDS = ("rhombus", "a-puzzle-a-day")
YEAR = 2025
ASKED = ("counts", "remaining", "remaining", "hint", "tilings", "random")
# takes longer than any measurement
JOB = {"kind": "count", "puzzle": "weekday", "method": "sat", "reveals": []}


def requests(number: int, seed: int, asked: Sequence[str]) -> list[str]:
    """Return paths: what is asked of mixed dates, boards partly filled or empty."""
    generator = random.Random(seed)
    days = [datetime.date(YEAR, 1, 1) + datetime.timedelta(n) for n in range(365)]
    made: list[tuple[str, datetime.date, tuple[satcal.Placement, ...]]] = []
    for board in BOARDS:
        puzzle = satcal.load(board)
        diagram = open_diagram(puzzle, list(puzzle.reveals()))
        for day in generator.sample(days, 120):
            reveal = puzzle.reveal(day)
            if diagram.count(reveal):
                made += [(board, day, diagram.random(generator, reveal)) for _ in range(3)]
    return [
        _path(generator, generator.choice(asked), *generator.choice(made)) for _ in range(number)
    ]


def _path(
    generator: random.Random,
    asked: str,
    board: str,
    day: datetime.date,
    tiling: tuple[satcal.Placement, ...],
) -> str:
    placed = generator.sample(tiling, generator.randrange(4))
    where = "".join(f"&place={quote(str(each))}" for each in placed)
    path = f"/api/v1/puzzles/{board}/"
    if asked == "counts":
        return f"{path}counts?date={day}"
    if asked == "tilings":
        return f"{path}tilings?date={day}&limit=5{where}"
    if asked == "random":
        return f"{path}tilings/random?date={day}&seed={generator.randrange(10**9)}{where}"
    return f"{path}{asked}?date={day}{where}"


async def fire(url: str, paths: list[str], rate: float, connections: int) -> dict[str, Any]:
    """Send the requests, each at its time; return latencies in milliseconds and errors."""
    address = urlsplit(url)
    due: asyncio.Queue[tuple[float, str] | None] = asyncio.Queue()
    latencies: list[float] = []
    errors: list[str] = []

    async def connection() -> None:
        reader, writer = await asyncio.open_connection(address.hostname, address.port)
        while (item := await due.get()) is not None:
            when, path = item
            writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            head = await reader.readuntil(b"\r\n\r\n")
            length = re.search(rb"content-length: (\d+)", head)
            await reader.readexactly(int(length[1]) if length else 0)
            latencies.append((time.perf_counter() - when) * 1000)
            if not head.startswith(b"HTTP/1.1 200 "):
                errors.append(f"{head.split(b' ')[1].decode()} {path}")
        writer.close()

    workers = [asyncio.create_task(connection()) for _ in range(connections)]
    begun = time.perf_counter()
    for number, path in enumerate(paths):
        when = begun + number / rate
        await asyncio.sleep(max(0.0, when - time.perf_counter()))
        due.put_nowait((when, path))
    for _ in workers:
        due.put_nowait(None)
    await asyncio.gather(*workers)
    seconds = time.perf_counter() - begun
    return {"latencies": latencies, "errors": errors, "seconds": seconds}


def figures(found: dict[str, Any], memory: list[float], cpu: float) -> dict[str, Any]:
    """Return what is told of a run; times in milliseconds, memory in MiB, CPU in seconds."""
    ordered = sorted(found["latencies"])
    return {
        "requests": len(ordered),
        "errors": len(found["errors"]),
        "rate": round(len(ordered) / found["seconds"], 1),
        "median_ms": round(statistics.median(ordered), 2),
        "p95_ms": round(ordered[int(0.95 * len(ordered))], 2),
        "p99_ms": round(ordered[int(0.99 * len(ordered))], 2),
        "most_ms": round(ordered[-1], 1),
        "cpu_ms": round(cpu * 1000 / len(ordered), 2),
        "memory_mib": [round(each) for each in memory],
    }


def family(process: psutil.Process) -> list[psutil.Process]:
    """Return a process and its children, jobs left out."""
    every = [process, *process.children(recursive=True)]
    return [each for each in every if each.nice() < process.nice() + NICE]


def resident(process: psutil.Process) -> float:
    """Return the resident memory of a process and its children in MiB."""
    return float(sum(each.memory_info().rss for each in family(process))) / 2**20


def busy(process: psutil.Process) -> float:
    """Return the CPU seconds of a process and its children so far."""
    return float(sum(sum(each.cpu_times()[:2]) for each in family(process)))


def serve(folder: Path) -> tuple[subprocess.Popen[str], str]:
    """Start a server; return it and its address."""
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "satcal",
            "serve",
            "--port",
            "0",
            "--store",
            str(folder / "store.sqlite"),
        ],
        env=os.environ | {"SATCAL_CACHE": str(folder / "cache")},
        text=True,
        stderr=subprocess.PIPE,
    )
    assert process.stderr is not None
    found = re.search(r"http://\S+?(?=/ )", process.stderr.readline())
    assert found is not None
    return process, found[0]


async def measure(
    url: str, server: int, seconds: float, rate: float, connections: int, asked: Sequence[str]
) -> Any:
    """Return the figures without and with a SAT job beside the requests."""
    import httpx

    process = psutil.Process(server)
    async with httpx.AsyncClient(base_url=url, timeout=120) as client:
        for board in BOARDS:
            (await client.get(f"/api/v1/puzzles/{board}/counts")).raise_for_status()
        # in a server's first second answers take up to 0.4 s: much is loaded, once
        await fire(url, requests(round(3 * rate), 0, asked), rate, connections)
        result = {}
        for name, seed in (("alone", 1), ("beside a SAT job", 2)):
            paths = requests(round(seconds * rate), seed, asked)
            job = None
            if seed == 2:
                reveals = [list(r) for r in list(satcal.load("weekday").reveals())[:2000]]
                said = await client.post("/api/v1/jobs", json=JOB | {"reveals": reveals})
                job = said.raise_for_status().json()["id"]
                await asyncio.sleep(2)
            memory = [resident(process)]
            parts = []
            before = busy(process)
            for part in range(3):  # to see whether memory grows
                third = len(paths) // 3
                parts.append(
                    await fire(url, paths[part * third : (part + 1) * third], rate, connections)
                )
                memory.append(resident(process))
            cpu = busy(process) - before
            if job is not None:
                state = (await client.get(f"/api/v1/jobs/{job}")).json()["state"]
                assert state == "running", "the job ended too early to be beside anything"
                await client.delete(f"/api/v1/jobs/{job}")
            together = {
                "latencies": [each for part in parts for each in part["latencies"]],
                "errors": [each for part in parts for each in part["errors"]],
                "seconds": sum(part["seconds"] for part in parts),
            }
            for error in together["errors"][:5]:
                print(error, file=sys.stderr)
            result[name] = figures(together, memory, cpu)
        return result


def report(result: dict[str, Any], rate: float, connections: int, asked: Sequence[str]) -> str:
    """Return the figures as Markdown."""
    kinds = ", ".join(dict.fromkeys(asked))
    lines = [
        f"# The service under load{'' if ', ' in kinds else f': {kinds}'}",
        "",
        f"`python -m benchmarks.load`: {rate:g} requests a second from {connections} "
        f"connections on loopback, each due at its time; {kinds} of mixed "
        f"dates of {' and '.join(BOARDS)}, from built diagrams, three seconds after "
        "the first. Load generator, server and the processes of the diagrams share"
        f" {os.cpu_count()} cores of one machine ({platform.machine()}). *CPU* is that of the "
        "server and of the diagrams' processes.",
        "",
        "| | requests | errors | a second | median | 95 % | 99 % | slowest | CPU a request | "
        "memory, at the start and after each third |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for name, each in result.items():
        memory = ", ".join(map(str, each["memory_mib"]))
        lines.append(
            f"| {name} | {each['requests']:,} | {each['errors']} | {each['rate']} | "
            f"{each['median_ms']} ms | {each['p95_ms']} ms | {each['p99_ms']} ms | "
            f"{each['most_ms']} ms | {each['cpu_ms']} ms | {memory} MiB |"
        )
    return "\n".join([*lines, ""])


def main() -> None:
    """Measure, and write the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--rate", type=float, default=300)
    parser.add_argument("--connections", type=int, default=50)
    parser.add_argument("--only", choices=sorted(set(ASKED)), help="ask nothing else")
    parser.add_argument("--output", type=Path, help="folder for load.md or load-remaining.md, …")
    chosen = parser.parse_args()
    asked = (chosen.only,) if chosen.only else ASKED
    with tempfile.TemporaryDirectory() as folder:
        process, url = serve(Path(folder))
        try:
            result = asyncio.run(
                measure(url, process.pid, chosen.seconds, chosen.rate, chosen.connections, asked)
            )
        finally:
            process.terminate()
            process.wait(30)
    text = report(result, chosen.rate, chosen.connections, asked)
    print(text)
    if chosen.output:
        name = f"load-{chosen.only}" if chosen.only else "load"
        (chosen.output / f"{name}.md").write_text(text)
        (chosen.output / f"{name}.json").write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
