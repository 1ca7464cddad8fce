"""A cluster counts what this machine counts, whatever befalls its workers and its scheduler."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import CancelledError
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from small import write
from tiny import TINY, truth

from satcal.cli.main import run
from satcal.cli.progress import Pace
from satcal.counting import executors
from satcal.counting.count import count_reveals
from satcal.counting.executors import executing
from satcal.counting.settings import Outcome, Settings, Status
from satcal.errors import InputError, Missing, OptionError, Stopped, TooLarge
from satcal.puzzle.loading import load
from satcal.puzzle.model import Puzzle, Reveal
from satcal.store.location import parse_location
from satcal.store.results import Store
from satcal.store.resuming import Keeper
from tools.tables import counts_kept, write_table

if TYPE_CHECKING:
    from conftest import Farm

    from satcal.diagram.model import Progress

SOON = 30.0  # seconds: a hang would be forever, a loaded machine is not


def by_cluster(farm: Farm) -> Settings:
    return Settings(method="sat", cluster=farm.address)


def month(daily: Puzzle) -> list[Reveal]:
    return [reveal for reveal in daily.reveals() if reveal[0] == "Oct"]


def test_a_month_is_counted_though_a_worker_is_killed_and_nothing_is_counted_twice(
    farm: Farm, daily: Puzzle, tmp_path: Path
) -> None:
    victim, _ = farm.add(), farm.add()
    store = str(tmp_path / "counts.db")
    keeper = Keeper(parse_location(store), "a-puzzle-a-day")
    found: dict[Reveal, int] = {}
    for reveal, tilings in counts_kept(daily, month(daily), by_cluster(farm), keeper):
        assert reveal not in found
        found[reveal] = tilings
        if len(found) == 5:
            os.kill(farm.workers[victim].pid, signal.SIGKILL)
    keeper.close()
    diagram = dict(count_reveals(daily, month(daily), Settings()))
    assert found == {reveal: outcome.tilings for reveal, outcome in diagram.items()}
    with Store(parse_location(store)) as kept:
        rows = list(kept.rows())
    assert len(rows) == 31
    assert {row.times for row in rows} == {1}


def test_the_command_counts_on_a_cluster_and_says_how_fast(
    farm: Farm, capsys: pytest.CaptureFixture[str]
) -> None:
    farm.add()
    command = ["count", "--method", "sat", "--from", "2025-10-06", "--to", "2025-10-07"]
    assert run([*command, "--cluster", farm.address, "--format", "csv"]) == 0
    said = capsys.readouterr()
    assert said.out.splitlines()[1:] == ["2025-10-06,Oct,6,7,sat", "2025-10-07,Oct,7,92,sat"]
    assert re.search(r"2 of 2, Oct [67] has \d+; 1 worker, [\d.]+ dates a minute", said.err)


def test_proofs_are_made_on_a_cluster(farm: Farm, small_file: Path, tmp_path: Path) -> None:
    farm.add()
    path = tmp_path / "two.satcert"
    assert run(["certify", "--board", str(small_file), "-o", str(path), "-q",
                "--cluster", farm.address]) == 0  # fmt: skip
    assert run(["check", str(path)]) == 0


def test_a_sample_of_a_table_is_produced_on_a_cluster_by_the_command_line(
    farm: Farm, tmp_path: Path
) -> None:
    board, folder = write(TINY, tmp_path / "tiny.toml"), tmp_path / "counts"
    write_table(folder, "tiny", load(str(board)), truth(TINY), "diagram")
    farm.add()
    said = subprocess.run(
        [sys.executable, "-m", "tools.tables", str(board), "--method", "sat",
         "--sample", "3", "--cluster", farm.address, "--folder", str(folder),
         "--store", str(tmp_path / "counts.db"), "--quiet"],
        capture_output=True, text=True, timeout=SOON, check=False,
    )  # fmt: skip
    assert (said.returncode, said.stdout, said.stderr) == (0, f"{folder / 'tiny.csv'}\n", "")
    assert farm.finished() == 3
    assert (folder / "tiny.csv").read_text().count("diagram+sat") == 3
    with Store(parse_location(str(tmp_path / "counts.db"))) as kept:
        assert len(list(kept.rows())) == 3


def test_a_worker_with_another_version_is_refused_by_name(
    farm: Farm, capsys: pytest.CaptureFixture[str]
) -> None:
    farm.add()
    other = farm.add(version="0.0.9")
    assert run(["count", "--method", "sat", "--cluster", farm.address]) == 2
    assert capsys.readouterr().err == (
        f"satcal: error: worker {other} has satcal 0.0.9, this process 0.1.0: a cluster counts "
        "with one version; install the same on both\n"
    )


def test_a_worker_with_another_version_that_joins_later_is_refused_too(farm: Farm) -> None:
    with (
        pytest.raises(InputError, match=r"has satcal 0\.0\.9, this process 0\.1\.0: a cluster"),
        executing(1, farm.address) as executor,
    ):
        late = executor.submit(os.getpid)
        farm.add(version="0.0.9")
        late.result(SOON)


def test_a_lost_scheduler_is_an_error_of_what_was_not_finished(farm: Farm, daily: Puzzle) -> None:
    farm.add()
    results = count_reveals(daily, month(daily), by_cluster(farm))
    first, outcome = next(results)
    assert (first, outcome.status) == (("Oct", "1"), Status.EXACT)
    assert farm.scheduler is not None
    farm.kill(farm.scheduler)
    begun = time.monotonic()
    rest = [outcome for _, outcome in results]
    assert time.monotonic() - begun < SOON
    assert len(rest) == 30
    lost = [outcome for outcome in rest if outcome.status is Status.ERROR]
    assert len(lost) > 20
    assert {(each.message, each.exit_code) for each in lost} == {
        (f"the scheduler at {farm.address} is lost; what it finished is kept", 3)
    }


def test_a_task_that_ends_every_worker_is_given_up(farm: Farm) -> None:
    farm.add()
    with (
        pytest.raises(Stopped, match="its worker process died; is memory short"),
        executing(1, farm.address) as executor,
    ):
        deadly = executor.submit(os._exit, 1)
        farm.workers.popitem()[1].communicate(timeout=SOON)
        farm.add()
        deadly.result(SOON)


def test_closing_cancels_what_is_queued(farm: Farm) -> None:
    farm.add()
    executor = executors.connect(farm.address, 1)
    futures = [executor.submit(time.sleep, 0.5) for _ in range(100)]
    futures[0].result(SOON)
    executor.shutdown(wait=False, cancel_futures=True)
    with pytest.raises(CancelledError):
        futures[-1].result(SOON)
    with executing(1, farm.address) as other:  # and the worker is free for others
        assert other.submit(sum, [1, 2]).result(SOON) == 3


def test_an_error_of_a_task_comes_home(farm: Farm) -> None:
    farm.add()
    with executing(1, farm.address) as executor:
        with pytest.raises(ZeroDivisionError):
            executor.submit(divmod, 1, 0).result(SOON)
        with pytest.raises(InputError, match=r"a worker of tcp://.* has no nowhere"):
            executor.submit(__import__, "nowhere").result(SOON)


@pytest.mark.parametrize("address", ["nonsense://1", "tcp://127.0.0.1:port"])
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(OptionError, match=r"give a scheduler such as tcp://10\.0\.0\.1:8786"):
        executors.connect(address, 1)


def test_where_nobody_answers_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executors, "PATIENCE", 0.5)
    with pytest.raises(Stopped, match=r"no scheduler answers at tcp://127\.0\.0\.1:9: start one"):
        executors.connect("tcp://127.0.0.1:9", 1)


def test_without_the_extra_the_message_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "dask", None)
    with pytest.raises(Missing, match=r'--cluster needs dask: pip install "satcal\[cluster\]"'):
        executors.connect("local", 1)


def test_a_local_cluster_that_cannot_be_reached_is_closed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import distributed

    class Begun:
        closed = False

        def __init__(self, **_: object) -> None:
            pass

        def close(self, timeout: float) -> None:
            Begun.closed = True

    def refuse(*_: object, **__: object) -> None:
        raise RuntimeError("no port is free")

    monkeypatch.setattr(distributed, "LocalCluster", Begun)
    monkeypatch.setattr(distributed, "Client", refuse)
    with pytest.raises(Stopped, match="no cluster can be started here: no port is free"):
        executors.connect("local", 1)
    assert Begun.closed


def test_ctrl_c_ends_a_local_cluster_and_keeps_what_is_counted() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "satcal", "count", "--method", "sat", "--year", "2025",
         "--cluster", "local", "--jobs", "1", "--format", "csv"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    assert process.stderr is not None
    while "worker" not in (line := process.stderr.readline()):
        assert line
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the workers too
    out, err = process.communicate(timeout=60)
    assert process.returncode == 3
    assert "stopped by Ctrl-C" in err
    assert "Traceback" not in err
    counted = [row for row in out.splitlines()[1:] if row.split(",")[3]]
    assert 0 < len(counted) < 365
    patience = time.monotonic() + SOON
    with pytest.raises(ProcessLookupError):  # no worker is left in its group
        while time.monotonic() < patience:
            os.killpg(process.pid, 0)
            time.sleep(0.1)


def test_the_pace_counts_what_is_done_by_the_clock() -> None:
    class Two:
        def workers(self) -> int:
            return 2

    times = iter([0.0, 30.0, 60.0])
    pace = Pace(Two(), "dates", lambda: next(times))
    assert pace.after("Oct 6 has 7") == "Oct 6 has 7; 2 workers, 2.0 dates a minute"
    assert pace.after("Oct 7 has 92") == "Oct 7 has 92; 2 workers, 2.0 dates a minute"
    assert Pace(None, "dates").after("Oct 6 has 7") == "Oct 6 has 7"


def in_shares(farm: Farm, limit: int, told: Progress | None = None) -> Outcome:
    settings = Settings(cluster=farm.address, memory_limit=limit, use_cache=False)
    reveal = ("Thu", "Oct", "23")
    return dict(count_reveals(load("rhombus"), [reveal], settings, None, told))[reveal]


def test_a_date_whose_diagram_is_too_large_is_counted_in_shares_on_the_workers(farm: Farm) -> None:
    farm.add(), farm.add()
    told: list[tuple[str, int, int, int]] = []
    counted = in_shares(farm, 12 * 10**6, lambda *layer: told.append(layer))
    assert (counted.status, counted.tilings) == (Status.EXACT, 201)
    name, done, shares, left = told[-1]
    assert (name, done, left) == ("shares", shares, 0)


def test_a_share_that_needs_more_than_its_limit_is_refused(farm: Farm) -> None:
    farm.add()
    with pytest.raises(TooLarge, match="the limit is 0 MB; raise --memory-limit"):
        in_shares(farm, 1000)
