from __future__ import annotations

import pytest

from helpers.cluster import Farm


@pytest.fixture
def farm():
    """A scheduler without workers, for a test that kills."""
    made = Farm()
    yield made
    made.end()


@pytest.fixture(scope="session")
def shared():
    """A scheduler and one worker, for tests that leave them as they are."""
    made = Farm()
    made.add()
    yield made
    made.end()
