"""The static edition, as any web server serves it, and a browser before it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright
from programs import need, path_of

from satcal.puzzle.loading import library, load
from satcal.site.edition import write


@pytest.fixture(scope="session")
def edition(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that `satcal site` writes, of the whole library."""
    folder = tmp_path_factory.mktemp("edition") / "out"
    write(folder, {name: load(name) for name in library()}, "rhombus")
    return folder


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="session")
def site(edition: Path) -> Iterator[str]:
    """The address of the static edition, served as by `python -m http.server -d out`."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(edition))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium."""
    need("chromium")
    with sync_playwright() as playwright:
        path = path_of("chromium")
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()
