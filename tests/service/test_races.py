"""Jobs whose clients leave, come at once, or cancel late, and a server that stops meanwhile."""

from __future__ import annotations

import asyncio
import datetime
import threading
from collections.abc import Callable, Coroutine
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from command import run_alone
from helpers.servers import InThreads
from helpers.waiting import PATIENCE
from satcal.errors import Stopped, StoreFull
from satcal.service.boards import Boards
from satcal.service.job import Job
from satcal.service.jobs import Jobs
from satcal.service.metrics import Metrics
from satcal.service.models import CountJob
from satcal.store.jobs import JobRecord, JobTable
from satcal.store.opening import open_store


def test_a_change_while_an_event_is_sent_is_the_next_event():
    async def follow_slowly() -> list[str]:
        job = Job("a", {"kind": "claims"}, "", "running")
        states = []
        async for answer in job.follow():
            states.append(answer.state)  # here it is sent
            job.change("done")
        return states

    assert run_alone(asyncio.wait_for(follow_slowly(), PATIENCE)) == ["running", "done"]


def with_jobs(path: Path, use: Callable[[Jobs], Coroutine[Any, Any, Any]]) -> Any:
    """Return what a use of the jobs of a store returns."""

    async def run() -> Any:
        with closing(open_store(path)) as store:
            jobs = Jobs(store, InThreads(), Boards(), Metrics(), lambda: TODAY)  # type: ignore[arg-type]
            await jobs.start()
            try:
                return await use(jobs)
            finally:
                await jobs.stop()

    return run_alone(run())


TODAY = datetime.date(2026, 10, 6)
ONE_DATE = CountJob(kind="count", puzzle="a-puzzle-a-day", dates="2026-10-06")


def test_no_more_jobs_begin_at_once_than_may_wait(tmp_path, monkeypatch):
    monkeypatch.setattr("satcal.service.jobs.MAX_UNFINISHED", 5)

    async def post_all(jobs: Jobs) -> list[Any]:
        return await asyncio.gather(
            *(jobs.post(ONE_DATE) for _ in range(12)), return_exceptions=True
        )

    answers = with_jobs(tmp_path / "store.sqlite", post_all)
    assert sum(isinstance(answer, Stopped) for answer in answers) == 7


def test_first_requests_for_claims_share_a_job(tmp_path):
    async def ask_all(jobs: Jobs) -> list[Any]:
        return await asyncio.gather(*(jobs.claims() for _ in range(5)))

    asked = with_jobs(tmp_path / "store.sqlite", ask_all)
    assert len({job.id for job in asked}) == 1


def test_a_job_that_is_cancelled_while_its_result_is_stored_is_done(tmp_path, monkeypatch):
    saving, go_on, save = threading.Event(), threading.Event(), JobTable.save_job

    def save_slowly(store: Any, record: JobRecord) -> None:
        if record.state == "done":
            saving.set()
            assert go_on.wait(PATIENCE)
        save(store, record)

    monkeypatch.setattr(JobTable, "save_job", save_slowly)

    async def cancel_late(jobs: Jobs) -> str:
        job = await jobs.post(ONE_DATE)
        assert await asyncio.to_thread(saving.wait, PATIENCE)
        cancelling = asyncio.create_task(jobs.cancel(job.id))
        await asyncio.sleep(0)
        go_on.set()
        return (await cancelling).state

    assert with_jobs(tmp_path / "store.sqlite", cancel_late) == "done"
    with closing(open_store(tmp_path / "store.sqlite")) as store:
        assert [record.state for record in store.jobs()] == ["done"]


def test_who_follows_a_job_that_cannot_be_stored_hears_its_end(tmp_path, monkeypatch):
    saving, go_on = threading.Event(), threading.Event()

    def save_never(store: Any, record: JobRecord) -> None:
        saving.set()
        assert go_on.wait(PATIENCE)
        raise StoreFull("the disk is full")

    monkeypatch.setattr(JobTable, "save_job", save_never)

    async def follow_meanwhile(jobs: Jobs) -> list[str]:
        posting = asyncio.create_task(jobs.post(ONE_DATE))
        assert await asyncio.to_thread(saving.wait, PATIENCE)
        (job,) = jobs.all()
        answers = job.follow()
        states = [(await anext(answers)).state]
        following = asyncio.create_task(anext(answers))
        await asyncio.sleep(0)
        go_on.set()
        with pytest.raises(StoreFull):
            await posting
        return [*states, (await asyncio.wait_for(following, PATIENCE)).state]

    assert with_jobs(tmp_path / "store.sqlite", follow_meanwhile) == ["queued", "failed"]


def test_a_server_that_stops_answers_those_who_post_a_job(tmp_path, monkeypatch):
    saving, go_on = threading.Event(), threading.Event()

    def save_late(store: Any, record: JobRecord) -> None:
        saving.set()
        assert go_on.wait(PATIENCE)

    monkeypatch.setattr(JobTable, "save_job", save_late)

    async def stop_meanwhile(jobs: Jobs) -> None:
        posting = [asyncio.create_task(jobs.post(ONE_DATE))]
        assert await asyncio.to_thread(saving.wait, PATIENCE)
        posting.append(asyncio.create_task(jobs.post(ONE_DATE)))  # it has not begun to run
        await asyncio.sleep(0)
        await jobs.stop()
        for each in posting:
            with pytest.raises(Stopped, match="shutting down"):
                await asyncio.wait_for(each, PATIENCE)
        go_on.set()

    with_jobs(tmp_path / "store.sqlite", stop_meanwhile)


def test_a_client_that_leaves_loses_no_job_that_it_posted(tmp_path):
    async def leave(jobs: Jobs) -> int:
        posting = asyncio.create_task(jobs.post(ONE_DATE))
        await asyncio.sleep(0)
        posting.cancel()
        (job,) = jobs.all()
        assert job.task
        await job.task
        return len(jobs.all())

    assert with_jobs(tmp_path / "store.sqlite", leave) == 1
    with closing(open_store(tmp_path / "store.sqlite")) as store:
        assert [record.state for record in store.jobs()] == ["done"]
