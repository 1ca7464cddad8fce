"""The certificates in `results/certificates`, to which the refuted claims point."""

from __future__ import annotations

from pathlib import Path

import lrat
import pytest

from satcal.evidence.checking import check, same_puzzle
from satcal.evidence.tables import Tables, results_folder
from satcal.proof.check import statement
from satcal.puzzle.loading import load

RESULTS = results_folder()
FILES = sorted((RESULTS / "certificates").glob("*.satcert"))
QUICK = ("rhombus.Thu-Sep-6", "a-puzzle-a-day.Oct-6")


def test_every_certificate_that_a_claim_names_is_there() -> None:
    named = {
        line.split('"')[1]
        for file in (RESULTS / "published").glob("*.toml")
        for line in file.read_text().splitlines()
        if line.startswith("certificate = ")
    }
    assert named == {path.stem for path in FILES}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_kept_certificate_is_whole_and_of_the_reveal_in_its_name(path: Path) -> None:
    board, _, reveal = path.stem.partition(".")
    puzzle, reveals = statement(path.read_bytes())
    assert same_puzzle(puzzle, load(board))
    assert reveals == [tuple(reveal.split("-"))]


@pytest.mark.parametrize(
    "path",
    [p if p.stem in QUICK else pytest.param(p, marks=pytest.mark.long) for p in FILES],
    ids=lambda path: path.stem,
)
def test_a_kept_certificate_proves_what_the_table_says_and_a_second_replayer_agrees(
    path: Path, tmp_path: Path
) -> None:
    report = check(path.read_bytes(), export=tmp_path)
    assert report.library == path.stem.partition(".")[0]
    table = Tables(RESULTS / "counts").find(report.puzzle)
    assert table is not None
    (proved,) = report.proved
    assert proved.tilings == table.tilings(proved.reveal)
    stem = tmp_path / "0001-proof-0001"
    formula, proof = stem.with_suffix(".cnf").read_text(), stem.with_suffix(".lrat").read_text()
    assert lrat.replay(formula, proof) == proved.steps
