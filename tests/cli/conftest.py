from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from satcal.counting import executors


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count in a thread: tests/cli/test_processes.py uses the real worker processes."""
    monkeypatch.setattr(executors, "local_processes", lambda jobs: ThreadPoolExecutor(1))


@pytest.fixture(autouse=True)
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Keep diagrams in a folder of the test's own."""
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("SATCAL_CACHE", str(folder))
    return folder


SMALL = '''
name = "small"
board = """
a b *
* * *
"""
[categories]
letter = ["a", "b"]
[pieces]
I = """
##
"""
V = """
##
#.
"""
'''


@pytest.fixture
def small_text() -> str:
    """A puzzle file with two reveals of two tilings each."""
    return SMALL


@pytest.fixture
def small(tmp_path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a puzzle file in the working directory, with two reveals."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "small.toml").write_text(SMALL)
    return "small.toml"
