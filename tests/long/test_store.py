"""Stores under writers and servers that are killed: nothing is lost, wrong or doubled."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from satcal.errors import StoreFull
from satcal.store.counts import Key
from satcal.store.opening import Store, open_store

pytestmark = pytest.mark.long
KEY = Key("ab" * 32, "", "sat 0123456789abcdef")


def truth(number: int) -> int:
    """Return the only right count of a made-up reveal; every seventh is beyond 2**63."""
    return number * 7919 % 3421 + (10**25 if number % 7 == 0 else 0)


def put(store: Store, *numbers: int) -> list[str]:
    """Put the counts of made-up reveals."""
    return store.put(KEY, {("day", str(number)): truth(number) for number in numbers})


def write(where: str, first: int) -> None:
    """Put counts for ever, and print each number when it is reported as stored."""
    store, number = open_store(where), first
    while True:
        numbers = range(number, number + 1 + number % 4)
        assert put(store, *numbers) == []
        print(*numbers, flush=True)
        number = numbers[-1] + 1


def start(where: str, first: int, output: Path) -> subprocess.Popen[bytes]:
    """Start a process that writes; its numbers and its complaints go into a file."""
    command = [sys.executable, __file__, where, str(first)]
    with open(output, "w") as file:
        return subprocess.Popen(command, stdout=file, stderr=subprocess.STDOUT)


def read_numbers(output: Path) -> set[int]:
    """Return the numbers in the whole lines of a file."""
    lines = re.findall(r"^([\d ]+)\n", output.read_text(), re.MULTILINE)
    return {int(word) for line in lines for word in line.split()}


def wait_for_numbers(output: Path, wanted: int) -> None:
    """Wait until a process has written so many numbers into a file."""
    from helpers.waiting import until  # not in the processes that write

    until(lambda: len(read_numbers(output)) >= wanted)


def check(where: str, reported: set[int]) -> None:
    """Compare what is stored with what was reported and with the truth."""
    with closing(open_store(where)) as store:
        rows = store.list_rows()
    stored = [int(row.reveal.split()[0]) for row in rows]
    print(f"reported {len(reported):,}, stored {len(stored):,}")
    assert reported and reported <= set(stored)
    assert len(stored) == len(set(stored))
    assert [row.tilings for row in rows] == [truth(number) for number in stored]


def test_thirty_kills_of_two_writers(url, tmp_path):
    generator, reported = random.Random(1), set[int]()
    for turn in range(30):
        first = max(reported, default=0)
        outputs = [tmp_path / f"{turn}.{number}" for number in range(2)]
        children = [start(url, first + 20 * n, output) for n, output in enumerate(outputs)]
        wanted = generator.randrange(1, 60)
        for child, output in zip(children, outputs, strict=True):
            wait_for_numbers(output, wanted)
            child.kill()
            child.wait()
            assert "Traceback" not in output.read_text()
            reported |= read_numbers(output)
    check(url, reported)


@pytest.mark.needs("postgres")
def test_six_crashes_of_a_database_and_its_writers(tmp_path):
    from databases import running_database  # not in the processes that write

    with running_database() as database:
        where, reported = database.new_schema(), set[int]()
        for turn in range(6):
            child = start(where, max(reported, default=0), output := tmp_path / str(turn))
            wait_for_numbers(output, 20)
            database.stop()
            child.kill()
            child.wait()
            reported |= read_numbers(output)
            database.start()
        check(where, reported)


def test_a_full_disk(tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=400k", "none", str(disk)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("no right to mount a small disk")
    try:
        where, number = str(disk / "counts.sqlite"), 0
        (disk / "fill").write_bytes(bytes(150_000))
        with closing(open_store(where)) as store:
            with pytest.raises(StoreFull):
                while True:
                    put(store, number)
                    number += 1
            assert len(store.list_rows()) == number
        check(where, set(range(number)))
        (disk / "fill").unlink()
        with closing(open_store(where)) as store:
            put(store, *range(number, number + 50))
        check(where, set(range(number + 50)))
    finally:
        subprocess.run(["umount", str(disk)], check=True)


if __name__ == "__main__":
    write(sys.argv[1], int(sys.argv[2]))
