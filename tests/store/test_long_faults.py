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
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest
from stored import SATCAL, located, new_database

from satcal.puzzle.loading import load
from satcal.store.checking import check
from satcal.store.keys import reveal_key
from satcal.store.results import Store

COUNTS = Path(__file__).parents[2] / "results" / "counts" / "a-puzzle-a-day.csv"
DAYS = [f"2025-10-{day:02}" for day in range(1, 16)]  # with few tilings, so that rounds are short
CLOCK = """
import random, sys, time
real, seed = time.time, random.Random(int(sys.argv[1]))
time.time = lambda: real() + seed.uniform(-1e9, 1e9)
from satcal.cli.main import main
main(sys.argv[2:])
"""
Fault = Callable[["Round"], None]


class Round:
    """One store and what happens to it; everything random comes from a seed."""

    def __init__(self, where: str, folder: Path, seed: int) -> None:
        self.where, self.seed, self.random = where, seed, random.Random(seed)
        self.env = os.environ | {"SATCAL_CACHE": str(folder / "cache"), "SATCAL_STORE": where}
        first = self.random.randrange(len(DAYS) - 3)
        self.dates = DAYS[first : first + 4]

    def command(self, *start: str) -> list[str]:
        return [
            *(start or SATCAL), "count", "--method", self.random.choice(["sat"] * 7 + ["search"]),
            "--from", self.dates[0], "--to", self.dates[-1], "--format", "csv", "--jobs", "2",
            *self.random.choice([[], [], ["--fresh"]]),
        ]  # fmt: skip

    def begin(self, *start: str, **rest: object) -> subprocess.Popen[str]:
        return subprocess.Popen(
            self.command(*start), env=self.env, text=True, start_new_session=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, **rest,
        )  # type: ignore[call-overload]  # fmt: skip

    def end(self, process: subprocess.Popen[str], seconds: float | None = None) -> int:
        """Wait for a process, or kill it after some seconds; it leaves no traceback."""
        try:
            _, err = process.communicate(timeout=seconds if seconds is not None else 120)
        except subprocess.TimeoutExpired:
            assert seconds is not None, "it hangs"
            process.kill()
            _, err = process.communicate(timeout=60)
        assert "Traceback" not in err, (self.seed, err)
        assert "internal error" not in err, (self.seed, err)
        return process.returncode


def killed(each: Round) -> None:
    each.end(each.begin(), each.random.uniform(0.2, 2.5))


def full(each: Round) -> None:
    most = each.random.randrange(60_000, 90_000)

    def little_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))

    assert each.end(each.begin(preexec_fn=little_room)) in (0, 3)


def two_writers(each: Round) -> None:
    both = [each.begin(), each.begin()]
    assert {each.end(process) for process in both} <= {0, 3}


def killed_writer(each: Round) -> None:
    other = each.begin()
    each.end(each.begin(), each.random.uniform(0.2, 2.0))
    assert each.end(other) in (0, 3)


def clock(each: Round) -> None:
    assert each.end(each.begin(sys.executable, "-c", CLOCK, str(each.seed))) in (0, 3)


def bytes_changed(each: Round) -> None:
    file = Path(each.where)
    if not file.exists():
        return
    data = bytearray(file.read_bytes())
    for _ in range(each.random.choice([1, 1, 4, 40])):
        if data:
            data[each.random.randrange(len(data))] = each.random.randrange(256)
    file.write_bytes(data)
    assert each.end(each.begin()) in (0, 2, 3)


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
        code = None
        if each.random.random() < 0.5:
            code = each.end(process, each.random.uniform(0.2, 2.0))
        admin.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true".encode())
    assert (each.end(process) if code is None else code) in (0, 3, -signal.SIGKILL)


def mended(where: str, folder: Path, true: dict[str, int]) -> tuple[str, bool]:
    """Check every row; where a file is damaged, save what can be saved as the messages say."""
    if "://" not in where and not Path(where).exists():
        return where, False
    saved, anew = folder / "saved.csv", str(folder / "anew.sqlite")

    def satcal(*arguments: str) -> subprocess.CompletedProcess[str]:
        said = subprocess.run(
            [*SATCAL, "store", *arguments], capture_output=True, text=True, check=False, timeout=120
        )
        assert "Traceback" not in said.stderr, said.stderr
        assert "internal error" not in said.stderr, said.stderr
        return said

    code = satcal("check", "--store", where).returncode
    assert code in (0, 2, 3)
    if code:
        for rest in [saved, *folder.glob("anew.sqlite*")]:
            rest.unlink(missing_ok=True)
        satcal("export", "--store", where, "-o", str(saved))
        if saved.exists():
            assert satcal("import", str(saved), "--store", anew).returncode == 0
        for end in ("", "-wal", "-shm"):
            Path(f"{where}{end}").unlink(missing_ok=True)
        if Path(anew).exists():
            Path(anew).rename(where)
    if "://" in where or Path(where).exists():
        with Store(located(where)) as store:
            assert check(store).sound
            for row in store.rows():
                assert row.tilings == true[row.reveal], row
    return where, bool(code)


def rounds(where: str, folder: Path, faults: list[Fault], number: int) -> Counter[str]:
    """Do rounds of one to three faults each; return how often each fault was met."""
    puzzle = load("a-puzzle-a-day")
    with COUNTS.open() as table:
        lines = list(csv.DictReader(line for line in table if not line.startswith("#")))
    labels = list(puzzle.categories)
    true = {reveal_key([line[name] for name in labels]): int(line["tilings"]) for line in lines}
    met: Counter[str] = Counter()
    for seed in range(number):
        each = Round(where, folder, seed)
        for fault in each.random.choices(faults, k=each.random.randint(1, 3)):
            fault(each)
            met[fault.__name__] += 1
        met["damaged stores"] += mended(where, folder, true)[1]
        said = subprocess.run(
            [*SATCAL, "count", "--method", "sat", "--from", each.dates[0], "--to", each.dates[-1],
             "--format", "csv", "--quiet"],
            env=each.env, capture_output=True, text=True, check=False, timeout=120,
        )  # fmt: skip
        assert (said.returncode, said.stderr) == (0, ""), (seed, said.stderr)
        for line in csv.DictReader(said.stdout.splitlines()):
            assert int(line["tilings"]) == true[reveal_key([line[name] for name in labels])]
    print(dict(met))
    return met


HERE: list[Fault] = [killed, full, two_writers, killed_writer, clock, bytes_changed]
AWAY: list[Fault] = [killed, two_writers, killed_writer, clock, server_gone, server_gone]
LONG = int(os.environ.get("SATCAL_ROUNDS", "0"))


@pytest.mark.long
def test_two_hundred_rounds_of_faults_on_a_file(tmp_path: Path) -> None:
    assert rounds(str(tmp_path / "store.sqlite"), tmp_path, HERE, LONG or 200)["killed"]


@pytest.mark.long
def test_forty_rounds_of_faults_on_a_server(tmp_path: Path, server: str) -> None:
    assert rounds(new_database(server), tmp_path, AWAY, LONG or 40)["server_gone"]
