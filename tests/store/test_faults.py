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
from stored import SATCAL, grid, located, new_database

from satcal.counting.settings import Settings
from satcal.errors import (
    StoreDamaged,
    StoreForeign,
    StoreFull,
    StoreLocked,
    StoreReadOnly,
    StoreTooNew,
)
from satcal.puzzle.loading import load
from satcal.store import resuming
from satcal.store.checking import check
from satcal.store.keys import Method
from satcal.store.results import Store
from satcal.store.resuming import Keeper
from satcal.store.trouble import explain

SAT = Method("sat", "ladder", "cadical195", "lemmas=auto", "satcal 1")
DIGEST = "ab" * 32


def call(*arguments: str, prefix: tuple[str, ...] = (), **rest: object):
    return subprocess.run(
        [*prefix, *SATCAL, *arguments], capture_output=True, text=True, check=False, timeout=120,
        **rest,
    )  # fmt: skip


def counted(out: str) -> list[str]:
    return [line.split(",")[2] for line in out.splitlines()[1:]]


def fill_until(fault: type[Exception], store: Store) -> int:
    """Record until it fails as expected; return how many results were accepted."""
    for number in range(100_000):
        try:
            store.record(DIGEST, "daily", "", SAT, {f"{number} {'x' * 400}": number})
        except fault:
            return number
    raise AssertionError("it never failed")


@pytest.fixture
def small_disk(tmp_path: Path):
    """A file system of one megabyte; without the right to mount one, a limit on file sizes."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)],
        capture_output=True, check=False,
    ).returncode == 0  # fmt: skip
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    if not mounted:
        resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, before[1]))
    yield folder
    resource.setrlimit(resource.RLIMIT_FSIZE, before)
    if mounted:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def test_a_full_disk_loses_nothing_that_was_stored(small_disk: Path) -> None:
    file = small_disk / "store.sqlite"
    with Store(located(str(file))) as store:
        accepted = fill_until(StoreFull, store)
        assert accepted > 10
    with Store(located(str(file))) as store:
        assert len(store.rows()) == accepted
        assert check(store).sound


def test_a_limit_on_file_sizes_is_a_full_disk_too(file: Path) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    with Store(located(str(file))) as store:
        resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, before[1]))
        try:
            accepted = fill_until(StoreFull, store)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        store.record(DIGEST, "daily", "", SAT, {"room again": 1})
    with Store(located(str(file))) as store:
        assert len(store.rows()) == accepted + 1
        assert check(store).sound


def test_a_count_goes_on_when_the_disk_is_full_and_prints_its_table(tmp_path: Path, file: Path):
    board = tmp_path / "grid.toml"
    board.write_text(grid(12))
    Store(located(str(file))).close()

    def little_room() -> None:
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


def test_a_store_that_can_only_be_read_is_used_and_the_table_printed(
    small: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "shared"
    folder.mkdir()
    file = folder / "store.sqlite"
    arguments = ("count", "-b", str(small), "--method", "sat", "--store", str(file))
    assert call(*arguments, "--reveal", "a").returncode == 0
    drop = bound_by_permissions()
    file.chmod(0o444)
    folder.chmod(0o555)
    try:
        said = call(*arguments, "--all-reveals", prefix=drop)
        whole = call(*arguments, "--reveal", "a", prefix=drop)
    finally:
        folder.chmod(0o755)
    assert counted(said.stdout) == ["4", "4", "4"], said.stderr
    assert said.returncode == 3
    assert "sat: 1 of 3 taken from the store" in said.stderr
    assert "it cannot be written; make it writable, or choose another one" in said.stderr
    assert (whole.returncode, counted(whole.stdout)) == (0, ["4"])


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
        return where.replace("timeout=5", "timeout=0.3")
    return f"sqlite:///{where}?timeout=0.3"


def test_a_lock_that_stays_is_said_and_the_count_goes_on(small: Path, where: str) -> None:
    Store(located(where)).close()
    puzzle, settings, said = load(str(small)), Settings(method="sat"), []
    keeper = Keeper(located(impatient(where)), say=said.append)
    assert keeper.recall(puzzle, list(puzzle.reveals()), settings) == {}
    keeper.record(puzzle, settings, {("a",): 4})
    release = hold_lock(where)
    keeper.record(puzzle, settings, {("b",): 4})
    keeper.record(puzzle, settings, {("c",): 4})
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
        store.record(DIGEST, "daily", "", SAT, {"a": 1})
        release = hold_lock(where)
        timer = threading.Timer(0.7, release)
        timer.start()
        begun = time.monotonic()
        store.record(DIGEST, "daily", "", SAT, {"b": 2})
        assert time.monotonic() - begun > 0.3
        timer.join()
        assert len(store.rows()) == 2


def test_a_locked_store_refuses_a_run_that_needs_it_before_it_counts(small, file) -> None:
    Store(located(str(file))).close()
    release = hold_lock(str(file))
    where = f"sqlite:///{file}?timeout=0.2"
    try:
        said = call("count", "-b", str(small), "--all-reveals", "--method", "sat", "--store", where)
        sample = call("count", "-b", str(small), "--all-reveals", "--store", where)
    finally:
        release()
    assert (said.returncode, said.stdout) == (3, "")
    assert "another process holds its lock" in said.stderr
    # by the diagram, a store only saves the sample that is counted again
    assert (sample.returncode, counted(sample.stdout)) == (0, ["4", "4", "4"])
    assert "nothing more is stored; counting goes on" in sample.stderr


def test_a_damaged_store_refuses_a_run_with_the_way_out(small: Path, file: Path) -> None:
    arguments = ("verify", "-b", str(small), "--all-reveals", "--store", str(file))
    assert call(*arguments).returncode == 0
    damage_a_row(file, load(str(small)).digest)
    said = call(*arguments)
    assert (said.returncode, said.stdout) == (3, "")
    assert "it is damaged; `satcal store check` says where" in said.stderr
    checked = call("store", "check", "--store", str(file))
    assert checked.returncode == 3
    assert "1 row with a broken seal" in checked.stderr
    saved = call("store", "export", "--store", str(file))
    assert saved.returncode == 3
    assert len(saved.stdout.splitlines()) == 1 + 5
    assert "1 row with a broken seal left out" in saved.stderr
    assert call("store", "prune", "--damaged", "--store", str(file)).returncode == 0
    again = call(*arguments)
    assert (again.returncode, counted(again.stdout)) == (0, ["4", "4", "4"])


def test_a_store_that_is_damaged_while_counting_costs_no_table(small: Path, file: Path) -> None:
    puzzle, settings, said = load(str(small)), Settings(method="sat"), []
    keeper = Keeper(located(str(file)), say=said.append)
    keeper.recall(puzzle, list(puzzle.reveals()), settings)
    file.write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)
    keeper.record(puzzle, settings, {("a",): 4})
    keeper.record(puzzle, settings, {("b",): 4})
    assert keeper.recall(puzzle, list(puzzle.reveals()), settings) == {}
    assert len(said) == 1
    assert "it is damaged" in said[0]
    assert keeper.finish() == 3


def test_a_server_that_goes_away_costs_no_table(small: Path, server: str, monkeypatch) -> None:
    monkeypatch.setattr(resuming, "PAUSES", (0.01, 0.02))
    where = new_database(server)
    puzzle, settings, said = load(str(small)), Settings(method="sat"), []
    keeper = Keeper(located(where), say=said.append)
    keeper.recall(puzzle, list(puzzle.reveals()), settings)
    keeper.record(puzzle, settings, {("a",): 4})
    name = where.split("/")[3].split("?")[0]
    with psycopg.connect(host=server, user="satcal", dbname="postgres", autocommit=True) as admin:
        admin.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false".encode())
        admin.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name]
        )
    keeper.record(puzzle, settings, {("b",): 4})
    keeper.record(puzzle, settings, {("c",): 4})
    assert len(said) == 1
    assert "cannot be opened or reached" in said[0]
    assert keeper.finish() == 3
    assert said[1:] == ["2 finished counts are not stored: run the same command again later"]


def test_a_server_that_is_restarted_gets_what_waited(small: Path, server: str) -> None:
    where = new_database(server)
    puzzle, settings, said = load(str(small)), Settings(method="sat"), []
    keeper = Keeper(located(where), say=said.append)
    keeper.recall(puzzle, list(puzzle.reveals()), settings)
    name = where.split("/")[3].split("?")[0]
    with psycopg.connect(host=server, user="satcal", dbname="postgres", autocommit=True) as admin:
        admin.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false".encode())
        for reveal in (("a",), ("b",)):
            keeper.record(puzzle, settings, {reveal: 4})
        admin.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true".encode())
    keeper.record(puzzle, settings, {("c",): 4})
    assert keeper.finish() == 0
    keeper.close()
    assert len(said) == 2
    assert said[0].endswith("counting goes on; what is finished waits to be stored")
    assert said[1] == "the store is back: what waited is stored"
    with Store(located(where)) as store:
        assert [row.reveal for row in store.rows()] == ["a", "b", "c"]


def damage_a_row(file: Path, digest: str) -> None:
    """Change the number that was counted for c, in the table and in its index."""
    found, data = digest.encode() + b"c4", file.read_bytes()
    assert data.count(found) == 2
    file.write_bytes(data.replace(found, digest.encode() + b"c9"))


def test_counting_afresh_writes_nothing_on_top_of_damage(small: Path, file: Path) -> None:
    call_it = ("count", "-b", str(small), "--all-reveals", "--method", "sat", "--store", str(file))
    assert call(*call_it).returncode == 0
    damage_a_row(file, load(str(small)).digest)
    before = file.read_bytes()
    for extra in (("--fresh",), ("--method", "search"), ("--reveal", "a")):
        said = call(*(call_it if extra[0] != "--reveal" else call_it[:3] + call_it[4:]), *extra)
        assert (said.returncode, said.stdout) == (3, "")
        assert said.stderr.count("it is damaged; `satcal store check` says where") == 1
    sample = call("count", "-b", str(small), "--all-reveals", "--store", str(file))
    assert (sample.returncode, counted(sample.stdout)) == (0, ["4", "4", "4"])
    assert sample.stderr.count("it is damaged") == 1
    assert file.read_bytes() == before


def test_a_wrong_byte_in_the_schema_leaves_the_rows_to_be_saved(small: Path, file: Path) -> None:
    arguments = ("count", "-b", str(small), "--all-reveals", "--method", "sat")
    assert call(*arguments, "--store", str(file)).returncode == 0
    data = file.read_bytes()
    place = data.index(b"versions TEXT")
    file.write_bytes(data[: place + 2] + b"\xf8" + data[place + 3 :])
    for command in ("info", "list", "prune --damaged"):
        said = call("store", *command.split(), "--store", str(file))
        assert (said.returncode, said.stdout) == (3, "")
        assert "`satcal store export` saves what can still be read" in said.stderr
    checked = call("store", "check", "--store", str(file))
    assert checked.returncode == 3
    assert "DAMAGE the schema; rows were read by the one it must have\n" in checked.stderr
    saved = file.with_suffix(".csv")
    said = call("store", "export", "--store", str(file), "-o", str(saved))
    assert said.returncode == 3
    assert "0 rows with a broken seal left out; move the file away" in said.stderr
    anew = str(file.with_suffix(".new"))
    assert call("store", "import", str(saved), "--store", anew).stdout == "3 of 3 results are new\n"
    assert "3 of 3 taken from the store" in call(*arguments, "--store", anew).stderr


@pytest.mark.parametrize("seed", range(4))
def test_any_wrong_byte_is_an_error_of_ours_and_never_another_number(file: Path, seed: int) -> None:
    with Store(located(str(file))) as store:
        store.record(DIGEST, "daily", "", SAT, {f"{n} Oct": n for n in range(50)})
    data, generator = file.read_bytes(), random.Random(seed)
    for _ in range(60):
        place = generator.choice([generator.randrange(4096), generator.randrange(len(data))])
        wrong = bytearray(data)
        wrong[place] = generator.randrange(256)
        file.write_bytes(wrong)
        with (
            suppress(StoreDamaged, StoreForeign, StoreTooNew),
            Store(located(str(file)), rescue=True) as store,
        ):
            check(store)
            good, _ = store.examine()
            assert {row.reveal: row.tilings for row in good}.items() <= {
                f"{n} Oct": n for n in range(50)
            }.items()


def test_without_room_for_a_log_a_store_is_read_all_the_same(small: Path, small_disk: Path) -> None:
    file = small_disk / "store.sqlite"
    arguments = ("count", "-b", str(small), "--method", "sat", "--store", str(file))
    assert call(*arguments, "--reveal", "a").returncode == 0
    if small_disk.stat().st_dev == small_disk.parent.stat().st_dev:
        pytest.skip("needs the right to mount")
    with open(small_disk / "other", "wb", buffering=0) as other, suppress(OSError):
        while True:
            other.write(b"x" * 4096)
    with open(small_disk / "other", "r+b") as other:
        other.truncate(other.seek(0, 2) - 8192)
    assert "results: 1\n" in call("store", "info", "--store", str(file)).stdout
    assert call(*arguments, "--reveal", "a").returncode == 0
    said = call(*arguments, "--all-reveals")
    assert (said.returncode, counted(said.stdout)) == (3, ["4", "4", "4"])
    assert "the disk is full" in said.stderr
    assert " kB free" in said.stderr


def test_trouble_at_the_start_ends_a_run_only_if_it_needs_the_store(small, file) -> None:
    file.write_text("something else")
    puzzle, settings, said = load(str(small)), Settings(method="sat"), []
    keeper = Keeper(located(str(file)), say=said.append)
    with pytest.raises(StoreForeign):
        keeper.recall(puzzle, list(puzzle.reveals()), settings)
    sampling = Keeper(located(str(file)), say=said.append, required=False)
    assert sampling.recall(puzzle, list(puzzle.reveals()), settings) == {}
    sampling.record(puzzle, settings, {("a",): 4})
    assert len(said) == 1
    assert "this file is no store of satcal" in said[0]
    assert sampling.finish() == 0


def test_every_complaint_of_a_database_becomes_an_error_of_ours() -> None:
    class Complaint(Exception):
        def __init__(self, sqlstate: str | None) -> None:
            super().__init__("first line\nsecond line")
            self.sqlstate = sqlstate

    kinds = {
        "53100": StoreFull,
        "25006": StoreReadOnly,
        "55P03": StoreLocked,
        "XX001": StoreDamaged,
    }
    for state, kind in kinds.items():
        error = explain(Complaint(state), "here")
        assert type(error) is kind
        assert str(error).startswith("store here: ")
        assert str(error).endswith("(first line)")
    assert "--store none" in str(explain(Complaint(None), "here"))
    assert "--store none" in str(explain(sqlite3.OperationalError(), "here"))
