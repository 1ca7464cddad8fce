"""What a store is checked for before anything in it is believed."""

from __future__ import annotations

import datetime
import os
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest
from programs import bound_by_permissions
from sqlalchemy import Column, Integer, MetaData, Table, inspect
from stored import NOON, SATCAL, located, new_database

from satcal.errors import (
    Missing,
    OptionError,
    StoreDamaged,
    StoreError,
    StoreForeign,
    StoreTooNew,
    StoreUnavailable,
)
from satcal.store import opening, schema
from satcal.store.checking import check
from satcal.store.evidence import evidence
from satcal.store.jobs import Jobs
from satcal.store.keys import Method
from satcal.store.location import is_local, parse_location
from satcal.store.results import Store

DATA = Path(__file__).parent / "data"
SAT = Method("sat", "ladder", "cadical195", "lemmas=auto", "satcal 1")


def filled(file: Path, rows: int = 2000) -> Path:
    with Store(located(str(file)), lambda: NOON) as store:
        store.record("ab" * 32, "daily", "", SAT, {f"{n} Oct": n for n in range(rows)})
    return file


def test_the_migrations_make_the_tables_that_the_code_knows(store: Store) -> None:
    with store.reading() as connection:
        seen = inspect(connection)
        for table in schema.METADATA.tables.values():
            columns = [column["name"] for column in seen.get_columns(table.name)]
            assert columns == [column.name for column in table.columns], table.name
        assert schema.applied(connection) == sorted(schema.STEPS)
        times = connection.execute(schema.migration.select()).fetchall()
    assert {row.applied_at for row in times} == {NOON.isoformat()}


def test_a_migration_that_fails_leaves_no_trace(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    Store(located(where)).close()
    half = Table("satcal_half", MetaData(), Column("n", Integer))
    monkeypatch.setitem(schema.STEPS, "9 half", [half, schema.puzzle])  # which is there already
    with pytest.raises(StoreError):
        Store(located(where))
    monkeypatch.undo()
    with Store(located(where)) as store, store.reading() as connection:
        assert not inspect(connection).has_table("satcal_half")
        assert schema.applied(connection) == sorted(schema.STEPS)


def test_a_newer_schema_is_refused_and_left_alone(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(schema.STEPS, "9 of the future", [])
    Store(located(where)).close()
    monkeypatch.undo()
    with pytest.raises(StoreTooNew, match=r"newer satcal .*'9 of the future'.*upgrade satcal"):
        Store(located(where))


def test_a_newer_version_number_alone_is_refused_too(file: Path) -> None:
    filled(file, 1)
    with sqlite3.connect(file) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(StoreTooNew, match="schema 99"):
        Store(located(str(file)))


def test_an_older_store_on_a_server_is_brought_up_to_date(server: str) -> None:
    where = new_database(server)
    with Store(located(where)) as store:
        store.record("ab" * 32, "daily", "", SAT, {"6 Oct": 7})
        with store.writing() as connection:
            connection.exec_driver_sql("ALTER TABLE satcal_posted DROP COLUMN owner")
            connection.exec_driver_sql("DELETE FROM satcal_migration WHERE name LIKE '5%%'")
    with Store(located(where)) as store:
        Jobs(store).post("id", "text", "owner", 4)
        assert Jobs(store).definition("id") == "text"
        assert store.recall("ab" * 32, "", SAT) == {"6 Oct": [7]}


@pytest.fixture
def old(file: Path) -> Path:
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript((DATA / "36861a2.sql").read_text())
    return file


def test_a_store_of_satcal_36861a2_is_read_and_gets_the_schema_of_today(
    old: Path, tmp_path: Path
) -> None:
    with Store(located(str(old))) as store, Store(located(str(tmp_path / "new"))) as new:
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
        store.record("ab" * 32, "daily", "", SAT, {"6 Oct": 7})
        assert shape(store) == shape(new)


def shape(store: Store) -> dict[str, object]:
    """Return the columns and the constraints of each table of a store."""
    with store.reading() as connection:
        seen = inspect(connection)
        return {
            name: (
                [(column["name"], str(column["type"]), column["default"], column["primary_key"])
                 for column in seen.get_columns(name)],
                [key["column_names"] for key in seen.get_unique_constraints(name)],
                sorted((key["constrained_columns"], key["referred_columns"])
                       for key in seen.get_foreign_keys(name)),
            )
            for name in seen.get_table_names()
        }  # fmt: skip


def test_a_store_of_satcal_36861a2_with_a_damaged_schema_is_rescued(old: Path) -> None:
    old.write_bytes(old.read_bytes().replace(b"versions TEXT", b"ver\xf8ions TEXT"))
    with pytest.raises(StoreDamaged):
        Store(located(str(old)))
    with Store(located(str(old)), rescue=True) as store:
        assert len(store.rows()) == 3
        assert len(evidence(store)[0]) == len(Jobs(store).all()) == 1


def test_a_file_on_a_local_disk_uses_wal_full_synchronisation_and_foreign_keys(file: Path) -> None:
    with Store(located(str(file))) as store, store.reading() as connection:
        asked = ("journal_mode", "synchronous", "foreign_keys", "application_id")
        found = [connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in asked]
    assert found == ["wal", 2, 1, schema.APPLICATION_ID]


def test_no_wal_where_other_machines_see_the_file(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "is_local", lambda path: False)
    with Store(located(str(file))) as store, store.reading() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "delete"


def test_network_file_systems_are_told_from_disks(tmp_path: Path) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text("a / ext4 rw 0 0\nb:/x /home/my\\040own nfs4 rw 0 0\nc /home/disk xfs rw 0 0")
    assert is_local(Path("/home/disk/store"), mounts)
    assert not is_local(Path("/home/my own/store"), mounts)
    assert is_local(Path("/home/disk/store"), tmp_path / "nowhere")


def test_bytes_overwritten_in_the_middle_are_never_believed(file: Path) -> None:
    filled(file)
    before = file.read_bytes()
    refused = 0
    for start in range(4096, len(before), len(before) // 24):
        file.write_bytes(before[:start] + b"\xa5" * 64 + before[start + 64 :])
        try:
            with Store(located(str(file))) as store:
                found = store.recall("ab" * 32, "", SAT)
                # overwritten free space or an index: what is recalled is true
                assert all(numbers == [int(key.split()[0])] for key, numbers in found.items())
        except StoreDamaged as error:
            refused += 1
            assert str(file) in str(error)
            assert "satcal store export" in str(error)
    assert refused


def test_a_single_changed_digit_is_found_by_recall_and_by_the_check(file: Path) -> None:
    filled(file, 50)
    # in the table and in its index, so that the database itself sees nothing wrong
    file.write_bytes(file.read_bytes().replace(b"49 Oct", b"94 Oct"))
    with Store(located(str(file))) as store:
        with pytest.raises(StoreDamaged, match="broken seal"):
            store.recall("ab" * 32, "", SAT)
        assert not check(store).sound


@pytest.mark.parametrize("left", [50, 5000, 0.5, 0.99])
def test_a_file_that_was_cut_off_is_refused(file: Path, left: float) -> None:
    filled(file)
    size = file.stat().st_size
    os.truncate(file, int(left * size) if left < 1 else int(left))
    with pytest.raises(StoreDamaged, match="cut off"):
        Store(located(str(file)))


@pytest.mark.parametrize("what", ["text", "database", "folder", "stranger"])
def test_what_is_no_store_is_refused_and_left_as_it_is(file: Path, what: str) -> None:
    if what == "text":
        file.write_text("my diary, and nobody else's")
    elif what == "folder":
        file.mkdir()
    else:
        with sqlite3.connect(file) as connection:
            connection.execute("CREATE TABLE diary (line TEXT)")
            if what == "stranger":
                connection.execute("PRAGMA application_id = 7")
        connection.close()
    before = file.read_bytes() if file.is_file() else b""
    with pytest.raises(StoreForeign) as caught:
        Store(located(str(file)))
    assert caught.value.exit_code == 2
    assert (file.read_bytes() if file.is_file() else b"") == before


def test_a_store_without_its_record_of_migrations_is_damaged(file: Path) -> None:
    filled(file, 1)
    with sqlite3.connect(file) as connection:
        connection.execute("DELETE FROM satcal_migration")
    connection.close()
    with pytest.raises(StoreDamaged, match="record of migrations"):
        Store(located(str(file)))


def test_an_empty_file_becomes_a_store(file: Path) -> None:
    file.touch()
    filled(file, 1)


def test_a_folder_that_is_a_file_cannot_hold_a_store(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("")
    with pytest.raises(StoreUnavailable, match="--store none"):
        Store(located(str(tmp_path / "f" / "store.sqlite")))


def test_a_server_that_is_not_there_is_said_without_the_password(tmp_path: Path) -> None:
    text = f"postgresql://me:secret@/nothing?host={tmp_path}"
    with pytest.raises(StoreUnavailable) as caught:
        Store(located(text))
    assert "secret" not in str(caught.value)
    assert caught.value.exit_code == 3


def test_a_missing_driver_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object, **__: object) -> None:
        raise ModuleNotFoundError("psycopg")

    monkeypatch.setattr(opening, "create_engine", missing)
    with pytest.raises(Missing, match=r"pip install 'satcal\[postgres\]'"):
        Store(located("postgresql://h/d"))


def test_a_database_that_only_reads_says_so(server: str) -> None:
    where = new_database(server)
    Store(located(where)).close()
    name = where.split("/")[3].split("?")[0]
    with psycopg.connect(host=server, user="satcal", dbname="postgres", autocommit=True) as admin:
        admin.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on".encode())
    with Store(located(where)) as store, pytest.raises(StoreError, match="cannot be written"):
        store.record("ab" * 32, "daily", "", SAT, {"6 Oct": 7})


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("/a/b.sqlite", "/a/b.sqlite"),
        ("sqlite:///b.sqlite?timeout=2", "b.sqlite"),
        ("sqlite:////a/b.sqlite", "/a/b.sqlite"),
        ("postgres://me:pw@h:1/d", "postgresql+psycopg://me:***@h:1/d"),
        ("postgresql+psycopg://h/d?timeout=1&sslmode=require", "postgresql+psycopg://h/d"),
        ("postgresql://me:p/w@h:1/d", "postgresql+psycopg://me:***@h:1/d"),
        ("postgresql://me@[::1]:5432/d", "postgresql+psycopg://me@[::1]:5432/d"),
    ],
)
def test_a_store_is_named_by_a_file_or_a_url(text: str, shown: str) -> None:
    assert str(parse_location(text)) == shown


def test_no_name_is_a_file_in_the_data_directory_and_none_is_no_store(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert parse_location(None).path == tmp_path / "satcal" / "store.sqlite"
    assert parse_location("none") is None


@pytest.mark.parametrize(
    "text", ["mysql://h/d", "sqlite://", "sqlite:///:memory:", "sqlite:///x?timeout=soon"]
)
def test_other_names_are_refused(text: str) -> None:
    with pytest.raises(OptionError):
        parse_location(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("postgresql://me:secret@[::1/db", "--store postgresql://me:***@[::1/db: no URL of a "),
        ("postgresql://me:secret@h:abc/db", "--store postgresql://me:***@h:abc/db: no URL of a "),
        (
            "postgresql://me:secret@[::1]:5x/d",
            "--store postgresql://me:***@[::1]:5x/d: no URL of a ",
        ),
        ("postgresql://me:se[cret@h/db", "postgresql+psycopg://USER@HOST:PORT/DATABASE, and "),
        ("postgresql://me:secret@h/d?timeout=inf", "--store postgresql://me:***@h/d: timeout=inf "),
        ("postgresql://h/d?timeout=nan", "timeout=nan is no number of seconds from 0 to 1,000,000"),
        ("postgresql://h/d?timeout=1e9", "timeout=1e9 is no number of seconds"),
        ("sqlite:///x?timeout=inf", "--store sqlite:///x: timeout=inf is no number of seconds"),
        ("sqlite:///x?timeout=-1", "--store sqlite:///x: timeout=-1 is no number of seconds"),
        ("sqlite://me:secret@h/x", "--store sqlite://me:***@h/x: write the file as sqlite:///FILE"),
        ("~nobody-of-this-name/x", "--store ~nobody-of-this-name/x: there is no such user"),
    ],
)
def test_a_url_that_cannot_be_is_refused_without_its_password(
    satcal: Callable[..., Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    text: str,
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    said = satcal("store", "info", "--store", text)
    assert (said.code, said.out) == (2, "")
    assert message in said.err
    assert "secret" not in said.err
    assert "se[cret" not in said.err


def test_no_patience_is_not_endless_patience(server: str) -> None:
    where = new_database(server).replace("timeout=5", "timeout=0")
    with Store(located(where)) as store, store.reading() as connection:
        assert connection.exec_driver_sql("SHOW lock_timeout").scalar() == "1ms"


def test_timestamps_are_only_shown_so_that_a_clock_may_go_backwards(where: str) -> None:
    times = iter([NOON - datetime.timedelta(days=n * 400) for n in range(20)])
    with Store(located(where), lambda: next(times)) as store:
        store.record("ab" * 32, "daily", "", SAT, {"6 Oct": 7})
        store.record("ab" * 32, "daily", "", SAT, {"1 Dec": 26})
        store.record("ab" * 32, "daily", "", SAT, {"6 Oct": 7})
        assert store.recall("ab" * 32, "", SAT) == {"6 Oct": [7], "1 Dec": [26]}
        assert [row.times for row in store.rows()] == [1, 2]
        assert check(store).sound


def test_a_store_that_can_only_be_read_is_read(file: Path) -> None:
    """Without the capability to ignore permissions, which root has."""
    filled(file, 3)
    file.chmod(0o444)
    file.parent.chmod(0o555)
    try:
        said = subprocess.run(
            [*bound_by_permissions(), *SATCAL, "store", "info", "--store", str(file)],
            capture_output=True, text=True, check=False, timeout=60,
        )  # fmt: skip
    finally:
        file.parent.chmod(0o755)
    assert said.returncode == 0, said.stderr
    assert "(read-only)" in said.stdout
    assert "results: 3" in said.stdout
