"""Counting many reveals in processes: every outcome comes home, whatever befalls a worker."""

from __future__ import annotations

import multiprocessing
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor

import pytest
from small import Small, by_sat, domino_rectangle

from satcal import processes
from satcal.counting import count as run
from satcal.counting import executors
from satcal.counting.count import count_one, count_reveals
from satcal.counting.executors import local_processes
from satcal.counting.settings import Outcome, Settings, Status
from satcal.errors import BudgetExhausted, Stopped, TooLarge
from satcal.processes import LocalProcesses, apart
from satcal.puzzle.model import Puzzle, Reveal
from satcal.puzzle.place import parse_demands

FEW = [("Oct", "6"), ("Dec", "1"), ("Oct", "6"), ("Sep", "14")]
SOON = 20.0  # seconds: a hang would be forever, a loaded machine is not


@pytest.fixture(params=[False, True])
def stubborn(request: pytest.FixtureRequest) -> Iterator[None]:
    """Workers that end by SIGTERM, and such as under a handler that never gets its turn."""
    before = signal.getsignal(signal.SIGTERM)
    if request.param:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    yield
    signal.signal(signal.SIGTERM, before)


class Recorded:
    """Makes local processes and remembers them."""

    def __init__(self) -> None:
        self.executor: LocalProcesses | None = None

    def __call__(self, jobs: int) -> Executor:
        self.executor = local_processes(jobs)
        return self.executor

    def pids(self) -> list[int]:
        return self.executor.pids()  # type: ignore[union-attr]


def left_over() -> list[multiprocessing.process.BaseProcess]:
    """Return the children that still run; the executor's own thread may need a moment to reap."""
    patience = time.monotonic() + 5
    while multiprocessing.active_children() and time.monotonic() < patience:
        time.sleep(0.02)
    return multiprocessing.active_children()


def test_parallel_counts_are_the_serial_ones_each_reveal_once(daily: Puzzle) -> None:
    outcomes = list(count_reveals(daily, FEW, by_sat(jobs=2)))
    assert len(outcomes) == 3
    assert dict(outcomes) == {reveal: count_one(daily, reveal, by_sat()) for reveal in FEW}


@pytest.mark.parametrize("method", ["sat", "search"])
def test_any_executor_will_do(method: str, two_l4: Small) -> None:
    found = list(count_reveals(two_l4.load(), [()], Settings(method=method), ThreadPoolExecutor))
    assert found == [((), Outcome(Status.EXACT, 2))]


def test_no_reveal_gives_no_outcome(daily: Puzzle) -> None:
    assert list(count_reveals(daily, [], by_sat(jobs=2))) == []


def test_a_killed_worker_is_an_error_and_not_a_hang(stuck: Puzzle, daily: Puzzle) -> None:
    made = Recorded()
    results = count_reveals(daily, [("Oct", "6"), ("Jan", "25")], by_sat(jobs=1), made)
    assert next(results) == (("Oct", "6"), Outcome(Status.EXACT, 7))
    for pid in made.pids():
        os.kill(pid, signal.SIGKILL)
    begun = time.monotonic()
    (reveal, outcome), *rest = results
    assert time.monotonic() - begun < SOON
    assert not rest
    assert reveal == ("Jan", "25")
    assert outcome.status is Status.ERROR
    assert (outcome.tilings, outcome.exit_code) == (0, 3)
    assert outcome.message == "its worker process died; is memory short?"


def test_a_task_that_kills_its_worker_costs_no_other(
    daily: Puzzle, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = run.count_one

    def deadly(puzzle: Puzzle, reveal: Reveal, *rest: object) -> Outcome:
        if reveal == ("Oct", "6"):
            os.kill(os.getpid(), signal.SIGKILL)
        return real(puzzle, reveal, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(run, "count_one", deadly)
    reveals = [("Oct", str(day)) for day in range(1, 11)]
    outcomes = list(count_reveals(daily, reveals, by_sat(jobs=2)))
    assert sorted(reveal for reveal, _ in outcomes) == sorted(reveals)
    (died,) = [r for r, outcome in outcomes if outcome.status is Status.ERROR]
    assert died == ("Oct", "6")
    monkeypatch.undo()
    for reveal in set(reveals) - {died}:
        assert dict(outcomes)[reveal] == count_one(daily, reveal, by_sat())


@pytest.mark.usefixtures("stubborn")
def test_a_worker_that_is_stuck_in_its_solver_ends_with_the_time_limit(stuck: Puzzle) -> None:
    begun = time.monotonic()
    how = by_sat(jobs=1, time_limit=2.0, encoding="plain", lemmas="none")
    outcomes = list(count_reveals(stuck, [()], how))
    assert time.monotonic() - begun < SOON
    ((_, outcome),) = outcomes
    assert (outcome.status, outcome.tilings, outcome.exit_code) == (Status.UNKNOWN, 0, 3)
    assert outcome.message.startswith("stopped by ")  # by its budget, if it began too late
    assert not left_over()


def test_reveals_that_the_time_limit_left_out_are_unknown(daily: Puzzle) -> None:
    reveals = list(daily.reveals())[:40]
    outcomes = dict(count_reveals(daily, reveals, by_sat(jobs=1, time_limit=1.0)))
    assert list(outcomes) != []
    assert set(outcomes) == set(reveals)
    unknown = [outcome for outcome in outcomes.values() if outcome.status is Status.UNKNOWN]
    assert len(unknown) > 20
    assert {outcome.exit_code for outcome in unknown} == {3}
    for reveal, outcome in outcomes.items():
        if outcome.status is Status.EXACT:
            assert outcome == count_one(daily, reveal, by_sat())


def test_a_budget_comes_home_as_unknown_with_what_was_found(daily: Puzzle) -> None:
    how = by_sat(jobs=1, conflicts=300, lemmas="none")
    ((_, outcome),) = count_reveals(daily, [("Jan", "25")], how)
    assert outcome == count_one(daily, ("Jan", "25"), how)
    assert outcome.status is Status.UNKNOWN
    assert outcome.tilings < 216


def test_an_error_in_a_worker_comes_home_with_its_text_and_exit_code(daily: Puzzle) -> None:
    demands = tuple(parse_demands(daily, ["O@r1c3"]))
    outcomes = dict(count_reveals(daily, FEW[:2], by_sat(jobs=2, demands=demands)))
    assert outcomes["Oct", "6"] == Outcome(
        Status.ERROR, 0, "place: r1c3 is Oct, which this reveal leaves uncovered", 2
    )
    assert outcomes["Dec", "1"].status is Status.EXACT


def test_a_missing_solver_comes_home_with_exit_code_4(two_l4: Small) -> None:
    how = by_sat(solver="cryptosat", jobs=1)
    ((_, outcome),) = count_reveals(two_l4.load(), [()], how)
    assert (outcome.status, outcome.exit_code) == (Status.ERROR, 4)


def test_a_disagreement_in_a_worker_comes_home_with_exit_code_1(
    two_l4: Small, monkeypatch: pytest.MonkeyPatch
) -> None:
    from satcal.proof.verifier import Verifier

    monkeypatch.setattr(Verifier, "fault", lambda self, tiling: "planted")
    ((_, outcome),) = count_reveals(two_l4.load(), [()], by_sat(), ThreadPoolExecutor)
    assert (outcome.status, outcome.exit_code) == (Status.ERROR, 1)
    assert outcome.message == "a model of the formula is no tiling: planted"


def test_a_worker_without_memory_is_an_error(
    two_l4: Small, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_memory(*_: object) -> Outcome:
        raise MemoryError

    monkeypatch.setattr(run, "count_one", no_memory)
    ((_, outcome),) = count_reveals(two_l4.load(), [()], by_sat(), ThreadPoolExecutor)
    assert outcome == Outcome(Status.ERROR, 0, "out of memory; use fewer --jobs", 3)


def test_closing_the_results_ends_the_workers_at_once(stuck: Puzzle, daily: Puzzle) -> None:
    made = Recorded()
    results = count_reveals(daily, daily.reveals(), by_sat(jobs=2), made)
    next(results)
    pids = made.pids()
    begun = time.monotonic()
    results.close()
    assert time.monotonic() - begun < SOON
    assert pids
    assert not left_over()


def test_an_exception_of_the_reader_ends_the_workers(daily: Puzzle) -> None:
    made = Recorded()
    results = count_reveals(daily, daily.reveals(), by_sat(jobs=1), made)
    next(results)
    assert made.pids()
    with pytest.raises(KeyboardInterrupt):
        results.throw(KeyboardInterrupt)
    assert not left_over()


def test_two_runs_at_a_time_do_not_end_each_others_workers(daily: Puzzle) -> None:
    one = count_reveals(daily, [("Oct", "6"), ("Dec", "1")], by_sat(jobs=1))
    assert next(one)[1].tilings == 7
    other = count_reveals(daily, daily.reveals(), by_sat(jobs=1))
    next(other)
    other.close()
    assert next(one) == (("Dec", "1"), Outcome(Status.EXACT, 26))
    one.close()


def test_workers_end_with_their_parent(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = []
    monkeypatch.setattr(os, "_exit", ended.append)
    processes._leave_with(os.getppid() + 1)
    assert ended == [1]


def blocked(process: int) -> int:
    """Return the set of signals that a process does not hear."""
    with open(f"/proc/{process}/status") as status:
        (line,) = (line for line in status if line.startswith("SigBlk:"))
    return int(line.split()[1], 16)


def test_workers_leave_ctrl_c_to_their_parent() -> None:
    with executors.executing(2) as executor:
        assert isinstance(executor, LocalProcesses)
        for pid in executor.pids():
            assert blocked(pid) & 1 << (signal.SIGINT - 1)
    assert not blocked(os.getpid()) & 1 << (signal.SIGINT - 1)


def test_workers_need_no_semaphores(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a usable /dev/shm there are none."""
    import _multiprocessing

    monkeypatch.delattr(_multiprocessing, "SemLock")
    with executors.executing(2) as executor:
        assert list(executor.map(abs, [-1, 2, -3])) == [1, 2, 3]


def squares(most: int) -> Iterator[int]:
    for number in range(most):
        yield number * number


def stuck_after_three() -> Iterator[int]:
    yield from squares(3)
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
    while True:
        time.sleep(1)


def dying() -> Iterator[int]:
    yield 1
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_generator_in_a_process_of_its_own_yields_the_same() -> None:
    assert list(apart(squares, 1000)) == list(squares(1000))
    assert not left_over()


def test_a_generator_in_a_process_of_its_own_ends_with_its_reader() -> None:
    endless = apart(squares, 10**9)
    assert next(endless) == 0
    endless.close()
    assert not left_over()


def test_what_a_generator_raises_in_a_process_of_its_own_comes_home() -> None:
    found = apart(stuck_after_three, deadline=time.monotonic() + 0.5)
    with pytest.raises(BudgetExhausted, match="after 3 tilings") as caught:
        list(found)
    assert caught.value.found == 3
    with pytest.raises(TypeError):
        list(apart(squares, "x"))
    with pytest.raises(Stopped, match="its worker process died"):
        list(apart(dying))
    assert not left_over()


def test_a_run_uses_as_many_processes_as_there_are_cores_or_reveals(daily: Puzzle) -> None:
    asked = []

    def threads(jobs: int) -> Executor:
        asked.append(jobs)
        return ThreadPoolExecutor(1)

    puzzle = domino_rectangle(2, 2).load()
    for jobs in (None, 1, 7):
        assert dict(count_reveals(puzzle, [()], by_sat(jobs=jobs), threads))
    assert asked == [1, 1, 1]
    assert run.cores() >= 1


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux caps the address space")
def test_the_limit_of_a_process_bounds_the_memory_to_use() -> None:
    asked = "import resource; from satcal.processes import memory_to_use\n"
    asked += "resource.setrlimit(resource.RLIMIT_AS, (400_000_000, 400_000_000))\n"
    asked += "print(memory_to_use())"
    said = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert 100_000_000 < int(said.stdout) < 300_000_000


OCTOBER = [("Oct", str(day)) for day in range(1, 7)]


def by_diagram(megabytes: int) -> Settings:
    return Settings(use_cache=False, memory_limit=megabytes * 10**6)


def test_dates_that_memory_cannot_hold_at_once_are_halved_until_they_fit(daily: Puzzle) -> None:
    asked: list[list[Reveal]] = []

    def recall(reveals: Sequence[Reveal]) -> dict[Reveal, int]:
        asked.append(list(reveals))
        return {}

    whole = list(count_reveals(daily, OCTOBER, by_diagram(9), recall=recall))
    assert asked == []
    assert list(count_reveals(daily, OCTOBER, by_diagram(5), recall=recall)) == whole
    assert asked == [OCTOBER]


def test_a_date_that_memory_cannot_hold_is_refused_with_the_ways_out(daily: Puzzle) -> None:
    with pytest.raises(TooLarge) as refused:
        list(count_reveals(daily, OCTOBER, by_diagram(1)))
    assert re.fullmatch(
        r"diagram of a-puzzle-a-day: it needs at least \d MB \(.+\), the limit is 1 MB; raise "
        "--memory-limit, ask for one date, have its shares counted with --cluster, or use --method "
        "sat",
        str(refused.value),
    )


def test_without_a_limit_it_is_the_memory_that_is_free(
    daily: Puzzle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("satcal.diagram.puzzle.memory_to_use", lambda: 1000)
    with pytest.raises(TooLarge, match="the limit is 0 MB"):
        list(count_reveals(daily, OCTOBER, Settings(use_cache=False)))
