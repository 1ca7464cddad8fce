"""What strangers without a token may cost a server that is told a name: processor time, memory.

The server's own processor time between the question for its health and the answer is what is
bounded: seconds of the clock are also those of other programs.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack

import httpx
import psutil
import pytest

from helpers.attacks import ATTACKS, CHUNKED, HOST, POST, REMAINING, under
from helpers.servers import ANN, BOB, Server, start
from helpers.waiting import until

CPU, MEMORY = 0.5, 100 * 2**20


@pytest.fixture(scope="module")
def public(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that everybody may ask; its clients here are all at one address."""
    options = ["--name", "puzzles.example", "--public"]
    tokens = f"{ANN} {BOB}"
    with start(tmp_path_factory.mktemp("public"), *options, SATCAL_TOKEN=tokens) as running:
        with running.client() as client:
            assert client.get("/ready").status_code == 200
        yield running


@pytest.mark.promise("strangers who attack the server")
@pytest.mark.parametrize(("number", "send"), ATTACKS.values(), ids=ATTACKS)
def test_strangers_cost_little_time_and_memory(public, number, send) -> None:
    process = psutil.Process(public.process.pid)

    def spent() -> float:
        return process.cpu_times().user + process.cpu_times().system

    before, slowest, largest = process.memory_info().rss, 0.0, 0
    with under(public, number, send):
        end = time.monotonic() + 2.5
        while time.monotonic() < end:
            begun = spent()
            assert httpx.get(f"{public.url}/health", timeout=60).status_code == 200
            slowest = max(slowest, spent() - begun)
            largest = max(largest, process.memory_info().rss - before)
            time.sleep(0.02)
    print(f"{slowest:.2f} s, {largest / 2**20:.0f} MiB more")
    assert slowest <= CPU
    assert largest <= MEMORY


@pytest.mark.parametrize("named", [True, False])
def test_health_is_answered_beside_idle_connections(server, public, named) -> None:
    asked = public if named else server
    idle = [asked.connection() for _ in range(260)]
    try:
        for line in idle[:100]:
            line.sendall(b"GET / HTTP/1.1\r\nHost: local")
        assert httpx.get(f"{asked.url}/health", timeout=5).status_code == 200
        assert httpx.get(f"{asked.url}/health", timeout=5).status_code == 200
    finally:
        for line in idle:
            line.close()


def test_a_body_in_chunks_is_refused_with_the_way_out(public) -> None:
    said = public.raw(CHUNKED + b"2\r\n{}\r\n0\r\n\r\n")
    assert said.startswith(b"HTTP/1.1 400 ")
    assert b"send the body with a Content-Length; bodies in chunks are not read" in said


@pytest.mark.parametrize(
    "head", [b"GET /health HTTP/1.1\r\n" + b"a: b\r\n" * 200, b"GET /" + b"x" * 70_000]
)
def test_a_long_head_is_refused(public, head) -> None:
    said = public.raw(head + b"\r\n\r\n")
    assert said.startswith(b"HTTP/1.1 400 ")
    assert b"the head has more than 100 lines or 65536 bytes" in said


def test_an_answer_before_the_end_of_the_body_closes_the_connection(public) -> None:
    head = b"GET /health HTTP/1.1\r\n" + HOST + b"Content-Length: 10\r\n\r\n"
    said = public.raw(head + b"1234")
    assert said.startswith(b"HTTP/1.1 200 ")
    assert b"connection: close\r\n" in said.lower()


def test_what_follows_the_last_request_is_ignored(public) -> None:
    with public.connection() as line:
        line.sendall(b"GET /health HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n")
        line.sendall(b"more")
        line.settimeout(5)
        assert line.recv(1000).startswith(b"HTTP/1.1 200 ")


@pytest.mark.promise("peers that leave in the middle")
def test_peers_that_leave_and_an_end_with_open_streams_leave_no_traceback(tmp_path) -> None:
    running = start(tmp_path)
    slow = {"kind": "count", "puzzle": "weekday", "method": "search", "date": "2025-03-03"}
    with running.api() as api:
        job = api.post("/jobs", json=slow).json()["id"]
    year = b"GET /api/v1/puzzles/rhombus/counts?year=2025 HTTP/1.1\r\nHost: localhost\r\n\r\n"
    for part in (REMAINING.replace(b"puzzles.example", b"localhost"), year * 30, CHUNKED, POST):
        for size in (len(part), len(part) // 2):
            with running.connection() as line:
                line.sendall(part[:size])
    following = f"GET /api/v1/jobs/{job}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
    with ExitStack() as opened:
        lines = [opened.enter_context(running.connection()) for _ in range(5)]
        for line in lines:
            line.sendall(following)
        lines.pop().close()
        until(lambda: "satcal_streams 4.0" in httpx.get(f"{running.url}/metrics").text)
        begun = time.monotonic()
        running.process.terminate()
        said = running.process.communicate(timeout=30)[1]
        assert time.monotonic() - begun < 10
        assert "Traceback" not in said
        assert all(b"event: job" in line.recv(100_000) for line in lines)
