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
from stored import DIGEST, SAT, SATCAL, away, grid, located, new_database, place_of

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
from satcal.store.faults import explained
from satcal.store.results import Store
from satcal.store.resuming import Keeper

BY_SAT = Settings(method="sat")
ALL = [("a",), ("b",), ("c",)]


def call(*arguments: str, prefix: tuple[str, ...] = (), **rest: object):
    command = [*prefix, *SATCAL, *arguments]
    rest |= {"capture_output": True, "text": True, "timeout": 120}
    return subprocess.run(command, check=False, **rest)


def counted(out: str) -> list[str]:
    return [line.split(",")[2] for line in out.splitlines()[1:]]


def sound_rows(where: object) -> list[str]:
    """Return the reveals in a store without any damage or contradiction."""
    with Store(located(str(where))) as store:
        assert check(store).sound
        return [row.reveal for row in store.rows()]


@pytest.fixture
def small_disk(tmp_path: Path):
    """A file system of one megabyte."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("needs the right to mount")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def test_a_full_disk_loses_nothing_that_was_stored(small_disk: Path) -> None:
    accepted, file = 0, small_disk / "store.sqlite"
    with Store(located(str(file))) as store, suppress(StoreFull):
        while accepted < 1000:
            store.record(DIGEST, "daily", "", SAT, {f"{accepted} {'x' * 4000}": accepted})
            accepted += 1
    assert 10 < accepted < 1000
    assert len(sound_rows(file)) == accepted


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
    stored = len(sound_rows(file))
    assert 0 < stored < 12
    again = call(*arguments)
    assert again.returncode == 0
    assert f"sat: {stored} of 12 taken from the store" in again.stderr
    assert again.stdout == said.stdout
    assert all(counted(said.stdout))
    assert len(sound_rows(file)) == 12


def test_without_room_for_a_log_a_store_is_read_all_the_same(
    satcal, small: Path, small_disk: Path
) -> None:
    file = small_disk / "store.sqlite"
    arguments = ("count", "-b", str(small), "--method", "sat", "--store", str(file))
    assert satcal(*arguments, "--reveal", "a").code == 0
    with open(small_disk / "other", "wb", buffering=0) as other:
        with suppress(OSError):
            while True:
                other.write(b"x" * 4096)
        other.truncate(other.tell() - 8192)
    assert "results: 1\n" in satcal("store", "info", "--store", str(file)).out
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
    assert (said.returncode, counted(said.stdout)) == (3, ["4", "4", "4"]), said.stderr
    assert "sat: 1 of 3 taken from the store" in said.stderr
    assert "it cannot be written; make it writable, or choose another one" in said.stderr
    assert (info.returncode, " (read-only)\n" in info.stdout) == (0, True)


def hold_lock(where: str) -> Callable[[], None]:
    """Take a real lock on a store from another connection; return what lets it go."""
    if "://" in where:
        server, name = place_of(where)
        other = psycopg.connect(host=server, user="satcal", dbname=name)
        other.execute("LOCK TABLE satcal_result IN ACCESS EXCLUSIVE MODE")
        return other.close
    locked = sqlite3.connect(where, isolation_level=None, check_same_thread=False)
    locked.execute("BEGIN EXCLUSIVE")
    return locked.close


def impatient(where: str) -> str:
    if "://" in where:
        return where.replace("timeout=5", "timeout=0.1")
    return f"sqlite:///{where}?timeout=0.1"


def test_a_lock_that_stays_is_said_and_the_count_goes_on(small: Path, where: str, capsys) -> None:
    Store(located(where)).close()
    puzzle, keeper = load(str(small)), Keeper(located(impatient(where)))
    assert keeper.recall(puzzle, ALL, BY_SAT) == {}
    keeper.record(puzzle, BY_SAT, {("a",): 4})
    release = hold_lock(where)
    keeper.record(puzzle, BY_SAT, {("b",): 4})
    keeper.record(puzzle, BY_SAT, {("c",): 4})
    release()
    assert keeper.finish() == 3
    keeper.close()
    said = capsys.readouterr().err
    assert said.count("another process holds its lock; run the same command again") == 1
    assert sound_rows(where) == ["a"]


def test_a_lock_that_is_let_go_in_time_is_only_a_wait(where: str) -> None:
    with Store(located(where)) as store:
        timer = threading.Timer(0.3, hold_lock(where))
        timer.start()
        begun = time.monotonic()
        store.record(DIGEST, "daily", "", SAT, {"b": 2})
        assert time.monotonic() - begun > 0.2
        timer.join()
        assert len(store.rows()) == 1


def test_a_locked_store_refuses_a_run_that_needs_it_before_it_counts(satcal, small, file) -> None:
    Store(located(str(file))).close()
    release = hold_lock(str(file))
    arguments = ("count", "-b", str(small), "--all-reveals", "--store", impatient(str(file)))
    said, sample = satcal(*arguments, "--method", "sat"), satcal(*arguments)
    release()
    assert (said.code, said.out) == (3, "")
    assert "another process holds its lock" in said.err
    # by the diagram, a store only saves the sample that is counted again
    assert (sample.code, counted(sample.out)) == (0, ["4", "4", "4"])
    assert "nothing more is stored; counting goes on" in sample.err


def test_a_damaged_store_refuses_a_run_with_the_way_out(satcal, small: Path, file: Path) -> None:
    diagram = ("count", "-b", str(small), "--all-reveals", "--store", str(file))
    sat, store = (*diagram, "--method", "sat"), ("--store", str(file))
    assert satcal(*sat).code == 0
    # another number for c, in the table and in its index
    row, data = load(str(small)).digest.encode() + b"c4", file.read_bytes()
    assert data.count(row) == 2
    damaged = data.replace(row, row[:-1] + b"9")
    file.write_bytes(damaged)
    for command in (sat, (*sat, "--fresh"), (*diagram, "--method", "search")):
        said = satcal(*command)
        assert (said.code, said.out) == (3, "")
        assert said.err.count("it is damaged; `satcal store check` says where") == 1
    sample = satcal(*diagram)
    assert (sample.code, counted(sample.out)) == (0, ["4", "4", "4"])
    assert sample.err.count("it is damaged") == 1
    assert file.read_bytes() == damaged  # nothing is written on top of damage
    checked = satcal("store", "check", *store)
    assert (checked.code, "1 row with a broken seal" in checked.err) == (3, True)
    saved = satcal("store", "export", *store)
    assert (saved.code, len(saved.out.splitlines())) == (3, 1 + 2)
    assert "1 row with a broken seal left out" in saved.err
    assert satcal("store", "prune", "--damaged", *store).code == 0
    assert satcal(*sat).code == 0


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
    for _ in range(80):
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


def test_a_store_that_is_damaged_while_counting_costs_no_table(
    small: Path, file: Path, capsys
) -> None:
    puzzle, keeper = load(str(small)), Keeper(located(str(file)))
    keeper.recall(puzzle, ALL, BY_SAT)
    file.write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)
    keeper.record(puzzle, BY_SAT, {("a",): 4})
    keeper.record(puzzle, BY_SAT, {("b",): 4})
    assert keeper.recall(puzzle, ALL, BY_SAT) == {}
    assert capsys.readouterr().err.count("it is damaged") == 1
    assert keeper.finish() == 3


@pytest.mark.parametrize("back", [False, True], ids=["gone", "restarted"])
def test_a_server_that_goes_away_costs_no_table_and_gets_what_waited_when_it_is_back(
    small: Path, server: str, monkeypatch: pytest.MonkeyPatch, capsys, back: bool
) -> None:
    monkeypatch.setattr(resuming, "PAUSES", (0.01, 0.02))
    where = new_database(server)
    puzzle, keeper = load(str(small)), Keeper(located(where))
    keeper.recall(puzzle, ALL, BY_SAT)
    keeper.record(puzzle, BY_SAT, {("a",): 4})
    with away(where):
        keeper.record(puzzle, BY_SAT, {("b",): 4})
        keeper.record(puzzle, BY_SAT, {("c",): 4})
        if not back:
            assert keeper.finish() == 3
    assert keeper.finish() == (0 if back else 3)
    keeper.close()
    trouble, waiting, end = capsys.readouterr().err.splitlines()
    assert "cannot be opened or reached" in trouble
    assert waiting == "counting goes on; what is finished waits to be stored"
    lost = "2 finished counts are not stored: run the same command again later"
    assert end == ("the store is back: what waited is stored" if back else lost)
    assert sound_rows(where) == (["a", "b", "c"] if back else ["a"])


def test_trouble_at_the_start_ends_a_run_only_if_it_needs_the_store(small, file, capsys) -> None:
    file.write_text("something else")
    puzzle, location = load(str(small)), located(str(file))
    with pytest.raises(StoreForeign):
        Keeper(location).recall(puzzle, ALL, BY_SAT)
    sampling = Keeper(location, required=False)
    assert sampling.recall(puzzle, ALL, BY_SAT) == {}
    sampling.record(puzzle, BY_SAT, {("a",): 4})
    assert capsys.readouterr().err.count("this file is no store of satcal") == 1
    assert sampling.finish() == 0


STATES = {"53100": StoreFull, "25006": StoreReadOnly, "55P03": StoreLocked, "XX001": StoreDamaged}


@pytest.mark.parametrize(("state", "kind"), [*STATES.items(), (None, StoreUnavailable)])
def test_every_complaint_of_a_database_becomes_an_error_of_ours(state, kind) -> None:
    complaint = sqlite3.OperationalError("first line\nsecond line")
    complaint.sqlstate = state  # type: ignore[attr-defined]
    with pytest.raises(kind, match=r"^store here: .*\(first line\)$"), explained("here"):
        raise complaint
