"""A cluster counts what this machine counts, whatever befalls its workers and its scheduler."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import CancelledError
from contextlib import closing, suppress
from dataclasses import replace
from typing import Any
from unittest.mock import Mock

import distributed
import pytest

from helpers.stores import believed, located
from helpers.waiting import awaited, until
from satcal.cli.progress import Pace
from satcal.counting import cluster
from satcal.counting.count import count_reveals, executing
from satcal.counting.outcomes import Status
from satcal.counting.settings import SAT, Assignment, ByDiagram, Question, Run
from satcal.errors import InputError, Stopped, TooLarge
from satcal.puzzle.loading import load
from satcal.store.resuming import Keeper
from satcal.store.runs import count_and_keep

SOON = 30.0  # seconds: a hang would be forever, a loaded machine is not
OCTOBER = [("Oct", str(day)) for day in range(1, 7)]


def test_dates_are_counted_though_a_worker_is_killed_and_nothing_is_counted_twice(
    farm, daily, tmp_path, monkeypatch
):
    victim, _ = farm.add(), farm.add()
    store, record = tmp_path / "counts.db", Keeper.record

    def watched(keeper: Keeper, *counted: Any) -> None:
        record(keeper, *counted)
        farm.workers[victim].kill()

    monkeypatch.setattr(Keeper, "record", watched)
    october = Question(daily, OCTOBER)
    by_cluster = Assignment(october, SAT, Run(cluster=farm.address))
    with closing(Keeper(located(store))) as keeper:
        counts = count_and_keep(by_cluster, keeper).counts
    diagram = dict(count_reveals(Assignment(october)))
    assert counts == {reveal: outcome.tilings for reveal, outcome in diagram.items()}
    assert [row.times for row in believed(store)] == [1] * 6


def test_a_cluster_is_reached_from_where_a_loop_runs_as_in_a_notebook(shared):
    async def cell() -> int:
        with executing(1, shared.address) as executor:
            return executor.submit(abs, -7).result(SOON)

    assert awaited(cell()) == 7


def test_commands_count_and_prove_on_a_cluster_and_say_how_fast(
    satcal, shared, small_file, tmp_path
):
    on_it = ("--cluster", shared.address)
    dates = ("--reveal", "Oct,6", "--reveal", "Oct,7")
    said = satcal("count", "--method", "sat", *dates, *on_it)
    assert said.out.splitlines()[1:] == [",Oct,6,7,sat", ",Oct,7,92,sat"]
    assert re.search(r"2 of 2, Oct [67] has \d+; 1 worker, [\d.]+ dates a minute", said.err)
    path = str(tmp_path / "two.satcert")
    proving = satcal("certify", "--board", str(small_file), "-o", path, "-q", *on_it)
    assert proving.code == satcal("check", path).code == 0


def test_a_worker_with_another_version_is_refused_by_name_also_if_it_joins_later(farm):
    with executing(1, farm.address) as executor:
        late = executor.submit(os.getpid)
        other = farm.add(version="0.0.9")
        for future in (late, executor.submit(os.getpid)):
            with pytest.raises(InputError) as refused:
                future.result(SOON)
            assert str(refused.value) == (
                f"worker {other} has satcal 0.0.9, this process 0.1.0: a cluster counts with one "
                "version; install the same on both"
            )


def test_a_task_that_ends_every_worker_is_given_up(farm):
    farm.add()
    with (
        pytest.raises(Stopped, match="its worker process died; is memory short"),
        executing(1, farm.address) as executor,
    ):
        deadly = executor.submit(os._exit, 1)
        farm.workers.popitem()[1].join(SOON)
        farm.add()
        deadly.result(SOON)


def test_an_error_of_a_task_comes_home_and_closing_cancels_what_is_queued(shared):
    executor = cluster.connect(shared.address, 1)
    with pytest.raises(ZeroDivisionError):
        executor.submit(divmod, 1, 0).result(SOON)
    with pytest.raises(InputError, match=r"a worker of tcp://.* has no nowhere"):
        executor.submit(__import__, "nowhere").result(SOON)
    futures = [executor.submit(time.sleep, 0.1) for _ in range(100)]
    futures[0].result(SOON)
    executor.shutdown(wait=False, cancel_futures=True)
    with pytest.raises(CancelledError):
        futures[-1].result(SOON)
    with executing(1, shared.address) as other:  # and the worker is free for others
        assert other.submit(sum, [1, 2]).result(SOON) == 3


def test_a_local_cluster_that_cannot_be_reached_is_closed(monkeypatch):
    begun = Mock()
    monkeypatch.setattr(distributed, "LocalCluster", begun)
    nothing_free = Mock(side_effect=OSError("no port is free"))
    monkeypatch.setattr(distributed, "Client", nothing_free)
    with pytest.raises(Stopped, match="no cluster can be started here: no port is free"):
        cluster.connect("local", 1)
    begun.return_value.close.assert_called_once()


def test_ctrl_c_ends_a_local_cluster_and_keeps_what_is_counted():
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "satcal",
            "count",
            "--method",
            "sat",
            "--year",
            "2025",
            "--cluster",
            "local",
            "--jobs",
            "1",
            "--format",
            "csv",
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    while "worker" not in (line := process.stderr.readline()):
        assert line
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the workers too
    out, err = process.communicate(timeout=60)
    assert process.returncode == 3
    assert "stopped by Ctrl-C" in err
    assert "Traceback" not in err
    counted = [row for row in out.splitlines()[1:] if row.split(",")[3]]
    assert 0 < len(counted) < 365

    def nobody_is_left() -> bool:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, 0)
            return False
        return True

    until(nobody_is_left)


def test_the_pace_counts_what_is_done_by_the_clock():
    times = iter([0.0, 30.0, 60.0])
    pace = Pace(Mock(**{"workers.return_value": 2}), "dates", lambda: next(times))
    assert pace.after("Oct 6 has 7") == "Oct 6 has 7; 2 workers, 2.0 dates a minute"
    assert pace.after("Oct 7 has 92") == "Oct 7 has 92; 2 workers, 2.0 dates a minute"


def test_a_date_whose_diagram_is_too_large_is_counted_in_shares_on_the_workers(shared):
    puzzle, oct_6 = load("a-puzzle-a-day"), ("Oct", "6")
    told: list[tuple[int, int, str]] = []
    method, run = ByDiagram(700_000, use_cache=False), Run(cluster=shared.address)
    assignment = Assignment(Question(puzzle, [oct_6]), method, run)
    ((_, counted),) = count_reveals(assignment, None, lambda *step: told.append(step))
    assert (counted.status, counted.tilings) == (Status.EXACT, 7)
    assert told[-1] == (168, 168, "shares of the diagram")
    with pytest.raises(TooLarge, match="the limit is 1 kB; raise --memory-limit"):
        list(count_reveals(replace(assignment, method=ByDiagram(1000, use_cache=False))))
