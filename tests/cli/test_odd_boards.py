"""Every command that takes a board meets every odd board, and answers without a traceback.

What is no board at all is refused before a command sees it: tests/cli/test_wrong_inputs.py.
"""

import re
from pathlib import Path

import pytest

from helpers.puzzles import Small, write


def labelled(labels):
    """Return rows of 30 labels of one category and one more cell, to be filled with monominoes."""
    texts = [*labels, "*"]
    rows = tuple(tuple(texts[start : start + 30]) for start in range(0, len(texts), 30))
    board = tuple(row + (".",) * (len(rows[0]) - len(row)) for row in rows)
    return Small(board, {"sign": tuple(labels)}, (("M", ("#",), len(labels), True),))


ONE_CELL = Small((("*",),), {}, (("M", ("#",), 1, True),)).text()
BOARDS = {
    "1 cell": ONE_CELL,
    "100 labels": labelled([f"d{number}" for number in range(100)]).text(),
    "a name with quotes": ONE_CELL.replace("small", r"a\"'b"),
}
COMMANDS = {
    "show": "",
    "count": "--all-reveals",
    "solve": "--all-reveals --limit 1",
    "verify": "--all-reveals --time-limit 2",
    "export": "-o x.cnf --force",
    "hint": "",
    "stats": "-o x.svg --force",
    "draw tiling": "-o x.svg --force",
    "animate": "-o x.gif --force",
    "survey": "",
    "certify": "-o x.satcert --force -q",
    "cross-check": "--with clasp",
    "decode": "answer.txt",
}


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("command", COMMANDS)
def test_an_odd_board_is_answered(satcal, tmp_path, monkeypatch, command, board):
    monkeypatch.chdir(tmp_path)
    Path("answer.txt").write_text("s SATISFIABLE\nv 1 0\n")
    Path("odd.toml").write_text(BOARDS[board])
    said = satcal(f"{command} --board odd.toml {COMMANDS[command]}")
    assert not re.search("internal error|Traceback|\x1b", said.err + said.out)
    assert said.code in (0, 1, 2, 3, 4)
    assert said.code == 0 or said.err or said.out


def test_a_board_without_dates_is_asked_for_all_its_reveals(satcal, tmp_path):
    board = write(labelled(["up", "down", "left"]), tmp_path / "signs.toml")
    said = satcal(f"count {board} -q --format csv")
    assert [row.split(",")[1] for row in said.out.splitlines()[1:]] == ["up", "down", "left"]
    assert said.out == satcal(f"count {board} --all-reveals -q --format csv").out
    said = satcal(f"hint {board}")
    assert (said.code, said.err) == (
        2,
        "satcal: error: a hint shows one reveal, not 3; give --date or --reveal\n",
    )


def test_each_reveal_has_a_file_of_its_own_whatever_its_labels(satcal, tmp_path):
    alike = ["a/b", "a_b", "-", "é", "日", '"']  # but for what no file's name can hold
    board = write(labelled(alike), tmp_path / "odd.toml")
    (folder := tmp_path / "all").mkdir()
    said = satcal(f"export --board {board} --all-reveals -q -o {folder}/")
    assert said.code == 0, said.err
    assert len(list(folder.iterdir())) == len(alike)


@pytest.mark.parametrize("text", ["{", "[]", '{"files": 3}', '{"files": [{}]}'])
def test_a_damaged_list_of_golden_files_is_named(satcal, tmp_path, text):
    (tmp_path / "manifest.json").write_text(text)
    said = satcal(f"cross-check --golden {tmp_path} --with all")
    assert said.code == 2
    assert "manifest.json: damaged" in said.err
