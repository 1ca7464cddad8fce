"""What a store is checked for before anything in it is believed."""

from __future__ import annotations

import datetime
import os
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Column, Integer, MetaData, Table, inspect
from stored import DIGEST, NOON, SAT, believed, located, new_schema, on_server, user_of

from satcal.errors import (
    Missing,
    OptionError,
    StoreDamaged,
    StoreError,
    StoreForeign,
    StoreReadOnly,
    StoreTooNew,
    StoreUnavailable,
)
from satcal.store import opening, schema
from satcal.store.checking import check
from satcal.store.evidence import evidence
from satcal.store.jobs import Jobs
from satcal.store.location import is_local, parse_location
from satcal.store.results import Store

OLD = (Path(__file__).parent / "data" / "36861a2.sql").read_text()


def filled(file: Path) -> Path:
    with Store(located(file)) as store:
        store.record(DIGEST, "daily", "", SAT, {f"{n} Oct": n for n in range(200)})
    return file


def changed(file: Path, statements: str) -> Path:
    """Change a file as another program would."""
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(statements)
    return file


def cut_to(file: Path, left: float) -> None:
    """Cut off a file after a part of its bytes."""
    os.truncate(filled(file), int(left * file.stat().st_size))


def shape(store: Store) -> list[list[str]]:
    """Return the columns and the constraints of all tables of a store."""
    seen = inspect(store.engine)
    parts = (
        seen.get_multi_columns(),
        seen.get_multi_foreign_keys(),
        seen.get_multi_unique_constraints(),
    )
    return [
        sorted(f"{table}: {each | {'nullable': None}}" for table in part for each in part[table])
        for part in parts
    ]


def test_a_store_of_satcal_36861a2_is_read_and_gets_the_schema_of_today(file):
    changed(file, OLD)
    with Store(located(file)) as store, Store(located(f"{file}.new")) as new:
        rows = [(row.reveal, row.conditions, row.tilings, row.times) for row in store.rows()]
        assert rows == [
            ("1 Dec", "", 26, 1),
            ("6 Oct", "", 7, 2),
            ("6 Oct", "##x2@r1c0", 10**20, 1),
        ]
        assert [each.tilings for each in evidence(store)[0]] == [7]
        jobs = Jobs(store)
        assert [(job.id, job.result) for job in jobs.all()] == [("done", {"tilings": 7})]
        assert (jobs.file("done"), jobs.definition("own")) == (b"file", 'name = "own"')
        assert check(store).sound
        assert shape(store) == shape(new)


def test_an_older_store_on_a_server_is_brought_up_to_date(server):
    where = new_schema(server)
    with Store(located(where)) as store, store.writing() as connection:
        connection.exec_driver_sql("ALTER TABLE satcal_posted DROP COLUMN owner")
        connection.exec_driver_sql("DELETE FROM satcal_migration WHERE name LIKE '5%%'")
    with Store(located(where)) as store:
        Jobs(store).post("id", "text", "owner", 4)
        assert Jobs(store).definition("id") == "text"


def test_a_migration_that_fails_leaves_no_trace(where, monkeypatch):
    Store(located(where)).close()
    half = Table("satcal_half", MetaData(), Column("n", Integer))
    monkeypatch.setitem(schema.STEPS, "9 half", [half, schema.puzzle])  # which is there already
    with pytest.raises(StoreError):
        Store(located(where))
    monkeypatch.undo()
    with Store(located(where)) as store, store.reading() as connection:
        assert not inspect(connection).has_table("satcal_half")
        assert schema.applied(connection) == sorted(schema.STEPS)


def test_a_newer_schema_is_refused_and_left_alone(where):
    with Store(located(where)) as store, store.writing() as connection:
        connection.execute(schema.migration.insert().values(name="9 of the future", applied_at=""))
    with pytest.raises(StoreTooNew, match=r"newer satcal .*'9 of the future'.*upgrade satcal"):
        Store(located(where))


@pytest.mark.parametrize("local", [True, False])
def test_a_file_is_durable_and_uses_wal_where_no_other_machine_sees_it(file, monkeypatch, local):
    monkeypatch.setattr(opening, "is_local", lambda path: local)
    with Store(located(file)) as store, store.reading() as connection:
        asked = ("journal_mode", "synchronous", "foreign_keys", "application_id")
        answers = [connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in asked]
    assert answers == ["wal" if local else "delete", 2, 1, schema.APPLICATION_ID]


def test_network_file_systems_are_told_from_disks(tmp_path):
    mounts = tmp_path / "mounts"
    mounts.write_text("a / ext4 rw 0 0\nb:/x /home/my\\040own nfs4 rw 0 0\nc /home/disk xfs rw 0 0")
    assert is_local(Path("/home/disk/store"), mounts)
    assert not is_local(Path("/home/my own/store"), mounts)
    assert is_local(Path("/home/disk/store"), tmp_path / "nowhere")


REFUSED: dict[str, tuple[Callable[[Path], object], type[StoreError], str]] = {
    "a text": (lambda file: file.write_text("my diary"), StoreForeign, "is no store of satcal"),
    "a folder": (Path.mkdir, StoreForeign, "not a file"),
    "a database": (
        lambda file: changed(file, "CREATE TABLE diary (line TEXT)"),
        *(StoreForeign, "a database of another program"),
    ),
    "a database with a mark": (
        lambda file: changed(file, "PRAGMA application_id = 7"),
        *(StoreForeign, "a database of another program"),
    ),
    "cut off in its head": (lambda file: cut_to(file, 0.001), StoreDamaged, "malformed"),
    "cut off": (lambda file: cut_to(file, 0.1), StoreDamaged, "malformed"),
    "cut off at its end": (lambda file: cut_to(file, 0.9), StoreDamaged, "malformed"),
    "without its migrations": (
        lambda file: changed(filled(file), "DELETE FROM satcal_migration"),
        *(StoreDamaged, "its record of migrations is incomplete"),
    ),
    "of a later schema": (
        lambda file: changed(filled(file), "PRAGMA user_version = 99"),
        *(StoreTooNew, "schema 99"),
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_a_file_that_is_no_whole_store_is_refused_and_left_as_it_is(file, what):
    make, kind, reason = REFUSED[what]
    make(file)
    before = file.read_bytes() if file.is_file() else b""
    with pytest.raises(kind, match=reason):
        Store(located(file))
    assert (file.read_bytes() if file.is_file() else b"") == before


def test_only_an_empty_file_or_a_new_one_in_a_folder_that_is_there_becomes_a_store(file):
    with pytest.raises(StoreUnavailable, match=f"there is no folder {file}"):
        Store(located(file / "store.sqlite"))
    assert not file.exists()  # a misspelt folder is not made
    file.touch()
    assert len(believed(filled(file))) == 200
    with pytest.raises(StoreUnavailable, match="--store none"):
        Store(located(file / "store.sqlite"))


def test_a_server_that_is_not_there_is_said_without_the_password(tmp_path):
    with pytest.raises(StoreUnavailable) as caught:
        Store(located(f"postgresql://me:secret@/nothing?host={tmp_path}"))
    assert "secret" not in str(caught.value)


def test_a_missing_driver_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(Missing, match=r"pip install 'satcal\[postgres\]'"):
        Store(located("postgresql://h/d"))


def test_a_database_that_only_reads_says_so(server):
    where = new_schema(server)
    Store(located(where)).close()
    _, user = user_of(where)
    with on_server(server) as administrator:
        only_reads = f"ALTER ROLE {user} SET default_transaction_read_only = on"
        administrator.execute(only_reads.encode())
    with Store(located(where)) as store, pytest.raises(StoreReadOnly, match="cannot be written"):
        store.record(DIGEST, "daily", "", SAT, {"6 Oct": 7})


def test_no_patience_is_not_endless_patience(server):
    where = new_schema(server).replace("timeout=5", "timeout=0")
    with Store(located(where)) as store, store.reading() as connection:
        assert connection.exec_driver_sql("SHOW lock_timeout").scalar() == "1ms"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("sqlite:///b.sqlite?timeout=2", "b.sqlite"),
        ("postgres://me:p/w@h:1/d", "postgresql+psycopg://me:***@h:1/d"),
        ("postgresql+psycopg://h/d?timeout=1&sslmode=require", "postgresql+psycopg://h/d"),
        ("postgresql://me@[::1]:5432/d", "postgresql+psycopg://me@[::1]:5432/d"),
    ],
)
def test_a_store_is_named_by_a_file_or_a_url(text, shown):
    assert str(parse_location(text)) == shown


NO_URL = ": no URL of a database; write it as postgresql+psycopg://USER@HOST:PORT/DATABASE, and "
NO_SECONDS = " is no number of seconds from 0 to 1,000,000"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("postgresql://me:secret@[::1/db", "--store postgresql://me:***@[::1/db" + NO_URL),
        ("postgresql://me:secret@h:abc/db", "--store postgresql://me:***@h:abc/db" + NO_URL),
        ("postgresql://me:secret@h/d?timeout=inf", "me:***@h/d: timeout=inf" + NO_SECONDS),
        ("postgresql://h/d?timeout=1e9", "timeout=1e9" + NO_SECONDS),
        ("sqlite:///x?timeout=soon", "--store sqlite:///x: timeout=soon" + NO_SECONDS),
        ("sqlite://me:secret@h/x", "--store sqlite://me:***@h/x: write the file as sqlite:///FILE"),
        ("sqlite:///:memory:", "--store sqlite:///:memory:: write the file as sqlite:///FILE"),
        ("~nobody-of-this-name/x", "--store ~nobody-of-this-name/x: there is no such user"),
    ],
)
def test_what_names_no_store_is_refused_without_its_password(text, message):
    with pytest.raises(OptionError) as caught:
        parse_location(text)
    assert message in str(caught.value)
    assert "secret" not in str(caught.value)


def test_timestamps_are_only_shown_so_that_a_clock_may_go_backwards(where):
    times = iter([NOON - datetime.timedelta(days=n * 400) for n in range(20)])
    with Store(located(where), lambda: next(times)) as store:
        for reveal, tilings in (("6 Oct", 7), ("1 Dec", 26), ("6 Oct", 7)):
            store.record(DIGEST, "daily", "", SAT, {reveal: tilings})
    rows = [(row.reveal, row.tilings, row.times) for row in believed(where)]
    assert rows == [("1 Dec", 26, 1), ("6 Oct", 7, 2)]
