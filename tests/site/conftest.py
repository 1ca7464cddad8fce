"""The static edition, as any web server serves it, and a browser before it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playing import DATE, PUZZLE, SIZES, Player
from playwright.sync_api import Browser

from satcal.puzzle.loading import library, load
from satcal.puzzle.model import Puzzle
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


@pytest.fixture
def player(browser: Browser, site: str) -> Iterator[Callable[..., Player]]:
    """Somebody in a window of some size, before the rhombus of a date; nothing may complain."""
    contexts, said = [], []

    def open_page(
        size: str = "1366x650", puzzle: Puzzle = PUZZLE, address: str = f"rhombus/{DATE}",
        **options: Any,
    ) -> Player:  # fmt: skip
        width, height = SIZES[size]
        options = {"reduced_motion": "reduce", **options}
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        player = Player(page, puzzle)
        player.open(site, address)
        return player

    yield open_page
    for context in contexts:
        context.close()
    assert said == []
