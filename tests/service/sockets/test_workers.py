"""The pool: limits of memory and time, and workers that die."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

import pytest

from command import run_alone
from helpers.waiting import PATIENCE, until
from satcal.encoding import encoding_named
from satcal.errors import BudgetExhausted, Stopped, TooLarge, UnknownName
from satcal.processes import Worker
from satcal.service.workers import Workers

GIB = 2**30
ENDLESS = range(10**12)
Use = Callable[[Workers], Coroutine[Any, Any, Any]]


@pytest.fixture
def with_workers(monkeypatch: pytest.MonkeyPatch) -> Callable[[Use], Any]:
    """Return a function: what a use of three workers returns."""
    monkeypatch.setattr("satcal.service.workers.REQUEST_SECONDS", PATIENCE)

    def run(use: Use) -> Any:
        async def use_and_close() -> Any:
            workers = Workers(3, GIB)
            try:
                return await use(workers)
            finally:
                workers.close()

        return run_alone(use_and_close())

    return run


def occupy(workers: Workers, number: int = 4) -> list[asyncio.Task[int]]:
    """Ask slow questions without an end, each another one."""
    return [
        asyncio.create_task(workers.run(sum, ENDLESS[each:], slow=True)) for each in range(number)
    ]


def die() -> None:
    """Die, as when memory is short."""
    os.kill(os.getpid(), signal.SIGKILL)


def note(path: str) -> int:
    """Return the number of calls so far."""
    with open(path, "a+") as file:
        file.write("x")
        file.seek(0)
        return len(file.read())


def die_once(path: str) -> int:
    """Die at the first call; then return the number of calls."""
    if (calls := note(path)) == 1:
        die()
    return calls


def test_memory_time_a_killed_worker_and_a_refusal_are_one_error_each(with_workers, monkeypatch):
    monkeypatch.setattr("satcal.service.workers.JOB_SECONDS", 0.5)

    async def use(workers: Workers) -> int:
        for error, call in (
            (TooLarge, workers.run(bytes, 2 * GIB)),
            (Stopped, workers.run(die)),
            (BudgetExhausted, workers.run_job(sum, ENDLESS)),
            (UnknownName, workers.run(encoding_named, "plane")),
        ):
            with pytest.raises(error):
                await call
        return await workers.run(len, "abc")

    assert with_workers(use) == 3


def test_a_job_that_is_cancelled_also_while_its_worker_starts_frees_it(with_workers, monkeypatch):
    begun, is_cancelled = threading.Event(), threading.Event()

    def start_late(*settings: Any, **options: Any) -> Worker:
        begun.set()
        assert is_cancelled.wait(PATIENCE)
        return Worker(*settings, **options)

    async def use(workers: Workers) -> list[int]:
        endless = [asyncio.create_task(workers.run_job(sum, ENDLESS)) for _ in range(2)]
        assert await asyncio.to_thread(begun.wait, PATIENCE)
        for task in endless:
            task.cancel()
        await asyncio.gather(*endless, return_exceptions=True)
        is_cancelled.set()
        return [await workers.run_job(len, "abc"), await workers.run(len, "ab")]

    monkeypatch.setattr("satcal.processes.Worker", start_late)
    assert with_workers(use) == [3, 2]


def test_a_task_whose_worker_is_killed_runs_again(with_workers, tmp_path):
    async def use(workers: Workers) -> int:
        return await workers.run(die_once, str(tmp_path / "calls"))

    assert with_workers(use) == 2


def test_equal_questions_at_the_same_time_are_one_task(with_workers, tmp_path):
    async def use(workers: Workers) -> list[int]:
        path = str(tmp_path / "calls")
        together = await asyncio.gather(*(workers.run(note, path, slow=True) for _ in range(20)))
        return [*together, await workers.run(note, path, slow=True)]

    assert with_workers(use) == [1] * 20 + [2]


def test_what_waits_for_a_client_that_left_is_dropped_and_what_runs_is_ended(
    with_workers, tmp_path
):
    async def use(workers: Workers) -> list[int]:
        paths = [str(tmp_path / name) for name in ("left", "shared")]
        leaving = occupy(workers)
        shared = asyncio.create_task(workers.run(note, paths[1], slow=True))
        leaving += [asyncio.create_task(workers.run(note, path, slow=True)) for path in paths]
        await asyncio.sleep(0)
        for task in leaving:
            task.cancel()
        await asyncio.gather(*leaving, return_exceptions=True)
        return [await shared, await workers.run(note, paths[0], slow=True)]

    assert with_workers(use) == [1, 1]


def test_slow_tasks_and_jobs_leave_a_worker_for_quick_ones(with_workers):
    async def use(workers: Workers) -> int:
        endless = [*occupy(workers), asyncio.create_task(workers.run_job(sum, ENDLESS))]
        await asyncio.sleep(0)
        try:
            return sum([await workers.run(abs, n) for n in range(10)])
        finally:
            for task in endless:
                task.cancel()

    assert with_workers(use) == 45


def test_no_more_slow_questions_wait_than_allowed(with_workers, monkeypatch):
    monkeypatch.setattr("satcal.service.workers.MAX_WAITING", 2)

    async def use(workers: Workers) -> list[Any]:
        tasks = [workers.run(pow, 2, n, slow=True) for n in range(4)]
        return await asyncio.gather(*tasks, return_exceptions=True)

    answers = with_workers(use)
    assert answers[:2] == [1, 2]
    assert all(isinstance(answer, Stopped) for answer in answers[2:])


def test_readiness_is_the_state_of_a_process_and_a_dead_one_is_started_again(with_workers):
    async def use(workers: Workers) -> None:
        def is_ready() -> bool:
            with suppress(Stopped):
                workers.check()
                return True
            return False

        endless = occupy(workers)
        with pytest.raises(Stopped, match="being started"):
            workers.check()
        await asyncio.to_thread(until, is_ready)
        for task in endless:
            task.cancel()

    with_workers(use)
