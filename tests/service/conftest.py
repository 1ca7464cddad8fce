"""A running server, as a user starts it, and clients of it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, sync_playwright

# `satcal serve` with a clock of ours: four tilings of the rhombus have this date
TODAY = "2025-09-25"
START = (
    "import datetime, sys; from satcal.cli.main import cli; "
    f"cli.main(sys.argv[1:], obj=lambda: datetime.date.fromisoformat('{TODAY}'))"
)


@dataclass
class Server:
    """A process that serves; ``url`` has no slash at its end."""

    process: subprocess.Popen[str]
    url: str
    store: Path

    def client(self, **options: Any) -> httpx.Client:
        return httpx.Client(base_url=self.url, timeout=60, **options)

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(30)
        self.process.stderr.close()


def start(folder: Path, cache: Path, *options: str, **env: str) -> Server:
    store = folder / "store.sqlite"
    process = subprocess.Popen(
        [sys.executable, "-c", START, "serve", "--port", "0", "--store", str(store),
         "--board", "rhombus", *options],
        env=os.environ | {"SATCAL_CACHE": str(cache)} | env, cwd=folder, text=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
    )  # fmt: skip
    line = process.stderr.readline()
    found = re.search(r"serves (http://\S+)/ ", line)
    assert found, line + process.stderr.read()
    return Server(process, found[1], store)


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache of diagrams that all servers share."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Iterator[Server]:
    """The server that most tests ask."""
    running = start(tmp_path_factory.mktemp("server"), cache)
    yield running
    running.stop()


@pytest.fixture(scope="session")
def api(server: Server) -> Iterator[httpx.Client]:
    """A client of the API."""
    with httpx.Client(base_url=f"{server.url}/api/v1", timeout=60) as client:
        yield client


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium."""
    path = shutil.which("chromium")
    assert path, "apt-get install chromium"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


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


def finished(api: httpx.Client, job: dict[str, Any], seconds: float = 120) -> dict[str, Any]:
    """Wait for the end of a job."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        job = api.get(f"/jobs/{job['id']}").json()
        if job["state"] in ("done", "failed", "cancelled"):
            return job
        time.sleep(0.1)
    raise AssertionError(f"not finished: {job}")
