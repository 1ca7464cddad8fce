from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from distributed import Client

from satcal.counting import cluster

FOLDER = Path(__file__).parent


@dataclass
class Farm:
    """A scheduler and workers on this machine, each a process that a test may kill."""

    address: str = ""
    scheduler: subprocess.Popen[str] | None = None
    workers: dict[str, subprocess.Popen[str]] = field(default_factory=dict)

    def begin(self) -> None:
        self.scheduler, self.address = start("scheduler")

    def add(self, version: str = "") -> str:
        """Add a worker and return its address."""
        process, address = start("worker", self.address, *filter(None, [version]))
        self.workers[address] = process
        return address

    def finished(self) -> int:
        """How many tasks the scheduler has seen finished."""
        return self._ask(
            lambda dask_scheduler: sum(
                (entry[1], entry[2]) == ("processing", "memory")
                for entry in dask_scheduler.transition_log
            )
        )

    def known(self) -> int:
        """How many tasks the scheduler has on its hands."""
        return self._ask(lambda dask_scheduler: len(dask_scheduler.tasks))

    def _ask(self, question: Callable[..., int]) -> int:
        with Client(self.address, set_as_default=False) as client:
            return client.run_on_scheduler(question)

    def end(self) -> None:
        for process in [*self.workers.values(), self.scheduler]:
            if process is not None:
                process.kill()
                process.communicate()


def start(*arguments: str) -> tuple[subprocess.Popen[str], str]:
    # the folder that pytest puts on the path, for the tasks of the tests themselves
    path = {"PYTHONPATH": os.pathsep.join([str(FOLDER), str(FOLDER.parents[1])])}
    process = subprocess.Popen(
        [sys.executable, str(FOLDER / "farm.py"), *arguments], stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True,
        env=os.environ | path | {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1"},
    )  # fmt: skip
    return process, process.stdout.readline().strip()


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "PATIENCE", 2.0)


@pytest.fixture
def farm() -> Iterator[Farm]:
    """A scheduler without workers, for a test that kills."""
    yield from begun()


@pytest.fixture(scope="session")
def shared() -> Iterator[Farm]:
    """A scheduler and one worker, for tests that leave them as they are."""
    for made in begun():
        made.add()
        yield made


def begun() -> Iterator[Farm]:
    made = Farm()
    try:
        made.begin()
        yield made
    finally:
        made.end()
