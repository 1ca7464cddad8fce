"""Faults at random, several at a time, round after round; no number is ever another one.

In each round runs are killed, disks are full, bytes are changed, two write at once, a server goes
away, clocks jump. Whatever happens: no traceback, every row that can be believed is that of
results/counts, and the same command, undisturbed, prints the whole table in the end.
"""

from __future__ import annotations

import csv
import os
import random
import resource
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest
from stored import SATCAL, located, new_database

from satcal.store.checking import check
from satcal.store.results import Store

COUNTS = Path(__file__).parents[2] / "results" / "counts" / "a-puzzle-a-day.csv"
DAYS = [f"2025-10-{day:02}" for day in range(1, 16)]  # with few tilings, so that rounds are short
LONG = int(os.environ.get("SATCAL_ROUNDS", "0"))
CLOCK = """
import random, sys, time
real, seed = time.time, random.Random(int(sys.argv[1]))
time.time = lambda: real() + seed.uniform(-1e9, 1e9)
from satcal.cli.main import main
main(sys.argv[2:])
"""


def numbers(lines: list[str]) -> dict[str, int]:
    """Return the tilings of a table by the keys of its reveals."""
    rows = csv.DictReader(line for line in lines if not line.startswith("#"))
    return {" ".join(sorted([row["month"], row["day"]])): int(row["tilings"]) for row in rows}


TRUE = numbers(COUNTS.read_text().splitlines())


class Round:
    """One store and what happens to it; everything random comes from a seed."""

    def __init__(self, where: str, folder: Path, seed: int) -> None:
        self.where, self.seed, self.random = where, seed, random.Random(seed)
        self.env = os.environ | {"SATCAL_CACHE": f"{folder}/cache", "SATCAL_STORE": where}
        first = self.random.randrange(len(DAYS) - 3)
        self.range = ["--from", DAYS[first], "--to", DAYS[first + 3], "--format", "csv"]

    def begin(self, *start: str, **rest: object) -> subprocess.Popen[str]:
        method = self.random.choice(["sat"] * 7 + ["search"])
        fresh = self.random.choice([[], [], ["--fresh"]])
        command = [*(start or SATCAL), "count", "--method", method, *self.range, "--jobs", "2"]
        return subprocess.Popen(
            [*command, *fresh], env=self.env, text=True, start_new_session=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, **rest,
        )  # type: ignore[call-overload]  # fmt: skip

    def end(self, process: subprocess.Popen[str], kill_after: float | None = None) -> None:
        """Wait for a process, or kill it after some seconds; it stops as it should."""
        try:
            _, err = process.communicate(timeout=120 if kill_after is None else kill_after)
            assert process.returncode in (0, 2, 3), (self.seed, err)
        except subprocess.TimeoutExpired:
            assert kill_after is not None, "it hangs"
            process.kill()
            _, err = process.communicate(timeout=60)
        assert "Traceback" not in err, (self.seed, err)
        assert "internal error" not in err, (self.seed, err)


def killed(each: Round) -> None:
    each.end(each.begin(), each.random.uniform(0.2, 2.5))


def full(each: Round) -> None:
    limits = (each.random.randrange(60_000, 90_000), resource.RLIM_INFINITY)
    each.end(each.begin(preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limits)))


def two_writers(each: Round) -> None:
    for process in [each.begin(), each.begin()]:
        each.end(process)


def killed_writer(each: Round) -> None:
    other = each.begin()
    killed(each)
    each.end(other)


def clock(each: Round) -> None:
    each.end(each.begin(sys.executable, "-c", CLOCK, str(each.seed)))


def bytes_changed(each: Round) -> None:
    data = bytearray(Path(each.where).read_bytes() if Path(each.where).exists() else b"")
    if data:
        for _ in range(each.random.choice([1, 1, 4, 40])):
            data[each.random.randrange(len(data))] = each.random.randrange(256)
        Path(each.where).write_bytes(data)
        each.end(each.begin())


def server_gone(each: Round) -> None:
    name, host = each.where.split("/")[3].split("?")[0], each.where.split("host=")[1].split("&")[0]
    process = each.begin()
    with psycopg.connect(host=host, user="satcal", dbname="postgres", autocommit=True) as admin:
        with suppress(subprocess.TimeoutExpired):  # it may be quicker
            process.wait(each.random.uniform(0.1, 0.6))
        admin.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false".encode())
        admin.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name]
        )
        back_too_late = each.random.random() < 0.5
        if back_too_late:
            each.end(process, each.random.uniform(0.2, 2.0))
        admin.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true".encode())
    if not back_too_late:
        each.end(process)


def mended(where: str, folder: Path) -> bool:
    """Check every row; where a file is damaged, save what can be saved as the messages say."""
    saved, anew = str(folder / "saved.csv"), str(folder / "anew.sqlite")

    def satcal(*arguments: str) -> int:
        said = subprocess.run(
            [*SATCAL, "store", *arguments], capture_output=True, text=True, check=False, timeout=120
        )
        assert "Traceback" not in said.stderr, said.stderr
        assert "internal error" not in said.stderr, said.stderr
        return said.returncode

    def remove(*paths: str) -> None:
        for path in paths:
            for end in ("", "-wal", "-shm"):
                Path(f"{path}{end}").unlink(missing_ok=True)

    if "://" not in where and not Path(where).exists():
        return False
    code = satcal("check", "--store", where)
    assert code in (0, 2, 3)
    if code:
        remove(saved, anew)
        satcal("export", "--store", where, "-o", saved)
        if Path(saved).exists():
            assert satcal("import", saved, "--store", anew) == 0
        remove(where)
        if Path(anew).exists():
            Path(anew).rename(where)
    if "://" in where or Path(where).exists():
        with Store(located(where)) as store:
            assert check(store).sound
            for row in store.rows():
                assert row.tilings == TRUE[row.reveal], row
    return bool(code)


def rounds(where: str, folder: Path, faults: list[Callable[[Round], None]], number: int) -> None:
    """Do rounds of one to three faults each, and say how often each fault was met."""
    met: Counter[str] = Counter()
    for seed in range(number):
        each = Round(where, folder, seed)
        for fault in each.random.choices(faults, k=each.random.randint(1, 3)):
            fault(each)
            met[fault.__name__] += 1
        met["damaged stores"] += mended(where, folder)
        said = subprocess.run(
            [*SATCAL, "count", "--method", "sat", *each.range, "--quiet"],
            env=each.env, capture_output=True, text=True, check=False, timeout=120,
        )  # fmt: skip
        assert (said.returncode, said.stderr) == (0, ""), (seed, said.stderr)
        assert numbers(said.stdout.splitlines()).items() <= TRUE.items()
    print(dict(met))
    assert number < 40 or {fault.__name__ for fault in faults} <= met.keys()


@pytest.mark.long
def test_two_hundred_rounds_of_faults_on_a_file(tmp_path: Path) -> None:
    faults = [killed, full, two_writers, killed_writer, clock, bytes_changed]
    rounds(str(tmp_path / "store.sqlite"), tmp_path, faults, LONG or 200)


@pytest.mark.long
def test_forty_rounds_of_faults_on_a_server(tmp_path: Path, server: str) -> None:
    faults = [killed, two_writers, killed_writer, clock, server_gone, server_gone]
    rounds(new_database(server), tmp_path, faults, LONG or 40)
