"""Jobs of a service in this process: their limits, and what fails around them."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import threading
import time
from dataclasses import replace

import httpx
import psutil
import pytest
from looping import awaited
from serving import inside

import satcal
from benchmarks import growing
from satcal.counting.settings import Settings
from satcal.counting.tilings import diagram_for
from satcal.errors import Stopped, StoreFull, TooLarge
from satcal.puzzle.loading import load
from satcal.service import job_process
from satcal.service.api import jobs as routes
from satcal.service.config import Limits
from satcal.service.jobs import AtOnce, JobRunner
from satcal.service.uploads import Uploads
from satcal.store.jobs import RUNNING, Job, Jobs
from satcal.store.location import Location
from satcal.store.results import Store

PATH = "/api/v1/jobs"
QUICK = {"kind": "count", "puzzle": "tetromino", "method": "diagram", "reveals": [["Jan", "1"]]}
SLOW = {"kind": "count", "puzzle": "weekday", "method": "search", "date": "2025-03-03"}


async def until(client: httpx.AsyncClient, job: dict, *states: str) -> dict:
    """Wait until a job is in one of these states."""
    async with asyncio.timeout(60):
        while True:
            found = (await client.get(f"{PATH}/{job['id']}")).json()
            if found["state"] in states:
                return found
            await asyncio.sleep(0.05)


def processes() -> list[psutil.Process]:
    """The processes of jobs that run for this one."""
    found = []
    for child in psutil.Process().children():
        with contextlib.suppress(psutil.NoSuchProcess):  # it ends just now
            if "job_process" in " ".join(child.cmdline()):
                found.append(child)
    return found


def test_where_no_process_can_be_started_the_job_fails_and_the_next_one_runs(
    tmp_path, monkeypatch
) -> None:
    start = asyncio.create_subprocess_exec

    async def refused(*_, **__):
        monkeypatch.setattr(asyncio, "create_subprocess_exec", start)
        raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")

    async def ask() -> tuple[dict, dict]:
        async with inside(tmp_path, running=1) as client:
            monkeypatch.setattr(asyncio, "create_subprocess_exec", refused)
            first = (await client.post(PATH, json=SLOW)).json()
            failed = await until(client, first, "failed")
            second = (await client.post(PATH, json=QUICK)).json()
            return failed, await until(client, second, "done", "failed")

    failed, done = awaited(ask())
    assert failed["error"] == {
        "kind": "Stopped",
        "detail": "its process cannot be started (Resource temporarily unavailable); "
        "are too many running, or is memory short?",
    }
    assert done["state"] == "done"


def test_a_fault_of_ours_fails_one_job_and_not_those_after_it(tmp_path, monkeypatch) -> None:
    async def ask() -> tuple[dict, dict]:
        async with inside(tmp_path, running=1) as client:
            with monkeypatch.context() as patch:
                patch.setattr(JobRunner, "_message", lambda *_: 1 // 0)
                first = (await client.post(PATH, json=SLOW)).json()
                failed = await until(client, first, "failed")
            second = (await client.post(PATH, json=QUICK)).json()
            return failed, await until(client, second, "done", "failed")

    failed, done = awaited(ask())
    assert failed["error"]["detail"] == (
        "internal error: ZeroDivisionError; the server's log says more"
    )
    assert done["state"] == "done"


def test_a_job_whose_end_cannot_be_stored_is_not_cancelled_but_its_process_ends(
    tmp_path, monkeypatch
) -> None:
    def full(*_):
        raise StoreFull("the disk is full")

    async def ask() -> tuple[httpx.Response, dict, list]:
        async with inside(tmp_path, running=1) as client:
            job = (await client.post(PATH, json=SLOW)).json()
            await until(client, job, "running")
            async with asyncio.timeout(60):
                while not processes():
                    await asyncio.sleep(0.05)
            monkeypatch.setattr(Jobs, "save", full)
            said = await client.delete(f"{PATH}/{job['id']}")
            ended = await until(client, job, "failed", "cancelled")
            await asyncio.sleep(0.5)
            return said, ended, processes()

    said, ended, left = awaited(ask())
    assert (said.status_code, said.json()["detail"]) == (507, "the disk is full")
    assert ended["state"] == "failed"
    assert "its process ended (9)" in ended["error"]["detail"]
    assert left == []


def test_a_job_that_is_cancelled_while_its_start_is_stored_stays_cancelled_in_the_store(
    tmp_path, monkeypatch
) -> None:
    save, begun = Jobs.save, threading.Event()

    def slowly(jobs: Jobs, job: Job, file: bytes | None = None) -> None:
        job = replace(job)
        if job.state == RUNNING:
            begun.set()
            time.sleep(0.3)
        save(jobs, job, file)

    async def ask() -> None:
        async with inside(tmp_path, running=1) as client:
            job = (await client.post(PATH, json=SLOW)).json()
            await asyncio.to_thread(begun.wait)
            assert (await client.delete(f"{PATH}/{job['id']}")).json()["state"] == "cancelled"
            await asyncio.sleep(0.5)

    monkeypatch.setattr(Jobs, "save", slowly)
    awaited(ask())
    with Store(Location(tmp_path / "store.sqlite")) as store:
        assert [job.state for job in Jobs(store).all()] == ["cancelled"]


def test_two_jobs_that_come_at_a_time_forget_old_ones_together(tmp_path, monkeypatch) -> None:
    forget = Jobs.forget

    def slowly(jobs: Jobs, name: str) -> None:
        time.sleep(0.2)
        forget(jobs, name)

    async def ask(jobs: Jobs) -> list[int]:
        limits = Limits(kept_jobs=2)
        uploads = Uploads(tmp_path / "uploads", limits)
        runner = JobRunner(jobs, Location(tmp_path / "store.sqlite"), uploads, limits)
        for number in (1, 2):
            await runner.cancel(await runner.submit({"kind": "claims", "puzzle": number}))
        both = [runner.submit({"kind": "claims", "puzzle": number}) for number in (3, 4)]
        await asyncio.gather(*both)
        return [job.request["puzzle"] for job in runner.all()]

    monkeypatch.setattr(Jobs, "forget", slowly)
    with Store(Location(tmp_path / "store.sqlite")) as store:
        assert awaited(ask(Jobs(store))) == [3, 4]
        assert [job.request["puzzle"] for job in Jobs(store).all()] == [3, 4]


def test_as_many_jobs_as_allowed_wait_beside_those_that_run(tmp_path) -> None:
    async def ask() -> tuple[httpx.Response, httpx.Response]:
        async with inside(tmp_path, running=1, queued=2) as client:
            job = (await client.post(PATH, json=SLOW)).json()
            await until(client, job, "running")
            asked = [SLOW | {"date": f"2025-03-0{day}"} for day in (4, 5, 6)]
            said = [await client.post(PATH, json=each) for each in asked]
            return said[1], said[2]

    last, refused = awaited(ask())
    assert last.status_code == 202
    assert refused.status_code == 503
    assert refused.json()["detail"].startswith("2 jobs wait already")


def test_as_many_exports_as_allowed_wait_beside_those_that_are_made(monkeypatch) -> None:
    async def made(*_):
        await asyncio.sleep(0.1)
        return b"file"

    async def ask() -> list:
        at_once = AtOnce(Limits(at_once=1, waiting_at_once=2))
        return await asyncio.gather(
            *(at_once.run({}, 1, str(client)) for client in range(4)), return_exceptions=True
        )

    monkeypatch.setattr(AtOnce, "_run", made)
    *files, refused = awaited(ask())
    assert files == [b"file"] * 3
    assert isinstance(refused, Stopped)


def test_what_is_placed_is_read_once_and_not_for_every_reveal(tmp_path, monkeypatch) -> None:
    read = []
    parse = routes.parse_demands

    def counted(*arguments):
        read.append(arguments)
        return parse(*arguments)

    async def ask() -> httpx.Response:
        reveals = [["Jan", str(day)] for day in range(1, 8)]
        asked = QUICK | {"reveals": reveals, "place": ["I4@r4c5"]}
        async with inside(tmp_path) as client:
            return await client.post(PATH, json=asked)

    monkeypatch.setattr(routes, "parse_demands", counted)
    said = awaited(ask())
    assert said.status_code == 202, said.text
    assert len(read) == 1


def test_a_diagram_counts_what_nobody_could_list(tmp_path) -> None:
    board = {"definition": growing.rectangle(8, 16, {"I2": ("##", 64)})}

    async def ask() -> dict:
        async with inside(tmp_path) as client:
            posted = (await client.post("/api/v1/puzzles", json=board)).json()
            job = {"kind": "count", "puzzle": posted["id"], "method": "diagram", "reveals": [[]]}
            begun = (await client.post(PATH, json=job)).json()
            return await until(client, begun, "done", "failed")

    done = awaited(ask())
    assert done["state"] == "done", done
    assert done["result"]["rows"] == [{"reveal": [], "tilings": 540_061_286_536_921}]


@pytest.mark.parametrize("most", [1, 2])
def test_a_job_by_the_diagram_puts_nothing_on_the_disk(monkeypatch, most) -> None:
    puzzle, built = load("tetromino"), []

    def small(_, reveals, *rest):
        built.append(len(reveals))
        if len(reveals) >= most:
            raise TooLarge("too large")
        return diagram_for(puzzle, reveals, *rest)

    monkeypatch.setattr(job_process, "diagram_for", small)
    settings = Settings(use_cache=False)
    reveals = [("Jan", "1"), ("Oct", "30")]
    found = job_process._by_diagram(puzzle, reveals, settings, time.monotonic() + 60)
    if most == 1:
        with pytest.raises(TooLarge, match="too large"):
            list(found)
    else:
        assert dict(found) == {reveal: satcal.count(puzzle, reveal) for reveal in reveals}
        assert built == [2, 1, 1]
