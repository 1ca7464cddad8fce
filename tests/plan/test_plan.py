"""A plan is a sample of the run's tasks, and what follows from its mean."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from small import by_sat

from satcal.counting import planning
from satcal.counting.planning import choose, measure
from satcal.errors import BudgetExhausted, TooLarge
from satcal.puzzle.model import Puzzle

OCTOBER = [("Oct", str(day)) for day in range(1, 11)]
Run = Callable[..., Any]


def test_the_sample_spreads_over_easy_and_hard_dates(daily: Puzzle) -> None:
    number, tasks = choose(daily, OCTOBER, by_sat(), 3)
    counts = planning.diagram_for(daily, OCTOBER, by_sat()).counts()
    by_tilings = sorted(OCTOBER, key=counts.__getitem__)
    assert number == 10
    assert [reveal for reveal, _ in tasks] == [by_tilings[n] for n in (1, 5, 8)]


def test_a_sample_as_large_as_the_run_is_the_run(daily: Puzzle) -> None:
    number, tasks = choose(daily, OCTOBER, by_sat(), 99)
    assert (number, {reveal for reveal, _ in tasks}) == (10, set(OCTOBER))


def test_where_the_diagram_is_too_large_the_sample_is_drawn_and_always_the_same(
    daily: Puzzle, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise TooLarge("too large")

    monkeypatch.setattr(planning, "diagram_for", refuse)
    _, tasks = choose(daily, OCTOBER, by_sat(), 4)
    assert len(set(tasks)) == 4
    assert choose(daily, OCTOBER, by_sat(), 4) == (10, tasks)


def test_a_task_that_cannot_be_finished_is_an_error(daily: Puzzle) -> None:
    with ThreadPoolExecutor(1) as executor, pytest.raises(BudgetExhausted, match="Oct 6: "):
        list(measure(daily, [(("Oct", "6"), ())], by_sat(time_limit=0.0), executor))


def test_the_estimate_follows_from_the_sample(satcal: Run) -> None:
    call = ("plan", "--method", "sat", "--from", "2025-10-05", "--to", "2025-10-07", "-q")
    plan = json.loads(satcal(*call, "--cores", "2", "--format", "json").out)
    assert (plan["tasks"], plan["sample"], plan["cores"]) == (3, 3, 2)
    assert 0 < plan["least"] <= plan["mean"] <= plan["most"]
    assert plan["cpu"] == pytest.approx(3 * plan["mean"], abs=0.01)
    assert plan["wall"] == pytest.approx(max(plan["cpu"] / 2, plan["most"]), abs=0.01)
    assert plan["memory"] > 10**7
    text = satcal(*call, "--sample", "1").out
    assert text.startswith("a-puzzle-a-day, 2025-10-05 to 2025-10-07 by sat: 3 tasks, 1 of them")


def test_the_diagram_needs_no_plan(satcal: Run) -> None:
    refused = satcal("plan", "--month", "2025-10")
    assert refused.code == 2
    assert "the diagram counts all dates at once" in refused.err
