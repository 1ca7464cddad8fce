"""A command line that runs in this process, and deadlines that need no clock."""

import asyncio
import csv
import io
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import click
from click.testing import CliRunner

import satcal.processes as processes
from satcal.cli.main import COMMANDS, cli
from satcal.cli.main import run as run_satcal


@dataclass(frozen=True)
class Answer:
    """What a command line printed, and its exit code."""

    code: int
    out: str
    err: str

    @property
    def rows(self):
        """The records of a table in CSV."""
        return list(csv.DictReader(io.StringIO(self.out)))


def run_in_process(arguments, day, text=None):
    """Run a command line whose output goes into a pipe, on some day; ``text`` is its input."""
    with CliRunner().isolation(input=text) as (out, err, _):
        code = run_satcal(arguments, today=day)
        sys.stdout.flush()
        sys.stderr.flush()
        return Answer(code, out.getvalue().decode(), err.getvalue().decode())


def commands(*names):
    """Yield the words and the command of each command that has options of its own."""
    for name in names or COMMANDS:
        command = cli.get_command(click.Context(cli), name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from ((f"{name} {sub}", each) for sub, each in command.commands.items())
        else:
            yield name, command


class InProcess:
    """A worker that does its tasks in the process that asks: no test but those of processes forks.

    What an iterating call yields comes as it is asked for.
    """

    def __init__(self, *settings, **more):
        self.process = self.pipe = self
        self.replies = iter(())

    def ask(self, call):
        """Take a call."""
        self.replies = self.work(call)

    def work(self, call):
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

    def poll(self, seconds):
        """Return that there is an answer."""
        return True

    def answer(self):
        """Return the next answer."""
        return next(self.replies)

    def nothing(self, *arguments):
        """Do nothing, as a process that has ended."""
        return False

    terminate = join = kill = is_alive = nothing


class Clock:
    """The module ``time`` for a module of satcal, with a clock that a test sets forward."""

    def __init__(self):
        self.later = 0.0

    def monotonic(self):
        """Return the reading of the clock."""
        return time.monotonic() + self.later

    def sleep(self, seconds):
        """Sleep as the module does."""
        time.sleep(seconds)  # noqa: TID251 - not the test, but what it tests


class Deadline(float):
    """A ``time.monotonic()`` reading that has passed from the n-th look at the clock on.

    ``clock >= deadline`` asks the deadline first, because its class is a subclass of float.
    """

    def __new__(cls, looks=1):
        """Make a deadline in the far future that nobody waits for."""
        made = super().__new__(cls, "inf")
        made.left = looks
        return made

    def __le__(self, now):
        self.left -= 1
        return self.left <= 0

    __lt__ = __le__


def run_alone(coroutine):
    """Run a coroutine in a thread of its own: a browser's loop may be running in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()
