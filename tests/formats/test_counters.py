"""`clasp -n 0` on an exported file reports the number that `satcal count` prints."""

from __future__ import annotations

from pathlib import Path

import pytest
from external import clasp_models, clingo_models

import satcal
from satcal.encoding import ENCODINGS
from satcal.encoding.export import export

# dates with few tilings, so that clasp needs a second and not a minute
DATES = {
    "a-puzzle-a-day": ("2025-10-06", 7),
    "crea-makerspace": ("2025-12-03", 3),
    "jarring-words": ("2025-04-06", 14),
}
DETERMINED = [each.name for each in ENCODINGS.values() if each.determined and each.dimacs]


def exported(board: str, path: Path, **options: str) -> Path:
    puzzle = satcal.load(board)
    path.write_text("".join(export(puzzle, puzzle.reveal(DATES[board][0]), **options)))
    return path


@pytest.mark.parametrize("board", DATES)
def test_satcal_counts_what_clasp_is_compared_with(board):
    date, tilings = DATES[board]
    puzzle = satcal.load(board)
    assert satcal.count(puzzle, puzzle.reveal(date)) == tilings


@pytest.mark.parametrize("encoding", DETERMINED)
@pytest.mark.parametrize("board", DATES)
def test_clasp_reports_the_number_of_tilings_in_every_determined_encoding(
    board, encoding, tmp_path
):
    path = exported(board, tmp_path / "formula.cnf", encoding=encoding)
    assert clasp_models(path) == DATES[board][1]


@pytest.mark.parametrize("board", DATES)
def test_clasp_reports_the_number_of_tilings_from_equations(board, tmp_path):
    assert clasp_models(exported(board, tmp_path / "x.opb", format="opb")) == DATES[board][1]


@pytest.mark.parametrize("board", DATES)
def test_clingo_reports_the_number_of_tilings_from_the_answer_set_program(board, tmp_path):
    assert clingo_models(exported(board, tmp_path / "x.lp", format="asp")) == DATES[board][1]


def test_most_encodings_are_determined_and_so_is_the_default():
    assert DETERMINED == [
        "plain", "owner", "ladder", "card-pairwise", "card-seqcounter", "card-bitwise",
        "card-ladder", "card-mtotalizer", "card-kmtotalizer",
    ]  # fmt: skip
    puzzle = satcal.load("a-puzzle-a-day")
    assert "c determined yes\n" in "".join(export(puzzle, puzzle.reveal("2025-10-06")))
