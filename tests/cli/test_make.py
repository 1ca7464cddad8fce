"""``satcal new`` writes files that ``satcal lint`` finds right."""

import json
from pathlib import Path

import pytest

from satcal.puzzle.loading import load


@pytest.mark.parametrize("board", ["", "dragonfjord", "rhombus", "pentomino-3x20"])
def test_new_writes_a_puzzle_with_each_key_explained(satcal, tmp_path, board):
    path = tmp_path / "mine.toml"
    path.write_text("replaced")
    assert satcal(f"new {board} --output {path} --force").code == 0
    assert path.read_text() == satcal(f"new {board}").out
    if board:
        assert load(str(path)) == load(board)
    lines = path.read_text().splitlines()
    keys = [number for number, line in enumerate(lines) if line.startswith(("name", "board", "["))]
    assert len(keys) >= 3
    assert all(lines[number - 1].startswith("#") for number in keys)
    said = satcal(f"lint {path}")
    assert (said.code, said.out, said.err) == (0, "", f"{path}: no mistakes\n")


def test_lint_prints_lines_or_records_and_exits_2_where_something_is_wrong(satcal, small):
    Path(small).write_text(Path(small).read_text().replace("copies = 1", "copies = 0", 1))
    said = satcal(f"lint {small}")
    text = "piece I: copies must be a whole number from 1 to 1024"
    assert said.out == f"{small}: {text} (satcal manual puzzle-file#pieces)\n"
    assert (said.code, said.err) == (2, f"{small}: 1 mistake\n")
    record = {"file": small, "kind": "wrong", "text": text}
    record["see"] = "puzzle-file#pieces"
    assert json.loads(satcal(f"lint {small} --format json").out) == [record]
    assert satcal(f"lint {small} --format csv -q").rows()[0]["text"] == text


def test_lint_takes_a_board_without_pieces_with_those_of_another_file(satcal, tmp_path):
    board = tmp_path / "board.toml"
    board.write_text(satcal("new tetromino").out.partition("[pieces]")[0])
    assert "[pieces] is missing" in satcal(f"lint {board}").out
    assert satcal(f"lint {board} --pieces tetromino").out == ""
