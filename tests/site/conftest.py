"""The static edition, as any web server serves it, and somebody before it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from helpers.browser import Windows
from helpers.editions import Folder
from helpers.player import HERE, PUZZLE, SIZES, Player
from satcal.puzzle.loading import load
from satcal.puzzle.model import Puzzle
from satcal.site.edition import build_site

SOME = ("a-puzzle-a-day", "pentomino-3x20", "rhombus", "weekday")


@pytest.fixture(scope="session")
def edition(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that `satcal site` writes."""
    folder = tmp_path_factory.mktemp("edition") / "out"
    build_site(folder, {name: load(name) for name in SOME}, PUZZLE.name)
    return folder


@pytest.fixture(scope="session")
def site(edition: Path) -> Iterator[str]:
    """The address of the static edition, served as by `python -m http.server -d out`."""
    with Folder(edition) as address:
        yield address


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
