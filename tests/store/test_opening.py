"""What a store is checked for before anything in it is believed."""

from __future__ import annotations

import datetime
import multiprocessing
import os
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest

from helpers.stores import (
    BOTH,
    DIGEST,
    NOON,
    SAT,
    believed,
    located,
    new_schema,
    on_server,
    user_of,
)
from satcal.errors import (
    Missing,
    OptionError,
    StoreDamaged,
    StoreError,
    StoreForeign,
    StoreOtherSchema,
    StoreReadOnly,
    StoreUnavailable,
)
from satcal.store import opening, schema
from satcal.store.location import is_local, parse_location, usual_path
from satcal.store.results import Store
from satcal.store.rows import from_text

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


@pytest.mark.promise("a store of an older schema")
def test_a_named_store_of_an_older_schema_is_refused_and_its_rows_are_exported(satcal, file):
    before = changed(file, OLD).read_bytes()
    with pytest.raises(StoreOtherSchema, match=r"an older satcal .*`satcal store export` reads"):
        Store(located(file))
    exported = satcal("store", "export", "--store", str(file))
    rows = [
        (row.reveal, row.conditions, row.tilings, row.times) for row in from_text(exported.out, "x")
    ]
    assert exported.code == 0
    assert rows == [
        ("1 Dec", "", 26, 1),
        ("6 Oct", "", 7, 2),
        ("6 Oct", "##x2@r1c0", 10**20, 1),
    ]
    assert file.read_bytes() == before


@pytest.mark.promise("a store of an older schema")
def test_a_server_of_an_older_schema_is_refused(server):
    where = new_schema(server)
    with Store(located(where)) as store, store.writing() as connection:
        connection.exec_driver_sql("DROP TABLE satcal_schema")
    with pytest.raises(StoreOtherSchema, match="made by an older satcal"):
        Store(located(where))


@pytest.fixture
def usual(monkeypatch, tmp_path):
    """The file of a store that is not named."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.delenv("SATCAL_STORE", raising=False)
    path = usual_path()
    path.parent.mkdir(parents=True)
    return path


@pytest.mark.promise("a store of an older schema")
def test_a_store_that_is_not_named_is_put_aside_with_the_way_to_its_results(
    usual, satcal, small, caplog
):
    for number, name in enumerate(("store.sqlite.schema-0", "store.sqlite.schema-0-2")):
        usual.unlink(missing_ok=True)
        changed(usual, OLD + "PRAGMA journal_mode = WAL;")
        counted = satcal("count", "-b", str(small), "--reveal", "a", "--method", "sat")
        assert (counted.code, counted.out.splitlines()[1]) == (0, ",a,4,sat")
        line = caplog.messages[-1]
        assert f"renamed to {name}; to get its results back: " in line
        aside = usual.with_name(name)
        assert (
            f"`satcal store export --store {aside} -o results.csv`, then `satcal store im" in line
        )
        assert len(satcal("store", "export", "--store", str(aside)).out.splitlines()) == 1 + 3
        assert len(believed(usual)) == 1
        assert len(list(usual.parent.iterdir())) == 2 + number, "the log is in the file"


def open_together(together: Barrier) -> None:
    together.wait(120)
    with Store(located("")) as store:
        store.record(DIGEST, "daily", "", SAT, {str(os.getpid()): 7})


@pytest.mark.promise("a store of an older schema")
def test_two_processes_put_one_store_aside(usual):
    changed(usual, OLD)
    context = multiprocessing.get_context("spawn")
    together = context.Barrier(4)
    others = [context.Process(target=open_together, args=(together,)) for _ in range(3)]
    for other in others:
        other.start()
    open_together(together)
    for other in others:
        other.join(120)
        assert other.exitcode == 0
    assert len(believed(usual)) == 4
    assert usual.with_name("store.sqlite.schema-0").exists()
    assert not usual.with_name("store.sqlite.schema-0-2").exists()


@pytest.mark.promise("a schema newer than ours")
@BOTH
def test_a_newer_schema_is_refused_and_left_alone(where):
    with Store(located(where)) as store, store.writing() as connection:
        connection.execute(schema.schema.update().values(number=99))
    for rescue in (False, True):
        with pytest.raises(StoreOtherSchema, match=r"newer satcal \(schema 99\); upgrade satcal"):
            Store(located(where), rescue=rescue)


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
    "a text": (lambda file: file.write_text("my diary"), StoreForeign, "not a satcal store"),
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
}


@pytest.mark.promise("a file of another program")
@pytest.mark.promise("a damaged store")
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


@pytest.mark.promise("a database's server that is not there")
def test_a_server_that_is_not_there_is_said_without_the_password(tmp_path):
    with pytest.raises(StoreUnavailable) as caught:
        Store(located(f"postgresql://me:secret@/nothing?host={tmp_path}"))
    assert "secret" not in str(caught.value)


def test_a_missing_driver_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(Missing, match=r"pip install 'psycopg\[binary\]'"):
        Store(located("postgresql://h/d"))


@pytest.mark.promise("no room, or no right, to write")
def test_a_database_that_only_reads_says_so(server):
    where = new_schema(server)
    Store(located(where)).close()
    _, user = user_of(where)
    with on_server(server) as administrator:
        only_reads = f"ALTER ROLE {user} SET default_transaction_read_only = on"
        administrator.execute(only_reads.encode())
    with Store(located(where)) as store, pytest.raises(StoreReadOnly, match="cannot be written"):
        store.record(DIGEST, "daily", "", SAT, {"6 Oct": 7})


def test_a_server_has_ten_seconds_for_a_lock_or_what_its_address_says(server):
    where = new_schema(server)
    for url, patience in ((where.partition("&options")[0], "10s"), (where, "5s")):
        with Store(located(url)) as store, store.reading() as connection:
            assert connection.exec_driver_sql("SHOW lock_timeout").scalar() == patience


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("sqlite:///b.sqlite?timeout=2", "b.sqlite"),
        ("postgres://me:pw@h:1/d", "postgresql+psycopg://me:***@h:1/d"),
        ("postgresql+psycopg://h/d?password=secret", "postgresql+psycopg://h/d"),
        ("postgresql://me@[::1]:5432/d", "postgresql+psycopg://me@[::1]:5432/d"),
    ],
)
def test_a_store_is_named_by_a_file_or_a_url(text, shown):
    assert str(parse_location(text)) == shown


NO_URL = "--store postgresql://…: not a database's URL; write postgresql://USER@HOST:PORT/NAME"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("postgresql://me:secret@h:abc/db", NO_URL),
        ("sqlite:///x?timeout=soon", "--store sqlite://…: not a database's URL"),
        ("sqlite://me:secret@h/x", "--store sqlite://…: write the file as sqlite:///FILE"),
        ("sqlite:///:memory:", "--store sqlite://…: write the file as sqlite:///FILE"),
        ("mysql://me:secret@h/x", "--store: no database 'mysql'; use a file, sqlite:///FILE,"),
        ("~nobody-of-this-name/x", "--store ~nobody-of-this-name/x: there is no such user"),
    ],
)
def test_what_names_no_store_is_refused_without_its_password(text, message):
    with pytest.raises(OptionError) as caught:
        parse_location(text)
    assert message in str(caught.value)
    assert "secret" not in str(caught.value)


@pytest.mark.promise("a clock that goes backwards")
def test_timestamps_are_only_shown_so_that_a_clock_may_go_backwards(where):
    times = iter([NOON - datetime.timedelta(days=n * 400) for n in range(20)])
    with Store(located(where), lambda: next(times)) as store:
        for reveal, tilings in (("6 Oct", 7), ("1 Dec", 26), ("6 Oct", 7)):
            store.record(DIGEST, "daily", "", SAT, {reveal: tilings})
    rows = [(row.reveal, row.tilings, row.times) for row in believed(where)]
    assert rows == [("1 Dec", 26, 1), ("6 Oct", 7, 2)]
