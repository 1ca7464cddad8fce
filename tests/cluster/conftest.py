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

FARM = Path(__file__).with_name("farm.py")


@dataclass
class Farm:
    """A scheduler and workers on this machine, each a process that a test may kill."""

    address: str = ""
    scheduler: subprocess.Popen[str] | None = None
    workers: dict[str, subprocess.Popen[str]] = field(default_factory=dict)

    def begin(self, **settings: str) -> None:
        self.scheduler, self.address = start("scheduler", **settings)

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

    def kill(self, process: subprocess.Popen[str]) -> None:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()

    def end(self) -> None:
        for process in [*self.workers.values(), self.scheduler]:
            if process is not None:
                self.kill(process)


def start(*arguments: str, **settings: str) -> tuple[subprocess.Popen[str], str]:
    # a folder that pytest puts on the path, for the tasks of the tests themselves
    paths = {"PYTHONPATH": os.pathsep.join([str(FARM.parent), str(FARM.parents[2])])}
    process = subprocess.Popen(
        [sys.executable, str(FARM), *arguments], stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True, env=os.environ | paths | settings,
    )  # fmt: skip
    assert process.stdout is not None
    return process, process.stdout.readline().strip()


@pytest.fixture
def farm(monkeypatch: pytest.MonkeyPatch) -> Iterator[Farm]:
    """A scheduler without workers."""
    monkeypatch.setattr(cluster, "PATIENCE", 3.0)
    made = Farm()
    try:
        made.begin(DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES="1")
        yield made
    finally:
        made.end()
