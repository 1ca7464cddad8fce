"""kill -9 at random moments, and the same command again until it is done."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import time
from pathlib import Path

from looping import until
from stored import SATCAL, begin, grid, located

from satcal.store.checking import check
from satcal.store.results import Store


def finished(where: str) -> dict[tuple[str, str], int]:
    """Return how often each (reveal, method) in a store was counted."""
    if "://" not in where and not Path(where).exists():
        return {}
    with Store(located(where)) as store:
        return {(row.reveal, row.method): row.times for row in store.rows()}


def test_a_run_that_is_killed_five_times_counts_nothing_twice(where: str, tmp_path: Path) -> None:
    """Each run says how much was finished before, and what is printed at last is as ever."""
    board, generator, killed = tmp_path / "board.toml", random.Random(8), 0
    board.write_text(grid(12))
    command = [*SATCAL, "verify", "-b", str(board), "--all-reveals", "--jobs", "1"]
    begun = time.monotonic()
    undisturbed, _ = begin(command, tmp_path, "none").communicate(timeout=600)
    longest = (time.monotonic() - begun) / 3  # most kills come before a run has ended
    before: dict[tuple[str, str], int] = {}
    for patience in [*(generator.uniform(0.05, longest) for _ in range(5)), 600]:
        process = begin(command, tmp_path, where)
        try:
            out, err = process.communicate(timeout=patience)
        except subprocess.TimeoutExpired:
            process.kill()
            killed += 1
            out, err = process.communicate(timeout=60)
        taken = re.findall(r"^(\w+): ([\d,]+) of [\d,]+ taken from the store", err, re.M)
        for method, known in taken:
            assert int(known) == sum(name == method for _, name in before)
        after = finished(where)
        assert set(before) <= set(after), "something that was stored is lost"
        assert set(after.values()) <= {1}, "something that was finished is counted twice"
        before = after
    assert killed >= 2
    assert (process.returncode, out) == (0, undisturbed)
    with Store(located(where)) as store:
        report = check(store)
    assert (report.sound, report.rows) == (True, 2 * 12)


def test_a_killed_worker_costs_only_its_own_date(file: Path, tmp_path: Path) -> None:
    days = ["--from", "2025-10-01", "--to", "2025-10-12"]
    command = [*SATCAL, "count", *days, "--method", "sat", "--jobs", "1"]
    process = begin(command, tmp_path, str(file))
    until(lambda: finished(str(file)))
    with open(f"/proc/{process.pid}/task/{process.pid}/children") as listed:
        for child in listed.read().split():
            os.kill(int(child), signal.SIGKILL)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 3
    assert "its worker process died" in err
    known = finished(str(file))
    assert 0 < len(known) < 12
    tilings = [line.split(",")[-2] for line in out.splitlines()[1:]]  # the table is printed
    assert sum(map(bool, tilings)) == len(known)
