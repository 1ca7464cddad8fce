"""The service in this process: its requests come without a socket, its work is done in threads."""

from __future__ import annotations

import datetime
import json
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
LOCAL = "http://localhost"


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
            return TestClient(made, LOCAL, raise_server_exceptions=False)

        yield make


@pytest.fixture(scope="module")
def client(serve: Serve) -> Iterator[TestClient]:
    """A client of a service that only this machine may ask."""
    with serve() as made:
        yield made


@pytest.fixture(scope="session")
def follow() -> Callable[[TestClient, dict[str, Any]], dict[str, Any]]:
    """Return a function that follows a job to its end."""

    def to_the_end(client: TestClient, job: dict[str, Any]) -> dict[str, Any]:
        last: dict[str, Any] = {}
        with client.stream("GET", f"/api/v1/jobs/{job['id']}/events") as events:
            for line in events.iter_lines():
                if line.startswith("data: "):
                    last = json.loads(line.removeprefix("data: "))
        return last

    return to_the_end
