"""``satcal design``: the same answer on every road, and the best set as a puzzle."""

import json

import pytest

from oracle import PATCH, Piece, rectangle
from satcal.puzzle.loading import load
from satcal.puzzle.model import Puzzle


@pytest.fixture
def design(tmp_path):
    (tmp_path / "patch.toml").write_text(PATCH.text)
    return "design patch.toml --sizes 2x5,1x4"


def test_a_board_without_labels_is_solved_by_the_one_piece_that_has_its_shape(run, tmp_path):
    (tmp_path / "strip.toml").write_text(rectangle(1, 5, Piece("I", ("#####",))).text)
    answer = run("design strip.toml --sizes 1x5 --all --format csv")
    refuted_by = {row["pieces"]: row["refuted_by"] for row in answer.rows}
    assert refuted_by.pop("I") == ""
    assert list(refuted_by.values()) == ["board"] * 11


@pytest.mark.parametrize("how", ["--must L --all", "--tries 64 --seed 3"])
def test_the_answer_is_the_same_on_two_cores(run, design, how):
    assert run(f"{design} {how} -j 1").out == run(f"{design} {how} -j 2").out != ""


def test_the_best_set_is_a_puzzle_that_satcal_reads(run, design, tmp_path):
    wanted = f"{design} --goal many --limit 1 --must L"
    (record,) = json.loads(run(f"{wanted} --format json").out)
    answer = run(f"{wanted} -o best.toml")
    assert answer.code == 0
    best = load(tmp_path / "best.toml")
    assert isinstance(best, Puzzle)
    assert " ".join(piece.name for piece in best.pieces) == record["pieces"]
    assert "55" in answer.err


def test_no_set_is_exit_1_and_polyominoes_are_drawn_without_a_search(run, design):
    assert run(f"{design} --must X --at-least 1000").code == 1
    drawn = run(f"{design} --list").out
    assert "W:" in drawn and "██" in drawn
