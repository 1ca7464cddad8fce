"""`satcal serve --cluster`: workers do the tasks of jobs, whatever befalls them."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
import pytest
from serving import Server, finished, start

from satcal.cli.main import run
from satcal.counting.count import executing
from satcal.counting.settings import Settings
from satcal.errors import BudgetExhausted, Missing, OptionError, Stopped, TooLarge
from satcal.puzzle.model import Puzzle
from satcal.service.clustered import Bounded, counts
from satcal.service.config import Config, Means
from satcal.store.location import Location
from satcal.store.results import Store

if TYPE_CHECKING:
    from conftest import Farm

SOON = 30.0  # seconds: a hang would be forever, a loaded machine is not
GIB = 2**30
COUNT = {"kind": "count", "puzzle": "a-puzzle-a-day", "method": "sat"}
OCTOBER = [["Oct", str(day)] for day in range(1, 32)]
HARD = {"kind": "count", "puzzle": "weekday", "method": "search", "reveals": [["Mon", "Apr", "6"]]}


@contextmanager
def serving(farm: Farm, folder: Path, *options: str, **env: str) -> Iterator[tuple[Server, Any]]:
    """A server whose jobs work on the farm, and a client of its API; it may log no traceback."""
    server = start(folder, folder / "cache", "--cluster", farm.address, *options, **env)
    try:
        with server.api() as api:
            yield server, api
        server.process.terminate()
        assert "Traceback" not in server.process.stderr.read()
    finally:
        server.stop()


def until(condition: Callable[[], object], seconds: float = SOON) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)


def kept(server: Server) -> dict[str, int]:
    with Store(Location(server.store)) as store:
        return {row.reveal: row.tilings for row in store.rows()}


def means(farm: Farm, memory: int, seconds: float) -> Means:
    return Means(Location(), Path(), memory, seconds, farm.address)


def test_workers_do_the_tasks_of_counts_and_certificates(farm: Farm, tmp_path: Path) -> None:
    farm.add()
    with serving(farm, tmp_path, "--memory-limit", "700M") as (server, api):
        asked = COUNT | {"reveals": [["Oct", "6"], ["Oct", "7"], ["Oct", "6"]]}
        counted = finished(api, api.post("/jobs", json=asked).json())
        assert [row["tilings"] for row in counted["result"]["rows"]] == [7, 92, 7]
        assert farm.finished() == 2
        assert kept(server) == {"6 Oct": 7, "7 Oct": 92}
        again = finished(api, api.post("/jobs", json=asked | {"reveals": OCTOBER[5:7]}).json())
        assert again["state"] == "done"
        proof = {"kind": "certificate", "puzzle": "a-puzzle-a-day", "reveal": ["Oct", "6"]}
        proved = finished(api, api.post("/jobs", json=proof).json())
        assert proved["result"]["tilings"] == 7
        assert farm.finished() == 3  # one proof; what the store knew was not counted again
        assert farm.known() == 0
        here = asked | {"method": "diagram", "reveals": OCTOBER[7:8]}
        assert finished(api, api.post("/jobs", json=here).json())["state"] == "done"
        assert farm.finished() == 3  # a diagram stays with the server
        for named in (COUNT, proof):
            refused = api.post("/jobs", json=named | {"cluster": "tcp://127.0.0.1:1"})
            assert (refused.status_code, "cluster" in refused.json()["detail"]) == (422, True)


def test_cancelling_a_job_frees_its_worker_and_takes_its_tasks_from_the_queue(
    farm: Farm, tmp_path: Path
) -> None:
    worker = psutil.Process(farm.workers[farm.add()].pid)
    with serving(farm, tmp_path, "--jobs", "1") as (_, api):
        asked = HARD | {"reveals": [["Mon", "Apr", str(day)] for day in range(1, 9)]}
        job = api.post("/jobs", json=asked).json()
        until(lambda: worker.children() and farm.known() == 8)
        assert api.delete(f"/jobs/{job['id']}").json()["state"] == "cancelled"
        until(lambda: not worker.children() and farm.known() == 0)
        other = api.post("/jobs", json=COUNT | {"reveals": OCTOBER[5:6]}).json()
        assert finished(api, other)["result"]["rows"][0]["tilings"] == 7


def test_a_job_whose_scheduler_is_lost_fails_and_what_came_home_is_kept(
    farm: Farm, tmp_path: Path
) -> None:
    farm.add()
    with serving(farm, tmp_path) as (server, api):
        job = api.post("/jobs", json=COUNT | {"reveals": OCTOBER}).json()
        until(lambda: api.get(f"/jobs/{job['id']}").json()["progress"].get("done", 0) >= 2)
        assert farm.scheduler is not None
        farm.kill(farm.scheduler)
        ended = finished(api, job, SOON)
        found = kept(server)
        assert 2 <= len(found) < 31
        assert (ended["state"], ended["error"]["kind"]) == ("failed", "Stopped")
        assert ended["error"]["detail"].endswith(
            f" and {30 - len(found)} more: the scheduler at {farm.address} is lost; what it "
            "finished is kept"
        )
        assert api.get("/puzzles").status_code == 200


def test_a_job_fails_with_the_name_of_a_worker_of_another_version_or_of_a_lost_scheduler(
    farm: Farm, tmp_path: Path
) -> None:
    other = farm.add(version="0.0.9")
    with serving(farm, tmp_path) as (_, api):
        asked = COUNT | {"reveals": OCTOBER[:1]}
        ended = finished(api, api.post("/jobs", json=asked).json())
        assert ended["error"]["detail"].startswith(
            f"worker {other} has satcal 0.0.9, this process 0.1.0: "
        )
        assert farm.scheduler is not None
        farm.kill(farm.scheduler)
        ended = finished(api, api.post("/jobs", json=asked).json())
        message = f"no scheduler answers at {farm.address}: start one with `dask scheduler`"
        assert ended["state"] == "failed"
        assert ended["error"] == {"kind": "Stopped", "detail": message}


def test_a_task_has_the_memory_and_the_time_of_its_job(farm: Farm) -> None:
    farm.add()
    with executing(1, farm.address) as cluster:
        enough = Bounded(cluster, means(farm, 700 * 10**6, SOON))
        assert enough.submit(len, bytes(10**6)).result(SOON) == 10**6
        with pytest.raises(TooLarge, match="more memory than the service allows"):
            enough.submit(bytearray, 10**9).result(SOON)
        with pytest.raises(ZeroDivisionError):
            enough.submit(divmod, 1, 0).result(SOON)
        with pytest.raises(Stopped, match="its worker process died; is memory short"):
            enough.submit(exec, "import os; os.kill(os.getpid(), 9)").result(SOON)
        hurried = Bounded(cluster, means(farm, GIB, 1.0))
        with pytest.raises(BudgetExhausted, match="stopped by the time limit"):
            hurried.submit(time.sleep, SOON).result(SOON)


def test_where_no_worker_comes_in_time_that_is_said(farm: Farm, daily: Puzzle) -> None:
    todo = [("Oct", "6"), ("Oct", "7")]
    with pytest.raises(BudgetExhausted, match=r"^Oct 6 and 1 more: .*; the cluster has no workers"):
        list(counts(daily, todo, Settings("sat"), means(farm, GIB, 1.0)))


@pytest.mark.parametrize(
    ("address", "text"),
    [
        ("local", "every job would start workers of its own"),
        ("nonsense://1", r"give a scheduler such as tcp://10\.0\.0\.1:8786"),
        ("", "give a scheduler"),
    ],
)
def test_what_is_no_cluster_of_a_service_is_refused_at_its_start(address: str, text: str) -> None:
    with pytest.raises(OptionError, match=text):
        Config(cluster=address)


def test_the_environment_names_the_cluster_too_and_without_the_extra_it_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SATCAL_CLUSTER", "local")
    assert run(["serve"]) == 2
    assert "--cluster local: every job would start" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "dask", None)
    with pytest.raises(Missing, match=r'--cluster needs dask: pip install "satcal\[cluster\]"'):
        Config(cluster="tcp://10.0.0.1:8786")
