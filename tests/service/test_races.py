"""Jobs whose clients leave, come at once, or cancel late."""

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
from satcal.service.jobs import Jobs
from satcal.service.metrics import Metrics
from satcal.service.models import CountJob
from satcal.store.jobs import JobRecord, JobTable
from satcal.store.opening import open_store

TODAY = datetime.date(2026, 10, 6)
ONE_DATE = CountJob(kind="count", puzzle="a-puzzle-a-day", date="2026-10-06")
Use = Callable[[Jobs], Coroutine[Any, Any, Any]]


@pytest.fixture
def with_jobs(tmp_path: Path) -> Callable[[Use], tuple[Any, list[str]]]:
    """Return a function: what a use of new jobs returns, and the states that are stored then."""

    def run(use: Use) -> tuple[Any, list[str]]:
        async def start_and_stop() -> Any:
            jobs = Jobs(store, InThreads(), Boards(), Metrics(), lambda: TODAY)  # type: ignore[arg-type]
            await jobs.start()
            try:
                return await use(jobs)
            finally:
                await jobs.stop()

        with closing(open_store(tmp_path / "store.sqlite")) as store:
            return run_alone(start_and_stop()), [record.state for record in store.jobs()]

    return run


def test_no_more_jobs_begin_at_once_than_may_wait(with_jobs, monkeypatch):
    monkeypatch.setattr("satcal.service.jobs.MAX_UNFINISHED", 5)

    async def post_all(jobs: Jobs) -> list[Any]:
        return await asyncio.gather(
            *(jobs.post(ONE_DATE) for _ in range(12)), return_exceptions=True
        )

    answers, _ = with_jobs(post_all)
    assert sum(isinstance(answer, Stopped) for answer in answers) == 7


def test_first_requests_for_claims_share_a_job(with_jobs, monkeypatch):
    monkeypatch.setattr("satcal.published.reading.claim_files", list)  # all claims take seconds

    async def ask_all(jobs: Jobs) -> list[Any]:
        return await asyncio.gather(*(jobs.claims() for _ in range(5)))

    answers, _ = with_jobs(ask_all)
    assert len({job.id for job in answers}) == 1


def test_a_job_that_is_cancelled_while_its_result_is_stored_is_done(with_jobs, monkeypatch):
    is_saving, may_go_on, save = threading.Event(), threading.Event(), JobTable.save_job

    def save_slowly(store: Any, record: JobRecord) -> None:
        if record.state == "done":
            is_saving.set()
            assert may_go_on.wait(PATIENCE)
        save(store, record)

    monkeypatch.setattr(JobTable, "save_job", save_slowly)

    async def cancel_late(jobs: Jobs) -> str:
        job = await jobs.post(ONE_DATE)
        assert await asyncio.to_thread(is_saving.wait, PATIENCE)
        cancelling = asyncio.create_task(jobs.cancel(job.id))
        await asyncio.sleep(0)
        may_go_on.set()
        return (await cancelling).state

    assert with_jobs(cancel_late) == ("done", ["done"])


def test_a_job_that_cannot_be_stored_is_refused_and_takes_no_place(with_jobs, monkeypatch):
    def fail(store: Any, record: JobRecord) -> None:
        raise StoreFull("the disk is full")

    monkeypatch.setattr(JobTable, "save_job", fail)

    async def post(jobs: Jobs) -> int:
        with pytest.raises(StoreFull):
            await jobs.post(ONE_DATE)
        return len(jobs.all())

    assert with_jobs(post) == (0, [])


def test_a_client_that_leaves_loses_no_job_that_it_posted(with_jobs):
    async def leave(jobs: Jobs) -> str:
        posting = asyncio.create_task(jobs.post(ONE_DATE))
        await asyncio.sleep(0)
        posting.cancel()
        (job,) = jobs.all()
        while not job.is_finished:
            await asyncio.sleep(0)
        return job.state

    assert with_jobs(leave) == ("done", ["done"])


def test_two_requests_delete_the_same_job(with_jobs):
    async def delete_twice(jobs: Jobs) -> int:
        job = await jobs.post(ONE_DATE)
        while not job.is_finished:
            await asyncio.sleep(0)
        await asyncio.gather(jobs.cancel(job.id), jobs.cancel(job.id))
        return len(jobs.all())

    assert with_jobs(delete_twice) == (0, [])


def test_a_server_that_stops_while_a_job_is_stored_keeps_no_client_waiting(with_jobs, monkeypatch):
    may_go_on = threading.Event()
    monkeypatch.setattr(JobTable, "save_job", lambda *_: may_go_on.wait(PATIENCE) and None)

    async def stop_meanwhile(jobs: Jobs) -> None:
        posting = asyncio.create_task(jobs.post(ONE_DATE))
        await asyncio.sleep(0)
        await jobs.stop()
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(posting, PATIENCE)
        may_go_on.set()

    with_jobs(stop_meanwhile)
