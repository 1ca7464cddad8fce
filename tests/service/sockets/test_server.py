"""A real server: its limits on raw requests, how it ends, and what it leaves behind."""

from __future__ import annotations

import re
import signal
import socket
from contextlib import ExitStack, closing
from typing import Any

import httpx
import pytest

from helpers.servers import TOKEN, rest_of, started, wait_for
from helpers.waiting import PATIENCE, until
from oracle import half_stuck
from satcal.store.counts import Key
from satcal.store.opening import open_store

HEAD = b"Host: localhost\r\n"
GET = b"GET /health HTTP/1.1\r\n" + HEAD
POST = b"POST /api/v1/jobs HTTP/1.1\r\n" + HEAD + b"Content-Type: application/json\r\n"
YEAR = b"GET /data/weekday.year.json HTTP/1.1\r\n" + HEAD + b"\r\n"


def status_of(answer: bytes) -> int:
    """Return the status of the first answer, 0 if there is none."""
    found = re.match(rb"HTTP/1\.1 (\d+) ", answer)
    return int(found[1]) if found else 0


@pytest.mark.parametrize(
    ("data", "statuses"),
    [
        (GET.replace(b"GET", b"HEAD") + b"Connection: close\r\n\r\n", {200}),
        (GET + b"X: " + b"y" * 60_000 + b"\r\n\r\n", {0, 400, 431}),
        (GET + b"A: b\r\n" * 5_000 + b"\r\n", {0, 400, 431}),
        (POST + b"Transfer-Encoding: chunked\r\n\r\n1\r\n1\r\n", {411}),
        (POST + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcde", {0, 400}),
        (POST + b"Content-Length: 1000000000000\r\n\r\n" + b"x" * 10_000, {413}),
        (b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n", {400, 403}),
        (b"GET / HTTP/1.1\r\nConnection: close\r\n" + HEAD * 2 + b"\r\n", {400, 403}),
    ],
)
def test_a_raw_request_has_a_status_and_the_next_one_is_answered(server, data, statuses):
    assert status_of(server.raw(data)) in statuses
    assert status_of(server.raw(GET + b"Connection: close\r\n\r\n")) == 200


def test_a_head_that_does_not_end_and_an_idle_connection_are_closed(server):
    with server.connection() as half, server.connection() as idle:
        half.sendall(GET)
        assert status_of(rest_of(half)) in (0, 408)
        assert rest_of(idle) == b""


def test_a_websocket_is_answered_as_an_ordinary_request(server):
    upgrade = b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    key = b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    with server.connection() as line:
        line.sendall(GET + upgrade + key)
        assert status_of(line.recv(65_536)) == 200


def test_a_client_may_leave_in_the_middle_or_read_nothing(server):
    """No traceback is logged; the fixture checks this when the server ends."""
    for data in (GET, POST + b"Content-Length: 3\r\n\r\n{", YEAR):
        with server.connection() as line:
            line.sendall(data)
    with ExitStack() as open_lines:
        for _ in range(40):
            line = open_lines.enter_context(server.connection())
            line.sendall(YEAR * 20)
        assert httpx.get(f"{server.url}/health", timeout=PATIENCE).status_code == 200


def begin_job(client: httpx.Client, **request: Any) -> str:
    """Begin to count a board: its reveal A takes a moment, B has no end; return the job's name."""
    definition = {"definition": half_stuck(10).text}
    name = client.post("/api/v1/puzzles", json=definition).json()["id"]
    job = {"kind": "count", "puzzle": name, "method": "search", **request}
    answer: str = client.post("/api/v1/jobs", json=job).json()["id"]
    until(lambda: client.get(f"/api/v1/jobs/{answer}").json()["state"] == "running")
    return answer


@pytest.mark.slow("two servers, and their workers")
def test_a_job_survives_kill_9_and_a_store_has_one_server(run, monkeypatch, tmp_path, url):
    with started(tmp_path, SATCAL_STORE=url) as server, server.client() as client:
        job = begin_job(client, all_reveals=True)
        path = f"/api/v1/jobs/{job}"
        until(lambda: client.get(path).json()["progress"] == {"done": 1, "total": 2})
        server.end(signal.SIGKILL)
    with closing(open_store(url)) as store:
        (kept,) = store.list_rows()
        assert (kept.reveal, kept.tilings) == ("A", 0)
        store.put(Key(kept.puzzle, kept.question, kept.method), {("B",): 0})  # instead of a count
    with started(tmp_path, SATCAL_STORE=url) as server, server.client() as client:
        monkeypatch.setattr("satcal.store.postgres.RESERVE_SECONDS", 1)
        second = run(f"serve --port 0 --store {url}")
        assert (second.code, "another server" in second.err) == (3, True)
        ended = wait_for(client, job)
        assert (ended["state"], ended["progress"]) == ("done", {"done": 2, "total": 2})
        begin_job(client, reveal="B", place=["I2:r0c1,r0c2"])
        assert server.end(signal.SIGTERM) in (0, 3)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
def test_ctrl_c_ends_everything_under_a_job_and_no_list_of_processes_has_the_token(
    tmp_path, number
):
    headers = {"Authorization": f"Bearer {TOKEN}"}
    with (
        started(tmp_path, SATCAL_TOKEN=TOKEN) as server,
        server.client(headers=headers) as client,
    ):
        begin_job(client, reveal="B")
        commands = [process.cmdline() for process in server.family()]
        assert len(commands) > 2
        assert not any(TOKEN in word for command in commands for word in command)
        assert server.end(number) in (0, 3)


def test_a_port_that_is_taken_is_named(run, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        answer = run(f"serve --port {port} --store {tmp_path}/s.sqlite")
    assert (answer.code, port in answer.err) == (2, True)
    assert not (tmp_path / "s.sqlite").exists()


def test_all_workers_may_die_and_the_service_answers_again(server, api):
    path = "/api/v1/puzzles/rhombus/hint"
    assert api.get(path).status_code == 200
    before = {each.pid for each in server.workers()}
    assert before
    for each in server.workers():
        each.kill()
    until(lambda: not before & {each.pid for each in server.workers()})
    until(lambda: api.get(path).status_code == 200)
