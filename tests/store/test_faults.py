"""Real faults: what is stored stays, the table is printed, the message says what to do."""

from __future__ import annotations

import os
import random
import re
import resource
import signal
import sqlite3
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from looping import until
from programs import bound_by_permissions
from small import write
from sqlalchemy import update
from stored import (
    DIGEST,
    SAT,
    SATCAL,
    away,
    begin,
    believed,
    grid,
    located,
    new_schema,
    on_server,
    user_of,
)

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
from satcal.puzzle.model import Puzzle, Reveal
from satcal.store import resuming, schema
from satcal.store.checking import check
from satcal.store.faults import explained
from satcal.store.results import Store
from satcal.store.resuming import Keeper
from satcal.store.rows import StoredResult

BY_SAT = Settings(method="sat")


@pytest.fixture
def three(small):
    return load(str(small))


def counted(out: str) -> list[str]:
    return [line.split(",")[2] for line in out.splitlines()[1:]]


@pytest.fixture
def small_disk(tmp_path):
    """A file system of one megabyte."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("needs the right to mount")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def test_a_full_disk_loses_nothing_that_was_stored(small_disk):
    accepted, file = 0, small_disk / "store.sqlite"
    with Store(located(file)) as store, suppress(StoreFull):
        while accepted < 1000:
            store.record(DIGEST, "daily", "", SAT, {f"{accepted} {'x' * 4000}": accepted})
            accepted += 1
    assert 10 < len(believed(file)) == accepted < 1000


@contextmanager
def little_room(file: Path) -> Iterator[None]:
    """Let no file of this process be larger than that one."""
    _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (file.stat().st_size, most))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))


def test_a_count_goes_on_when_the_disk_is_full_and_prints_its_table(satcal, tmp_path, file):
    board = write(grid(8), tmp_path / "grid.toml")
    Store(located(file)).close()
    arguments = ("count", "-b", str(board), "--all-reveals", "--method", "sat")
    with little_room(file):
        said = satcal(*arguments, "--store", str(file))
    assert said.code == 3
    assert "make room and run the same command again" in said.err
    assert said.err.count("nothing more is stored; counting goes on") == 1
    stored = len(believed(file))
    assert 0 < stored < 8
    again = satcal(*arguments, "--store", str(file))
    assert (again.code, again.out) == (0, said.out)
    assert f"sat: {stored} of 8 taken from the store" in again.err
    assert all(counted(said.out))
    assert len(believed(file)) == 8


def test_without_room_for_a_log_a_store_is_read_all_the_same(satcal, small, small_disk):
    file = small_disk / "store.sqlite"
    arguments = ("count", "-b", str(small), "--method", "sat", "--store", str(file))
    assert satcal(*arguments, "--reveal", "a").code == 0
    with open(small_disk / "other", "wb", buffering=0) as other:
        with suppress(OSError):
            while True:
                other.write(b"x" * 4096)
        other.truncate(other.tell() - 8192)
    info = satcal("store", "info", "--store", str(file)).out
    assert " (read-only)\n" in info
    assert "results: 1\n" in info
    said = satcal(*arguments, "--all-reveals")
    assert (said.code, counted(said.out)) == (3, ["4", "4", "4"])
    assert re.search("the disk is full.* kB free", said.err)


def test_a_store_that_can_only_be_read_is_used_and_the_table_printed(satcal, small, tmp_path):
    folder = tmp_path / "shared"
    folder.mkdir()
    file = folder / "store.sqlite"
    arguments = ("count", "-b", str(small), "--method", "sat", "--store", str(file))
    assert satcal(*arguments, "--reveal", "a").code == 0
    command = [*bound_by_permissions(), *SATCAL, *arguments, "--all-reveals"]
    file.chmod(0o444)
    folder.chmod(0o555)
    try:
        said = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    finally:
        folder.chmod(0o755)
    assert (said.returncode, counted(said.stdout)) == (3, ["4", "4", "4"]), said.stderr
    assert "sat: 1 of 3 taken from the store" in said.stderr
    assert "it cannot be written; make it writable, or choose another one" in said.stderr


def hold_lock(where: str) -> Callable[[], None]:
    """Take a real lock on a store from another connection; return what lets it go."""
    if "://" in where:
        other = on_server(*user_of(where))
        other.execute("BEGIN; LOCK TABLE satcal_result IN ACCESS EXCLUSIVE MODE")
        return other.close
    locked = sqlite3.connect(where, isolation_level=None, check_same_thread=False)
    locked.execute("BEGIN EXCLUSIVE")
    return locked.close


def impatient(where: str) -> str:
    if "://" in where:
        return where.replace("timeout=5", "timeout=0.1")
    return f"sqlite:///{where}?timeout=0.1"


class Counting:
    """A run that has begun: reveals of a puzzle are counted, and stored one by one."""

    def __init__(self, puzzle: Puzzle, where: str) -> None:
        self.puzzle, self.keeper = puzzle, Keeper(located(where))
        assert self.recalled() == {}

    def recalled(self) -> dict[Reveal, int]:
        return self.keeper.recall(self.puzzle, list(self.puzzle.reveals()), BY_SAT)

    def count(self, *labels: str) -> None:
        for label in labels:
            self.keeper.record(self.puzzle, BY_SAT, {(label,): 4})

    def end(self) -> int:
        code = self.keeper.finish()
        self.keeper.close()
        return code


def test_a_lock_that_stays_is_said_and_the_count_goes_on(three, where, capsys):
    run = Counting(three, impatient(where))
    run.count("a")
    release = hold_lock(where)
    run.count("b", "c")
    release()
    assert run.end() == 3
    said = capsys.readouterr().err
    assert said.count("another process holds its lock; run the same command again") == 1
    assert [row.reveal for row in believed(where)] == ["a"]


def test_a_lock_that_is_let_go_in_time_is_only_a_wait(where):
    with Store(located(where)) as store:
        timer = threading.Timer(0.2, hold_lock(where))
        timer.start()
        store.record(DIGEST, "daily", "", SAT, {"b": 2})
        assert timer.finished.is_set()
        timer.join()
    assert len(believed(where)) == 1


def test_a_locked_store_refuses_a_run_that_needs_it_before_it_counts(satcal, small, file):
    Store(located(file)).close()
    release = hold_lock(str(file))
    arguments = ("count", "-b", str(small), "--all-reveals", "--store", impatient(str(file)))
    said, sample = satcal(*arguments, "--method", "sat"), satcal(*arguments)
    release()
    assert (said.code, said.out) == (3, "")
    assert "another process holds its lock" in said.err
    # by the diagram, a store only saves the sample that is counted again
    assert (sample.code, counted(sample.out)) == (0, ["4", "4", "4"])
    assert "nothing more is stored; counting goes on" in sample.err


def test_a_damaged_store_refuses_a_run_with_the_way_out(satcal, small, where):
    diagram = ("count", "-b", str(small), "--all-reveals", "--store", where)
    sat, store = (*diagram, "--method", "sat"), ("--store", where)
    assert satcal(*sat).code == 0
    with Store(located(where)) as opened, opened.writing() as connection:
        third = update(schema.result).where(schema.result.c.reveal == "c")
        connection.execute(third.values(tilings="9"))
    for command in (sat, (*sat, "--fresh"), (*diagram, "--method", "search")):
        said = satcal(*command)
        assert (said.code, said.out) == (3, "")
        assert said.err.count("it is damaged; `satcal store check` says where") == 1
    sample = satcal(*diagram)
    assert (sample.code, counted(sample.out)) == (0, ["4", "4", "4"])
    assert sample.err.count("it is damaged") == 1
    checked = satcal("store", "check", *store)
    assert (checked.code, "1 row with a broken seal" in checked.err) == (3, True)
    saved = satcal("store", "export", *store)
    assert (saved.code, len(saved.out.splitlines())) == (3, 1 + 2)
    assert "1 row with a broken seal left out" in saved.err
    assert satcal("store", "prune", "--damaged", *store).out == "1 results are removed\n"
    assert "2 of 3 taken from the store" in satcal(*sat).err


def test_a_wrong_byte_in_the_schema_leaves_the_rows_to_be_saved(satcal, small, file):
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


# where the first question fails, SQLAlchemy leaves its connection to the collector
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_any_wrong_byte_is_an_error_of_ours_and_never_another_number(file):
    numbers = {f"{n} Oct": n for n in range(50)}
    with Store(located(file)) as store:
        store.record(DIGEST, "daily", "", SAT, numbers)
    data, generator = file.read_bytes(), random.Random(0)
    for _ in range(40):
        wrong = bytearray(data)
        place = generator.choice([generator.randrange(4096), generator.randrange(len(data))])
        wrong[place] = generator.randrange(256)
        file.write_bytes(wrong)
        with (
            suppress(StoreDamaged, StoreForeign, StoreTooNew),
            Store(located(file), rescue=True) as store,
        ):
            check(store)
            good, _ = store.examine()
            kept = {row.reveal: row.tilings for row in good.values()}
            assert kept.items() <= numbers.items()


def test_a_store_that_is_damaged_while_counting_costs_no_table(three, file, capsys):
    run = Counting(three, str(file))
    file.write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)
    run.count("a", "b")
    assert run.recalled() == {}
    assert capsys.readouterr().err.count("it is damaged") == 1
    assert run.end() == 3


@pytest.mark.parametrize("back", [False, True], ids=["gone", "restarted"])
def test_a_server_that_goes_away_costs_no_table_and_gets_what_waited_when_it_is_back(
    three, server, monkeypatch, capsys, back
):
    monkeypatch.setattr(resuming, "PAUSES", (0.01, 0.02))
    where = new_schema(server)
    run = Counting(three, where)
    run.count("a")
    with away(where):
        run.count("b", "c")
        if not back:
            assert run.end() == 3
    assert run.end() == (0 if back else 3)
    trouble, waiting, end = capsys.readouterr().err.splitlines()
    assert "cannot be opened or reached" in trouble
    assert waiting == "counting goes on; what is finished waits to be stored"
    lost = "2 finished counts are not stored: run the same command again later"
    assert end == ("the store is back: what waited is stored" if back else lost)
    kept = [row.reveal for row in believed(where)]
    assert kept == (["a", "b", "c"] if back else ["a"])


STATES = {"53100": StoreFull, "25006": StoreReadOnly, "55P03": StoreLocked, "XX001": StoreDamaged}


@pytest.mark.parametrize(("state", "kind"), [*STATES.items(), (None, StoreUnavailable)])
def test_every_complaint_of_a_database_becomes_an_error_of_ours(state, kind):
    complaint = sqlite3.OperationalError("first line\nsecond line")
    complaint.sqlstate = state  # type: ignore[attr-defined]
    with pytest.raises(kind, match=r"^store here: .*\(first line\)$"), explained("here"):
        raise complaint


def rows(where: str | Path) -> list[StoredResult]:
    """Return the rows of a store, or none where a run has not made it yet."""
    there = "://" in str(where) or Path(where).exists()
    return believed(where) if there else []


def test_a_killed_run_goes_on_and_counts_nothing_twice(satcal, where, tmp_path):
    """Each run says how much was finished before, and what is printed at last is as ever."""
    board = write(grid(12), tmp_path / "board.toml")
    call = ["verify", "-b", str(board), "--all-reveals"]
    undisturbed, generator = satcal(*call).out, random.Random(8)
    before: list[StoredResult] = []

    def goes_on() -> bool:
        return len(rows(where)) > len(before) or process.poll() is not None

    for kill in (True, True, False):
        process = begin([*SATCAL, *call, "--jobs", "1"], tmp_path, where)
        if kill:
            until(goes_on)
            time.sleep(generator.uniform(0, 0.05))
            process.kill()
        out, err = process.communicate(timeout=120)
        for method, known in re.findall(r"^(\w+): (\d+) of 12 taken from the store", err, re.M):
            assert int(known) == sum(row.method == method for row in before)
        after = rows(where)
        assert set(before) <= set(after), "something is lost, or counted twice"
        before = after
    assert (process.returncode, out) == (0, undisturbed)
    assert [row.times for row in before] == [1] * 2 * 12


def test_a_killed_worker_costs_only_its_own_date(file, tmp_path):
    days = ["--from", "2025-10-01", "--to", "2025-10-12"]
    command = [*SATCAL, "count", *days, "--method", "sat", "--jobs", "1"]
    process = begin(command, tmp_path, str(file))
    until(lambda: rows(file))
    with open(f"/proc/{process.pid}/task/{process.pid}/children") as listed:
        for child in listed.read().split():
            os.kill(int(child), signal.SIGKILL)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 3
    assert "its worker process died" in err
    tilings = [line.split(",")[-2] for line in out.splitlines()[1:]]  # the table is printed
    assert 0 < sum(map(bool, tilings)) == len(rows(file)) < 12
