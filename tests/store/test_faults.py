"""Real faults: what is stored stays, the table is printed, the message says what to do."""

from __future__ import annotations

import json
import os
import random
import re
import resource
import signal
import sqlite3
import struct
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

import pytest
from sqlalchemy import update

from helpers.programs import bound_by_permissions
from helpers.puzzles import write
from helpers.stores import (
    BOTH,
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
from helpers.waiting import until
from satcal.counting.settings import BySat, Question
from satcal.errors import (
    StoreDamaged,
    StoreForeign,
    StoreFull,
    StoreLocked,
    StoreOtherSchema,
    StoreReadOnly,
    StoreUnavailable,
)
from satcal.puzzle.loading import load
from satcal.puzzle.model import Puzzle, Reveal
from satcal.store import resuming, schema
from satcal.store.checking import check_store
from satcal.store.faults import explained
from satcal.store.results import Store
from satcal.store.resuming import Keeper
from satcal.store.rows import StoredResult, from_text


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


@pytest.mark.promise("no room, or no right, to write")
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


@pytest.mark.promise("no room, a lasting lock or damage, while counting")
@pytest.mark.promise("no room, or no right, to write")
def test_a_count_goes_on_when_the_disk_is_full_and_prints_its_table(satcal, tmp_path, file):
    board = write(grid(8), tmp_path / "grid.toml")
    Store(located(file)).close()
    arguments = ("count", "-b", str(board), "--all-reveals", "--method", "sat", "--format", "json")
    with little_room(file):
        said = satcal(*arguments, "--store", str(file))
    assert said.code == 3
    assert "make room and run the same command again" in said.err
    assert said.err.count("nothing more will be stored; counting continues") == 1
    stored = len(believed(file))
    assert 0 < stored < 8
    again = satcal(*arguments, "--store", str(file))
    assert (again.code, tilings(again.out)) == (0, tilings(said.out))
    assert f"sat: {stored} of 8 taken from the store" in again.err
    assert all(tilings(said.out))
    assert len(believed(file)) == 8


def fill(other: BinaryIO) -> None:
    """Leave no room on the disk of a file."""
    for size in (4096, 1):
        with suppress(OSError):
            while True:
                other.write(b"x" * size)


@pytest.mark.promise("no room, or no right, to write")
def test_a_new_store_on_a_full_disk_says_so_and_leaves_no_file(satcal, small, small_disk):
    with open(small_disk / "other", "wb", buffering=0) as other:
        fill(other)
    file = small_disk / "store.sqlite"
    said = satcal(
        "count", "-b", str(small), "--all-reveals", "--method", "sat", "--store", str(file)
    )
    assert (said.code, said.out) == (3, "")
    assert re.search(
        "the disk is full.*make room and run the same command again.* kB free", said.err
    )
    assert [path.name for path in small_disk.iterdir()] == ["other"]


@pytest.mark.promise("no room, or no right, to write")
def test_without_room_for_a_log_a_store_is_read_all_the_same(satcal, small, small_disk):
    file = small_disk / "store.sqlite"
    arguments = ("count", "-b", str(small), "--method", "sat", "--store", str(file))
    assert satcal(*arguments, "--reveal", "a").code == 0
    with open(small_disk / "other", "wb", buffering=0) as other:
        fill(other)
        other.truncate(other.tell() - 8192)
    info = satcal("store", "info", "--store", str(file)).out
    assert " (read-only)\n" in info
    assert "results: 1\n" in info
    said = satcal(*arguments, "--all-reveals")
    assert (said.code, counted(said.out)) == (3, ["4", "4", "4"])
    assert re.search("the disk is full.* kB free", said.err)


@pytest.mark.promise("no room, or no right, to write")
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
        return where.replace("lock_timeout%3D5000", "lock_timeout%3D100")
    return f"sqlite:///{where}?timeout=0.1"


class Counting:
    """A run that has begun: reveals of a puzzle are counted, and stored one by one."""

    def __init__(self, puzzle: Puzzle, where: str) -> None:
        self.question, self.said = Question(puzzle, [*puzzle.reveals()]), list[str]()
        self.keeper = Keeper(located(where), say=self.said.append)
        assert self.recalled() == {}

    def recalled(self) -> dict[Reveal, int]:
        return self.keeper.recall(self.question, BySat())

    def count(self, *labels: str) -> None:
        for label in labels:
            self.keeper.record(self.question, BySat(), {(label,): 4})

    def end(self) -> int:
        code = self.keeper.finish()
        self.keeper.close()
        return code


@pytest.mark.promise("no room, a lasting lock or damage, while counting")
@BOTH
def test_a_lock_that_stays_is_said_and_the_count_goes_on(three, where):
    run = Counting(three, impatient(where))
    run.count("a")
    release = hold_lock(where)
    run.count("b", "c")
    release()
    assert run.end() == 3
    assert (
        "".join(run.said).count("another process holds its lock; run the same command again") == 1
    )
    assert [row.reveal for row in believed(where)] == ["a"]


@pytest.mark.promise("another process's lock")
@BOTH
def test_a_lock_that_is_let_go_in_time_is_only_a_wait(where):
    with Store(located(where)) as store:
        timer = threading.Timer(0.2, hold_lock(where))
        timer.start()
        store.record(DIGEST, "daily", "", SAT, {"b": 2})
        assert timer.finished.is_set()
        timer.join()
    assert len(believed(where)) == 1


@pytest.mark.promise("trouble with the store, and a count by the diagram")
@pytest.mark.promise("another process's lock")
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
    assert "nothing more will be stored; counting continues" in sample.err


@pytest.mark.promise("a damaged store")
def test_a_damaged_store_refuses_a_run_with_the_way_out(satcal, small, where, tmp_path):
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
    assert checked.code == 3
    assert "DAMAGE 1 row of results with a broken seal\n" in checked.err
    saved, anew = tmp_path / "saved.csv", str(tmp_path / "anew.sqlite")
    exported = satcal("store", "export", *store, "-o", str(saved))
    assert exported.code == 3
    assert exported.err.startswith("2 results\nDAMAGE 1 row of results with a broken seal\n")
    assert satcal("store", "import", str(saved), "--store", anew).out == "2 of 2 results are new\n"


def pages_of(file: Path, name: str) -> list[int]:
    """The offsets of the leaves of a table or an index that come after its first page."""
    with closing(sqlite3.connect(file)) as connection:
        (root,) = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = ?", [name]
        ).fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    head = file.read_bytes()[(root - 1) * size :][:size]
    (cells,) = struct.unpack(">H", head[3:5])  # of an inner page, each with its child's number
    starts = [struct.unpack(">H", head[12 + 2 * n :][:2])[0] for n in range(cells)]
    children = [struct.unpack(">I", head[start:][:4])[0] for start in starts]
    return [(child - 1) * size for child in [*children, struct.unpack(">I", head[8:12])[0]]]


INDEX = "sqlite_autoindex_satcal_result_1"


@pytest.mark.promise("a damaged store")
@pytest.mark.parametrize(
    ("broken", "least", "most"),
    [
        ({"satcal_result": [1]}, 1, 40),
        ({"satcal_result": [0, 2, -1]}, 3, 120),
        ({"satcal_result": [-1], INDEX: [1]}, 1, 2000),
        ({INDEX: [0, 1, 2]}, 0, 0),
    ],
    ids=["a page", "three pages", "the last page and the index", "the index alone"],
)
def test_every_row_that_can_be_read_is_saved_from_damaged_pages(
    satcal, file, tmp_path, broken, least, most
):
    numbers = {f"{n} Oct": n for n in range(200)}
    with Store(located(file)) as store:
        store.record(DIGEST, "daily", "", SAT, numbers)
    data = bytearray(file.read_bytes())
    for name, leaves in broken.items():
        pages = pages_of(file, name)
        assert len(pages) > 3
        for leaf in leaves:
            data[pages[leaf] : pages[leaf] + 200] = b"\xff" * 200
    file.write_bytes(data)
    assert satcal("store", "list", "--store", str(file)).code == 3
    checked = satcal("store", "check", "--store", str(file))
    assert (checked.code, "DAMAGE " in checked.err) == (3, True)
    saved = tmp_path / "saved.csv"
    said = satcal("store", "export", "--store", str(file), "-o", str(saved))
    assert said.code == 3
    kept = {row.reveal: row.tilings for row in from_text(saved.read_text(), "saved")}
    assert kept.items() <= numbers.items()
    lost = re.search(r"DAMAGE up to ([\d,]+) rows of satcal_result cannot be read", said.err)
    number = int(lost[1].replace(",", "")) if lost else 0
    assert least <= 200 - len(kept) <= number <= most or (number, len(kept)) == (0, 200)


@pytest.mark.promise("a damaged store")
def test_a_wrong_letter_in_the_schema_costs_its_own_table(satcal, small, file):
    call = ("count", "-b", str(small), "--all-reveals", "--method", "sat", "--store", str(file))
    assert satcal(*call).code == 0
    file.write_bytes(
        file.read_bytes().replace(b"CREATE TABLE satcal_job", b"CREATE TABLF satcal_job")
    )
    for command in (call, ("store", "info", "--store", str(file))):
        said = satcal(*command)
        assert (said.code, said.out) == (3, "")
        assert "save what can be read with `satcal store export`" in said.err
    exported = satcal("store", "export", "--store", str(file))
    assert (exported.code, len(exported.out.splitlines())) == (3, 1 + 3)
    assert "DAMAGE nothing of satcal_job can be read: " in exported.err


@pytest.mark.promise("a damaged store")
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
            suppress(StoreDamaged, StoreForeign, StoreOtherSchema),
            Store(located(file), rescue=True) as store,
        ):
            check_store(store)
            good, _ = store.examine()
            kept = {row.reveal: row.tilings for row in good.values()}
            assert kept.items() <= numbers.items()


@pytest.mark.promise("no room, a lasting lock or damage, while counting")
def test_a_store_that_is_damaged_while_counting_costs_no_table(three, file):
    run = Counting(three, str(file))
    file.write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)
    run.count("a", "b")
    assert run.recalled() == {}
    assert "".join(run.said).count("it is damaged") == 1
    assert run.end() == 3


@pytest.mark.promise("a database's server that goes away")
@pytest.mark.parametrize("back", [False, True], ids=["gone", "restarted"])
def test_a_server_that_goes_away_costs_no_table_and_a_restarted_one_no_row(
    three, server, monkeypatch, back
):
    assert sum(resuming.PAUSES) >= 20
    monkeypatch.setattr(resuming, "PAUSES", (0.01, 2.0))
    where = new_schema(server)
    run = Counting(three, where)
    run.count("a")
    with away(where) as return_to_it:
        timer = threading.Timer(1.0, return_to_it)
        if back:
            timer.start()
        run.count("b", "c")
        assert run.end() == (0 if back else 3)
    kept = [row.reveal for row in believed(where)]
    assert kept == (["a", "b", "c"] if back else ["a"])
    first, second, *end = run.said
    for said, pause in ((first, "0.01"), (second, "2")):
        assert re.search(rf"cannot be opened or reached.*\ntrying again in {pause} s$", said, re.S)
    assert [each.splitlines()[-1] for each in end] == (
        [] if back else ["nothing more will be stored; counting continues"]
    )


def test_ctrl_c_ends_the_wait_for_a_server(three, server, monkeypatch):
    def pressed(seconds: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(resuming, "sleep", pressed)
    where = new_schema(server)
    run = Counting(three, where)
    with away(where):
        with pytest.raises(KeyboardInterrupt):
            run.count("a")
        run.count("a", "b")
        assert run.end() == 3
    assert len(run.said) == 1


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


def tilings(table: str) -> list[int]:
    return [row["tilings"] for row in json.loads(table)]


@pytest.mark.promise("`kill -9` of a run")
def test_a_killed_run_goes_on_and_counts_nothing_twice(satcal, where, tmp_path):
    """Each run says how much was finished before, and what is printed at last is as ever."""
    board = write(grid(12), tmp_path / "board.toml")
    call = ["count", "-b", str(board), "--all-reveals", "--method", "sat", "--format", "json"]
    undisturbed, generator = tilings(satcal(*call).out), random.Random(8)
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
    assert (process.returncode, tilings(out)) == (0, undisturbed)
    assert [row.times for row in before] == [1] * 12


@pytest.mark.promise("a killed worker process")
def test_a_killed_worker_costs_only_its_own_date(file, tmp_path):
    command = [*SATCAL, "count", "--month", "Oct", "--method", "sat", "--jobs", "1"]
    process = begin(command, tmp_path, str(file))
    until(lambda: rows(file))
    with open(f"/proc/{process.pid}/task/{process.pid}/children") as listed:
        for child in listed.read().split():
            os.kill(int(child), signal.SIGKILL)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 3
    assert "its worker process died" in err
    tilings = [line.split(",")[-2] for line in out.splitlines()[1:]]  # the table is printed
    assert 0 < sum(map(bool, tilings)) == len(rows(file)) < 31
