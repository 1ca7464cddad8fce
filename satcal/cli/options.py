"""The options of a command line, and the commands that have them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import click

from satcal.errors import OptionError
from satcal.processes import MAX_SECONDS
from satcal.puzzle.calendar import YEARS
from satcal.puzzle.loading import ALIASES, library

GIB = 2**30
OTHER_OPTIONS = "Other options"
MAX_COLUMN = 30
"""Limit on the column of the names of options, as click has it."""
Function = TypeVar("Function", bound=Callable[..., Any])


def complete_board(context: click.Context, parameter: click.Parameter, prefix: str) -> list[str]:
    """Return the names of library puzzles that begin with a prefix."""
    return [name for name in (*library(), *ALIASES) if name.startswith(prefix.casefold())]


class FiniteRange(click.FloatRange):
    """A range of floats without ``nan`` and ``inf``, which click accepts."""

    def convert(self, value: Any, *context: Any) -> Any:
        """Return the parsed number."""
        number = super().convert(value, *context)
        if not math.isfinite(number):
            self.fail(f"{value!r} is not a finite number.", *context)
        return number


class Command(click.Command):
    """A command that shows its options in sections, and refuses one that is given twice.

    An option that collects its values may be given twice.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the words of a command line."""
        _, _, given = self.make_parser(ctx).parse_args(args=[*args])
        options = {} if ctx.resilient_parsing else Counter(given)
        for option, number in options.items():
            if number > 1 and isinstance(option, click.Option):
                is_plain_flag = option.is_flag and not option.secondary_opts
                if not (option.multiple or is_plain_flag):
                    name = " or ".join([max(option.opts, key=len), *option.secondary_opts])
                    raise click.UsageError(f"{name} is given {number} times; give it once", ctx)
        return super().parse_args(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the sections of options; all have the same columns."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for option in self.get_params(ctx):
            if isinstance(option, click.Option) and (record := option.get_help_record(ctx)):
                title = getattr(option, "section", OTHER_OPTIONS)
                sections.setdefault(title, []).append(record)
        sections[OTHER_OPTIONS] = sections.pop(OTHER_OPTIONS)  # it has --help, and comes last
        widths = [len(name) for records in sections.values() for name, _ in records]
        column = max(width for width in widths if width <= MAX_COLUMN)
        for title, records in sections.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(column), text) for name, text in records])


Decorator = Callable[[Function], Function]


def add_section(title: str, *options: Decorator[Function]) -> Decorator[Function]:
    """Add options that the help shows in a section."""

    def decorate(function: Function) -> Function:
        for option in reversed(options):
            function = option(function)
            function.__click_params__[-1].section = title  # type: ignore[attr-defined]
        return function

    return decorate


def refuse_several(given: Mapping[str, object]) -> None:
    """Raise OptionError if more than one of the options, by their names, has a value."""
    names = [name for name, value in given.items() if value]
    if len(names) > 1:
        raise OptionError(f"{' and '.join(names)} exclude each other; give one of them")


YEAR = click.IntRange(YEARS[0], YEARS[-1])
SECONDS = FiniteRange(0, MAX_SECONDS)
JOBS = click.IntRange(1, 1024)
"""The range of a number of processes."""

board_option = click.option(
    "-b",
    "--board",
    metavar="NAME|FILE",
    shell_complete=complete_board,
    help="Default: $SATCAL_BOARD, or a-puzzle-a-day.",
)
board_argument = click.argument("words", nargs=-1, metavar="[BOARD]", shell_complete=complete_board)
date_option = click.option(
    "--date", multiple=True, metavar="WORDS", help="A day, a month, a year, a range A..B, or all."
)
reveal_option = click.option(
    "--reveal", multiple=True, metavar="LABELS", help="What stays uncovered: Thu,Oct,23."
)
words_argument = click.argument(
    "words", nargs=-1, metavar="[BOARD] [DATES]...", shell_complete=complete_board
)


def add_selection(command: Function) -> Function:
    """Add the arguments and options whose values a command passes to :func:`select`."""
    options = add_section(
        "Board and dates",
        board_option,
        date_option,
        click.option(
            "--year", type=YEAR, multiple=True, metavar="YYYY", help="All dates of a year."
        ),
        reveal_option,
        click.option("--all-reveals", is_flag=True, help="Every combination of labels."),
    )
    return words_argument(options(command))


place_option = click.option(
    "--place",
    multiple=True,
    metavar="PIECES|FILE",
    help="'O: 1 2 3 8 9 10; P: Jan Feb Jul Aug Sep', as printed on the cells; or by row and column "
    "from 0: 'O: r0c0 r0c1'; or a file with a drawing; or - for standard input.",
)
"""The option of a command that accepts pieces already placed, for :func:`select`."""


encoding_option = click.option(
    "--encoding",
    "encodings",
    multiple=True,
    metavar="NAME,...",
    help="For DIMACS: ladder (default), plain, owner, card-seqcounter, ..., or all.",
)


def memory_option(
    default: float | None, help: str, minimum: float = 0
) -> Callable[[Function], Function]:
    """Return the option ``--memory-limit``, in GB; the command gets bytes."""
    return click.option(
        "--memory-limit",
        type=FiniteRange(minimum),
        default=default,
        callback=lambda context, option, size: None if size is None else int(size * GIB),
        metavar="GB",
        help=help,
    )
