"""`satcal serve --cluster`: workers do the tasks of jobs, whatever befalls them."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest
from satcal.service.config import Config, Means
from satcal.service.tasks import Certificate, Count
from satcal.store.location import Location

from helpers.cluster import Farm
from helpers.servers import finished, start
from helpers.stores import believed
from helpers.waiting import until
from satcal.cli.main import run
from satcal.counting.cluster import Bounded, connect
from satcal.errors import BudgetExhausted, Missing, OptionError, Stopped, TooLarge
from satcal.puzzle.loading import load
from satcal.puzzle.writing import to_toml

SOON = 30.0  # seconds: a hang would be forever, a loaded machine is not
GIB = 2**30
COUNT = {"kind": "count", "puzzle": "a-puzzle-a-day", "method": "sat"}
OCTOBER = [["Oct", str(day)] for day in range(1, 13)]
DAILY: dict[str, Any] = {
    "puzzle": "a-puzzle-a-day",
    "text": to_toml(load("a-puzzle-a-day")),
    "posted": False,
    "place": [],
}
HARD = {"kind": "count", "puzzle": "weekday", "method": "search"}


def kept(store: Path) -> dict[str, int]:
    return {row.reveal: row.tilings for row in believed(store)}


def means(farm: Farm, memory: int, seconds: float, store: Path | None = None) -> Means:
    return Means(Location(store), Path(), memory, seconds, farm.address)


def test_workers_do_the_tasks_of_jobs_until_these_are_done_or_cancelled(farm, tmp_path):
    worker = psutil.Process(farm.workers[farm.add()].pid)
    options = ["--cluster", farm.address, "--jobs", "1", "--memory-limit", "700M"]
    with start(tmp_path, *options) as server, server.api() as api:

        def post(job: dict[str, Any]) -> dict[str, Any]:
            return api.post("/jobs", json=job).json()

        counted = finished(api, post(COUNT | {"reveals": OCTOBER[5:7]}))
        assert [row["tilings"] for row in counted["result"]["rows"]] == [7, 92]
        assert kept(server.store) == {"6 Oct": 7, "7 Oct": 92}
        here = post(COUNT | {"method": "diagram", "reveals": OCTOBER[7:8]})
        assert finished(api, here)["state"] == "done"
        assert (farm.finished(), farm.known()) == (2, 0)  # a diagram stays with the server
        refused = api.post("/jobs", json=COUNT | {"cluster": "tcp://127.0.0.1:1"})
        assert (refused.status_code, "cluster" in refused.json()["detail"]) == (422, True)

        job = post(HARD | {"reveals": [["Mon", "Apr", "6"], ["Mon", "Apr", "7"]]})
        until(lambda: worker.children() and farm.known() == 2)
        assert api.delete(f"/jobs/{job['id']}").json()["state"] == "cancelled"
        until(lambda: not worker.children() and farm.known() == 0)
        server.process.terminate()
        assert "Traceback" not in server.process.stderr.read()


def test_a_job_whose_scheduler_is_lost_fails_and_what_came_home_is_kept(
    farm, tmp_path, monkeypatch
):
    farm.add()
    store = tmp_path / "store.sqlite"
    monkeypatch.setattr("satcal.service.tasks.INTERVAL", 0.0)
    monkeypatch.setattr("satcal.counting.cluster.PATIENCE", 5.0)

    def killing(fields: dict[str, object]) -> None:
        if fields["done"] == 2:
            farm.scheduler.kill()

    job = Count(**DAILY, method="sat", reveals=OCTOBER)
    with pytest.raises(Stopped) as lost:
        job.do(means(farm, GIB, SOON, store), killing)
    found = kept(store)
    assert 2 <= len(found) < 12
    assert str(lost.value).endswith(
        f" and {11 - len(found)} more: the scheduler at {farm.address} is lost; what it "
        "finished is kept"
    )


def test_a_certificate_is_proved_by_workers(shared, two_l4, tmp_path):
    job = Certificate(puzzle="small", text=two_l4.text(), posted=True, reveal=[])
    before = shared.finished()
    made = job.do(means(shared, GIB, SOON, tmp_path / "store.sqlite"), lambda _: None)
    assert (made.fields["tilings"], shared.finished()) == (2, before + 1)


def test_a_task_has_the_memory_and_the_time_of_its_job(shared):
    with connect(shared.address, 1) as cluster:
        enough = Bounded(cluster, 700 * 10**6, SOON)
        with pytest.raises(TooLarge, match="more memory than a task may have"):
            enough.submit(bytearray, 10**9).result(SOON)
        with pytest.raises(Stopped, match="its worker process died; is memory short"):
            enough.submit(exec, "import os; os.kill(os.getpid(), 9)").result(SOON)
        hurried = Bounded(cluster, GIB, 0.0)
        with pytest.raises(BudgetExhausted, match="stopped by the time limit"):
            hurried.submit(time.sleep, SOON).result(SOON)


def test_where_no_worker_comes_in_time_that_is_said(farm, tmp_path):
    job = Count(**DAILY, method="sat", reveals=OCTOBER[5:7])
    with pytest.raises(BudgetExhausted, match=r"^Oct 6 and 1 more: .*; the cluster has no workers"):
        job.do(means(farm, GIB, 0.0, tmp_path / "store.sqlite"), lambda _: None)


def test_the_environment_names_the_cluster_too_and_without_the_extra_it_is_missing(
    monkeypatch, capsys
):
    monkeypatch.setenv("SATCAL_CLUSTER", "local")
    assert run(["serve"]) == 2
    assert "--cluster local: every job would start" in capsys.readouterr().err
    with pytest.raises(OptionError, match="give a scheduler"):
        Config(cluster="")
    monkeypatch.setitem(sys.modules, "dask", None)
    with pytest.raises(Missing, match=r"--cluster needs dask: .* install distributed"):
        Config(cluster="tcp://10.0.0.1:8786")
