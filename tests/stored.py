"""What tests of the store share: a place for one, and PostgreSQL's programs."""

from __future__ import annotations

import datetime
import itertools
import os
import pwd
import sys

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


def new_database(server: str) -> str:
    name = f"t{os.getpid()}_{next(NUMBERS)}"
    with psycopg.connect(host=server, user="satcal", dbname="postgres", autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name}".encode())
    return f"postgresql+psycopg://satcal@/{name}?host={server}&timeout=5"


def located(text: str) -> Location:
    found = parse_location(text)
    assert found
    return found


def grid(width: int) -> str:
    """Return a board of two rows whose top row is labels, to be covered but for one by dominoes
    and trominoes."""
    labels = [f"d{n}" for n in range(width)]
    dominoes = (2 * width - 1 - 3 * 3) // 2
    listed = ", ".join(f'"{label}"' for label in labels)
    return (
        f'name = "grid"\nboard = """\n{" ".join(labels)}\n{" ".join("*" * width)}\n"""\n'
        f"[categories]\nday = [{listed}]\n[pieces]\n"
        f'I = {{ shape = "##", copies = {dominoes} }}\nV = {{ shape = "##\\n#.", copies = 3 }}\n'
    )
