"""The command ``satcal``: finds commands by name, and turns every error into text and exit code."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence

import click

from satcal import __version__
from satcal.errors import SatcalError

# Each command's module is imported when it is called or its help is asked for; the order is
# that of `satcal --help`.
COMMANDS = {
    "boards": "satcal.cli.boards",
    "show": "satcal.cli.boards",
    "solve": "satcal.cli.solve",
    "count": "satcal.cli.count",
    "survey": "satcal.cli.survey",
    "verify": "satcal.cli.verify",
    "plan": "satcal.cli.plan",
    "export": "satcal.cli.export",
    "decode": "satcal.cli.export",
    "certify": "satcal.cli.certify",
    "check": "satcal.cli.certify",
    "cross-check": "satcal.cli.cross_check",
    "claims": "satcal.cli.claims",
    "hint": "satcal.cli.hint",
    "draw": "satcal.cli.draw",
    "stats": "satcal.cli.stats",
    "animate": "satcal.cli.animate",
    "browse": "satcal.cli.browse",
    "store": "satcal.cli.store",
    "serve": "satcal.cli.serve",
}


class Commands(click.Group):
    """A group that imports a command's module only when it needs it."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Return the command of that name."""
        if name not in COMMANDS:
            return None
        found = getattr(importlib.import_module(COMMANDS[name]), name.replace("-", "_"))
        assert isinstance(found, click.Command)
        return found


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
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
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    stdout = sys.stdout
    try:
        code = cli.main(args=arguments, prog_name="satcal", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except SatcalError as error:
        return _say(f"error: {error}", error.exit_code)
    except click.exceptions.Exit as leave:
        return leave.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except BrokenPipeError:
        return _reader_has_gone()
    except SystemExit as leave:
        # click leaves so when nobody reads what it writes, after putting a wrapper around stdout;
        # what else leaves so, such as shell completion, knows its exit code
        if sys.stdout is not stdout:
            return _reader_has_gone()
        return leave.code if isinstance(leave.code, int) else 1
    except (KeyboardInterrupt, click.Abort):
        return _say("stopped by Ctrl-C", 3)
    except MemoryError:
        return _say("error: out of memory; try fewer --jobs or a smaller board", 3)
    except Exception as error:
        if os.environ.get("SATCAL_DEBUG"):
            raise
        what = f"{type(error).__name__}: {error}"
        return _say(f"internal error: {what}; please report it (SATCAL_DEBUG=1 says more)", 1)


def _reader_has_gone() -> int:
    """Return the exit code where whoever reads our output has seen enough.

    SIGPIPE keeps Python's handling: a worker that dies must not take this process with it.
    """
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python flushes at exit
    return 0


def _say(text: str, code: int) -> int:
    print(f"satcal: {text}", file=sys.stderr)
    return code
