from __future__ import annotations

import pytest

from helpers.cluster import Farm


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    """Wait for a scheduler on a loaded machine."""
    monkeypatch.setattr("satcal.counting.cluster.CONNECT_SECONDS", 60.0)


@pytest.fixture
def farm():
    """A scheduler without workers, for a test that kills."""
    made = Farm()
    yield made
    made.end()


@pytest.fixture(scope="module")
def shared():
    """A scheduler and one worker, for tests that leave them as they are."""
    made = Farm()
    made.add()
    yield made
    made.end()
