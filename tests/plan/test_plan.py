"""A plan is an estimate from a sample: the same every time, and near what a run takes."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest

from benchmarks.calibration import Population, coverage, populations
from satcal import processes
from satcal.cli.main import run
from satcal.cli.plan import as_text
from satcal.counting import planning
from satcal.counting.methods import Outcome, Settings, Status
from satcal.counting.planning import (
    ABOVE,
    SPEED,
    START,
    Spent,
    Z,
    choose,
    forecast,
    interval,
    known_tilings,
    line,
    makespan,
    measure,
    prepared,
    share,
    student,
)
from satcal.errors import BudgetExhausted, InputError
from satcal.puzzle.model import Puzzle

RECORDED_AGAIN = [each for each in populations() if len(each.rounds) > 1]
TILINGS = [10 * n for n in range(200)]


def took(seconds: float, tilings: int = 0, peak: int = 10**8, share: float = 1.0) -> Spent:
    return Spent(tilings, seconds, peak, seconds / share)


def spent(*chosen: int) -> dict[int, Spent]:
    """Half a second each, and a hundredth for each tiling."""
    return {n: took(0.5 + 0.01 * TILINGS[n]) for n in chosen}


def test_tasks_that_lie_on_a_line_are_forecast_exactly() -> None:
    found = forecast(200, TILINGS, spent(3, 90, 150, 199), "seed")
    true = sum(0.5 + 0.01 * each for each in TILINGS)
    assert found.seconds == pytest.approx(START + true)
    allowed = math.exp(Z * SPEED)
    assert (found.low - START, found.high - START) == pytest.approx(
        (true / allowed, true * allowed)
    )
    _, *ends = interval(200, TILINGS, spent(3, 90, 150, 199), speed=0.0)
    assert ends == pytest.approx([true, true])
    assert found.each[199] == pytest.approx(0.5 + 19.9)


@pytest.mark.parametrize("population", populations(), ids=lambda each: each.name)
def test_the_interval_holds_the_recorded_total_in_most_cases(population: Population) -> None:
    assert coverage(population, size=20, samples=500, speed=0.0).held >= 0.85


@pytest.mark.parametrize("population", RECORDED_AGAIN, ids=lambda each: each.name)
def test_the_interval_holds_what_another_run_took(population: Population) -> None:
    assert coverage(population, size=20, samples=500, another=True).held >= 0.85


def test_a_smaller_sample_has_a_wider_interval() -> None:
    widths = []
    for size in (2, 3, 5, 10, 20, 40):
        chosen = choose(200, None, size, "seed")
        times = {n: took(1.0 + (n * 37 % 11) / 10) for n in chosen}
        seconds, low, high = interval(200, None, times)
        assert low < seconds < high
        widths.append(high / low)
    assert widths == sorted(widths, reverse=True)


def test_a_single_task_and_one_that_takes_no_time_have_no_scatter() -> None:
    seconds, low, high = interval(1, [7], {0: took(2.0)}, speed=0.0)
    assert (seconds, low, high) == (2.0, 2.0, 2.0)
    assert interval(3, None, {0: took(0.0), 2: took(0.0)}) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("freedom", "bound"),
    [(1, 6.314), (2, 2.920), (3, 2.353), (5, 2.015), (10, 1.812), (18, 1.734), (1000, 1.646)],
)
def test_student_is_as_in_the_tables(freedom: int, bound: float) -> None:
    assert student(freedom) == pytest.approx(bound, rel=0.004)


@pytest.mark.parametrize(
    ("freedom", "bound"), [(1, 12.706), (2, 4.303), (3, 3.182), (5, 2.571), (18, 2.101)]
)
def test_the_bound_of_the_upper_end_is_as_in_the_tables(freedom: int, bound: float) -> None:
    assert student(freedom, ABOVE) == pytest.approx(bound, rel=0.02)


def test_the_interval_reaches_further_up_than_down() -> None:
    seconds, low, high = interval(200, None, {n: took(1.0 + n % 3) for n in range(12)})
    assert high / seconds > seconds / low


def test_without_known_tilings_the_mean_is_the_forecast() -> None:
    found = forecast(10, None, {1: took(1.0), 4: took(3.0)}, "seed")
    assert found.seconds == pytest.approx(START + 20.0)
    assert found.low < 20.0 < found.high
    assert sum(found.each) == pytest.approx(20.0)


def test_what_other_work_takes_of_the_cores_is_seen() -> None:
    assert share({0: took(1.0, share=0.5), 1: took(2.0, share=0.8)}) == pytest.approx(3 / 4.5)
    assert share({0: took(1.0)}) == 1.0


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
    monkeypatch.setattr(planning, "timed", lambda *_: (outcome, took(1.0)))
    with ThreadPoolExecutor(1) as executor, pytest.raises(error, match=said):
        measure(daily, {0: (("Oct", "6"), ())}, Settings(method="sat"), executor)


@pytest.mark.parametrize(("share", "said"), [(0.95, False), (0.6, True)])
def test_the_text_says_that_other_work_was_there(share: float, said: bool) -> None:
    times = {n: took(1.0, share=share) for n in range(3)}
    text = as_text("head", forecast(3, None, times, "seed"), times, [1], 1)
    assert ("had other work, and took 1.7 times as long" in text) == said


@pytest.fixture
def fake_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """A count takes a tenth of a second, and a thousandth for each tiling."""

    def timed(puzzle: Puzzle, task: planning.Task, *_: object) -> tuple[Outcome, Spent]:
        counts = known_tilings(puzzle, [task[0]], Settings())
        assert counts is not None
        return Outcome(Status.EXACT, counts[0]), took(0.1 + counts[0] / 1000, counts[0])

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
        "CPU time 61.2 s (50.3 s to 74.5 s in nine of ten cases) longest task 0.3 s disk ...",
        "   cores   wall time        from          to    memory",
        "       1      63.0 s      52.1 s      76.3 s  100.0 MB",
        "     100       2.4 s       2.4 s       2.5 s   10.0 GB",
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


def test_an_interval_from_three_scattered_tasks_is_wide_and_no_error() -> None:
    spent = {0: Spent(0, 0.1, 1, 0.1), 1: Spent(1, 1.1, 1, 1.1), 2: Spent(10_000, 0.2, 1, 0.2)}
    whole, low, high = interval(3, [0, 1, 10_000], spent)
    assert 0 < low < whole / 50 < 50 * whole < high < 200 * whole
