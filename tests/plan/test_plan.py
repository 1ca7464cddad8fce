"""A plan is a sample of the run's tasks, and what follows from its mean."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from small import by_sat

from satcal.counting.planning import choose
from satcal.counting.tilings import diagram_for

OCTOBER = [("Oct", str(day)) for day in range(1, 11)]


def test_the_sample_spreads_over_easy_and_hard_dates_and_is_at_most_the_run(daily):
    number, tasks = choose(daily, OCTOBER, by_sat(), 3)
    by_tilings = sorted(OCTOBER, key=diagram_for(daily, OCTOBER, by_sat()).counts().__getitem__)
    assert (number, tasks) == (10, [(by_tilings[n], ()) for n in (1, 5, 8)])
    _, tasks = choose(daily, OCTOBER, by_sat(), 99)
    assert {reveal for reveal, _ in tasks} == set(OCTOBER)


def test_where_the_diagram_is_too_large_the_sample_is_drawn_and_always_the_same(daily):
    small = replace(by_sat(), memory_limit=10**6, use_cache=False)
    number, tasks = choose(daily, OCTOBER, small, 4)
    assert (number, len(set(tasks))) == (10, 4)
    assert choose(daily, OCTOBER, small, 4) == (10, tasks)


def test_the_estimate_follows_from_the_sample(satcal):
    call = ("plan", "--method", "sat", "--from", "2025-10-05", "--to", "2025-10-07", "-q")
    (plan,) = json.loads(satcal(*call, "--cores", "2", "--format", "json").out)
    assert (plan["tasks"], plan["sample"], plan["cores"]) == (3, 3, 2)
    assert 0 < plan["least"] <= plan["mean"] <= plan["most"]
    assert plan["cpu"] == pytest.approx(3 * plan["mean"], abs=0.01)
    assert plan["wall"] == pytest.approx(max(plan["cpu"] / 2, plan["most"]), abs=0.01)
    assert plan["memory"] > 10**7
    text = satcal(*call, "--sample", "1").out
    assert text.startswith("a-puzzle-a-day, 2025-10-05 to 2025-10-07 by sat: 3 tasks, 1 of them")


def test_a_task_that_cannot_be_finished_is_an_error(satcal):
    said = satcal("plan", "--method", "sat", "--reveal", "Oct,6", "--time-limit", "0")
    assert (said.code, said.err[:23]) == (3, "satcal: error: Oct 6: s")


def test_without_a_method_the_tasks_of_sat_are_planned_as_the_diagram_has_none(satcal):
    said = satcal("plan", "--reveal", "Oct,6", "-q")
    assert said.out.startswith("a-puzzle-a-day, Oct,6 by sat: 1 task, 1 of them counted")
    assert "'diagram' is not one of 'sat', 'search'" in satcal("plan", "--method", "diagram").err
