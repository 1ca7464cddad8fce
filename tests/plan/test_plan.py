"""A plan is an estimate from a sample: the same every time, and near what a run takes."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest

from satcal import processes
from satcal.cli.main import run
from satcal.counting import planning
from satcal.counting.methods import Outcome, Settings, Status
from satcal.counting.planning import (
    Spent,
    choose,
    forecast,
    known_tilings,
    line,
    makespan,
    measure,
    prepared,
)  # fmt: skip
from satcal.errors import BudgetExhausted, InputError
from satcal.puzzle.model import Puzzle

TILINGS = [10 * n for n in range(200)]


def spent(*chosen: int) -> dict[int, Spent]:
    """Half a second each, and a hundredth for each tiling."""
    return {n: Spent(TILINGS[n], 0.5 + 0.01 * TILINGS[n], 10**8) for n in chosen}


def test_tasks_that_lie_on_a_line_are_forecast_exactly() -> None:
    found = forecast(200, TILINGS, spent(3, 90, 150, 199), "seed")
    true = sum(0.5 + 0.01 * each for each in TILINGS)
    assert found.seconds == pytest.approx(true)
    assert (found.low, found.high) == (pytest.approx(true), pytest.approx(true))
    assert found.each[199] == pytest.approx(0.5 + 19.9)


def test_the_interval_holds_the_truth_of_scattered_tasks() -> None:
    generator = random.Random(1)
    times = [(0.2 + 0.01 * n) * generator.uniform(0.7, 1.3) for n in TILINGS]
    held = 0
    for seed in range(20):
        chosen = choose(200, TILINGS, 20, str(seed))
        found = forecast(200, TILINGS, {n: Spent(0, times[n], 1) for n in chosen}, str(seed))
        held += found.low <= sum(times) <= found.high
        assert found.seconds == pytest.approx(sum(times), rel=0.3)
    assert held >= 15


def test_without_known_tilings_the_mean_is_the_forecast() -> None:
    found = forecast(10, None, {1: Spent(5, 1.0, 1), 4: Spent(6, 3.0, 1)}, "seed")
    assert found.seconds == pytest.approx(20.0)
    assert found.low < 20.0 < found.high
    assert sum(found.each) == pytest.approx(20.0)


def test_the_same_sample_gives_the_same_forecast() -> None:
    assert forecast(200, TILINGS, spent(1, 50, 120), "seed") == forecast(
        200, TILINGS, spent(120, 50, 1), "seed"
    )


def test_a_sample_has_one_task_of_each_stratum() -> None:
    chosen = choose(200, TILINGS, 20, "seed")
    assert [number // 10 for number in chosen] == list(range(20))
    assert chosen == choose(200, TILINGS, 20, "seed")
    assert chosen != choose(200, TILINGS, 20, "another")


def test_a_sample_as_large_as_the_run_is_the_run() -> None:
    assert choose(3, [5, 1, 3], 20, "seed") == [0, 1, 2]
    assert len(set(choose(50, None, 20, "seed"))) == 20


def test_no_line_falls_or_begins_below_zero() -> None:
    assert line([(0, 1.0), (2, 3.0)]) == (1.0, 1.0)
    assert line([(0, 3.0), (2, 1.0)]) == (2.0, 0.0)
    assert line([(1, 0.0), (3, 4.0)]) == (0.0, 1.0)
    assert line([(7, 2.0)]) == (2.0, 0.0)


@pytest.mark.parametrize(
    ("tasks", "workers", "overhead", "end"),
    [
        ([1, 1, 1, 1], 1, 0, 4),
        ([1, 1, 1, 1], 2, 0, 2),
        ([1, 1, 4], 2, 0, 5),  # the long one begins when one of the others is done
        ([4, 1, 1], 2, 0, 4),
        ([1, 1, 1, 1], 100, 0.5, 3),  # the scheduler hands out two a second
        ([], 5, 1, 0),
    ],
)
def test_a_cluster_is_simulated_event_by_event(
    tasks: list[float], workers: int, overhead: float, end: float
) -> None:
    assert makespan(tasks, workers, overhead) == end


def test_tilings_are_known_where_the_diagram_fits(daily: Puzzle) -> None:
    reveals = [("Oct", "6"), ("Oct", "7")]
    assert known_tilings(daily, reveals, Settings(method="sat", use_cache=False)) == [7, 92]
    small = Settings(method="sat", use_cache=False, memory_limit=1000)
    assert known_tilings(daily, reveals, small) is None


def test_each_task_of_the_sample_is_run_and_measured(daily: Puzzle) -> None:
    reveals = [("Oct", "6"), ("Oct", "7"), ("Dec", "1")]
    tasks, tilings, chosen = prepared(daily, reveals, Settings(method="sat"), 2)
    assert (len(tasks), tilings, len(chosen)) == (3, [7, 92, 26], 2)
    with ThreadPoolExecutor(1) as executor:
        found = measure(daily, {n: tasks[n] for n in chosen}, Settings(method="sat"), executor)
    assert {n: each.tilings for n, each in found.items()} == {n: tilings[n] for n in chosen}
    assert all(each.seconds > 0 and each.peak > 10**7 for each in found.values())


@pytest.mark.parametrize(
    ("outcome", "error", "said"),
    [
        (Outcome(Status.UNKNOWN, 0, "stopped", 3), BudgetExhausted, "take a smaller --sample"),
        (Outcome(Status.ERROR, 0, "no such", 2), InputError, "Oct 6: no such"),
    ],
)
def test_a_task_that_cannot_be_measured_is_an_error(
    outcome: Outcome, error: type[Exception], said: str, daily: Puzzle,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(planning, "timed", lambda *_: (outcome, Spent(0, 1.0, 1)))
    with ThreadPoolExecutor(1) as executor, pytest.raises(error, match=said):
        measure(daily, {0: (("Oct", "6"), ())}, Settings(method="sat"), executor)


@pytest.fixture
def fake_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """A count takes a tenth of a second, and a thousandth for each tiling."""

    def timed(puzzle: Puzzle, task: planning.Task, *_: object) -> tuple[Outcome, Spent]:
        counts = known_tilings(puzzle, [task[0]], Settings())
        assert counts is not None
        return Outcome(Status.EXACT, counts[0]), Spent(counts[0], 0.1 + counts[0] / 1000, 10**8)

    @contextmanager
    def executing(jobs: int, cluster: str | None = None) -> Iterator[ThreadPoolExecutor]:
        with ThreadPoolExecutor(1) as executor:
            yield executor

    monkeypatch.setattr(planning, "timed", timed)
    monkeypatch.setattr(processes, "executing", executing)


@pytest.mark.usefixtures("fake_clock")
def test_the_command_says_what_a_year_needs(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["plan", "--year", "2025", "--method", "sat", "--cores", "1,100", "-q"]
    assert run(command) == 0
    out = capsys.readouterr().out.replace(",", "")
    assert re.sub(r"disk \d+ kB", "disk ...", out).splitlines() == [
        "a-puzzle-a-day 2025 by sat: 365 tasks 20 of them counted",
        "CPU time 60.8 s (60.8 s to 60.8 s) longest task 0.3 s disk ...",
        "   cores   wall time        from          to    memory",
        "       1      62.7 s      62.7 s      62.7 s  100.0 MB",
        "     100       2.1 s       2.1 s       2.1 s   10.0 GB",
    ]
    assert run([*command, "--format", "json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["tasks"], said["sample"], said["cores"][1]["cores"]) == (365, 20, 100)


def test_a_small_run_takes_what_its_plan_says(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["plan", "--from", "2025-10-05", "--to", "2025-10-10", "--method", "sat"]
    assert run([*command, "--sample", "6", "--jobs", "1", "--cores", "1", "--format", "json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["tasks"] == said["sample"] == 6
    assert said["cpu_low"] <= said["cpu"] <= said["cpu_high"]
    assert 0 < said["longest"] <= said["cpu"] <= said["cores"][0]["wall"]
    assert said["disk"] > 10_000


@pytest.mark.parametrize("cores", ["", "0", "1,x", "10000001"])
def test_cores_that_are_no_numbers_are_refused(
    cores: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["plan", "--method", "sat", "--cores", cores]) == 2
    assert "write numbers by commas, such as 1,100,10000" in capsys.readouterr().err


def test_the_diagram_needs_no_plan(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["plan"]) == 2
    assert "the diagram counts all dates at once" in capsys.readouterr().err
