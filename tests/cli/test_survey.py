"""`satcal survey`: a summary, a row for each set, a certificate."""

import csv
from collections import Counter

import pytest

from oracle import Piece, Small, rectangle
from satcal.certificates.checking import check

BOARD = Small(
    (("a", "b", "*", "*"), ("*",) * 4),
    (Piece("I", ("###",)), Piece("L", ("###", "#.."))),
    (("letter", ("a", "b")),),
)


@pytest.fixture
def board(tmp_path):
    path = tmp_path / "small.toml"
    path.write_text(BOARD.text)
    return str(path)


def test_the_summary_names_the_impossible_and_the_unique(run, board):
    answer = run("survey", board)
    assert answer.code == 0
    *_, empty, unique = answer.out.splitlines()
    assert "small: 4 tilings in total" in answer.out
    assert "4 without a tiling (0 of them cut off" in empty
    assert empty.partition(": ")[2].split(", ")[0] == "b"
    assert unique.partition(": ")[2].count(", ") == 3


def test_there_is_a_row_for_each_set(run):
    rows = run("survey --format csv").rows
    assert len(rows) == 903
    assert rows[0] == {"cells": "r0c0 r0c1", "labels": "Jan Feb", "tilings": "282", "cut_off": "no"}
    empty = {row["labels"]: row["cut_off"] for row in rows if row["tilings"] == "0"}
    assert Counter(empty.values()) == {"no": 1, "yes": 6}
    assert empty["22 24"] == "no"


def test_what_is_placed_takes_cells_out_of_the_sets(run):
    answer = run("survey --place", "O: 17 18 19 24 25 26")
    assert "666 sets of cells" in answer.out


def test_a_board_without_uncovered_cells_has_one_set(run):
    answer = run("survey pentomino-3x20")
    assert ("1 set" in answer.out, answer.out.count("8 (no cell)")) == (True, 2)


def test_the_number_of_each_set_is_proved(run, board, tmp_path):
    folder = tmp_path / "sets"
    answer = run("survey --format csv --certify", str(folder), board)
    counted = {row["cells"].replace(" ", "-"): int(row["tilings"]) for row in answer.rows}
    proved = {path.stem: check(path).tilings[()] for path in folder.glob("*.satcert")}
    assert proved == counted
    assert Counter(proved.values()) == {0: 4, 1: 4}
    with open(folder / "manifest.csv", newline="") as file:
        assert len(list(csv.DictReader(file))) == len(counted)


def test_the_empty_set_is_proved(run, tmp_path):
    board, folder = tmp_path / "whole.toml", tmp_path / "whole"
    board.write_text(rectangle(1, 7, Piece("I", ("#" * 7,))).text)
    assert run("survey --certify", str(folder), str(board)).code == 0
    (path,) = folder.glob("*.satcert")
    assert check(path).tilings == {(): 1}
