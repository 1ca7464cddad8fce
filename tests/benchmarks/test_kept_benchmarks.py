"""The benchmarks of enumerators, clusters, large boards and certificates: what they write is so."""

from __future__ import annotations

import csv
import json
from typing import Any

import pytest

from benchmarks import certificates, comparing, enumeration, large, report
from benchmarks.cluster import WORKERS, recorded
from benchmarks.measure import ROOT
from benchmarks.simulate import Model, Recorded, makespan
from benchmarks.suites import Case
from satcal.puzzle.loading import load

RESULTS = ROOT / "results" / "benchmarks"


def test_a_run_of_enumerators_goes_on_after_its_last_row_and_ends_with_a_wrong_count(
    tmp_path, monkeypatch, capsys
):
    def measure(peer: str, *_: object) -> dict[str, Any]:
        asked.append(peer)
        times = dict.fromkeys(("seconds", "busy", "wall", "cpu"), 1.23456)
        return {"status": "ok", "tilings": next(counts), "peak": 1000, **times}

    asked, counts = [], iter([92, 92, 91, *[92] * 99])
    known = {name: {"version": "1", "program": False} for name in enumeration.PEERS}
    monkeypatch.setattr(enumeration, "ask", lambda *_: (None, {"peers": known}))
    monkeypatch.setattr(enumeration, "cases", lambda _: [(Case("a-puzzle-a-day", "Dec,25"), 92)])
    monkeypatch.setattr(enumeration, "measure", measure)
    assert enumeration.main(["--output", str(tmp_path)]) == 1
    assert " counts 91" in capsys.readouterr().err
    assert enumeration.main(["--output", str(tmp_path)]) == 0
    assert asked == [*enumeration.PEERS[:3], *enumeration.PEERS[2:]]


def test_the_kept_pages_are_what_their_figures_make(tmp_path):
    report.write(json.loads((RESULTS / "peers.json").read_text()), tmp_path)
    assert (tmp_path / "peers.md").read_text() == (RESULTS / "peers.md").read_text()
    with (RESULTS / "enumeration.csv").open() as file:
        assert (
            comparing.markdown([*csv.DictReader(file)]) == (RESULTS / "enumeration.md").read_text()
        )


# --- clusters and large boards -------------------------------------------------------------------


def test_a_model_of_tasks_on_a_curve_is_that_curve_and_the_same_each_time():
    model = Model([Recorded(n, 0.1 * (n + 1) ** 0.8) for n in range(1, 400, 7)])
    assert model.slope == pytest.approx(0.8)
    assert model.seconds(1000) == pytest.approx(0.1 * 1001**0.8)
    tasks = [Recorded(n, 0.1 + (n * 37 % 11) / 10) for n in range(50)]
    one, other = Model(tasks), Model(tasks)
    assert [one.seconds(n) for n in range(60)] == [other.seconds(n) for n in range(60)]


def test_the_committed_simulation_is_of_the_committed_tasks():
    tasks, cuts = recorded(RESULTS)
    assert len(tasks) == 80
    assert len(cuts) == 10
    with (RESULTS / "cluster.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert {int(row["workers"]) for row in rows} == set(WORKERS)
    assert {row["tasks"] for row in rows if row["plan"] == "in order"} == {"2604"}


def test_every_large_board_is_a_puzzle_of_the_cells_it_says(tmp_path):
    for case in large.cases(tmp_path):
        puzzle = load(case.board)
        if not case.name.startswith("sh1ura"):
            assert len(puzzle.cells) == case.cells, case.name
        if case.least:
            assert puzzle.check_reveal(tuple(case.least.split(",")))


def test_a_case_is_measured_by_a_real_run(small_file):
    found = large.measured(large.Case("two L4", str(small_file), 8), "diagram")
    assert (found["status"], found["tilings"], found["why"]) == ("exact", 2, "")
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
def test_a_cluster_is_simulated_event_by_event(tasks, workers, overhead, end):
    assert makespan(tasks, workers, overhead) == end


# --- certificates -------------------------------------------------------------------------------


def test_the_page_of_certificates_is_written_from_its_table(tmp_path):
    (tmp_path / "certificates.csv").write_bytes((RESULTS / "certificates.csv").read_bytes())
    certificates.write(tmp_path)
    assert (tmp_path / "certificates.md").read_text() == (RESULTS / "certificates.md").read_text()
