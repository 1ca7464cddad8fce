"""The command ``satcal``: every error becomes a text and an exit code."""

from __future__ import annotations

import errno
import importlib
import io
import os
import shutil
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, TextIO

import click
from click.shell_completion import CompletionItem

from satcal.errors import Missing, SatcalError, Stopped, did_you_mean, shown
from satcal.version import __version__

GROUPS = {
    "Play": {
        "solve": ("solve", "Find a solution for each date."),
        "hint": ("solve", "Get help with a partly filled board, given with --place."),
        "birthday": ("birthday", "Count the solutions of a date on every calendar."),
        "site": ("site", "Write the web page as plain files."),
    },
    "Count": {
        "count": ("count", "Count the solutions of each date."),
        "survey": ("stats", "Count the tilings for every set of cells left uncovered."),
        "stats": ("stats", "Plot the counts of many dates, or write them as a table."),
    },
    "Believe": {
        "verify": ("count", "Count each date by several methods and compare."),
        "certify": ("certify", "Write a certificate that proves the number of solutions."),
        "check": ("certify", "Check certificates."),
        "claims": ("claims", "Check published statements."),
        "cross-check": ("cross_check", "Let external programs count, and compare."),
    },
    "SAT": {
        "export": ("export", "Write formulas for external solvers."),
        "decode": ("export", "Turn an external solver's answer into verified tilings."),
    },
    "Make": {
        "new": ("make", "Write a puzzle file to start from, with each key explained."),
        "lint": ("make", "List everything that is wrong or odd in a puzzle file."),
        "show": ("boards", "Draw a board and its pieces, and count placements."),
        "boards": ("boards", "List the library of puzzles."),
        "draw": ("draw", "Draw a picture: SVG, PNG or PDF."),
        "animate": ("draw", "Write a GIF of a search, the SAT loop, or a solution for each date."),
        "fabricate": ("fabricate", "Write files for laser cutters and 3D printers: SVG, DXF, STL."),
        "check-design": ("check_design", "Report everything a maker wants to know about a puzzle."),
        "design": ("design", "Search for sets of pieces that solve every date of a board."),
        "arrange": ("design", "Move the labels so that every date has enough solutions."),
    },
    "Run": {
        "serve": ("serve", "Serve the HTTP API and the web page."),
        "store": ("store", "Inspect and clean the store of finished counts."),
        "manual": ("manual", "Print a page of the documentation."),
    },
}
"""Of each command, by its group in the help, its file in this folder, and its line in the help."""
COMMANDS = {name: about for group in GROUPS.values() for name, about in group.items()}


INTERNAL = 70
"""The exit code of an error that is satcal's own: never that of a verdict."""


class Commands(click.Group):
    """A group that imports a command's file to run the command, not to list it."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the commands in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """The command of that name."""
        if name not in COMMANDS:
            return None
        module = importlib.import_module(f"satcal.cli.{COMMANDS[name][0]}")
        command: click.Command = getattr(module, name.replace("-", "_"))
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """A command and what is left of the words."""
        if args[0] not in COMMANDS and not (args[0].startswith("-") or ctx.resilient_parsing):
            raise click.UsageError(
                f"no command {args[0]!r}{did_you_mean(args[0], COMMANDS, 0.7)}", ctx
            )
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands, group by group; it has to fit a screen."""
        formatter.write("\n")
        widest = max(map(len, COMMANDS))
        for group, commands in GROUPS.items():
            formatter.write(f"{group}:\n")
            for name, (_, text) in commands.items():
                formatter.write(f"  {name:<{widest}}  {text}\n")

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The commands and options that begin so."""
        commands = [
            CompletionItem(name, help=text)
            for name, (_, text) in COMMANDS.items()
            if name.startswith(incomplete)
        ]
        return commands + click.Command.shell_complete(self, ctx, incomplete)


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    """Print the version, and with --verbose where the checkers of certificates are; then leave."""
    if not wanted:
        return
    click.echo(f"satcal, version {__version__}")
    if ctx.meta["verbose"]:
        from satcal.certificates.opinions import PROGRAMS
        from satcal.counting import verified
        from satcal.counting.settings import SOLVERS, solver_names

        found = {name: shutil.which(name) or "not on the PATH" for name in PROGRAMS}
        try:
            found["verified"] = verified.program()
        except Missing as missing:
            found["verified"] = str(missing)
        click.echo("checkers of certificates:")
        for name, where in found.items():
            click.echo(f"  {name}: {where}")
        lacking = sorted(set(SOLVERS) - set(solver_names()))
        click.echo(f"solvers that this PySAT lacks: {', '.join(lacking) or 'none'}")
    ctx.exit()


def _verbose(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    ctx.meta["verbose"] = wanted


@click.group(
    cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "show_default": True}
)
@click.option(
    "--verbose",
    is_flag=True,
    hidden=True,
    is_eager=True,  # before --version, wherever it stands
    expose_value=False,
    callback=_verbose,
    help="With --version: say which checkers of certificates are installed.",
)
@click.option(
    "-V",
    "--version",
    is_flag=True,
    expose_value=False,
    callback=_version,
    help="Show the version and exit; --verbose adds the checkers.",
)
def cli() -> None:
    """Count, list and prove the solutions of calendar puzzles.

    \b
    satcal count rhombus 2025    how many solutions each date has
    satcal solve                 a solution for today
    Shell completion: eval "$(_SATCAL_COMPLETE=bash_source satcal)"
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
    """A standard stream that raises StreamLost; a closed one (>&-) is lost."""
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
        text = error.format_message()
        if text != printable(text):
            error = click.UsageError(printable(text), getattr(error, "ctx", None))
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
        text, code = f"internal error: {type(error).__name__}", INTERNAL
        text += f": {shown(str(error))}" if str(error) else ""
        text += "; please report it (SATCAL_DEBUG=1 says more)"
    print(f"satcal: {printable(text)}", file=sys.stderr)
    return code


def printable(text: str) -> str:
    """A message without what a terminal obeys, such as the escape codes of a file's name."""
    return "".join(
        mark if mark.isprintable() or mark in "\n\t" else repr(mark)[1:-1] for mark in text
    )
