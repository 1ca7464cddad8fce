"""The pool: limits of memory and time, and workers that die."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Callable, Coroutine
from typing import Any
from unittest.mock import patch

import pytest

from command import run_alone
from helpers.waiting import PATIENCE, until
from satcal.errors import BudgetExhausted, Stopped, TooLarge, UnknownName
from satcal.processes import Worker
from satcal.service.workers import Workers

GIB = 2**30


def with_workers(use: Callable[[Workers], Coroutine[Any, Any, Any]], seconds: float = 60) -> Any:
    """Return what a use of three workers returns."""

    async def run() -> Any:
        workers = Workers(3, GIB, seconds)
        try:
            with patch("satcal.service.workers.REQUEST_SECONDS", PATIENCE):
                return await use(workers)
        finally:
            workers.close()

    return run_alone(run())


def die() -> None:
    """Die, as when memory is short."""
    os.kill(os.getpid(), signal.SIGKILL)


def die_once(path: str) -> int:
    """Die at the first call; then return the number of calls."""
    with open(path, "a+") as file:
        file.write("x")
        file.seek(0)
        calls = len(file.read())
    if calls == 1:
        die()
    return calls


def refuse() -> None:
    """Raise an error of satcal's own."""
    raise UnknownName("no such thing")


def test_memory_time_a_killed_worker_and_a_refusal_are_one_error_each():
    async def use(workers: Workers) -> int:
        with pytest.raises(TooLarge):
            await workers.run(bytes, 2 * GIB)
        with pytest.raises(Stopped):
            await workers.run(die)
        with pytest.raises(BudgetExhausted):
            await workers.run_job(sum, range(10**12))
        with pytest.raises(UnknownName, match="no such thing"):
            await workers.run(refuse)
        return await workers.run(len, "abc")

    assert with_workers(use, seconds=0.5) == 3


def test_a_dead_worker_costs_its_own_task_only():
    async def use(workers: Workers) -> list[Any]:
        tasks = [workers.run(die) if n == 3 else workers.run(abs, n) for n in range(10)]
        return await asyncio.gather(*tasks, return_exceptions=True)

    answers = with_workers(use)
    assert [n for n, answer in enumerate(answers) if not isinstance(answer, int)] == [3]


def test_cancelling_ends_the_work():
    async def use(workers: Workers) -> list[int]:
        endless = [asyncio.create_task(workers.run_job(sum, range(10**12))) for _ in range(2)]
        await asyncio.sleep(0)
        for task in endless:
            task.cancel()
        await asyncio.gather(*endless, return_exceptions=True)
        return [await workers.run(len, "abc") for _ in range(3)]

    assert with_workers(use, seconds=10**6) == [3, 3, 3]


def test_a_task_that_is_cancelled_while_its_worker_starts_keeps_nobody_waiting():
    async def use(workers: Workers) -> int:
        begun = threading.Event()

        def started(*settings: Any, **more: Any) -> Worker:
            begun.set()
            assert cancelled.wait(PATIENCE)
            return Worker(*settings, **more)

        cancelled = threading.Event()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("satcal.processes.Worker", started)
            endless = asyncio.create_task(workers.run_job(sum, range(10**12)))
            assert await asyncio.to_thread(begun.wait, PATIENCE)
            endless.cancel()
            await asyncio.gather(endless, return_exceptions=True)
            cancelled.set()
            return await workers.run_job(len, "abc")

    assert with_workers(use, seconds=10**6) == 3


@pytest.mark.parametrize("kind", ["run", "run_job"])
def test_a_task_whose_worker_is_killed_runs_again(tmp_path, kind):
    async def use(workers: Workers) -> int:
        calls: int = await getattr(workers, kind)(die_once, str(tmp_path / "calls"))
        return calls

    assert with_workers(use) == 2


def test_equal_questions_at_the_same_time_are_one_task(tmp_path):
    async def use(workers: Workers) -> list[int]:
        path = str(tmp_path / "calls")
        await asyncio.gather(*(workers.run(note, path, slow=True) for _ in range(20)))
        return [await workers.run(note, path, slow=True)]

    assert with_workers(use) == [2]


def note(path: str) -> int:
    """Return the number of calls so far."""
    with open(path, "a+") as file:
        file.write("x")
        file.seek(0)
        return len(file.read())


def test_what_waits_for_a_client_that_left_is_dropped_and_what_runs_is_ended(tmp_path):
    async def use(workers: Workers) -> int:
        path = str(tmp_path / "calls")
        endless = [
            asyncio.create_task(workers.run(sum, range(10**12 + n), slow=True)) for n in range(4)
        ]
        waiting = asyncio.create_task(workers.run(note, path, slow=True))
        staying = [asyncio.create_task(workers.run(note, f"{path}2", slow=True)) for _ in range(2)]
        await asyncio.sleep(0)
        for task in (*endless, waiting, staying[0]):
            task.cancel()
        await asyncio.gather(*endless, waiting, return_exceptions=True)
        assert await staying[1] == 1  # another client still waits for it
        return await workers.run(note, path, slow=True)

    assert with_workers(use) == 1


def test_slow_tasks_and_jobs_leave_a_worker_for_quick_ones():
    async def use(workers: Workers) -> int:
        endless = [
            asyncio.create_task(workers.run(sum, range(10**12 + n), slow=True)) for n in range(4)
        ]
        endless.append(asyncio.create_task(workers.run_job(sum, range(10**12))))
        await asyncio.sleep(0)
        try:
            return sum([await workers.run(abs, n) for n in range(10)])
        finally:
            for task in endless:
                task.cancel()

    assert with_workers(use, seconds=10**6) == 45


def test_no_more_slow_questions_wait_than_allowed(monkeypatch):
    monkeypatch.setattr("satcal.service.workers.MAX_WAITING", 2)

    async def use(workers: Workers) -> list[Any]:
        tasks = [workers.run(pow, 2, n, slow=True) for n in range(4)]
        return await asyncio.gather(*tasks, return_exceptions=True)

    answers = with_workers(use)
    assert answers[:2] == [1, 2]
    assert all(isinstance(answer, Stopped) for answer in answers[2:])


def test_readiness_is_the_state_of_a_process_and_a_dead_one_is_started_again():
    async def use(workers: Workers) -> None:
        endless = [
            asyncio.create_task(workers.run(sum, range(10**12 + n), slow=True)) for n in range(4)
        ]
        with pytest.raises(Stopped, match="being started"):
            workers.check()
        await asyncio.to_thread(until_ready, workers)
        for task in endless:
            task.cancel()

    with_workers(use, seconds=10**6)


def until_ready(workers: Workers) -> None:
    """Wait until the workers are ready."""

    def is_ready() -> bool:
        try:
            workers.check()
        except Stopped:
            return False
        return True

    until(is_ready)
