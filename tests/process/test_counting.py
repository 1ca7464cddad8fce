"""What a run does when a worker dies, is late, or is not wanted any more."""

import os
import signal
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest

from command import Clock
from satcal.counting import run
from satcal.counting.sat import Sat
from satcal.counting.search import Search
from satcal.errors import BudgetExhausted, Stopped
from satcal.processes import tell
from satcal.puzzle.rows import Selection

OCTOBER = [("Oct", "6"), ("Oct", "7")]


@dataclass(frozen=True)
class Misbehaving:
    """A method that does something else at the reveal of Oct 6."""

    act: object
    name = "misbehaving"
    one_by_one = True

    def counts(self, puzzle, reveals, place, meter):
        """Count to two, after which Oct 6 misbehaves."""
        if ("Oct", "6") in reveals:
            tell(2)
            tell((1, 1, "stuck"))
            self.act()
        return dict.fromkeys(reveals, 2)


def die():
    """End this process as a killed one ends."""
    os._exit(1)


def sleep():
    """Be stuck, as in a solver's call."""
    signal.pause()


def fill_memory():
    """Find no memory."""
    raise MemoryError


@pytest.mark.usefixtures("new_children")
@pytest.mark.parametrize("act", [die, fill_memory])
def test_a_task_that_kills_its_worker_costs_no_other(daily, act):
    answers = {
        each.reveal: each
        for each in run.count(Selection.of(daily, OCTOBER), Misbehaving(act), run.Limits(jobs=1))
    }
    assert answers["Oct", "7"].complete
    assert (answers["Oct", "6"].complete, type(answers["Oct", "6"].error)) == (False, Stopped)


@pytest.mark.usefixtures("new_children")
def test_the_lower_bound_of_a_worker_that_is_stuck_is_not_lost(daily, monkeypatch):
    clock = Clock()
    monkeypatch.setattr("satcal.processes.time", clock)

    def pass_time(*step):
        clock.later += 2e6

    until = clock.monotonic() + 1e6
    limits, selection = run.Limits(until), Selection.of(daily, OCTOBER[:1])
    (stuck,) = run.count(selection, Misbehaving(sleep), limits, progress=pass_time)
    assert (stuck.tilings, stuck.complete, type(stuck.error)) == (2, False, BudgetExhausted)


def test_a_reader_that_leaves_ends_the_workers(daily, new_children):
    counting = run.count(Selection.of(daily, OCTOBER), Misbehaving(sleep), run.Limits(jobs=2))
    assert next(counting).reveal == ("Oct", "7")
    counting.close()
    assert not new_children()


@pytest.mark.long
def test_all_372_reveals_sum_to_25061(daily):
    counted = list(run.count(Selection.of(daily, daily.reveals()), Sat()))
    assert len(counted) == sum(each.complete for each in counted) == 372
    assert sum(each.tilings for each in counted) == 25_061
    with ThreadPoolExecutor(1) as executor:
        sample = [each.reveal for each in counted[::10]]
        by_search = run.count(Selection.of(daily, sample), Search(), executor=executor)
        expected = {each.reveal: each.tilings for each in counted}
        assert all(each.tilings == expected[each.reveal] for each in by_search)
