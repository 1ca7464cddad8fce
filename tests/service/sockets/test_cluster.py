"""``serve --cluster``: a worker of Dask counts the dates of a job."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from helpers.cluster import Farm
from helpers.servers import started
from helpers.waiting import until


@pytest.fixture
def farm() -> Iterator[Farm]:
    """Return a scheduler and one worker."""
    made = Farm()
    made.add()
    yield made
    made.end()


@pytest.mark.slow("a scheduler, a worker and a server")
def test_a_job_is_counted_by_a_worker_of_dask(farm: Farm, tmp_path: Path) -> None:
    asked = {"kind": "count", "puzzle": "a-puzzle-a-day", "dates": "Oct 4..Oct 6 2026"}
    with started(tmp_path, "--cluster", farm.address) as server, server.client() as client:
        before = farm.finished()
        job = f"/api/v1/jobs/{client.post('/api/v1/jobs', json=asked).json()['id']}"
        until(lambda: client.get(job).json()["state"] not in ("queued", "running"))
        said = client.get(job).json()
        assert said["state"] == "done", said["error"]
        assert [row["tilings"] for row in said["result"]["rows"]] == [59, 13, 7]
        assert farm.finished() == before + 3
