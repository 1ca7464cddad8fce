"""`kill -9` of the server in the middle of its jobs, and what the next one finds."""

from __future__ import annotations

import signal
import time

import psutil
import pytest
from serving import finished, start

import satcal
from satcal.cli.main import run
from satcal.store.jobs import Job, Jobs
from satcal.store.location import Location
from satcal.store.results import Store

YEAR = {"kind": "count", "puzzle": "a-puzzle-a-day", "method": "sat"}


def all_reveals() -> list[list[str]]:
    return [list(reveal) for reveal in satcal.load("a-puzzle-a-day").reveals()][:14]


def until(condition, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)


def kill(server) -> None:
    """Kill the server as no handler can notice; its processes must end by themselves."""
    children = psutil.Process(server.process.pid).children(recursive=True)
    server.process.send_signal(signal.SIGKILL)
    server.process.wait()
    server.process.stderr.close()
    _, alive = psutil.wait_procs(children, timeout=10)
    assert alive == []


def test_finished_work_stays_and_unfinished_work_goes_on(tmp_path, cache, capsys) -> None:
    first = start(tmp_path, cache, "--jobs", "1")
    with first.client() as client:
        done = client.post(
            "/api/v1/jobs",
            json=YEAR | {"method": "diagram", "reveals": [["Oct", "6"]]},
        ).json()
        until(lambda: client.get(f"/api/v1/jobs/{done['id']}").json()["state"] == "done")
        long = client.post("/api/v1/jobs", json=YEAR | {"reveals": all_reveals()}).json()
        waiting = client.post("/api/v1/jobs", json=YEAR | {"reveals": [["Oct", "7"]]}).json()

        def counted() -> int:
            return client.get(f"/api/v1/jobs/{long['id']}").json()["progress"].get("done", 0)

        until(lambda: counted() >= 2)
    kill(first)
    second = start(tmp_path, cache, "--jobs", "1")
    try:
        with second.client() as client:
            client.base_url = f"{second.url}/api/v1"
            assert client.get(f"/jobs/{done['id']}").json()["result"]["rows"][0]["tilings"] == 7
            ended = finished(client, long)
            assert (ended["state"], ended["starts"]) == ("done", 2)
            assert len(ended["result"]["rows"]) == 14
            assert finished(client, waiting)["result"]["rows"][0]["tilings"] == 92
    finally:
        second.stop()
    assert run(["store", "check", "--store", str(first.store)]) == 0
    assert "16 results, 0 counted more than once" in capsys.readouterr().out


def test_a_job_that_took_the_server_with_it_three_times_is_given_up(tmp_path, cache) -> None:
    with Store(Location(tmp_path / "store.sqlite")) as store:
        Jobs(store).add(Job("again", {"kind": "claims", "version": "1"}, state="running", starts=3))
        Jobs(store).add(Job("queued", {"kind": "claims", "version": "1"}))
    server = start(tmp_path, cache)
    try:
        with server.client() as client:
            found = client.get("/api/v1/jobs/again").json()
            assert found["state"] == "failed"
            assert found["error"]["detail"] == "the server ended 3 times while this job ran"
            assert client.get("/api/v1/jobs/queued").json()["state"] in ("queued", "running")
    finally:
        server.stop()


def test_an_upload_that_waits_for_its_verdict_gets_it_from_the_next_server(tmp_path, cache) -> None:
    first = start(tmp_path, cache, "--jobs", "1")
    slow = {"kind": "count", "puzzle": "weekday", "method": "search", "date": "2025-03-03"}
    headers = {"Content-Type": "application/octet-stream"}
    with first.client() as client:
        running = client.post("/api/v1/jobs", json=slow).json()["id"]
        sent = client.post("/api/v1/certificates", content=b"none", headers=headers).json()
        gone = client.post("/api/v1/certificates", content=b"none", headers=headers).json()
    folder = first.store.with_name(f"{first.store.name}.uploads")
    assert sorted(file.name for file in folder.iterdir()) == sorted([sent["id"], gone["id"]])
    assert folder.stat().st_mode & 0o777 == 0o700
    kill(first)
    (folder / "left").write_bytes(b"of a body that did not arrive")
    (folder / gone["id"]).unlink()
    second = start(tmp_path, cache, "--jobs", "1")
    try:
        with second.client() as client:
            assert not (folder / "left").exists()
            client.base_url = f"{second.url}/api/v1"
            client.delete(f"/jobs/{running}")
            assert finished(client, sent)["error"]["kind"] == "CertificateRefused"
            assert finished(client, gone)["error"]["kind"] == "FileTrouble"
        assert list(folder.iterdir()) == []
    finally:
        second.stop()


@pytest.mark.long
def test_twenty_kills_at_any_moment_lose_no_finished_result(tmp_path, cache) -> None:
    finished_before: dict[str, dict] = {}
    reveals = iter(satcal.load("a-puzzle-a-day").reveals())
    for number in range(20):
        server = start(tmp_path, cache, "--jobs", "1")
        with server.client() as client:
            for name, job in finished_before.items():
                assert client.get(f"/api/v1/jobs/{name}").json()["result"] == job["result"]
            for _ in range(2):
                asked = YEAR | {"reveals": [list(next(reveals))]}
                assert client.post("/api/v1/jobs", json=asked).status_code == 202
            time.sleep(0.5 + 0.37 * (number % 7))
            for job in client.get("/api/v1/jobs").json():
                if job["state"] == "done":
                    finished_before[job["id"]] = client.get(f"/api/v1/jobs/{job['id']}").json()
        kill(server)
        assert run(["store", "check", "--store", str(server.store)]) == 0
    assert len(finished_before) > 5
