"""The commands of the command line, and programs that tests run."""

from __future__ import annotations

import csv
import io
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import click

from helpers.programs import need
from satcal.cli.main import COMMANDS, cli


def commands() -> Iterator[tuple[str, click.Command]]:
    """Yield the words and the command of each command that has options of its own."""
    for name in COMMANDS:
        command = cli.get_command(click.Context(cli), name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from ((f"{name} {own}", each) for own, each in command.commands.items())
        else:
            yield name, command


def run(*command: str) -> str:
    """Return what a program prints."""
    if command[0] != sys.executable:
        need(command[0])
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=120, stdin=subprocess.DEVNULL
    )
    return done.stdout


Fake = Callable[[str, str], Path]


@dataclass
class Said:
    """What a command said, and its exit code."""

    code: int
    out: str
    err: str

    def rows(self) -> list[dict[str, str]]:
        """Return the records of a table in CSV."""
        return list(csv.DictReader(io.StringIO(self.out)))
