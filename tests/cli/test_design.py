"""``satcal design``: the same answer on every road, certificates, and the best set as a puzzle."""

import csv
import json

import pytest

from oracle import PATCH, Piece, rectangle
from satcal.puzzle.loading import load
from satcal.puzzle.model import Puzzle


@pytest.fixture
def design(tmp_path):
    (tmp_path / "patch.toml").write_text(PATCH.text)
    return "design patch.toml --sizes 2x5,1x4"


def rows_of(path):
    return list(csv.DictReader(path.read_text().splitlines()))


def test_a_board_without_labels_is_solved_by_the_one_piece_that_has_its_shape(run, tmp_path):
    (tmp_path / "strip.toml").write_text(rectangle(1, 5, Piece("I", ("#####",))).text)
    answer = run("design strip.toml --sizes 1x5 --all --format csv")
    refuted_by = {row["pieces"]: row["refuted_by"] for row in answer.rows}
    assert refuted_by.pop("I") == ""
    assert list(refuted_by.values()) == ["board"] * 11


@pytest.mark.parametrize("how", ["--must L --all", "--tries 64 --seed 3"])
def test_the_answer_is_the_same_on_two_cores(run, design, how):
    assert run(f"{design} {how} -j 1").out == run(f"{design} {how} -j 2").out != ""


def test_each_refuted_set_is_proved_to_have_too_few(run, design, tmp_path):
    line = f"{design} --must L --at-least 2 --all -o rows.csv --certify none"
    assert run(line).code == 0
    refuted = [row for row in rows_of(tmp_path / "rows.csv") if row["refuted_by"]]
    assert len(refuted) > 20
    whole = (tmp_path / "none" / "manifest.csv").read_bytes()
    assert whole.count(b".satcert,") == len(refuted)
    assert run("check none").out.count(": accepted: ") == len(refuted)
    assert run(f"{line} --force").code == 0
    assert (tmp_path / "none" / "manifest.csv").read_bytes() == whole


def test_where_nothing_is_refuted_there_is_nothing_to_prove(run, design, tmp_path):
    answer = run(f"{design} --must L,V --at-least 0 --certify none")
    assert (answer.code, (tmp_path / "none").exists()) == (0, False)
    assert "nothing to prove" in answer.err


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
