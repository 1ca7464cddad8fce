"""A real server: what it bounds itself, how it ends, and what it leaves behind."""

from __future__ import annotations

import json
import re
import signal
import socket
import sqlite3
import subprocess
import sys
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest

from helpers.servers import Server, started
from helpers.waiting import until
from satcal.puzzle.loading import load
from satcal.store.database import open_store

HEAD = b"Host: localhost\r\n"
GET = b"GET /health HTTP/1.1\r\n" + HEAD
POST = b"POST /api/v1/jobs HTTP/1.1\r\n" + HEAD + b"Content-Type: application/json\r\n"
JOB = {
    "kind": "count",
    "puzzle": "a-puzzle-a-day",
    "dates": "Oct 1..Oct 12 2026",
    "method": "sat",
}


def status_of(said: bytes) -> int:
    """Return the status of the first answer, 0 if there is none."""
    found = re.match(rb"HTTP/1\.1 (\d+) ", said)
    return int(found[1]) if found else 0


@pytest.mark.parametrize(
    ("data", "statuses"),
    [
        (GET + b"Connection: close\r\n\r\n", {200}),
        (GET.replace(b"GET", b"HEAD") + b"Connection: close\r\n\r\n", {200}),
        (GET + b"X: " + b"y" * 60_000 + b"\r\n\r\n", {0, 400, 431}),
        (GET + b"A: b\r\n" * 5_000 + b"\r\n", {0, 400, 431}),
        (b"GET /" + b"a" * 60_000 + b" HTTP/1.1\r\n" + HEAD + b"\r\n", {0, 400, 414, 431}),
        (POST + b"Transfer-Encoding: chunked\r\n\r\n1\r\n1\r\n", {411}),
        (POST + b"Content-Length: 1000000000000\r\n\r\n" + b"x" * 10_000, {413}),
        (POST + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcde", {0, 400}),
        (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(20), {0, 400}),
        (b"\x16\x03\x01" + bytes(300) + b"\r\n\r\n", {0, 400}),
        (b"GET / HTTP/9.9\r\n\r\n", {0, 400, 505}),
    ],
)
def test_bytes_that_are_bounded(server: Server, data: bytes, statuses: set[int]) -> None:
    assert status_of(server.raw(data)) in statuses
    assert status_of(server.raw(GET + b"Connection: close\r\n\r\n")) == 200


def test_a_head_that_does_not_end_and_an_idle_connection_are_closed(server: Server) -> None:
    assert status_of(server.raw(GET)) in (0, 408)
    assert server.raw(b"") == b""


def test_a_websocket_is_answered_as_an_ordinary_request(server: Server) -> None:
    upgrade = b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    key = b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    assert status_of(server.raw(GET + upgrade + key)) != 101


@pytest.mark.promise("clients that do not read")
def test_answers_that_nobody_reads_keep_nobody_waiting(server: Server) -> None:
    request = b"GET /data/weekday.year.json HTTP/1.1\r\n" + HEAD + b"\r\n"
    with ExitStack() as open_lines:
        for _ in range(40):
            line = open_lines.enter_context(server.connection())
            line.sendall(request * 20)
        assert httpx.get(f"{server.url}/health", timeout=240).status_code == 200


def test_the_log_has_no_traceback(server: Server) -> None:
    server.raw(POST + b"Content-Length: 3\r\n\r\n{")  # and leaves
    assert not any("Traceback" in line for line in server.log)


def test_a_board_with_other_pieces_is_counted_by_the_workers(api: httpx.Client) -> None:
    text = 'board = "* * * *\\n* * * *"\n[pieces]\nL4 = { shape = "###\\n#..", copies = 2 }'
    name = api.post("/api/v1/puzzles", json={"definition": text}).json()["id"]
    assert api.get(f"/api/v1/puzzles/{name}/counts").json()["total"] == 2


def follow(client: httpx.Client, job: str, until_done: int) -> dict[str, Any]:
    """Follow a job until some dates are done, or it has ended."""
    event: dict[str, Any] = {}
    with client.stream("GET", f"/api/v1/jobs/{job}/events") as events:
        for line in events.iter_lines():
            if line.startswith("data: "):
                event = json.loads(line.removeprefix("data: "))
                if event["progress"].get("done", 0) >= until_done:
                    break
    return event


@pytest.mark.slow("two servers, and their workers")
@pytest.mark.promise("`kill -9` of a server")
@pytest.mark.promise("a second server on a store")
@pytest.mark.parametrize(
    "url",
    ["sqlite", pytest.param("postgresql", marks=pytest.mark.needs("postgres"))],
    indirect=True,
)
def test_a_job_survives_kill_9_and_a_store_has_one_server(tmp_path: Path, url: str) -> None:
    with started(tmp_path, store=url) as server, server.client() as client:
        job = client.post("/api/v1/jobs", json=JOB).json()["id"]
        follow(client, job, 5)
        server.end(signal.SIGKILL)
    with closing(open_store(url)) as store:
        kept = {row.reveal: row.tilings for row in store.list_rows()}
    assert len(kept) >= 5
    with started(tmp_path, store=url) as server, server.client() as client:
        command = [sys.executable, "-m", "satcal", "serve", "--port", "0", "--store", url]
        second = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
        assert (second.returncode, "another server" in second.stderr) == (3, True)
        assert follow(client, job, 13)["state"] == "done"
        rows = client.get(f"/api/v1/jobs/{job}").json()["result"]["rows"]
    from satcal.published.shipped import shipped_counts

    known = shipped_counts(load("a-puzzle-a-day"))
    assert [row["tilings"] for row in rows] == [known[tuple(row["reveal"])] for row in rows]
    assert len(rows) == 12


@pytest.mark.promise("Ctrl-C of a server")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_everything_also_under_a_job_that_is_followed(
    tmp_path: Path, number: int
) -> None:
    with started(tmp_path) as server, server.client() as client:
        job = client.post("/api/v1/jobs", json=JOB).json()["id"]
        with server.connection() as line:
            line.sendall(f"GET /api/v1/jobs/{job}/events HTTP/1.1\r\n".encode() + HEAD + b"\r\n")
            assert line.recv(100)
            assert server.end(number) in (0, 3)
    assert not any("Traceback" in line for line in server.log)


def test_a_port_that_is_taken_is_said(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        command = [sys.executable, "-m", "satcal", "serve", "--port", port, "--store", "s.sqlite"]
        said = subprocess.run(
            command, capture_output=True, text=True, timeout=240, check=False, cwd=tmp_path
        )
    assert (said.returncode, port in said.stderr) == (2, True)
    assert not (tmp_path / "s.sqlite").exists()


def test_a_store_of_another_program_is_refused(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "other.sqlite")) as connection:
        connection.execute("CREATE TABLE other (a)")
    command = [sys.executable, "-m", "satcal", "serve", "--port", "0", "--store", "other.sqlite"]
    said = subprocess.run(
        command, capture_output=True, text=True, timeout=240, check=False, cwd=tmp_path
    )
    assert (said.returncode, "other.sqlite" in said.stderr) == (2, True)


@pytest.mark.slow("a server, and its workers twice")
@pytest.mark.promise("a killed worker of the service")
def test_all_workers_may_die_and_the_service_goes_on(tmp_path: Path) -> None:
    with started(tmp_path) as server, server.client() as client:
        path = "/api/v1/puzzles/rhombus/hint"
        assert client.get(path).status_code == 200
        before = {each.pid for each in workers(server)}
        assert before
        for each in workers(server):
            each.kill()
        until(lambda: not before & {each.pid for each in workers(server)})
        until(lambda: client.get(path).status_code == 200)


def workers(server: Server) -> list[psutil.Process]:
    """Return the processes that count."""
    found = []
    for each in server.family():
        with suppress(psutil.Error):
            if "begin_fresh" in str(each.cmdline()):
                found.append(each)
    return found
