"""A store in a file; where PostgreSQL differs, also on a server that the test run starts."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import psycopg
import pytest

from helpers.programs import need, path_of
from helpers.puzzles import Small, write
from helpers.stores import NOON, located, new_schema, on_server, unprivileged
from helpers.waiting import until
from satcal.counting import count
from satcal.store.results import Store


@pytest.fixture(scope="session")
def server():
    """The folder of the socket of a PostgreSQL server, which listens nowhere else."""
    need("initdb", "postgres")
    start, user = unprivileged()
    folder = tempfile.mkdtemp(prefix="pg-", dir="/tmp")  # a socket's path has to be short
    os.chown(folder, user, -1)
    subprocess.run(
        [
            *start,
            str(path_of("initdb")),
            "-D",
            f"{folder}/data",
            "-U",
            "satcal",
            "-A",
            "trust",
            "--no-sync",
            "-E",
            "UTF8",
            "--locale=C",
        ],
        check=True,
        capture_output=True,
        cwd=folder,
        timeout=120,
    )
    process = subprocess.Popen(
        [
            *start,
            str(path_of("postgres")),
            "-D",
            f"{folder}/data",
            "-k",
            folder,
            "-c",
            "listen_addresses=",
            "-c",
            "fsync=off",
            "-c",
            "max_connections=30",
        ],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )

    def listens() -> bool:
        assert process.poll() is None, "the PostgreSQL server did not start"
        with suppress(psycopg.OperationalError):
            on_server(folder).close()
            return True
        return False

    try:
        until(listens)
        yield folder
    finally:
        process.send_signal(signal.SIGQUIT)  # wait for nothing: what it holds is thrown away
        process.wait(timeout=60)
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def file(tmp_path):
    """The file of a store that is not there yet."""
    return tmp_path / "store.sqlite"


@pytest.fixture
def where(request, file):
    """What --store says: a file or, where a test asks for both, a schema of its own on a server."""
    if getattr(request, "param", "sqlite") == "sqlite":
        return str(file)
    return new_schema(request.getfixturevalue("server"))


@pytest.fixture
def store(where):
    with Store(located(where), lambda: NOON) as opened:
        yield opened


@pytest.fixture
def satcal(satcal, monkeypatch, tmp_path):
    """Run a command line in this process; sat and search count in a thread."""
    monkeypatch.setattr(count, "LocalProcesses", lambda jobs: ThreadPoolExecutor(1))
    monkeypatch.setenv("SATCAL_CACHE", str(tmp_path / "cache"))
    return satcal


@pytest.fixture
def small(tmp_path):
    """A puzzle file with three reveals of four tilings each."""
    drawings = {"I": ("##",), "V": ("##", "#."), "J": ("##",)}
    pieces = tuple((name, rows, 1, True) for name, rows in drawings.items())
    board = (("a", "b", "c", "*"), ("*",) * 4)
    puzzle = Small(board, {"letter": ("a", "b", "c")}, pieces)
    return write(puzzle, tmp_path / "small.toml")
