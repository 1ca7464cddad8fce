"""What tests of the store share: a place for one, programs that use it, and PostgreSQL's."""

from __future__ import annotations

import datetime
import itertools
import os
import pwd
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from satcal.store.checking import check_store
from satcal.store.keys import MethodKey
from satcal.store.location import Location, parse_location
from satcal.store.results import Store
from satcal.store.rows import StoredResult
from sqlalchemy import make_url

from helpers.programs import need
from helpers.puzzles import Small

NOON = datetime.datetime(2025, 12, 25, 12, tzinfo=datetime.UTC)
BOTH = pytest.mark.parametrize("where", ["sqlite", "postgresql"], indirect=True)
"""For what SQLite and PostgreSQL do in ways of their own."""
NUMBERS = itertools.count()
DIGEST = "ab" * 32
SAT = MethodKey("sat", "ladder", "cadical195", "lemmas=auto", "satcal 1")
SATCAL = [sys.executable, "-m", "satcal"]


def unprivileged() -> tuple[list[str], int]:
    """Return what starts a program as somebody else than root, and who that is."""
    if os.geteuid():
        return [], os.geteuid()
    need("setpriv")
    known = {entry.pw_name: entry for entry in pwd.getpwall()}
    user = known.get("postgres") or known["nobody"]
    start = ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]
    return [*start, "--pdeathsig=INT"], user.pw_uid


def on_server(server: str, user: str = "satcal") -> psycopg.Connection:
    """Return a connection of the administrator, or of a user."""
    return psycopg.connect(host=server, user=user, dbname="postgres", autocommit=True)


def new_schema(server: str) -> str:
    """Return the URL of a new store: a user, and the schema of that name."""
    name = f"t{os.getpid()}_{next(NUMBERS)}"
    with on_server(server) as administrator:
        administrator.execute(f"CREATE ROLE {name} LOGIN".encode())
        administrator.execute(f"CREATE SCHEMA AUTHORIZATION {name}".encode())
    return f"postgresql+psycopg://{name}@/postgres?host={server}&options=-c%20lock_timeout%3D5000"


def user_of(where: str) -> tuple[str, str]:
    """Return the folder of a server's socket, and the user whose schema a store is."""
    url = make_url(where)
    return str(url.query["host"]), str(url.username)


@contextmanager
def away(where: str) -> Iterator[Callable[[], None]]:
    """Cut a store off from everybody for a while, or until the function is called."""
    server, user = user_of(where)

    def back() -> None:
        with on_server(server) as administrator:
            administrator.execute(f"ALTER ROLE {user} LOGIN".encode())

    with on_server(server) as administrator:
        administrator.execute(f"ALTER ROLE {user} NOLOGIN".encode())
        administrator.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = %s", [user]
        )
    yield back
    back()


def located(text: str | Path) -> Location:
    location = parse_location(str(text))
    assert location
    return location


def believed(where: str | Path) -> list[StoredResult]:
    """Return the rows of a store, nothing in which is damaged or contradicts."""
    with Store(located(where), rescue=True) as store:
        assert check_store(store).sound
        return store.rows()


def begin(command: list[str], folder: Path, where: str) -> subprocess.Popen[str]:
    """Start a program that keeps its diagrams in a folder and its counts in a store."""
    places = {"SATCAL_CACHE": f"{folder}/cache", "SATCAL_STORE": where}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, env=os.environ | places, start_new_session=True, **pipes)


def grid(width: int) -> Small:
    """Return a board of a row of labels and a row of others, for dominoes and trominoes."""
    labels = tuple(f"d{n}" for n in range(width))
    dominoes = (2 * width - 1 - 3 * 3) // 2
    pieces = (("I", ("##",), dominoes, True), ("V", ("##", "#."), 3, True))
    return Small((labels, ("*",) * width), {"day": labels}, pieces)
