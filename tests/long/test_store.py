"""Stores under writers and servers that are killed: nothing is lost, wrong or doubled."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from contextlib import closing

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


def start(where: str, first: int) -> subprocess.Popen[str]:
    """Start a process that writes."""
    command = [sys.executable, __file__, where, str(first)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def check(where: str, reported: set[int]) -> None:
    """Compare what is stored with what was reported and with the truth."""
    with closing(open_store(where)) as store:
        rows = store.list_rows()
    stored = [int(row.reveal.split()[0]) for row in rows]
    print(f"reported {len(reported):,}, stored {len(stored):,}")
    assert reported and reported <= set(stored)
    assert len(stored) == len(set(stored))
    assert [row.tilings for row in rows] == [truth(number) for number in stored]


def lines_until(child: subprocess.Popen[str], number: int) -> list[str]:
    """Return the first lines of a process."""
    assert child.stdout is not None
    return [child.stdout.readline() for _ in range(number)]


def ended(child: subprocess.Popen[str]) -> tuple[list[str], str]:
    """Return the other lines of a process that ends, and its complaints."""
    assert child.stdout is not None and child.stderr is not None
    with child, child.stdout, child.stderr:
        return child.stdout.readlines(), child.stderr.read()


def numbers_in(lines: list[str]) -> set[int]:
    """Return the numbers in whole lines."""
    return {int(word) for line in lines if line.endswith("\n") for word in line.split()}


def test_thirty_kills_of_two_writers(url):
    generator, reported = random.Random(1), set[int]()
    for _ in range(30):
        first = max(reported, default=0)
        children = [start(url, first), start(url, first + 20)]
        wanted = generator.randrange(1, 60)
        said = [lines_until(child, wanted) for child in children]
        for child in children:
            child.send_signal(signal.SIGKILL)
        for child, lines in zip(children, said, strict=True):
            rest, err = ended(child)
            assert "Traceback" not in err
            reported |= numbers_in(lines + rest)
    check(url, reported)


@pytest.mark.needs("postgres")
def test_six_crashes_of_a_database_and_its_writers():
    from databases import running_database  # not in the processes that write

    with running_database() as database:
        where, reported = database.new_schema(), set[int]()
        for _ in range(6):
            child = start(where, max(reported, default=0))
            lines = lines_until(child, 20)
            database.stop()
            child.kill()
            reported |= numbers_in(lines + ended(child)[0])
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
