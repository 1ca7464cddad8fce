"""The real program, in processes of its own: the only folder that starts it."""

import os
import shlex
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from command import Answer
from helpers.waiting import alive, until
from oracle import half_stuck, write

PYTHON = shlex.quote(sys.executable)
PATIENT = (
    "import satcal.processes, satcal.__main__; satcal.processes.CLEANUP_SECONDS = 240; "
    "satcal.__main__.main()"
)
"""The program, which takes its time to clean up: a loaded machine may need it."""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder in which every command runs, with an empty folder for temporary files."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    return tmp_path


@pytest.fixture
def shell(folder):
    """Run a line of a shell, in which ``satcal`` is the program."""

    def run(line, **environment):
        script = f'satcal() {{ {PYTHON} -m satcal "$@"; }}; {line}'
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
def begun(folder):
    """Start a command; what is left of it at the end is killed."""
    processes = []

    def begin(line, at_work=True):
        process = subprocess.Popen(
            [sys.executable, "-c", PATIENT, *line.split()],
            text=True,
            start_new_session=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        processes.append(process)
        if at_work:
            at_work_from(process)
        return process

    yield begin
    for process in processes:
        process.kill()
        process.communicate()


def at_work_from(process, before=0):
    """Wait until the children of a process have worked for a while, and it waits for them."""
    until(lambda: process.poll() is not None or work_of(process.pid) > before + 0.3)
    assert process.poll() is None, process.communicate()


def work_of(number):
    """Return the seconds of the child of a process that has worked longest."""
    longest = 0.0
    for child in psutil.Process(number).children(recursive=True):
        with suppress(psutil.NoSuchProcess):  # one may end meanwhile
            longest = max(longest, child.cpu_times().user)
    return longest


@pytest.fixture
def half(folder):
    """A board on which A has no tiling at a glance, and a solver does not finish B."""
    return write(half_stuck(20), folder / "half.toml").name


@pytest.fixture
def new_children():
    """What returns the running processes that a test has started; all of them have to end."""

    def running():
        return {each.pid for each in psutil.Process().children() if alive(each.pid)}

    before = running()
    yield lambda: running() - before
    until(lambda: running() <= before)  # a thread of an executor may need a moment to reap
