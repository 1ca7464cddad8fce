"""A folder of formulas with lemmas: other programs count what its manifest says."""

from __future__ import annotations

import csv
import datetime
import hashlib
from pathlib import Path

import pytest

from command import run_in_process
from helpers.programs import need
from satcal.external import packages
from satcal.external.solvers import Bounds, clasp_models, run

ENDINGS = (20, 30)  # clasp has found all models: none, some


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two dates, exported with lemmas."""
    path = tmp_path_factory.mktemp("formulas")
    line = "export a-puzzle-a-day --date 2026-10-05..2026-10-06 --lemmas closed --output"
    answer = run_in_process([*line.split(), f"{path}/"], datetime.date(2026, 1, 1))
    assert answer.code == 0, answer.err
    return path


@pytest.mark.parametrize("name", ["clasp", "d4"])
def test_programs_count_exported_formulas_with_lemmas_to_the_manifest(folder, name):
    with open(folder / "manifest.csv", encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["reveal"] for row in rows] == ["Oct,5", "Oct,6"]
    for row in rows:
        path = folder / row["file"]
        assert hashlib.sha256(path.read_bytes()).hexdigest() == row["sha256"]
        assert row["lemmas"] == "closed"
        assert int(row["tilings"]) == counted(name, path)


def counted(name: str, path: Path) -> int:
    if name == "d4":
        pytest.importorskip("py_d4")
        return packages.d4(str(path))
    need("clasp")
    _, said = run(["clasp", "-n", "0", "-q", str(path)], Bounds(seconds=300), ENDINGS)
    return clasp_models(said, 1_000_000)
