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
from helpers.waiting import PATIENCE
from satcal.errors import BudgetExhausted, Stopped, TooLarge, UnknownName
from satcal.processes import Worker
from satcal.service.workers import Workers

GIB = 2**30


def with_workers(use: Callable[[Workers], Coroutine[Any, Any, Any]], seconds: float = 60) -> Any:
    """Return what a use of two workers returns."""

    async def run() -> Any:
        workers = Workers(2, GIB, seconds)
        try:
            with patch("satcal.service.workers.REQUEST_SECONDS", PATIENCE):
                return await use(workers)
        finally:
            workers.close()

    return run_alone(run())


def die() -> None:
    """Die, as when memory is short."""
    os.kill(os.getpid(), signal.SIGKILL)


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


@pytest.mark.promise("a killed worker of the service")
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
            patch.setattr("satcal.service.workers.Worker", started)
            endless = asyncio.create_task(workers.run_job(sum, range(10**12)))
            assert await asyncio.to_thread(begun.wait, PATIENCE)
            endless.cancel()
            await asyncio.gather(endless, return_exceptions=True)
            cancelled.set()
            return await workers.run_job(len, "abc")

    assert with_workers(use, seconds=10**6) == 3
