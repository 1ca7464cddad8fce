"""The server that most tests ask, and browsers before it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page
from serving import Server, start


@pytest.fixture(scope="session")
def cache(own_cache: Path) -> Path:
    """The cache of diagrams that all servers share."""
    return own_cache


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Iterator[Server]:
    """The server that most tests ask."""
    with start(tmp_path_factory.mktemp("server"), cache) as running:
        yield running


@pytest.fixture(scope="session")
def api(server: Server) -> Iterator[httpx.Client]:
    """A client of the API."""
    with server.api() as client:
        yield client


def opened(browser: Browser, server: Server, **options: Any) -> Iterator[Page]:
    """A page in a context of its own, which must not complain of anything."""
    context = browser.new_context(base_url=server.url, reduced_motion="reduce", **options)
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("requestfailed", lambda r: said.append(f"{r.url}: {r.failure}"))
    page.on("request", lambda r: None if r.url.startswith(server.url) else said.append(r.url))
    yield page
    context.close()
    allowed = ("ERR_ABORTED", "422 (Unprocessable")  # what is asked anew; what a test provokes
    assert [each for each in said if not any(part in each for part in allowed)] == []


@pytest.fixture
def desktop(browser: Browser, server: Server) -> Iterator[Page]:
    """A page in a window of a desktop."""
    yield from opened(browser, server, viewport={"width": 1280, "height": 900})


@pytest.fixture
def phone(browser: Browser, server: Server) -> Iterator[Page]:
    """A page on a phone that is touched, in the dark."""
    yield from opened(
        browser, server, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True,
        color_scheme="dark",
    )  # fmt: skip
