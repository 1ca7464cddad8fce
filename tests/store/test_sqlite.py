"""What only a file has: damage, other contents, full disks and missing rights."""

from __future__ import annotations

import ctypes
import os
import pwd
import random
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

import pytest

from satcal.errors import (
    OptionError,
    StoreDamaged,
    StoreError,
    StoreForeign,
    StoreFull,
    StoreUnavailable,
)
from satcal.store.counts import Key
from satcal.store.jobs import JobRecord
from satcal.store.opening import open_store
from satcal.store.sqlite import SQLite

KEY = Key("ab" * 32, "", "sat 0123456789abcdef")
ROWS = 300


def truth(number: int) -> int:
    """Return the only right count of a made-up reveal; every seventh is beyond 2**63."""
    return number * 7919 % 3421 + (10**25 if number % 7 == 0 else 0)


def counts(*numbers: int) -> dict[tuple[str, ...], int]:
    """Return the counts of made-up reveals."""
    return {("day", str(number)): truth(number) for number in numbers}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return a store with some hundred rows, closed."""
    path = tmp_path / "counts.sqlite"
    with closing(open_store(path)) as store:
        store.put(KEY, counts(*range(ROWS)))
        store.save_job(JobRecord("j", '{"kind": "count"}'))
    return path


def test_each_flipped_bit_is_noticed_or_changes_nothing(file, tmp_path):
    generator, data, noticed = random.Random(1), file.read_bytes(), 0
    for number in range(40):
        path = tmp_path / f"flip{number}.sqlite"
        changed = bytearray(data)
        for _ in range(generator.choice([1, 20])):
            changed[generator.randrange(len(changed))] ^= 1 << generator.randrange(8)
        path.write_bytes(changed)
        try:
            with closing(open_store(path)) as store:
                rows = store.list_rows()
                store.put(KEY, counts(*range(ROWS - 10, ROWS + 10)))
                store.jobs()
        except StoreError:
            noticed += 1
            continue
        assert [row.tilings for row in rows] == [truth(int(r.reveal.split()[0])) for r in rows]
        assert len(rows) == ROWS
    assert noticed > 30


def test_a_damaged_file_is_refused_and_left_alone(file):
    data = bytearray(file.read_bytes())
    data[8192:9192] = bytes(1000)
    file.write_bytes(data)
    for _ in range(2):
        with pytest.raises(StoreDamaged, match="move it away"):
            open_store(file)
    assert file.read_bytes() == data


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("other.sqlite", StoreForeign),
        ("text.csv", StoreForeign),
        (".", StoreUnavailable),
        ("no/such/folder.sqlite", StoreUnavailable),
    ],
)
def test_what_is_not_a_store_is_refused_and_left_alone(tmp_path, name, kind):
    with closing(sqlite3.connect(tmp_path / "other.sqlite")) as connection:
        connection.execute("CREATE TABLE satcal_result (a)")
        connection.commit()
    (tmp_path / "text.csv").write_text("date,tilings\n")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(kind):
        open_store(tmp_path / name)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_another_databases_url_is_refused_without_its_password():
    with pytest.raises(OptionError) as raised:
        open_store("mysql://user:secret@host/counts")
    assert "secret" not in str(raised.value)


def test_a_full_disk_refuses_what_is_new_and_loses_nothing(file):
    with closing(open_store(file)) as store:
        pages = store.transact(lambda c: c.execute("PRAGMA page_count").fetchone()[0])
        store.transact(lambda c: c.execute(f"PRAGMA max_page_count = {pages}") and None)
        with pytest.raises(StoreFull):
            store.put(KEY, counts(*range(ROWS, 3 * ROWS)))
        assert len(store.list_rows()) == ROWS
        store.transact(lambda c: c.execute("PRAGMA max_page_count = 100000") and None)
        store.put(KEY, counts(*range(ROWS, 3 * ROWS)))
        assert len(store.list_rows()) == 3 * ROWS


@pytest.mark.skipif(os.geteuid() != 0, reason="changes its user")
def test_what_cannot_be_written_is_refused():
    set_user = ctypes.CDLL(None).setfsuid  # for files only, and in this thread only
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        path = Path(folder, "counts.sqlite")
        open_store(path).close()
        os.chmod(path, 0o644)
        set_user(pwd.getpwnam("nobody").pw_uid)
        try:
            for name in ("counts", "new"):
                with pytest.raises(StoreUnavailable):
                    open_store(Path(folder, f"{name}.sqlite"))
        finally:
            set_user(0)


@pytest.mark.parametrize("change", ["removed", "replaced"])
def test_a_file_that_is_not_at_its_path_any_more_takes_no_rows(file, change):
    with closing(open_store(file)) as store:
        for path in file.parent.glob(f"{file.name}*"):
            path.unlink()
        if change == "replaced":
            file.touch()
        with pytest.raises(StoreDamaged, match="removed or replaced"):
            store.put(KEY, counts(1))
        assert store.put(KEY, counts(1)) == []  # in a new file
    with closing(open_store(file)) as store:
        assert store.recall(KEY, list(counts(1, 2))) == counts(1)


def test_a_store_that_cannot_be_opened_keeps_no_descriptor(tmp_path):
    store = SQLite(tmp_path)
    before = os.listdir("/proc/self/fd")
    for _ in range(5):
        with pytest.raises(StoreUnavailable):
            store.probe()
    assert os.listdir("/proc/self/fd") == before
