"""The models of the cluster benchmark say what they are fed."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from benchmarks import large
from benchmarks.cluster import WORKERS, recorded
from benchmarks.measure import ROOT
from benchmarks.simulate import Model, Recorded, makespan
from satcal.puzzle.loading import load

RESULTS = ROOT / "results" / "benchmarks"


def test_a_model_of_tasks_on_a_curve_is_that_curve_and_the_same_each_time() -> None:
    model = Model([Recorded(n, 0.1 * (n + 1) ** 0.8) for n in range(1, 400, 7)])
    assert model.slope == pytest.approx(0.8)
    assert model.seconds(1000) == pytest.approx(0.1 * 1001**0.8)
    tasks = [Recorded(n, 0.1 + (n * 37 % 11) / 10) for n in range(50)]
    one, other = Model(tasks), Model(tasks)
    assert [one.seconds(n) for n in range(60)] == [other.seconds(n) for n in range(60)]


def test_recorded_tasks_are_read_with_their_cubes(tmp_path: Path) -> None:
    (tmp_path / "cluster-tasks.csv").write_text(
        "board,reveal,cube,tilings,cpu\nb,x,,5,2.0\nb,x,1 of 2,3,1.5\nb,x,2 of 2,2,0.75\n"
    )
    assert recorded(tmp_path) == ([Recorded(5, 2.0)], [(2.0, [1.5, 0.75])])


def test_the_committed_simulation_is_of_the_committed_tasks() -> None:
    tasks, cuts = recorded(RESULTS)
    assert len(tasks) == 80
    assert len(cuts) == 10
    with (RESULTS / "cluster.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert {int(row["workers"]) for row in rows} == set(WORKERS)
    assert {row["tasks"] for row in rows if row["plan"] == "in order"} == {"2604"}


def test_every_large_board_is_a_puzzle_of_the_cells_it_says(tmp_path: Path) -> None:
    for case in large.cases(tmp_path):
        puzzle = load(case.board)
        if not case.name.startswith("sh1ura"):
            assert len(puzzle.cells) == case.cells, case.name
        if case.least:
            assert puzzle.check_reveal(tuple(case.least.split(",")))


def test_a_case_is_measured_by_a_real_run() -> None:
    found = large.measured(large.Case("pentominoes 3x20", "pentomino-3x20", 60), "sat")
    assert (found["status"], found["tilings"], found["why"]) == ("exact", 8, "")
    assert found["peak"] > 30


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
