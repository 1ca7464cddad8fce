"""The directive ``options`` of the page of commands: what a command does, and its options."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import click
from docutils import nodes
from docutils.parsers.rst import Directive

from satcal.cli.main import cli


def prose(text: str) -> list[nodes.Node]:
    """Return text as nodes; text between backticks and names of options are code."""
    return [
        nodes.literal(text=part.strip("`")) if part[0] in "`-" else nodes.Text(part)
        for part in re.split(r"(`[^`]+`|(?<!\S)--?[a-z][\w-]*)", text)
        if part
    ]


def in_words(help_text: str) -> str:
    """Return the help of an option with the range that click adds in words.

    >>> in_words("Processes.  [1<=x<=9]"), in_words("At most N.  [x>=1]")
    ('Processes. From 1 to 9.', 'At most N. At least 1.')
    """
    text = re.sub(r"  \[([\d.]+)<=x<=([\d.]+)\]$", r" From \1 to \2.", help_text)
    return re.sub(r"  \[x>=([\d.]+)\]$", r" At least \1.", text)


def paragraphs(command: click.Command) -> Iterator[nodes.Node]:
    """Yield the paragraphs of a command's help."""
    for paragraph in re.split(r"\n\s*\n", (command.help or "").replace("\b\n", "")):
        yield nodes.paragraph("", "", *prose(" ".join(paragraph.split())))


def listed(command: click.Command) -> nodes.definition_list:
    """Return the options of a command, in the order of its help."""
    context = click.Context(command)
    options = sorted(command.params, key=lambda option: not hasattr(option, "section"))
    items = []
    for option in options:
        record = option.get_help_record(context) if isinstance(option, click.Option) else None
        if record is not None:
            term = nodes.term("", "", nodes.literal(text=record[0]))
            definition = nodes.definition("", nodes.paragraph("", "", *prose(in_words(record[1]))))
            items.append(nodes.definition_list_item("", term, definition))
    return nodes.definition_list("", *items, classes=["options"])


def described(name: str, command: click.Command) -> Iterator[nodes.Node]:
    """Yield a command's usage and options, or those of the commands of a group."""
    yield from paragraphs(command)
    if isinstance(command, click.Group):
        for own, each in command.commands.items():
            yield nodes.rubric("", f"{name} {own}")
            yield from described(f"{name} {own}", each)
        return
    usage = " ".join(["satcal", name, *command.collect_usage_pieces(click.Context(command))])
    yield nodes.literal_block(usage, usage, language="text")
    yield listed(command)


class Options(Directive):
    """What a command does, and its options, under the heading that its page has already."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the nodes of a command."""
        (name,) = self.arguments
        command = cli.get_command(click.Context(cli), name)
        if command is None:
            raise self.error(f"there is no command {name!r}")
        return list(described(name, command))


def setup(app: Any) -> None:
    """Add the directive, as Sphinx asks."""
    app.add_directive("options", Options)
