"""A folder with some files, in which every command runs, in this process."""

import pytest

from oracle import TWO_EACH
from satcal.encoding.export import export_text

FORMULA = export_text(TWO_EACH.load(), ("a",))


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Run in a folder with a puzzle, a formula and two answers of solvers."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "small.toml").write_text(TWO_EACH.text)
    (tmp_path / "formula.cnf").write_text(FORMULA)
    (tmp_path / "silent.txt").write_text("")
    (tmp_path / "unsat.txt").write_text("s UNSATISFIABLE\n")
    return tmp_path
