"""`satcal survey`: a summary with drawings, or a row for each set."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from helpers import checkers
from helpers.puzzles import Small, write
from satcal.proof.check import check

Run = Callable[..., Any]

BOARD = Small(
    (("a", "b", "*", "*"), ("*",) * 4),
    {"letter": ("a", "b")},
    (("I", ("###",), 1, True), ("L", ("###", "#.."), 1, True)),
)
DRAWN = """\
small: 4 tilings in total, over all choices of 1 cell out of 8 to leave uncovered
8 cells: fewest 0 (b, r0c2, r1c1 and 1 more), most 1 (a, r0c3, r1c0 and 1 more)
4 without a tiling (0 of them cut off a part that no pieces fill), 4 with exactly one

b: no tiling, and nothing is cut off
┌───┬───┬───────┐
│   │ b │       │
│   └───┘       │
│               │
└───────────────┘

3 more without a tiling; --limit draws more, --format csv lists all

a: exactly one tiling
┌───┬───────────┐
│ a │ L   L   L │
├───┴───────┐   │
│ I   I   I │ L │
└───────────┴───┘

3 more with exactly one tiling; --limit draws more, --format csv lists all
"""


def test_the_summary_comes_first_and_then_the_drawings(satcal, tmp_path):
    board = write(BOARD, tmp_path / "small.toml")
    said = satcal("survey", "--board", str(board), "--limit", "1")
    assert (said.code, said.out) == (0, DRAWN)


def test_the_number_of_each_set_is_proved(satcal, tmp_path):
    board, path = write(BOARD, tmp_path / "small.toml"), tmp_path / "sets.satcert"
    said = satcal("survey", "--board", str(board), "--format", "csv", "--certify", str(path))
    rows = csv.DictReader(io.StringIO(said.out))
    counted = {f"small without {row['labels']}": int(row["tilings"]) for row in rows}
    proved = checkers.accepts(path.read_bytes())
    assert {name: tilings for name, _, tilings in proved} == counted
    assert sorted(counted.values()) == [0] * 4 + [1] * 4
    assert "8 statements, each proved and checked; 4 tilings" in said.err
    for statement in check(io.BytesIO(path.read_bytes())):
        gone = statement.puzzle.about["name"].split()[-1]
        named = statement.puzzle.cells
        assert len(named) == 7 and {"a": (0, 0), "b": (0, 1)}.get(gone) not in named
        assert statement.puzzle.categories == {}


def test_a_board_of_which_no_cell_stays_uncovered_is_one_statement(satcal, tmp_path):
    whole = replace(BOARD, board=(("*",) * 7,), categories={}, pieces=(("I", ("#" * 7,), 1, True),))
    board, path = write(whole, tmp_path / "whole.toml"), tmp_path / "whole.satcert"
    assert satcal("survey", "--board", str(board), "--certify", str(path)).code == 0
    assert checkers.accepts(path.read_bytes()) == [("small", (), 1)]


def test_what_is_placed_cannot_be_certified(satcal, tmp_path):
    said = satcal("survey", "--place", "U@r0c0", "--certify", str(tmp_path / "sets.satcert"))
    assert (said.code, list(tmp_path.iterdir())) == (2, [])
    assert "--place" in said.err


def test_the_picture_draws_the_impossible_and_the_unique(satcal, tmp_path):
    board, path = str(write(BOARD, tmp_path / "small.toml")), tmp_path / "survey.svg"
    assert satcal("survey", "--board", board, "--limit", "3", "-o", str(path)).code == 0
    drawn = path.read_text()
    assert "4 of 8 sets of cells have no tiling, 4 exactly one" in drawn
    assert (drawn.count("no tiling</text>"), drawn.count("one tiling</text>")) == (3, 3)
    said = satcal("survey", "--board", board, "--theme", "dark")
    assert (said.code, "--theme only applies to pictures" in said.err) == (2, True)


def test_csv_and_json_have_a_row_for_each_set(satcal):
    rows = list(csv.DictReader(io.StringIO(satcal("survey", "--format", "csv").out)))
    assert len(rows) == 903
    assert sum(int(row["tilings"]) for row in rows) == 59_787
    assert rows[0] == {"cells": "r0c0 r0c1", "labels": "Jan Feb", "tilings": "282", "cut_off": "no"}
    empty = {row["labels"]: row["cut_off"] for row in rows if row["tilings"] == "0"}
    assert empty["22 24"] == "no"
    assert sorted(empty.values()) == ["no"] + ["yes"] * 6
    listed = json.loads(satcal("survey", "--format", "json").out)
    assert [{**row, "tilings": str(row["tilings"])} for row in listed] == rows


def test_pieces_flips_and_placements_are_taken_into_account(satcal):
    pieces = satcal("survey", "--pieces", "crea-makerspace", "--limit", "0")
    assert "16,592 tilings" in pieces.out
    one_face = satcal("survey", "--flip", "none", "--limit", "0").out
    assert "59,787" not in one_face
    placed = satcal("survey", "--place", "O:r4c3,r4c4,r4c5,r5c3,r5c4,r5c5", "--limit", "0").out
    assert "666 sets of cells" in placed
    none = satcal("survey", "--board", "pentomino-3x20").out
    assert "1 set of cells: fewest 8 (no cell), most 8 (no cell)" in none
