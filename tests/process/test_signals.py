"""Ctrl-C, SIGTERM, a closed terminal: exit code 3, and no process, lock or draft is left."""

import os
import random
import re
import signal
import sqlite3
import threading
import time
from contextlib import closing
from pathlib import Path

import psutil
import pytest

from command import Answer
from helpers.waiting import PATIENCE, until
from process.conftest import at_work_from, work_of
from satcal.files import drafting, locking
from satcal.processes import Call, FreshInterpreter, Worker, end, tell
from satcal.store.counts import write_export

ROOT = Path(__file__).parents[2]

COMMANDS = (
    "count rhombus 2025 --method sat",
    "count rhombus 2025 --method diagram,search --jobs 2 -o there.csv",
    "count rhombus 2025-10-23 --store s.db",
    "solve rhombus 2025 --all -o there.txt",
    "certify rhombus Oct 2025 -o there.satcert",
    "export rhombus 2025-10-23 -o there.cnf",
    "site -o there",
    "survey -o there.csv",
    "survey tetromino --certify there",
    "hint rhombus 2025-10-23",
    "design -o there.csv",
    "claims -o there.csv",
    f"check {ROOT}/results/certificates",
    f"decode {ROOT}/encodings/a-puzzle-a-day.Oct-6.plain.cnf.xz unsatisfiable -o there.txt",
    "cross-check Oct 6 -o there.csv",
    "boards -o there.csv",
    "show rhombus -o there.svg",
    "new there.toml --from rhombus",
    "store import counts.csv --store s.db",
    "serve --port 0 --store s.db",
)
GIVEN = {"unsatisfiable": "s UNSATISFIABLE\n", "counts.csv": write_export([])}
"""Files that commands read."""
LEFT = {"s.db", "s.db-wal", "s.db-shm", "s.db.lock", "s.db.server", "tmp", "there", *GIVEN}
"""What may be there: the store, which keeps what is finished, and what a test puts there."""
OTHERWISE = {"decode": 1, "cross-check": 4}
"""The exit code of a run without a signal, if it is not 0."""
TO_ALL = (signal.SIGINT, signal.SIGHUP)
"""What a terminal sends to all processes of a command."""


def send(process, number, times=1):
    """Send a signal as a terminal does; return the answer and the processes still there."""
    try:
        family = psutil.Process(process.pid).children(recursive=True)
    except psutil.NoSuchProcess:
        family = []
    for _ in range(times):
        if number in TO_ALL and process.poll() is None:
            os.killpg(process.pid, number)
        else:
            process.send_signal(number)
    out, err = process.communicate(timeout=PATIENCE)
    _, alive = psutil.wait_procs(family, timeout=PATIENCE)
    return Answer(process.returncode, out, err), [child.pid for child in alive]


@pytest.mark.parametrize(
    ("options", "table", "number", "times"),
    [
        ("--method sat --lemmas none", "", signal.SIGINT, 5),
        ("--method search -o table.csv", "table.csv.partial", signal.SIGTERM, 1),
        ("--method search -o table.csv", "table.csv.partial", signal.SIGHUP, 2),
    ],
)
def test_a_signal_leaves_the_finished_counts_and_nothing_else(
    begun, folder, half, options, table, number, times
):
    process = begun(f"count {half} --all-reveals --store s.db {options}", at_work=False)
    until(lambda: rows_stored(folder / "s.db"))
    at_work_from(process, work_of(process.pid))
    answer, alive = send(process, number, times)
    assert (answer.code, alive) == (3, [])
    assert "Traceback" not in answer.err
    assert "partial, 1 of 2" in answer.err
    text = (folder / table).read_text() if table else answer.out
    assert any(line.startswith(",A,0,") for line in text.splitlines())
    assert {path.name for path in folder.iterdir()} - LEFT - {table} == {half}
    assert list((folder / "tmp").iterdir()) == []


def rows_stored(path):
    """Return the number of counts in a store, 0 while it is being made."""
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
            (number,) = database.execute("select count(*) from satcal_result").fetchone()
    except sqlite3.Error:
        return 0
    return int(number)


def test_a_signal_while_solutions_are_listed_is_exit_3(begun, folder):
    answer, alive = send(begun("solve rhombus 2025 --all -o all.txt"), signal.SIGTERM, times=5)
    assert (answer.code, alive, answer.out) == (3, [], "")
    assert "Traceback" not in answer.err
    assert {path.name for path in folder.iterdir()} <= {"all.txt.partial", "tmp"}
    assert list((folder / "tmp").iterdir()) == []


def hold_a_draft(path):
    """Say that a draft is there, and work on."""
    with drafting(path) as stream:
        stream.write(b"half")
        tell(path.name)
        signal.pause()


def drafts(folder):
    """Return the drafts in a folder and below."""
    return list(folder.rglob(".satcal-*"))


@pytest.mark.parametrize("threads", [0, 1])  # beside a thread, no worker is forked
def test_a_worker_that_is_ended_leaves_no_draft(folder, threads, monkeypatch):
    monkeypatch.setattr("satcal.processes.GRACE_SECONDS", PATIENCE)  # on a loaded machine
    pause = threading.Event()
    for _ in range(threads):
        threading.Thread(target=pause.wait).start()
    worker = Worker()
    pause.set()
    worker.ask(Call(hold_a_draft, (folder / "there.txt",)))
    assert worker.answer().value == "there.txt"
    if threads:  # which pytest-xdist has always
        assert isinstance(worker.process, FreshInterpreter)
    assert drafts(folder)
    end([worker])
    assert not drafts(folder)


def test_the_next_run_removes_what_a_killed_one_left(folder, shell):
    worker = Worker()
    worker.ask(Call(hold_a_draft, (folder / "there.txt",)))
    worker.answer()
    with locking(folder / "other.txt"):  # that of a living process stays
        worker.process.kill()
        worker.process.join()
        assert len(drafts(folder)) == 2
        assert shell("satcal boards -o boards.csv").code == 0
        assert len(drafts(folder)) == 1


def test_workers_end_with_a_parent_that_is_killed(begun, half):
    process = begun(f"count {half} --reveal B --method sat --lemmas none")
    family = psutil.Process(process.pid).children(recursive=True)
    process.kill()
    process.communicate(timeout=PATIENCE)
    assert not psutil.wait_procs(family, timeout=PATIENCE)[1]


def has_handlers(pid):
    """Return whether a process handles SIGHUP, the last of them: before, Python itself ends it."""
    caught = re.search(r"^SigCgt:\s*(\w+)", Path(f"/proc/{pid}/status").read_text(), re.MULTILINE)
    return bool(int(caught[1], 16) >> signal.SIGHUP - 1 & 1)


@pytest.mark.long
@pytest.mark.parametrize("trial", range(200))
def test_a_signal_at_any_moment_is_exit_3_and_leaves_nothing(begun, folder, trial):
    rng = random.Random(trial)
    for name, text in GIVEN.items():
        (folder / name).write_text(text)
    command = COMMANDS[trial % len(COMMANDS)]
    process = begun(command, at_work=False)
    until(lambda: process.poll() is not None or has_handlers(process.pid))
    moment = time.monotonic() + rng.uniform(0, 4)
    until(lambda: time.monotonic() > moment or process.poll() is not None)
    number = rng.choice([signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
    answer, alive = send(process, number, rng.choice([1, 1, 2, 5]))
    assert answer.code in (0, 3, OTHERWISE.get(command.split()[0])), answer
    assert alive == []
    assert not drafts(folder)
    assert "Traceback" not in answer.err
    if answer.code:
        names = {path.name for path in folder.iterdir()}
        assert {name for name in names if not name.endswith((".partial", ".part"))} <= LEFT
        assert list((folder / "tmp").iterdir()) == []
