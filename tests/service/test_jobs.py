"""Jobs of a service in this process: their limits, and what fails around them."""

from __future__ import annotations

import asyncio
import errno
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest

import satcal
from helpers.servers import inside
from helpers.waiting import awaited
from satcal.errors import Stopped, StoreFull
from satcal.puzzle.loading import library_text
from satcal.service import children, queue
from satcal.service.children import AtOnce
from satcal.service.config import Limits, Means
from satcal.service.queue import JobQueue
from satcal.service.tasks import Certificate, Check, Claims, Count, task_of
from satcal.service.writing import Changes
from satcal.store.jobs import RUNNING, Job, Jobs
from satcal.store.location import Location
from satcal.store.results import Store

SMALL = Path(__file__).parents[2] / "encodings" / "puzzles" / "letter-and-digit.toml"
PATH = "/api/v1/jobs"
QUICK = {"kind": "count", "puzzle": "tetromino", "method": "diagram", "reveals": [["Jan", "1"]]}
SLOW = {"kind": "count", "puzzle": "weekday", "method": "search", "date": "2025-03-03"}


async def until(client: httpx.AsyncClient, job: dict, *states: str) -> dict:
    """Wait until a job is in one of these states."""
    async with asyncio.timeout(60):
        while True:
            job = (await client.get(f"{PATH}/{job['id']}")).json()
            if job["state"] in states:
                return job
            await asyncio.sleep(0.02)


async def posted(client: httpx.AsyncClient, asked: dict) -> dict:
    return (await client.post(PATH, json=asked)).json()


async def children_left(expected: bool) -> None:
    """Wait until there are children of this process, or none."""
    async with asyncio.timeout(60):
        while (
            any("begin_fresh" in str(c.cmdline()) for c in psutil.Process().children()) != expected
        ):
            await asyncio.sleep(0.05)


def with_queue(folder: Path, ask: Callable[[JobQueue], Any], **limits: int) -> Any:
    """Return what a coroutine returns that is given a queue, which runs nothing by itself."""
    where = Location(folder / "store.sqlite")
    with Store(where) as store:
        return awaited(ask(JobQueue(Jobs(store), Changes(where), where, Limits(**limits))))


@pytest.mark.parametrize(
    ("where", "error", "detail"),
    [
        (
            children,
            BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable"),
            "cannot start a process (Resource temporarily unavailable): "
            "too many are running, or memory is short; try again later",
        ),
        (
            queue,
            ZeroDivisionError(),
            "internal error: ZeroDivisionError; the server's log says more",
        ),
    ],
)
def test_what_goes_wrong_fails_one_job_and_not_those_after_it(
    tmp_path, monkeypatch, where, error, detail
) -> None:
    def fails(*_, **__) -> None:
        raise error

    async def ask() -> tuple[dict, dict]:
        async with inside(tmp_path, running=1) as client:
            with monkeypatch.context() as patch:
                patch.setattr(where, "Worker" if where is children else "task_of", fails)
                failed = await until(client, await posted(client, SLOW), "failed")
            return failed, await until(client, await posted(client, QUICK), "done", "failed")

    failed, done = awaited(ask())
    assert (failed["error"]["detail"], done["state"]) == (detail, "done")


def test_a_job_whose_end_cannot_be_stored_is_not_cancelled_but_its_process_ends(
    tmp_path, monkeypatch
) -> None:
    def full(*_) -> None:
        raise StoreFull("the disk is full")

    async def ask() -> tuple[httpx.Response, dict]:
        async with inside(tmp_path, running=1) as client:
            job = await until(client, await posted(client, SLOW), "running")
            await children_left(True)
            monkeypatch.setattr(Jobs, "save", full)
            said = await client.delete(f"{PATH}/{job['id']}")
            ended = await until(client, job, "failed", "cancelled")
            await children_left(False)
            return said, ended

    said, ended = awaited(ask())
    assert (said.status_code, said.json()["detail"]) == (507, "the disk is full")
    assert ended["state"] == "failed"
    assert "its worker process died" in ended["error"]["detail"]


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
            job = await posted(client, SLOW)
            await asyncio.to_thread(begun.wait)
            assert (await client.delete(f"{PATH}/{job['id']}")).json()["state"] == "cancelled"

    monkeypatch.setattr(Jobs, "save", slowly)
    awaited(ask())
    with Store(Location(tmp_path / "store.sqlite")) as store:
        assert [job.state for job in Jobs(store).all()] == ["cancelled"]


def test_two_jobs_that_come_at_a_time_forget_old_ones_together(tmp_path, monkeypatch) -> None:
    forget = Jobs.forget

    def slowly(*asked: Any) -> None:
        time.sleep(0.2)
        forget(*asked)

    async def ask(jobs: JobQueue) -> list[list[Job]]:
        for number in (1, 2):
            await jobs.cancel(await jobs.submit(Claims(version=str(number))))
        await asyncio.gather(*(jobs.submit(Claims(version=str(number))) for number in (3, 4)))
        return [jobs.all(), jobs.kept.all()]

    monkeypatch.setattr(Jobs, "forget", slowly)
    for kept in with_queue(tmp_path, ask, kept_jobs=2):
        assert [job.request["version"] for job in kept] == ["3", "4"]


def test_a_finished_job_is_kept_short_and_its_result_comes_from_the_store(tmp_path) -> None:
    count = Count(
        owner="",
        puzzle="tetromino",
        text=library_text("tetromino"),
        posted=False,
        method="diagram",
        place=[],
        reveals=[["Jan", "1"]],
    )

    async def ask(jobs: JobQueue) -> tuple[Job, Job]:
        job = await jobs.submit(count)
        jobs.start()
        assert [each.state async for each in jobs.events(job)][-1] == "done"
        await jobs.close()
        assert await jobs.submit(count) is job
        return job, await jobs.with_result(job)

    short, full = with_queue(tmp_path, ask)
    assert short.request == {"kind": "count", "owner": "", "puzzle": "tetromino"}
    assert short.result is None
    assert full.result is not None
    assert full.result["rows"][0]["reveal"] == ["Jan", "1"]


def test_as_many_jobs_wait_as_allowed_and_a_quarter_of_them_are_of_one_client(tmp_path) -> None:
    async def ask(jobs: JobQueue) -> list[Job]:
        for owner in ("ann", "bob", "carl", "dora"):
            for number in (1, 2):
                await jobs.submit(Claims(owner=owner, version=str(number)))
            most = (
                "8 jobs are already waiting"
                if owner == "dora"
                else "2 of your jobs are already waiting"
            )
            with pytest.raises(Stopped, match=f"^{most}; cancel one"):
                await jobs.submit(Claims(owner=owner, version="3"))
        return jobs.all()

    assert len(with_queue(tmp_path, ask, queued=8)) == 8


def test_as_many_exports_as_allowed_wait_beside_those_that_are_made() -> None:
    async def ask() -> list:
        at_once = AtOnce(Limits(at_once=1, waiting_at_once=2))
        return await asyncio.gather(
            *(at_once.run("file", 20, str(client), bytes, 4) for client in range(4)),
            return_exceptions=True,
        )

    *files, refused = awaited(ask())
    assert files == [bytes(4)] * 3
    assert isinstance(refused, Stopped)


def test_tasks_tell_how_far_they_are_and_what_came_of_them(tmp_path) -> None:
    told: list[dict] = []
    means = Means(Location(tmp_path / "store.sqlite"), tmp_path / "upload", 10**9, 60.0)
    puzzle = satcal.load(SMALL)
    about = {"puzzle": "small", "text": SMALL.read_text(), "posted": True}
    reveals = [["A", "1"], ["B", "2"], ["A", "1"]]
    counts = [satcal.count(puzzle, tuple(reveal)) for reveal in reveals]
    for method in ("diagram", "search", "sat"):
        count = Count(**about, method=method, place=[], reveals=reveals)
        assert task_of(count.request()) == count
        result = count.do(means, told.append)
        assert [row["tilings"] for row in result.fields["rows"]] == counts
        assert told.pop(0)["total"] == 3
    result = Certificate(**about, reveal=["A", "1"]).do(means, told.append)
    assert result.fields["proved"] == [{"reveal": ("A", "1"), "tilings": counts[0]}]
    assert [step["step"].split()[0] for step in told[-3:]] == ["searching", "checking", "checked"]
    means.upload.write_bytes(result.file or b"")
    checked = Check().do(means, told.append)
    assert checked.fields["proved"] == result.fields["proved"]
    assert [step["step"].split()[0] for step in told[-2:]] == ["checking", "checked"]
