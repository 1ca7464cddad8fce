"""Real faults: what is stored stays, the table is printed, and the message says what to do."""

from __future__ import annotations

import random
import resource
import sqlite3
import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest
from programs import bound_by_permissions
from stored import DIGEST, SAT, SATCAL, grid, located, new_database

from satcal.counting.settings import Settings
from satcal.errors import (
    StoreDamaged,
    StoreForeign,
    StoreFull,
    StoreLocked,
    StoreReadOnly,
    StoreTooNew,
    StoreUnavailable,
)
from satcal.puzzle.loading import load
from satcal.store import resuming
from satcal.store.checking import check
from satcal.store.faults import explain
from satcal.store.results import Store
from satcal.store.resuming import Keeper

BY_SAT = Settings(method="sat")
ALL = [("a",), ("b",), ("c",)]


def call(*arguments: str, prefix: tuple[str, ...] = (), **rest: object):
    return subprocess.run(
        [*prefix, *SATCAL, *arguments], capture_output=True, text=True, check=False, timeout=120,
        **rest,
    )  # fmt: skip


def counted(out: str) -> list[str]:
    return [line.split(",")[2] for line in out.splitlines()[1:]]


@pytest.fixture
def small_disk(tmp_path: Path):
    """A file system of one megabyte; without the right to mount one, a limit on file sizes."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)]
    mounted = subprocess.run(mount, capture_output=True, check=False).returncode == 0
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    if not mounted:
        resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, before[1]))
    yield folder
    resource.setrlimit(resource.RLIMIT_FSIZE, before)
    if mounted:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def test_a_full_disk_loses_nothing_that_was_stored(small_disk: Path) -> None:
    accepted = 0
    with Store(located(str(small_disk / "store.sqlite"))) as store, suppress(StoreFull):
        while accepted < 100_000:
            store.record(DIGEST, "daily", "", SAT, {f"{accepted} {'x' * 4000}": accepted})
            accepted += 1
    assert 10 < accepted < 100_000
    with Store(located(str(small_disk / "store.sqlite"))) as store:
        assert len(store.rows()) == accepted
        assert check(store).sound


def test_a_count_goes_on_when_the_disk_is_full_and_prints_its_table(tmp_path: Path, file: Path):
    board = tmp_path / "grid.toml"
    board.write_text(grid(12))
    Store(located(str(file))).close()

    def little_room() -> None:  # which shows as a limit on file sizes does
        resource.setrlimit(resource.RLIMIT_FSIZE, (file.stat().st_size, resource.RLIM_INFINITY))

    arguments = ("count", "-b", str(board), "--all-reveals", "--method", "sat")
    arguments = (*arguments, "--store", str(file), "--jobs", "1")
    said = call(*arguments, preexec_fn=little_room)
    assert said.returncode == 3
    assert "make room and run the same command again" in said.stderr
    assert said.stderr.count("nothing more is stored; counting goes on") == 1
    with Store(located(str(file))) as store:
        stored = len(store.rows())
        assert check(store).sound
    assert 0 < stored < 12
    again = call(*arguments)
    assert again.returncode == 0
    assert f"sat: {stored} of 12 taken from the store" in again.stderr
    assert again.stdout == said.stdout
    assert all(counted(said.stdout))
    with Store(located(str(file))) as store:
        assert [row.times for row in store.rows()] == [1] * 12


def test_without_room_for_a_log_a_store_is_read_all_the_same(
    satcal, small: Path, small_disk: Path
) -> None:
    if small_disk.stat().st_dev == small_disk.parent.stat().st_dev:
        pytest.skip("needs the right to mount")
    file = small_disk / "store.sqlite"
    arguments = ("count", "-b", str(small), "--method", "sat", "--store", str(file))
    assert satcal(*arguments, "--reveal", "a").code == 0
    with open(small_disk / "other", "wb", buffering=0) as other, suppress(OSError):
        while True:
            other.write(b"x" * 4096)
    with open(small_disk / "other", "r+b") as other:
        other.truncate(other.seek(0, 2) - 8192)
    assert "results: 1\n" in satcal("store", "info", "--store", str(file)).out
    assert satcal(*arguments, "--reveal", "a").code == 0
    said = satcal(*arguments, "--all-reveals")
    assert (said.code, counted(said.out)) == (3, ["4", "4", "4"])
    assert "the disk is full" in said.err
    assert " kB free" in said.err


def test_a_store_that_can_only_be_read_is_used_and_the_table_printed(
    satcal, small: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "shared"
    folder.mkdir()
    file = folder / "store.sqlite"
    arguments = ("count", "-b", str(small), "--method", "sat", "--store", str(file))
    assert satcal(*arguments, "--reveal", "a").code == 0
    drop = bound_by_permissions()
    file.chmod(0o444)
    folder.chmod(0o555)
    try:
        said = call(*arguments, "--all-reveals", prefix=drop)
        info = call("store", "info", "--store", str(file), prefix=drop)
    finally:
        folder.chmod(0o755)
    assert counted(said.stdout) == ["4", "4", "4"], said.stderr
    assert said.returncode == 3
    assert "sat: 1 of 3 taken from the store" in said.stderr
    assert "it cannot be written; make it writable, or choose another one" in said.stderr
    assert (info.returncode, " (read-only)\n" in info.stdout) == (0, True)


def hold_lock(where: str) -> Callable[[], None]:
    """Take a real lock on a store from another connection; return what lets it go."""
    if "://" in where:
        name, host = where.split("/")[3].split("?")[0], where.split("host=")[1].split("&")[0]
        other = psycopg.connect(host=host, user="satcal", dbname=name)
        other.execute("LOCK TABLE satcal_result IN ACCESS EXCLUSIVE MODE")
        return other.close
    locked = sqlite3.connect(where, isolation_level=None, check_same_thread=False)
    locked.execute("BEGIN EXCLUSIVE")
    return locked.close


def impatient(where: str) -> str:
    if "://" in where:
        return where.replace("timeout=5", "timeout=0.1")
    return f"sqlite:///{where}?timeout=0.1"


def test_a_lock_that_stays_is_said_and_the_count_goes_on(small: Path, where: str) -> None:
    Store(located(where)).close()
    puzzle, said = load(str(small)), []
    keeper = Keeper(located(impatient(where)), say=said.append)
    assert keeper.recall(puzzle, ALL, BY_SAT) == {}
    keeper.record(puzzle, BY_SAT, {("a",): 4})
    release = hold_lock(where)
    keeper.record(puzzle, BY_SAT, {("b",): 4})
    keeper.record(puzzle, BY_SAT, {("c",): 4})
    release()
    assert keeper.finish() == 3
    keeper.close()
    assert len(said) == 1
    assert "another process holds its lock; run the same command again" in said[0]
    with Store(located(where)) as store:
        assert [row.reveal for row in store.rows()] == ["a"]
        assert check(store).sound


def test_a_lock_that_is_let_go_in_time_is_only_a_wait(where: str) -> None:
    with Store(located(where)) as store:
        release = hold_lock(where)
        timer = threading.Timer(0.4, release)
        timer.start()
        begun = time.monotonic()
        store.record(DIGEST, "daily", "", SAT, {"b": 2})
        assert time.monotonic() - begun > 0.3
        timer.join()
        assert len(store.rows()) == 1


def test_a_locked_store_refuses_a_run_that_needs_it_before_it_counts(satcal, small, file) -> None:
    Store(located(str(file))).close()
    release = hold_lock(str(file))
    call_it = ("count", "-b", str(small), "--all-reveals", "--store", impatient(str(file)))
    try:
        said, sample = satcal(*call_it, "--method", "sat"), satcal(*call_it)
    finally:
        release()
    assert (said.code, said.out) == (3, "")
    assert "another process holds its lock" in said.err
    # by the diagram, a store only saves the sample that is counted again
    assert (sample.code, counted(sample.out)) == (0, ["4", "4", "4"])
    assert "nothing more is stored; counting goes on" in sample.err


def damage_a_row(file: Path, digest: str) -> None:
    """Change the number that was counted for c, in the table and in its index."""
    row, data = digest.encode() + b"c4", file.read_bytes()
    assert data.count(row) == 2
    file.write_bytes(data.replace(row, digest.encode() + b"c9"))


def test_a_damaged_store_refuses_a_run_with_the_way_out(satcal, small: Path, file: Path) -> None:
    call_it = ("count", "-b", str(small), "--store", str(file))
    by_sat = (*call_it, "--all-reveals", "--method", "sat")
    assert satcal(*by_sat).code == 0
    damage_a_row(file, load(str(small)).digest)
    before = file.read_bytes()
    for command in (
        by_sat,
        (*by_sat, "--fresh"),
        (*by_sat, "--method", "search"),
        (*call_it, "--method", "sat", "--reveal", "a"),
    ):
        said = satcal(*command)
        assert (said.code, said.out) == (3, "")
        assert said.err.count("it is damaged; `satcal store check` says where") == 1
    sample = satcal(*call_it, "--all-reveals")
    assert (sample.code, counted(sample.out)) == (0, ["4", "4", "4"])
    assert sample.err.count("it is damaged") == 1
    assert file.read_bytes() == before  # nothing is written on top of damage
    checked = satcal("store", "check", "--store", str(file))
    assert (checked.code, "1 row with a broken seal" in checked.err) == (3, True)
    saved = satcal("store", "export", "--store", str(file))
    assert (saved.code, len(saved.out.splitlines())) == (3, 1 + 2)
    assert "1 row with a broken seal left out" in saved.err
    assert satcal("store", "prune", "--damaged", "--store", str(file)).code == 0
    again = satcal(*by_sat)
    assert (again.code, counted(again.out)) == (0, ["4", "4", "4"])


def test_a_wrong_byte_in_the_schema_leaves_the_rows_to_be_saved(
    satcal, small: Path, file: Path
) -> None:
    arguments = ("count", "-b", str(small), "--all-reveals", "--method", "sat")
    assert satcal(*arguments, "--store", str(file)).code == 0
    file.write_bytes(file.read_bytes().replace(b"versions TEXT", b"ve\xf8sions TEXT"))
    for command in ("info", "list", "prune --damaged"):
        said = satcal("store", *command.split(), "--store", str(file))
        assert (said.code, said.out) == (3, "")
        assert "`satcal store export` saves what can still be read" in said.err
    checked = satcal("store", "check", "--store", str(file))
    assert checked.code == 3
    assert "DAMAGE the schema; rows were read by the one it must have\n" in checked.err
    saved, anew = file.with_suffix(".csv"), str(file.with_suffix(".new"))
    said = satcal("store", "export", "--store", str(file), "-o", str(saved))
    assert said.code == 3
    assert "0 rows with a broken seal left out; move the file away" in said.err
    assert satcal("store", "import", str(saved), "--store", anew).out == "3 of 3 results are new\n"
    assert "3 of 3 taken from the store" in satcal(*arguments, "--store", anew).err


def test_any_wrong_byte_is_an_error_of_ours_and_never_another_number(file: Path) -> None:
    numbers = {f"{n} Oct": n for n in range(50)}
    with Store(located(str(file))) as store:
        store.record(DIGEST, "daily", "", SAT, numbers)
    data, generator = file.read_bytes(), random.Random(0)
    for _ in range(120):
        wrong = bytearray(data)
        place = generator.choice([generator.randrange(4096), generator.randrange(len(data))])
        wrong[place] = generator.randrange(256)
        file.write_bytes(wrong)
        with (
            suppress(StoreDamaged, StoreForeign, StoreTooNew),
            Store(located(str(file)), rescue=True) as store,
        ):
            check(store)
            good, _ = store.examine()
            assert {row.reveal: row.tilings for row in good}.items() <= numbers.items()


def test_a_store_that_is_damaged_while_counting_costs_no_table(small: Path, file: Path) -> None:
    puzzle, said = load(str(small)), []
    keeper = Keeper(located(str(file)), say=said.append)
    keeper.recall(puzzle, ALL, BY_SAT)
    file.write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)
    keeper.record(puzzle, BY_SAT, {("a",): 4})
    keeper.record(puzzle, BY_SAT, {("b",): 4})
    assert keeper.recall(puzzle, ALL, BY_SAT) == {}
    assert len(said) == 1
    assert "it is damaged" in said[0]
    assert keeper.finish() == 3


@pytest.mark.parametrize("back", [False, True], ids=["gone", "restarted"])
def test_a_server_that_goes_away_costs_no_table_and_gets_what_waited_when_it_is_back(
    small: Path, server: str, monkeypatch: pytest.MonkeyPatch, back: bool
) -> None:
    monkeypatch.setattr(resuming, "PAUSES", (0.01, 0.02))
    where = new_database(server)
    puzzle, said = load(str(small)), []
    keeper = Keeper(located(where), say=said.append)
    keeper.recall(puzzle, ALL, BY_SAT)
    keeper.record(puzzle, BY_SAT, {("a",): 4})
    name = where.split("/")[3].split("?")[0]
    with psycopg.connect(host=server, user="satcal", dbname="postgres", autocommit=True) as admin:
        admin.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false".encode())
        admin.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name]
        )
        keeper.record(puzzle, BY_SAT, {("b",): 4})
        keeper.record(puzzle, BY_SAT, {("c",): 4})
        if back:
            admin.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true".encode())
    assert keeper.finish() == (0 if back else 3)
    keeper.close()
    assert "cannot be opened or reached" in said[0]
    assert said[0].endswith("counting goes on; what is finished waits to be stored")
    assert said[1:] == [
        "the store is back: what waited is stored"
        if back
        else "2 finished counts are not stored: run the same command again later"
    ]
    if back:
        with Store(located(where)) as store:
            assert [row.reveal for row in store.rows()] == ["a", "b", "c"]


def test_trouble_at_the_start_ends_a_run_only_if_it_needs_the_store(small, file) -> None:
    file.write_text("something else")
    puzzle, said = load(str(small)), []
    with pytest.raises(StoreForeign):
        Keeper(located(str(file)), say=said.append).recall(puzzle, ALL, BY_SAT)
    sampling = Keeper(located(str(file)), say=said.append, required=False)
    assert sampling.recall(puzzle, ALL, BY_SAT) == {}
    sampling.record(puzzle, BY_SAT, {("a",): 4})
    assert len(said) == 1
    assert "this file is no store of satcal" in said[0]
    assert sampling.finish() == 0


@pytest.mark.parametrize(
    ("state", "kind"),
    [
        ("53100", StoreFull),
        ("25006", StoreReadOnly),
        ("55P03", StoreLocked),
        ("XX001", StoreDamaged),
        (None, StoreUnavailable),
    ],
)
def test_every_complaint_of_a_database_becomes_an_error_of_ours(state, kind) -> None:
    complaint = sqlite3.OperationalError("first line\nsecond line")
    complaint.sqlstate = state  # type: ignore[attr-defined]
    error = explain(complaint, "here")
    assert type(error) is kind
    assert str(error).startswith("store here: ")
    assert str(error).endswith("(first line)")
