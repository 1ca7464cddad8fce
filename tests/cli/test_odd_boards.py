"""Every command that takes a board meets every odd board, and answers without a traceback."""

from __future__ import annotations

from collections.abc import Callable
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
    "0 cells": puzzle(". ."),
    "1 cell": puzzle("*"),
    "10,000 cells": puzzle("\n".join(["* " * 100] * 100)),
    "300 labels": labels(300),
    "a piece larger than the board": puzzle("* *", rest='[pieces]\nI = "#####"\n'),
    "a name with a line break": puzzle("*", r"a\nb"),
    "a name with quotes": puzzle("*", r"a\"'b"),
    "a name that turns the text around": puzzle("*", r"a\u202eb"),
    "a name with a control character": puzzle("*", r"a\u001b[2Jb"),
}
COMMANDS = {
    "show": (), "count": ("--all-reveals",), "solve": ("--all-reveals", "--limit", "1"),
    "verify": ("--all-reveals", "--time-limit", "2"), "export": ("-o", "x.cnf", "--force"),
    "hint": (), "stats": ("-o", "x.svg", "--force"), "draw": ("-o", "x.svg", "--force"),
    "animate": ("-o", "x.gif", "--force"), "survey": (), "plan": ("--all-reveals",),
    "certify": ("-o", "x.satcert", "--force", "-q"), "cross-check": ("--with", "clasp"),
    "decode": ("answer.txt",),
}  # fmt: skip


@pytest.fixture
def answered(satcal, tmp_path, monkeypatch) -> Callable[[str, str], int]:
    """Run a command on a board; return its exit code, which is one of ours."""
    monkeypatch.chdir(tmp_path)
    Path("answer.txt").write_text("s SATISFIABLE\nv 1 0\n")

    def call(command: str, board: str) -> int:
        said = satcal(command, "--board", board, *COMMANDS[command])
        assert "internal error" not in said.err, said.err
        assert "Traceback" not in said.err, said.err
        assert "\x1b" not in said.err + said.out
        assert said.code in (0, 1, 2, 3, 4)
        assert said.code == 0 or said.err or said.out
        return said.code

    return call


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("command", COMMANDS)
def test_an_odd_board_is_answered(answered, command, board):
    Path("odd.toml").write_text(BOARDS[board])
    code = answered(command, "odd.toml")
    if board not in ("1 cell", "300 labels", "a name with quotes"):
        assert code == 2


@pytest.mark.parametrize("board", [".", "/dev/zero", "/dev/null", "nowhere.toml"])
@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_no_file_is_refused(answered, command, board):
    assert answered(command, board) == 2


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
