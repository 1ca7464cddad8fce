"""The real program, in processes of its own: the only folder that starts it."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from command import Answer
from helpers.waiting import until
from oracle import dominoes, write

SATCAL = [sys.executable, "-m", "satcal"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder in which every command runs, with an empty folder for temporary files."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    return tmp_path


@pytest.fixture
def shell(folder: Path) -> Callable[..., Answer]:
    """Run a line of a shell, in which ``satcal`` is the program."""

    def run(line: str, **environment: str) -> Answer:
        script = f'satcal() {{ {shlex.join(SATCAL)} "$@"; }}; {line}'
        done = subprocess.run(
            ["bash", "-c", script],
            capture_output=True,
            text=True,
            check=False,
            env=os.environ | environment,
            stdin=subprocess.DEVNULL,
        )
        return Answer(done.returncode, done.stdout, done.stderr)

    return run


@pytest.fixture
def begun(folder: Path) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Start a command; what is left of it at the end is killed."""
    processes = []

    def begin(line: str, at_work: bool = True) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [*SATCAL, *line.split()],
            text=True,
            start_new_session=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        processes.append(process)
        if at_work:
            until(lambda: process.poll() is not None or busy(process.pid))
            assert process.poll() is None, process.communicate()
        return process

    yield begin
    for process in processes:
        process.kill()
        process.communicate()


def busy(number: int) -> bool:
    """Return whether a child of a process has been at work for a while."""
    children = psutil.Process(number).children(recursive=True)
    return any(child.cpu_times().user > 0.3 for child in children)


@pytest.fixture
def stuck(folder: Path) -> str:
    """A board that a solver does not finish: a chessboard without two opposite corners."""
    return write(dominoes(20, 20, corners=False), folder / "stuck.toml").name
