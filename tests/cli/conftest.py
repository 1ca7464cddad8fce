from concurrent.futures import ThreadPoolExecutor

import pytest

from helpers.puzzles import TWO_EACH, write
from satcal.counting import count


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch):
    """Count in a thread: tests/cli/test_processes.py uses the real worker processes."""
    monkeypatch.setattr(count, "LocalProcesses", lambda jobs: ThreadPoolExecutor(1))


@pytest.fixture
def cache(monkeypatch, tmp_path_factory):
    """Keep diagrams in a folder of the test's own."""
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("SATCAL_CACHE", str(folder))
    return folder


@pytest.fixture
def small(tmp_path, monkeypatch):
    """The name of a puzzle file in the working directory: two reveals of two tilings each."""
    monkeypatch.chdir(tmp_path)
    return write(TWO_EACH, tmp_path / "small.toml").name
