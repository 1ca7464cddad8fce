"""The page on plans has parts, each written by itself, from times that are in the repository."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import calibration, plan
from benchmarks.calibration import FOLDER, Population, coverage, populations, speeds

TWICE = Population("twice", tuple(range(30)), ((1.0,) * 30, (2.0,) * 30))


def test_one_part_of_the_page_is_replaced_and_the_others_stay() -> None:
    page = plan.replaced("# Title\n", "## One\n\nold\n")
    page = plan.replaced(page, "## Two\n\n| a |\n")
    assert page == "# Title\n\n## One\n\nold\n\n## Two\n\n| a |\n"
    assert plan.replaced(page, "## One\n\nnew\n") == page.replace("old", "new")


def test_every_run_is_recorded_whole_in_each_round() -> None:
    for population, (board, wanted) in zip(populations(), calibration.RUNS.items(), strict=False):
        reveals = calibration.reveals_of(board, wanted)
        assert population.tilings
        assert {len(times) for times in population.rounds} == {len(reveals)}
        assert len(population.rounds) == 3


def test_times_without_scatter_are_always_held_and_never_by_a_machine_half_as_fast() -> None:
    assert coverage(TWICE, 5, samples=20, speed=0.01).held == 1.0
    assert coverage(TWICE, 5, samples=20, speed=0.01, another=True).held == 0.0
    assert coverage(TWICE, 5, samples=20, speed=0.5, another=True).held == 1.0


def test_the_speed_of_a_machine_is_told_from_the_same_tasks() -> None:
    sample, run = speeds(TWICE, 5)
    assert sample == pytest.approx(run) == pytest.approx(0.490, abs=0.001)  # log 2 / root of 2


def test_the_committed_table_is_of_the_committed_times() -> None:
    first = populations()[0]
    alone, later = coverage(first, 20, speed=0.0), coverage(first, 20, another=True)
    row = f"| {first.name} | 365 | 20 | {alone.held:.0%} | {alone.above:.0%} | {alone.error:.1%} "
    assert row + f"| {later.held:.0%} |" in Path(FOLDER, "plan.md").read_text()
