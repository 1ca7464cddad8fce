"""The servers that tests ask, each of them begun once, and a browser before one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import httpx
import pytest
from playwright.sync_api import Page

from helpers.attacks import watched
from helpers.browser import Windows
from helpers.servers import ANN, BOB, Server, start


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The server that most tests ask."""
    with start(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.fixture(scope="session")
def api(server: Server) -> Iterator[httpx.Client]:
    """A client of its API."""
    with server.api() as client:
        yield client


@pytest.fixture
def page(windows: Windows, server: Server) -> Page:
    """A window, whose addresses begin at the server."""
    return windows.open((1280, 900), base_url=server.url)


@pytest.fixture(scope="session")
def proxied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server as behind a proxy, on which everybody may play."""
    options = ["--name", "puzzles.example", "--public", "--memory-limit", "700M"]
    tokens = f"{ANN} {BOB}"
    with start(tmp_path_factory.mktemp("proxied"), *options, SATCAL_TOKEN=tokens) as running:
        yield running


@pytest.fixture(scope="module")
def attacked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for strangers who mean harm."""
    with start(tmp_path_factory.mktemp("attacked")) as running:
        assert httpx.get(f"{running.url}/ready", timeout=60).status_code == 200
        yield running


@pytest.fixture(scope="module")
def alive_small_and_quick(attacked: Server) -> Iterator[Callable[[], None]]:
    """What a supervisor asks of that server after each attack."""
    with watched(attacked) as check:
        yield check


@pytest.fixture
def survives(attacked: Server, alive_small_and_quick: Callable[[], None]) -> Iterator[None]:
    """Whatever is done to that server, it answers throughout, stays small, and works on."""
    yield
    alive_small_and_quick()
    with attacked.api() as client:
        said = client.get("/puzzles/rhombus/counts", params={"date": "2025-10-23"})
        assert said.json()["total"] == 201
