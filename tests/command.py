"""A command line that runs in this process, and deadlines that need no clock."""

from __future__ import annotations

import asyncio
import csv
import datetime
import io
import sys
import time
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

import click
from click.testing import CliRunner

import satcal.processes as processes
from satcal.cli.main import COMMANDS, cli
from satcal.cli.main import run as run_satcal

T = TypeVar("T")


@dataclass(frozen=True)
class Answer:
    """What a command line printed, and its exit code."""

    code: int
    out: str
    err: str

    @property
    def rows(self) -> list[dict[str, str]]:
        """The records of a table in CSV."""
        return list(csv.DictReader(io.StringIO(self.out)))


def run_in_process(arguments: list[str], day: datetime.date, text: str | None = None) -> Answer:
    """Run a command line whose output goes into a pipe, on some day; ``text`` is its input."""
    with CliRunner().isolation(input=text) as (out, err, _):
        code = run_satcal(arguments, today=day)
        sys.stdout.flush()
        sys.stderr.flush()
        return Answer(code, out.getvalue().decode(), err.getvalue().decode())


def commands(*names: str) -> Iterator[tuple[str, click.Command]]:
    """Yield the words and the command of each command that has options of its own."""
    for name in names or COMMANDS:
        command = cli.get_command(click.Context(cli), name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from ((f"{name} {own}", each) for own, each in command.commands.items())
        else:
            yield name, command


class InProcess:
    """A worker that does its tasks in the process that asks: no test but those of processes forks.

    What an iterating call yields comes as it is asked for.
    """

    def __init__(self, *settings: Any, **more: Any) -> None:
        self.process = self.pipe = self
        self.replies: Iterator[processes.Reply] = iter(())

    def ask(self, call: processes.Call) -> None:
        """Take a call."""
        self.replies = self.work(call)

    def work(self, call: processes.Call) -> Iterator[processes.Reply]:
        """Yield what the worker says."""
        try:
            if call.fn is processes.tell_each:
                produce, arguments = call.args  # as LocalProcesses.iterate asks
                for value in produce(*arguments):
                    yield processes.Reply(value, None, False)
                yield processes.Reply(None, None, True)
                return
            yield processes.Reply(call.fn(*call.args, **call.kwargs), None, True)
        except Exception as error:
            yield processes.Reply(None, error, True)

    def poll(self, seconds: float | None) -> bool:
        """Return that there is an answer."""
        return True

    def answer(self) -> processes.Reply:
        """Return the next answer."""
        return next(self.replies)

    def nothing(self, *arguments: Any) -> bool:
        """Do nothing, as a process that has ended."""
        return False

    terminate = join = kill = is_alive = nothing


class Clock:
    """The module ``time`` for a module of satcal, with a clock that a test sets forward."""

    def __init__(self) -> None:
        self.later = 0.0

    def monotonic(self) -> float:
        """Return the reading of the clock."""
        return time.monotonic() + self.later

    def sleep(self, seconds: float) -> None:
        """Sleep as the module does."""
        time.sleep(seconds)  # noqa: TID251 - not the test, but what it tests


class Deadline(float):
    """A ``time.monotonic()`` reading that has passed from the n-th look at the clock on.

    ``clock >= deadline`` asks the deadline first, because its class is a subclass of float.
    """

    def __new__(cls, looks: int = 1) -> Deadline:
        """Make a deadline in the far future that nobody waits for."""
        made = super().__new__(cls, "inf")
        made.left = looks
        return made

    left: int

    def __le__(self, now: Any) -> bool:
        self.left -= 1
        return self.left <= 0

    __lt__ = __le__


def run_alone(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in a thread of its own: a browser's loop may be running in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()
