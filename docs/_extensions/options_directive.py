"""For the page of commands: the directive ``options`` of a command, and once ``shared-options``.

What several commands say of an option in the same words is said once, by group; a command's own
section lists what is its own, and names the rest.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import click
from docutils import nodes
from docutils.parsers.rst import Directive

from satcal.cli.main import COMMANDS, cli
from satcal.cli.option_groups import GROUPS

SEVERAL = 3  # commands that describe an option in the same words
Record = tuple[str, str]


def command_of(name: str) -> click.Command | None:
    """Return a command of satcal."""
    return cli.get_command(click.Context(cli), name)


def below(name: str, command: click.Command) -> Iterator[tuple[str, click.Command]]:
    """Yield a command, or those of a group."""
    if isinstance(command, click.Group):
        yield from ((f"{name} {own}", each) for own, each in command.commands.items())
    else:
        yield name, command


def records(command: click.Command) -> Iterator[tuple[str, Record]]:
    """Yield the parameter and the help of each option."""
    ctx = click.Context(command)
    for parameter in command.params:
        record = parameter.get_help_record(ctx) if isinstance(parameter, click.Option) else None
        if record is not None:
            yield parameter.name or "", record


def shared() -> dict[str, Record]:
    """Return the options that several commands have, with what most of them say."""
    every: dict[str, Counter[Record]] = {name: Counter() for own in GROUPS.values() for name in own}
    for name in COMMANDS:
        command = command_of(name)
        assert command is not None
        for _, each in below(name, command):
            for parameter, record in records(each):
                if parameter in every:
                    every[parameter][record] += 1
    most = {name: found.most_common(1)[0] for name, found in every.items()}
    return {name: record for name, (record, times) in most.items() if times >= SEVERAL}


def prose(text: str) -> list[nodes.Node]:
    """Text as nodes; what stands between backticks is code."""
    parts = re.split(r"(`[^`]+`)", text)
    return [
        nodes.literal(text=part.strip("`")) if part.startswith("`") else nodes.Text(part)
        for part in parts
        if part
    ]


def listed(found: list[Record]) -> nodes.definition_list:
    """A list of options, with what each does."""
    items = [
        nodes.definition_list_item(
            "",
            nodes.term("", "", nodes.literal(text=option)),
            nodes.definition("", nodes.paragraph("", "", *prose(text))),
        )
        for option, text in found
    ]
    return nodes.definition_list("", *items, classes=["options"])


def short(option: str) -> str:
    """The long name of an option, as in ``--reveal``."""
    match = re.search(r"--[\w-]+", option)
    assert match
    return match[0]


class Options(Directive):
    """What a command does, and its options, under the heading that its page has already."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the nodes of a command, or of each command of a group."""
        command = command_of(self.arguments[0])
        if command is None:
            raise self.error(f"there is no command {self.arguments[0]!r}")
        found: list[nodes.Node] = list(self.said(command))
        for name, each in below(self.arguments[0], command):
            if each is not command:
                found += [nodes.rubric("", name), *self.said(each)]
            found += self.options_of(name, each)
        return found

    def said(self, command: click.Command) -> Iterator[nodes.Node]:
        """Yield the paragraphs of a command's help."""
        for paragraph in re.split(r"\n\s*\n", (command.help or "").replace("\b\n", "")):
            yield nodes.paragraph("", "", *prose(" ".join(paragraph.split())))

    def options_of(self, name: str, command: click.Command) -> Iterator[nodes.Node]:
        """Yield a command's usage, its own options, and the names of those that it shares."""
        pieces = command.collect_usage_pieces(click.Context(command))
        usage = " ".join(["satcal", name, *pieces])
        yield nodes.literal_block(usage, usage, language="text")
        common = shared()
        found = list(records(command))
        own = [record for parameter, record in found if common.get(parameter) != record]
        if own:
            yield listed(own)
        others = [
            short(record[0]) for parameter, record in found if common.get(parameter) == record
        ]
        if others:
            text = nodes.reference("", "Shared", refid="shared-options", internal=True)
            line = nodes.paragraph("", "", text, nodes.Text(": "), classes=["shared"])
            for number, each in enumerate(others):
                line += [nodes.Text(", " if number else ""), nodes.literal(text=each)]
            yield line


class SharedOptions(Directive):
    """The options that commands share, group by group."""

    def run(self) -> list[nodes.Node]:
        """Return a list for each group."""
        common = shared()
        found: list[nodes.Node] = []
        for title, names in GROUPS.items():
            group = [common[name] for name in names if name in common]
            if group:
                found += [nodes.rubric("", title), listed(group)]
        return found


def setup(app: Any) -> None:
    """Called by Sphinx."""
    app.add_directive("options", Options)
    app.add_directive("shared-options", SharedOptions)
