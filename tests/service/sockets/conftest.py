"""One real server for all tests of the folder."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from helpers.servers import Server, started

if TYPE_CHECKING:
    import httpx
    from playwright.sync_api import Page

    from helpers.browser import Windows


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Return a server that only this machine may ask."""
    with started(tmp_path_factory.mktemp("server"), "--board", "rhombus") as running:
        yield running


@pytest.fixture(scope="session")
def api(server: Server) -> Iterator[httpx.Client]:
    """Return a client of the server."""
    with server.client() as client:
        yield client


@pytest.fixture
def page(windows: Windows, server: Server) -> Page:
    """Return the window of a returning visitor; its addresses are relative to the server."""
    from helpers.player import set_preferences

    page = windows.open((1280, 900), base_url=server.url)
    set_preferences(page, f"{server.url}/")
    return page
