"""Counting many reveals in processes: every outcome comes home, whatever befalls a worker."""

from __future__ import annotations

import signal
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from unittest.mock import Mock

import pytest

from helpers.puzzles import ask
from satcal.counting import count as counting
from satcal.counting.count import count_reveals
from satcal.counting.outcomes import Outcome, Status
from satcal.counting.settings import SAT, Assignment, ByDiagram, BySat, Run
from satcal.errors import TooLarge
from satcal.processes import LocalProcesses
from satcal.proof.verifier import Verifier

OCT_6 = ("Oct", "6")
SOON = 20.0  # seconds: a hang would be forever, a loaded machine is not


@pytest.fixture(params=[False, True])
def stubborn(request):
    """Workers that end by SIGTERM, and such as under a handler that never gets its turn."""
    before = signal.getsignal(signal.SIGTERM)
    if request.param:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    yield
    signal.signal(signal.SIGTERM, before)


@pytest.mark.promise("a killed worker process")
def test_a_task_that_kills_its_worker_costs_no_other(daily):
    class Deadly(LocalProcesses):
        def submit(self, fn, question, *rest):
            if question.reveal == OCT_6:
                return super().submit(signal.raise_signal, signal.SIGKILL)
            return super().submit(fn, question, *rest)

    others = [("Oct", str(day)) for day in (3, 4, 5, 7)]
    asked = [*others[:2], OCT_6, *others[2:]]
    assignment = Assignment(ask(daily, *asked), SAT, Run(jobs=2))
    outcomes = dict(count_reveals(assignment, Deadly))
    message = "its worker process died; is memory short?"
    assert outcomes.pop(OCT_6) == Outcome(Status.ERROR, 0, message, 3)
    assert outcomes == dict(count_reveals(Assignment(ask(daily, *others))))


@pytest.mark.usefixtures("stubborn", "own_children")
def test_a_worker_that_is_stuck_ends_with_the_time_limit(stuck):
    begun = time.monotonic()
    method, run = BySat(encoding="plain", lemmas="none"), Run(jobs=1, time_limit=0.2)
    ((_, outcome),) = count_reveals(Assignment(ask(stuck, ()), method, run))
    assert time.monotonic() - begun < SOON
    assert (outcome.status, outcome.tilings, outcome.exit_code) == (Status.UNKNOWN, 0, 3)
    # the budget, if it began too late
    assert outcome.message.startswith(("stopped by ", "budget exhausted"))


@pytest.mark.parametrize(
    ("options", "outcome"),
    [
        (
            {"place": ["O@r1c3"]},
            Outcome(Status.ERROR, 0, "place: r1c3 is Oct, which Oct 6 leaves uncovered", 2),
        ),
        ({"solver": "cryptosat"}, Outcome(Status.ERROR, 0, "solver cryptosat is missing", 4)),
        ({"conflicts": 1, "lemmas": "none"}, Outcome(Status.UNKNOWN, 0, "budget exhausted", 3)),
    ],
)
def test_what_ends_a_count_in_a_worker_comes_home(daily, options, outcome):
    question = ask(daily, OCT_6, place=options.pop("place", ()))
    ((_, got),) = count_reveals(Assignment(question, BySat(**options), Run(jobs=1)))
    assert got.message.startswith(outcome.message)
    assert got == replace(outcome, message=got.message)


def test_a_disagreement_and_no_memory_are_errors(two_l4, monkeypatch):
    def no_memory(*_):
        raise MemoryError

    assignment = Assignment(ask(two_l4.load(), ()), SAT)
    monkeypatch.setattr(Verifier, "fault", lambda self, tiling: "planted")
    ((_, outcome),) = count_reveals(assignment, ThreadPoolExecutor)
    message = "a model of the formula is not a tiling: planted"
    assert outcome == Outcome(Status.ERROR, 0, message, 1)
    monkeypatch.setattr(counting, "count_one", no_memory)
    ((_, outcome),) = count_reveals(assignment, ThreadPoolExecutor)
    assert outcome == Outcome(Status.ERROR, 0, "out of memory; use fewer --jobs", 3)


def test_a_reader_that_leaves_ends_the_workers(daily, own_children):
    assignment = Assignment(ask(daily, *daily.reveals()), SAT, Run(jobs=2))
    results = count_reveals(assignment, LocalProcesses)
    next(results)
    assert own_children()
    begun = time.monotonic()
    results.close()
    assert time.monotonic() - begun < SOON


def test_dates_that_memory_cannot_hold_are_halved(daily, monkeypatch):
    october, recall = [("Oct", str(day)) for day in range(1, 5)], Mock(return_value={})

    def counted(**limits):
        method = ByDiagram(use_cache=False, **limits)
        return list(count_reveals(Assignment(ask(daily, *october), method), recall=recall))

    whole = counted(memory_limit=9 * 10**6)
    recall.assert_not_called()
    assert counted(memory_limit=2 * 10**6) == whole
    recall.assert_called_once_with(october)
    monkeypatch.setattr("satcal.diagram.puzzle.memory_to_use", lambda: 10**6)
    with pytest.raises(TooLarge, match="the limit is 1 MB"):  # without one it is what is free
        counted()
