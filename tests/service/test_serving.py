"""`satcal serve`: what it needs to start, what it asks of clients, and its rules."""

from __future__ import annotations

import signal
import socket
import sqlite3
import tempfile
import time
from pathlib import Path

import httpx
import psutil
import pytest
import uvicorn

from helpers.servers import inside, start
from helpers.waiting import apart, awaited
from satcal.errors import StoreUnavailable
from satcal.service import health
from satcal.service.config import is_loopback
from satcal.service.limits import Rate
from satcal.service.queue import JobQueue
from satcal.store.jobs import Job, Jobs
from satcal.store.location import Location
from satcal.store.results import Store


@pytest.mark.parametrize("option", ["--host 0.0.0.0", "--name puzzles.example"])
def test_for_others_it_refuses_to_start_without_a_token(satcal, option) -> None:
    said = satcal("serve", *option.split())
    assert said.code == 2
    assert said.err == (
        f"satcal: error: {option} is open to other machines: give --token SECRET, which "
        "clients must then send, or stay with 127.0.0.1\n"
    )


@pytest.mark.parametrize("token", ["letmein", "no-header-carries-\u00fc-as-it-is"])
def test_a_token_that_can_be_guessed_or_not_be_sent_is_refused(satcal, token) -> None:
    said = satcal("serve", "--token", token)
    assert (said.code, "--token: use at least 16 ASCII characters" in said.err) == (2, True)


def test_loopback_is_what_only_this_machine_reaches() -> None:
    own = ["127.0.0.1", "127.8.8.8", "::1", "[::1]", "localhost"]
    others = ["0.0.0.0", "192.168.0.7", "localhost.example", ""]
    assert [host for host in own + others if is_loopback(host)] == own


@pytest.fixture
def interrupted(tmp_path, monkeypatch) -> Path:
    """A store with a job that the last server did not finish, and that none must serve."""
    monkeypatch.setattr(uvicorn.Server, "run", lambda *_, **__: 1 // 0)
    path = tmp_path / "store.sqlite"
    with Store(Location(path)) as store:
        Jobs(store).add(Job("again", {"kind": "claims"}, state="running", starts=1))
    return path


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("request", '{"kind": '),
        ("request", "[]"),
        ("request", "{}"),
        ("progress", b"\xff"),
        ("state", "asleep"),
        ("starts", "often"),
        ("result", "1"),
        ("error", "cut o"),
    ],
)
def test_a_damaged_job_keeps_the_server_from_starting(satcal, interrupted, column, value) -> None:
    with sqlite3.connect(interrupted) as database:
        database.execute(f"UPDATE satcal_job SET {column} = ?", [value])
    database.close()
    where = ["--store", str(interrupted)]
    said = satcal("serve", "--port", "0", *where)
    assert said.code == 3
    assert said.err.startswith(f"satcal: error: store {interrupted}: it is damaged; ")
    assert "move the store away" in said.err
    assert said.err.endswith("(the row of the job again)\n")
    checked = satcal("store", "check", *where)
    assert (checked.code, "DAMAGE the job again of a service" in checked.err) == (3, True)


def test_a_lock_that_stays_keeps_the_server_from_taking_up_jobs_and_is_said(
    satcal, interrupted
) -> None:
    holder = sqlite3.connect(interrupted)
    holder.execute("BEGIN IMMEDIATE")
    said = satcal("serve", "--port", "0", "--store", f"sqlite:///{interrupted}?timeout=0.1")
    holder.close()
    text = f"satcal: error: store {interrupted}: another process holds its lock; "
    assert (said.code, said.err.startswith(text), said.err.count("\n")) == (3, True, 1)


def test_a_server_that_does_not_start_leaves_no_temporary_folder(
    satcal, tmp_path, monkeypatch
) -> None:
    def lost(_: Jobs) -> None:
        raise StoreUnavailable("it is gone")

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        said = satcal("serve", "--port", str(port), "--store", "none")
    assert said.code == 2
    assert f"cannot listen on 127.0.0.1:{port}: Address already in use" in said.err
    serve = ["serve", "--port", "0", "--store", "none"]
    with monkeypatch.context() as patch:
        patch.setattr(JobQueue, "start", lambda _: 1 // 0)
        assert apart(satcal, *serve).code == 3
    monkeypatch.setattr(Jobs, "all", lost)
    assert "satcal: error: it is gone\n" in apart(satcal, *serve).err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("patience", "status", "detail"),
    [
        (5, 200, None),
        (5, 503, "it is gone"),
        (0.1, 503, "the store has not answered within 0.1 seconds"),
    ],
)
def test_a_server_is_ready_when_its_store_answers_without_reading_jobs(
    tmp_path, monkeypatch, patience, status, detail
) -> None:
    def probe(_: Jobs) -> None:
        if detail == "it is gone":
            raise StoreUnavailable(detail)
        time.sleep(0.5 if detail else 0)

    async def ask() -> httpx.Response:
        async with inside(tmp_path) as client:
            monkeypatch.setattr(Jobs, "all", lambda _: 1 // 0)
            return await client.get("/ready")

    monkeypatch.setattr(health, "PATIENCE", patience)
    monkeypatch.setattr(Jobs, "probe", probe)
    said = awaited(ask())
    assert (said.status_code, said.json().get("detail")) == (status, detail)


def test_a_client_that_asks_too_fast_has_to_wait_and_others_have_not() -> None:
    rate = Rate(10, 5)
    assert [rate.allows("a", 0.0) for _ in range(6)] == [True] * 5 + [False]
    assert rate.allows("b", 0.0)
    assert rate.allows("a", 0.1)
    assert not rate.allows("a", 0.1)
    assert [rate.allows("a", 100.0) for _ in range(6)] == [True] * 5 + [False]


def test_ctrl_c_ends_the_server_and_its_processes(tmp_path) -> None:
    running = start(tmp_path, store="none")
    with running.api() as api:  # without a store jobs are kept as long as the server runs
        asked = {"kind": "count", "puzzle": "tetromino", "method": "diagram"}
        assert api.post("/jobs", json=asked).status_code == 202
    assert httpx.get(f"{running.url}/ready", timeout=60).status_code == 200
    children = psutil.Process(running.process.pid).children(recursive=True)
    assert children
    running.process.send_signal(signal.SIGINT)
    _, said = running.process.communicate(timeout=20)
    assert "Traceback" not in said
    assert psutil.wait_procs(children, timeout=10)[1] == []
    with pytest.raises(httpx.ConnectError):
        httpx.get(running.url)
    assert not running.store.exists()
