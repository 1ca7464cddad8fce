"""The static edition, as any web server serves it, and players who open it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from helpers.browser import Windows
from helpers.editions import serving, write
from helpers.player import HERE, Player

SOME = ("a-puzzle-a-day", "pentomino-3x20", "rhombus")


@pytest.fixture(scope="session")
def edition(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that `satcal site` writes."""
    folder = tmp_path_factory.mktemp("edition") / "out"
    write(folder, *SOME)
    return folder


@pytest.fixture(scope="session")
def hosted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Path], str]]:
    """Return the addresses of temporary folders; the host stays until no page needs it."""
    root = tmp_path_factory.getbasetemp()
    (root / "favicon.ico").touch()  # which a browser asks of every host
    with serving(root) as address:
        yield lambda folder: f"{address}{folder.relative_to(root)}/"


@pytest.fixture(scope="session")
def site(edition: Path, hosted: Callable[[Path], str]) -> str:
    """The address of the static edition."""
    return hosted(edition)


@pytest.fixture
def visit(windows: Windows, site: str) -> Callable[..., Player]:
    """Return a function that opens a puzzle in a window of some size for a player."""

    def open_page(
        size: tuple[int, int] = (1366, 650), address: str = HERE, **options: Any
    ) -> Player:
        player = Player(windows.open(size, **options), site)
        player.open(address)
        return player

    return open_page
