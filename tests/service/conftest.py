"""The service in this process: its requests come without a socket, its work is done in threads."""

from __future__ import annotations

import datetime
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from helpers.servers import InThreads

if TYPE_CHECKING:
    from starlette.testclient import TestClient

TODAY = datetime.date(2025, 9, 25)
"""Four tilings of the rhombus have this date."""
Serve = Callable[..., "TestClient"]


@pytest.fixture(scope="module")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serve]:
    """Return a function that makes a client; its service runs as long as its context lasts."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it asks for the next version of httpx
        from starlette.testclient import TestClient

    from satcal.service import app
    from satcal.service.settings import Settings

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(app, "Workers", InThreads)
        patch.setattr("satcal.published.reading.claim_files", list)  # all claims take seconds

        def make(store: Path | str = "", **settings: Any) -> TestClient:
            folder = tmp_path_factory.mktemp("service")
            made = app.make_app(
                Settings(str(store or folder / "store.sqlite"), **settings), lambda: TODAY
            )
            return TestClient(made, "http://localhost", raise_server_exceptions=False)

        yield make


@pytest.fixture(scope="module")
def client(serve: Serve) -> Iterator[TestClient]:
    """A client of a service that only this machine may ask."""
    with serve() as made:
        yield made


@pytest.fixture
def new_client(serve: Serve, tmp_path: Path) -> Iterator[TestClient]:
    """A client of a new service, with its store in ``tmp_path``."""
    with serve(tmp_path / "store.sqlite") as made:
        yield made
