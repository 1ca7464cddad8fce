"""Every command that takes a board meets every odd board, and answers without a traceback.

What is no board at all is refused before a command sees it: tests/cli/test_wrong_inputs.py.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ONE = '[pieces]\nM = "#"\n'


def puzzle(board: str, name: str = "odd", rest: str = ONE) -> str:
    return f'name = "{name}"\nboard = """\n{board}\n"""\n{rest}'


def labels(number: int) -> str:
    """Return a puzzle with so many labels of one category, and two cells more."""
    texts = [f"d{index}" for index in range(number)]
    rows = [" ".join(texts[start : start + 30]) for start in range(0, number, 30)]
    category = ", ".join(f'"{text}"' for text in texts)
    rest = f'[categories]\nday = [{category}]\n[pieces]\nM = {{ shape = "#", copies = {number} }}\n'
    return puzzle("\n".join([*rows, "*"]), rest=rest)


BOARDS = {
    "1 cell": puzzle("*"),
    "300 labels": labels(300),
    "a name with quotes": puzzle("*", r"a\"'b"),
}
COMMANDS = {
    "show": (), "count": ("--all-reveals",), "solve": ("--all-reveals", "--limit", "1"),
    "verify": ("--all-reveals", "--time-limit", "2"), "export": ("-o", "x.cnf", "--force"),
    "hint": (), "stats": ("-o", "x.svg", "--force"), "draw": ("-o", "x.svg", "--force"),
    "animate": ("-o", "x.gif", "--force"), "survey": (), "plan": ("--all-reveals",),
    "certify": ("-o", "x.satcert", "--force", "-q"), "cross-check": ("--with", "clasp"),
    "decode": ("answer.txt",),
}  # fmt: skip


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("command", COMMANDS)
def test_an_odd_board_is_answered(satcal, tmp_path, monkeypatch, command, board):
    monkeypatch.chdir(tmp_path)
    Path("answer.txt").write_text("s SATISFIABLE\nv 1 0\n")
    Path("odd.toml").write_text(BOARDS[board])
    said = satcal(command, "--board", "odd.toml", *COMMANDS[command])
    assert not re.search("internal error|Traceback|\x1b", said.err + said.out)
    assert said.code in (0, 1, 2, 3, 4)
    assert said.code == 0 or said.err or said.out


ODD = ["a/b", "a_b", "-", "é", "日", '"']


def odd_labels() -> str:
    """Return a puzzle whose labels differ in nothing but what no file's name can hold."""
    texts = ", ".join(f"'{text}'" for text in ODD)
    rest = f'[categories]\nsign = [{texts}]\n[pieces]\nM = {{ shape = "#", copies = 6 }}\n'
    return puzzle(f"{' '.join(ODD)} *", rest=rest).replace('"""', "'''")


@pytest.mark.parametrize("command", ["export", "certify"])
def test_each_reveal_has_a_file_of_its_own_whatever_its_labels(satcal, tmp_path, command):
    (board := tmp_path / "odd.toml").write_text(odd_labels())
    (folder := tmp_path / "all").mkdir()
    said = satcal(command, "--board", str(board), "--all-reveals", "-q", "-o", f"{folder}/")
    assert said.code == 0, said.err
    assert len(list(folder.iterdir())) == len(ODD)


@pytest.mark.parametrize("text", ["{", "[]", '{"files": 3}', '{"files": [{}]}'])
def test_a_damaged_list_of_golden_files_is_named(satcal, tmp_path, text):
    (tmp_path / "manifest.json").write_text(text)
    said = satcal("cross-check", "--golden", str(tmp_path), "--with", "all")
    assert said.code == 2
    assert "manifest.json: damaged" in said.err


def test_a_survey_in_which_too_much_is_placed_is_refused(satcal, tmp_path):
    rest = '[categories]\nx = ["a", "b"]\n[pieces]\nD = "##"\n'
    (board := tmp_path / "small.toml").write_text(puzzle("a b *", rest=rest))
    placed = [word for column in range(3) for word in ("--place", f"D@r0c{column}")]
    said = satcal("survey", "-b", str(board), *placed)
    assert said.code == 2
    assert "must stay uncovered" in said.err
    assert "3 cells, 2 of them" in satcal("show", str(board)).out
