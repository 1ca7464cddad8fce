"""A folder with some files, in which every command runs, in this process."""

import pytest

from oracle import TWO_EACH


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Run in an empty folder with a puzzle and two answers of solvers."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "small.toml").write_text(TWO_EACH.text)
    (tmp_path / "silent.txt").write_text("")
    (tmp_path / "unsat.txt").write_text("s UNSATISFIABLE\n")
    return tmp_path
