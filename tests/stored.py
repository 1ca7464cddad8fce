"""What tests of the store share: a place for one, programs that use it, and PostgreSQL's."""

from __future__ import annotations

import datetime
import itertools
import os
import pwd
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from programs import need

from satcal.store.keys import Method
from satcal.store.location import Location, parse_location

NOON = datetime.datetime(2025, 12, 25, 12, tzinfo=datetime.UTC)
NUMBERS = itertools.count()
DIGEST = "ab" * 32
SAT = Method("sat", "ladder", "cadical195", "lemmas=auto", "satcal 1")
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


def administrator(server: str) -> psycopg.Connection:
    return psycopg.connect(host=server, user="satcal", dbname="postgres", autocommit=True)


def new_database(server: str) -> str:
    name = f"t{os.getpid()}_{next(NUMBERS)}"
    with administrator(server) as admin:
        admin.execute(f"CREATE DATABASE {name}".encode())
    return f"postgresql+psycopg://satcal@/{name}?host={server}&timeout=5"


def place_of(where: str) -> tuple[str, str]:
    """Return the folder of a server's socket, and the name of a database there."""
    return where.split("host=")[1].split("&")[0], where.split("/")[3].split("?")[0]


@contextmanager
def away(where: str) -> Iterator[None]:
    """Cut a database off from everybody for a while."""
    server, name = place_of(where)
    with administrator(server) as admin:
        admin.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false".encode())
        admin.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name]
        )
        yield
        admin.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true".encode())


def located(text: str) -> Location:
    location = parse_location(text)
    assert location
    return location


def begin(command: list[str], folder: Path, where: str) -> subprocess.Popen[str]:
    """Start a program that keeps its diagrams in a folder and its counts in a store."""
    places = {"SATCAL_CACHE": f"{folder}/cache", "SATCAL_STORE": where}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, env=os.environ | places, start_new_session=True, **pipes)


def grid(width: int) -> str:
    """Return a board of a row of labels and a row of others, for dominoes and trominoes."""
    labels = [f"d{n}" for n in range(width)]
    dominoes = (2 * width - 1 - 3 * 3) // 2
    listed = ", ".join(f'"{label}"' for label in labels)
    return (
        f'name = "grid"\nboard = """\n{" ".join(labels)}\n{" ".join("*" * width)}\n"""\n'
        f"[categories]\nday = [{listed}]\n[pieces]\n"
        f'I = {{ shape = "##", copies = {dominoes} }}\nV = {{ shape = "##\\n#.", copies = 3 }}\n'
    )
