"""Options that several commands share, and what they select."""

from __future__ import annotations

import datetime
import functools
import re
import sys
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, TypeVar

import click

from satcal.counting.settings import METHODS, Settings, chosen_solver
from satcal.counting.tilings import diagram_for
from satcal.errors import OptionError
from satcal.puzzle.demands import Demand, parse_demands
from satcal.puzzle.loading import ALIASES, library, load, origin_of
from satcal.puzzle.model import Puzzle, Reveal
from satcal.puzzle.ranges import Range, Row, describe, select

if TYPE_CHECKING:
    from satcal.diagram.puzzle import PuzzleDiagram

Command = TypeVar("Command", bound=Callable[..., Any])
DEFAULT_BOARD = "a-puzzle-a-day"
UNITS = {"K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}


@dataclass(frozen=True)
class Selection:
    """What the shared options name: a puzzle, rows, and what is placed already.

    ``origin`` is the board as it was named: by it a store notices that its file has changed.
    """

    puzzle: Puzzle
    wanted: Range
    now: datetime.date
    demands: tuple[Demand, ...]
    origin: str = ""

    @functools.cached_property
    def rows(self) -> list[Row]:
        """The rows; on first use, because not every command needs some."""
        return select(self.puzzle, self.wanted, self.now)

    @property
    def reveals(self) -> list[Reveal]:
        """The reveals of the rows, each once."""
        return list(dict.fromkeys(row.reveal for row in self.rows))

    @property
    def words(self) -> str:
        """The range in words."""
        return describe(self.wanted, self.now) if self.puzzle.categories else "the board"

    def one_row(self, what: str) -> Row:
        """Return the only row, as ``what`` needs it; several are an OptionError."""
        if (rows := len(self.rows)) > 1:
            raise OptionError(f"{what} shows one date, not {rows:,}; give --date or --reveal")
        return self.rows[0]

    def unless_given(self, **wanted: Any) -> Selection:
        """Return a selection of other rows where no option chose any."""
        if self.wanted.given():
            return self
        return replace(self, wanted=replace(self.wanted, **wanted))

    def diagram(self, reveals: Collection[Reveal] | None = None) -> PuzzleDiagram:
        """Return the diagram of some reveals, by default those of the rows."""
        asked = self.reveals if reveals is None else reveals
        return diagram_for(self.puzzle, asked, Settings(demands=self.demands))


def size(text: str) -> int:
    """Return the bytes of a size such as ``500M`` or ``2G``."""
    match = re.fullmatch(r"(\d{1,6})([KMGT])B?", text.upper())
    if not match:
        raise click.BadParameter(f"'{text}' is not a size; write it as 500M or 2G")
    return int(match[1]) * UNITS[match[2]]


def today(ctx: click.Context) -> datetime.date:
    """Return today; a caller may put another clock into the context's object."""
    clock: Callable[[], datetime.date] = ctx.obj if callable(ctx.obj) else datetime.date.today
    return clock()


def _complete_board(ctx: click.Context, parameter: click.Parameter, start: str) -> list[str]:
    return [name for name in sorted([*library(), *ALIASES]) if name.startswith(start)]


def together(*options: Callable[[Any], Any]) -> Callable[[Command], Command]:
    """Return a decorator that adds options in the order of the help."""

    def decorate(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def format_option(styles: Sequence[str], default: str, help: str) -> Callable[[Command], Command]:
    """Return ``--format``; the command takes it as ``style``."""
    return click.option("--format", "style", type=click.Choice(styles), default=default, help=help)


def table_option(styles: Sequence[str], terminal: str) -> Callable[[Command], Command]:
    """Return ``--format``; its default is one style on a terminal, csv elsewhere."""
    return click.option(
        "--format", "style", type=click.Choice(styles), show_default=False,
        default=lambda: terminal if sys.stdout.isatty() else "csv",
        help=f"[default: {terminal} on a terminal, csv elsewhere]",
    )  # fmt: skip


def memory_option(help: str, default: str | None = None) -> Callable[[Command], Command]:
    """Return ``--memory-limit``, in bytes."""
    return click.option("--memory-limit", type=size, default=default, metavar="500M|2G", help=help)


board_options = together(
    click.option(
        "--board", "-b", default=DEFAULT_BOARD, envvar="SATCAL_BOARD",
        show_envvar=True, shell_complete=_complete_board,
        help="Library name or path of a puzzle file.",
    ),
    click.option(
        "--pieces", shell_complete=_complete_board,
        help="Library name or path whose piece set replaces the board's own.",
    ),
    click.option("--flip", metavar="all|none|N,L4", help="Which pieces may be turned over."),
)  # fmt: skip

_range_options = together(
    click.option("--date", metavar="2025-12-25", help="One date.  [default: today]"),
    click.option("--month", metavar="2025-02", help="The dates of a month."),
    click.option("--year", type=int, metavar="2025", help="The dates of a year."),
    click.option("--from", "start", metavar="DATE", help="From this date on ..."),
    click.option("--to", "end", metavar="DATE", help="... to this one, inclusive."),
    click.option("--reveal", metavar="Thu,Oct,23", help="One label per category."),
    click.option("--all-dates", is_flag=True, help="Every date that some year has."),
    click.option("--all-reveals", is_flag=True, help="Every combination of labels."),
)

place_option = click.option(
    "--place", multiple=True, metavar="N:r2c3,... | N@r2c3 | @FILE",
    help="What is placed already: a placement, a piece on a cell, or a file of these "
    "or of a partly filled board. May be repeated.",
)  # fmt: skip

force_option = click.option("--force", is_flag=True, help="Replace a file that exists.")

quiet_option = click.option("--quiet", "-q", is_flag=True, help="No progress and no summary.")

statistics_option = click.option(
    "--statistics", "counted", is_flag=True,
    help="Say at the end what each method did: seconds, nodes, prunings, placements tried, "
    "propagations, conflicts.",
)  # fmt: skip

theme_option = click.option(
    "--theme", default="light", metavar="NAME|FILE.toml",
    help="light, dark, print, or a file with colours of your own.",
)  # fmt: skip

jobs_option = click.option(
    "--jobs", "-j", type=click.IntRange(min=1, max=1024), help="Processes.  [default: all cores]"
)

cluster_option = click.option(
    "--cluster", metavar="tcp://HOST:8786|local",
    help="Work on this Dask cluster: a scheduler's address, or a local one of --jobs workers. "
    'Needs `pip install "satcal[cluster]"`.',
)  # fmt: skip

store_option = click.option(
    "--store", "where", envvar="SATCAL_STORE", show_envvar=True, metavar="URL|FILE|none",
    help="Where finished counts are kept.  [default: a file in the user's data directory]",
)  # fmt: skip

_method_options = (
    click.option(
        "--method", type=click.Choice(METHODS), help=f"How to count.  [default: {METHODS[0]}]"
    ),
    click.option("--encoding", default="ladder", help="Of the method sat."),
    click.option("--solver", help="A solver of PySAT.  [default: cadical195]"),
    click.option(
        "--lemmas", type=click.Choice(["auto", "none", "single", "pair", "closed"]),
        default="auto", help="Of the method sat.",
    ),
    click.option(
        "--order", type=click.Choice(["static", "free"]), default="static",
        help="Whether the solver decides along the cells, where it can.",
    ),
    click.option(
        "--pruning", type=click.Choice(["none", "smallest", "sums"]), default="sums",
        help="Of the method search.",
    ),
    click.option("--conflicts", type=click.IntRange(min=1), help="Budget of each SAT count."),
    click.option(
        "--up-to-symmetry", is_flag=True,
        help="Count tilings that are turned or flipped images of each other once.",
    ),
    click.option(
        "--time-limit", type=click.FloatRange(min=0), metavar="SECONDS",
        help="Budget of the whole run.",
    ),
    memory_option(
        "Of the diagram. Where it is too large, fewer dates are counted at once, and with "
        "--cluster shares of a date.  [default: 3/4 of what is free, on Linux]"
    ),
    click.option(
        "--cache/--no-cache", "use_cache", default=True,
        help="Keep diagrams in the user's cache directory (SATCAL_CACHE moves it).",
    ),
)  # fmt: skip

_task_options = (
    jobs_option,
    click.option(
        "--cubes", type=click.IntRange(min=1), metavar="N",
        help="Cut dates of more than N tilings into cubes, each a task of sat or search.",
    ),
    cluster_option,
)  # fmt: skip


def selecting(command: Command) -> Callable[..., Any]:
    """Add board, range and place options; the command takes a ``selection``."""

    @board_options
    @_range_options
    @place_option
    @click.pass_context
    @functools.wraps(command)
    def wrapped(
        ctx: click.Context, /, board: str, pieces: str | None, flip: str | None,
        place: tuple[str, ...], **rest: Any,
    ) -> Any:  # fmt: skip
        wanted = Range(**{each.name: rest.pop(each.name) for each in fields(Range)})
        puzzle = load(board, pieces, flip)
        demands = tuple(parse_demands(puzzle, place))
        origin = origin_of(board, pieces, flip)
        return command(selection=Selection(puzzle, wanted, today(ctx), demands, origin), **rest)

    return wrapped


def counting_options(tasks: bool = True) -> Callable[[Command], Callable[..., Any]]:
    """Add method, encoding, solver and budgets; the command takes ``settings``.

    ``alone`` tells it whether a method was named. ``tasks``: how many are done at a time, and
    by whom, is an option too.
    """

    def decorate(command: Command) -> Callable[..., Any]:
        @together(*_method_options, *(_task_options if tasks else ()))
        @functools.wraps(command)
        def wrapped(selection: Selection, **rest: Any) -> Any:
            names = [each.name for each in fields(Settings) if each.name in rest]
            given = {name: rest.pop(name) for name in names}
            alone = given["method"] is not None
            given["method"] = given["method"] or METHODS[0]
            settings = Settings(demands=selection.demands, **given)
            return command(selection=selection, settings=settings, alone=alone, **rest)

        return wrapped

    return decorate


def check(settings: Settings) -> None:
    """Raise at once what every count would: an unknown solver or encoding."""
    if settings.method == "sat":
        chosen_solver(settings)
