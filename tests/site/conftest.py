"""The static edition, as any web server serves it, and somebody before it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from helpers.browser import Windows
from helpers.player import HERE, PUZZLE, SIZES, Player
from satcal.puzzle.loading import library, load
from satcal.puzzle.model import Puzzle
from satcal.site.edition import build_site

SOME = ("a-puzzle-a-day", "pentomino-3x20", "rhombus", "weekday")


@pytest.fixture(scope="session")
def edition(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that `satcal site` writes; of the whole library for `make browser`."""
    asked = any(item.get_closest_marker("browser") for item in request.session.items)
    folder = tmp_path_factory.mktemp("edition") / "out"
    build_site(folder, {name: load(name) for name in (library() if asked else SOME)}, PUZZLE.name)
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
def player(windows: Windows, site: str) -> Callable[..., Player]:
    """Somebody in a window of some size, before a puzzle."""

    def open_page(
        size: str = "1366x650",
        puzzle: Puzzle = PUZZLE,
        address: str = HERE,
        **options: Any,
    ) -> Player:
        player = Player(windows.open(SIZES[size], **options), site, puzzle)
        player.open(address)
        return player

    return open_page
