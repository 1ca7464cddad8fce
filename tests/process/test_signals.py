"""Ctrl-C and SIGTERM: exit code 3, and nothing is left: no process, lock, draft or traceback."""

from __future__ import annotations

import os
import random
import re
import signal
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import psutil
import pytest

from command import Answer
from helpers.waiting import PATIENCE, until
from process.conftest import at_work_from, work_of

COMMANDS = (
    "count rhombus 2025 --method sat",
    "count rhombus 2025 --method diagram,search --jobs 2 -o there.csv",
    "count rhombus 2025-10-23 --store s.db",
    "solve rhombus 2025 --all -o there.txt",
    "solve rhombus 2025-10-23 --method sat --all",
    "certify rhombus Oct 2025 -o there.satcert",
    "export rhombus 2025-10-23 -o there.cnf",
    "site -o there",
    "survey -o there.csv",
)
LEFT = {"s.db", "s.db-wal", "s.db-shm", "s.db.lock", "tmp"}
"""What may be there: the store, which keeps what is finished, and a folder of the test."""


def press(process, number: int, times: int = 1) -> tuple[Answer, list[int]]:
    """Send a signal, as a terminal does to all; return what was said, and who is still there."""
    try:
        family = psutil.Process(process.pid).children(recursive=True)
    except psutil.NoSuchProcess:
        family = []
    for _ in range(times):
        if number == signal.SIGINT and process.poll() is None:
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
    ],
)
def test_what_is_counted_is_shown_and_nothing_else_is_left(
    begun, folder, half, options, table, number, times
):
    process = begun(f"count {half} --all-reveals --store s.db {options}", at_work=False)
    until(lambda: rows_stored(folder / "s.db"))
    at_work_from(process, work_of(process.pid))
    answer, alive = press(process, number, times)
    assert (answer.code, alive) == (3, [])
    assert "Traceback" not in answer.err
    assert "partial, 1 of 2" in answer.err
    text = (folder / table).read_text() if table else answer.out
    assert any(line.startswith(",A,0,") for line in text.splitlines())
    assert {path.name for path in folder.iterdir()} - LEFT - {table} == {half}
    assert list((folder / "tmp").iterdir()) == []


def rows_stored(path: Path) -> int:
    """Return the number of counts in a store, 0 while it is being made."""
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
            (number,) = database.execute("select count(*) from satcal_result").fetchone()
    except sqlite3.Error:
        return 0
    return int(number)


@pytest.mark.parametrize(("number", "times"), [(signal.SIGINT, 1), (signal.SIGTERM, 5)])
def test_a_signal_inside_a_search_is_exit_3(begun, folder, half, number, times):
    answer, alive = press(begun(f"solve {half} --reveal B --method search"), number, times)
    assert (answer.code, alive, answer.out) == (3, [], "")
    assert "Traceback" not in answer.err
    assert {path.name for path in folder.iterdir()} == {half, "tmp"}
    assert list((folder / "tmp").iterdir()) == []


def test_workers_end_with_a_parent_that_is_killed(begun, half):
    process = begun(f"count {half} --reveal B --method sat --lemmas none")
    family = psutil.Process(process.pid).children(recursive=True)
    process.kill()
    process.communicate(timeout=PATIENCE)
    assert not psutil.wait_procs(family, timeout=PATIENCE)[1]


def has_handlers(pid: int) -> bool:
    """Return whether a process handles SIGTERM: before, Python itself ends it."""
    caught = re.search(r"^SigCgt:\s*(\w+)", Path(f"/proc/{pid}/status").read_text(), re.MULTILINE)
    return bool(int(caught[1], 16) >> signal.SIGTERM - 1 & 1)


@pytest.mark.long
@pytest.mark.parametrize("trial", range(200))
def test_a_press_at_any_moment_is_exit_3_and_leaves_nothing(begun, folder, trial):
    rng = random.Random(trial)
    process = begun(COMMANDS[trial % len(COMMANDS)], at_work=False)
    until(lambda: process.poll() is not None or has_handlers(process.pid))
    moment = time.monotonic() + rng.uniform(0, 4)
    until(lambda: time.monotonic() > moment or process.poll() is not None)
    number = rng.choice([signal.SIGINT, signal.SIGTERM])
    answer, alive = press(process, number, rng.choice([1, 1, 2, 5]))
    assert (answer.code in (0, 3), alive) == (True, []), answer
    assert "Traceback" not in answer.err
    if answer.code:
        names = {path.name for path in folder.iterdir()}
        assert {name for name in names if not name.endswith((".partial", ".part"))} <= LEFT
        assert list((folder / "tmp").iterdir()) == []
