"""A cluster counts what this machine counts, whatever befalls its workers and its scheduler."""

from __future__ import annotations

import logging
import os
import pickle
import socket
import time
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import closing
from functools import partial
from typing import Any

import pytest

from command import run_alone
from helpers.servers import started, wait_for
from helpers.waiting import PATIENCE, until
from oracle import dominoes, half_stuck, write
from satcal.counting.cluster import Cluster
from satcal.counting.method import deadline_in
from satcal.counting.methods import method_named
from satcal.counting.run import Limits, count, exact_counts
from satcal.errors import BudgetExhausted, InputError, OptionError, Stopped
from satcal.puzzle.rows import Selection
from satcal.store.opening import open_store

OCTOBER = [("Oct", str(day)) for day in range(1, 7)]
ENDLESS = dominoes(8, 8).load()  # 12,988,816 tilings, one by one


def test_dates_are_counted_though_a_worker_is_killed(farm, daily):
    victim, _ = farm.add(), farm.add()
    selection, counts = Selection.of(daily, OCTOBER), {}
    for counted in count(selection, method_named("sat"), executor=Cluster(farm.address)):
        farm.workers[victim].kill()
        assert counted.reveal not in counts
        counts[counted.reveal] = counted.tilings
    assert counts == exact_counts(count(selection, method_named("diagram")))


def test_all_reveals_in_one_pass_are_one_task(shared, daily):
    before, selection = shared.finished(), Selection.of(daily, OCTOBER)
    counting = count(selection, method_named("diagram"), executor=Cluster(shared.address))
    assert exact_counts(counting)["Oct", "6"] == 7
    assert shared.finished() == before + 1


def test_a_worker_with_other_sources_is_refused_also_if_it_joins_later(farm):
    with Cluster(farm.address) as executor:
        late = executor.submit(os.getpid)
        other = farm.add(sources="0")
        for future in (late, executor.submit(os.getpid)):
            with pytest.raises(InputError, match=other):
                future.result(PATIENCE)


def test_a_cluster_is_reached_from_where_a_loop_runs_as_in_a_notebook(shared):
    async def cell() -> int:
        with Cluster(shared.address) as executor:
            return executor.submit(abs, -7).result(PATIENCE)

    assert run_alone(cell()) == 7


def test_errors_reach_the_caller_and_closing_cancels_what_is_queued(shared):
    executor = Cluster(shared.address)
    for task, error in (((os._exit, 1), Stopped), ((divmod, 1, 0), ZeroDivisionError)):
        with pytest.raises(error):
            executor.submit(*task).result(PATIENCE)
    with pytest.raises(InputError, match=r"tcp://"):
        executor.submit(__import__, "nowhere").result(PATIENCE)
    futures = [executor.submit(time.sleep, 1000) for _ in range(3)]  # noqa: TID251 - work
    executor.shutdown(wait=False, cancel_futures=True)
    with pytest.raises(CancelledError):
        futures[-1].result(PATIENCE)
    with Cluster(shared.address) as other:  # and the worker is free for others
        assert other.submit(sum, [1, 2]).result(PATIENCE) == 3


def test_a_task_that_is_cancelled_frees_its_worker(shared):
    with Cluster(shared.address) as executor:
        endless = executor.submit(sum, range(10**12))
        until(partial(shared.is_busy, *shared.workers))
        endless.cancel()
        assert executor.submit(abs, -7).result(PATIENCE) == 7


@pytest.mark.parametrize("loss", ["scheduler", "workers", "task"])
def test_a_task_that_the_cluster_loses_stops_its_count(farm, loss):
    executor, first = Cluster(farm.address), farm.add()
    counting = count(Selection.of(ENDLESS, [()]), method_named("search"), executor=executor)
    with ThreadPoolExecutor(1) as pool:
        answers = pool.submit(list, counting)
        until(lambda: farm.known() == 1)
        if loss == "scheduler":
            farm.scheduler.kill()
        elif loss == "task":
            farm.cancel()
        else:
            for number in range(4):
                address = farm.add() if number else first
                until(partial(farm.is_busy, address))
                farm.workers[address].kill()
        (lost,) = answers.result(PATIENCE)
    assert (lost.complete, type(lost.error)) == (False, Stopped)
    assert "the cluster" in str(lost.error)
    assert "lost a task" in str(lost.error)


def test_what_a_lost_scheduler_had_sent_is_shown_and_stored(farm, tmp_path, run):
    farm.add()
    path, where = write(half_stuck(8), tmp_path / "half.toml"), tmp_path / "store.sqlite"
    line = f"count {path} --all-reveals --method search --cluster {farm.address} --store {where}"

    def stored() -> list[tuple[str, int]]:
        with closing(open_store(where)) as store:
            return [(row.reveal, row.tilings) for row in store.list_rows()]

    def lose_the_scheduler() -> None:
        until(lambda: where.exists() and stored())
        farm.scheduler.kill()

    with ThreadPoolExecutor(1) as pool:
        lost = pool.submit(lose_the_scheduler)
        answer = run(line)
        lost.result(PATIENCE)
    assert (answer.code, [row["tilings"] for row in answer.rows]) == (3, ["0", ""])
    assert stored() == [("A", 0)]


def test_a_limit_of_memory_is_kept(shared):
    with Cluster(shared.address, memory=700 * 10**6) as executor:
        assert executor.submit(len, b"12").result(PATIENCE) == 2
        with pytest.raises(MemoryError):
            executor.submit(bytearray, 10**9).result(PATIENCE)


def test_a_limit_of_memory_on_the_command_line_is_that_of_each_task(monkeypatch, run):
    limits = list[int]()

    def refuse(address: str, *, memory: int, **_: Any) -> Cluster:
        limits.append(memory)
        raise Stopped("no scheduler")

    monkeypatch.setattr("satcal.counting.cluster.Cluster", refuse)
    answer = run("count --method diagram --cluster tcp://10.0.0.1:8786 --memory-limit 1.5")
    assert (answer.code, limits) == (3, [3 * 2**29])


def test_a_lost_scheduler_is_not_logged(shared):
    with Cluster(shared.address):
        from distributed import client, core

        loggers = client.logger, core.logger
        assert [logger.isEnabledFor(logging.CRITICAL) for logger in loggers] == [False, False]


def test_a_deadline_travels_as_the_seconds_left():
    rounding, deadline = 1e-6, deadline_in(100.0)
    restore, (left,) = deadline.__reduce__()
    then = time.monotonic()
    assert deadline - then - rounding <= left <= 100.0 + rounding
    assert then + left - rounding <= restore(left) <= time.monotonic() + left + rounding
    assert isinstance(pickle.loads(pickle.dumps(deadline)), type(deadline))


@pytest.mark.parametrize("workers", ["farm", "shared"])
def test_a_limit_of_time_is_kept_without_workers_or_with_one(request, workers):
    farm, late = request.getfixturevalue(workers), deadline_in(0.5)
    selection, executor = Selection.of(ENDLESS, [()]), Cluster(farm.address, until=late)
    (answer,) = count(selection, method_named("search"), Limits(late), executor=executor)
    assert (answer.complete, type(answer.error)) == (False, BudgetExhausted)


def test_a_wrong_address_is_refused_and_a_silent_one_reported(monkeypatch):
    monkeypatch.setattr("satcal.counting.cluster.CONNECT_SECONDS", 0.2)
    for address in ("nonsense://1", "tcp://", "tcp://localhost", "localhost:8786"):
        with pytest.raises(OptionError):
            Cluster(address)
    with socket.socket() as silent, pytest.raises(Stopped, match="dask scheduler"):
        silent.bind(("127.0.0.1", 0))  # it does not listen, and nobody else can
        Cluster(f"tcp://127.0.0.1:{silent.getsockname()[1]}")


@pytest.mark.slow("a scheduler, a worker and a server")
def test_a_job_is_counted_by_a_worker_of_dask(shared, tmp_path):
    request = {"kind": "count", "puzzle": "a-puzzle-a-day", "method": "sat"}
    request |= {"date": "Oct 4..Oct 6 2026"}
    with started(tmp_path, "--cluster", shared.address) as server, server.client() as client:
        before = shared.finished()
        answer = wait_for(client, client.post("/api/v1/jobs", json=request).json()["id"])
        assert answer["state"] == "done", answer["error"]
        assert [row["tilings"] for row in answer["result"]["rows"]] == [59, 13, 7]
        assert shared.finished() == before + 3
