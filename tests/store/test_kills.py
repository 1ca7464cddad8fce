"""kill -9 at random moments, and the same command again until it is done.

The final table equals the undisturbed one, nothing that was finished is counted again, and the
store can be believed.
"""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest
from stored import SATCAL, grid, located

from satcal.store.checking import check
from satcal.store.results import Store


def finished(where: str) -> dict[tuple[str, str], int]:
    """Return how often each (reveal, method) in a store was counted."""
    if "://" not in where and not Path(where).exists():
        return {}
    with Store(located(where)) as store:
        return {(row.reveal, row.method): row.times for row in store.rows()}


def begin(command: list[str], folder: Path, where: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command, env=os.environ | {"SATCAL_CACHE": f"{folder}/cache", "SATCAL_STORE": where},
        start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def kill_and_repeat(
    command: list[str], where: str, folder: Path, kills: int, seed: int
) -> tuple[str, int]:
    """Kill a command so many times, each after a random time, then let it end.

    Before each start the store is asked what is finished; the command must say the same number,
    and what was finished must still be there, counted once. What it prints in the end is what it
    prints undisturbed.

    Returns that, and how many runs were killed before they ended.
    """
    begun = time.monotonic()
    undisturbed, _ = begin(command, folder, "none").communicate(timeout=1200)
    longest = (time.monotonic() - begun) / 3  # most come before a run has ended
    generator, killed = random.Random(seed), 0
    before: dict[tuple[str, str], int] = {}
    for number in range(kills + 1):
        process = begin(command, folder, where)
        try:
            out, said = process.communicate(
                timeout=generator.uniform(0.05, longest) if number < kills else 1200
            )
        except subprocess.TimeoutExpired:
            process.kill()
            killed += 1
            out, said = process.communicate(timeout=60)
        taken = dict(re.findall(r"^(\w+): ([\d,]+) of [\d,]+ taken from the store", said, re.M))
        for method, number_taken in taken.items():
            assert int(number_taken) == sum(name == method for _, name in before)
        after = finished(where)
        assert set(before) <= set(after), "something that was stored is lost"
        assert set(after.values()) <= {1}, "something that was finished is counted twice"
        before = after
    assert (process.returncode, out) == (0, undisturbed)
    with Store(located(where)) as store:
        report = check(store)
    assert report.sound
    assert report.rows == 2 * (len(out.splitlines()) - 1)
    return out, killed


def test_eight_kills_of_a_verify_run(where: str, tmp_path: Path) -> None:
    board = tmp_path / "board.toml"
    board.write_text(grid(12))
    command = [*SATCAL, "verify", "-b", str(board), "--all-reveals", "--jobs", "1"]
    _, killed = kill_and_repeat(command, where, tmp_path, 8, seed=8)
    assert killed >= 4


@pytest.mark.long
def test_fifty_kills_of_a_month_by_sat_and_diagram(tmp_path: Path) -> None:
    """A fast machine ends a month within few kills, so stores follow one another until fifty."""
    command = [*SATCAL, "verify", "--month", "2025-10", "--jobs", "1"]
    begun = time.monotonic()
    killed = stores = 0
    while killed < 50:
        where = str(tmp_path / f"{stores}.sqlite")
        out, more = kill_and_repeat(command, where, tmp_path, 10, seed=stores)
        killed, stores = killed + more, stores + 1
        assert len(out.splitlines()) == 1 + 31
    print(f"{killed} runs were killed, {stores} stores, {time.monotonic() - begun:.0f} s")


def test_a_killed_worker_costs_only_its_own_date(file: Path, tmp_path: Path) -> None:
    command = [*SATCAL, "count", "--month", "2025-10", "--method", "sat", "--jobs", "1"]
    process = begin(command, tmp_path, str(file))
    for _ in range(1200):
        if finished(str(file)):
            break
        time.sleep(0.05)
    with open(f"/proc/{process.pid}/task/{process.pid}/children") as listed:
        for child in listed.read().split():
            os.kill(int(child), signal.SIGKILL)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 3
    assert "its worker process died" in err
    known = finished(str(file))
    assert 0 < len(known) < 31
    tilings = [line.split(",")[-2] for line in out.splitlines()[1:]]  # the table is printed
    assert sum(map(bool, tilings)) == len(known)
