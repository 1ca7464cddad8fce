"""What strangers send who mean harm to a server, and what its supervisor sees meanwhile."""

from __future__ import annotations

import multiprocessing
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from pathlib import Path

import httpx
import psutil

from helpers.servers import Server

HOST = b"Host: puzzles.example\r\n"
POST = b"POST /api/v1/puzzles HTTP/1.1\r\n" + HOST + b"Content-Type: application/json\r\n"
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"
REMAINING = b"GET /api/v1/puzzles/rhombus/remaining?date=2025-10-23 HTTP/1.1\r\n" + HOST + b"\r\n"


def sent_once(*parts: bytes) -> Callable[[socket.socket, threading.Event], None]:
    def send(line: socket.socket, done: threading.Event) -> None:
        line.settimeout(1)
        with suppress(TimeoutError):  # what is not read stays in the network
            line.sendall(b"".join(parts))
        done.wait()

    return send


def sent_for_ever(
    head: bytes, more: bytes, pause: float = 0
) -> Callable[[socket.socket, threading.Event], None]:
    def send(line: socket.socket, done: threading.Event) -> None:
        line.settimeout(1)
        line.sendall(head)
        while not done.wait(pause):
            with suppress(TimeoutError):
                line.sendall(more)

    return send


ATTACKS = {
    "trailers": (1, sent_for_ever(CHUNKED + b"2\r\n{}\r\n0\r\n", b"a:b\r\n" * 10_000)),
    "tiny chunks": (30, sent_for_ever(CHUNKED, b"1\r\nx\r\n" * 10_000)),
    "pipelining, 30 connections": (30, sent_once(REMAINING * 3_000)),
    "pipelining, 100 connections": (100, sent_once(REMAINING * 3_000)),
    "pipelining of what is refused": (
        100,
        sent_once(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n" * 12_000),
    ),
    "slow heads": (200, sent_for_ever(b"GET / HTTP/1.1\r\nHost: puz", b"a", 0.3)),
    "heads of many lines": (100, sent_for_ever(b"", b"GET / HTTP/1.1\r\n" + b"a:b\r\n" * 50_000)),
    "heads without an end": (100, sent_for_ever(b"GET /", b"x" * 300_000)),
    "many connections": (600, sent_once(b"")),
    "huge bodies": (
        30,
        sent_for_ever(POST + b"Content-Length: 9999999999\r\n\r\n", b"x" * 300_000),
    ),
    "huge bodies of questions": (
        30,
        sent_for_ever(
            b"GET / HTTP/1.1\r\n" + HOST + b"Content-Length: 9999999999\r\n\r\n", b"x" * 300_000
        ),
    ),
    "deep bodies": (
        30,
        sent_once(POST + b"Content-Length: 500000\r\n\r\n" + b"[" * 500_000),
    ),
    "bodies of unfinished texts": (
        30,
        sent_once(
            POST + b'Content-Length: 400018\r\n\r\n{"definition": "' + b'\\"' * 200_000 + b'"}'
        ),
    ),
    "certificates": (
        30,
        sent_for_ever(
            b"POST /api/v1/certificates HTTP/1.1\r\n" + HOST + b"Content-Length: 30000000\r\n\r\n",
            b"x" * 300_000,
        ),
    ),
}


@contextmanager
def under(
    server: Server, number: int, send: Callable[[socket.socket, threading.Event], None]
) -> Iterator[None]:
    """Have so many connections send at a time; one that is closed is opened again."""
    done = threading.Event()

    def work() -> None:
        while not done.is_set():
            with suppress(OSError), server.connection() as line:
                send(line, done)
            done.wait(0.05)

    threads = [threading.Thread(target=work, daemon=True) for _ in range(number)]
    for each in threads:
        each.start()
    try:
        yield
    finally:
        done.set()
        for each in threads:
            each.join(10)


SLOWEST = 0.5  # seconds that /health may take, whatever happens, but for a busy machine
LARGEST = 100 * 2**20  # bytes by which the server's own process may grow


@contextmanager
def watched(server: Server) -> Iterator[Callable[[], None]]:
    """Ask a server for its health all the time, in a process that does nothing else.

    Lends a check that it was quick since the last one, and has not grown too large.
    """
    pipe, theirs = multiprocessing.Pipe()
    asked = (server.url, server.process.pid, theirs)
    looking = multiprocessing.get_context("spawn").Process(target=_look, args=asked, daemon=True)
    looking.start()
    assert pipe.recv() == "begun"

    def check() -> None:
        pipe.send(None)
        assert pipe.poll(120), "who looks at the server has ended, or waits for it"
        slowest, grown = pipe.recv()
        print(f"/health {slowest:.3f} s, {grown / 2**20:.0f} MiB more")
        assert slowest < SLOWEST
        assert grown < LARGEST

    try:
        yield check
    finally:
        looking.terminate()
        looking.join()
        pipe.close()
        theirs.close()


def _look(url: str, pid: int, pipe: Connection) -> None:
    process = psutil.Process(pid)

    def now() -> float:
        """Return seconds in which neither process waited for a processor that others had."""
        return time.monotonic() - sum(map(_waited, (pid, os.getpid())))

    with httpx.Client(base_url=url, timeout=60) as client:
        client.get("/health")
        before, slowest, largest = process.memory_info().rss, 0.0, 0
        pipe.send("begun")
        while True:
            begun = now()
            try:
                alive = client.get("/health").status_code == 200
            except httpx.TransportError:  # connections that idle give way to new ones
                alive = client.get("/health").status_code == 200
            slowest = max(slowest, now() - begun if alive else float("inf"))
            largest = max(largest, process.memory_info().rss - before)
            if pipe.poll(0.02):
                pipe.recv()
                pipe.send((slowest, largest))
                slowest, largest = 0.0, 0


def _waited(pid: int) -> float:
    """Return how many seconds the first thread of a process could have run, and did not."""
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[1]) / 1e9
