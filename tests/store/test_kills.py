"""kill -9 at random moments, and the same command again until it is done.

The final table equals the undisturbed one, nothing that was finished is counted again, and the
store can be believed.
"""

from __future__ import annotations

import csv
import io
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
    with Store(located(where)) as store:
        return {(row.reveal, row.method.name): row.times for row in store.rows()}


def environment(folder: Path, where: str) -> dict[str, str]:
    return os.environ | {"SATCAL_CACHE": str(folder / "cache"), "SATCAL_STORE": where}


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def kill_and_repeat(
    command: list[str], where: str, folder: Path, kills: int, longest: float, seed: int
) -> tuple[subprocess.CompletedProcess[str], int]:
    """Kill a command so many times, each after a random time, then let it end.

    Before each start the store is asked what is finished; the command must say the same number,
    and what was finished must still be there, counted once.

    Returns what the last run said, and how many runs were killed before they ended.
    """
    generator, killed = random.Random(seed), 0
    before: dict[tuple[str, str], int] = {}
    for _ in range(kills):
        process = subprocess.Popen(
            command, env=environment(folder, where), start_new_session=True,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        try:
            process.wait(generator.uniform(0.05, longest))
        except subprocess.TimeoutExpired:
            process.kill()
            killed += 1
        _, said = process.communicate(timeout=60)
        taken = dict(re.findall(r"^(\w+): ([\d,]+) of [\d,]+ taken from the store", said, re.M))
        for method, number in taken.items():
            assert int(number) == sum(name == method for _, name in before)
        after = finished(where) if Path(where).exists() or "://" in where else {}
        assert set(before) <= set(after), "something that was stored is lost"
        assert set(after.values()) <= {1}, "something that was finished is counted twice"
        before = after
    done = subprocess.run(
        command, env=environment(folder, where), capture_output=True, text=True, check=False,
        timeout=1200,
    )  # fmt: skip
    return done, killed


def test_eight_kills_of_a_verify_run(where: str, tmp_path: Path) -> None:
    board = tmp_path / "board.toml"
    board.write_text(grid(12))
    command = [*SATCAL, "verify", "-b", str(board), "--all-reveals", "--jobs", "1"]
    begun = time.monotonic()
    undisturbed = subprocess.run(
        command, env=environment(tmp_path, "none"), capture_output=True, text=True, check=True,
        timeout=300,
    )  # fmt: skip
    longest = (time.monotonic() - begun) / 3  # most come before a run has ended
    done, killed = kill_and_repeat(command, where, tmp_path, 8, longest, seed=8)
    assert killed >= 4
    assert done.returncode == 0, done.stderr
    assert rows(done.stdout) == rows(undisturbed.stdout)
    assert set(finished(where).values()) == {1}
    with Store(located(where)) as store:
        report = check(store)
    assert report.sound
    assert report.rows == 2 * len(rows(undisturbed.stdout))


@pytest.mark.long
def test_fifty_kills_of_a_month_by_sat_and_diagram(tmp_path: Path) -> None:
    """A fast machine ends a month within few kills, so stores follow one another until fifty."""
    command = [*SATCAL, "verify", "--month", "2025-10", "--jobs", "1"]
    begun = time.monotonic()
    undisturbed = subprocess.run(
        command, env=environment(tmp_path, "none"), capture_output=True, text=True, check=True,
        timeout=1200,
    )  # fmt: skip
    longest = (time.monotonic() - begun) / 2
    killed = stores = 0
    while killed < 50:
        where = str(tmp_path / f"{stores}.sqlite")
        done, more = kill_and_repeat(command, where, tmp_path, 10, longest, seed=stores)
        killed, stores = killed + more, stores + 1
        assert done.returncode == 0, done.stderr
        assert rows(done.stdout) == rows(undisturbed.stdout)
        assert len(rows(done.stdout)) == 31
        assert finished(where) == {
            (f"{day} Oct", method): 1 for day in range(1, 32) for method in ("diagram", "sat")
        }
        said = subprocess.run(
            [*SATCAL, "store", "check", "--store", where], capture_output=True, text=True,
            check=False, timeout=120,
        )  # fmt: skip
        assert (said.returncode, said.stdout) == (
            0,
            "62 results, 0 counted more than once\nnothing is damaged, nothing contradicts\n",
        )
    print(f"{killed} runs were killed, {stores} stores, {time.monotonic() - begun:.0f} s")


def test_a_killed_worker_costs_only_its_own_date(file: Path, tmp_path: Path) -> None:
    command = [*SATCAL, "count", "--month", "2025-10", "--method", "sat", "--jobs", "1"]
    process = subprocess.Popen(
        command, env=environment(tmp_path, str(file)), text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    for _ in range(1200):
        if file.exists() and finished(str(file)):
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
    assert sum(bool(row["tilings"]) for row in rows(out)) == len(known)  # the table is printed
