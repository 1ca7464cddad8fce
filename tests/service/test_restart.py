"""`kill -9` of the server in the middle of its jobs, and what the next one finds."""

from __future__ import annotations

import signal
import time

import psutil
import pytest

import satcal
from helpers.servers import finished, inside, start
from helpers.waiting import awaited, until
from satcal.cli.main import run
from satcal.store.jobs import Job, Jobs
from satcal.store.location import Location
from satcal.store.results import Store

YEAR = {"kind": "count", "puzzle": "a-puzzle-a-day", "method": "sat"}


def kill(server) -> None:
    """Kill the server as no handler can notice; its processes must end by themselves."""
    children = psutil.Process(server.process.pid).children(recursive=True)
    server.process.send_signal(signal.SIGKILL)
    server.process.wait()
    server.process.stderr.close()
    _, alive = psutil.wait_procs(children, timeout=10)
    assert alive == []


def test_finished_work_stays_and_unfinished_work_and_uploads_go_on(tmp_path, capsys) -> None:
    reveals = [list(reveal) for reveal in satcal.load("a-puzzle-a-day").reveals()][:8]
    headers = {"Content-Type": "application/octet-stream"}
    first = start(tmp_path, "--jobs", "1")
    with first.api() as api:
        by_diagram = YEAR | {"method": "diagram", "reveals": [["Oct", "6"]]}
        done = finished(api, api.post("/jobs", json=by_diagram).json())
        long = api.post("/jobs", json=YEAR | {"reveals": reveals}).json()
        sent = api.post("/certificates", content=b"none", headers=headers).json()
        gone = api.post("/certificates", content=b"none", headers=headers).json()
        until(lambda: api.get(f"/jobs/{long['id']}").json()["progress"].get("done", 0) >= 1)
    kill(first)
    folder = first.store.with_name(f"{first.store.name}.uploads")
    assert {file.name for file in folder.iterdir()} == {sent["id"], gone["id"]}
    assert folder.stat().st_mode & 0o777 == 0o700
    (folder / "left").write_bytes(b"of a body that did not arrive")
    (folder / gone["id"]).unlink()
    with start(tmp_path, "--jobs", "1") as second, second.api() as api:
        assert not (folder / "left").exists()
        assert api.get(f"/jobs/{done['id']}").json()["result"]["rows"][0]["tilings"] == 7
        ended = finished(api, long)
        assert (ended["state"], ended["starts"]) == ("done", 2)
        assert len(ended["result"]["rows"]) == 8
        assert finished(api, sent)["error"]["kind"] == "CertificateRefused"
        assert finished(api, gone)["error"]["kind"] == "FileTrouble"
    assert list(folder.iterdir()) == []
    assert run(["store", "check", "--store", str(first.store)]) == 0
    assert "9 results, 0 counted more than once" in capsys.readouterr().out


def test_a_job_that_took_the_server_with_it_three_times_is_given_up(tmp_path) -> None:
    with Store(Location(tmp_path / "store.sqlite")) as store:
        Jobs(store).add(Job("again", {"kind": "claims", "version": "1"}, state="running", starts=3))
        Jobs(store).add(Job("queued", {"kind": "claims", "version": "1"}))

    async def ask() -> list[dict]:
        async with inside(tmp_path) as client:
            both = [await client.get(f"/api/v1/jobs/{name}") for name in ("again", "queued")]
            return [said.json() for said in both]

    given_up, queued = awaited(ask())
    assert given_up["state"] == "failed"
    assert given_up["error"]["detail"] == "the server stopped 3 times during this job"
    assert queued["state"] in ("queued", "running")


@pytest.mark.long
def test_twenty_kills_at_any_moment_lose_no_finished_result(tmp_path) -> None:
    done: dict[str, dict] = {}
    reveals = iter(satcal.load("a-puzzle-a-day").reveals())
    for number in range(20):
        server = start(tmp_path, "--jobs", "1")
        with server.api() as api:
            assert all(api.get(f"/jobs/{name}").json() == job for name, job in done.items())
            for _ in range(2):
                api.post("/jobs", json=YEAR | {"reveals": [list(next(reveals))]})
            time.sleep(0.5 + 0.37 * (number % 7))
            ended = [job["id"] for job in api.get("/jobs").json() if job["state"] == "done"]
            done |= {name: api.get(f"/jobs/{name}").json() for name in ended}
        kill(server)
        assert run(["store", "check", "--store", str(server.store)]) == 0
    assert len(done) > 5
