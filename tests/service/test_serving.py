"""`satcal serve`: what it needs to start, what it asks of clients, and its rules."""

from __future__ import annotations

import signal
import socket

import httpx
import pytest
from serving import start

from satcal.cli.main import run
from satcal.errors import OptionError
from satcal.service.config import Config, is_loopback
from satcal.service.limits import Rate

TOKEN = "a-secret-of-some-length"


def test_beyond_loopback_it_refuses_to_start_without_a_token(capsys) -> None:
    assert run(["serve", "--host", "0.0.0.0"]) == 2
    assert capsys.readouterr().err == (
        "satcal: error: --host 0.0.0.0 is open to other machines: give --token SECRET, which "
        "clients must then send, or stay with 127.0.0.1\n"
    )


def test_a_token_that_can_be_guessed_is_refused() -> None:
    with pytest.raises(OptionError, match="at least 16 characters"):
        Config("0.0.0.0", token="letmein")


@pytest.mark.parametrize(
    ("host", "own"),
    [("127.0.0.1", True), ("127.8.8.8", True), ("::1", True), ("localhost", True),
     ("0.0.0.0", False), ("192.168.0.7", False), ("localhost.example", False), ("", False)],
)  # fmt: skip
def test_loopback_is_what_only_this_machine_reaches(host, own) -> None:
    assert is_loopback(host) is own


def test_a_port_that_is_taken_is_said(capsys) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert run(["serve", "--port", str(port)]) == 2
        assert f"cannot listen on 127.0.0.1:{port}: Address already in use" in (
            capsys.readouterr().err
        )


@pytest.fixture(scope="module")
def open_server(tmp_path_factory, cache):
    """A server that other machines could reach."""
    running = start(tmp_path_factory.mktemp("open"), cache, "--host", "0.0.0.0", SATCAL_TOKEN=TOKEN)
    running.url = running.url.replace("0.0.0.0", "127.0.0.1")
    yield running
    running.stop()


def test_with_a_token_nothing_but_health_is_answered_without_it(open_server) -> None:
    with open_server.client() as client:
        assert client.get("/health").status_code == 200
        for path in ("/", "/api/v1/puzzles", "/docs", "/metrics", "/static/x"):
            said = client.get(path)
            assert said.status_code == 401
            assert said.headers["www-authenticate"] == "Bearer"
        wrong = {"Authorization": f"Bearer {TOKEN}x"}
        assert client.get("/api/v1/puzzles", headers=wrong).status_code == 401
        right = {"Authorization": f"Bearer {TOKEN}"}
        assert client.get("/api/v1/puzzles", headers=right).status_code == 200


def test_a_browser_opens_a_link_with_the_token_once_and_keeps_a_cookie(open_server) -> None:
    with open_server.client() as client:
        said = client.get("/puzzles/rhombus", params={"date": "2025-10-23", "token": TOKEN})
        assert (said.status_code, said.headers["location"]) == (
            303, "/puzzles/rhombus?date=2025-10-23"
        )  # fmt: skip
        cookie = said.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=strict" in cookie
        assert client.get("/api/v1/puzzles").status_code == 200


def test_a_client_that_asks_too_fast_has_to_wait_and_others_have_not() -> None:
    rate = Rate(10, 5)
    assert [rate.allows("a", 0.0) for _ in range(6)] == [True] * 5 + [False]
    assert rate.allows("b", 0.0)
    assert rate.allows("a", 0.1)
    assert not rate.allows("a", 0.1)
    assert [rate.allows("a", 100.0) for _ in range(6)] == [True] * 5 + [False]


def test_ctrl_c_ends_the_server_and_its_processes(tmp_path, cache) -> None:
    import psutil

    running = start(tmp_path, cache)
    with running.client() as client:
        assert client.get("/ready").status_code == 200
    children = psutil.Process(running.process.pid).children(recursive=True)
    assert children
    running.process.send_signal(signal.SIGINT)
    running.process.wait(20)
    said = running.process.stderr.read()
    running.process.stderr.close()
    _, alive = psutil.wait_procs(children, timeout=10)
    assert alive == []
    assert "Traceback" not in said
    with pytest.raises(httpx.ConnectError):
        httpx.get(running.url)


def test_without_a_store_jobs_are_kept_as_long_as_the_server_runs(tmp_path, cache) -> None:
    running = start(tmp_path, cache, "--store", "none")
    try:
        with running.client() as client:
            asked = {"kind": "count", "puzzle": "tetromino", "method": "diagram"}
            assert client.post("/api/v1/jobs", json=asked).status_code == 202
    finally:
        running.stop()
    assert not running.store.exists()
