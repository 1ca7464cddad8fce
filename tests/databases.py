"""A PostgreSQL server for the tests, new schemas on it, and the fixture ``url`` of a new store."""

from __future__ import annotations

import itertools
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from helpers.waiting import PATIENCE, until

NUMBERS = itertools.count(1)
CALM = ["-c", "listen_addresses=", "-c", "fsync=off", "-c", "max_connections=30"]


def unprivileged() -> list[str]:
    """Return what starts a program as another user than root, whom PostgreSQL refuses."""
    if os.geteuid():
        return []
    user = pwd.getpwnam("nobody")
    return [
        "setpriv",
        f"--reuid={user.pw_uid}",
        f"--regid={user.pw_gid}",
        "--clear-groups",
        "--pdeathsig=INT",
    ]


class Database:
    """A PostgreSQL server that listens in a folder only."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.process: subprocess.Popen[bytes] | None = None
        initdb = ["initdb", "-D", f"{folder}/data", "-U", "satcal", "-A", "trust", "--no-sync"]
        subprocess.run(
            [*unprivileged(), *initdb, "-E", "UTF8", "--locale=C"],
            cwd=folder,
            check=True,
            capture_output=True,
        )

    def start(self) -> None:
        """Start the server, and wait until it says that it is ready."""
        command = ["postgres", "-D", f"{self.folder}/data", "-k", str(self.folder), *CALM]
        log = self.folder / "log"
        with open(log, "w") as file:
            self.process = subprocess.Popen(
                [*unprivileged(), *command], cwd=self.folder, stderr=file
            )
        until(lambda: "ready to accept" in log.read_text())

    def stop(self) -> None:
        """End the server at once, as in a crash."""
        assert self.process is not None
        self.process.send_signal(signal.SIGQUIT)
        self.process.wait(PATIENCE)

    def new_schema(self) -> str:
        """Return the address of an empty schema with a user of its own."""
        import psycopg

        name = f"t{os.getpid()}_{next(NUMBERS)}"
        with psycopg.connect(
            host=str(self.folder), user="satcal", dbname="postgres", autocommit=True
        ) as admin:
            admin.execute(f"CREATE ROLE {name} LOGIN".encode())
            admin.execute(f"CREATE SCHEMA AUTHORIZATION {name}".encode())
        return f"postgresql://{name}@/postgres?host={self.folder}"


@contextmanager
def running_database() -> Iterator[Database]:
    """Run a PostgreSQL server while the context lasts."""
    folder = Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp"))  # a socket's path has to be short
    if not os.geteuid():
        os.chown(folder, pwd.getpwnam("nobody").pw_uid, -1)
    database = Database(folder)
    database.start()
    try:
        yield database
    finally:
        database.stop()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def database() -> Iterator[Database]:
    """Return a PostgreSQL server that all tests share, and none may stop."""
    with running_database() as running:
        yield running


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.needs("postgres"))])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the address of a new, empty store: a file, or a schema on the server."""
    if request.param == "sqlite":
        return str(tmp_path / "store.sqlite")
    address: str = request.getfixturevalue("database").new_schema()
    return address
