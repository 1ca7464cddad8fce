"""Why a set of cells cannot stay uncovered, and the drawings of what is refuted."""

from __future__ import annotations

from pathlib import Path

from satcal.counting.survey import survey
from satcal.evidence.tables import results_folder
from satcal.puzzle.loading import load
from tools.claim_pictures import main

KEPT = results_folder() / "claims"


def test_the_drawings_are_what_satcal_draws(tmp_path: Path) -> None:
    assert main(tmp_path) == 0
    drawn = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert drawn == {path.name: path.read_bytes() for path in KEPT.iterdir()}, "make claims"


def test_after_each_placement_on_29_the_cell_31_stands_alone_if_22_and_24_are_uncovered() -> None:
    puzzle = load("a-puzzle-a-day")
    found = survey(puzzle)
    label = {text: region.cells[0] for text, region in puzzle.labels.items()}
    pair = (label["22"], label["24"])
    assert found.counts[pair] == 0
    assert found.cut_off(pair) == frozenset()
    impasse = found.impasse(pair)
    assert impasse is not None
    assert impasse.cell == label["29"]
    assert [placed.piece for placed in impasse.ways] == ["U", "Z", "L"]
    assert impasse.cut_off == ((label["31"],),) * 3
    for placed in impasse.ways:
        assert label["29"] in placed.cells
        assert not {label["22"], label["24"], label["31"]} & set(placed.cells)
    (once,) = found.having(1)  # has a tiling
    assert found.impasse(once) is None
