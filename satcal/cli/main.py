"""The command ``satcal``: every error becomes a text and an exit code."""

from __future__ import annotations

import errno
import importlib
import io
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, TextIO

import click
from click.shell_completion import CompletionItem

from satcal.errors import SatcalError, Stopped, did_you_mean
from satcal.version import __version__

COMMANDS = {
    "boards": ("boards", "List the library of puzzles."),
    "show": ("boards", "Draw a board and its pieces, and count placements."),
    "new": ("make", "Write a puzzle file to start from, with each key explained."),
    "lint": ("make", "Say all that is wrong with a puzzle file, and what is odd."),
    "solve": ("solve", "Find a tiling for each date."),
    "count": ("count", "Count the tilings of each date."),
    "survey": ("stats", "Count the tilings for every set of cells left uncovered."),
    "verify": ("count", "Count each date by several methods and compare."),
    "plan": ("plan", "Estimate what counting these dates will need."),
    "export": ("export", "Write formulas for external solvers."),
    "decode": ("export", "Turn an external solver's answer into verified tilings."),
    "certify": ("certify", "Write certificates: tilings, and proofs of no others."),
    "check": ("certify", "Check certificates."),
    "cross-check": ("cross_check", "Let external programs count, and compare."),
    "claims": ("claims", "Check published statements."),
    "hint": ("solve", "Help with a partly filled board, which --place describes."),
    "draw": ("draw", "Draw a picture: SVG, PNG or PDF."),
    "stats": ("stats", "Plot the counts of many dates, or write their numbers."),
    "animate": ("draw", "Animate a search, the SAT loop, or the tilings of many dates."),
    "browse": ("solve", "Browse dates and tilings full-screen, by keys and mouse."),
    "cache": ("cache", "Look at the diagrams that are kept, or remove them."),
    "design": ("design", "Search for sets of pieces that solve every date of a board."),
    "check-design": ("check_design", "Report all that a maker wants to know of a puzzle."),
    "arrange": ("design", "Move the labels so that every date has enough tilings."),
    "store": ("store", "Look after the finished counts that are kept."),
    "serve": ("serve", "Serve the HTTP API and the page."),
    "site": ("site", "Write the page as plain files."),
}
"""Of each command its file in this folder, and its line in the help."""


OLD = {
    "boards --json": ["--format", "json"],
    "show --json": ["--format", "json"],
    "solve --format board": ["--format", "text"],
    "decode --format board": ["--format", "text"],
    "cross-check --timeout": ["--time-limit"],
}
"""Words of an earlier version, and those of today; they go with the next version."""


def modern(command: str, words: list[str]) -> list[str]:
    """Return a command's words in those of today, with a warning for each old one."""
    pairs = [word.split("=", 1) if word.startswith("--") else [word] for word in words]
    words = [part for pair in pairs for part in pair]
    for old, new in OLD.items():
        name, *form = old.split()
        for at in range(len(words)):
            if name == command and words[at : at + len(form)] == form:
                said = f"{' '.join(form)} is {' '.join(new)} now; a later version knows only that"
                print(f"satcal: {said}", file=sys.stderr)
                words[at : at + len(form)] = new
    return words


class Commands(click.Group):
    """A group that imports a command's file to run the command, not to list it."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Return the command of that name."""
        if name not in COMMANDS:
            return None
        module = importlib.import_module(f"satcal.cli.{COMMANDS[name][0]}")
        command: click.Command = getattr(module, name.replace("-", "_"))
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return a command and what is left of the words, in those of today."""
        if args[0] not in COMMANDS and not (args[0].startswith("-") or ctx.resilient_parsing):
            raise click.UsageError(f"no command '{args[0]}'{did_you_mean(args[0], COMMANDS)}", ctx)
        name, command, rest = super().resolve_command(ctx, args)
        return name, command, modern(name or "", rest)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the commands and options that begin so."""
        commands = [
            CompletionItem(name, help=text)
            for name, (_, text) in COMMANDS.items()
            if name.startswith(incomplete)
        ]
        return commands + click.Command.shell_complete(self, ctx, incomplete)


@click.group(
    cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "show_default": True}
)
@click.version_option(__version__, "-V", "--version", prog_name="satcal")
def cli() -> None:
    """Count, list and prove the tilings of calendar puzzles.

    \b
    satcal count --board rhombus --year 2025     how many tilings has each date?
    satcal solve                                 a tiling for today
    satcal show rhombus                          the board and its pieces

    Shell completion: eval "$(_SATCAL_COMPLETE=bash_source satcal)" (or zsh_source,
    fish_source).
    """


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit; nobody sees a traceback."""
    try:
        sys.stdout, sys.stderr = _guarded(sys.stdout, "output"), _guarded(sys.stderr, "error")
        code = run(arguments)
        sys.stdout.flush()
    except StreamLost as lost:
        code = lost.say()
    sys.exit(code)


class StreamLost(BaseException):
    """A standard stream cannot be written; as to Ctrl-C, no command has an answer."""

    def __init__(self, name: str, error: OSError) -> None:
        super().__init__(f"standard {name} cannot be written: {error.strerror}")
        self._name, self._seen_enough = name, isinstance(error, BrokenPipeError)

    def say(self) -> int:
        """Say so on the other stream; return the exit code."""
        if self._seen_enough:  # head; by SIGPIPE a dead worker would end us, too
            return 0
        other = sys.stdout if self._name == "error" else sys.stderr
        if other is not None:
            with suppress(OSError, StreamLost):  # nobody can be told
                print(f"satcal: {self}", file=other, flush=True)
        return Stopped.exit_code


class _Stream(io.FileIO):
    """What is below a standard stream; once it is lost, all else goes nowhere."""

    def __init__(self, descriptor: int, name: str) -> None:
        super().__init__(descriptor, "w", closefd=False)
        self._told = name

    def write(self, data: Any, /) -> int:
        try:
            return super().write(data)
        except OSError as error:
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.fileno())  # Python flushes at exit
            raise StreamLost(self._told, error) from error


def _guarded(stream: TextIO | None, name: str) -> TextIO:
    """Return a standard stream that raises StreamLost; a closed one (>&-) is lost."""
    if stream is None:
        raise StreamLost(name, OSError(errno.EBADF, "it is closed"))
    if not isinstance(stream, io.TextIOWrapper):
        return stream
    return io.TextIOWrapper(
        io.BufferedWriter(_Stream(stream.fileno(), name)),
        encoding=stream.encoding,
        errors="backslashreplace",  # a name may hold what a terminal cannot show
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )


def run(
    arguments: Sequence[str] | None = None, command: click.Command = cli, name: str = "satcal"
) -> int:
    """Run the command line, or that of a tool, and return the exit code."""
    code = Stopped.exit_code
    try:
        ended = command.main(args=arguments, prog_name=name, standalone_mode=False)
        return ended if isinstance(ended, int) else 0
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except SystemExit as leave:  # what leaves so, such as shell completion, knows its exit code
        return leave.code if isinstance(leave.code, int) else 1
    except SatcalError as error:
        text, code = f"error: {error}", error.exit_code
    except (KeyboardInterrupt, click.Abort):
        text = "stopped by Ctrl-C"
    except MemoryError:
        text = "error: out of memory; try fewer --jobs or a smaller board"
    except OSError as error:  # of the machine: that of a file that was named is an error of ours
        text = f"error: stopped by the system: {error}"
    except Exception as error:
        if os.environ.get("SATCAL_DEBUG"):
            raise
        text, code = f"internal error: {type(error).__name__}: {error}", 1
        text += "; please report it (SATCAL_DEBUG=1 says more)"
    print(f"satcal: {text}", file=sys.stderr)
    return code
