"""The commands of the command line, as click knows them."""

from __future__ import annotations

from collections.abc import Iterator

import click

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
