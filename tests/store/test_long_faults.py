"""Faults at random, several at a time, round after round; no number is ever another one.

Whatever happens: no traceback, every row that can be believed is that of results/counts, and the
same command, undisturbed, prints the whole table in the end.
"""

from __future__ import annotations

import csv
import os
import random
import subprocess
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest

from helpers.stores import SATCAL, away, begin, believed, new_schema
from satcal.published.own_tables import results_folder

DAYS = [f"2025-10-{day:02}" for day in range(1, 16)]  # with few tilings, so that rounds are short


def numbers(text: str) -> dict[str, str]:
    """Return the tilings of a table by the keys of its reveals."""
    lines = (line for line in text.splitlines() if not line.startswith("#"))
    return {
        " ".join(sorted([row["month"], row["day"]])): row["tilings"]
        for row in csv.DictReader(lines)
    }


TRUE = numbers((results_folder() / "counts" / "a-puzzle-a-day.csv").read_text())


class Round:
    """One store and what happens to it, at random by a seed."""

    def __init__(self, where: str, folder: Path, seed: int) -> None:
        self._where, self._folder, self._random = where, folder, random.Random(seed)
        first = self._random.randrange(len(DAYS) - 3)
        self._range = ["--from", DAYS[first], "--to", DAYS[first + 3], "--format", "csv"]

    def _count(self) -> subprocess.Popen[str]:
        how = ["--method", self._random.choice(["sat"] * 7 + ["search"]), "--jobs", "2"]
        return self._begin("count", *self._range, *how, *self._random.choice([[], ["--fresh"]]))

    def _begin(self, *arguments: str) -> subprocess.Popen[str]:
        return begin([*SATCAL, *arguments], self._folder, self._where)

    def _end(self, process: subprocess.Popen[str], seconds: float = 120, code: int = 3) -> str:
        """Wait for a process, or kill it after some seconds; it stops as it should."""
        try:
            out, err = process.communicate(timeout=seconds)
            assert process.returncode <= code, err
        except subprocess.TimeoutExpired:
            assert seconds < 120, "it hangs"
            process.kill()
            out, err = process.communicate(timeout=60)
        assert "Traceback" not in err, err
        assert "internal error" not in err, err
        return out

    def killed(self) -> None:
        self._end(self._count(), self._random.uniform(0.2, 2.5))

    def two_writers(self) -> None:
        other = self._count()
        self.killed()
        self._end(other)

    def bytes_changed(self) -> None:
        file = Path(self._where)
        data = bytearray(file.read_bytes() if file.exists() else b"")
        for _ in range(self._random.choice([1, 1, 4, 40]) if data else 0):
            data[self._random.randrange(len(data))] = self._random.randrange(256)
        file.write_bytes(data)
        self._end(self._count())

    def server_gone(self) -> None:
        process = self._count()
        with suppress(subprocess.TimeoutExpired):  # it may be quicker
            process.wait(self._random.uniform(0.1, 0.6))
        with away(self._where):
            if self._random.random() < 0.5:  # back too late
                self._end(process, self._random.uniform(0.2, 2.0))
        if process.returncode is None:
            self._end(process)

    def mend(self) -> None:
        """Check every row; where a file is damaged, save what can be saved as the messages say."""
        if "://" in self._where or Path(self._where).exists():
            check = self._begin("store", "check")
            self._end(check)
            if check.returncode:
                self._rescue()
            for row in believed(self._where):
                assert str(row.tilings) == TRUE[row.reveal], row
        out = self._end(self._begin("count", "--method", "sat", *self._range, "--quiet"), code=0)
        assert numbers(out).items() <= TRUE.items()

    def _rescue(self) -> None:
        saved, anew = self._folder / "saved.csv", self._folder / "anew.sqlite"
        self._end(self._begin("store", "export", "-o", str(saved)))
        for end in ("", "-wal", "-shm"):
            Path(f"{self._where}{end}").unlink(missing_ok=True)
        if saved.exists():
            self._end(self._begin("store", "import", str(saved), "--store", str(anew)), code=0)
            saved.unlink()
            anew.rename(self._where)


FILE = ("killed", "two_writers", "bytes_changed")
SERVER = ("killed", "two_writers", "server_gone")


@pytest.mark.promise("a damaged store")
@pytest.mark.long
@pytest.mark.parametrize(("faults", "rounds"), [(FILE, 200), (SERVER, 40)], ids=["file", "server"])
def test_hundreds_of_faults_at_random(tmp_path, request, faults, rounds):
    met: Counter[str] = Counter()
    file, server = str(tmp_path / "store.sqlite"), faults == SERVER
    where = new_schema(request.getfixturevalue("server")) if server else file
    for seed in range(int(os.environ.get("SATCAL_ROUNDS", rounds))):
        each, generator = Round(where, tmp_path, seed), random.Random(seed)
        for fault in generator.choices(faults, k=generator.randint(1, 3)):
            getattr(each, fault)()
            met[fault] += 1
        each.mend()
    print(dict(met))
    assert seed < 39 or set(faults) <= met.keys()
